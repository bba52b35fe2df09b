//! What the workload program does with memory, in its modes `anon`, `churn` and `build`.

use mm::config::{Backing, Build, Churn, GroupConfig, Memory, Pattern, RegionConfig, Work};
use units::SimDuration;

/// Source files of a build, unless it says so.
const FILES: u64 = 64;
/// CPU time of a job of a build apart from its memory, in ns: starting a process and ending it.
const JOB_CPU: u64 = 1_000_000;

/// The arguments that the modes share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Arguments {
    pub(super) size: u64,
    pub(super) prefill: Option<bool>,
    pub(super) incompressible: u64,
    pub(super) pattern: String,
    pub(super) uses: Option<u64>,
    pub(super) writes: u32,
    pub(super) passes: u64,
    pub(super) hold_ms: u64,
    pub(super) shared: bool,
    pub(super) chunk: u64,
    pub(super) files: u64,
    pub(super) least: u64,
    pub(super) most: u64,
    pub(super) readers: u32,
    pub(super) reader_bytes: u64,
}

impl Default for Arguments {
    fn default() -> Self {
        Self {
            size: 256 << 20,
            prefill: None,
            incompressible: 50,
            pattern: "seq".into(),
            uses: None,
            writes: 500,
            passes: 1,
            hold_ms: 0,
            shared: false,
            chunk: 1 << 20,
            files: FILES,
            least: 20 << 20,
            most: 90 << 20,
            readers: 0,
            reader_bytes: 0,
        }
    }
}

/// What each thread does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The threads that use memory.
    pub work: Work,
    /// Pages of anonymous memory that all of them may have at once.
    pub anonymous: u64,
    /// The first threads, which read a file of so many pages round and round instead.
    pub readers: (u32, u64),
    /// Hundredths of a page that cannot be compressed.
    pub incompressible: u64,
}

impl Use {
    /// Whether it is one pass over memory by one thread: a fill.
    #[must_use]
    pub fn is_fill(&self, threads: u32) -> bool {
        let once = match &self.work {
            Work::Memory(memory) => {
                memory.region.pattern == Pattern::Loop && memory.uses <= memory.region.pages
            }
            _ => false,
        };
        once && threads == 1 && self.readers.0 == 0
    }
}

impl Arguments {
    /// What the mode means for so many threads at this pace.
    ///
    /// # Errors
    /// Why the model does not have it.
    pub(super) fn meaning(&self, mode: &str, threads: u32, rate: u64) -> Result<Use, String> {
        let pages = (self.size / 4096).max(1);
        let pace = SimDuration::from_nanos(1_000_000_000u64.checked_div(rate).unwrap_or(0));
        let users = u64::from(threads.saturating_sub(self.readers));
        let own = match mode {
            "anon" if self.shared => 1,
            _ => users,
        };
        let (work, each) = match mode {
            "anon" => (Work::Memory(self.memory(pages, users, pace)?), pages),
            "churn" => {
                let chunk = (self.chunk / 4096).max(1);
                (Work::Churn(Churn { chunk, window: pages, pace }), pages + chunk)
            }
            _ => {
                let (pages_min, pages_max) = (self.least / 4096, self.most / 4096);
                if pages_min > pages_max {
                    return Err("jobs whose least memory is more than their most".into());
                }
                let files = self.files.max(1);
                (Work::Build(Build { files, pages_min, pages_max, cpu: JOB_CPU }), pages_max)
            }
        };
        let readers = (self.readers.min(threads), (self.reader_bytes / 4096).max(1));
        let anonymous = each.saturating_mul(own);
        Ok(Use { work, anonymous, readers, incompressible: self.incompressible })
    }

    fn memory(&self, pages: u64, users: u64, pace: SimDuration) -> Result<Memory, String> {
        let pattern = pattern(&self.pattern)?;
        let per_pass = if self.shared { pages / users.max(1) } else { pages };
        let uses = match (self.uses, pattern) {
            (Some(uses), _) => uses,
            (None, Pattern::Loop) => per_pass.saturating_mul(self.passes),
            (None, _) => 0,
        };
        let backing = Backing::Anon;
        Ok(Memory {
            region: RegionConfig { backing, pages, pattern, shared: self.shared, memcg: 0 },
            // Unless told otherwise the program fills memory in order before it uses it by another
            // pattern: runs that are cut short have counted hardly any use that was no fault.
            prefill: self.prefill.unwrap_or(pattern != Pattern::Loop),
            writes: self.writes,
            pace,
            uses,
            hold: SimDuration::from_millis(self.hold_ms),
        })
    }
}

