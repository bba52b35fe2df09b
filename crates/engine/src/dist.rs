//! Integer samplers.

use crate::rng::Stream;
use std::sync::Arc;

/// Table entries of the exponential sampler.
const ENTRIES: usize = 4096;
/// Fraction bits of its entries.
const FRACTION: u32 = 16;

/// Exponentially distributed delays, by inverting the distribution over a fixed table.
///
/// Entry `i` holds -ln((i + 1/2) / 4096) in 1/65,536; the mean of the table is 1 to within 0.02 %,
/// the longest draw 9 times the mean. Clones share the table.
#[derive(Clone, Debug)]
pub struct Exponential {
    table: Arc<[u32; ENTRIES]>,
}

impl Default for Exponential {
    fn default() -> Self {
        let entry = |i| minus_ln(2 * i as u64 + 1, 2 * ENTRIES as u64);
        Self { table: Arc::new(std::array::from_fn(entry)) }
    }
}

impl Exponential {
    /// A draw with this mean, in the unit of the mean. It takes one number from the stream.
    #[inline]
    pub fn draw(&self, stream: &mut Stream, mean: u64) -> u64 {
        scaled(mean, self.table[(stream.bits() >> 52) as usize])
    }
}

/// `mean` times an entry of the table.
#[inline]
fn scaled(mean: u64, entry: u32) -> u64 {
    // Entries have at most 20 bits. A product of 128 bits is a call in wasm.
    if mean < 1 << 44 {
        return (mean * u64::from(entry)) >> FRACTION;
    }
    ((u128::from(mean) * u128::from(entry)) >> FRACTION) as u64
}

/// One in the fixed point of [`exp_neg`] and [`poisson`]: 32 fraction bits.
pub const ONE: u64 = 1 << 32;

/// e^-1/64 to the 0th to 64th power in 0.62 fixed point, by its series.
const POWERS: [u64; 65] = {
    let one = 1u128 << 62;
    let (mut sum, mut term, mut k) = (one as i128, one as i128, 1i128);
    while k < 12 {
        term = -term / (64 * k);
        sum += term;
        k += 1;
    }
    let mut powers = [0; 65];
    let (mut power, mut j) = (one, 0);
    while j < 65 {
        powers[j] = power as u64;
        power = (power * sum as u128) >> 62;
        j += 1;
    }
    powers
};

/// e^-n in 0.62 fixed point: from 32 on it is under 2^-46.
const WHOLE: [u64; 32] = {
    let mut whole = [0; 32];
    let (mut power, mut n) = (1u128 << 62, 0);
    while n < 32 {
        whole[n] = power as u64;
        power = (power * POWERS[64] as u128) >> 62;
        n += 1;
    }
    whole
};

/// e^-x of a number with 32 fraction bits, with 32 fraction bits itself.
#[must_use]
#[inline]
pub fn exp_neg(x: u64) -> u64 {
    let (n, f) = ((x >> 32) as usize, x & (ONE - 1));
    if n >= WHOLE.len() {
        return 0;
    }
    // What is left is under 1/64: four terms of the series are exact to 2^-28 of it.
    let r = f & ((1 << 26) - 1);
    let square = (r * r) >> 32;
    let rest = ONE - r + square / 2 - ((square * r) >> 32) / 6;
    let table = (u128::from(WHOLE[n]) * u128::from(POWERS[(f >> 26) as usize])) >> 62;
    ((table * u128::from(rest)) >> 62) as u64
}

/// How often something happened that happens `mean` times (with 32 fraction bits) on average, at
/// even odds at any moment: a Poisson count, `most` at most. It takes one number from the stream.
#[inline]
pub fn poisson(stream: &mut Stream, mean: u64, most: u32) -> u32 {
    let drawn = stream.bits() >> 32;
    let mut share = exp_neg(mean);
    let mut sum = share;
    let mut count = 0;
    while drawn >= sum && count < most {
        count += 1;
        share = ((u128::from(share) * u128::from(mean)) >> 32) as u64 / u64::from(count);
        sum += share;
    }
    count
}

/// -ln(num / den) in 1/65,536 for 0 < num <= den.
fn minus_ln(num: u64, den: u64) -> u32 {
    (ln_ratio(den, num) >> (32 - FRACTION)) as u32
}

