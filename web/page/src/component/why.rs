//! The card that answers why something is as it is at the cursor.

use crate::state::Action;
use crate::state::view::ViewAction;
use report::why::{Subject, Used, Why};
use std::rc::Rc;
use yew::prelude::*;

/// What is shown.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// What is asked about.
    pub subject: Option<Subject>,
    /// The answer, once it is there.
    pub why: Option<Rc<Why>>,
    /// Whether this run has no such thing.
    pub is_none: bool,
    /// The time that it is of, in words.
    pub clock: String,
    /// What was done.
    pub dispatch: Callback<Action>,
}

/// The card; before anything is asked, how to ask.
#[component]
pub fn WhyCard(props: &Props) -> Html {
    if props.subject.is_none() {
        return html! {
            <div class="block why-hint small">
                { "Press a worker, a lock, the free memory or the tasks of a node, or a part of \
                   swap: what happens there and why is told here." }
            </div>
        };
    }
    let close = {
        let dispatch = props.dispatch.clone();
        move |_| dispatch.emit(Action::View(ViewAction::Why(None)))
    };
    let title = match &props.why {
        Some(why) => &*why.title,
        None if props.is_none => "Not in this run",
        None => "Looking",
    };
    html! {
        <section class="why" aria-label="Why" aria-live="polite">
            <div class="head">
                <h2>{ title.to_owned() }</h2>
                <button class="text end" onclick={close} aria-label="Close the answer">
                    { "close" }
                </button>
            </div>
            { for props.why.as_ref().map(|why| answer(why, &props.clock)) }
            if props.is_none {
                <p>{ "This machine has no such part." }</p>
            }
        </section>
    }
}

fn answer(why: &Why, clock: &str) -> Html {
    let row = |(name, value): &(String, String)| {
        html! { <div><dt>{ name.clone() }</dt><dd>{ value.clone() }</dd></div> }
    };
    let constant = |used: &Used| {
        html! {
            <li>
                <code>{ used.name.clone() }</code>{ format!(" {}, {}", used.value, used.kind) }
                <br />{ used.source.clone() }
            </li>
        }
    };
    html! {
        <>
            <p>{ why.text.clone() }</p>
            <dl class="facts">
                <div><dt>{ "rule" }</dt><dd><code>{ why.rule.clone() }</code></dd></div>
                <div><dt>{ "source" }</dt><dd>{ why.source.clone() }</dd></div>
                <div><dt>{ "at" }</dt><dd>{ clock.to_owned() }</dd></div>
                { for why.numbers.iter().map(row) }
            </dl>
            if !why.constants.is_empty() {
                <details class="fold">
                    <summary>
                        { "Constants used" }<span>{ why.constants.len().to_string() }</span>
                    </summary>
                    <ul class="plain">{ for why.constants.iter().map(constant) }</ul>
                </details>
            }
        </>
    }
}
