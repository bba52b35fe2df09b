//! Swap devices as tanks, those of one group of peers in a band, the first band asked first; on
//! each the CPUs that go on there, beside it its requests; zswap before them, the lock below.

use super::gate;
use super::sketch::{Face, Paint, Sketch, Stroke, half, width};
use chart::{Ink, words};
use report::view::{SwapDeviceView, SwapView};
use report::wire::SwapHeader;

/// From one tank to the next.
const PITCH: f64 = 72.0;
const TANK: f64 = 30.0;
const HEAD: f64 = 20.0;
/// Marks above a tank and words below it.
const AROUND: f64 = 44.0;
const GATE: f64 = 30.0;
/// Most CPUs that are drawn one by one.
const DOTS_MAX: u32 = 6;

/// Where everything stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// The devices of each band, by number.
    bands: Vec<Vec<usize>>,
    columns: usize,
    tank: f64,
    has_zswap: bool,
    /// The height of all.
    pub height: f64,
}

impl Layout {
    /// For these devices on so much width.
    #[must_use]
    pub fn new(view: &SwapView, width: f64) -> Self {
        let groups = view.devices.iter().map(|d| d.group as usize + 1).max().unwrap_or(0);
        let mut bands = vec![Vec::new(); groups.min(view.devices.len())];
        for (n, device) in view.devices.iter().enumerate() {
            if let Some(band) = bands.get_mut(device.group as usize) {
                band.push(n);
            }
        }
        let columns = ((width / PITCH) as usize).max(1);
        // Many devices are low, so that all are seen.
        let tank = if view.devices.len() > 8 { 24.0 } else { 48.0 };
        let has_zswap = view.zswap[2] > 0;
        let band = |b: &Vec<usize>| HEAD + b.len().div_ceil(columns) as f64 * (tank + AROUND);
        let zswap = if has_zswap { 28.0 } else { 0.0 };
        let height = zswap + bands.iter().map(band).sum::<f64>() + GATE;
        Self { bands, columns, tank, has_zswap, height }
    }
}

/// Draws them.
#[must_use]
pub fn draw(header: &[SwapHeader], view: &SwapView, width: f64) -> Sketch {
    let layout = Layout::new(view, width);
    let mut sketch = Sketch::default();
    let mut y = 0.0;
    if layout.has_zswap {
        sketch.group(|sketch| zswap(sketch, view.zswap, width));
        y += 28.0;
    }
    for (n, band) in layout.bands.iter().enumerate() {
        sketch.hairline(0.0, width, y + 0.5);
        sketch.text(0.0, y + 15.0, title(n, layout.bands.len()), Face::BOLD);
        sketch.text_end(width, y + 15.0, priorities(header, band), Face::PLAIN);
        y += HEAD;
        for row in band.chunks(layout.columns) {
            for (i, &d) in row.iter().enumerate() {
                let (Some(fixed), Some(now)) = (header.get(d), view.devices.get(d)) else {
                    continue;
                };
                let place = [i as f64 * PITCH, y, layout.tank];
                sketch.group(|sketch| tank(sketch, d, fixed, now, place));
            }
            y += layout.tank + AROUND;
        }
    }
    if let Some(lock) = &view.lock {
        sketch.hairline(0.0, width, y + 0.5);
        sketch.text(0.0, y + 19.0, lock.name.as_str(), Face::MONO);
        sketch.group(|sketch| gate::line(sketch, lock, 0, [112.0, width], y + 15.0));
    }
    sketch
}

fn title(band: usize, bands: usize) -> &'static str {
    match (band, bands) {
        (_, 1) => "Swap devices, all peers",
        (0, _) => "Asked first",
        (n, all) if n + 1 == all => "Last",
        _ => "Then",
    }
}

/// The priorities of a band: `priority 100` or `priorities 90 to 100`.
fn priorities(header: &[SwapHeader], band: &[usize]) -> String {
    let all = || band.iter().filter_map(|&d| header.get(d)).map(|h| h.priority);
    match (all().min(), all().max()) {
        (Some(a), Some(b)) if a == b => format!("priority {a}"),
        (Some(a), Some(b)) => format!("peers, priorities {a} to {b}"),
        _ => String::new(),
    }
}

fn zswap(sketch: &mut Sketch, [pages, bytes, max]: [u64; 3], to: f64) {
    sketch.text(0.0, 15.0, "zswap", Face::MONO_BOLD);
    let words = format!("{} pages in {}", words::decimal(pages as f64), memory(bytes));
    let (from, room) = (56.0, width(&words, Face::PLAIN) + 8.0);
    sketch.text_end(to, 15.0, words, Face::PLAIN);
    let long = (to - from - room).max(8.0);
    let place = [from + 0.5, 5.5, long, 12.0];
    sketch.boxed(place, Paint::Ink(Ink::Bg2), Stroke::new(Ink::Line2, 1.0));
    let share = (bytes as f64 / max.max(1) as f64).min(1.0);
    let rest = half((long - 1.0) * share);
    sketch.rect([from + 1.0, 6.0, rest, 11.0], Paint::Ink(Ink::Mem));
}

