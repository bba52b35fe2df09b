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

/// Builds the page of a tag into `v/MODEL/`; says which model that is.
fn pinned(place: &Place, tag: &str, folder: &Path) -> Outcome<String> {
    let source = place.target.join("pinned").join(tag.replace('/', "-"));
    if !source.exists() {
        let mut git = place.host("git");
        git.current_dir(&place.root).args(["worktree", "add", "--detach"]).arg(&source).arg(tag);
        job::open("git worktree add", &mut git)?;
    }
    let lib = source.join("crates/lab/src/lib.rs");
    let text = fs::read_to_string(&lib).map_err(|e| format!("{}: {e}.", lib.display()))?;
    let model = model_version(&text).ok_or(format!("{tag} does not say its MODEL_VERSION."))?;
    let mut cargo = place.host("cargo");
    cargo.current_dir(&source).args(["xtask", "dist"]);
    job::open(&format!("cargo xtask dist of {tag}"), &mut cargo)?;
    let to = folder.join("v").join(&model);
    fs::create_dir_all(&to).map_err(|e| format!("{}: {e}.", to.display()))?;
    let built = source.join("dist");
    for entry in fs::read_dir(&built).map_err(|e| format!("{}: {e}.", built.display()))? {
        let path = entry.map_err(|e| format!("{}: {e}.", built.display()))?.path();
        if let Some(name) = path.file_name().filter(|_| path.is_file()) {
            fs::copy(&path, to.join(name)).map_err(|e| format!("{}: {e}.", path.display()))?;
        }
    }
    say(&format!("{tag}: model {model} in {}", to.display()));
    Ok(model)
}

/// The version that a source text says its model has.
fn model_version(text: &str) -> Option<String> {
    let behind = text.split("MODEL_VERSION: &str = \"").nth(1)?;
    let version = behind.split('"').next()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    (!version.is_empty() && version.chars().all(plain)).then(|| version.to_owned())
}

/// Tells the page which other models there are beside it.
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
    }
}
