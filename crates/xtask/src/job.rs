//! Running other programs: quietly into a log with a sign of life, or in the open.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use crate::Outcome;
use crate::place::{Place, create_dir};
use crate::progress::{Watch, in_words, say, warn};

/// How often a silent job says that it still works.
const SIGN_OF_LIFE: Duration = Duration::from_secs(30);
/// How many of a failed job's last lines are shown.
const TAIL_LINES: usize = 25;

/// A job whose output goes to a log and is shown only when it fails.
pub(crate) struct Quiet<'a> {
    /// Names the job and its log file.
    pub(crate) name: &'a str,
    /// What a person should expect, like `about 2 minutes`; empty when it is quick.
    pub(crate) usually: &'a str,
    /// Ended after this long, when given.
    pub(crate) limit: Option<Duration>,
}

impl Quiet<'_> {
    /// Runs it; the error says how it failed and where the log is.
    pub(crate) fn run(&self, place: &Place, mut command: Command) -> Outcome {
        create_dir(&place.logs())?;
        let log = place.logs().join(format!("{}.log", self.name));
        let out =
            File::create(&log).map_err(|e| format!("{} cannot be written: {e}.", log.display()))?;
        let err = out.try_clone().map_err(|e| format!("{}: {e}.", log.display()))?;
        command.stdin(Stdio::null()).stdout(out).stderr(err);
        let watch = Watch::start();
        let mut child = spawn(&mut command)?;
        let status = self.wait(&mut child, &watch)?;
        let took = in_words(watch.elapsed());
        match status {
            Some(status) if status.success() => {
                say(&format!("  {}: done in {took}", self.name));
                Ok(())
            }
            ended => {
                let how = match ended {
                    Some(status) => describe(status),
                    None => "was ended after its time limit".to_owned(),
                };
                warn(&format!("{} {how} after {took}; the end of its log:", self.name));
                eprintln!("{}", tail(&log));
                Err(format!("{} {how}; all of its output is in {}.", self.name, log.display()))
            }
        }
    }

    /// The exit status, or `None` when the limit was reached.
    fn wait(&self, child: &mut Child, watch: &Watch) -> Outcome<Option<ExitStatus>> {
        let mut next_sign = SIGN_OF_LIFE;
        loop {
            if let Some(status) = child.try_wait().map_err(|e| format!("{}: {e}.", self.name))? {
                return Ok(Some(status));
            }
            let elapsed = watch.elapsed();
            if self.limit.is_some_and(|limit| elapsed > limit) {
                // The child may have just ended by itself; both are the same to the caller.
                let _ = child.kill();
                let _ = child.wait();
                return Ok(None);
            }
            if elapsed > next_sign {
                next_sign += SIGN_OF_LIFE;
                let usually = match self.usually {
                    "" => String::new(),
                    text => format!(" (usually {text})"),
                };
                say(&format!("  {}: {} so far{usually}", self.name, in_words(elapsed)));
            }
            std::thread::sleep(Duration::from_millis(40));
        }
    }
}

/// Runs a command in the open; the error says how it failed.
pub(crate) fn open(name: &str, command: &mut Command) -> Outcome {
    let status =
        spawn(command.stdin(Stdio::null()))?.wait().map_err(|e| format!("{name}: {e}."))?;
    if status.success() { Ok(()) } else { Err(format!("{name} {}.", describe(status))) }
}

/// Runs a command in the open and hands each line of its standard output to `read` as well.
/// Returns whether it exited with success.
pub(crate) fn read_lines(command: &mut Command, mut read: impl FnMut(&str)) -> Outcome<bool> {
    let mut child = spawn(command.stdin(Stdio::null()).stdout(Stdio::piped()))?;
    let pipe = child.stdout.take().expect("standard output was asked for");
    let mut out = std::io::stdout();
    let mut pipe = BufReader::new(pipe);
    let mut line = Vec::new();
    loop {
        line.clear();
        let got = pipe.read_until(b'\n', &mut line).map_err(|e| format!("Reading failed: {e}."))?;
        if got == 0 {
            break;
        }
        // A closed standard output must not stop the tests: their exit code still counts.
        let _ = out.write_all(&line);
        read(String::from_utf8_lossy(&line).trim_end());
    }
    let _ = out.flush();
    let status = child.wait().map_err(|e| format!("Waiting failed: {e}."))?;
    Ok(status.success())
}

/// What a command prints, when it succeeds.
pub(crate) fn answer(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}

/// Whether a command succeeds; its output is dropped.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    answer(command).is_some()
}

fn spawn(command: &mut Command) -> Outcome<Child> {
    command
        .spawn()
        .map_err(|e| format!("{} cannot be started: {e}.", command.get_program().to_string_lossy()))
}

fn describe(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("failed with exit code {code}"),
        None => "was ended by a signal".to_owned(),
    }
}

fn tail(log: &Path) -> String {
    let mut text = Vec::new();
    if let Ok(mut file) = File::open(log) {
        // What cannot be read is not shown; the caller names the file.
        let _ = file.read_to_end(&mut text);
    }
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(TAIL_LINES)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    fn scratch(name: &str) -> Place {
        let dir = std::env::temp_dir().join(format!("xtask-job-{name}-{}", std::process::id()));
        Place { root: dir.clone(), cache: dir.clone(), target: dir }
    }

    #[test]
    fn a_failed_job_names_its_log_and_keeps_the_output() {
        let place = scratch("fails");
        let job = Quiet { name: "fails", usually: "", limit: None };
        let error = job.run(&place, shell("echo the reason; exit 3")).unwrap_err();
        assert!(error.contains("exit code 3") && error.contains("fails.log"), "{error}");
        assert_eq!(tail(&place.logs().join("fails.log")), "the reason");
        std::fs::remove_dir_all(&place.cache).unwrap();
    }

    #[test]
    fn a_job_is_ended_at_its_limit() {
        let place = scratch("hangs");
        let job = Quiet { name: "hangs", usually: "", limit: Some(Duration::from_millis(50)) };
        let error = job.run(&place, shell("exec sleep 20")).unwrap_err();
        assert!(error.contains("time limit"), "{error}");
        std::fs::remove_dir_all(&place.cache).unwrap();
    }

    #[test]
    fn lines_are_handed_on_and_the_exit_code_counts() {
        let mut lines = Vec::new();
        let good = read_lines(&mut shell("echo a; echo b; exit 1"), |l| lines.push(l.to_owned()));
        assert_eq!(good, Ok(false));
        assert_eq!(lines, ["a", "b"]);
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = open("x", &mut Command::new("no-such-program")).unwrap_err();
        assert!(error.contains("no-such-program"), "{error}");
    }
}
