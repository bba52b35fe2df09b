//! A group of swap devices that serve in turn, as a ring; and the list of devices as a row. A disc
//! is a device: its number inside, its fill as an arc around it.

use super::sketch::{Face, Paint, Sketch, Stroke, length};
use chart::Ink;
use std::f64::consts::TAU;

/// A device's disc.
pub const DISC: f64 = 10.0;
/// From the ring to the end of the marks outside it.
const OUTSIDE: f64 = 25.0;
/// From one mark of a CPU to the next.
const MARK_STEP: f64 = 3.2;

/// A device on a ring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bead {
    /// Its number.
    pub number: usize,
    /// What of it is used, 0 to 1.
    pub share: f64,
    /// CPUs that take their next page there.
    pub cpus: u32,
}

/// The radius of a ring of so many devices.
fn radius(devices: usize) -> f64 {
    (devices as f64 * 26.0 / TAU).max(36.0)
}

/// The side of the square that a ring needs.
#[must_use]
pub fn side(devices: usize) -> f64 {
    2.0 * (radius(devices) + OUTSIDE)
}

/// Most CPUs of a device that have a mark each on a ring of so many devices.
#[must_use]
pub fn marks_max(devices: usize) -> u32 {
    let sector = TAU / devices.max(1) as f64 * 0.85;
    (sector * (radius(devices) + 19.0) / MARK_STEP) as u32
}

/// Draws a ring in the square whose upper left corner is at x, y. Devices serve clockwise.
pub fn ring(sketch: &mut Sketch, beads: &[Bead], [x, y]: [f64; 2]) {
    let r = radius(beads.len());
    let middle = [x + r + OUTSIDE, y + r + OUTSIDE];
    sketch.circles(&[middle], r, Paint::None, Some(Stroke::new(Ink::Line2, 1.25)));
    turn(sketch, middle);
    let most = beads.iter().map(|bead| bead.cpus).max().unwrap_or(0);
    let step = TAU / beads.len().max(1) as f64;
    for (n, bead) in beads.iter().enumerate() {
        let angle = n as f64 * step;
        disc(sketch, bead.number, bead.share, on(middle, r, angle));
        cursors(sketch, bead.cpus, most, [middle[0], middle[1], r, angle, step]);
    }
}

/// The point of a circle at an angle, clockwise from the top.
fn on([x, y]: [f64; 2], r: f64, angle: f64) -> [f64; 2] {
    let (sin, cos) = libm::sincos(angle);
    [x + r * sin, y - r * cos]
}

/// An arc of a circle from an angle over a length of it.
fn arc(middle: [f64; 2], r: f64, from: f64, over: f64) -> String {
    let over = over.min(TAU - 0.001);
    let [[ax, ay], [bx, by]] =
        [on(middle, r, from), on(middle, r, from + over)].map(|p| p.map(length));
    let large = u8::from(over > TAU / 2.0);
    let r = length(r);
    format!("M{ax} {ay}A{r} {r} 0 {large} 1 {bx} {by}")
}

/// The sign that a ring goes clockwise.
fn turn(sketch: &mut Sketch, middle: [f64; 2]) {
    let path = arc(middle, 7.0, 0.6, TAU * 0.75);
    let [x, y] = on(middle, 7.0, 0.6 + TAU * 0.75).map(length);
    let head = format!("M{x} {y}m-4-1l4 1l0 4.5");
    sketch.path(path + &head, Paint::None, Some(Stroke::new(Ink::Line2, 1.25)));
}

/// A device's disc around a point.
pub fn disc(sketch: &mut Sketch, number: usize, share: f64, middle: [f64; 2]) {
    let is_full = share >= 1.0;
    let stroke = Stroke::new(Ink::Line2, 1.25);
    sketch.circles(&[middle], DISC, Paint::Ink(Ink::Bg), Some(stroke));
    if share > 0.0 {
        let path = arc(middle, DISC - 0.5, 0.0, share.min(1.0) * TAU);
        let width = if is_full { 5.0 } else { 3.5 };
        sketch.path(path, Paint::None, Some(Stroke::new(Ink::Mem, width)));
    }
    let [x, y] = middle;
    sketch.text_middle(x, y + 4.0, number.to_string(), Face::BOLD);
}

