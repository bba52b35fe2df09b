//! Everything that is tested across crates, one module a topic, in one binary.

mod accounting;
mod determinism;
mod golden;
mod layers;
mod swarm;
mod tidy;
