//! The vocabulary of the model: which quantity is which type.
//!
//! Time is a `u64` count of nanoseconds since the start of the run ([`SimTime`], an instant) or a
//! span of it ([`SimDuration`]). Memory is counted in 4 KiB pages ([`Pages`]) or bytes ([`Bytes`]).
//! Everything is an integer: the same bits natively and in wasm. No `usize` is stored anywhere that
//! a digest, a link or a checkpoint can see, since wasm32 has 32-bit addresses.
//!
//! Text comes in through [`parse`], which refuses what it would have to round.

pub mod ids;
pub mod memory;
pub mod order;
pub mod parse;
pub mod time;

pub use ids::{CpuId, EntityId, LockId, NodeId, TaskId, ZoneId};
pub use memory::{Bytes, PAGE_SHIFT, PAGE_SIZE, Pages};
pub use parse::{ParseError, parse_bytes, parse_duration};
pub use time::{SimDuration, SimTime};
