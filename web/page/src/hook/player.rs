//! Playing: the cursor moves with the frames of the page.

use crate::platform::frame;
use crate::state::Action;
use crate::state::view::ViewAction;
use yew::prelude::*;

/// Sends a tick every animation frame while playing; four a second where motion is unwelcome.
#[hook]
pub fn use_player(plays: bool, dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    use_effect_with(plays, move |plays| {
        let tick = move |now_ms| dispatch.emit(Action::View(ViewAction::Tick(now_ms)));
        let ticks = plays.then(|| frame::Ticks::start(tick));
        move || drop(ticks)
    });
}
