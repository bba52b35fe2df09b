//! A line for the terminal that does what the page does.

use yew::prelude::*;

/// A command line with what it is for.
pub fn command(what: &str, line: &str) -> Html {
    html! {
        <figure class="command">
            <figcaption class="small">{ what.to_owned() }</figcaption>
            <code>{ line.to_owned() }</code>
        </figure>
    }
}
