//! `cargo xtask dist`: a folder that any static host serves; `--single`: one file that opens from a
//! disk; `--with TAG`: builds of earlier versions beside it, so that old numbers stay reachable.

use std::fs;
use std::path::Path;

use crate::Outcome;
use crate::hosted;
use crate::job;
use crate::page;
use crate::place::Place;
use crate::progress::say;
use crate::setup::{self, Part};

/// What was asked for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Wishes {
    single: bool,
    link: String,
    tags: Vec<String>,
}

impl Wishes {
    fn read(arguments: &[String]) -> Outcome<Self> {
        let mut wishes = Self::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().cloned().ok_or(format!("{argument} needs a value."));
            match argument.as_str() {
                "--single" => wishes.single = true,
                "--link" => wishes.link = value()?,
                "--with" => wishes.tags.push(value()?),
                other => {
                    return Err(format!("dist does not know '{other}'; see cargo xtask help."));
                }
            }
        }
        if !wishes.link.is_empty() && !wishes.single {
            return Err("--link goes with --single.".to_owned());
        }
        Ok(wishes)
    }
}

pub(crate) fn run(place: &Place, arguments: &[String]) -> Outcome {
    let wishes = Wishes::read(arguments)?;
    setup::bring(place, &Part::BUILD)?;
    let folder = place.root.join("dist");
    page::build(place, &folder)?;
    if wishes.single {
        let path = hosted::single(&folder, &wishes.link)?;
        say(&format!("{} opens from a disk, without any host", path.display()));
    }
    let mut versions = Vec::new();
    for tag in &wishes.tags {
        versions.push(pinned(place, tag, &folder)?);
    }
    offer(&folder, &versions)?;
    hosted::finish(&folder)?;
    page::weigh(place, &folder)?;
    say(&format!("{} can be copied to any static host, below any path", folder.display()));
    Ok(())
}

/// Builds the page of a tag into `v/MODEL/`; says which model that is: the number that links carry,
/// and its version.
fn pinned(place: &Place, tag: &str, folder: &Path) -> Outcome<String> {
    let source = place.target.join("pinned").join(tag.replace('/', "-"));
    if !source.exists() {
        let mut git = place.host("git");
        git.current_dir(&place.root).args(["worktree", "add", "--detach"]).arg(&source).arg(tag);
        job::open("git worktree add", &mut git)?;
    }
    let text = |path: &str| {
        let path = source.join(path);
        fs::read_to_string(&path).map_err(|e| format!("{}: {e}.", path.display()))
    };
    let model = model_version(&text("crates/lab/src/lib.rs")?)
        .ok_or(format!("{tag} does not say its MODEL_VERSION."))?;
    let number = model_number(&text("crates/scenario/src/link/mod.rs")?)
        .ok_or(format!("{tag} does not say the MODEL of its links."))?;
    let mut cargo = place.host("cargo");
    cargo.current_dir(&source).args(["xtask", "dist"]);
    job::open(&format!("cargo xtask dist of {tag}"), &mut cargo)?;
    let to = folder.join("v").join(&model);
    copy(&source.join("dist"), &to)?;
    say(&format!("{tag}: model {model} in {}", to.display()));
    Ok(format!("{number}={model}"))
}

/// Copies what is in a folder, without the earlier versions that it may hold itself.
fn copy(from: &Path, to: &Path) -> Outcome {
    let failed = |path: &Path, e: std::io::Error| format!("{}: {e}.", path.display());
    fs::create_dir_all(to).map_err(|e| failed(to, e))?;
    for entry in fs::read_dir(from).map_err(|e| failed(from, e))? {
        let path = entry.map_err(|e| failed(from, e))?.path();
        let Some(name) = path.file_name().filter(|name| *name != "v") else { continue };
        if path.is_dir() {
            copy(&path, &to.join(name))?;
        } else {
            fs::copy(&path, to.join(name)).map_err(|e| failed(&path, e))?;
        }
    }
    Ok(())
}

/// The number that a source text says links of its model carry.
fn model_number(text: &str) -> Option<u32> {
    text.split("pub const MODEL: u32 = ").nth(1)?.split(';').next()?.parse().ok()
}

/// The version that a source text says its model has.
fn model_version(text: &str) -> Option<String> {
    let behind = text.split("MODEL_VERSION: &str = \"").nth(1)?;
    let version = behind.split('"').next()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    (!version.is_empty() && version.chars().all(plain)).then(|| version.to_owned())
}

/// Tells the page which other models there are beside it: `1=0.1.0 2=0.2.0`.
fn offer(folder: &Path, versions: &[String]) -> Outcome {
    let index = folder.join("index.html");
    let html = fs::read_to_string(&index).map_err(|e| format!("{}: {e}.", index.display()))?;
    let meta = format!("<meta name=\"models\" content=\"{}\"></head>", versions.join(" "));
    fs::write(&index, html.replacen("</head>", &meta, 1))
        .map_err(|e| format!("{}: {e}.", index.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_read_or_refused() {
        let read = |text: &str| {
            Wishes::read(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        };
        let wishes = read("--single --link v1.tiny.g4D --with v1 --with v2").unwrap();
        assert!(wishes.single && wishes.link == "v1.tiny.g4D" && wishes.tags == ["v1", "v2"]);
        assert!(read("--with").unwrap_err().contains("needs a value"));
        assert!(read("--link v1.tiny").unwrap_err().contains("--single"));
        assert!(read("--all").unwrap_err().contains("'--all'"));
    }

    #[test]
    fn the_model_of_a_source_is_found() {
        let text = "pub const MODEL_VERSION: &str = \"0.1.0\";";
        assert_eq!(model_version(text).as_deref(), Some("0.1.0"));
        assert_eq!(model_version("const X: &str = \"\";"), None);
        assert_eq!(model_version("MODEL_VERSION: &str = \"../x\""), None);
        assert_eq!(model_number("/// The number.\npub const MODEL: u32 = 7;\n"), Some(7));
        assert_eq!(model_number("const MODELS: u32 = 7;"), None);
    }

    #[test]
    fn the_sources_say_their_model() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let text = |path: &str| fs::read_to_string(root.join(path)).unwrap();
        assert!(model_version(&text("crates/lab/src/lib.rs")).is_some());
        assert!(model_number(&text("crates/scenario/src/link/mod.rs")).is_some());
    }

    #[test]
    fn a_version_is_copied_with_its_folders_and_the_page_is_told() {
        let root = std::env::temp_dir().join(format!("xtask-pinned-{}", std::process::id()));
        let (from, to) = (root.join("from"), root.join("dist/v/0.1.0"));
        for folder in ["stories", "v/0.0.1"] {
            fs::create_dir_all(from.join(folder)).unwrap();
        }
        for file in ["index.html", "stories/t1.md", "v/0.0.1/index.html"] {
            fs::write(from.join(file), "<head></head>").unwrap();
        }
        copy(&from, &to).unwrap();
        assert!(to.join("index.html").is_file() && to.join("stories/t1.md").is_file());
        assert!(!to.join("v").exists(), "a version keeps none of its own");
        offer(&to, &["1=0.1.0".to_owned(), "2=0.2.0".to_owned()]).unwrap();
        let html = fs::read_to_string(to.join("index.html")).unwrap();
        assert!(
            html.contains("<meta name=\"models\" content=\"1=0.1.0 2=0.2.0\"></head>"),
            "{html}"
        );
        fs::remove_dir_all(&root).unwrap();
    }
}
