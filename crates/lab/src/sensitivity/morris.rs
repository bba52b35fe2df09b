//! Morris screening: random paths through the ranges of all constants at once, along which one
//! constant moves at a time. The mean of a constant's absolute effects says how much it matters,
//! their spread whether that hangs on the others.

use super::{Change, Measured, spread};
use catalog::{Constant, ConstantId};
use engine::Stream;

/// Levels of a range: its ends, and what lies a third and two thirds between.
const LEVELS: u64 = 4;
/// A step goes over half of the levels.
const STEP: u64 = LEVELS / 2;

/// One path: a point more than there are constants.
pub(super) struct Path {
    /// Every constant at each point.
    pub(super) points: Vec<Vec<Change>>,
    /// Which constant moved to get to point `i + 1`.
    pub(super) order: Vec<ConstantId>,
}

/// The paths; the same ones every time.
pub(super) fn paths(constants: &[&Constant], count: u32) -> Vec<Path> {
    (0..count).map(|number| path(constants, number)).collect()
}

fn path(constants: &[&Constant], number: u32) -> Path {
    let mut stream = Stream::new(1, "morris", number.into());
    let mut levels: Vec<u64> = constants.iter().map(|_| stream.below(LEVELS)).collect();
    let mut order: Vec<usize> = (0..constants.len()).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, stream.below(i as u64 + 1) as usize);
    }
    let point = |levels: &[u64]| -> Vec<Change> {
        constants.iter().zip(levels).map(|(c, &level)| (c.id, value(c, level))).collect()
    };
    let mut points = vec![point(&levels)];
    for &constant in &order {
        let level = &mut levels[constant];
        *level = if *level + STEP < LEVELS { *level + STEP } else { *level - STEP };
        points.push(point(&levels));
    }
    Path { points, order: order.into_iter().map(|i| constants[i].id).collect() }
}

/// The value of a constant at a level of its range.
fn value(constant: &Constant, level: u64) -> u64 {
    constant.low + (constant.high - constant.low) * level / (LEVELS - 1)
}

/// Mean absolute effect of a constant, and the spread of its effects, as shares of the result as it
/// is; nothing where the result or the constant was not screened.
pub(super) fn screen(
    paths: &[Path],
    constant: ConstantId,
    measured: &Measured,
) -> Option<(f64, f64)> {
    if paths.is_empty() || measured.screened.is_empty() || measured.base == 0.0 {
        return None;
    }
    let mut effects = Vec::new();
    let mut from = 0;
    for path in paths {
        let step = path.order.iter().position(|&other| other == constant)?;
        let (before, after) = (measured.screened[from + step], measured.screened[from + step + 1]);
        effects.push((after - before) / measured.base);
        from += path.points.len();
    }
    let mean = effects.iter().map(|effect| effect.abs()).sum::<f64>() / effects.len() as f64;
    Some((mean, spread(&effects)))
}

#[cfg(test)]
mod tests {
    use super::super::varied;
    use super::*;

    #[test]
    fn a_path_moves_every_constant_once_within_its_range() {
        let constants: Vec<&Constant> = varied().collect();
        for path in paths(&constants, 3) {
            assert_eq!(path.points.len(), constants.len() + 1);
            for (pair, &moved) in path.points.windows(2).zip(&path.order) {
                for (i, c) in constants.iter().enumerate() {
                    let ((id, a), (_, b)) = (pair[0][i], pair[1][i]);
                    assert!(id == c.id && (c.low..=c.high).contains(&b), "{}", c.name);
                    assert!(id == moved || a == b, "{} moved too", c.name);
                }
            }
        }
    }
}
