//! Which place of the page is shown, and what of it: the view part of the link.

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
    fn a_detail_that_no_link_can_hold_is_left_out() {
        let long = Here { place: Place::Learn, detail: "far-too-long-for-a-link".into() };
        assert_eq!(long.show().as_deref(), Some("learn"));
        let odd = Here { place: Place::Explore, detail: "a b".into() };
        assert_eq!(odd.show(), None);
    }
}
