//! Swap from top to bottom as a page meets it: zswap, the lock that devices are chosen under, the
//! list of devices or their rings, each device with its fill and the CPUs that go on there.
//!
//! * [`layout`]: where all that stands, and what of it can be asked about.
//! * [`words`]: the same in sentences, and what the marks mean.

pub mod layout;
pub mod words;

use super::gate;
use super::ring::{self, Bead};
use super::sketch::{Face, Paint, Sketch, Stroke, half, width};
use chart::{Ink, words as said};
use layout::{GATE_NAME, HEAD, LINES, Layout, Section, is_narrow, list_width, lock_places};
use report::view::{SwapDeviceView, SwapView};
use report::wire::{Header, SwapHeader};

/// Draws them.
#[must_use]
pub fn draw(header: &Header, view: &SwapView, width: f64) -> Sketch {
    let layout = Layout::new(header, view, width);
    let mut sketch = Sketch::default();
    if header.swap.len() != view.devices.len() {
        return sketch;
    }
    if let Some(y) = layout.zswap {
        sketch.group(|sketch| zswap(sketch, view.zswap, [y, width]));
    }
    locks(&mut sketch, view, &layout);
    let bead = |n: usize| Bead {
        number: n,
        share: share(&header.swap[n], &view.devices[n]),
        cpus: view.devices[n].cpus,
    };
    if let Some(y) = layout.list {
        sketch.group(|sketch| list(sketch, view, &bead, [y, width]));
    }
    for section in &layout.sections {
        let y = section.top;
        sketch.hairline(0.0, width, y + 0.5);
        sketch.text(0.0, y + 16.0, title(section, &layout, header), Face::BOLD);
        sketch.text_end(width, y + 16.0, priorities(&header.swap, section), Face::PLAIN);
        if section.is_ring {
            let beads: Vec<_> = section.members.iter().map(|&n| bead(n)).collect();
            sketch.group(|sketch| ring::ring(sketch, &beads, [0.0, y + HEAD]));
        }
        for (n, &d) in section.members.iter().enumerate() {
            let place = section.row(n);
            let left = left(header, &view.devices[d]);
            sketch.group(|sketch| {
                device(sketch, d, &header.swap[d], &view.devices[d], &left, place);
            });
        }
    }
    sketch
}

fn locks(sketch: &mut Sketch, view: &SwapView, layout: &Layout) {
    let width = layout.width;
    if let Some(lock) = &view.lock {
        let y = layout.gate;
        sketch.hairline(0.0, width, y + 0.5);
        sketch.text(0.0, y + 20.0, lock.name.as_str(), Face::MONO_BOLD);
        sketch.group(|sketch| gate::line(sketch, lock, 0, [GATE_NAME, width], y + 16.0));
    }
    let [held, waiters] = view.device_locks;
    let [passages, waited] = view.cluster_locks;
    let percent = (waited * 100).checked_div(passages).unwrap_or(0);
    let of = view.devices.len();
    let texts = [
        ("si->lock", format!("{held} of {of} held, {waiters} wait")),
        ("ci->lock", format!("{percent} % of {} had to wait", said::short(passages as f64))),
    ];
    for ((name, text), [x, y, ..]) in texts.into_iter().zip(lock_places(layout)) {
        sketch.text(x, y + 16.0, name, Face::MONO);
        sketch.text(x + 62.0, y + 16.0, text, Face::PLAIN);
    }
}

fn list(sketch: &mut Sketch, view: &SwapView, bead: &dyn Fn(usize) -> Bead, [y, width]: [f64; 2]) {
    let ranks: Vec<f64> = view.devices.iter().map(|d| f64::from(d.place)).collect();
    let order = chart::labels::order(&ranks);
    let order: Vec<usize> = order.into_iter().filter(|&n| view.devices[n].place > 0).collect();
    let group = |n: usize| view.devices[n].group;
    let breaks = |at: usize| at > 0 && group(order[at]) != group(order[at - 1]);
    let beads: Vec<_> = (0..order.len()).map(|at| (bead(order[at]), breaks(at))).collect();
    sketch.text(0.0, y + 18.0, "asked in order", Face::PLAIN);
    let (x, y) = if is_narrow(width) { (0.0, y + 22.0) } else { (GATE_NAME, y) };
    ring::list(sketch, &beads, [x, y, list_width(width)]);
}

fn title(section: &Section, layout: &Layout, header: &Header) -> String {
    let n = section.members.len();
    let what = match (section.is_ring, section.are_peers) {
        (true, _) => format!("Ring of {n}"),
        (false, true) => format!("{n} peers"),
        (false, false) if n == 1 => "One device".into(),
        (false, false) => format!("{n} devices, one after the other"),
    };
    let quota = match header.swap_quota {
        quota if section.is_ring => format!(", quota {quota}"),
        _ => String::new(),
    };
    match (section.group, layout.sections.len()) {
        (_, 1) => format!("{what}{quota}"),
        (0, _) => format!("Asked first: {what}{quota}"),
        _ => format!("Then: {what}{quota}"),
    }
}

/// The priorities of a section: `priority 100` or `priorities 90 to 100`.
fn priorities(header: &[SwapHeader], section: &Section) -> String {
    let all = || section.members.iter().filter_map(|&d| header.get(d)).map(|h| h.priority);
    match (all().min(), all().max()) {
        (Some(a), Some(b)) if a == b => format!("priority {a}"),
        (Some(a), Some(b)) => format!("priorities {b} to {a}"),
        _ => String::new(),
    }
}

