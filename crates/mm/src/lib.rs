//! The Linux model: zones, LRU lists, kswapd, direct reclaim and the tasks that need memory.
//!
//! The tree is the kernel's: [`page_alloc`] (zones, watermarks, per-CPU lists, fast and slow path),
//! [`vmscan`] (kswapd workers, direct reclaim, throttles), [`lru`] (lists as cohorts, partitions),
//! [`swap`] (devices and slot allocators), [`workload`] (what the tasks do).
//! [`machine::Machine`] is the whole state as one value: cloning it is a checkpoint. [`sim`]
//! advances it; [`observe`] is how listeners hear of it; [`invariant`] checks it.
//!
//! What happens to a page: a reader allocates it ([`page_alloc::alloc`]), inserts it into its file
//! under the file's i_pages lock, puts it into its CPU's folio batch, and the full batch goes to
//! the inactive list under lru_lock. A reclaimer (kswapd or a task in direct reclaim) takes pages
//! off the tail under lru_lock, works on them without it, removes them from the file under i_pages
//! and frees them to its CPU's list, which spills to the zone under zone->lock.
//!
//! Every lock is taken at the time of an event and held until another one ([`engine::lock`]). Every
//! duration comes from the ledger through one function ([`speed`]). No floats, no clock, no IO.
//!
//! [`psi`] keeps pressure as the kernel does.
//!
//! What is not modelled is a list in the catalog; what differs between kernels is a row there.

#![forbid(unsafe_code)]
#![deny(clippy::float_arithmetic)]

mod boot;
pub mod config;
pub mod invariant;
mod knobs;
pub mod lru;
pub mod machine;
pub mod memcontrol;
pub mod observe;
pub mod oom;
pub mod page_alloc;
pub mod psi;
mod reseed;
pub mod sim;
pub mod speed;
pub mod swap;
pub mod task;
pub mod trace;
pub mod vmscan;
pub mod vmstat;
pub mod workload;

pub use config::{Config, NodeConfig, ZoneConfig};
pub use machine::Machine;
pub use observe::{NoObserver, Observer};
pub use sim::{Outcome, advance};
