//! The ledger: every constant of the model, with value, range, unit and source.
//!
//! A value that no source gives is called GUESS; one that was set so that named published rows come
//! out is called CALIBRATED, with those rows. The model reads values through [`Ledger`], so that a
//! scenario can carry its own.

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Read in a kernel source or derived from it exactly.
    Kernel,
    /// Published or measured by somebody else.
    Published,
    /// Set so that the named published rows come out.
    Calibrated,
    /// A plausible value without a source.
    Guess,
}

impl Kind {
    /// The word that stands in the ledger.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::Published => "published",
            Self::Calibrated => "CALIBRATED",
            Self::Guess => "GUESS",
        }
    }
}

/// One constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its number.
    pub id: ConstantId,
    /// Its name.
    pub name: &'static str,
    /// Its value, in `unit`.
    pub value: u64,
    /// Smallest plausible value.
    pub low: u64,
    /// Largest plausible value.
    pub high: u64,
    /// What the value counts.
    pub unit: &'static str,
    /// How well it is known.
    pub kind: Kind,
    /// Kernel file and version, publication, or why it was guessed so.
    pub source: &'static str,
}

macro_rules! constants {
    ($(
        $id:ident = $value:literal ($low:literal ..= $high:literal) $unit:literal, $kind:ident,
        $source:literal;
    )*) => {
        /// The number of a constant: its row in [`LEDGER`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum ConstantId {
            $(#[doc = concat!("In ", $unit, ". ", $source)] $id,)*
        }

        /// Every constant of the model.
        pub static LEDGER: &[Constant] = &[
            $(Constant {
                id: ConstantId::$id, name: stringify!($id), value: $value, low: $low, high: $high,
                unit: $unit, kind: Kind::$kind, source: $source,
            },)*
        ];
    };
}

