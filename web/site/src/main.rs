//! One WebAssembly module for page and worker: what both need is loaded and compiled once, and they
//! are always of the same version. Where it is started decides which of them it is.

fn main() {
    if page::platform::document::is_there() { page::run() } else { worker::run() }
}
