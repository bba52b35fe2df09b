//! Which place of the page is shown, and what of it: the view part of the link.

use chart::Kind;
use std::rc::Rc;

/// A place of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// One run: controls, machine, timelines, results.
    #[default]
    Explore,
    /// Several arms side by side.
    Compare,
    /// One or two controls over a range.
    Sweep,
    /// Stories that begin in a live scenario.
    Learn,
    /// What the numbers rest on.
    Trust,
}

impl Place {
    /// All of them, in the order that they are offered in.
    pub const ALL: [Self; 5] =
        [Self::Explore, Self::Compare, Self::Sweep, Self::Learn, Self::Trust];

    /// Its name for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Explore => "Explore",
            Self::Compare => "Compare",
            Self::Sweep => "Sweep",
            Self::Learn => "Learn",
            Self::Trust => "Trust",
        }
    }

    /// Its name in a link; short, as a link has [`scenario::NAME_MAX`] characters for place and
    /// detail.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Explore => "x",
            Self::Compare => "compare",
            Self::Sweep => "sweep",
            Self::Learn => "learn",
            Self::Trust => "trust",
        }
    }
}

/// Where the page is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Here {
    /// The place.
    pub place: Place,
    /// What of it is shown, in the place's own words: letters, digits, `_` and `-`; may be empty.
    pub detail: Rc<str>,
}

impl Here {
    /// A place, as it is first shown.
    #[must_use]
    pub fn at(place: Place) -> Self {
        Self { place, detail: "".into() }
    }

    /// The place that a link shows; what it calls by a name that is unknown is the first.
    #[must_use]
    pub fn read(show: Option<&str>) -> Self {
        let show = show.unwrap_or_default();
        let (name, detail) = show.split_once('-').unwrap_or((show, ""));
        let place = Place::ALL.into_iter().find(|place| place.name() == name);
        place.map_or_else(Self::default, |place| Self { place, detail: detail.into() })
    }

    /// What a link calls it; nothing for the first place as it is first shown, or when the detail
    /// is none that a link can hold.
    #[must_use]
    pub fn show(&self) -> Option<String> {
        let name = self.place.name();
        let whole = format!("{name}-{}", self.detail);
        match &*self.detail {
            "" => (self.place != Place::Explore).then(|| name.to_owned()),
            _ if scenario::check_name(&whole).is_ok() => Some(whole),
            _ => (self.place != Place::Explore).then(|| name.to_owned()),
        }
    }
}

/// A letter for every timeline that a link can name.
const LETTERS: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

fn letter(kind: Kind) -> Option<char> {
    let made = Kind::ALL.iter().position(|&other| other == kind);
    let number = match kind {
        Kind::Column(number) => Kind::ALL.len() + usize::from(number),
        _ => made?,
    };
    LETTERS.get(number).copied().map(char::from)
}

fn kind(letter: u8) -> Option<Kind> {
    let number = LETTERS.iter().position(|&other| other == letter)?;
    let column = u8::try_from(number.saturating_sub(Kind::ALL.len())).ok()?;
    Some(Kind::ALL.get(number).copied().unwrap_or(Kind::Column(column)))
}

/// The explorer's detail: its timelines, unless they are those that it begins with.
impl Here {
    /// The timelines that are shown.
    #[must_use]
    pub fn strips(&self) -> Vec<Kind> {
        let strips: Vec<_> = match self.place {
            Place::Explore => self.detail.bytes().filter_map(kind).collect(),
            _ => Vec::new(),
        };
        if strips.is_empty() { Kind::ALL.to_vec() } else { strips }
    }

    /// Notes which timelines are shown.
    pub fn note_strips(&mut self, strips: &[Kind]) {
        if self.place == Place::Explore {
            let letters = strips.iter().copied().filter_map(letter).collect::<String>();
            self.detail = if strips == Kind::ALL { "".into() } else { letters.into() };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_goes_through_a_link_and_back() {
        for place in Place::ALL {
            let here = Here::at(place);
            assert_eq!(Here::read(here.show().as_deref()), here);
            let here = Here { place, detail: "a_3-b".into() };
            assert_eq!(Here::read(here.show().as_deref()), here);
        }
        assert_eq!(Here::default().show(), None);
        assert_eq!(Here::read(Some("elsewhere")), Here::default());
    }

    #[test]
    fn timelines_go_through_a_link_and_back() {
        let mut here = Here::default();
        assert_eq!(here.strips(), Kind::ALL);
        for strips in [&[Kind::Wait, Kind::Column(0), Kind::Column(55)][..], &Kind::ALL] {
            here.note_strips(strips);
            assert_eq!(Here::read(here.show().as_deref()).strips(), strips);
        }
        assert_eq!(here.show(), None);
    }

    #[test]
    fn a_detail_that_no_link_can_hold_is_left_out() {
        let long = Here { place: Place::Learn, detail: "far-too-long-for-a-link".into() };
        assert_eq!(long.show().as_deref(), Some("learn"));
        let odd = Here { place: Place::Explore, detail: "a b".into() };
        assert_eq!(odd.show(), None);
    }
}