fn zswap(sketch: &mut Sketch, [pages, bytes, max]: [u64; 3], [y, to]: [f64; 2]) {
    sketch.text(0.0, y + 15.0, "zswap", Face::MONO_BOLD);
    let words = match is_narrow(to) {
        true => format!("{} of {}", memory(bytes), memory(max)),
        false => {
            format!("{} pages in {} of {}", said::short(pages as f64), memory(bytes), memory(max))
        }
    };
    let (from, room) = (56.0, width(&words, Face::PLAIN) + 8.0);
    sketch.text_end(to, y + 15.0, words, Face::PLAIN);
    bar(
        sketch,
        bytes as f64 / max.max(1) as f64,
        [from, y + 5.0, (to - from - room).max(8.0), 13.0],
    );
}

/// A bar that is filled to a share.
fn bar(sketch: &mut Sketch, share: f64, [x, y, wide, high]: [f64; 4]) {
    let place = [x + 0.5, y + 0.5, wide - 1.0, high - 1.0];
    sketch.boxed(place, Paint::Ink(Ink::Bg2), Stroke::new(Ink::Line2, 1.0));
    let long = half((wide - 2.0).max(0.0) * share.clamp(0.0, 1.0));
    sketch.rect([x + 1.0, y + 1.0, long, high - 2.0], Paint::Ink(Ink::Mem));
}

/// `24 CPUs, 31 of 64 left`: the CPUs that go on at a device, and what they still take there.
fn left(header: &Header, now: &SwapDeviceView) -> String {
    let Some(mean) = now.left.checked_div(now.cpus) else { return String::new() };
    let cpus = said::plural(now.cpus.into(), "CPU");
    match mean {
        0 => cpus,
        _ => format!("{cpus}, {mean} of {} left", header.swap_quota),
    }
}

fn device(
    sketch: &mut Sketch,
    number: usize,
    fixed: &SwapHeader,
    now: &SwapDeviceView,
    left: &str,
    [x, y, wide, high]: [f64; 4],
) {
    let share = share(fixed, now);
    ring::disc(sketch, number, share, [x + ring::DISC + 1.0, y + 12.0]);
    let name = fixed.name.rsplit_once(' ').map_or(&*fixed.name, |(kind, _)| kind);
    sketch.text(x + 28.0, y + 16.0, name, Face::MONO);
    let percent = if share >= 1.0 { "full".to_owned() } else { format!("{:.0} %", share * 100.0) };
    let io = if now.busy > 0 { format!("{} I/O", now.busy) } else { String::new() };
    let from = x + 28.0 + 90.0;
    let size = said::pages(fixed.pages);
    let (to, percent) = match (high, wide >= 480.0) {
        (LINES, _) => {
            let parts = [left, &io].map(str::to_owned).into_iter().filter(|text| !text.is_empty());
            let text = parts.collect::<Vec<_>>().join(", ");
            sketch.text(x + 28.0, y + 31.0, text, Face::PLAIN);
            (x + wide - 92.0, format!("{percent} of {size}"))
        }
        (_, true) => {
            sketch.text_end(x + wide, y + 16.0, io, Face::PLAIN);
            sketch.text(x + wide - 198.0, y + 16.0, left, Face::PLAIN);
            (x + wide - 300.0, format!("{percent} of {size}"))
        }
        (_, false) => {
            let cpus = left.split(',').next().unwrap_or_default();
            sketch.text_end(x + wide, y + 16.0, cpus, Face::PLAIN);
            (x + wide - 98.0, percent)
        }
    };
    bar(sketch, share, [from, y + 6.0, (to - from).max(12.0), 12.0]);
    sketch.text(to + 6.0, y + 16.0, percent, Face::PLAIN);
}

fn memory(bytes: u64) -> String {
    said::pages(bytes / 4_096)
}

fn share(fixed: &SwapHeader, now: &SwapDeviceView) -> f64 {
    (now.used as f64 / fixed.pages.max(1) as f64).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    const WIDTHS: [f64; 4] = [288.0, 420.0, 728.0, 1_100.0];

    #[test]
    fn every_device_is_seen_at_every_width_and_in_little_room() {
        for design in ["ring", "global-plist", "device-plist"] {
            for (count, groups) in [(1, 1), (4, 2), (8, 1), (16, 1), (16, 16)] {
                for width in WIDTHS {
                    let (header, view) = samples::swap(design, count, groups);
                    let layout = Layout::new(&header, &view, width);
                    let sketch = draw(&header, &view, width);
                    let texts = sketch.texts();
                    for n in 0..count {
                        let number = n.to_string();
                        assert!(texts.contains(&&*number), "{design} {n} of {count}: {texts:?}");
                    }
                    // The timelines stand below: they must not be pushed out of sight.
                    assert!(layout.height < 720.0, "{design} {count} {width}: {layout:?}");
                    if width >= 700.0 {
                        assert!(layout.height < 420.0, "{design} {count} {width}: {layout:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_quota_is_told_in_words_and_peers_share_a_ring() {
        let (header, view) = samples::swap("ring", 4, 2);
        let sketch = draw(&header, &view, 728.0);
        let texts = sketch.texts();
        assert!(texts.contains(&"Asked first: Ring of 2, quota 512"), "{texts:?}");
        assert!(texts.contains(&"Then: Ring of 2, quota 512"), "{texts:?}");
        assert!(texts.contains(&"3 CPUs, 300 of 512 left"), "{texts:?}");
        assert!(texts.contains(&"priorities 100 to 98"), "{texts:?}");
        let (header, view) = samples::swap("global-plist", 4, 1);
        let sketch = draw(&header, &view, 728.0);
        let texts = sketch.texts();
        assert!(texts.contains(&"asked in order") && texts.contains(&"4 peers"), "{texts:?}");
    }
}
