//! One step of a story beside the explorer that it drives.

use super::super::Props as PlaceProps;
use super::super::explore::Explore;
use super::checked::{self, Seen};
use crate::component::control::ControlRow;
use crate::component::results::Cover;
use crate::component::same::Same;
use crate::hook::use_text;
use crate::state::Action;
use crate::state::draft::DraftAction;
use crate::state::lesson::{Lesson, pieces};
use scenario::story::{self, Entry, Step, Story};
use yew::prelude::*;

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct Props {
    /// Which step.
    pub lesson: Lesson,
    /// All stories, once they are known.
    pub index: Vec<Entry>,
    /// What every place gets.
    pub place: PlaceProps,
}

/// What came of a step's question.
#[derive(Clone, Copy, PartialEq)]
enum Given {
    /// The answer with this number.
    Answer(usize),
    /// Nothing, but everything is to be seen.
    Shown,
}

/// Questions and what came of them, by story and step.
type AllGiven = Vec<(String, Given)>;

/// The same with another step's.
fn with(all: &AllGiven, key: &str, given: Option<Given>) -> AllGiven {
    let mut other: AllGiven = all.iter().filter(|(of, _)| of != key).cloned().collect();
    other.extend(given.map(|given| (key.to_owned(), given)));
    other
}

/// The step and the explorer.
#[component]
pub(super) fn StoryStep(props: &Props) -> Html {
    let Props { lesson, place, .. } = props;
    let text = use_text(format!("stories/{}.md", lesson.story));
    let all_given = use_state_eq(AllGiven::new);
    let seen = use_mut_ref(Seen::default);
    let story = use_memo(text, |text| {
        text.as_ref().map(|text| {
            let text = text.as_ref().map_err(|why| why.to_string())?;
            story::read(text).map_err(|why| format!("The story cannot be read: {why}."))
        })
    });
    let key = format!("{}-{}", lesson.story, lesson.step);
    let step = match &*story {
        Some(Ok(story)) => lesson.step.checked_sub(1).and_then(|step| story.steps.get(step)),
        _ => None,
    };
    // A story that was named without a step begins with the scenario of its first.
    let begin = match &*story {
        Some(Ok(story)) if lesson.step == 0 => story.steps.first().map(|step| {
            let first = Lesson { step: 1, ..lesson.clone() };
            first.href(&step.scenario, step.at_ns)
        }),
        _ => None,
    };
    use_effect_with(begin, {
        let dispatch = place.dispatch.clone();
        move |begin| {
            if let Some(href) = begin {
                dispatch.emit(Action::Open(href.trim_start_matches('#').to_owned()));
            }
        }
    });
    let given = all_given.iter().find(|(of, _)| *of == key).map(|(_, given)| *given);
    let is_covered = given.is_none();
    let choose = {
        let (all, key) = (all_given.clone(), key.clone());
        Callback::from(move |number| all.set(with(&all, &key, Some(Given::Answer(number)))))
    };
    let toggle = use_callback((key, (*all_given).clone()), {
        let all_given = all_given.setter();
        move |_: MouseEvent, (key, all)| {
            let is_there = all.iter().any(|(of, _)| of == key);
            all_given.set(with(all, key, (!is_there).then_some(Given::Shown)));
        }
    });
    let cover = match (given, lesson.hides_results) {
        (Some(Given::Answer(_)), _) => Cover::None,
        (_, true) => Cover::Demanded,
        (_, false) => Cover::Offered { is_lifted: !is_covered, toggle: toggle.clone() },
    };
    let waits = cover == Cover::Demanded;
    let classes =
        classes!("learn", waits.then_some("waits"), lesson.hides_controls.then_some("no-controls"));
    if let (Some(Ok(story)), Some(outcome)) = (&*story, &place.state.run.outcome) {
        seen.borrow_mut().keep(outcome, story);
    }
    let seen = seen.borrow();
    let panel = Panel { props, given, choose: &choose, cover: &cover, seen: &seen };
    html! {
        <div class={classes}>
            <section class="story" aria-label="Story">
                { match &*story {
                    Some(Err(why)) => html! { <p class="notice bad" role="alert">{ why.clone() }</p> },
                    Some(Ok(story)) if lesson.step > 0 => panel.show(story, step),
                    _ => html! { <p class="small" role="status">{ "reading the story" }</p> },
                } }
            </section>
            <Explore locked={lesson.locks_controls} cover={cover} ..place.clone() />
        </div>
    }
}

