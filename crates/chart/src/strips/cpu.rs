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
    let top = f64::from(cpus.max(1));
    let mut strip = Strip::new(Kind::Cpu, frame, top);
    strip.unit = format!("CPUs of {cpus}");
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
