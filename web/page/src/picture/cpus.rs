//! The CPUs of a node by use: a cell each while that is wide enough, else a bar to scale.

use super::sketch::{Face, Paint, Pattern, Sketch};
use chart::{Ink, words};
use report::view::CpuUse;

/// The height of the section.
pub const HEIGHT: f64 = 34.0;
const CELL_MIN: f64 = 4.0;

/// Uses as they stand from left to right, with a word each.
const ORDER: [(CpuUse, &str); 7] = [
    (CpuUse::KswapdWork, "page work"),
    (CpuUse::Isolating, "isolating"),
    (CpuUse::LockSpin, "spin"),
    (CpuUse::SwapSpin, "swap lock"),
    (CpuUse::TlbWait, "TLB flush"),
    (CpuUse::DirectWork, "direct"),
    (CpuUse::Application, "app"),
];

fn paint(cpu_use: CpuUse) -> Paint {
    match cpu_use {
        CpuUse::KswapdWork => Paint::Ink(Ink::Work),
        CpuUse::Isolating => Paint::Pattern(Pattern::Iso),
        CpuUse::LockSpin => Paint::Pattern(Pattern::Lock),
        CpuUse::SwapSpin | CpuUse::TlbWait => Paint::Pattern(Pattern::Zone),
        CpuUse::DirectWork => Paint::Pattern(Pattern::Direct),
        CpuUse::Application => Paint::Ink(Ink::App),
        CpuUse::Idle => Paint::Ink(Ink::Idle),
    }
}

/// Draws the section.
pub fn draw(sketch: &mut Sketch, by_use: &[u32; 8], [x, to]: [f64; 2], y: f64) {
    sketch.hairline(x, to, y);
    let total: u32 = by_use.iter().sum();
    let heading = words::plural(u64::from(total), "CPU");
    sketch.text(x, y + 15.0, heading.clone(), Face::BOLD);
    let room = to - x - super::sketch::width(&heading, Face::BOLD) - 12.0;
    sketch.text_end(to, y + 15.0, in_words(by_use, room), Face::PLAIN);
    if total == 0 {
        return;
    }
    let top = y + 20.0;
    let cell = (to - x + 1.5) / f64::from(total);
    let counted = ORDER.into_iter().map(|(u, _)| u).chain([CpuUse::Idle]);
    let mut left = x;
    for cpu_use in counted {
        let count = by_use[cpu_use as usize];
        if cell >= CELL_MIN {
            let corners: Vec<_> = (0..count).map(|n| [left + f64::from(n) * cell, top]).collect();
            sketch.cells(&corners, [cell - 1.5, 12.0], paint(cpu_use));
            left += cell * f64::from(count);
        } else if count > 0 {
            let long = f64::from(count) * cell;
            sketch.rect([left, top, (long - 0.75).max(0.75), 12.0], paint(cpu_use));
            left += long;
        }
    }
}

/// The busy ones by use, in as many words as fit.
fn in_words(by_use: &[u32; 8], room: f64) -> String {
    let count = |cpu_use: CpuUse| by_use[cpu_use as usize];
    let busy: u32 = ORDER.iter().map(|(cpu_use, _)| count(*cpu_use)).sum();
    if busy == 0 && super::sketch::width("all idle", Face::PLAIN) <= room {
        return "all idle".into();
    }
    let reclaim = count(CpuUse::KswapdWork) + count(CpuUse::Isolating);
    let short = [
        (reclaim, "reclaim"),
        (count(CpuUse::LockSpin), "spin"),
        (count(CpuUse::SwapSpin), "swap lock"),
        (count(CpuUse::TlbWait), "TLB flush"),
        (count(CpuUse::DirectWork), "direct"),
        (count(CpuUse::Application), "app"),
    ];
    let whole = ORDER.map(|(cpu_use, word)| (count(cpu_use), word));
    let texts = [list(&whole), list(&short), format!("{busy} busy")];
    let fits = |text: &String| super::sketch::width(text, Face::PLAIN) <= room;
    texts.into_iter().find(fits).unwrap_or_default()
}

fn list(parts: &[(u32, &str)]) -> String {
    let there = parts.iter().filter(|(count, _)| *count > 0);
    let texts: Vec<_> = there.map(|(count, word)| format!("{count} {word}")).collect();
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::sketch::Shape;

    fn drawn(by_use: [u32; 8], to: f64) -> (Vec<String>, Vec<[f64; 4]>, Vec<String>) {
        let mut sketch = Sketch::default();
        draw(&mut sketch, &by_use, [88.0, to], 0.0);
        let texts = sketch.texts().iter().map(|t| (*t).to_owned()).collect();
        let mut cells = Vec::new();
        let mut bars = Vec::new();
        for shape in sketch.flat() {
            match shape {
                Shape::Rect(place, _, _) => bars.push(*place),
                Shape::Path(path, _, None) => {
                    cells.extend(path.split('M').skip(1).map(str::to_owned));
                }
                _ => {}
            }
        }
        (cells, bars, texts)
    }

    #[test]
    fn each_cpu_has_a_cell() {
        let (cells, _, _) = drawn([11, 1, 1, 3, 1, 9, 0, 0], 400.0);
        assert_eq!(cells.len(), 26);
        assert!(cells[25].starts_with("389.44 20h10.56"), "{}", cells[25]);
    }

    #[test]
    fn the_uses_are_named_as_far_as_they_fit() {
        let text = |to| drawn([11, 1, 1, 3, 1, 9, 0, 0], to).2.remove(1);
        assert_eq!(text(500.0), "1 page work, 1 isolating, 3 spin, 1 direct, 11 app");
        assert_eq!(text(400.0), "2 reclaim, 3 spin, 1 direct, 11 app");
        assert_eq!(text(250.0), "17 busy");
    }

    #[test]
    fn many_cpus_share_a_bar_to_scale() {
        let (_, bars, texts) = drawn([256, 0, 0, 0, 0, 256, 0, 0], 400.0);
        assert_eq!(bars.len(), 2);
        assert!((bars[0][2] - bars[1][2]).abs() < 1e-9, "{bars:?}");
        assert_eq!(texts, ["512 CPUs", "256 app"]);
        assert_eq!(drawn([0; 8], 400.0).2, ["0 CPUs", "all idle"]);
    }
}
