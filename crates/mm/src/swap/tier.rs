//! Which devices are peers, who may use them, and in what order groups of peers are asked.

use super::device::Device;
use catalog::{AssignmentId, InTierId};

/// Most tiers (tiers v10: CONFIG_NR_SWAP_TIERS is 31 at most).
pub const TIERS_MAX: usize = 31;
/// The lowest and the highest priority that a tier covers.
pub const PRIORITY_MIN: i32 = -1;
/// See [`PRIORITY_MIN`].
pub const PRIORITY_MAX: i32 = 32_767;
/// A device that belongs to no tier.
pub(super) const NO_TIER: u8 = u8::MAX;

/// A tier: the priorities from `start` up to the next higher tier's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tier {
    /// Its lowest priority.
    pub start: i32,
    /// Who serves inside it.
    pub policy: InTierId,
}

/// How devices are put into tiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TierConfig {
    /// What a tier is.
    pub assignment: AssignmentId,
    /// Tiers, the highest first: by range for the assignments that have ranges; only their policies
    /// count for the others.
    pub tiers: Vec<Tier>,
    /// How many equal parts, for [`AssignmentId::Buckets`].
    pub buckets: u8,
    /// Who serves among peers that no tier of `tiers` holds.
    pub policy: InTierId,
}

impl Default for TierConfig {
    fn default() -> Self {
        Self {
            assignment: AssignmentId::None,
            tiers: Vec::new(),
            buckets: 1,
            policy: InTierId::Ring,
        }
    }
}

/// Why tiers are not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TierError {
    /// EBUSY: an active device would belong to another tier.
    Busy,
    /// EINVAL: the ranges do not fall from one tier to the next down to -1, or are too many.
    Invalid,
    /// EPERM: tiers of this kind are not changed while the system runs.
    Fixed,
}

impl TierError {
    /// The kernel's name of it.
    #[must_use]
    pub const fn errno(self) -> &'static str {
        match self {
            Self::Busy => "EBUSY",
            Self::Invalid => "EINVAL",
            Self::Fixed => "EPERM",
        }
    }
}

impl TierConfig {
    /// Whether its ranges are what the assignment needs.
    ///
    /// # Errors
    /// [`TierError::Invalid`].
    pub fn validate(&self) -> Result<(), TierError> {
        let wrong = match self.assignment {
            AssignmentId::None | AssignmentId::EqualPriority => false,
            AssignmentId::Buckets => self.buckets == 0 || usize::from(self.buckets) > TIERS_MAX,
            _ => {
                let falls = self.tiers.windows(2).all(|pair| pair[0].start > pair[1].start);
                let reaches = self.tiers.last().is_none_or(|t| t.start == PRIORITY_MIN);
                let high = self.tiers.first().is_some_and(|t| t.start > PRIORITY_MAX);
                !falls || !reaches || high || self.tiers.len() > TIERS_MAX
            }
        };
        if wrong { Err(TierError::Invalid) } else { Ok(()) }
    }

    /// The lowest priority of bucket `k` of `n`, counted from the lowest: -1 + ceil(k * 32769 / n).
    #[must_use]
    pub fn bucket_start(k: u32, n: u32) -> i32 {
        let priorities = (PRIORITY_MAX - PRIORITY_MIN + 1) as u32;
        PRIORITY_MIN + (k * priorities).div_ceil(n.max(1)) as i32
    }

    /// The tier of a priority, 0 the highest; `None` where there are none. Priorities below -1
    /// (6.12's defaults) belong to the lowest tier.
    #[must_use]
    pub fn tier_of(&self, priority: i32) -> Option<u8> {
        match self.assignment {
            AssignmentId::None | AssignmentId::EqualPriority => None,
            AssignmentId::Buckets => {
                let n = u32::from(self.buckets);
                let from_below = (0..n).rev().find(|&k| Self::bucket_start(k, n) <= priority);
                Some((n - 1 - from_below.unwrap_or(0)) as u8)
            }
            _ if self.tiers.is_empty() => None,
            _ => {
                let found = self.tiers.iter().position(|tier| tier.start <= priority);
                Some(found.unwrap_or(self.tiers.len() - 1) as u8)
            }
        }
    }

    /// The same with another policy for a tier.
    ///
    /// # Errors
    /// There is no such tier, or tiers have no policies (v10).
    pub fn with_policy(mut self, tier: u8, policy: InTierId) -> Result<Self, TierError> {
        let tier = usize::from(tier);
        let count = match self.assignment {
            AssignmentId::None | AssignmentId::RunTime => 0,
            AssignmentId::EqualPriority => TIERS_MAX,
            AssignmentId::Buckets => usize::from(self.buckets),
            AssignmentId::RunTimeReview | AssignmentId::Boot => self.tiers.len(),
        };
        if tier >= count {
            return Err(TierError::Invalid);
        }
        if tier >= self.tiers.len() {
            self.tiers.resize(tier + 1, Tier { start: PRIORITY_MIN, policy: self.policy });
        }
        self.tiers[tier].policy = policy;
        Ok(self)
    }

