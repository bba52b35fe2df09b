//! The places of the page, one folder each. A place gets the state and sends actions; which one is
//! shown is [`crate::state::here`], which the view part of the link holds.

pub mod compare;
pub mod explore;
pub mod learn;
pub mod sweep;
pub mod trust;

use crate::component::results::Cover;
use crate::component::same::Same;
use crate::state::here::Place;
use crate::state::{Action, State};
use chart::Theme;
use yew::prelude::*;

/// What every place gets.
#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    /// What the page knows.
    pub state: Same<State>,
    /// Colours for what is drawn on canvas.
    pub theme: Theme,
    /// What was done.
    pub dispatch: Callback<Action>,
    /// Whether the controls can only be looked at.
    #[prop_or_default]
    pub locked: bool,
    /// What stands before the results.
    #[prop_or_default]
    pub cover: Cover,
}

/// The place that is shown.
pub fn place(props: Props) -> Html {
    match props.state.here.place {
        Place::Explore => html! { <explore::Explore ..props /> },
        Place::Compare => html! { <compare::Compare ..props /> },
        Place::Sweep => html! { <sweep::Sweep ..props /> },
        Place::Learn => html! { <learn::Learn ..props /> },
        Place::Trust => html! { <trust::Trust ..props /> },
    }
}
