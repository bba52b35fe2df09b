//! Pages that zswap takes, and those that it writes back (mm/zswap.c: zswap_store,
//! zswap_writeback_entry); what is stored is [`crate::swap::zswap`]'s.

use crate::observe::Observer;
use crate::sim::{Flow, Sim};
use crate::swap::{Request, Slot};
use catalog::ConstantId;
use units::{SimDuration, TaskId};

impl<O: Observer> Sim<'_, O> {
    /// zswap takes pages: they are freed in the same pass.
    pub(super) fn zswap_write(&mut self, id: TaskId, slot: Slot, pages: u32) -> Flow {
        let m = &mut *self.m;
        let node = m.cpus.node(m.tasks[id.index()].cpu).0;
        let swap = m.swap.as_mut().expect("zswap stands before devices");
        let zswap = swap.zswap.as_mut().expect("it took the pages");
        let (page_ns, bytes) = (zswap.config.write.as_nanos(), zswap.page_bytes());
        let slots = (0..pages).map(|page| Slot::new(slot.device(), slot.offset() + page));
        let slots: Vec<Slot> = slots.collect();
        slots.iter().for_each(|&slot| zswap.store(slot));
        m.vmstat.zswpout += u64::from(pages);
        m.store(node as usize, bytes * u64::from(pages));
        slots.into_iter().for_each(|slot| self.page_has_slot(id, slot, true, 0));
        self.m.evict(id);
        self.flush_and_work(id, page_ns * u64::from(pages), node)
    }

    /// The pool is full: its oldest entries go to the device (mm/zswap.c: shrink_worker, here in
    /// the context of the reclaimer that found it full).
    pub(super) fn zswap_shrink(&mut self, id: TaskId) {
        let (now, cpu) = (self.now(), self.m.tasks[id.index()].cpu.0);
        let submit = self.constant(ConstantId::SwapSubmit);
        let m = &mut *self.m;
        let line = SimDuration::from_nanos(m.speed.line(true));
        let (mut ns, mut gone) = (0, 0);
        let Some(swap) = m.swap.as_mut() else { return };
        let Some(zswap) = swap.zswap.as_mut() else { return };
        for _ in 0..zswap.config.batch {
            let Some(slot) = zswap.take_oldest() else { break };
            let mut passages = Vec::new();
            let real = match zswap.is_virtual(slot) {
                false => slot,
                true => match swap.slots.alloc(Request::page(cpu), &mut passages) {
                    Ok(real) => {
                        zswap.back(slot, real);
                        real
                    }
                    // It stays where it was, as the youngest.
                    Err(_) => {
                        zswap.store(slot);
                        break;
                    }
                },
            };
            let held = passages.iter().map(|p| p.hold(&m.config.ledger, line).as_nanos());
            ns += held.sum::<u64>() + zswap.config.read.as_nanos();
            gone += 1;
            let medium = &mut swap.media[usize::from(real.device())];
            if medium.config.synchronous {
                ns += medium.config.write.as_nanos();
                swap.stored += u64::from(medium.config.stored_per_mille) * units::PAGE_SIZE / 1_000;
            } else {
                medium.write(now, (id, real.offset()), 1, &m.wake_spread);
                ns += submit;
            }
            m.vmstat.zswpwb += 1;
            m.vmstat.pswpout += 1;
        }
        let bytes = zswap.page_bytes() * gone;
        m.unstore(bytes);
        m.tasks[id.index()].swapping.owed += ns;
    }
}