fn tank(
    sketch: &mut Sketch,
    number: usize,
    fixed: &SwapHeader,
    now: &SwapDeviceView,
    [x, y, height]: [f64; 3],
) {
    let top = y + 12.0;
    let place = [x + 0.5, top + 0.5, TANK, height];
    sketch.boxed(place, Paint::Ink(Ink::Bg2), Stroke::new(Ink::Line2, 1.0));
    let deep = half((height - 1.0) * share(fixed, now));
    sketch.rect([x + 1.0, top + height - deep, TANK - 1.0, deep], Paint::Ink(Ink::Mem));
    // The CPUs that go on here stand on its rim.
    if now.cpus > DOTS_MAX {
        sketch.text(x, y + 9.0, format!("{} CPUs", now.cpus), Face::PLAIN);
    } else {
        let dots: Vec<[f64; 2]> =
            (0..now.cpus).map(|n| [x + 3.5 + 5.0 * f64::from(n), y + 6.0]).collect();
        sketch.circles(&dots, 2.0, Paint::Ink(Ink::Accent), None);
    }
    let percent = format!("{:.0} %", share(fixed, now) * 100.0);
    sketch.text(x + TANK + 4.0, top + 10.0, percent, Face::PLAIN);
    if now.busy > 0 {
        sketch.text(x + TANK + 4.0, top + 23.0, format!("{} I/O", now.busy), Face::PLAIN);
    }
    let kind = fixed.name.split(['-', ' ']).next().unwrap_or_default();
    sketch.text(x, top + height + 14.0, format!("{number} {kind}"), Face::MONO);
    if let Some(left) = now.left.checked_div(now.cpus) {
        sketch.text(x, top + height + 27.0, format!("{left} left"), Face::PLAIN);
    }
}

fn memory(bytes: u64) -> String {
    words::pages(bytes / 4_096)
}

fn share(fixed: &SwapHeader, now: &SwapDeviceView) -> f64 {
    (now.used as f64 / fixed.pages.max(1) as f64).min(1.0)
}

/// The same in sentences.
#[must_use]
pub fn sentences(header: &[SwapHeader], view: &SwapView) -> String {
    let one = |(fixed, now): (&SwapHeader, &SwapDeviceView)| {
        format!(
            "{}, priority {}, group {}: {:.0} percent used, {} requests under way, {} CPUs go on \
             there.",
            fixed.name,
            fixed.priority,
            now.group + 1,
            share(fixed, now) * 100.0,
            now.busy,
            now.cpus
        )
    };
    let mut all: Vec<String> = header.iter().zip(&view.devices).map(one).collect();
    if view.zswap[2] > 0 {
        let [pages, bytes, max] = view.zswap;
        all.push(format!("zswap holds {pages} pages in {} of {}.", memory(bytes), memory(max)));
    }
    if let Some(lock) = &view.lock {
        all.push(format!("{}: {}, {} wait.", lock.name, gate::state(lock, 0, false), lock.waiters));
    }
    all.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::view::LockView;

    fn swap(count: u32, groups: u32) -> (Vec<SwapHeader>, SwapView) {
        let header = |n: u32| SwapHeader {
            name: format!("zram-lzo-rle {n}"),
            pages: 1_000,
            priority: 100 - n as i32,
        };
        let device = |n: u32| SwapDeviceView {
            used: u64::from(n) * 60,
            busy: n % 3,
            group: n % groups,
            cpus: n,
            left: n * 300,
        };
        let lock = LockView {
            name: "swap_avail_lock".into(),
            holder: None,
            held_ns: 0,
            hold_ns: 0,
            queue: Vec::new(),
            waiters: 0,
        };
        let devices = (0..count).map(device).collect();
        let view = SwapView { devices, zswap: [5, 4 << 20, 8 << 20], lock: Some(lock) };
        ((0..count).map(header).collect(), view)
    }

    #[test]
    fn every_device_is_seen_at_every_width() {
        for (count, groups, width) in [(1, 1, 288.0), (16, 1, 288.0), (16, 16, 720.0), (4, 2, 0.0)]
        {
            let (header, view) = swap(count, groups);
            let layout = Layout::new(&view, width);
            let sketch = draw(&header, &view, width);
            let texts = sketch.texts();
            for n in 0..count {
                let name = format!("{n} zram");
                assert!(texts.contains(&name.as_str()), "{name} of {count} at {width}: {texts:?}");
            }
            assert!(layout.height < 2_000.0, "{}", layout.height);
        }
    }

    #[test]
    fn peers_share_a_band_and_words_say_the_same() {
        let (header, view) = swap(4, 2);
        let texts = draw(&header, &view, 600.0);
        let texts = texts.texts();
        assert!(texts.contains(&"Asked first") && texts.contains(&"Last"), "{texts:?}");
        assert!(texts.contains(&"peers, priorities 98 to 100"), "{texts:?}");
        let said = sentences(&header, &view);
        assert!(said.contains("zram-lzo-rle 3, priority 97, group 2: 18 percent used"), "{said}");
        assert!(said.ends_with("swap_avail_lock: free, 0 wait."), "{said}");
    }
}
