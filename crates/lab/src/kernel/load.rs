//! The load of an experiment: the arguments of its workload program.

use super::memory::{self, Use};
use super::place::Place;
use scenario::{Problem, quoted};
use units::parse_bytes;

/// Most arguments, and the longest one in bytes.
const ARGUMENTS_MAX: usize = 200;
const ARGUMENT_MAX: usize = 400;
/// Most threads, pages a second of one, seconds, milliseconds and bytes.
const THREADS_MAX: u64 = 512;
const RATE_MAX: u64 = 10_000_000;
const SECONDS_MAX: u64 = 3_600;
const MILLIS_MAX: u64 = 3_600_000;
const BYTES_MAX: u64 = 1 << 50;
/// Most CPUs of a machine, and most lists or masks of an argument.
pub(super) const CPUS_MAX: u32 = 1_024;
const LISTS_MAX: usize = 64;

/// Arguments that say how a run is recorded and not what it does.
const RECORDING: &[&str] = &["out", "src", "sbuf", "prems", "postms"];
/// Arguments of modes that read no files, or that have no part in reading.
const OTHER_MODES: &[&str] = &["dir", "jobs"];

/// What kind of workload it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Threads read a file or device.
    Read,
    /// Anonymous memory, filled, used or mapped anew.
    Anon,
    /// Jobs with files and memory.
    Build,
    /// MADV_PAGEOUT, step by step.
    Pageout,
    /// None of these.
    Other,
}

/// What the workload does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    /// Its kind.
    pub mode: Mode,
    /// Whether it joins a memory cgroup.
    pub cgroup: bool,
    /// What it reads, or why the model does not have it.
    pub read: Result<Read, String>,
    /// What it swaps out, or why the model does not have it.
    pub pageout: Result<Pageout, String>,
}

/// A task that swaps its memory out once, in steps, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pageout {
    /// Its memory.
    pub bytes: u64,
    /// Pages of a step.
    pub step: u64,
    /// The CPUs that it goes to in turn.
    pub cpus: Vec<u32>,
    /// Steps on a CPU before it goes to the next one.
    pub burst: u64,
    /// Whether it is made of huge pages.
    pub huge: bool,
}

/// Threads that each read their part of a file once, in order, or use memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// How many.
    pub threads: u32,
    /// The CPUs that they may use, lists dealt to them in turn; all CPUs when empty.
    pub cpus: Vec<Vec<u32>>,
    /// Masks of the nodes that they may take memory from, dealt in turn; all nodes when empty.
    pub bind: Vec<u64>,
    /// Pages a second of each thread; 0 as fast as it goes.
    pub rate: u64,
    /// How long they run, in seconds.
    pub seconds: u64,
    /// Bytes that each reads.
    pub bytes: u64,
    /// Pages of one read.
    pub block_pages: u64,
    /// Whether read-ahead is off and every folio a page (FADV_RANDOM).
    pub random: bool,
    /// Time between two samples, in milliseconds.
    pub sample_ms: u64,
    /// What they do with memory instead of reading.
    pub memory: Option<Use>,
}

/// Reads `gt_args`.
pub(super) fn read(arguments: &Place<'_>) -> Result<Load, Problem> {
    let mut raw = Arguments::default();
    let mut foreign = None;
    for item in arguments.items(ARGUMENTS_MAX)? {
        let text = item.text()?;
        if text.len() > ARGUMENT_MAX {
            return Err(item.problem(format!("is longer than {ARGUMENT_MAX} bytes")));
        }
        let Some((key, value)) = text.split_once('=') else {
            return Err(item.problem(format!("{} is not key=value", quoted(text))));
        };
        if !raw.take(key, value, &item)? {
            foreign.get_or_insert_with(|| key.to_owned());
        }
    }
    Ok(raw.load(foreign))
}

