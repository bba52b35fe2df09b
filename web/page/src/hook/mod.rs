//! What reaches outside the state, one hook each: they watch a part of the state, do what it asks
//! for, and turn what happens outside into actions.

mod address;
mod crew;
mod keys;
mod player;
mod seen;
mod simulator;
mod text;
mod theme;
mod width;

pub use address::use_address;
pub use crew::use_crew;
pub use keys::use_keys;
pub use player::use_player;
pub use seen::use_seen;
pub use simulator::use_simulator;
pub use text::{Read, use_text};
pub use theme::{ThemeHandle, use_theme};
pub use width::use_width;
