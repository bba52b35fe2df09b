//! What a built page needs beyond what trunk leaves: no inline script and a content security
//! policy, a service worker that keeps it for use without a network, and the same page as a single
//! file.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Outcome;

/// Scripts of this host only, WebAssembly, and workers; nothing is asked of anybody else.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; \
    worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'";
const SERVICE_WORKER: &str = include_str!("hosted/sw.js");
const UPDATE: &str = include_str!("hosted/update.js");
const SINGLE: &str = include_str!("hosted/single.js");

/// Makes a folder fit for a host.
pub(crate) fn finish(folder: &Path) -> Outcome {
    let index = folder.join("index.html");
    let mut files: Vec<(String, String)> = Vec::new();
    let html = outsourced(&read(&index)?, &mut files)?;
    files.push(("update.js".to_owned(), UPDATE.to_owned()));
    let policy = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">");
    let html =
        html.replacen("<meta charset=\"utf-8\">", &format!("<meta charset=\"utf-8\">{policy}"), 1);
    if !html.contains(POLICY) {
        return Err(
            "index.html has no <meta charset=\"utf-8\"> to put the policy behind.".to_owned()
        );
    }
    let html = html.replacen("</head>", "<script src=\"./update.js\" defer></script></head>", 1);
    for (name, text) in &files {
        write(&folder.join(name), text)?;
    }
    write(&index, &html)?;
    let mut names = Vec::new();
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut all = listed(folder)?;
    // What Learn fetches when it is wanted; earlier versions beside the page keep themselves.
    if folder.join("stories").is_dir() {
        all.extend(listed(&folder.join("stories"))?);
    }
    for file in all {
        let name = file.strip_prefix(folder).ok();
        let name = name.map(|name| name.to_string_lossy().replace('\\', "/"));
        let bytes = fs::read(&file).map_err(|e| format!("{}: {e}.", file.display()))?;
        hash = bytes
            .iter()
            .fold(hash, |hash: u64, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
        names.extend(name.filter(|name| name != "index.html").map(|name| format!("'./{name}'")));
    }
    names.push("'./'".to_owned());
    let worker = SERVICE_WORKER
        .replace("__FILES__", &format!("[{}]", names.join(", ")))
        .replace("__VERSION__", &format!("{hash:016x}"));
    write(&folder.join("sw.js"), &worker)
}

