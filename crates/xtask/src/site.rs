//! A small static server for the built page, on the loopback address only.
//!
//! It does what any static host does and no more: GET and HEAD of files below one folder, with
//! the types that browsers insist on (wasm compiles while it streams only as `application/wasm`).
//! Answers are never cached, so that a rebuilt page is what the next reload shows.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::Outcome;

/// Longest request head that is read.
const HEAD_LIMIT: u64 = 16 * 1024;
/// A connection that says nothing for so long is closed.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many ports are tried from the wanted one on.
const PORTS_TRIED: u16 = 50;

/// A listening server that has not begun to answer.
pub(crate) struct Site {
    listener: TcpListener,
    address: SocketAddr,
    folder: Arc<PathBuf>,
}

impl Site {
    /// Listens on `port` or the next free one; port 0 takes any.
    pub(crate) fn bind(folder: &Path, port: u16) -> Outcome<Self> {
        let folder = folder
            .canonicalize()
            .map_err(|e| format!("{} cannot be served: {e}.", folder.display()))?;
        let last = port.saturating_add(PORTS_TRIED - 1);
        let mut problem = String::new();
        for candidate in port..=last {
            match TcpListener::bind((Ipv4Addr::LOCALHOST, candidate)) {
                Ok(listener) => {
                    let address = listener.local_addr().map_err(|e| format!("No address: {e}."))?;
                    return Ok(Self { listener, address, folder: Arc::new(folder) });
                }
                Err(e) => problem = e.to_string(),
            }
        }
        Err(format!("No port from {port} to {last} is free on 127.0.0.1: {problem}."))
    }

    /// What to open in a browser.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Answers for ever, each connection in a thread of its own.
    pub(crate) fn serve(&self) {
        for stream in self.listener.incoming() {
            // A connection that broke before it was taken concerns nobody else.
            let Ok(stream) = stream else { continue };
            let folder = Arc::clone(&self.folder);
            std::thread::spawn(move || {
                // The browser went away in the middle of an answer; it will ask again.
                let _ = converse(&stream, &folder);
            });
        }
    }

    /// Answers in the background until the process ends.
    pub(crate) fn serve_in_background(self) {
        std::thread::spawn(move || self.serve());
    }
}

fn converse(stream: &TcpStream, folder: &Path) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut head = BufReader::new(stream.take(HEAD_LIMIT));
    let mut request = String::new();
    head.read_line(&mut request)?;
    // The rest of the head is read, so that closing does not reset the connection.
    let mut line = String::new();
    while head.read_line(&mut line)? > 2 {
        line.clear();
    }
    let answer = answer(&request, folder);
    let mut stream = stream;
    stream.write_all(answer.head().as_bytes())?;
    if answer.with_body {
        stream.write_all(&answer.body)?;
    }
    stream.flush()
}

struct Answer {
    status: &'static str,
    kind: &'static str,
    body: Vec<u8>,
    with_body: bool,
}

impl Answer {
    fn error(status: &'static str, sentence: &str) -> Self {
        let body = format!("{sentence}\n").into_bytes();
        Self { status, kind: "text/plain; charset=utf-8", body, with_body: true }
    }

    fn head(&self) -> String {
        format!(
            "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
             X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
            self.status,
            self.kind,
            self.body.len()
        )
    }
}

fn answer(request: &str, folder: &Path) -> Answer {
    let mut words = request.split_whitespace();
    let (method, target) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    if !matches!(method, "GET" | "HEAD") {
        return Answer::error("405 Method Not Allowed", "Only GET and HEAD are answered.");
    }
    let Some(file) = locate(target, folder) else {
        return Answer::error("404 Not Found", "There is no such file.");
    };
    match fs::read(&file) {
        Ok(body) => {
            Answer { status: "200 OK", kind: kind_of(&file), body, with_body: method == "GET" }
        }
        Err(_) => Answer::error("404 Not Found", "There is no such file."),
    }
}