#[derive(Debug)]
struct Arguments {
    mode: Option<String>,
    threads: u64,
    procs: u64,
    cpus: Vec<Vec<u32>>,
    bind: Vec<u64>,
    rate: u64,
    seconds: u64,
    sample_ms: u64,
    bytes: u64,
    block: u64,
    random: bool,
    stride: Option<u64>,
    same_offset: bool,
    passes: u64,
    memory: memory::Arguments,
    cgroup: bool,
    size: u64,
    step: u64,
    turns: Option<Vec<u32>>,
    burst: u64,
    huge: bool,
}

impl Default for Arguments {
    fn default() -> Self {
        Self {
            mode: None,
            threads: 1,
            procs: 0,
            cpus: Vec::new(),
            bind: Vec::new(),
            rate: 0,
            seconds: 60,
            sample_ms: 100,
            bytes: 1 << 30,
            block: 128 << 10,
            random: false,
            stride: None,
            same_offset: false,
            passes: 1,
            memory: memory::Arguments::default(),
            cgroup: false,
            size: 256 << 20,
            step: 1,
            turns: None,
            burst: 1,
            huge: false,
        }
    }
}

impl Arguments {
    /// Takes one argument, the last of its name; false when nobody knows its name.
    fn take(&mut self, key: &str, value: &str, item: &Place<'_>) -> Result<bool, Problem> {
        let wrong = |why: String| item.problem(format!("{} {why}", quoted(value)));
        let number = |most: u64| match value.parse::<u64>() {
            Ok(n) if n <= most => Ok(n),
            Ok(_) => Err(wrong(format!("is larger than {most}"))),
            Err(_) => Err(wrong("is not a whole number from 0".into())),
        };
        let bytes = || match parse_bytes(value) {
            Ok(bytes) if bytes.0 <= BYTES_MAX => Ok(bytes.0),
            Ok(_) => Err(wrong(format!("is larger than {BYTES_MAX} bytes"))),
            Err(error) => Err(wrong(error.to_string())),
        };
        match key {
            "mode" => self.mode = Some(value.to_owned()),
            "threads" => self.threads = number(THREADS_MAX)?,
            "procs" => self.procs = number(THREADS_MAX)?,
            "cpus" => self.cpus = lists(value, cpu_list).map_err(wrong)?,
            "bind" => self.bind = lists(value, |m| m.parse().ok()).map_err(wrong)?,
            "rate" => self.rate = number(RATE_MAX)?,
            "secs" => self.seconds = number(SECONDS_MAX)?,
            "ms" => self.sample_ms = number(MILLIS_MAX)?,
            "bytes" => self.bytes = bytes()?,
            "bs" => self.block = bytes()?,
            "rand" => self.random = number(1)? == 1,
            "off" => drop(bytes()?),
            "stride" => self.stride = Some(bytes()?),
            "sameoff" => self.same_offset = number(1)? == 1,
            "passes" => self.passes = number(u64::MAX)?,
            "cg" => self.cgroup = true,
            "pre" => self.memory.prefill = Some(number(1)? == 1),
            "comp" => self.memory.incompressible = number(100)?,
            "pat" => value.clone_into(&mut self.memory.pattern),
            "ops" => self.memory.uses = Some(number(u64::MAX - 1)?),
            "w" => {
                let share = memory::per_mille(value).filter(|&share| share <= 1_000);
                self.memory.writes = share.ok_or_else(|| wrong("is not a share".into()))?;
            }
            "hold" => self.memory.hold_ms = number(MILLIS_MAX)?,
            "shared" => self.memory.shared = number(1)? == 1,
            "chunk" => self.memory.chunk = bytes()?,
            "nfiles" => self.memory.files = number(1 << 20)?,
            "amin" => self.memory.least = bytes()?,
            "amax" => self.memory.most = bytes()?,
            "mixreaders" => self.memory.readers = number(THREADS_MAX)? as u32,
            "file" => {}
            "size" => self.size = bytes()?,
            "step" => self.step = number(1 << 30)?,
            "turncpus" => {
                let list = cpu_list(value);
                self.turns = Some(list.ok_or_else(|| wrong("is not a list of CPUs".into()))?);
            }
            "burst" => self.burst = number(1 << 30)?,
            "thp" => self.huge = number(1)? == 1,
            _ => return Ok(RECORDING.contains(&key) || OTHER_MODES.contains(&key)),
        }
        Ok(true)
    }

