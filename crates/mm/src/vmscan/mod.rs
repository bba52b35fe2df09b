//! Reclaim: kswapd, direct reclaim and the passes that both make over a node's lists.

pub mod active;
pub mod balance;
pub mod direct;
pub mod folio_list;
pub mod kswapd;
pub mod lru_gen;
pub mod pageout;
pub mod request;
pub mod several;
pub mod shrink;
pub mod slice;
pub mod swap_lock;
pub mod throttle;
pub mod wakeup;
mod zswap;

#[cfg(test)]
mod tests;
