//! Free pages of each node against the watermarks.

use super::{largest, node_columns};
use crate::labels::Label;
use crate::strip::{Frame, Kind, Layer, Series, Strip, Stroke};
use crate::theme::Ink;
use crate::words;
use report::wire::NodeHeader;

const PAGE: f64 = 4096.0;
/// What lies above this many times high is off the scale, so that the watermarks keep apart.
const TOP_HIGHS: f64 = 2.0;

pub(crate) fn plan(frame: &Frame<'_>) -> Strip {
    let free = node_columns(frame, "nr_free_pages");
    let upper = node_columns(frame, "nr_free_pages.max");
    let highest = largest(frame, free.iter().chain(&upper).map(|&(_, column)| column));
    let top = top_pages(&frame.header.nodes, highest);
    let (divisor, unit) = words::binary_unit(top * PAGE);
    let mut strip = Strip::new(Kind::Free, frame, top);
    strip.divisor = divisor / PAGE;
    strip.unit = unit.to_owned();
    strip.tick(0.0, "0".into());
    if highest > top * 1.001 {
        strip.note = Some(format!("up to {}, off the scale", words::pages(highest as u64)));
    }
    // The band between the lowest and the highest value since the row before.
    let lower = node_columns(frame, "nr_free_pages.min");
    for (&(_, low), &(_, high)) in lower.iter().zip(&upper) {
        strip.layers.push(Layer::Range(low, high, Ink::Line));
    }
    let mut labels = marks(&mut strip, frame);
    for &(node, column) in free.iter().rev() {
        let ink = if node == 0 { Ink::Ink } else { Ink::Ink3 };
        strip.line(column, Stroke::node(node, ink));
        let name = format!("node {node}");
        if let Some(last) = Strip::last(frame, column) {
            labels.push(Label::new(strip.axis.y(last), name.clone(), Ink::Ink).bold());
        }
        strip.series.insert(0, Series { name, ink: Ink::Ink, column, below: Vec::new() });
    }
    strip.label_ends(labels);
    strip
}

/// The value at the upper edge, in pages: room above the highest mark, and for what is free as far
/// as the marks still keep apart.
fn top_pages(nodes: &[NodeHeader], highest: f64) -> f64 {
    let high = nodes.iter().map(|n| n.marks[2]).max().unwrap_or(0) as f64;
    if high == 0.0 {
        return highest.max(1.0);
    }
    // In steps, so that what stands does not move with every sample.
    let step = high * 0.25;
    ((highest * 1.05 / step).ceil() * step).clamp(high * 1.15, high * TOP_HIGHS)
}

/// The watermarks, dotted and named; once where all nodes have the same.
fn marks(strip: &mut Strip, frame: &Frame<'_>) -> Vec<Label> {
    let nodes = &frame.header.nodes;
    let text = |pages: u64| words::pages_in(pages as f64, strip.divisor * PAGE);
    let same = |a: &NodeHeader, b: &NodeHeader| a.marks.map(text) == b.marks.map(text);
    let Some(first) = nodes.first() else { return Vec::new() };
    let all_same = nodes.iter().all(|n| same(first, n));
    let shown = if all_same { &nodes[..1] } else { &nodes[..] };
    let mut labels = Vec::new();
    let mut lines = Vec::new();
    for (n, node) in shown.iter().enumerate() {
        for (name, &pages) in ["min", "low", "high"].into_iter().zip(&node.marks) {
            lines.push(pages as f64);
            let y = strip.axis.y(pages as f64);
            let name = if all_same { name.to_owned() } else { format!("{name}, node {n}") };
            if n == 0 {
                labels.push(Label::new(y, format!("{name} {}", text(pages)), Ink::Ink2));
            }
        }
    }
    for pages in lines {
        strip.horizontal(pages, Ink::Ink3, &[1.0, 3.0]);
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strip::Ground;
    use crate::strips::samples::Samples;

    #[test]
    fn marks_that_agree_are_named_once() {
        let samples = Samples::two_nodes();
        let strip = plan(&samples.frame());
        let texts: Vec<_> = strip.ends.iter().map(|l| l.text.as_str()).collect();
        assert_eq!(texts, ["high 765", "node 1", "low 404", "min 44.0", "node 0"]);
        assert_eq!(strip.unit, "MiB");
        assert_eq!(strip.note, None);
    }

    #[test]
    fn marks_that_differ_say_whose_they_are() {
        let mut samples = Samples::two_nodes();
        samples.header.nodes[1].marks[2] /= 2;
        let strip = plan(&samples.frame());
        assert!(strip.ends.iter().any(|l| l.text == "high, node 0 765"), "{:?}", strip.ends);
        let dotted = |m: &&Ground| matches!(m, Ground::Line(_, _, [1.0, 3.0]));
        assert_eq!(strip.ground.iter().filter(dotted).count(), 6);
    }

    #[test]
    fn an_empty_machine_does_not_press_the_marks_together() {
        let mut samples = Samples::two_nodes();
        let column = samples.table.find("node0.nr_free_pages").unwrap();
        samples.table.values[column] = 90e6;
        let strip = plan(&samples.frame());
        assert_eq!(strip.note.as_deref(), Some("up to 343 GiB, off the scale"));
        let high = samples.header.nodes[0].marks[2] as f64;
        assert_eq!(strip.axis.top, high * TOP_HIGHS);
    }

    #[test]
    fn the_cursor_reads_each_node() {
        let samples = Samples::two_nodes();
        let strip = plan(&samples.frame());
        let got = strip.readings(&samples.table, 1);
        let got: Vec<_> = got.iter().map(|r| (r.name.as_str(), r.text.as_str())).collect();
        assert_eq!(got, [("node 0", "38.2"), ("node 1", "512")]);
    }
}