    /// What they mean together.
    fn load(self, foreign: Option<String>) -> Load {
        let mode = match self.mode.as_deref() {
            Some("read") => Mode::Read,
            Some("anon" | "churn") => Mode::Anon,
            Some("build") => Mode::Build,
            Some("pageout") => Mode::Pageout,
            _ => Mode::Other,
        };
        let cgroup = self.cgroup;
        let known = match foreign {
            Some(key) => Err(format!("the argument {} of the workload", quoted(&key))),
            None => Ok(()),
        };
        let pageout = known.clone().and_then(|()| self.pageout());
        let read = known.and_then(|()| self.read());
        Load { mode, cgroup, read, pageout }
    }

    /// What is swapped out, or why the model does not have it.
    fn pageout(&self) -> Result<Pageout, String> {
        let not = |why: &str| Err(why.to_owned());
        if self.mode.as_deref() != Some("pageout") {
            return not("a load that is not one of steps of MADV_PAGEOUT");
        }
        if self.cgroup {
            return not("a workload in a memory cgroup");
        }
        if self.threads != 1 || self.procs > 1 {
            return not("several tasks that swap out at once");
        }
        if self.size < 4096 || self.step == 0 || self.burst == 0 {
            return not("a workload that does nothing");
        }
        let cpus = self.turns.clone().unwrap_or_else(|| vec![0]);
        if cpus.is_empty() {
            return not("turns of no CPU");
        }
        let (step, burst) = (self.step, self.burst);
        Ok(Pageout { bytes: self.size, step, cpus, burst, huge: self.huge })
    }

    /// What is done with memory, or why the model does not have it.
    fn uses(self, mode: &str, threads: u64) -> Result<Read, String> {
        if threads == 0 || self.seconds == 0 || self.sample_ms == 0 {
            return Err("a workload that does nothing".into());
        }
        let arguments = memory::Arguments {
            size: if self.size == 0 { self.memory.size } else { self.size },
            passes: self.passes,
            reader_bytes: self.bytes,
            ..self.memory
        };
        let own = arguments.meaning(mode, threads as u32, self.rate)?;
        Ok(Read {
            threads: threads as u32,
            cpus: self.cpus,
            bind: self.bind,
            rate: self.rate,
            seconds: self.seconds,
            bytes: self.bytes,
            block_pages: self.block.clamp(4096, 2 << 20) / 4096,
            random: true,
            sample_ms: self.sample_ms,
            memory: Some(own),
        })
    }

    /// What is read, or why the model does not have it.
    fn read(self) -> Result<Read, String> {
        let threads = if self.procs > 0 { self.procs } else { self.threads };
        let not = |why: &str| Err(why.to_owned());
        match self.mode.as_deref() {
            Some("read") => {}
            Some(mode @ ("anon" | "churn" | "build")) => {
                let mode = mode.to_owned();
                return self.uses(&mode, threads);
            }
            Some("pageout") => return not("MADV_PAGEOUT to swap devices"),
            Some(mode) => return Err(format!("the mode {}", quoted(mode))),
            None => return not("a workload without a mode"),
        }
        if self.cgroup {
            return not("a workload in a memory cgroup");
        }
        if self.passes != 1 {
            return not("a file that is read more than once");
        }
        let overlap = self.same_offset || self.stride.is_some_and(|s| s < self.bytes);
        if threads > 1 && overlap {
            return not("threads that read the same part of a file");
        }
        if threads == 0 || self.seconds == 0 || self.bytes == 0 || self.sample_ms == 0 {
            return not("a workload that does nothing");
        }
        if self.block == 0 || !self.block.is_multiple_of(4096) || self.block > 2 << 20 {
            return not("reads that are no whole pages, or longer than 2 MiB");
        }
        Ok(Read {
            memory: None,
            threads: threads as u32,
            cpus: self.cpus,
            bind: self.bind,
            rate: self.rate,
            seconds: self.seconds,
            bytes: self.bytes,
            block_pages: self.block / 4096,
            random: self.random,
            sample_ms: self.sample_ms,
        })
    }
}

