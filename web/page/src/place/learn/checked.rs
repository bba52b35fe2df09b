//! What a step claims, checked by the run on the page: its quantities in words and units, this step
//! beside those that it is compared with.

use crate::state::run::Outcome;
use chart::words;
use report::quantity::{self, Parts, Side, Unit};
use report::{Report, claim};
use scenario::story::{Step, Story};
use std::rc::Rc;
use yew::prelude::*;

/// The runs of a story's steps that the page has seen.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Seen(Vec<Rc<Outcome>>);

impl Seen {
    /// Keeps a run if it is of one of the steps; those of other stories go.
    pub(super) fn keep(&mut self, outcome: &Rc<Outcome>, story: &Story) {
        let is_of = |one: &Outcome, step: &Step| *one.scenario == step.scenario;
        self.0.retain(|one| {
            story.steps.iter().any(|step| is_of(one, step)) && one.scenario != outcome.scenario
        });
        if story.steps.iter().any(|step| is_of(outcome, step)) {
            self.0.push(outcome.clone());
        }
    }

    fn of(&self, step: &Step) -> Option<&Report> {
        self.0.iter().find(|one| *one.scenario == step.scenario).map(|one| &one.report)
    }

    /// The run of the step with this number, as a claim names it.
    fn named(&self, story: &Story, name: &str) -> Option<&Report> {
        self.of(story.steps.get(name.parse::<usize>().ok()?.checked_sub(1)?)?)
    }
}

/// A value with its unit.
fn shown(value: f64, unit: Unit, report: &Report) -> String {
    match unit {
        Unit::Seconds => words::nanos(value * 1e9),
        Unit::Micros => words::nanos(value * 1e3),
        Unit::Count => words::decimal(value),
        Unit::Pages => format!("{} pages", words::decimal(value)),
        Unit::Share => words::percent(value),
        Unit::Rate => match report.throughput_unit.as_str() {
            "bytes read" => words::bytes_per_second(value),
            other => format!("{} {other}/s", words::decimal(value)),
        },
    }
}

/// What a claim's second side is, in words; `first` is the other one.
fn second(side: &Side, first: &Side, value: String) -> String {
    if side.figures.is_empty() {
        return value;
    }
    let times = times(side);
    let name = quantity::told(&side.figures).0;
    match &side.of {
        Some(step) if side.figures == first.figures => {
            format!("{times}that of step {step} ({value})")
        }
        Some(step) => format!("{times}{name} in step {step} ({value})"),
        None => format!("{times}{name} ({value})"),
    }
}

/// What stands before a side's figures.
fn times(side: &Side) -> String {
    match side.factor == 1.0 {
        true => String::new(),
        false => format!("{} times ", words::short(side.factor)),
    }
}

/// One claim as a sentence.
fn sentence(text: &str, report: &Report, seen: &Seen, story: &Story) -> Option<String> {
    let Parts { left, relation, right } = quantity::parts(text)?;
    let checked = claim::check(text, report, &|name| seen.named(story, name)).ok()?;
    let (name, unit) = quantity::told(&left.figures);
    // Seconds a page are told in microseconds.
    let scale = if left.figures.contains(" / ") && unit == Unit::Micros { 1e6 } else { 1.0 };
    let value = |value: f64| shown(value * scale, unit, report);
    let of = left.of.as_ref().map(|step| format!(" in step {step}")).unwrap_or_default();
    let first = format!("{}{name}{of}: {}", times(&left), value(checked.left));
    let second = second(&right, &left, value(checked.right));
    let holds = if checked.holds { "This holds" } else { "This does not hold" };
    Some(format!("{first}, {relation} {second}. {holds}."))
}

/// The claims and their quantities.
pub(super) fn claims(step: &Step, story: &Story, seen: &Seen) -> Html {
    let Some(report) = seen.of(step) else { return Html::default() };
    let parts: Vec<Parts> = step.claims.iter().filter_map(|text| quantity::parts(text)).collect();
    let sides = || parts.iter().flat_map(|parts| [&parts.left, &parts.right]);
    let mut others: Vec<&str> = sides().filter_map(|side| side.of.as_deref()).collect();
    others.sort_unstable();
    others.dedup();
    let mut rows: Vec<&str> = Vec::new();
    for side in sides().filter(|side| side.of.is_some()) {
        if !rows.contains(&side.figures.as_str()) {
            rows.push(&side.figures);
        }
    }
    let cell = |figures: &str, report: Option<&Report>| {
        let unit = quantity::told(figures).1;
        let value = report.and_then(|report| Some((quantity::value(figures, report)?, report)));
        value.map_or_else(|| "-".to_owned(), |(value, report)| shown(value, unit, report))
    };
    let missing = others.iter().filter(|name| seen.named(story, name).is_none());
    let missing: Vec<&str> = missing.copied().collect();
    html! {
        <>
            if !rows.is_empty() {
                <table class="beside">
                    <thead><tr>
                        <th scope="col">{ "Side by side" }</th>
                        <th scope="col">{ "This step" }</th>
                        { for others.iter().map(|name| html! {
                            <th scope="col">{ format!("Step {name}") }</th>
                        }) }
                    </tr></thead>
                    <tbody>
                        { for rows.iter().map(|figures| html! {
                            <tr>
                                <th scope="row">{ quantity::told(figures).0 }</th>
                                <td>{ cell(figures, Some(report)) }</td>
                                { for others.iter().map(|name| html! {
                                    <td>{ cell(figures, seen.named(story, name)) }</td>
                                }) }
                            </tr>
                        }) }
                    </tbody>
                </table>
            }
            if !missing.is_empty() {
                <p class="small">
                    { format!("Not run here yet: step {}. Go there, and its numbers stand here.",
                        missing.join(" and step ")) }
                </p>
            }
            <ul class="plain claims">
                { for step.claims.iter().filter_map(|text| {
                    sentence(text, report, seen, story).map(|told| html! { <li>{ told }</li> })
                }) }
            </ul>
        </>
    }
}
