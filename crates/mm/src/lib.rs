//! The Linux model. The modules carry the names of the kernel files they follow.

pub mod page_alloc;
