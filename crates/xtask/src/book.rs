//! `cargo xtask book`: the pages of docs/ as a book of HTML. Without mdbook they are read as they
//! are, so nothing else depends on it.

use crate::Outcome;
use crate::job;
use crate::place::Place;
use crate::progress::say;

pub(crate) fn run(place: &Place, arguments: &[String]) -> Outcome {
    if !arguments.is_empty() {
        return Err(format!("book takes no arguments, not '{}'.", arguments.join(" ")));
    }
    if job::answer(place.host("mdbook").arg("--version")).is_none() {
        return Err(
            "There is no mdbook on the path: cargo install mdbook brings it. The pages can be \
                    read as they are, from docs/README.md on."
                .to_owned(),
        );
    }
    job::open("mdbook build", place.host("mdbook").args(["build", "docs"]))?;
    say("the book is target/book/index.html");
    Ok(())
}
