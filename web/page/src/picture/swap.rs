//! Swap from top to bottom as a page meets it: zswap, the lock that devices are chosen under, the
//! list of devices or their rings, each device with its fill and the CPUs that go on there.

use super::gate;
use super::node::Place;
use super::ring::{self, Bead};
use super::sketch::{Face, Paint, Sketch, Stroke, half, width};
use chart::{Ink, words};
use report::view::{SwapDeviceView, SwapView};
use report::why::Subject;
use report::wire::{Header, SwapHeader};

const ZSWAP: f64 = 28.0;
const GATE: f64 = 32.0;
const HEAD: f64 = 24.0;
/// The height of a device in one line, and in two.
const LINE: f64 = 24.0;
const LINES: f64 = 38.0;
/// Where a gate or a list begins, right of its name.
const NAME: f64 = 116.0;

/// Devices that are asked in turn, or several that are asked one after the other.
#[derive(Clone, Debug, PartialEq)]
struct Section {
    /// The place of the group, the first one's if there are several.
    group: u32,
    /// The devices, by number.
    members: Vec<usize>,
    /// Whether they are peers.
    are_peers: bool,
    /// Whether a ring is drawn.
    is_ring: bool,
    top: f64,
    /// Where the first device begins, and how wide and high each is.
    rows: [f64; 4],
    columns: usize,
    height: f64,
}

/// Where everything stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    zswap: Option<f64>,
    gate: f64,
    locks: f64,
    /// Where the list of devices stands, for allocators that have one.
    list: Option<f64>,
    sections: Vec<Section>,
    width: f64,
    /// The height of all.
    pub height: f64,
}

impl Layout {
    /// For these devices on so much width.
    #[must_use]
    pub fn new(header: &Header, view: &SwapView, width: f64) -> Self {
        let is_ring = header.swap_design == "ring";
        let mut y = 0.0;
        let mut take = |height: f64| {
            y += height;
            y - height
        };
        let zswap = (view.zswap[2] > 0).then(|| take(ZSWAP));
        let gate = take(GATE);
        let locks = take(if is_narrow(width) { 2.0 * LINE } else { LINE });
        let list = (!is_ring).then(|| {
            let label = if is_narrow(width) { 20.0 } else { 0.0 };
            take(label + 8.0 + ring::list_height(view.devices.len(), list_width(width)))
        });
        let mut sections = Vec::new();
        for (group, members, are_peers) in groups(view) {
            let mut section = section(members, are_peers, is_ring, width);
            (section.group, section.top) = (group, take(section.height));
            sections.push(section);
        }
        Self { zswap, gate, locks, list, sections, width, height: y }
    }
}

fn is_narrow(width: f64) -> bool {
    width < 480.0
}

/// The width that the list of devices has beside its name, or below it.
fn list_width(width: f64) -> f64 {
    if is_narrow(width) { width } else { width - NAME }
}

/// Groups of peers in the order in which they are asked; those of one device each together.
fn groups(view: &SwapView) -> Vec<(u32, Vec<usize>, bool)> {
    let count = view.devices.iter().map(|d| d.group as usize + 1).max().unwrap_or(0);
    let mut all: Vec<(u32, Vec<usize>, bool)> = Vec::new();
    for group in 0..count.min(view.devices.len()) as u32 {
        let of = |(_, d): &(usize, &SwapDeviceView)| d.group == group;
        let members: Vec<_> = view.devices.iter().enumerate().filter(of).map(|(n, _)| n).collect();
        match (members.len(), all.last_mut()) {
            (0, _) => {}
            (1, Some((_, others, false))) => others.extend(members),
            (n, _) => all.push((group, members, n > 1)),
        }
    }
    all
}

fn section(members: Vec<usize>, are_peers: bool, is_ring: bool, width: f64) -> Section {
    let is_ring = is_ring && are_peers;
    let side = if is_ring { ring::side(members.len()) } else { 0.0 };
    let is_beside = width - side >= 330.0;
    let left = if is_ring && is_beside { (side + 12.0).max(150.0) } else { 0.0 };
    let below = if is_ring && !is_beside { side } else { 0.0 };
    let room = width - left;
    let columns = if members.len() > 8 && room >= 500.0 { 2 } else { 1 };
    let each = (room - 16.0 * (columns - 1) as f64) / columns as f64;
    let high = if each >= 480.0 || members.len() > 8 { LINE } else { LINES };
    let rows = members.len().div_ceil(columns) as f64 * high;
    let height = HEAD + (below + rows).max(side) + 8.0;
    let first = if is_beside { ((side - rows) / 2.0).max(0.0) } else { below };
    Section {
        group: 0,
        members,
        are_peers,
        is_ring,
        top: 0.0,
        rows: [left, HEAD + first, each, high],
        columns,
        height,
    }
}

