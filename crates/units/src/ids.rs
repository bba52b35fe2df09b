//! Numbers of things: dense, from 0, never reused.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $repr:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub $repr);

        impl $name {
            /// The number as an index into a table of these.
            #[must_use]
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A hardware thread.
    CpuId, u32);
id!(
    /// A NUMA node (`pgdat`).
    NodeId, u32);
id!(
    /// A zone, numbered over the whole machine: node by node, lowest zone first.
    ZoneId, u32);
id!(
    /// A task: a kswapd worker or an application thread.
    TaskId, u32);
id!(
    /// A lock, numbered over the whole machine.
    LockId, u32);
id!(
    /// A schedulable thing: it has at most one pending event.
    EntityId, u32);
