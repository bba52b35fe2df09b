//! Two buttons of a timeline: why its lowest point, why its highest. They put the cursor there and
//! ask about what the timeline shows.

use crate::state::Action;
use crate::state::view::ViewAction;
use chart::extreme::extreme;
use chart::{Frame, Kind, Strip};
use report::series::Table;
use report::why::Subject;
use report::wire::Header;
use yew::prelude::*;

/// The buttons; none where nothing stands out.
pub(super) fn extremes(
    title: &str,
    strip: &Strip,
    frame: &Frame<'_>,
    dispatch: &Callback<Action>,
) -> Html {
    let button = |highest: bool| {
        let at = extreme(strip, frame, highest)?;
        let series = strip.series.get(at.series)?;
        let subject = subject(strip.kind, series.column, &series.name, frame.header, frame.table);
        let text = if highest { "peak" } else { "dip" };
        let label = format!("Why the {text}: {title}");
        let dispatch = dispatch.clone();
        let onclick = move |_| {
            dispatch.emit(Action::View(ViewAction::Cursor(Some(at.time_ns))));
            dispatch.emit(Action::View(ViewAction::Why(Some(subject))));
        };
        Some(html! { <button class="text" {onclick} aria-label={label}>{ text }</button> })
    };
    html! { <>{ for [false, true].into_iter().filter_map(button) }</> }
}

/// What holds the rule of a series: its node's free memory, lock, readers or a worker. What is of
/// all nodes is asked of the first.
fn subject(kind: Kind, column: usize, name: &str, header: &Header, table: &Table) -> Subject {
    let shown = table.columns.get(column);
    let node = shown.and_then(|column| column.node).map_or(0, u16::from);
    let key = shown.map_or("", |column| column.key.as_str());
    let of = header.nodes.get(usize::from(node));
    let has = |part: &str| key.contains(part) || name.contains(part);
    let worker = match of {
        Some(of) if of.workers > 0 => Subject::Worker(node, 0),
        _ => Subject::Free(node),
    };
    match kind {
        Kind::Lock | Kind::Wait => {
            let lock = of.and_then(|of| of.locks.iter().position(|lock| lock.contains("lru_lock")));
            Subject::Lock(node, lock.unwrap_or(0) as u16)
        }
        Kind::Reads => Subject::Readers(node),
        Kind::Scan | Kind::Cpu | Kind::Column(_) if has("direct") || has("allocstall") => {
            Subject::Readers(node)
        }
        Kind::Scan | Kind::Cpu => worker,
        Kind::Column(_) if has("kswapd") || has("pgscan") || has("pgsteal") => worker,
        Kind::Free | Kind::Column(_) => Subject::Free(node),
    }
}
