//! Where somebody is in a story, and what a teacher's link takes away: the detail of the place
//! Learn, `wm-3` or `wm-3hl`.

use scenario::{Scenario, Shared, View, link, story};

use super::here::{Here, Place};

/// A step of a story, and how it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lesson {
    /// The story's name.
    pub story: String,
    /// Which step, from 1; 0 is the first one with its own scenario, whatever the link has.
    pub step: usize,
    /// Results wait for an answer.
    pub hides_results: bool,
    /// Controls are not shown.
    pub hides_controls: bool,
    /// Controls are shown, but cannot be moved.
    pub locks_controls: bool,
}

impl Lesson {
    /// What the detail of the place names, if it names a step.
    #[must_use]
    pub fn read(detail: &str) -> Option<Self> {
        let (story, rest) = detail.split_once('-')?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (step, flags) = rest.split_at(digits);
        let step = step.parse().ok().filter(|step| *step < 100)?;
        let plain = !story.is_empty() && story.bytes().all(|b| b.is_ascii_alphanumeric());
        (plain && story.len() <= story::NAME_MAX).then(|| Self {
            story: story.to_owned(),
            step,
            hides_results: flags.contains('h'),
            hides_controls: flags.contains('c'),
            locks_controls: flags.contains('l'),
        })
    }

    /// The detail that names it.
    #[must_use]
    pub fn detail(&self) -> String {
        let flags =
            [(self.hides_results, 'h'), (self.hides_controls, 'c'), (self.locks_controls, 'l')];
        let flags: String = flags.iter().filter(|(on, _)| *on).map(|(_, flag)| flag).collect();
        format!("{}-{}{flags}", self.story, self.step)
    }

    /// The link to it, with `#`.
    #[must_use]
    pub fn href(&self, scenario: &Scenario, time_ns: Option<u64>) -> String {
        let here = Here { place: Place::Learn, detail: self.detail().into() };
        let view = View { time_ns, show: here.show() };
        format!("#{}", link::encode_shared(&Shared { view, ..Shared::new(scenario.clone()) }))
    }
}

/// A text with what stands between backquotes told apart: `(is_code, piece)`.
pub fn pieces(text: &str) -> impl Iterator<Item = (bool, &str)> {
    let pieces = text.split('`').enumerate().map(|(i, piece)| (i % 2 == 1, piece));
    pieces.filter(|(_, piece)| !piece.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_goes_through_its_detail_and_a_link() {
        for detail in ["wm-0", "wm-1", "wm-12hcl", "t1-3l", "slots-9h", "slots-99hl"] {
            let lesson = Lesson::read(detail).expect(detail);
            assert_eq!(lesson.detail(), detail);
            let scenario = Scenario::preset("tiny").expect("a preset");
            let href = lesson.href(&scenario, Some(5_000_000));
            let view = link::decode(&href).expect("a link").view;
            assert_eq!(view.time_ns, Some(5_000_000));
            let here = Here::read(view.show.as_deref());
            assert_eq!((here.place, &*here.detail), (Place::Learn, detail));
        }
        for other in ["", "wm", "wm-", "wm-x", "../x-1", "toolong-1", "-1", "wm-100"] {
            assert_eq!(Lesson::read(other), None, "{other}");
        }
    }

    #[test]
    fn code_is_told_from_text() {
        let all: Vec<_> = pieces("a `b` c`d`").collect();
        assert_eq!(all, [(false, "a "), (true, "b"), (false, " c"), (true, "d")]);
    }
}
