//! Text beside a strip, moved apart so that no two lines cover each other.

use crate::theme::Ink;

/// One line of text at a height.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The middle of the line, in pixels from the upper edge of the strip.
    pub y: f64,
    /// What it says.
    pub text: String,
    /// Its colour.
    pub ink: Ink,
    /// Whether it is set in bold.
    pub bold: bool,
    /// Which stays when there is no room for all: the larger.
    pub weight: u8,
}

impl Label {
    /// A plain label.
    #[must_use]
    pub fn new(y: f64, text: impl Into<String>, ink: Ink) -> Self {
        Self { y, text: text.into(), ink: ink.for_text(), bold: false, weight: 1 }
    }

    /// The same in bold, and kept before plain ones.
    #[must_use]
    pub fn bold(mut self) -> Self {
        self.bold = true;
        self.weight = 2;
        self
    }
}

/// The height of a line of text, in pixels.
pub const LINE: f64 = 12.0;

/// The numbers of some keys in ascending order of the keys; equal ones keep their order. One
/// function for all short lists: each sort by a closure of its own would bring its own code.
#[must_use]
pub fn order(keys: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::with_capacity(keys.len());
    for n in 0..keys.len() {
        let before = order.iter().rposition(|&other| keys[other].total_cmp(&keys[n]).is_le());
        order.insert(before.map_or(0, |at| at + 1), n);
    }
    order
}

/// Moves labels apart by [`LINE`] within `low..=high`, as little as it takes; those of least weight
/// go when there is no room. They come back in order of height.
#[must_use]
pub fn spread(mut labels: Vec<Label>, low: f64, high: f64) -> Vec<Label> {
    let room = ((high - low) / LINE).max(0.0) as usize + 1;
    while labels.len() > room {
        let least = labels.iter().map(|l| l.weight).min().unwrap_or(0);
        // Of several, the one nearest to another: it says the least by its place.
        let crowded = |n: &usize| {
            let others = labels.iter().enumerate().filter(|(other, _)| other != n);
            let near = others.map(|(_, l)| (l.y - labels[*n].y).abs()).fold(f64::MAX, f64::min);
            (near * 16.0) as u64
        };
        let candidates = (0..labels.len()).filter(|&n| labels[n].weight == least);
        match candidates.min_by_key(crowded) {
            Some(n) => labels.remove(n),
            None => break,
        };
    }
    let heights: Vec<f64> = labels.iter().map(|label| label.y).collect();
    let mut labels: Vec<Label> = order(&heights).into_iter().map(|n| labels[n].clone()).collect();
    let mut floor = low;
    for label in &mut labels {
        label.y = label.y.clamp(floor, high.max(floor));
        floor = label.y + LINE;
    }
    let mut ceiling = high;
    for label in labels.iter_mut().rev() {
        label.y = label.y.min(ceiling);
        ceiling = label.y - LINE;
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(heights: &[f64]) -> Vec<Label> {
        heights.iter().map(|&y| Label::new(y, format!("{y}"), Ink::Ink)).collect()
    }

    fn heights(labels: &[Label]) -> Vec<f64> {
        labels.iter().map(|l| l.y).collect()
    }

    #[test]
    fn equal_keys_keep_their_order() {
        assert_eq!(order(&[3.0, 1.0, 2.0, 1.0, -0.5]), [4, 1, 3, 2, 0]);
        assert!(order(&[]).is_empty());
    }

    #[test]
    fn labels_that_have_room_stay() {
        assert_eq!(heights(&spread(at(&[40.0, 0.0, 20.0]), 0.0, 60.0)), [0.0, 20.0, 40.0]);
    }

    #[test]
    fn labels_move_apart_and_stay_within() {
        let got = spread(at(&[59.0, 60.0, 58.0]), 0.0, 60.0);
        assert_eq!(heights(&got), [36.0, 48.0, 60.0]);
        assert_eq!(got[0].text, "58");
    }

    #[test]
    fn the_lightest_and_most_crowded_goes_first() {
        let mut labels = at(&[0.0, 10.0, 11.0, 30.0]);
        labels[2] = labels[2].clone().bold();
        let got = spread(labels, 0.0, 24.0);
        let texts: Vec<_> = got.iter().map(|l| l.text.as_str()).collect();
        assert_eq!(texts, ["0", "11", "30"]);
        assert!(spread(at(&[1.0; 9]), 0.0, 0.0).len() == 1);
    }
}
