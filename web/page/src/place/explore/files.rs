//! What goes out of a run as a file, and what a real kernel did, drawn over it.

use crate::component::same::Same;
use crate::picture::sketch::length;
use crate::platform::object::Json;
use crate::platform::{file, input};
use crate::state::errand::{Spec, quoted};
use crate::state::run::Outcome;
use crate::state::work::{Phase, Shown, Slot, WorkAction};
use crate::state::{Action, State, draft};
use chart::Theme;
use chart::svg::{Caption, picture};
use std::rc::Rc;
use yew::prelude::*;

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct Props {
    /// What the page knows.
    pub state: Same<State>,
    /// What was done.
    pub dispatch: Callback<Action>,
}

/// Forms that a worker writes: what it is called, the task's name of it, the file's ending.
const TEXTS: [(&str, &str, &str); 4] = [
    ("CSV", "csv", "csv"),
    ("JSON", "json", "json"),
    ("Trace", "trace", "trace.txt"),
    ("Perfetto", "perfetto", "perfetto.json"),
];
/// Pictures, which need the hash of the ledger in them first.
const PICTURES: [(&str, &str); 2] = [("SVG", "svg"), ("PNG", "png")];

/// Out and in.
#[component]
pub(super) fn Files(props: &Props) -> Html {
    let wish = use_state(|| None::<(String, &'static str)>);
    let shown = props.state.work.of(Slot::Export).clone();
    let outcome = props.state.run.outcome.clone();
    // A text that was asked for is handed over when it is there.
    use_effect_with(shown.clone(), {
        let (wish, state) = (wish.clone(), props.state.clone());
        move |shown: &Rc<Shown>| {
            let text = shown.text.as_ref().filter(|_| shown.phase == Phase::Done);
            if let (Some((name, form)), Some(text)) = ((*wish).clone(), text) {
                match form {
                    "svg" | "png" => paint(&state, name, form, text),
                    _ => file::save(&name, text),
                }
                wish.set(None);
            }
        }
    });
    let Some(outcome) = outcome else { return Html::default() };
    let button = |title: &'static str, form: &'static str, ending: &str| {
        let stem = outcome.report.digest.get(..8).unwrap_or_default();
        let name = format!("reclaimscope-{}-{stem}.{ending}", outcome.report.preset);
        let asked = if PICTURES.iter().any(|(_, own)| *own == form) { "ledger" } else { form };
        let link = quoted(&outcome.report.link);
        let args = format!("{{\"link\":{link},\"form\":\"{asked}\"}}");
        let (wish, dispatch) = (wish.clone(), props.dispatch.clone());
        let onclick = move |_| {
            wish.set(Some((name.clone(), form)));
            let spec = Rc::new(Spec::One { name: "export", args: args.clone() });
            dispatch.emit(Action::Work(WorkAction::Begin(Slot::Export, spec)));
        };
        html! { <button class="outlined" {onclick}>{ title }</button> }
    };
    html! {
        <section class="section files" aria-label="Files">
            <details>
                <summary>{ "Out and in" }<span>{ "files of this run, and of a real kernel" }</span></summary>
                <div class="row">
                    { for TEXTS.iter().map(|(title, form, ending)| button(title, form, ending)) }
                    { for PICTURES.iter().map(|(title, form)| button(title, form, form)) }
                    <span class="small" role="status">
                        { if shown.phase == Phase::Running { "simulating it once more" } else { "" } }
                    </span>
                </div>
                <Overlay {outcome} dispatch={props.dispatch.clone()} shown={Same(shown)} />
            </details>
        </section>
    }
}

/// Draws the timelines into a file.
fn paint(state: &State, name: String, form: &str, ledger: &str) {
    let (Some(header), Some(outcome)) = (&state.run.header, &state.run.outcome) else { return };
    let title = outcome.scenario.title();
    let caption = Caption { title: &title, ledger };
    let svg = picture(header, &state.run.table, &outcome.report, caption, &Theme::LIGHT);
    match form {
        "png" => file::save_pixels(name, &svg),
        _ => file::save(&name, &svg),
    }
}

#[derive(Properties, PartialEq)]
struct OverlayProps {
    outcome: Rc<Outcome>,
    shown: Same<Shown>,
    dispatch: Callback<Action>,
}

/// A text of a real kernel, and where the run agrees with it.
#[component]
fn Overlay(props: &OverlayProps) -> Html {
    let area = use_node_ref();
    let align = use_state_eq(|| 0);
    let shift = use_state_eq(|| "0".to_owned());
    let told = use_state_eq(String::new);
    let ask = {
        let (align, shift, told) = (*align, (*shift).clone(), told.clone());
        let (link, dispatch) = (props.outcome.report.link.clone(), props.dispatch.clone());
        Callback::from(move |text: Result<String, String>| match text {
            Err(why) => told.set(why),
            Ok(text) => {
                told.set(String::new());
                let by = ["", "kswapd", "direct"][align];
                let shift: f64 = shift.trim().parse().unwrap_or(0.0);
                let args = format!(
                    "{{\"link\":{},\"align\":\"{by}\",\"shift\":{shift},\"text\":{}}}",
                    quoted(&link),
                    quoted(&text)
                );
                let spec = Rc::new(Spec::One { name: "overlay", args });
                dispatch.emit(Action::Work(WorkAction::Begin(Slot::Export, spec)));
            }
        })
    };
    let pasted = {
        let (area, ask) = (area.clone(), ask.clone());
        move |_| ask.emit(Ok(input::area_text(&area)))
    };
    let is_ours = matches!(props.shown.spec.as_deref(), Some(Spec::One { name: "overlay", .. }));
    let panel = props.shown.text.as_deref().filter(|_| is_ours).and_then(Json::parse);
    let choose = {
        let align = align.clone();
        move |row| align.set(row)
    };
    let aligns = ["by hand", "first scan of kswapd", "first direct reclaim"].map(str::to_owned);
    html! {
        <>
            <label for="kernel-text" class="small">
                { "A real kernel beside it: samples (vmstat 1, /proc/vmstat again and again, CSV with \
                   t_ms), events (trace-cmd report), or rows of mmtests, fio, cassandra-stress." }
            </label>
            <textarea id="kernel-text" ref={area} rows="4" spellcheck="false" />
            <div class="row">
                { crate::place::compare::choice("Align", &aligns, *align, choose) }
                <label class="small">
                    { "shift, ms " }
                    <input
                        size="8"
                        value={(*shift).clone()}
                        onchange={move |event: Event| shift.set(input::chosen_text(&event))}
                    />
                </label>
                <button class="outlined" onclick={pasted}>{ "Draw it over the run" }</button>
                <label class="small">
                    { "or a file " }
                    <input
                        type="file"
                        onchange={move |event: Event| file::chosen(&event, ask.clone())}
                    />
                </label>
            </div>
            if !told.is_empty() {
                <p class="notice bad" role="alert">{ (*told).clone() }</p>
            }
            if is_ours {
                { crate::place::compare::refused(&props.shown.phase) }
            }
            { for panel.map(|panel| compared(&panel)) }
        </>
    }
}

/// Lines over time, then the table of what agrees.
fn compared(panel: &Json) -> Html {
    let problems = panel.strings("problems");
    let rows = panel.list("rows");
    let (known, unknown): (Vec<&Json>, Vec<&Json>) =
        rows.iter().partition(|row| row.string("verdict") != "not_modelled");
    let number =
        |row: &Json, name: &str| row.number(name).map_or("-".into(), chart::words::decimal);
    let line = |row: &&Json| {
        let agrees = row.string("verdict") == "agrees";
        html! {
            <tr>
                <th scope="row"><code>{ row.string("name") }</code></th>
                <td>{ number(row, "observed") }</td>
                <td>{ number(row, "simulated") }</td>
                <td>{ row.number("ratio").map_or("-".into(), |r| format!("{r:.3}")) }</td>
                <td>{ if agrees { "= agrees" } else { "\u{2260} differs" } }</td>
            </tr>
        }
    };
    let names = unknown.iter().map(|row| row.string("name")).collect::<Vec<_>>().join(", ");
    html! {
        <div class="kernel-beside">
            if !problems.is_empty() {
                <ul class="notice bad">
                    { for problems.iter().map(|p| html! { <li>{ draft::sentence(p) }</li> }) }
                </ul>
            }
            <div class="dots">{ for panel.list("lines").iter().map(drawn) }</div>
            <div class="scroll" role="group" tabindex="0" aria-label="Where they agree">
                <table>
                    <caption>{ "a second, over the window; agrees: within 25 %" }</caption>
                    <thead><tr>
                        { for ["counter", "kernel", "model (SIMULATED)", "ratio", "result"].map(|h| html! {
                            <th scope="col">{ h }</th>
                        }) }
                    </tr></thead>
                    <tbody>{ for known.iter().map(line) }</tbody>
                </table>
            </div>
            if !names.is_empty() {
                <p class="small">{ format!("Not counted by the model: {names}.") }</p>
            }
        </div>
    }
}

/// Pixels of one drawing.
const SIZE: [f64; 2] = [420.0, 110.0];

/// A counter's rate over time: the model's line, the kernel's dashes.
fn drawn(lines: &Json) -> Html {
    let [width, height] = SIZE;
    let points = |name: &str| -> Vec<[f64; 2]> {
        let all = lines.list(name).into_iter().filter_map(|point| point.pair());
        all.collect()
    };
    let (model, kernel) = (points("simulated"), points("observed"));
    let most = |place: usize| {
        model.iter().chain(&kernel).map(|point| point[place]).fold(f64::MIN_POSITIVE, f64::max)
    };
    let [end, high] = [most(0), most(1)];
    let path = |points: &[[f64; 2]]| -> String {
        let place = |[t, v]: &[f64; 2]| {
            format!(
                "{} {}",
                length(t / end * width),
                length(12.0 + (1.0 - v / high) * (height - 30.0))
            )
        };
        format!("M{}", points.iter().map(place).collect::<Vec<_>>().join("L"))
    };
    let name = lines.string("name");
    let label =
        format!("{name} a second: the model's line, the kernel's dashes; the table has both");
    html! {
        <figure>
            <figcaption class="small">
                <code>{ name }</code>
                { format!(" a second, up to {}: line is the model, dashes the kernel", chart::words::decimal(high)) }
            </figcaption>
            <svg viewBox={format!("0 0 {width} {height}")} role="img" aria-label={label}>
                <path class="zero" d={format!("M0 {}H{width}", height - 18.0)} />
                <path class="line" d={path(&model)} />
                <path class="line kernel" d={path(&kernel)} />
                <text x="0" y={length(height - 4.0)}>{ "0" }</text>
                <text x={length(width)} y={length(height - 4.0)} class="end">
                    { chart::words::nanos(end * 1e6) }
                </text>
            </svg>
        </figure>
    }
}
