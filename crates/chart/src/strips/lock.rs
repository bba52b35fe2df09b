//! lru_lock of each node: how much of the time it is held, and how long a passage waits.

use super::{largest, node_columns};
use crate::labels::Label;
use crate::scale::round_up;
use crate::strip::{Frame, Kind, Series, Strip, Stroke};
use crate::theme::Ink;
use crate::words;

pub(crate) fn plan_held(frame: &Frame<'_>) -> Strip {
    let mut strip = Strip::new(Kind::Lock, frame, 100.0);
    strip.unit = "% of the time".into();
    strip.tick(0.0, "0".into());
    strip.tick(100.0, "100 %".into());
    lines(&mut strip, frame, "lru_lock.util", Ink::Ink);
    strip
}

pub(crate) fn plan_wait(frame: &Frame<'_>) -> Strip {
    let columns = node_columns(frame, "lru_lock.wait");
    let top = round_up(largest(frame, columns.iter().map(|&(_, column)| column)));
    let (divisor, unit) = match top {
        1e6.. => (1e6, "ms"),
        1e3.. => (1e3, "us"),
        _ => (1.0, "ns"),
    };
    let mut strip = Strip::new(Kind::Wait, frame, top);
    strip.divisor = divisor;
    strip.unit = format!("{unit}, mean");
    strip.tick(0.0, "0".into());
    strip.tick(top, format!("{} {unit}", words::short(top / divisor)));
    lines(&mut strip, frame, "lru_lock.wait", Ink::Lock);
    strip
}

fn lines(strip: &mut Strip, frame: &Frame<'_>, name: &str, ink: Ink) {
    let columns = node_columns(frame, name);
    let mut labels = Vec::new();
    for &(node, column) in columns.iter().rev() {
        let quiet = if node > 0 && ink == Ink::Ink { Ink::Ink3 } else { ink };
        strip.line(column, Stroke::node(node, quiet));
        if let Some(last) = Strip::last(frame, column) {
            labels.push(Label::new(strip.axis.y(last), format!("node {node}"), ink));
        }
        let name = format!("node {node}");
        strip.series.insert(0, Series { name, ink, column, below: Vec::new() });
    }
    strip.label_ends(labels);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strips::samples::Samples;

    #[test]
    fn the_wait_has_the_unit_of_its_top() {
        let samples = Samples::two_nodes();
        let strip = plan_wait(&samples.frame());
        assert_eq!(strip.unit, "us, mean");
        assert_eq!(strip.ticks[1].1, "16 us");
        assert_eq!(strip.readings(&samples.table, 1)[0].text, "15.0");
    }

    #[test]
    fn a_run_without_the_column_leaves_an_empty_strip() {
        let mut samples = Samples::two_nodes();
        samples.table.columns.iter_mut().for_each(|c| c.key.insert(0, 'x'));
        let strip = plan_held(&samples.frame());
        assert!(strip.series.is_empty() && strip.ends.is_empty());
        assert_eq!(strip.axis.top, 100.0);
    }
}
