//! The page, put together.

use crate::component::notice::notice;
use crate::component::results::Cover;
use crate::component::same::Same;
use crate::component::top_bar::TopBar;
use crate::hook::{use_address, use_crew, use_keys, use_player, use_simulator, use_theme};
use crate::place;
use crate::platform::{address, document};
use crate::state::draft::DraftAction;
use crate::state::{Action, State, select};
use std::rc::Rc;
use yew::prelude::*;

/// The page.
#[component]
pub fn App() -> Html {
    let store = use_reducer(|| State::open(&address::fragment()));
    let dispatch = use_callback((), {
        let dispatcher = store.dispatcher();
        move |action: Action, ()| dispatcher.dispatch(action)
    });
    let state = Rc::new((*store).clone());
    let theme = use_theme();
    use_address(&state, &dispatch);
    use_keys(&dispatch);
    use_simulator(&state, &dispatch);
    use_crew(&state, &dispatch);
    use_player(state.view.play.is_some(), &dispatch);
    use_effect_with(state.draft.scenario.clone(), |scenario| {
        document::set_title(&format!("{} - reclaimscope", select::title(scenario)));
    });
    let dismiss = {
        let dispatch = dispatch.clone();
        Callback::from(move |()| dispatch.emit(Action::Draft(DraftAction::DismissOpened)))
    };
    let shown = place::Props {
        state: Same::from(&state),
        theme: theme.colours,
        dispatch: dispatch.clone(),
        locked: false,
        cover: Cover::default(),
    };
    html! {
        <>
            <TopBar
                draft={Same::from(&state.draft)}
                place={state.here.place}
                link={state.link()}
                theme={theme.clone()}
                {dispatch}
            />
            { for state.draft.opened.as_ref().map(|opened| notice(opened, Some(dismiss))) }
            { place::place(shown) }
        </>
    }
}
