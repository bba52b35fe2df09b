//! Events of a real kernel's tracing.

use super::{ReadError, SIZE_MAX, Said};
use crate::problem::{Problem, quoted};

/// Most events that are kept.
const EVENTS_MAX: usize = 400_000;
/// Most different names.
const NAMES_MAX: usize = 256;
/// The longest name.
const NAME_MAX: usize = 64;

/// One event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Microseconds of the kernel's clock.
    pub t_us: u64,
    /// Its name: a row of [`Events::names`].
    pub name: u16,
    /// The node that it names.
    pub nid: Option<u32>,
    /// Pages that it says were reclaimed.
    pub reclaimed: Option<u64>,
}

/// Events in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// Their names, `mm_vmscan_kswapd_wake` for instance.
    pub names: Vec<String>,
    /// The events.
    pub events: Vec<Event>,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

impl Events {
    /// Reads a text.
    ///
    /// # Errors
    /// When it is too long, or no event is in it.
    pub fn parse(text: &str) -> Result<Self, ReadError> {
        if text.len() > SIZE_MAX {
            return Err(ReadError::TooLong(text.len()));
        }
        let text = text.trim_start_matches('\u{feff}');
        let (mut read, mut said) = (Self::default(), Said::default());
        let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
        let mut begun = false;
        for (number, line) in lines.filter(|(_, l)| !l.is_empty() && !l.starts_with('#')) {
            if line.contains("[LOST ") || line.contains("EVENTS DROPPED") {
                said.push(number, "events were lost here: counts are too low");
                continue;
            }
            match event(line) {
                Some((name, event)) => {
                    begun = true;
                    if read.events.len() == EVENTS_MAX {
                        let sentence =
                            format!("more than {EVENTS_MAX} events; the rest is left out");
                        said.push(number, sentence);
                        break;
                    }
                    match read.number(name) {
                        Some(name) => read.events.push(Event { name, ..event }),
                        None => said.push(
                            number,
                            format!(
                                "{} is left out: there are more than \
                             {NAMES_MAX} names",
                                quoted(name)
                            ),
                        ),
                    }
                }
                // Before the first event stand the lines of the tool.
                None if begun => {
                    said.push(number, format!("{} is no event; left out", quoted(line)))
                }
                None => {}
            }
        }
        read.problems = said.finish();
        if read.events.is_empty() {
            return Err(ReadError::NoEvent(quoted(text.lines().next().unwrap_or_default())));
        }
        Ok(read)
    }

    fn number(&mut self, name: &str) -> Option<u16> {
        if let Some(at) = self.names.iter().position(|n| n == name) {
            return u16::try_from(at).ok();
        }
        if self.names.len() == NAMES_MAX {
            return None;
        }
        self.names.push(name.to_owned());
        u16::try_from(self.names.len() - 1).ok()
    }

    /// Microseconds of the events of one name, in the order of the text.
    pub fn times(&self, name: &str) -> impl Iterator<Item = u64> + '_ {
        let number = self.names.iter().position(|n| n == name);
        let of = move |event: &&Event| number == Some(usize::from(event.name));
        self.events.iter().filter(of).map(|event| event.t_us)
    }

    /// First and last microsecond.
    #[must_use]
    pub fn span_us(&self) -> (u64, u64) {
        let times = || self.events.iter().map(|event| event.t_us);
        (times().min().unwrap_or(0), times().max().unwrap_or(0))
    }
}

/// The event of a line: `task-pid [cpu] flags seconds: name: key=value ...`.
fn event(line: &str) -> Option<(&str, Event)> {
    // A task's name may hold anything, brackets too: the last CPU before a time counts.
    let mut from = 0;
    while let Some(at) = line[from..].find('[').map(|at| from + at) {
        from = at + 1;
        let end = line[at..].find(']').map(|end| at + end)?;
        let is_cpu = line[at + 1..end].bytes().all(|b| b.is_ascii_digit()) && end > at + 1;
        if !is_cpu {
            continue;
        }
        let mut rest = line[end + 1..].trim_start();
        // The flags of ftrace stand between CPU and time; other tools leave them out.
        for _ in 0..2 {
            if let Some((time, behind)) = rest.split_once(':')
                && let Some(t_us) = seconds(time)
            {
                return named(behind, t_us);
            }
            rest = rest.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim_start());
        }
    }
    None
}

/// Seconds with at most nine digits behind the point, as microseconds.
fn seconds(text: &str) -> Option<u64> {
    let (whole, part) = text.trim().split_once('.')?;
    let digits = |t: &str, most: usize| {
        (1..=most).contains(&t.len()) && t.bytes().all(|b| b.is_ascii_digit())
    };
    if !digits(whole, 10) || !digits(part, 9) {
        return None;
    }
    let micros: u64 = format!("{part:0<6}")[..6].parse().ok()?;
    Some(whole.parse::<u64>().ok()? * 1_000_000 + micros)
}

fn named(rest: &str, t_us: u64) -> Option<(&str, Event)> {
    let rest = rest.trim_start();
    let word = rest.split(char::is_whitespace).next()?;
    // `vmscan:mm_vmscan_kswapd_wake:` of perf, `mm_vmscan_kswapd_wake:` of others.
    let name = word.strip_suffix(':').unwrap_or(word);
    let name = name.rsplit(':').next()?;
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    if !(1..=NAME_MAX).contains(&name.len()) || !name.bytes().all(plain) {
        return None;
    }
    let mut event = Event { t_us, name: 0, nid: None, reclaimed: None };
    for field in rest[word.len()..].split_whitespace().take(40) {
        match field.split_once('=') {
            Some(("nid", value)) => event.nid = value.parse().ok(),
            Some(("nr_reclaimed", value)) => event.reclaimed = value.parse().ok(),
            _ => {}
        }
    }
    Some((name, event))
}
