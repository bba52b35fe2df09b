//! The program: streams and exit code around [`cli::main_with`].

use std::io::{IsTerminal, stderr, stdin, stdout};
use std::process::ExitCode;

fn main() -> ExitCode {
    let interactive = stdin().is_terminal() && stderr().is_terminal();
    let mut streams = cli::Streams {
        stdin: &mut stdin().lock(),
        stdout: &mut std::io::BufWriter::new(stdout().lock()),
        stderr: &mut stderr().lock(),
        interactive,
        progress: true,
    };
    let exit = cli::main_with(std::env::args_os(), &mut streams);
    ExitCode::from(exit as u8)
}