    /// Whether devices of one tier are peers whatever their priorities.
    fn joins(&self) -> bool {
        !matches!(
            self.assignment,
            AssignmentId::None | AssignmentId::EqualPriority | AssignmentId::RunTime
        )
    }
}

/// Devices that are asked in turn before anybody below them is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Peers {
    pub(super) members: Vec<u8>,
    pub(super) tier: u8,
    pub(super) policy: InTierId,
}

/// All groups of peers, the first one first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Grouping {
    pub(super) groups: Vec<Peers>,
    /// The group of each device; 255 for one that is off.
    pub(super) rank: Vec<u8>,
}

impl Grouping {
    /// Groups devices. `order`: the devices that are on, in the order of swapon.
    pub(super) fn new(config: &TierConfig, devices: &[Device], order: &[u8]) -> Self {
        let key = |&d: &u8| {
            let priority = devices[usize::from(d)].priority;
            let tier = config.tier_of(priority);
            let peers = if config.joins() { tier.is_some() } else { false };
            // Lower tiers and lower priorities come later.
            (tier.unwrap_or(0), if peers { 0 } else { i64::from(-priority) })
        };
        let mut sorted = order.to_vec();
        units::order::by_key(&mut sorted, key);
        let mut grouping = Self { groups: Vec::new(), rank: vec![u8::MAX; devices.len()] };
        let mut last = None;
        for d in sorted {
            let key = key(&d);
            if last != Some(key) {
                let tier = match config.assignment {
                    // A tier a distinct priority.
                    AssignmentId::EqualPriority => grouping.groups.len() as u8,
                    _ => config.tier_of(devices[usize::from(d)].priority).unwrap_or(NO_TIER),
                };
                // v10 has no policies: its tiers decide who may use a device.
                let policies = config.assignment != AssignmentId::RunTime;
                let own = config.tiers.get(usize::from(tier)).filter(|_| policies);
                let policy = own.map_or(config.policy, |t| t.policy);
                grouping.groups.push(Peers { members: Vec::new(), tier, policy });
                last = Some(key);
            }
            grouping.rank[usize::from(d)] = grouping.groups.len() as u8 - 1;
            if let Some(group) = grouping.groups.last_mut() {
                group.members.push(d);
            }
        }
        grouping
    }

    /// Whether a mask of tiers lets a group be used.
    pub(super) fn allows(&self, rank: u8, tiers: u32) -> bool {
        let tier = self.groups.get(usize::from(rank)).map_or(NO_TIER, |group| group.tier);
        tier == NO_TIER || tiers >> tier & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_parts_put_the_usual_priorities_all_into_the_lowest() {
        let mut config =
            TierConfig { assignment: AssignmentId::Buckets, buckets: 4, ..TierConfig::default() };
        assert_eq!(
            (0..4).map(|k| TierConfig::bucket_start(k, 4)).collect::<Vec<_>>(),
            [-1, 8_192, 16_384, 24_576]
        );
        for priority in [-2, -1, 0, 50, 100] {
            assert_eq!(config.tier_of(priority), Some(3));
        }
        assert_eq!((config.tier_of(8_192), config.tier_of(32_767)), (Some(2), Some(0)));
        config.buckets = 0;
        assert_eq!(config.validate(), Err(TierError::Invalid));
        config.buckets = 31;
        assert_eq!((config.validate(), config.tier_of(100)), (Ok(()), Some(30)));
    }

    #[test]
    fn ranges_fall_down_to_the_lowest_priority() {
        let tier = |start| Tier { start, policy: InTierId::Ring };
        let of = |starts: &[i32]| TierConfig {
            assignment: AssignmentId::RunTime,
            tiers: starts.iter().map(|&s| tier(s)).collect(),
            ..TierConfig::default()
        };
        for good in [&[][..], &[-1], &[100, 10, -1]] {
            assert_eq!(of(good).validate(), Ok(()));
        }
        for bad in [&[10][..], &[10, 20, -1], &[40_000, -1], &[5, 5, -1]] {
            assert_eq!(of(bad).validate().map_err(TierError::errno), Err("EINVAL"));
        }
        let config = of(&[100, 10, -1]);
        let tiers = [200, 100, 99, 10, 9, -1, -5].map(|p| config.tier_of(p));
        assert_eq!(tiers, [0, 0, 1, 1, 2, 2, 2].map(Some));
    }
}
