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

/// -ln(num / den) in 1/65,536 for 0 < num <= den, by binary logarithm bit by bit.
fn minus_ln(num: u64, den: u64) -> u32 {
    // log2(den / num): normalise the ratio to [1, 2) in 1.62 fixed point, then square repeatedly.
    let mut ratio = (u128::from(den) << 62) / u128::from(num);
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
    ((u128::from(log2) * LN2) >> (64 - FRACTION)) as u32
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
