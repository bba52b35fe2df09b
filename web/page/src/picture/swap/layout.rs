//! Where the parts of swap stand, and which of them can be asked about.

use crate::picture::node::Place;
use crate::picture::ring;
use report::view::{SwapDeviceView, SwapView};
use report::why::Subject;
use report::wire::Header;

pub(super) const ZSWAP: f64 = 28.0;
pub(super) const GATE: f64 = 32.0;
pub(super) const HEAD: f64 = 24.0;
/// The height of a device in one line, and in two.
pub(super) const LINE: f64 = 24.0;
pub(super) const LINES: f64 = 38.0;
/// Where a gate or a list begins, right of its name.
pub(super) const GATE_NAME: f64 = 116.0;

/// Devices that are asked in turn, or several that are asked one after the other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Section {
    /// The place of the group, the first one's if there are several.
    pub(super) group: u32,
    /// The devices, by number.
    pub(super) members: Vec<usize>,
    /// Whether they are peers.
    pub(super) are_peers: bool,
    /// Whether a ring is drawn.
    pub(super) is_ring: bool,
    pub(super) top: f64,
    /// Where the first device begins, and how wide and high each is.
    pub(super) rows: [f64; 4],
    pub(super) columns: usize,
    pub(super) height: f64,
}

/// Where everything stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    pub(super) zswap: Option<f64>,
    pub(super) gate: f64,
    pub(super) locks: f64,
    /// Where the list of devices stands, for allocators that have one.
    pub(super) list: Option<f64>,
    pub(super) sections: Vec<Section>,
    pub(super) width: f64,
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

pub(super) fn is_narrow(width: f64) -> bool {
    width < 480.0
}

/// The width that the list of devices has beside its name, or below it.
pub(super) fn list_width(width: f64) -> f64 {
    if is_narrow(width) { width } else { width - GATE_NAME }
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
    pub(super) fn row(&self, n: usize) -> [f64; 4] {
        let [left, top, wide, high] = self.rows;
        let lines = self.members.len().div_ceil(self.columns);
        let (column, line) = (n / lines.max(1), n % lines.max(1));
        let across = left + column as f64 * (wide + 16.0);
        [across, self.top + top + line as f64 * high, wide, high]
    }
}

/// Where si->lock and ci->lock stand.
pub(super) fn lock_places(layout: &Layout) -> [[f64; 4]; 2] {
    let (width, y) = (layout.width, layout.locks);
    match is_narrow(width) {
        true => [[0.0, y, width, LINE], [0.0, y + LINE, width, LINE]],
        false => {
            let half = (width / 2.0).floor();
            [[0.0, y, half - 8.0, LINE], [half, y, width - half, LINE]]
        }
    }
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

    #[test]
    fn what_can_be_asked_about_lies_apart_and_in_the_drawing() {
        for design in ["ring", "device-plist"] {
            for (count, groups) in [(1, 1), (4, 2), (8, 1), (16, 1), (16, 16)] {
                for width in [288.0, 420.0, 728.0, 1_100.0] {
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
}
