//! The ledger: every constant of the model, with value, range, unit and source.
//!
//! A value that no source gives is called GUESS; one that was set so that named published rows come
//! out is called CALIBRATED, with those rows. The model reads values through [`Ledger`], so that a
//! scenario can one day carry its own.

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Read in a kernel source or derived from it exactly.
    Kernel,
    /// Published or measured by somebody else.
    Published,
    /// Set so that the named published rows come out.
    Calibrated,
    /// A plausible value without a source.
    Guess,
}

impl Kind {
    /// The word that stands in the ledger.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::Published => "published",
            Self::Calibrated => "CALIBRATED",
            Self::Guess => "GUESS",
        }
    }
}

/// One constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its number.
    pub id: ConstantId,
    /// Its name.
    pub name: &'static str,
    /// Its value, in `unit`.
    pub value: u64,
    /// Smallest plausible value.
    pub low: u64,
    /// Largest plausible value.
    pub high: u64,
    /// What the value counts.
    pub unit: &'static str,
    /// How well it is known.
    pub kind: Kind,
    /// Kernel file and version, publication, or why it was guessed so.
    pub source: &'static str,
}

macro_rules! constants {
    ($($id:ident = $value:literal ($low:literal ..= $high:literal) $unit:literal, $kind:ident, $source:literal;)*) => {
        /// The number of a constant: its row in [`LEDGER`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum ConstantId {
            $(#[doc = concat!("In ", $unit, ". ", $source)] $id,)*
        }

        /// Every constant of the model.
        pub static LEDGER: &[Constant] = &[
            $(Constant {
                id: ConstantId::$id, name: stringify!($id), value: $value, low: $low, high: $high,
                unit: $unit, kind: Kind::$kind, source: $source,
            },)*
        ];
    };
}

constants! {
    SwapClusterMax = 32 (32..=32) "pages", Kernel, "7.2 include/linux/swap.h: SWAP_CLUSTER_MAX";
    DefPriority = 12 (12..=12) "priority", Kernel, "7.2 include/linux/mmzone.h: DEF_PRIORITY";
    MaxReclaimRetries = 16 (16..=16) "tries", Kernel, "7.2 mm/internal.h: MAX_RECLAIM_RETRIES";
}

/// The values that a run uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    values: Vec<u64>,
}

impl Default for Ledger {
    fn default() -> Self {
        Self { values: LEDGER.iter().map(|c| c.value).collect() }
    }
}

impl Ledger {
    /// The value of a constant, in its unit.
    #[must_use]
    #[inline]
    pub fn get(&self, id: ConstantId) -> u64 {
        self.values[id as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_lie_in_their_range_and_rows_at_their_number() {
        for (row, c) in LEDGER.iter().enumerate() {
            assert_eq!(c.id as usize, row);
            assert!(c.low <= c.value && c.value <= c.high, "{} = {}", c.name, c.value);
            assert!(!c.source.is_empty());
        }
    }
}