/// The files of a folder, in order, without what this module writes for the folder as a whole.
fn listed(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let unreadable = |e| format!("{} cannot be read: {e}.", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().map_or(String::new(), |n| n.to_string_lossy().into_owned());
        let is_own = name.starts_with('.') || name == "sw.js" || name == SINGLE_NAME;
        if path.is_file() && !is_own {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Puts every inline script into a file of its own.
fn outsourced(html: &str, files: &mut Vec<(String, String)>) -> Outcome<String> {
    let mut out = String::new();
    let mut rest = html;
    while let Some(at) = rest.find("<script") {
        let (before, script) = rest.split_at(at);
        let (Some(open), Some(close)) = (script.find('>'), script.find("</script>")) else {
            return Err("index.html has a script without an end.".to_owned());
        };
        out.push_str(before);
        let (tag, text) = (&script[..open], &script[open + 1..close]);
        if text.trim().is_empty() {
            out.push_str(&script[..close]);
        } else {
            let name = format!("inline-{}.js", files.len());
            out.push_str(&format!("{tag} src=\"./{name}\">"));
            files.push((name, format!("{}\n", text.trim())));
        }
        out.push_str("</script>");
        rest = &script[close + "</script>".len()..];
    }
    out.push_str(rest);
    Ok(out)
}

/// The page as one file.
pub(crate) const SINGLE_NAME: &str = "reclaimscope.html";

/// Writes the whole page of a folder, as trunk leaves it, into one file, which opens from a disk;
/// with a link, at that scenario.
pub(crate) fn single(folder: &Path, link: &str) -> Outcome<PathBuf> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    if !link.chars().all(plain) {
        return Err(format!("'{link}' is no link, which has letters, digits, dots, _ and - only."));
    }
    let names = listed(folder)?;
    let find = |begin: &str, end: &str| -> Outcome<PathBuf> {
        let fits = |path: &&PathBuf| {
            let name = path.file_name().map_or(String::new(), |n| n.to_string_lossy().into_owned());
            name.starts_with(begin) && name.ends_with(end)
        };
        let missing = || format!("There is no {begin}*{end} in {}.", folder.display());
        names.iter().find(fits).cloned().ok_or_else(missing)
    };
    let glue = read(&find("reclaimscope-site", ".js")?)?;
    let wasm = find("reclaimscope-site", "_bg.wasm")?;
    let wasm = fs::read(&wasm).map_err(|e| format!("{}: {e}.", wasm.display()))?;
    let icon = base64(read(&find("icon", ".svg")?)?.as_bytes());
    let html = without_loading(&read(&folder.join("index.html"))?, &icon);
    let module = format!("{glue}\n__wbg_init({{ module_or_path: ownBytes() }});\n");
    let part = |id: &str, text: &str| {
        format!("<script type=\"text/plain\" id=\"{id}\">{}</script>\n", harmless(text))
    };
    let scripts = [
        // The page looks for its own script here; nothing is loaded without an address.
        "<link rel=\"modulepreload\">\n".to_owned(),
        part("wasm", &base64(&wasm)),
        part("glue", &classic(&glue)),
        format!("<script>{}</script>\n", harmless(&SINGLE.replace("__LINK__", link))),
        format!("<script type=\"module\">{}</script>\n", harmless(&module)),
    ];
    let whole = html.replacen("</body>", &format!("{}</body>", scripts.concat()), 1);
    let path = folder.join(SINGLE_NAME);
    write(&path, &whole)?;
    Ok(path)
}

/// A module as a plain script, which is what a worker of a page from a disk can be.
fn classic(glue: &str) -> String {
    let lines = glue.lines().filter(|line| !line.starts_with("export {"));
    let plain = lines.map(|line| line.strip_prefix("export ").unwrap_or(line));
    plain.collect::<Vec<_>>().join("\n").replace("import.meta.url", "location.href")
}

/// A script that ends where its element does.
fn harmless(text: &str) -> String {
    text.replace("</script", "<\\/script").replace("<!--", "<\\!--")
}

/// A page that loads nothing: without trunk's script and preloads, its icon in it.
fn without_loading(html: &str, icon: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        out.push_str(before);
        let end = tag.find('>').map_or(tag.len(), |end| end + 1);
        let head = &tag[..end];
        if head.starts_with("<script type=\"module\"") {
            rest = tag.find("</script>").map_or("", |close| &tag[close + "</script>".len()..]);
            continue;
        }
        if head.starts_with("<link") && head.contains("rel=\"icon\"") {
            let icon = format!("<link rel=\"icon\" href=\"data:image/svg+xml;base64,{icon}\">");
            out.push_str(&icon);
        } else if !(head.starts_with("<link") && head.contains("preload")) {
            out.push_str(head);
        }
        rest = &tag[end..];
    }
    out.push_str(rest);
    out
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |n: usize| u32::from(chunk.get(n).copied().unwrap_or(0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let digit = DIGITS[(word >> (18 - 6 * place) & 63) as usize];
            out.push(if place > chunk.len() { '=' } else { char::from(digit) });
        }
    }
    out
}

fn read(path: &Path) -> Outcome<String> {
    fs::read_to_string(path).map_err(|e| format!("{} cannot be read: {e}.", path.display()))
}

fn write(path: &Path, text: &str) -> Outcome {
    fs::write(path, text).map_err(|e| format!("{} cannot be written: {e}.", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HTML: &str = "<!doctype html><head><meta charset=\"utf-8\">\
        <link rel=\"icon\" href=\"./icon-1.svg\"/>\
        <link rel=\"modulepreload\" href=\"./reclaimscope-site-1.js\">\
        <script type=\"module\">\nimport init from './reclaimscope-site-1.js';\n</script>\
        <script>early();</script></head><body><p>a < b</p></body>";

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("xtask-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for (file, text) in [
            ("index.html", HTML),
            ("icon-1.svg", "<svg/>"),
            ("reclaimscope-site-1.js", "const a = '</script>';"),
            ("reclaimscope-site-1_bg.wasm", "site"),
            ("worker.js", "onmessage = null;"),
        ] {
            fs::write(folder.join(file), text).unwrap();
        }
        for file in ["stories/t1.md", "v/0.1.0/old.js"] {
            fs::create_dir_all(folder.join(file).parent().unwrap()).unwrap();
            fs::write(folder.join(file), "").unwrap();
        }
        folder
    }

    #[test]
    fn a_hosted_page_has_no_inline_script_and_is_kept_whole() {
        let folder = folder("hosted");
        finish(&folder).unwrap();
        let html = read(&folder.join("index.html")).unwrap();
        assert!(html.contains("<script type=\"module\" src=\"./inline-0.js\"></script>"), "{html}");
        assert!(html.contains("<script src=\"./inline-1.js\"></script>"), "{html}");
        assert!(
            html.contains("script-src 'self' 'wasm-unsafe-eval';") && !html.contains("early()")
        );
        assert_eq!(read(&folder.join("inline-1.js")).unwrap(), "early();\n");
        let worker = read(&folder.join("sw.js")).unwrap();
        for name in
            ["'./'", "'./inline-0.js'", "'./worker.js'", "'./update.js'", "'./stories/t1.md'"]
        {
            assert!(worker.contains(name), "{name}: {worker}");
        }
        assert!(!worker.contains("old.js"), "{worker}");
        assert!(!worker.contains("__"), "{worker}");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_single_file_loads_nothing() {
        let folder = folder("single");
        let path = single(&folder, "v1.tiny.g4D").unwrap();
        let html = read(&path).unwrap();
        assert!(!html.contains("href=\"./") && !html.contains("src="), "{html}");
        assert!(html.contains("const a = '<\\/script>';") && html.contains("'v1.tiny.g4D'"));
        assert!(html.contains("<p>a < b</p>") && html.contains(&base64(b"site")));
        assert!(single(&folder, "v1'x").is_err());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn base64_is_that_of_everybody() {
        let all = ["", "f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes()));
        assert_eq!(all, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]);
    }
}
