//! 64 bits over everything that was dispatched, in order.

use units::{EntityId, SimTime};

/// A running digest: two runs that dispatched the same events have the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }
}

/// Odd multipliers with well spread bits.
const M1: u64 = 0xff51_afd7_ed55_8ccd;
const M2: u64 = 0xc4ce_b9fe_1a85_ec53;

impl Digest {
    /// Takes in one event.
    #[inline]
    pub fn event(&mut self, time: SimTime, rank: u8, entity: EntityId, kind: u16, payload: u64) {
        let what = (u64::from(kind) << 48) | (u64::from(rank) << 40) | u64::from(entity.0);
        let a = (self.0 ^ time.as_nanos()).wrapping_mul(M1).rotate_left(29) ^ what;
        self.0 = a.wrapping_mul(M2).rotate_left(31) ^ payload;
    }

    /// Takes in one number: for digests of sets and of states.
    pub fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(M1).rotate_left(29).wrapping_mul(M2);
    }

    /// The value so far, mixed once more so that the last event reaches every bit.
    #[must_use]
    pub fn value(self) -> u64 {
        let a = (self.0 ^ (self.0 >> 33)).wrapping_mul(M1);
        let b = (a ^ (a >> 33)).wrapping_mul(M2);
        b ^ (b >> 33)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(events: &[(u64, u8, u32, u16, u64)]) -> u64 {
        let mut d = Digest::default();
        for &(t, r, e, k, p) in events {
            d.event(SimTime::from_nanos(t), r, EntityId(e), k, p);
        }
        d.value()
    }

    #[test]
    fn every_field_and_the_order_matter() {
        let base = [(1, 2, 3, 4, 5), (6, 7, 8, 9, 10)];
        let mut seen = std::collections::BTreeSet::from([of(&base)]);
        for field in 0..5 {
            let mut other = base;
            let e = &mut other[0];
            match field {
                0 => e.0 += 1,
                1 => e.1 += 1,
                2 => e.2 += 1,
                3 => e.3 += 1,
                _ => e.4 += 1,
            }
            assert!(seen.insert(of(&other)), "field {field} does not matter");
        }
        assert!(seen.insert(of(&[base[1], base[0]])), "order does not matter");
    }
}
