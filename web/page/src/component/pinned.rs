//! The version of the page that a link or a mail was made with, where it is on this host.

use crate::platform::document;
use yew::prelude::*;

/// Which one made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made<'a> {
    /// The number of the model that a link carries.
    Number(u32),
    /// The model's version, as a mail names it.
    Version(&'a str),
}

impl Made<'_> {
    /// Its version among those that are here.
    fn of(self, here: &[(u32, String)]) -> Option<&str> {
        let is_it = |(number, version): &&(u32, String)| match self {
            Self::Number(wanted) => *number == wanted,
            Self::Version(wanted) => version == wanted,
        };
        here.iter().find(is_it).map(|(_, version)| version.as_str())
    }
}

/// Offers that version for a link, or says that it is not here.
pub fn pinned(made: Made, link: &str) -> Html {
    let here = document::versions();
    match made.of(&here) {
        Some(version) => html! {
            <p class="pinned">
                <a href={format!("v/{version}/#{link}")}>
                    { format!("Open it in the version it was made with (model {version})") }
                </a>
            </p>
        },
        None => {
            let name = match made {
                Made::Number(number) => number.to_string(),
                Made::Version(version) => version.to_owned(),
            };
            html! {
                <p class="pinned">
                    { format!("The version of the page with model {name} isn't on this host; here \
                               the scenario runs by the rules of this one.") }
                </p>
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_found_by_its_number_and_by_its_name() {
        let here = [(1, "0.1.0".to_owned()), (2, "0.2.0".to_owned())];
        assert_eq!(Made::Number(2).of(&here), Some("0.2.0"));
        assert_eq!(Made::Version("0.1.0").of(&here), Some("0.1.0"));
        assert_eq!(Made::Number(3).of(&here), None);
        assert_eq!(Made::Version("0.3.0").of(&[]), None);
    }
}
