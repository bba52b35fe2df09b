//! Zones, watermarks, per-CPU page lists and the allocator's fast and slow path.

pub mod alloc;
pub mod boost;
pub mod pcp;
pub mod pcp_size;
pub mod watermark;
pub mod zone;
pub mod zonelist;