constants! {
    // Rules and sizes of the kernel.
    SwapClusterMax = 32 (32..=32) "pages", Kernel, "7.2 include/linux/swap.h: SWAP_CLUSTER_MAX";
    DefPriority = 12 (12..=12) "priority", Kernel, "7.2 include/linux/mmzone.h: DEF_PRIORITY";
    MaxReclaimRetries = 16 (16..=16) "tries", Kernel, "7.2 mm/internal.h: MAX_RECLAIM_RETRIES";
    PcpBatchScaleMax = 5 (0..=6) "doublings", Kernel, "7.2 mm/Kconfig: PCP_BATCH_SCALE_MAX";
    ReadAheadWindow = 32 (32..=32) "pages", Kernel, "4.16 include/linux/mm.h: 128 KiB of read-ahead";

    FaultAround = 16 (1..=16) "pages", Kernel, "7.2 mm/memory.c: fault_around_pages: 64 KiB";
    ReadAroundMissing = 672 (200..=1000) "1/1000", Calibrated, "D22 baseline: pgpgin / pgmajfault, 21.5 pages of a window of 32: how much of it is not resident when the page asked for is not";

    MemcgChargeBatch = 64 (64..=64) "pages", Kernel, "7.2 include/linux/memcontrol.h: MEMCG_CHARGE_BATCH";
    PageCounter = 100 (50..=150) "ns", Guess, "an atomic addition to a cgroup's page counter and its parents'; facts M.2";
    MaxLruBatch = 4096 (4096..=4096) "pages", Kernel, "7.2 mm/vmscan.c: MAX_LRU_BATCH on 64 bits";
    MinLruBatch = 64 (64..=64) "pages", Kernel, "7.2 include/linux/mmzone.h: MIN_LRU_BATCH";
    NapMillis = 100 (100..=100) "ms", Kernel, "7.2 mm/vmscan.c:kswapd_try_to_sleep: HZ/10";
    WritebackThrottleMillis = 100 (100..=100) "ms", Kernel, "7.2 mm/vmscan.c:reclaim_throttle: HZ/10 for pages under writeback";
    IsolatedThrottleMillis = 20 (20..=20) "ms", Kernel, "7.2 mm/vmscan.c:reclaim_throttle: HZ/50 for too many isolated";

    FragmentationEvents = 350 (5..=1600) "per million pages", Calibrated, "E2, order-0 runs with boost: wakes with gfp none per page allocated, 1,050 of 3.09 million (6.12) and 1,042 of 2.95 million (7.3), 122 to 517 a run; zones of 260 MiB, larger ones have fewer: slab that grows by whole pageblocks alone gives 5";

    DirtyBackgroundRatio = 10 (0..=100) "per cent", Kernel, "7.2 mm/page-writeback.c: dirty_background_ratio";
    DirtyRatio = 20 (0..=100) "per cent", Kernel, "7.2 mm/page-writeback.c: vm_dirty_ratio";
    DirtyWritebackMillis = 5000 (10..=60000) "ms", Kernel, "7.2 mm/page-writeback.c: dirty_writeback_interval; a page expires after six of them (dirty_expire_interval)";
    WritebackPages = 1024 (1024..=1024) "pages", Kernel, "7.2 fs/fs-writeback.c: MIN_WRITEBACK_PAGES: 4 MiB at once";

    // What a lock costs apart from the work under it.
    LockUncontended = 15 (10..=30) "ns", Guess, "lock and unlock of a line already held; mid-range of facts J.3";
    LockHandOff = 60 (20..=100) "ns", Guess, "MCS hand-over on top of the line transfer; facts J.3";
    LineSameNode = 50 (35..=90) "ns", Published, "D25: core to core in one Xeon socket 44 to 51 ns";
    LineOtherNode = 120 (100..=200) "ns", Published, "D25: core to core across Xeon sockets 108 to 136 ns";

    // Work under lru_lock, zone->lock and the i_pages lock of a file.
    IsolatePerPage = 80 (40..=150) "ns/page", Guess, "2 to 4 cache lines under lru_lock; mid-range of facts G.2";
    LruAddPerPage = 60 (30..=130) "ns/page", Guess, "2 to 3 cache lines under lru_lock; mid-range of facts G.2";
    NewGeneration = 500 (200..=2000) "ns", Guess, "counters of a lruvec when max_seq moves on (inc_max_seq)";
    PutbackPass = 100 (0..=300) "ns", Guess, "statistics and an empty putback under lru_lock after each slice";
    ZonePerPage = 25 (15..=60) "ns/page", Guess, "buddy list work under zone->lock; facts B.1 says 30 to 60 for 63 pages at once";
    ReclaimIPagesPerPage = 60 (30..=120) "ns/page", Guess, "removal from the page cache under i_pages";
    InsertIPagesPerPage = 60 (30..=120) "ns/page", Guess, "insertion into the page cache under i_pages";

    // Shadow entries, where they are on.
    ShadowEvictIPagesPerPage = 45 (10..=150) "ns/page", Calibrated, "D01e at 10 to 28 readers: storing the entry in the tree, under i_pages";
    ShadowEvictPerPage = 50 (10..=150) "ns/page", Guess, "packing the entry (workingset_eviction); only its sum with the part under i_pages shows in D01e";
    ShadowInsertPerPage = 300 (50..=800) "ns/page", Calibrated, "D01e at 16 to 52 readers: inserting over an entry, its bookkeeping and refault test, under i_pages";
    AgeLinePerPage = 10 (5..=20) "ns/page", Guess, "an atomic increment of the node's age in a line that is at hand";

    // Swap media, a page of 4 KiB each.
    ZramLzoRleWrite = 3000 (2000..=10000) "ns", Published, "facts J.1: compression by lzo-rle";
    ZramLzoRleRead = 1500 (800..=4000) "ns", Published, "facts J.1: decompression by lzo-rle";
    ZramLzoRleStored = 360 (330..=400) "1/1000 of a page", Published, "facts J.1: ratio 2.5 to 3";
    ZramLzoWrite = 3000 (2000..=12000) "ns", Published, "facts J.1: compression by lzo";
    ZramLzoRead = 1600 (1000..=10000) "ns", Published, "facts J.1: decompression by lzo";
    ZramLzoStored = 361 (340..=400) "1/1000 of a page", Published, "facts J.1: ratio 2.77";
    ZramLz4Write = 2500 (2000..=7500) "ns", Published, "facts J.1: compression by lz4";
    ZramLz4Read = 900 (700..=1800) "ns", Published, "facts J.1: decompression by lz4";
    ZramLz4Stored = 380 (350..=420) "1/1000 of a page", Published, "facts J.1: ratio 2.63";
    ZramZstdWrite = 12000 (8000..=38000) "ns", Published, "facts J.1: compression by zstd";
    ZramZstdRead = 4500 (3000..=9000) "ns", Published, "facts J.1: decompression by zstd";
    ZramZstdStored = 297 (280..=320) "1/1000 of a page", Published, "facts J.1: ratio 3.37";
    PmemPage = 1500 (1000..=2000) "ns", Published, "facts J.2: a page to or from pmem";
    NvmeLatency = 20000 (10000..=100000) "ns", Published, "facts J.2: write latency at depth 1, the device's cache taking it";
    NvmeChannels = 16 (8..=64) "requests", Guess, "requests that a drive serves at a time: 500 k a second at 32 us each";
    NvmePage = 32000 (16000..=53000) "ns", Published, "facts J.2: 300 k to 1 M requests a second over all channels";
    SsdLatency = 60000 (40000..=200000) "ns", Published, "facts J.2: write latency at depth 1";
    SsdChannels = 8 (4..=32) "requests", Guess, "requests that a drive serves at a time (NCQ allows 32)";
    SsdPage = 100000 (84000..=115000) "ns", Published, "facts J.2: 70 to 95 k requests a second over all channels";
    HddPage = 1000000 (100000..=12000000) "ns", Guess, "facts J.2: near-sequential 0.1 to 1 ms, seeks 8 to 12 ms; slots are taken in order";
    NetworkLatency = 250000 (150000..=500000) "ns", Guess, "facts J.2: a network block device over 10 GbE";
    NetworkPage = 60000 (30000..=120000) "ns", Guess, "facts J.2: 1.1 GB/s over 16 requests at a time";

    SwapWritesAtOnce = 16 (1..=768) "writes", Guess, "writes of a block device that are under way before whoever reclaims sleeps (block/blk-wbt.c:wbt_wait); how many is a GUESS: it follows the latency that the device shows";
    NvmeMore = 13000 (9000..=32000) "ns", Published, "a further page of a request: facts J.2, 2 to 7 GB/s in order over all channels";
    SsdMore = 62000 (55000..=80000) "ns", Published, "a further page of a request: facts J.2, 0.53 GB/s in order over all channels";
    HddMore = 20000 (16000..=28000) "ns", Published, "a further page of a request: facts J.2, 150 to 250 MB/s in order";
    NetworkMore = 55000 (30000..=60000) "ns", Guess, "a further page of a request on a network block device: the wire's rate";
    DiscardCluster = 100000 (20000..=2000000) "ns", Guess, "telling a device that a cluster of 512 slots is free (discard of 2 MiB)";
    ZswapBatch = 32 (1..=64) "pages", Guess, "entries that zswap writes back for a page that a full pool refused";

    // Swap slots.
    SwapAvailHold = 200 (100..=400) "ns", Guess, "swap_avail_lock: finding a device, apart from moving it behind its peers";
    SwapAvailFar = 1115 (0..=1500) "ns", Calibrated, "D03 B at 2 GiB: what a passage of swap_avail_lock that moves a device behind its peers takes on 256 CPUs of four nodes beside its hold, seven lines and the hand-off, when the lock comes from another node; the cause is a GUESS";
    SwapRequeueLines = 7 (3..=12) "cache lines", Guess, "plist_requeue: list nodes that another CPU wrote last, 1 or 2 levels of the list with both neighbours each";
    SwapDeviceHold = 50 (20..=150) "ns", Guess, "si->lock: looking at a cluster list and trying the head's lock";
    SwapClusterHold = 60 (30..=150) "ns", Guess, "ci->lock: an allocation or a free in a cluster that is at hand; facts H.5";
    SwapGlobalHold = 20 (10..=60) "ns", Guess, "si->global_cluster_lock and the lock that masks devices of the queue, apart from what is done under them";
    SwapQueueRead = 15 (5..=20) "ns", Guess, "percpu_rwsem_down_read and up, and the CPU's cursor; facts H.7";
    SwapCacheHold = 20 (10..=50) "ns", Guess, "the mutex of a CPU's slot cache, without anybody waiting";
    SwapListOp = 25 (10..=80) "ns/node", Guess, "linking or unlinking a cluster or a device";
    SwapScanSlot = 1 (1..=4) "ns/slot", Guess, "looking at a slot; in bitmaps of 64 less, in swap_map a byte each";
    SwapSubmit = 3000 (1500..=6000) "ns", Guess, "block layer submission of one page; facts J.2";
    SwapMerge = 500 (200..=1500) "ns", Guess, "a page that joins the request before it in a plug, instead of one of its own";
    SplitFolio = 2000 (1000..=8000) "ns", Guess, "splitting a large folio that found no slots in a row";
    SwapSlot = 10 (3..=30) "ns/slot", Guess, "marking a slot as used or free, with the counters of its cluster and device";

    // Work outside locks.
    ReclaimPerPage = 75 (40..=400) "ns/page", Guess, "shrink_page_list on a clean unmapped page, apart from i_pages and freeing";
    FolioReferenced = 200 (100..=600) "ns/page", Guess, "reverse mapping to one page table entry and its accessed bit (folio_referenced); facts J.3";
    TryToUnmap = 300 (200..=1000) "ns/page", Guess, "reverse mapping and clearing one page table entry (try_to_unmap); facts J.3";
    TryToUnmapFile = 1100 (300..=4000) "ns/page", Calibrated, "D22 baseline: CPU a stolen page: the same for a page of a file that all threads of a store fault on, whose page tables and their locks other CPUs wrote last; most of it is in taking spinlocks there";
    TlbFlush = 1000 (500..=2000) "ns", Published, "facts J.4: initiator's part of a TLB shootdown, once a slice that unmapped pages";
    TlbBroadcast = 500 (300..=1000) "ns", Guess, "facts J.4: an arm64 TLBI with its barrier, whatever the number of CPUs";
    TlbSerial = 985 (0..=1500) "ns", Calibrated, "D03 A at 2 GiB: what a page that is swapped out takes of something that the whole machine does one at a time; the cause is a GUESS, see docs/threads/swap-queue.md for what speaks for and against each candidate";
    TlbFlushPerCpu = 200 (100..=2000) "ns/CPU", Published, "facts J.4: the same for every CPU that is interrupted";
    WalkPerPte = 10 (3..=40) "ns/entry", Guess, "a page table walk of MGLRU's aging, an entry: eight share a cache line";
    ZeroPerPage = 150 (100..=250) "ns/page", Guess, "clearing a page; facts J.3";
    MapPage = 1080 (300..=2000) "ns/page", Calibrated, "D13 baseline at 1 task: a minor fault apart from the page itself: entry, page table, accounting, in 2018 with its mitigations; facts J.3: 0.6 to 1.0 us in all";
    ZeroTraffic = 100 (20..=400) "1/1000", Calibrated, "D13 baseline at 2 to 22 tasks: memory traffic of a page that is cleared, against that of one that is read from a drive and copied";
    UnmapPage = 100 (50..=400) "ns/page", Guess, "munmap of one page apart from freeing it: page table entry, reverse mapping, accounting (zap_pte_range)";
    ReleasePerPage = 30 (20..=130) "ns/page", Calibrated, "D13 baseline at 8 to 22 tasks: a page that is freed leaves its list under lru_lock (folios_put_refs, release_pages); with 60 the rate at 22 tasks is 18 % lower";
    AccessPage = 100 (5..=1000) "ns", Guess, "one use of a page by a task: a line that is in no cache, and the work on it";
    StoreFiles = 64 (8..=1000) "files", Guess, "workload kv: data files that its pages are spread over (SSTables), each with an i_pages lock";
    StoreHeapUses = 20 (5..=200) "pages", Guess, "workload kv: pages of the heap that a request uses";
    StoreLogBytes = 1024 (128..=16384) "bytes", Guess, "workload kv: what a write appends to the commit log";
    StorePasses = 2 (1..=4) "passes", Guess, "workload kv at a full start: how often a page passes the inactive list in its life, once when it is new and once after a second chance or the active list";
    UseChunk = 200000 (20000..=1000000) "ns", Guess, "uses that find their pages are put together up to this time; results do not depend on it";
    FillRun = 16 (1..=32) "pages", Guess, "pages that a task touches first are worked on in runs of so many; a run is a few microseconds";
    WritePerPage = 500 (200..=2000) "ns/page", Guess, "flusher: submission and completion of the write of one page among others";
    WriteRun = 32 (8..=128) "pages", Guess, "pages that a task writes are worked on in runs of so many";
    BuildFiles = 200 (20..=5000) "files", Guess, "workload build: source files that all jobs read";
    BuildReads = 6 (1..=50) "files", Guess, "workload build: source files that a job reads";
    BuildOutput = 256 (16..=4096) "pages", Guess, "workload build: pages that a job writes";
    CompileStep = 64 (16..=512) "pages", Guess, "workload kbuild: pages that a process adds between two stretches of uses";
    CompileUses = 5 (2..=50) "uses a page", Calibrated, "workload kbuild: D03 A at 2 GiB: swap-outs and swap-ins a second of user time, with the next two: how often a process uses what it has for every page that it adds";
    CompileHotPages = 300 (50..=900) "1/1000", Calibrated, "workload kbuild: D03 A at 2 GiB: pages that a process uses often";
    CompileHotUses = 800 (300..=990) "1/1000", Calibrated, "workload kbuild: D03 A at 2 GiB: the part of the uses that they get";
    CompileSpread = 500 (300..=700) "1/1000", Guess, "workload kbuild: how far process sizes spread (standard deviation of the logarithm)";
    CompileLargest = 65536 (32768..=262144) "pages", Guess, "workload kbuild: the largest process";
    CompileKernel = 80000000 (5000000..=200000000) "ns", Guess, "workload kbuild: fork, exec, files and exit of a process apart from its memory";
    CompileZero = 83 (50..=150) "1/1000", Calibrated, "D03v A at 2 GiB: pages of zeroes among those that lose their memory: 1 - pswpout / pgsteal_anon";
    CompileCharged = 60000 (20000..=100000) "pages", Guess, "workload kbuild: page cache, page tables, stacks and slab that are charged beside the processes' memory";
    ActivePerPage = 75 (40..=400) "ns/page", Guess, "shrink_active_list on an unreferenced page";
    PcpPerPage = 40 (30..=60) "ns/page", Guess, "a page from or to a per-CPU list; facts J.3";
    CopyPerPage = 600 (300..=900) "ns/page", Calibrated, "D01b: CPU of one dd (28.8 % at 6 readers): page copy, page cache look-up and read() a page";
    ReadSubmit = 4000 (2000..=6000) "ns", Guess, "block layer submission of one 128 KiB read; facts J.2";
    ReadComplete = 3000 (1000..=5000) "ns", Guess, "interrupt and completion of one 128 KiB read; facts J.2";
    ContextSwitch = 1500 (800..=2500) "ns", Published, "facts J.3: thread switch 1.07 to 2.41 us";
    WakeLatency = 5000 (2000..=10000) "ns", Guess, "wakeup to running on an idle CPU; facts J.3 and C.5";
    WakeRandomShare = 0 (0..=1000) "1/1000", Guess, "part of WakeLatency that is exponentially distributed; the ledger's latency is that of an idle CPU, an emulated CPU's varies from run to run";
    SlowPathEntry = 500 (100..=2000) "ns", Guess, "entering __alloc_pages_slowpath and wake_all_kswapds";
    NodePass = 1000 (300..=5000) "ns", Guess, "what a pass over a node costs before its first slice (scan counts, shrinkers)";
    DrainPerCpu = 1000 (300..=3000) "ns/CPU", Guess, "drain_all_pages: one work item a CPU";
    SchedulerSlice = 2800000 (700000..=6000000) "ns", Kernel, "6.12 kernel/sched/fair.c: base slice 0.7 ms x (1 + log2 of 8 CPUs)";

    // How fast a CPU is.
    SmtSlowdown = 500 (0..=1000) "1/1000 a busy neighbour", Calibrated, "D01c at 76 to 90 readers: one 'system' per cent of D01 is 1.04 of 104 hardware threads";
    RemoteSlowdown = 500 (0..=1000) "1/1000", Calibrated, "D01c at 58 to 90 readers: reclaim of the other node's pages";
    RemoteCopySlowdown = 200 (0..=600) "1/1000", Guess, "a sequential copy of the other node's pages: prefetching hides most of the latency that scattered lines pay";
    MemoryLoadSlope = 112 (0..=200) "1/1000 per 250,000 pages/s of the node", Calibrated, "D01b: CPU of dd a page is linear in throughput, 1.38 us at 5.1 to 2.6 us at 25.2 million KiB/s of two nodes";

    // Wakeup policies.
    RunnableHalfLife = 32000000 (8000000..=128000000) "ns", Kernel, "7.2 kernel/sched/pelt.c: a load halves in 32 ms";
    PsiHalfLife = 1000000000 (250000000..=10000000000) "ns", Guess, "memory of the node's stall share; PSI's shortest average is over 10 s, its triggers over 0.5 to 10 s";
    PsiLow = 10 (1..=50) "1/1000", Guess, "stall share under which one worker is enough; facts F.4";
    PsiMiddle = 50 (10..=200) "1/1000", Guess, "stall share under which a quarter of the workers is enough; facts F.4";
    PsiHigh = 100 (20..=500) "1/1000", Guess, "stall share under which half of the workers is enough; facts F.4";
    SaturationPeriod = 1000000000 (100000000..=10000000000) "ns", Guess, "how often the saturation policy looks at its workers; facts F.4";
    SaturationUp = 950 (800..=990) "1/1000", Guess, "busy share of the workers allowed at which one more is; facts F.4";
    SaturationDown = 500 (200..=800) "1/1000", Guess, "busy share at which one fewer is allowed";

    TrafficBucket = 1000000 (100000..=10000000) "ns", Guess, "how often the mean of memory traffic is moved";
    TrafficKept = 922 (512..=1020) "1/1024 a bucket", Guess, "what the mean of memory traffic keeps of its past: a memory of some 10 ms";
    ReferenceDistance = 21 (20..=32) "SLIT distance", Guess, "distance at which the remote slow-downs and LineOtherNode are given: two sockets";
    StartSpread = 1000000 (0..=100000000) "ns", Guess, "readers start spread over this time, so that they do not move in step";
    PaceAhead = 2000000 (0..=10000000) "ns", Published, "load generator of the kernel experiments: a paced thread sleeps only when further ahead than this";

    // What a machine with so much memory looks like.
    DmaManaged = 3840 (3800..=4096) "pages", Published, "facts A.8: zone DMA of every PC looked at";
    Dma32Present = 524288 (262144..=1048575) "pages", Published, "D22: a two-socket Xeon with 416,940 managed pages in zone DMA32, so a hole of 2 GiB for devices";
    OneZoneBelow = 262144 (0..=1048576) "pages", Guess, "a smaller first node is shown as one zone";

    // Drives. Bandwidth and latency are controls; lumpkin2018 has 3,500 MB/s (D01b at 58 to 90
    // readers) and 65 us (D01b at 6 and 10).
    DriveChannels = 2 (1..=8) "channels", Calibrated, "D01b at 28 to 58 readers: one channel a drive saturates too sharply";
    ShortRead = 4000 (1000..=20000) "ns", Guess, "least time that a request takes in a drive's channel, however short: 500,000 a second of two channels";
    DriveRandomShare = 1000 (0..=1000) "1/1000", Calibrated, "D01b at 16 to 40 readers: exponential part of a read's service time; with less the drives saturate too sharply";

    // How the model keeps lists.
    CohortsPerList = 4096 (1024..=65536) "cohorts", Guess, "results do not change between 64 and 32,768 pages a cohort for unreferenced pages";
    ManagedShare = 980 (950..=1000) "1/1000", Guess, "managed of present pages: memmap (1/64) and boot reserves; facts A.9";
}

/// The values that a run uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    values: Vec<u64>,
}

impl Default for Ledger {
    fn default() -> Self {
        Self { values: LEDGER.iter().map(|c| c.value).collect() }
    }
}

impl Ledger {
    /// The value of a constant, in its unit.
    #[must_use]
    #[inline]
    pub fn get(&self, id: ConstantId) -> u64 {
        self.values[id as usize]
    }

    /// The same with another value for one constant: what is known of one machine.
    #[must_use]
    pub fn with(mut self, id: ConstantId, value: u64) -> Self {
        self.values[id as usize] = value;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_lie_in_their_range_and_rows_at_their_number() {
        for (row, c) in LEDGER.iter().enumerate() {
            assert_eq!(c.id as usize, row);
            assert!(c.low <= c.value && c.value <= c.high, "{} = {}", c.name, c.value);
            assert!(!c.source.is_empty());
        }
    }
}