/// The file that a request's target names, if it lies below the folder.
fn locate(target: &str, folder: &Path) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next()?.strip_prefix('/')?;
    let path = decode(path)?;
    let mut file = folder.to_path_buf();
    for part in path.split('/').filter(|part| !part.is_empty()) {
        if part.starts_with('.') || part.contains(['\\', ':', '\0']) {
            return None;
        }
        file.push(part);
    }
    if file.is_dir() {
        file.push("index.html");
    }
    // A link inside the folder must not lead out of it either.
    file.canonicalize().ok().filter(|real| real.starts_with(folder) && real.is_file())
}

/// Percent-decoding; `None` where the escape or the result is no text.
fn decode(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let high = char::from(rest.next()?).to_digit(16)?;
        let low = char::from(rest.next()?).to_digit(16)?;
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}

fn kind_of(file: &Path) -> &'static str {
    let ending = file.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref().unwrap_or("") {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with a page, beside a file that must not be served.
    fn folder(name: &str) -> PathBuf {
        let outside =
            std::env::temp_dir().join(format!("xtask-site-{name}-{}", std::process::id()));
        let folder = outside.join("site");
        fs::create_dir_all(folder.join("sub")).unwrap();
        fs::write(outside.join("secret.txt"), "secret").unwrap();
        fs::write(folder.join("index.html"), "<p>home").unwrap();
        fs::write(folder.join("sub/a b.wasm"), "wasm").unwrap();
        fs::write(folder.join(".hidden"), "hidden").unwrap();
        folder.canonicalize().unwrap()
    }

    fn remove(folder: &Path) {
        fs::remove_dir_all(folder.parent().unwrap()).unwrap();
    }

    #[test]
    fn files_below_the_folder_are_found_and_nothing_else() {
        let folder = folder("locate");
        let found = |target: &str| locate(target, &folder).map(|file| fs::read(file).unwrap());
        assert_eq!(found("/").as_deref(), Some(&b"<p>home"[..]));
        assert_eq!(found("/index.html?x=1").as_deref(), Some(&b"<p>home"[..]));
        assert_eq!(found("/sub/a%20b.wasm").as_deref(), Some(&b"wasm"[..]));
        for bad in [
            "",
            "index.html",
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/sub/../../secret.txt",
            "/..%2fsecret.txt",
            "/sub",
            "/.hidden",
            "/nothing",
            "/%zz",
            "/%ff",
            "/%0",
            "//etc/passwd",
            "/sub\\..\\index.html",
        ] {
            assert_eq!(found(bad), None, "{bad}");
        }
        remove(&folder);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_does_not_lead_out() {
        let folder = folder("link");
        let secret = folder.parent().unwrap().join("secret.txt");
        std::os::unix::fs::symlink(secret, folder.join("link.txt")).unwrap();
        assert_eq!(locate("/link.txt", &folder), None);
        remove(&folder);
    }

    #[test]
    fn it_speaks_http() {
        let folder = folder("http");
        let site = Site::bind(&folder, 0).unwrap();
        let address = site.address;
        site.serve_in_background();
        let ask = |request: &str| {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap();
            text
        };
        let got = ask("GET /sub/a%20b.wasm HTTP/1.1\r\nHost: x\r\n\r\n");
        assert!(got.starts_with("HTTP/1.1 200 OK\r\nContent-Type: application/wasm\r\n"), "{got}");
        assert!(got.contains("\r\nContent-Length: 4\r\n"), "{got}");
        assert!(got.contains("\r\nCache-Control: no-store\r\n"), "{got}");
        assert!(got.ends_with("\r\n\r\nwasm"), "{got}");
        assert!(ask("HEAD / HTTP/1.1\r\n\r\n").ends_with("\r\n\r\n"));
        assert!(ask("GET /none HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 404"));
        assert!(ask("POST / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 405"));
        assert!(ask("\r\n\r\n").starts_with("HTTP/1.1 405"));
        remove(&folder);
    }

    #[test]
    fn a_taken_port_gives_the_next_one() {
        let folder = folder("port");
        let first = Site::bind(&folder, 0).unwrap();
        let second = Site::bind(&folder, first.address.port()).unwrap();
        assert!(second.address.port() > first.address.port());
        assert_eq!(second.url(), format!("http://127.0.0.1:{}/", second.address.port()));
        remove(&folder);
    }
}
