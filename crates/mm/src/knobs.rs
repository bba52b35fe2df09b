//! Settings that a kernel takes while it runs: sysctls, the wakeup policy, how reclaimers share.

use crate::boot;
use crate::config::Config;
use crate::machine::Machine;
use crate::page_alloc::watermark::Marks;
use std::sync::Arc;

impl Machine {
    /// Takes from a configuration of the same machine what can change while it runs; the rest
    /// stays. Marks follow as `setup_per_zone_wmarks` (7.2 `mm/page_alloc.c`) sets them anew; a
    /// boost that is there stays, and nobody is woken by it.
    pub fn take_knobs(&mut self, to: &Config) {
        let config = Arc::make_mut(&mut self.config);
        config.min_free_kbytes = to.min_free_kbytes;
        config.watermark_scale_factor = to.watermark_scale_factor;
        config.watermark_boost_factor = to.watermark_boost_factor;
        config.policy = to.policy;
        config.policy_literal = to.policy_literal;
        config.multi_fixed = to.multi_fixed;
        config.swappiness = to.swappiness;
        config.steal = to.steal;
        let cpus: Vec<u32> = config.nodes.iter().map(|node| node.cpus).collect();
        for (zone, fresh) in self.zones.iter_mut().zip(boot::zones(config, &cpus)) {
            let Marks { min, low, high, promo } = fresh.marks;
            let more = zone.boost;
            zone.marks =
                Marks { min: min + more, low: low + more, high: high + more, promo: promo + more };
            zone.pcp_high_min = fresh.pcp_high_min;
            zone.pcp_high_max = fresh.pcp_high_max;
        }
    }
}
