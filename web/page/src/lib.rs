//! The page.

pub mod picture;

#[cfg(test)]
mod samples;
