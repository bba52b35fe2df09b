//! The threads' questions, answered as pages of Markdown.

use crate::args::ThreadName;
use crate::{Exit, Failure, Streams};
use std::path::Path;

impl ThreadName {
    /// The name of its file.
    const fn file(self) -> &'static str {
        match self {
            Self::Kswapd => "kswapd.md",
            Self::SwapQueue => "swap-queue.md",
        }
    }

    fn document(self) -> Result<String, Failure> {
        let document = match self {
            Self::Kswapd => lab::thread::document(),
            Self::SwapQueue => lab::thread::queue::document(),
        };
        document.map_err(|problems| Failure::all(&problems))
    }
}

/// Prints a thread's page, or writes one or both into a folder.
pub(super) fn thread(
    name: Option<ThreadName>,
    folder: Option<&Path>,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    let Some(folder) = folder else {
        let text = name.unwrap_or(ThreadName::Kswapd).document()?;
        write!(streams.stdout, "{text}")?;
        return Ok(Exit::Done);
    };
    if !folder.is_dir() {
        let shown = folder.display();
        return Err(Failure::refused(format!("--write: there is no folder {shown}")));
    }
    let names = name.map_or(vec![ThreadName::Kswapd, ThreadName::SwapQueue], |name| vec![name]);
    for name in names {
        let path = folder.join(name.file());
        std::fs::write(&path, name.document()?).map_err(|error| {
            Failure::refused(format!("{} cannot be written: {error}", path.display()))
        })?;
        writeln!(streams.stdout, "{}", path.display())?;
    }
    Ok(Exit::Done)
}
