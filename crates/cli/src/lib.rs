//! `reclaimscope` in the terminal.
//!
//! Arguments become a plan first ([`args`], then [`plan`]): everything that can be wrong with them
//! is said before anything runs. A plan is carried out by [`command`]. What a command found is an
//! [`Exit`]; nothing else decides the exit code.

mod args;
mod command;
mod input;
mod plan;
mod table;

use clap::Parser;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Read, Write};

/// What the program ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Done; what was compared is equal.
    Done = 0,
    /// What was compared differs, or a run could not go to its end.
    Differs = 1,
    /// The arguments or files could not be used; nothing was run.
    Refused = 2,
}

/// Where the program reads and writes.
pub struct Streams<'a> {
    /// What `-` reads.
    pub stdin: &'a mut dyn Read,
    /// Results.
    pub stdout: &'a mut dyn Write,
    /// Errors, warnings and questions.
    pub stderr: &'a mut dyn Write,
    /// Whether somebody can answer a question.
    pub interactive: bool,
    /// Whether long commands say on the standard error how far they are.
    pub progress: bool,
}

/// Why a command could not be carried out.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Sentences for the user, one a line.
    Refused(Vec<String>),
    /// Nothing can be written any more.
    Write(io::Error),
}

impl Failure {
    pub(crate) fn refused(sentence: impl Display) -> Self {
        Self::Refused(vec![sentence.to_string()])
    }

    pub(crate) fn all<T: Display>(sentences: &[T]) -> Self {
        Self::Refused(sentences.iter().map(ToString::to_string).collect())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

/// Runs the program: `args` begins with its name.
pub fn main_with(args: impl IntoIterator<Item = OsString>, streams: &mut Streams<'_>) -> Exit {
    let args = match args::Args::try_parse_from(args) {
        Ok(args) => args,
        Err(error) => return say_usage(&error, streams),
    };
    let outcome = plan::make(args, streams).and_then(|plan| command::carry_out(plan, streams));
    let outcome = outcome.and_then(|exit| {
        streams.stdout.flush()?;
        Ok(exit)
    });
    match outcome {
        Ok(exit) => exit,
        Err(Failure::Refused(sentences)) => {
            // Whatever was already found stands before the errors.
            let _ = streams.stdout.flush();
            for sentence in sentences {
                let _ = writeln!(streams.stderr, "error: {sentence}");
            }
            Exit::Refused
        }
        // Whoever reads the output has seen enough (`| head`).
        Err(Failure::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
        Err(Failure::Write(error)) => {
            let _ = writeln!(streams.stderr, "error: the output cannot be written: {error}");
            Exit::Refused
        }
    }
}

/// Help and version go where results go; a wrong usage is an error.
fn say_usage(error: &clap::Error, streams: &mut Streams<'_>) -> Exit {
    let text = error.render();
    if error.use_stderr() {
        let _ = write!(streams.stderr, "{text}");
        Exit::Refused
    } else {
        let _ = write!(streams.stdout, "{text}").and_then(|()| streams.stdout.flush());
        Exit::Done
    }
}
