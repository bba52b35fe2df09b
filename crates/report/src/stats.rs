//! Means, spreads and intervals over replications, and where a warm-up ends.

use serde::{Deserialize, Serialize};

/// Mean and standard deviation of one figure over replications.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation between replications; 0 with one.
    pub sd: f64,
    /// How many replications.
    pub n: u64,
}

impl Spread {
    /// Of these values.
    #[must_use]
    pub fn of(values: &[f64]) -> Self {
        let n = values.len();
        if n == 0 {
            return Self::default();
        }
        // Equal values have no spread, whatever their sum is rounded to.
        if values.iter().all(|v| *v == values[0]) {
            return Self { mean: values[0], sd: 0.0, n: n as u64 };
        }
        let mean = values.iter().sum::<f64>() / n as f64;
        let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
        let sd = if n > 1 { (squares / (n - 1) as f64).sqrt() } else { 0.0 };
        Self { mean, sd, n: n as u64 }
    }

    /// Half the width of the 95 % interval of the mean (Student's t); nothing with one replication.
    #[must_use]
    pub fn half_width(&self) -> Option<f64> {
        (self.n > 1).then(|| student_t(self.n - 1) * self.sd / (self.n as f64).sqrt())
    }
}

/// The harmonic mean, which is that of rates; 0 when one of them is not above 0.
#[must_use]
pub fn harmonic_mean(values: &[f64]) -> f64 {
    if values.is_empty() || values.iter().any(|v| *v <= 0.0) {
        return 0.0;
    }
    values.len() as f64 / values.iter().map(|v| 1.0 / v).sum::<f64>()
}

/// The 97.5 % point of Student's t with this many degrees of freedom, to a thousandth.
#[must_use]
pub fn student_t(df: u64) -> f64 {
    const SMALL: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
        2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
        2.052, 2.048, 2.045, 2.042,
    ];
    match usize::try_from(df) {
        Ok(0) => f64::INFINITY,
        Ok(df) if df <= SMALL.len() => SMALL[df - 1],
        // Cornish and Fisher's first terms around the normal's 1.95996.
        _ => {
            let (z, df) = (1.959_964, df as f64);
            z + (z * z * z + z) / (4.0 * df)
                + (5.0 * z * z * z * z * z + 16.0 * z * z * z + 3.0 * z) / (96.0 * df * df)
        }
    }
}

/// Values of a batch.
const BATCH: usize = 5;

/// How many of the first values belong to the warm-up by MSER-5 (White, Cobb and Spratt, 2000): of
/// all cuts in the first half, at batches of five, the one after which the squared standard error
/// of the mean of the batches is least. Nothing when there are too few values, or when the best cut
/// is the last one that was tried: then no end of the warm-up is in sight.
#[must_use]
pub fn mser5(values: &[f64]) -> Option<usize> {
    let means: Vec<f64> =
        values.chunks_exact(BATCH).map(|b| b.iter().sum::<f64>() / BATCH as f64).collect();
    let last = means.len() / 2;
    if last < 2 {
        return None;
    }
    // From the end, so that one pass has all sums.
    let (mut sum, mut squares) = (0.0, 0.0);
    let mut best = (f64::INFINITY, 0);
    for (at, mean) in means.iter().enumerate().rev() {
        sum += mean;
        squares += mean * mean;
        let n = (means.len() - at) as f64;
        let error = (squares - sum * sum / n).max(0.0) / (n * n);
        // Of equal cuts the earlier one, which keeps more.
        if at <= last && error <= best.0 {
            best = (error, at);
        }
    }
    (best.1 < last).then_some(best.1 * BATCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_and_intervals_are_the_textbooks() {
        let s = Spread::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert!((s.mean - 5.0).abs() < 1e-12 && (s.sd - 2.138_089_9).abs() < 1e-6);
        let half = s.half_width().expect("eight values");
        assert!((half - 2.365 * 2.138_089_9 / 8f64.sqrt()).abs() < 1e-6);
        assert_eq!(Spread::of(&[1.0]).half_width(), None);
        assert_eq!(Spread::of(&[905.216; 20]), Spread { mean: 905.216, sd: 0.0, n: 20 });
        assert!((student_t(60) - 2.000).abs() < 0.001 && (student_t(120) - 1.980).abs() < 0.001);
        assert!((harmonic_mean(&[40.0, 60.0]) - 48.0).abs() < 1e-12);
        assert_eq!(harmonic_mean(&[40.0, 0.0]), 0.0);
    }

    #[test]
    fn the_end_of_a_warm_up_is_found() {
        // A level with a ripple, behind 30 values that climb to it.
        let ripple = |i: usize| [0.0, 1.0, -1.0, 0.5, -0.5, 0.2, -0.7][i % 7];
        let climbs: Vec<f64> =
            (0..200).map(|i| 100.0 - 3.0 * 30usize.saturating_sub(i) as f64 + ripple(i)).collect();
        let cut = mser5(&climbs).expect("an end");
        assert!((25..=35).contains(&cut), "{cut}");
        let level: Vec<f64> = (0..200).map(ripple).collect();
        assert!(mser5(&level).is_some_and(|cut| cut <= 15));
        let rises: Vec<f64> = (0..200).map(|i| i as f64).collect();
        assert_eq!(mser5(&rises), None, "no end is in sight");
        assert_eq!(mser5(&level[..15]), None);
        assert_eq!(mser5(&[7.0; 100]), Some(0));
    }
}
