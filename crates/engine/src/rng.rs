//! Random streams: one a consumer, by label, from a generator that is the same everywhere.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

/// A stream of random numbers that belongs to one consumer.
///
/// Streams with different labels or indices are independent, so a consumer that draws more does not
/// shift what another one sees: arms of a comparison keep common random numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// The stream `label`, number `index`, of a run with this seed.
    #[must_use]
    pub fn new(seed: u64, label: &str, index: u64) -> Self {
        // FNV-1a over the label, then seed and index by multiplication: the generator's own seeding
        // (SplitMix64) spreads the result.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in label.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        let mixed = hash
            ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17)
            ^ index.wrapping_mul(0xd1b5_4a32_d192_ed03).rotate_left(41);
        Self(Xoshiro256PlusPlus::seed_from_u64(mixed))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `n` (0 when `n` is 0), each equally likely to within 2^-32 for `n` < 2^32. It
    /// takes one number from the stream, whatever `n` is.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        upper_half(self.bits(), n)
    }
}

/// The upper 64 bits of the product.
#[inline]
fn upper_half(bits: u64, n: u64) -> u64 {
    // The same in two products of 64 bits where `n` allows it: one of 128 is a call in wasm.
    if n < 1 << 32 {
        let (high, low) = (bits >> 32, bits & 0xffff_ffff);
        return (high * n + ((low * n) >> 32)) >> 32;
    }
    ((u128::from(bits) * u128::from(n)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_same_everywhere() {
        let mut s = Stream::new(1, "device", 3);
        let first: Vec<u64> = (0..3).map(|_| s.bits()).collect();
        let mut again = Stream::new(1, "device", 3);
        assert_eq!(first, (0..3).map(|_| again.bits()).collect::<Vec<_>>());
        for other in
            [Stream::new(2, "device", 3), Stream::new(1, "devicf", 3), Stream::new(1, "device", 4)]
        {
            assert_ne!(other, Stream::new(1, "device", 3));
        }
    }

    #[test]
    fn both_ways_to_multiply_agree() {
        let mut s = Stream::new(9, "test", 0);
        for shift in 0..64 {
            for n in [u64::MAX >> shift, s.bits() >> shift, 1 << 32, (1 << 32) - 1] {
                for bits in [s.bits(), u64::MAX, 0, 0xffff_ffff, 1 << 32] {
                    let exact = (u128::from(bits) * u128::from(n)) >> 64;
                    assert_eq!(u128::from(upper_half(bits, n)), exact);
                }
            }
        }
    }

    #[test]
    fn below_is_even() {
        let mut s = Stream::new(7, "test", 0);
        let mut counts = [0u32; 10];
        for _ in 0..100_000 {
            counts[s.below(10) as usize] += 1;
        }
        assert!(counts.iter().all(|&n| (9_500..10_500).contains(&n)), "{counts:?}");
        assert_eq!(s.below(0), 0);
    }
}