/// ln(num / den) with 32 fraction bits for num >= den > 0, by binary logarithm bit by bit.
#[must_use]
pub fn ln_ratio(num: u64, den: u64) -> u64 {
    // log2(num / den): normalise the ratio to [1, 2) in 1.62 fixed point, then square repeatedly.
    let mut ratio = (u128::from(num) << 62) / u128::from(den);
    let mut log2 = 0u64;
    while ratio >= 2 << 62 {
        ratio >>= 1;
        log2 += 1 << 32;
    }
    for bit in (0..32).rev() {
        ratio = (ratio * ratio) >> 62;
        if ratio >= 2 << 62 {
            ratio >>= 1;
            log2 |= 1 << bit;
        }
    }
    // ln 2 in 0.32 fixed point.
    const LN2: u128 = 2_977_044_472;
    ((u128::from(log2) * LN2) >> 32) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_logarithm() {
        assert_eq!(minus_ln(1, 1), 0);
        // ln 2 = 0.693147..., ln 10 = 2.302585...
        assert!(minus_ln(1, 2).abs_diff(45_426) <= 1);
        assert!(minus_ln(1, 10).abs_diff(150_902) <= 1);
    }

    #[test]
    fn exp_neg_is_the_exponential() {
        assert_eq!(exp_neg(0), ONE);
        // e^-1 = 0.36787944, e^-0.01 = 0.99004983, e^-10 = 0.0000453999.
        assert!(exp_neg(ONE).abs_diff(1_580_030_169) < 8, "{}", exp_neg(ONE));
        assert!(exp_neg(ONE / 100).abs_diff(4_252_231_657) < 16, "{}", exp_neg(ONE / 100));
        assert!(exp_neg(10 * ONE).abs_diff(194_991) < 4, "{}", exp_neg(10 * ONE));
        assert_eq!(exp_neg(u64::MAX), 0);
        let mut last = ONE;
        for i in 0..4_000 {
            let now = exp_neg(i * (ONE / 128) + i);
            assert!(now <= last, "{i}");
            last = now;
        }
    }

    #[test]
    fn poisson_counts_have_the_mean_and_the_zeros() {
        let mut s = Stream::new(5, "test", 0);
        let n = 100_000u64;
        let counts: Vec<u32> = (0..n).map(|_| poisson(&mut s, 3 * ONE / 2, 50)).collect();
        let mean = counts.iter().map(|&c| u64::from(c)).sum::<u64>() * 1_000 / n;
        assert!(mean.abs_diff(1_500) < 15, "{mean}");
        let zeros = counts.iter().filter(|&&c| c == 0).count() as u64;
        // e^-1.5 = 22.3 %
        assert!((zeros * 1_000 / n).abs_diff(223) < 5, "{zeros}");
        assert_eq!(poisson(&mut s, 100 * ONE, 2), 2);
        assert_eq!(poisson(&mut s, 0, 2), 0);
    }

    #[test]
    fn both_ways_to_scale_agree() {
        let table = Exponential::default().table;
        assert!(table.iter().all(|&entry| entry < 1 << 20));
        for mean in [0, 1, 999, (1 << 44) - 1, 1 << 44, (1 << 44) + 1, u64::MAX >> 4] {
            for &entry in table.iter().step_by(64) {
                let exact = (u128::from(mean) * u128::from(entry)) >> FRACTION;
                assert_eq!(u128::from(scaled(mean, entry)), exact);
            }
        }
    }

    #[test]
    fn draws_have_the_mean_and_the_spread_of_an_exponential() {
        let exponential = Exponential::default();
        let mut s = Stream::new(3, "test", 0);
        let n = 200_000u64;
        let draws: Vec<u64> = (0..n).map(|_| exponential.draw(&mut s, 1_000_000)).collect();
        let mean = draws.iter().sum::<u64>() / n;
        assert!(mean.abs_diff(1_000_000) < 10_000, "{mean}");
        let above_mean = draws.iter().filter(|&&d| d > 1_000_000).count() as u64;
        // e^-1 = 36.8 %
        assert!((above_mean * 1000 / n).abs_diff(368) < 6, "{above_mean}");
    }
}
