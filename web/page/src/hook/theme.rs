//! Which theme is shown, and its colours for what is drawn on canvas.

use crate::platform::theme::{self, Choice};
use chart::Theme;
use yew::prelude::*;

/// The theme and how to change it.
#[derive(Clone, PartialEq)]
pub struct ThemeHandle {
    /// What was chosen.
    pub choice: Choice,
    /// The colours that are shown.
    pub colours: Theme,
    /// Chooses the next one in turn.
    pub next: Callback<()>,
}

/// The theme; follows the system as long as nothing else was chosen.
#[hook]
pub fn use_theme() -> ThemeHandle {
    let choice = use_state(Choice::stored);
    let colours = use_state_eq(|| Theme::LIGHT);
    use_effect_with(*choice, {
        let colours = colours.clone();
        move |choice| {
            choice.apply();
            colours.set(theme::read());
        }
    });
    use_effect_with((), {
        let colours = colours.setter();
        move |()| {
            let changed = Callback::from(move |()| colours.set(theme::read()));
            let listeners = theme::on_change(changed);
            move || drop(listeners)
        }
    });
    let next = {
        let choice = choice.clone();
        Callback::from(move |()| choice.set(choice.next()))
    };
    ThemeHandle { choice: *choice, colours: *colours, next }
}
