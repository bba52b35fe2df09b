//! Plain tables that everyone reads and nobody copies.
//!
//! * [`controls`]: what a person can set: name, unit, bounds, default, link token, one sentence.
//!   The page's controls, the CLI's `--set` keys, the JSON document and the link all come from it.
//! * [`constants`]: the ledger, every constant of the model with value, range, unit and source.
//! * [`flavours`]: what differs between the kernels that can be modelled, row by row.
//! * [`policies`]: how many kswapd workers a wakeup wakes.
//! * [`swap`]: how swap slots are handed out: allocators, tier assignments, media.
//! * [`in_tier`]: who serves among devices of one tier.
//! * [`tables`]: the columns of the controls that are tables.
//! * [`zones`]: the kinds of zone a node can have.
//! * [`not_modelled`]: what the model leaves out, so that a reader can see it.
//!
//! Nothing here computes; nothing here knows a scenario, the model or a report.

pub mod constants;
pub mod controls;
pub mod flavours;
pub mod in_tier;
pub mod not_modelled;
pub mod policies;
pub mod swap;
pub mod tables;
pub mod zones;

pub use constants::{Constant, ConstantId, LEDGER, Ledger};
pub use controls::{CONTROLS, Choice, Control, ControlId, Group, Kind, Scale, Unit};
pub use flavours::{FLAVOURS, Flavour, FlavourId};
pub use in_tier::InTierId;
pub use policies::{POLICIES, Policy, PolicyId};
pub use swap::{AllocatorId, AssignmentId};
pub use tables::{Column, Row, Table};
pub use zones::ZoneKind;
