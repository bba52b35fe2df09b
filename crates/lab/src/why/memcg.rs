//! Why a cgroup is as it is, and what zswap does.

use super::Asked;
use catalog::ConstantId as C;
use report::why::Why;

fn pages(n: u64) -> String {
    format!("{n} pages")
}

fn bytes(n: u64) -> String {
    match n {
        0..1_048_576 => format!("{} KiB", n >> 10),
        _ => format!("{} MiB", n >> 20),
    }
}

impl Asked<'_> {
    pub(super) fn cgroup(&self, number: usize) -> Option<Why> {
        let config = self.m.config.memcgs.get(number).filter(|_| number > 0)?;
        let counted = self.m.memcgs.get(number)?;
        let usage = self.m.memcg_usage(number as u16);
        let batch = self.m.config.ledger.get(C::MemcgChargeBatch);
        let (title, text) = if config.max != u64::MAX && usage + batch > config.max {
            (
                "The cgroup is at memory.max",
                "A page is charged to the cgroup before it is used. The next charge would pass \
                 memory.max, so the task that asks for it reclaims pages of its own cgroup first; \
                 kswapd has no part in that, however much memory is free.",
            )
        } else if usage > config.high {
            (
                "The cgroup is above memory.high",
                "Above memory.high a charge still succeeds, but the task that made it reclaims \
                 pages of its cgroup before it goes back to its own work.",
            )
        } else {
            (
                "The cgroup is below its limits",
                "A page is charged to the cgroup before it is used. Below its limits a charge \
                 succeeds at once; only at memory.max does the task that charges have to reclaim.",
            )
        };
        let limit = |n: u64| if n == u64::MAX { "none".to_owned() } else { pages(n) };
        let times = |n: u64| format!("{n} times");
        let scanned = format!("{}, {} pages", counted.pgscan, counted.pgsteal);
        Some(Why {
            title: title.into(),
            text: text.into(),
            rule: "try_charge_memcg(), try_to_free_mem_cgroup_pages()".into(),
            source: "mm/memcontrol.c, mm/vmscan.c".into(),
            numbers: vec![
                ("memory.current".into(), pages(usage)),
                ("memory.max".into(), limit(config.max)),
                ("memory.high".into(), limit(config.high)),
                ("memory.peak".into(), pages(counted.peak)),
                ("about to pass memory.max".into(), times(counted.max)),
                ("made to reclaim above memory.high".into(), times(counted.high)),
                ("reclaim calls of charging tasks".into(), counted.reclaims.to_string()),
                ("scanned, reclaimed".into(), scanned),
            ],
            constants: self.used(&[C::MemcgChargeBatch, C::SwapClusterMax]),
        })
    }

    pub(super) fn zswap(&self) -> Option<Why> {
        let zswap = self.m.swap.as_ref()?.zswap.as_ref()?;
        let config = &zswap.config;
        let (title, text) = if zswap.is_full() {
            (
                "zswap is full and refuses pages",
                "The pool reached its limit (max_pool_percent). Until it has fallen below the \
                 threshold (accept_threshold_percent) pages go past it to a device, and the oldest \
                 entries are written back to make it fall.",
            )
        } else {
            (
                "zswap takes pages",
                "A page that has been given its slot is compressed into memory instead of being \
                 written, as long as the pool is below its limit (max_pool_percent). The task that \
                 reclaims pays for the compression; nothing waits for a device.",
            )
        };
        let slots = if config.is_virtual { "when an entry is written back" } else { "at once" };
        let stat = &self.m.vmstat;
        let counted = format!("{}, {}, {}", stat.zswpout, stat.zswpin, stat.zswpwb);
        Some(Why {
            title: title.into(),
            text: text.into(),
            rule: "zswap_store()".into(),
            source: "mm/zswap.c".into(),
            numbers: vec![
                ("stored".into(), pages(zswap.pages())),
                ("memory that they take".into(), bytes(zswap.bytes())),
                ("limit".into(), bytes(config.max)),
                ("takes pages again below".into(), bytes(config.accept)),
                ("a stored page takes".into(), format!("{} bytes", zswap.page_bytes())),
                ("compressing a page".into(), super::nanos(config.write.as_nanos())),
                ("is given a device's slot".into(), slots.into()),
                ("zswpout, zswpin, zswpwb".into(), counted),
            ],
            constants: self.used(&[C::ZswapBatch]),
        })
    }
}
