//! CPUs by use, stacked from the work of kswapd up to the application; what is left is idle.

use crate::fill::Fill;
use crate::labels::Label;
use crate::strip::{Frame, Kind, Series, Strip};
use crate::theme::Ink;
use crate::words;

const STACK: [(&str, &str, Ink, Fill); 7] = [
    ("cpu.kswapd_work", "page work", Ink::Work, Fill::Solid),
    ("cpu.isolating", "isolating", Ink::Iso, Fill::Bars),
    ("cpu.lock_spin", "lock spin", Ink::Lock, Fill::Hatch),
    ("cpu.swap_spin", "swap lock spin", Ink::Zone, Fill::Hatch),
    ("cpu.tlb_wait", "TLB flush wait", Ink::Zone, Fill::Dots),
    ("cpu.direct_work", "direct", Ink::Direct, Fill::Dots),
    ("cpu.application", "application", Ink::App, Fill::Solid),
];

pub(crate) fn plan(frame: &Frame<'_>) -> Strip {
    let cpus: u32 = frame.header.nodes.iter().map(|n| n.cpus).sum();
    let all = f64::from(cpus.max(1));
    let top = top(frame, all);
    let mut strip = Strip::new(Kind::Cpu, frame, top);
    strip.unit = format!("CPUs of {cpus}");
    if top < all {
        strip.note = Some("the others idle, off the scale".into());
    }
    for value in [0.0, top / 2.0, top] {
        strip.tick(value, words::short(value));
    }
    let mut below = Vec::new();
    let mut height = 0.0;
    let mut labels = Vec::new();
    for (key, name, ink, fill) in STACK {
        let Some(column) = frame.table.find(key) else { continue };
        strip.band(&below, &[column], ink, fill);
        let last = Strip::last(frame, column).unwrap_or(0.0);
        let label = Label::new(strip.axis.y(height + last / 2.0), name, ink);
        // A use that did not occur by now has no place in the stack to name.
        if last > 0.0 {
            let plain = matches!(ink.for_text(), Ink::Ink2);
            labels.push(if plain { label } else { label.bold() });
        }
        strip.series.push(Series { name: name.into(), ink, column, below: below.clone() });
        below.push(column);
        height += last;
    }
    if !labels.is_empty() && top - height >= top * 0.15 {
        labels.push(Label::new(strip.axis.y((height + top) / 2.0), "idle", Ink::Ink2));
    }
    strip.label_ends(labels);
    strip
}

/// The CPUs at the upper edge: all, or half as often as those that were ever busy still have room.
/// Of a machine of hundreds of CPUs a few busy ones would be a hairline otherwise.
fn top(frame: &Frame<'_>, all: f64) -> f64 {
    let columns: Vec<_> = STACK.iter().filter_map(|(key, ..)| frame.table.find(key)).collect();
    let width = frame.table.columns.len().max(1);
    let rows = frame.table.values.chunks_exact(width);
    let busy = rows.map(|row| columns.iter().map(|&column| row[column]).sum::<f64>());
    let busy = busy.fold(0.0, f64::max);
    let mut top = all;
    while busy > 0.0 && top / 2.0 >= busy * 1.05 && top > 1.0 {
        top /= 2.0;
    }
    top
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strips::samples::Samples;

    #[test]
    fn the_stack_is_named_from_the_top_down() {
        let samples = Samples::two_nodes();
        let strip = plan(&samples.frame());
        let names: Vec<_> = strip.ends.iter().map(|l| l.text.as_str()).collect();
        assert_eq!(names, ["idle", "application", "direct", "lock spin", "isolating", "page work"]);
        assert_eq!(strip.unit, "CPUs of 52");
    }

    #[test]
    fn few_busy_cpus_of_many_are_seen() {
        let mut samples = Samples::two_nodes();
        for node in &mut samples.header.nodes {
            node.cpus = 512;
        }
        let strip = plan(&samples.frame());
        let busy = samples.table.values.iter().fold(0.0, |a: f64, b| a.max(*b));
        assert!(
            strip.axis.top >= 32.0 && strip.axis.top <= 128.0 && busy > 0.0,
            "{:?}",
            strip.axis
        );
        assert_eq!(strip.unit, "CPUs of 1024");
        assert!(strip.note.is_some());
    }

    #[test]
    fn a_reading_stands_in_the_middle_of_its_band() {
        let samples = Samples::two_nodes();
        let strip = plan(&samples.frame());
        let got = strip.readings(&samples.table, 0);
        let app = got.iter().find(|r| r.name == "application").unwrap();
        let below: f64 = ["kswapd_work", "isolating", "lock_spin", "direct_work"]
            .iter()
            .map(|key| samples.table.values[samples.table.find(&format!("cpu.{key}")).unwrap()])
            .sum();
        assert_eq!(app.y, strip.axis.y(below + 12.0));
        assert_eq!(app.text, "24.0");
    }
}