/// `seq`, `uniform`, `zipf:S` or `hot:F:P`.
fn pattern(text: &str) -> Result<Pattern, String> {
    let mut parts = text.split(':');
    let name = parts.next().unwrap_or("");
    let shares: Option<Vec<u32>> = parts.map(per_mille).collect();
    match (name, shares.as_deref()) {
        ("seq", Some([])) => Ok(Pattern::Loop),
        ("uniform", Some([])) => Ok(Pattern::Uniform),
        ("zipf", Some(&[skew])) => Ok(Pattern::Zipf(skew)),
        ("hot", Some(&[pages, uses])) if pages <= 1_000 && uses <= 1_000 => {
            Ok(Pattern::Hot(pages, uses))
        }
        _ => Err(format!("accesses by the pattern {}", scenario::quoted(text))),
    }
}

/// A decimal of up to three digits after its point, below ten, in thousandths.
pub(super) fn per_mille(text: &str) -> Option<u32> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if whole.len() != 1 || part.len() > 3 || !digits(whole) || !digits(part) {
        return None;
    }
    let thousandths: u32 = format!("{part:0<3}").parse().ok()?;
    Some(whole.parse::<u32>().ok()? * 1_000 + thousandths)
}

/// The groups: readers first, as the program has them.
pub(super) fn groups(
    own: &Use,
    threads: u32,
    homes: &[u32],
    mems: &[u8],
    memcg: u16,
) -> Vec<GroupConfig> {
    let dealt = |from: usize, to: usize| homes.get(from..to).unwrap_or(&[]).to_vec();
    let group = |tasks: u32, nodes: Vec<u32>, work: Work| GroupConfig {
        nodes,
        mems: mems.to_vec(),
        memcg,
        ..GroupConfig::new(tasks, work)
    };
    let readers = own.readers.0;
    let users =
        group(threads - readers, dealt(readers as usize, threads as usize), own.work.clone());
    if readers == 0 {
        return vec![users];
    }
    let region = RegionConfig {
        backing: Backing::Read,
        pages: own.readers.1,
        pattern: Pattern::Loop,
        shared: false,
        memcg: 0,
    };
    let reading = Memory {
        region,
        prefill: false,
        writes: 0,
        pace: SimDuration::ZERO,
        uses: u64::MAX,
        hold: SimDuration::ZERO,
    };
    vec![group(readers, dealt(0, readers as usize), Work::Memory(reading)), users]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_read_and_others_refused() {
        assert_eq!(pattern("zipf:0.99"), Ok(Pattern::Zipf(990)));
        assert_eq!(pattern("hot:0.1:0.9"), Ok(Pattern::Hot(100, 900)));
        assert_eq!(pattern("seq"), Ok(Pattern::Loop));
        for wrong in ["zipf", "zipf:-1", "zipf:99", "hot:0.1", "hot:2:0.5", "walk", "zipf:0.9999"] {
            assert!(pattern(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn readers_come_first_and_each_thread_has_its_home() {
        let arguments = Arguments { readers: 1, reader_bytes: 40_960, ..Arguments::default() };
        let own = arguments.meaning("anon", 3, 1_000).expect("modelled");
        assert_eq!(own.anonymous, 2 * 65_536);
        let groups = groups(&own, 3, &[0, 1, 1], &[], 1);
        assert_eq!((groups[0].tasks, groups[1].tasks), (1, 2));
        assert_eq!((&groups[0].nodes[..], &groups[1].nodes[..]), (&[0][..], &[1, 1][..]));
        let Work::Memory(memory) = &groups[1].work else { panic!("memory") };
        assert_eq!((memory.uses, memory.pace), (65_536, SimDuration::from_millis(1)));
    }
}
