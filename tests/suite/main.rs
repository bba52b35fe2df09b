//! Everything that is tested across crates, one module a topic, in one binary.

mod layers;
mod tidy;
