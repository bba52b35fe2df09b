//! Why something is as it is at an instant: the rule, the numbers that decided, the constants.

use serde::{Deserialize, Serialize};

/// What is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A kswapd worker: node and number.
    Worker(u16, u16),
    /// A lock of a node, by its number in the node's views.
    Lock(u16, u16),
    /// The free pages of a node.
    Free(u16),
    /// The readers of a node.
    Readers(u16),
    /// Locks of the swap slots: 0 the one that devices are chosen under, 1 those of devices, 2
    /// those of clusters.
    SwapLock(u16),
    /// A swap device, in the order of swapon.
    SwapDevice(u16),
    /// A group of devices that are peers, 0 the one asked first.
    SwapPeers(u16),
    /// The pool of zswap.
    Zswap,
    /// A memory cgroup.
    Cgroup(u16),
}

impl Subject {
    /// Its name in messages: `worker.0.3`.
    #[must_use]
    pub fn key(self) -> String {
        match self {
            Self::Worker(node, number) => format!("worker.{node}.{number}"),
            Self::Lock(node, number) => format!("lock.{node}.{number}"),
            Self::Free(node) => format!("free.{node}"),
            Self::Readers(node) => format!("readers.{node}"),
            Self::SwapLock(lock) => format!("swaplock.{lock}"),
            Self::SwapDevice(device) => format!("swapdevice.{device}"),
            Self::SwapPeers(group) => format!("swappeers.{group}"),
            Self::Zswap => "zswap.0".into(),
            Self::Cgroup(number) => format!("cgroup.{number}"),
        }
    }

    /// The subject of this name.
    #[must_use]
    pub fn by_key(key: &str) -> Option<Self> {
        let mut parts = key.split('.');
        let what = parts.next()?;
        let node = parts.next()?.parse().ok()?;
        let mut number = || parts.next()?.parse().ok();
        match what {
            "worker" => Some(Self::Worker(node, number()?)),
            "lock" => Some(Self::Lock(node, number()?)),
            "free" => Some(Self::Free(node)),
            "readers" => Some(Self::Readers(node)),
            "swaplock" => Some(Self::SwapLock(node)),
            "swapdevice" => Some(Self::SwapDevice(node)),
            "swappeers" => Some(Self::SwapPeers(node)),
            "zswap" if node == 0 => Some(Self::Zswap),
            "cgroup" => Some(Self::Cgroup(node)),
            _ => None,
        }
    }
}

/// A constant that had a part in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    /// Its name in the ledger.
    pub name: String,
    /// Value and unit.
    pub value: String,
    /// How well it is known: kernel, published, CALIBRATED, GUESS.
    pub kind: String,
    /// Where it comes from.
    pub source: String,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why {
    /// What it is about: `kswapd0:3 waits for lru_lock`.
    pub title: String,
    /// The rule in plain words.
    pub text: String,
    /// The kernel's function that holds the rule.
    pub rule: String,
    /// File and kernel version that the rule is modelled for.
    pub source: String,
    /// The numbers that decided, each with its name.
    pub numbers: Vec<(String, String)>,
    /// The constants.
    pub constants: Vec<Used>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_comes_back_from_its_key() {
        let of_nodes =
            [Subject::Worker(7, 31), Subject::Lock(0, 2), Subject::Free(3), Subject::Readers(1)];
        let of_swap =
            [Subject::SwapLock(2), Subject::SwapDevice(15), Subject::SwapPeers(3), Subject::Zswap];
        for subject in of_nodes.into_iter().chain(of_swap).chain([Subject::Cgroup(1)]) {
            assert_eq!(Subject::by_key(&subject.key()), Some(subject));
        }
        for key in ["", "worker.0", "lock.x.1", "what.0.1", "free.99999999", "zswap.1"] {
            assert_eq!(Subject::by_key(key), None, "{key}");
        }
    }
}
