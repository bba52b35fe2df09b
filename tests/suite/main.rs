//! Everything that is tested across crates, one module a topic, in one binary.

mod accounting;
mod book;
mod cli;
mod coverage;
mod determinism;
mod golden;
mod hostile;
mod kernel;
mod kernel_pressure;
mod kernel_swap;
mod layers;
mod links;
mod machine;
mod observed;
mod oracle;
mod published;
mod schema;
mod seek;
mod share;
mod stories;
mod swarm;
mod sweeps;
mod threads;
mod tidy;
mod tiers;
mod trace;