/// Values between `/`.
fn lists<T>(text: &str, one: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, String> {
    if text.split('/').count() > LISTS_MAX {
        return Err(format!("has more than {LISTS_MAX} parts between slashes"));
    }
    let parts: Option<Vec<T>> = text.split('/').map(one).collect();
    parts.ok_or_else(|| "is not a list of numbers".into())
}

/// CPU numbers as the kernel lists them: `0-3,8`.
pub(super) fn cpu_list(text: &str) -> Option<Vec<u32>> {
    let mut cpus = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        if first > last || last >= CPUS_MAX || cpus.len() > CPUS_MAX as usize {
            return None;
        }
        cpus.extend(first..=last);
    }
    Some(cpus)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(arguments: &str) -> Result<Load, String> {
        let list: Vec<&str> = arguments.split(' ').collect();
        let value = serde_json::json!(list);
        read(&Place::root("gt_args", &value)).map_err(|p| p.to_string())
    }

    #[test]
    fn a_reading_load_is_read_with_its_defaults_and_the_last_value_counts() {
        let said = load("out=/x mode=read threads=2 threads=3 cpus=0-1/2,3 bind=1/2 rand=1");
        let read = Read {
            threads: 3,
            cpus: vec![vec![0, 1], vec![2, 3]],
            bind: vec![1, 2],
            rate: 0,
            seconds: 60,
            bytes: 1 << 30,
            block_pages: 32,
            random: true,
            sample_ms: 100,
            memory: None,
        };
        let said = said.expect("readable");
        assert_eq!((said.mode, said.cgroup, said.read), (Mode::Read, false, Ok(read)));
        assert!(said.pageout.is_err());
    }

    #[test]
    fn steps_are_read_with_their_turns() {
        let said = load("mode=pageout size=150M step=32 turncpus=3,0-1 burst=2 thp=1 ms=9");
        let steps =
            Pageout { bytes: 150 << 20, step: 32, cpus: vec![3, 0, 1], burst: 2, huge: true };
        assert_eq!(said.map(|load| load.pageout), Ok(Ok(steps)));
        for arguments in [
            "mode=pageout step=0",
            "mode=pageout burst=0",
            "mode=pageout turncpus=",
            "mode=pageout threads=2",
            "mode=pageout cg=/x",
            "mode=pageout size=100",
            "mode=pageout colour=red",
        ] {
            let said = load(arguments);
            assert!(said.as_ref().is_ok_and(|load| load.pageout.is_err()), "{said:?}");
        }
    }

    #[test]
    fn what_the_model_lacks_has_a_reason() {
        for arguments in [
            "mode=anon size=1G pat=walk",
            "mode=build amin=2M amax=1M",
            "mode=read passes=2",
            "mode=read cg=/x",
            "mode=fly",
            "threads=1",
            "mode=read colour=red",
            "mode=read threads=2 sameoff=1",
            "mode=read bs=100",
            "mode=read secs=0",
        ] {
            let said = load(arguments);
            let is_reason = said.as_ref().is_ok_and(|load| load.read.is_err());
            assert!(is_reason, "{arguments}: {said:?}");
        }
    }

    #[test]
    fn broken_values_are_errors_with_their_place() {
        for arguments in [
            "mode=read threads=-1",
            "mode=read threads=513",
            "mode=read cpus=0-99999999",
            "mode=read cpus=3-1",
            "mode=read bytes=1X",
            "mode=read bytes=99999999T",
            "mode=read bind=one",
            "mode=read rate=1e9",
            "mode=read secs",
            "mode=pageout turncpus=1-x",
            "mode=pageout step=-1",
            "mode=pageout thp=2",
        ] {
            let said = load(arguments).expect_err(arguments);
            assert!(said.starts_with("gt_args[1]: "), "{said}");
        }
    }
}