impl Section {
    /// Where the device at a place of it stands: left, top, width, height.
    fn row(&self, n: usize) -> [f64; 4] {
        let [left, top, wide, high] = self.rows;
        let lines = self.members.len().div_ceil(self.columns);
        let (column, line) = (n / lines.max(1), n % lines.max(1));
        let across = left + column as f64 * (wide + 16.0);
        [across, self.top + top + line as f64 * high, wide, high]
    }
}

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
        sketch.group(|sketch| gate::line(sketch, lock, 0, [NAME, width], y + 16.0));
    }
    let [held, waiters] = view.device_locks;
    let [passages, waited] = view.cluster_locks;
    let percent = (waited * 100).checked_div(passages).unwrap_or(0);
    let of = view.devices.len();
    let texts = [
        ("si->lock", format!("{held} of {of} held, {waiters} wait")),
        ("ci->lock", format!("{percent} % of {} had to wait", words::short(passages as f64))),
    ];
    for ((name, text), [x, y, ..]) in texts.into_iter().zip(lock_places(layout)) {
        sketch.text(x, y + 16.0, name, Face::MONO);
        sketch.text(x + 62.0, y + 16.0, text, Face::PLAIN);
    }
}

/// Where si->lock and ci->lock stand.
fn lock_places(layout: &Layout) -> [[f64; 4]; 2] {
    let (width, y) = (layout.width, layout.locks);
    match is_narrow(width) {
        true => [[0.0, y, width, LINE], [0.0, y + LINE, width, LINE]],
        false => {
            let half = (width / 2.0).floor();
            [[0.0, y, half - 8.0, LINE], [half, y, width - half, LINE]]
        }
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
    let (x, y) = if is_narrow(width) { (0.0, y + 22.0) } else { (NAME, y) };
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
            format!("{} pages in {} of {}", words::short(pages as f64), memory(bytes), memory(max))
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
    let cpus = words::plural(now.cpus.into(), "CPU");
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
    let size = words::pages(fixed.pages);
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
    words::pages(bytes / 4_096)
}

fn share(fixed: &SwapHeader, now: &SwapDeviceView) -> f64 {
    (now.used as f64 / fixed.pages.max(1) as f64).min(1.0)
}

/// What of swap can be asked about.
#[must_use]
pub fn places(header: &Header, view: &SwapView, width: f64) -> Vec<Place> {
    let layout = Layout::new(header, view, width);
    let place = |at, subject, name: String| Place { at, subject, name };
    let mut places = Vec::new();
    if let Some(y) = layout.zswap {
        places.push(place([0.0, y, width, ZSWAP - 2.0], Subject::Zswap, "zswap".into()));
    }
    let at = [0.0, layout.gate + 2.0, width, GATE - 4.0];
    places.push(place(at, Subject::SwapLock(0), header.swap_lock.clone()));
    let [si, ci] = lock_places(&layout);
    places.push(place(si, Subject::SwapLock(1), "si->lock".into()));
    places.push(place(ci, Subject::SwapLock(2), "ci->lock".into()));
    for section in &layout.sections {
        // A ring is asked with its heading, other groups by their heading alone.
        let [left, ..] = section.rows;
        let wide = if left > 0.0 { left - 12.0 } else { width };
        let ring = if section.is_ring { ring::side(section.members.len()) } else { 0.0 };
        let at = [0.0, section.top, wide, HEAD + ring];
        let name = match section.is_ring {
            true => format!("swap ring {}", section.group + 1),
            false => format!("swap devices of group {}", section.group + 1),
        };
        places.push(place(at, Subject::SwapPeers(section.group as u16), name));
        for (n, &d) in section.members.iter().enumerate() {
            let subject = Subject::SwapDevice(d as u16);
            places.push(place(section.row(n), subject, format!("swap device {d}")));
        }
    }
    places
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
    fn what_can_be_asked_about_lies_apart_and_in_the_drawing() {
        for design in ["ring", "device-plist"] {
            for (count, groups) in [(1, 1), (4, 2), (8, 1), (16, 1), (16, 16)] {
                for width in WIDTHS {
                    let (header, view) = samples::swap(design, count, groups);
                    let high = Layout::new(&header, &view, width).height;
                    let places = places(&header, &view, width);
                    assert!(places.len() as u32 >= count + 5, "{places:?}");
                    for (n, place) in places.iter().enumerate() {
                        let [x, y, w, h] = place.at;
                        assert!(w >= 24.0 && h >= 24.0, "{place:?}");
                        assert!(x >= 0.0 && x + w <= width + 1.0 && y + h <= high, "{place:?}");
                        for other in &places[..n] {
                            let [ox, oy, ow, oh] = other.at;
                            let is_beside = ox + ow <= x || x + w <= ox;
                            let is_apart = is_beside || oy + oh <= y || y + h <= oy;
                            assert!(is_apart, "{width}: {place:?} {other:?}");
                        }
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
