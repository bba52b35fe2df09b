//! The page.

pub mod picture;
pub mod state;

#[cfg(test)]
mod samples;
