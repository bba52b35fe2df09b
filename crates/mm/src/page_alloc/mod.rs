//! Zones, watermarks and per-CPU page lists: the allocator's side of memory.

pub mod pcp_size;
pub mod watermark;
