//! Turning points of a sampled free count: how far it falls and rises between two balances.
//!
//! A point counts once the count has moved away from it by half the distance of low and high. The
//! first low and the first high point belong to the fill and are left out.

/// The turning points of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Turns {
    /// The low ones.
    pub(super) minima: Vec<u64>,
    /// The high ones.
    pub(super) maxima: Vec<u64>,
}

/// The turning points of samples from the first at or below `low`.
pub(super) fn turns(samples: &[u64], low: u64, high: u64) -> Turns {
    let start = samples.iter().position(|&free| free <= low).unwrap_or(samples.len());
    let mut all = zigzag(&samples[start..], (high - low) / 2);
    all.minima.drain(..all.minima.len().min(1));
    all.maxima.drain(..all.maxima.len().min(1));
    all
}

fn zigzag(samples: &[u64], least: u64) -> Turns {
    let mut turns = Turns::default();
    let Some(&first) = samples.first() else { return turns };
    let (mut bottom, mut top) = (first, first);
    // Whether it rises or falls is not known at first.
    let mut rises = None;
    for &free in samples {
        if rises != Some(false) {
            top = top.max(free);
        }
        if rises != Some(true) {
            bottom = bottom.min(free);
        }
        if rises != Some(false) && top - free >= least {
            turns.maxima.push(top);
            bottom = free;
            rises = Some(false);
        } else if rises != Some(true) && free - bottom >= least {
            turns.minima.push(bottom);
            top = free;
            rises = Some(true);
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_moves_are_no_turns_and_the_fill_is_left_out() {
        let samples = [900, 700, 395, 800, 500, 470, 490, 820, 810, 460, 900];
        // low 400, high 480: turns of 40 count; 470 to 490 is none.
        let all = turns(&samples, 400, 480);
        assert_eq!(all, Turns { minima: vec![470, 460], maxima: vec![820] });
        assert_eq!(turns(&[900, 800], 400, 480), Turns::default());
        assert_eq!(turns(&[], 400, 480), Turns::default());
    }
}
