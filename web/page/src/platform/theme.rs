//! Colours as the style sheet gives them, and the choice of a theme.

use chart::theme::Rgb;
use chart::{Ink, Theme};
use gloo::events::EventListener;
use web_sys::{HtmlElement, Storage};
use yew::Callback;

const KEY: &str = "theme";

/// Which theme a person chose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// That of the system.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Choice {
    /// Its name: `system`, `light`, `dark`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The next one in turn.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }

    /// What was chosen at the last visit, where that may be kept.
    #[must_use]
    pub fn stored() -> Self {
        let name = storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
        match name.as_deref() {
            Some("light") => Self::Light,
            Some("dark") => Self::Dark,
            _ => Self::System,
        }
    }

    /// Shows it, and keeps it for the next visit.
    pub fn apply(self) {
        let root = gloo::utils::document_element();
        let _ = match self {
            Self::System => root.remove_attribute("data-theme"),
            _ => root.set_attribute("data-theme", self.name()),
        };
        // Where nothing may be kept, the choice lasts until the page is closed.
        let _ = storage().map(|storage| match self {
            Self::System => storage.remove_item(KEY),
            _ => storage.set_item(KEY, self.name()),
        });
    }
}

/// Where a choice is kept; a browser may refuse.
fn storage() -> Option<Storage> {
    gloo::utils::window().local_storage().ok().flatten()
}

/// The colours that are shown now, system colours included.
#[must_use]
pub fn read() -> Theme {
    let mut theme = Theme::LIGHT;
    let document = gloo::utils::document();
    let window = gloo::utils::window();
    let Ok(probe) = document.create_element("span") else { return theme };
    let _ = gloo::utils::body().append_child(&probe);
    if let Some(probe) = wasm_bindgen::JsCast::dyn_ref::<HtmlElement>(&probe) {
        for ink in Ink::ALL {
            let _ = probe.style().set_property("color", ink.css());
            let style = window.get_computed_style(probe).ok().flatten();
            let colour = style.and_then(|style| style.get_property_value("color").ok());
            if let Some(rgb) = colour.as_deref().and_then(parse) {
                theme.colours[ink as usize] = rgb;
            }
        }
    }
    probe.remove();
    theme
}

/// `rgb(22, 25, 29)`, as browsers write computed colours.
fn parse(colour: &str) -> Option<Rgb> {
    let inner = colour.split_once('(')?.1.trim_end_matches(')');
    let mut numbers = inner.split([',', ' ', '/']).filter(|s| !s.is_empty());
    let mut next = || numbers.next()?.split('.').next()?.parse::<u8>().ok();
    Some([next()?, next()?, next()?])
}

/// Calls back when the system changes its theme or its contrast.
#[must_use]
pub fn on_change(changed: Callback<()>) -> Vec<EventListener> {
    let queries = ["(prefers-color-scheme: dark)", "(forced-colors: active)"];
    let lists = queries.map(|query| gloo::utils::window().match_media(query).ok().flatten());
    let listen = |list: web_sys::MediaQueryList| {
        let changed = changed.clone();
        EventListener::new(&list, "change", move |_| changed.emit(()))
    };
    lists.into_iter().flatten().map(listen).collect()
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn computed_colours_are_read() {
        assert_eq!(parse("rgb(22, 25, 29)"), Some([22, 25, 29]));
        assert_eq!(parse("rgba(22, 25, 29, 0.5)"), Some([22, 25, 29]));
        assert_eq!(parse("rgb(22 25 29 / 1)"), Some([22, 25, 29]));
        assert_eq!(parse("transparent"), None);
    }
}