/// The CPUs that go on at a device, outside the ring: a mark each, or an arc that is the longer the
/// more they are, where the device with the most of them has too many for marks.
fn cursors(sketch: &mut Sketch, cpus: u32, most: u32, [x, y, r, angle, step]: [f64; 5]) {
    if cpus == 0 {
        return;
    }
    let middle = [x, y];
    let devices = (TAU / step).round() as usize;
    if most > marks_max(devices) {
        let over = step * 0.85 * f64::from(cpus) / f64::from(most);
        let path = arc(middle, r + 18.5, angle - over / 2.0, over);
        return sketch.path(path, Paint::None, Some(Stroke::new(Ink::Ink2, 6.0)));
    }
    let each = MARK_STEP / (r + 19.0);
    let first = angle - each * f64::from(cpus - 1) / 2.0;
    let mut path = String::new();
    for n in 0..cpus {
        let at = first + each * f64::from(n);
        let [[ax, ay], [bx, by]] =
            [on(middle, r + 15.0, at), on(middle, r + 22.0, at)].map(|p| p.map(length));
        path.push_str(&format!("M{ax} {ay}L{bx} {by}"));
    }
    sketch.path(path, Paint::None, Some(Stroke::new(Ink::Ink2, 1.5)));
}

/// From one device of the list to the next.
const LINK: f64 = 36.0;

/// The height of a list of so many devices.
#[must_use]
pub fn list_height(devices: usize, width: f64) -> f64 {
    devices.max(1).div_ceil(per_line(width)) as f64 * 28.0
}

fn per_line(width: f64) -> usize {
    ((width / LINK) as usize).max(1)
}

/// Devices in the order in which they are asked, the first at the left; lines break where the
/// width ends. `breaks` says of each whether it begins a group of lower priority.
pub fn list(sketch: &mut Sketch, beads: &[(Bead, bool)], [x, y, width]: [f64; 3]) {
    let each_line = per_line(width);
    for (n, &(bead, breaks)) in beads.iter().enumerate() {
        let left = x + (n % each_line) as f64 * LINK;
        let middle = y + (n / each_line) as f64 * 28.0 + 14.0;
        if n % each_line > 0 {
            let [from, to] = [left - LINK + 2.0 * DISC + 3.0, left - 2.0];
            if breaks {
                let at = (from + to) / 2.0;
                let bar = Stroke::new(Ink::Line2, 2.0);
                sketch.line(&[[at, middle - 9.0], [at, middle + 9.0]], bar);
            } else {
                sketch.line(&[[from, middle], [to, middle]], Stroke::new(Ink::Line2, 1.25));
            }
        }
        disc(sketch, bead.number, bead.share, [left + DISC, middle]);
    }
    if beads.is_empty() {
        sketch.text(x, y + 18.0, "no device has room", Face::BOLD);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::sketch::Shape;

    fn marks(cpus: u32, devices: usize) -> (usize, usize) {
        let beads: Vec<_> = (0..devices).map(|number| Bead { number, share: 0.5, cpus }).collect();
        let mut sketch = Sketch::default();
        ring(&mut sketch, &beads, [0.0, 0.0]);
        let count = |width: f64, sign: char| {
            let of = |shape: &&Shape| match shape {
                Shape::Path(path, _, Some(stroke)) if stroke.width == width => {
                    path.matches(sign).count()
                }
                _ => 0,
            };
            sketch.flat().iter().map(of).sum()
        };
        (count(1.5, 'L'), count(6.0, 'A'))
    }

    #[test]
    fn a_cpu_has_a_mark_while_marks_fit_and_then_a_share_of_an_arc() {
        assert_eq!(marks(2, 4), (8, 0));
        assert_eq!(marks(512, 8), (0, 8));
        assert_eq!(marks(0, 4), (0, 0));
    }

    #[test]
    fn a_ring_grows_with_its_devices() {
        assert!(side(16) > side(2) && side(16) < 200.0, "{}", side(16));
        assert!(marks_max(2) >= 16);
    }

    #[test]
    fn a_list_breaks_into_lines() {
        assert_eq!(list_height(16, 288.0), 56.0);
        assert_eq!(list_height(3, 288.0), 28.0);
        assert_eq!(list_height(0, 0.0), 28.0);
    }
}