/// A text with its code.
fn rich(text: &str) -> Html {
    let piece = |(is_code, piece): (bool, &str)| match is_code {
        true => html! { <code>{ piece.to_owned() }</code> },
        false => html! { piece.to_owned() },
    };
    pieces(text).map(piece).collect()
}

struct Panel<'a> {
    props: &'a Props,
    given: Option<Given>,
    choose: &'a Callback<usize>,
    cover: &'a Cover,
    /// The runs that this step's numbers are put beside.
    seen: &'a Seen,
}

impl Panel<'_> {
    fn show(&self, story: &Story, step: Option<&Step>) -> Html {
        let lesson = &self.props.lesson;
        let Some(step) = step else {
            let sentence = format!("This story has {} steps.", story.steps.len());
            return html! { <p class="notice bad" role="alert">{ sentence }</p> };
        };
        let told = (!self.cover.hides()).then_some(self.given).flatten().map(|given| match given {
            Given::Answer(n) if step.answers.get(n).is_some_and(|(yes, _)| *yes) => "Right:",
            Given::Answer(_) => "Not that:",
            Given::Shown => "The answer:",
        });
        html! {
            <>
                <p class="small">
                    { format!("{}, step {} of {}", story.title, lesson.step, story.steps.len()) }
                </p>
                <h2 aria-live="polite">{ step.title.clone() }</h2>
                { for step.text.iter().map(|text| html! { <p>{ rich(text) }</p> }) }
                if !step.watch_after {
                    <p class="watch"><b>{ "Watch" }</b>{ rich(&step.watch) }</p>
                }
                <fieldset class="ask">
                    <legend>{ rich(&step.ask) }</legend>
                    { for step.answers.iter().enumerate().map(|(i, one)| self.answer(i, one)) }
                </fieldset>
                { self.skip() }
                <div role="status">
                    if let Some(told) = told {
                        <p class="because"><b>{ told }</b>{ " " }{ rich(&step.because) }</p>
                        if step.watch_after {
                            <p class="watch"><b>{ "Watch" }</b>{ rich(&step.watch) }</p>
                        }
                        { checked::claims(step, story, self.seen) }
                    }
                </div>
                { self.tries(step) }
                { self.onwards(story) }
                { self.teacher(step) }
            </>
        }
    }

    /// A way past the question, unless an answer was given or is demanded.
    fn skip(&self) -> Html {
        match self.cover {
            Cover::None => Html::default(),
            Cover::Demanded => html! {
                <p class="small">{ "The results are shown once you have answered." }</p>
            },
            Cover::Offered { is_lifted, toggle } => html! {
                <button class="text skip" aria-expanded={is_lifted.to_string()} onclick={toggle}>
                    { if *is_lifted { "Cover it again" } else { "Show the answer and the results" } }
                </button>
            },
        }
    }

    fn answer(&self, number: usize, (is_right, text): &(bool, String)) -> Html {
        let choose = self.choose.clone();
        let onclick = move |_| choose.emit(number);
        let is_given = self.given == Some(Given::Answer(number));
        let mark = match (!self.cover.hides(), is_right, is_given) {
            (true, true, _) => "\u{2713}",
            (true, false, true) => "\u{2717}",
            _ => "",
        };
        let class = match mark {
            "\u{2713}" => "answer right",
            "\u{2717}" => "answer wrong",
            _ => "answer",
        };
        html! {
            <button type="button" {class} {onclick} aria-pressed={is_given.to_string()}>
                <span class="mark" aria-hidden="true">{ mark }</span>
                <span>{ rich(text) }</span>
            </button>
        }
    }

    fn tries(&self, step: &Step) -> Html {
        let (id, text) = &step.tries;
        let draft = &self.props.place.state.draft;
        let edit = {
            let dispatch = self.props.place.dispatch.clone();
            Callback::from(move |action: DraftAction| dispatch.emit(Action::Draft(action)))
        };
        let is_changed = *draft.scenario != step.scenario;
        let back = self.props.lesson.href(&step.scenario, step.at_ns);
        html! {
            <div class="try">
                <p><b>{ "Try" }</b>{ rich(text) }</p>
                <ControlRow
                    id={*id}
                    name="try"
                    value={draft.scenario.get(*id)}
                    text={draft.scenario.text(*id)}
                    is_changed={draft.scenario.get(*id) != step.scenario.get(*id)}
                    refused={draft.refused_at(*id).cloned()}
                    base={draft.preset_value(*id)}
                    table={id.control().table().map(|_| Same::from(&draft.scenario))}
                    problem={None::<String>}
                    {edit}
                />
                if is_changed {
                    <a class="small" href={back}>{ "Back to the step as it was" }</a>
                }
            </div>
        }
    }

    fn onwards(&self, story: &Story) -> Html {
        let lesson = &self.props.lesson;
        let to = |step: usize| {
            let other = story.steps.get(step.checked_sub(1)?)?;
            let lesson = Lesson { step, ..lesson.clone() };
            Some((lesson.href(&other.scenario, other.at_ns), other.title.clone()))
        };
        let link = |word: &str, class: &'static str, to: Option<(String, String)>| {
            to.map(|(href, title)| {
                html! { <a {href} {class}>{ format!("{word}: {title}") }</a> }
            })
        };
        let is_last = lesson.step == story.steps.len();
        html! {
            <>
                if is_last {
                    <h3>{ "Where it stands in the kernel" }</h3>
                    <ul class="plain">
                        { for story.read.iter().map(|name| html! {
                            <li><code>{ name.clone() }</code></li>
                        }) }
                    </ul>
                }
                <nav class="onwards" aria-label="Steps">
                    { for link("Back", "", to(lesson.step - 1)) }
                    { for link("Next", "next", to(lesson.step + 1)) }
                    if is_last {
                        { for self.next_story() }
                    }
                    <button class="text end" onclick={self.leave()}>{ "All stories" }</button>
                </nav>
            </>
        }
    }

    fn leave(&self) -> Callback<MouseEvent> {
        use crate::state::here::{Here, Place};
        let dispatch = self.props.place.dispatch.clone();
        Callback::from(move |_| dispatch.emit(Action::Go(Here::at(Place::Learn))))
    }

    /// The story after this one.
    fn next_story(&self) -> Option<Html> {
        let Props { lesson, index, place } = self.props;
        let at = index.iter().position(|entry| entry.name == lesson.story)?;
        let next = index.get(at + 1)?;
        let to = Lesson { story: next.name.clone(), step: 0, ..lesson.clone() };
        let href = to.href(&place.state.draft.scenario, None);
        Some(html! { <a {href} class="next">{ format!("Next story: {}", next.title) }</a> })
    }

    /// Links for a class: each toggles one thing, and the address bar is what is handed out.
    fn teacher(&self, step: &Step) -> Html {
        let lesson = &self.props.lesson;
        let toggle = |is_on: bool, words: &str, change: fn(&mut Lesson)| {
            let mut other = lesson.clone();
            change(&mut other);
            let href = other.href(&step.scenario, step.at_ns);
            let sign = if is_on { "\u{2611}" } else { "\u{2610}" };
            let state = if is_on { "on" } else { "off" };
            html! {
                <li>
                    <a {href}>
                        <span aria-hidden="true">{ format!("{sign} ") }</span>
                        { words.to_owned() }
                    </a>
                    <span class="hidden">{ format!(" ({state})") }</span>
                </li>
            }
        };
        html! {
            <details class="teacher">
                <summary>{ "For a class" }</summary>
                <p class="small">{ "The address bar holds a link to this step, as it is set here." }</p>
                <ul class="plain">
                    { toggle(lesson.hides_results, "hide timelines and results until an answer is given", |l| {
                        l.hides_results = !l.hides_results;
                    }) }
                    { toggle(lesson.locks_controls, "lock the controls", |l| {
                        l.locks_controls = !l.locks_controls;
                    }) }
                    { toggle(lesson.hides_controls, "hide the controls", |l| {
                        l.hides_controls = !l.hides_controls;
                    }) }
                </ul>
            </details>
        }
    }
}
