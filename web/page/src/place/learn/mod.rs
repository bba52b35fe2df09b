//! Stories: lessons in steps, each of which drives the explorer.

mod checked;
mod step;

use super::Props;
use crate::hook::{Read, use_text};
use crate::state::lesson::Lesson;
use scenario::Scenario;
use scenario::story::{self, Entry};
use step::StoryStep;
use yew::prelude::*;

/// The place.
#[component]
pub fn Learn(props: &Props) -> Html {
    let lesson = Lesson::read(&props.state.here.detail);
    let index = use_text("stories/index.md".to_owned());
    match lesson {
        Some(lesson) => {
            let read = |text: &Read| text.as_ref().map(|text| story::index(text)).ok();
            let index = index.as_ref().and_then(read).unwrap_or_default();
            html! { <StoryStep {lesson} {index} place={props.clone()} /> }
        }
        None => html! {
            <main class="page learn-list">
                <section class="section" aria-label="Learn">
                    <h2>{ "Learn" }</h2>
                    <p class="lead">
                        { "Each story is a few steps, each step a live run: one thing to watch, one \
                           question to answer before the reveal, one control to try." }
                    </p>
                    { list(index, &props.state.draft.scenario) }
                </section>
            </main>
        },
    }
}

fn list(index: Option<Read>, scenario: &Scenario) -> Html {
    let text = match index {
        None => return html! { <p class="small" role="status">{ "reading the stories" }</p> },
        Some(Err(why)) => {
            return html! { <p class="notice bad" role="alert">{ why.to_string() }</p> };
        }
        Some(Ok(text)) => text,
    };
    let entries = story::index(&text);
    let mut groups: Vec<&str> = entries.iter().map(|entry| entry.group.as_str()).collect();
    groups.dedup();
    let group = |name: &str| {
        let own = entries.iter().filter(|entry| entry.group == name);
        html! {
            <section class="shelf">
                <h3>{ name.to_owned() }</h3>
                <ul class="entries">{ for own.map(|entry| row(entry, scenario)) }</ul>
            </section>
        }
    };
    groups.into_iter().map(group).collect()
}

/// A story's line. Its link names no step: the first one's scenario opens with the story.
fn row(entry: &Entry, scenario: &Scenario) -> Html {
    let begin = Lesson { story: entry.name.clone(), ..Lesson::default() };
    html! {
        <li>
            <a href={begin.href(scenario, None)}>{ entry.title.clone() }</a>
            <p>{ entry.about.clone() }</p>
        </li>
    }
}
