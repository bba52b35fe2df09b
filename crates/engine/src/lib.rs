//! Discrete-event machinery: a queue with a total order, locks, run queues, random streams, a
//! digest. It knows nothing of memory.
//!
//! A *thing* that can be scheduled (a task, a timer) is an entity with at most one pending event,
//! so the queue has one slot a thing and scheduling again re-arms. Events fire in the total order
//! (time, rank, sequence): equal times by rank, equal ranks first come first served. Time never
//! goes back; both ends of the queue assert it. All state is plain data: a clone is a checkpoint.
//! Times are integer nanoseconds. A number of a thing that a table was not made for panics.
//!
//! * [`queue`]: the event queue.
//! * [`run`]: the run loop with its limits.
//! * [`lock`]: FIFO spinlocks whose waiters have no event of their own.
//! * [`cpu`]: CPUs with a run queue each, and which of them share a core.
//! * [`rng`] and [`dist`]: one labelled random stream a consumer, integer samplers.
//! * [`digest`]: 64 bits over everything that was dispatched.

pub mod cpu;
pub mod digest;
pub mod dist;
pub mod lock;
pub mod queue;
pub mod rng;
pub mod run;

pub use cpu::CpuTable;
pub use digest::Digest;
pub use lock::LockTable;
pub use queue::{Fired, Queue};
pub use rng::Stream;
pub use run::{Core, Model, Stop};
