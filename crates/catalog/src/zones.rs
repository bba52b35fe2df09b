//! The kinds of zone a node can have, lowest addresses first.

/// A kind of zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ZoneKind {
    /// The first 16 MiB (`ZONE_DMA`).
    Dma,
    /// Up to 4 GiB (`ZONE_DMA32`).
    Dma32,
    /// The rest (`ZONE_NORMAL`).
    Normal,
    /// Memory kept free of unmovable pages (`ZONE_MOVABLE`).
    Movable,
}

impl ZoneKind {
    /// All kinds, in the kernel's order: an allocation that may use one may use those before it.
    pub const ALL: [Self; 4] = [Self::Dma, Self::Dma32, Self::Normal, Self::Movable];

    /// The name in `/proc/zoneinfo`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dma => "DMA",
            Self::Dma32 => "DMA32",
            Self::Normal => "Normal",
            Self::Movable => "Movable",
        }
    }

    /// The kind with this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether the zone counts as low memory, over which `min_free_kbytes` is spread.
    #[must_use]
    pub const fn is_lowmem(self) -> bool {
        !matches!(self, Self::Movable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_stand_in_order_and_are_found_by_name() {
        for (i, kind) in ZoneKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, i);
            assert_eq!(ZoneKind::by_name(kind.name()), Some(kind));
        }
        assert_eq!(ZoneKind::by_name("Device"), None);
    }
}
