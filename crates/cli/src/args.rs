//! The arguments as they are typed.

use clap::{Args as Group, Parser, Subcommand};
use std::path::PathBuf;

/// Simulates how Linux reclaims memory on NUMA machines. Every number it prints is SIMULATED.
#[derive(Debug, Parser)]
#[command(name = "reclaimscope", version, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Simulates a scenario and prints what came out
    Run {
        #[command(flatten)]
        scenario: ScenarioArgs,
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// Write what passed the kernel's vmscan tracepoints, the last million events, as
        /// trace-cmd prints it; `-` prints that instead of the numbers
        #[arg(long, value_name = "FILE")]
        trace: Option<String>,
        /// Write the same as trace events in JSON, which ui.perfetto.dev opens, with free memory
        /// and scan rates as counters
        #[arg(long, value_name = "FILE", conflicts_with = "trace")]
        perfetto: Option<String>,
        /// Run even when it takes more than a minute
        #[arg(long)]
        force: bool,
    },
    /// Prints the link of a scenario, with its arms where it has some
    Link {
        #[command(flatten)]
        scenario: ScenarioArgs,
        /// An arm and what it sets, e.g. A:kswapds=1 or B=eight:kswapds=8; two to five of them
        #[arg(long = "arm", value_name = "NAME:KEY=VALUE,...")]
        arms: Vec<String>,
        /// Say what every part of the link means
        #[arg(long)]
        explain: bool,
    },
    /// Prints a scenario in words, or with --json as a document that can be edited
    Show {
        #[command(flatten)]
        scenario: ScenarioArgs,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Simulates a scenario and prints every series of its samples, as CSV, JSON or a picture
    Series {
        #[command(flatten)]
        scenario: ScenarioArgs,
        /// Print JSON instead of CSV
        #[arg(long)]
        json: bool,
        /// Print the timelines as a picture (SVG) instead of CSV
        #[arg(long, conflicts_with = "json")]
        svg: bool,
        /// Run even when it takes more than a minute
        #[arg(long)]
        force: bool,
    },
    /// Simulates a scenario and says where it agrees with what a real kernel did
    ///
    /// Exit code: 0 when all that both have agrees, 1 when something differs, 2 unreadable.
    Overlay {
        #[command(flatten)]
        scenario: ScenarioArgs,
        /// Samples: `vmstat 1`, /proc/vmstat again and again, or CSV with a column t_ms
        #[arg(long, value_name = "FILE", required_unless_present_any = ["trace", "results"])]
        vmstat: Option<PathBuf>,
        /// Events: ftrace text, or what trace-cmd report or perf script prints
        #[arg(long, value_name = "FILE")]
        trace: Option<PathBuf>,
        /// What a benchmark printed: rows of mmtests, of fio or of cassandra-stress
        #[arg(long, value_name = "FILE")]
        results: Option<PathBuf>,
        /// Which kernel of mmtests' columns, from 1
        #[arg(long, value_name = "N", default_value_t = 1)]
        column: usize,
        /// Time between samples where the file has no times
        #[arg(long, value_name = "TIME", default_value = "1s")]
        interval: String,
        /// Where the file's time 0 stands after the beginning of the simulated window, in ms
        #[arg(long, value_name = "MS", default_value_t = 0.0, allow_negative_numbers = true)]
        shift: f64,
        /// Align by an event instead: the first scan of kswapd or of direct reclaim
        #[arg(long, value_enum)]
        align: Option<Align>,
        /// Largest difference that agrees, in per cent
        #[arg(long, value_name = "N", default_value_t = 25)]
        tolerance: u32,
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// Run even when it takes more than a minute
        #[arg(long)]
        force: bool,
    },
    /// Lists the presets; with --json the controls too
    Presets {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Simulates a scenario for every combination of values on all cores, one row a point
    ///
    /// With --out or --lines it writes a line of JSON for every point, in order; --out goes on
    /// where the file ends. `merge` puts the files of all shards together.
    Sweep {
        #[command(flatten)]
        scenario: ScenarioArgs,
        /// A control and its values, e.g. kswapds=1,2,4 or kswapds=1..8; one or more of them
        #[arg(long, value_name = "KEY=A,B,C", required = true)]
        over: Vec<String>,
        /// Replications of every point
        #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
        reps: u32,
        /// Only the I-th of N parts, e.g. 2/4
        #[arg(long, value_name = "I/N")]
        shard: Option<String>,
        /// Write lines of JSON into a file; if it holds the beginning of this sweep, go on there
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Print lines of JSON
        #[arg(long, conflicts_with_all = ["json", "out"])]
        lines: bool,
        /// Print JSON
        #[arg(long, conflicts_with = "out")]
        json: bool,
        /// Run even when it takes more than a minute
        #[arg(long)]
        force: bool,
    },
    /// Puts the files of a sweep's shards together: what one run without shards writes
    Merge {
        /// Files of `sweep --out` or `sweep --lines`
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// Print tables instead: every point, what added workers gain, a map of two controls
        #[arg(long)]
        table: bool,
    },
    /// Compares arms on common random numbers: means, spreads, paired 95 % intervals
    Compare {
        #[command(flatten)]
        scenario: ScenarioArgs,
        /// An arm and what it sets, e.g. A:kswapds=1 or B=eight:kswapds=8,policy=all; two to five,
        /// or none when the link has its own
        #[arg(long = "arm", value_name = "NAME:KEY=VALUE,...")]
        arms: Vec<String>,
        /// Replications of every arm, each pair of them with the same seed
        #[arg(long, value_name = "N", default_value_t = 5, allow_negative_numbers = true)]
        reps: u32,
        /// Whether the replications of an arm share one warm-up, or each has its own
        #[arg(long, value_enum, default_value_t = WarmUp::Own)]
        warm: WarmUp,
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// Print every figure of every replication as CSV
        #[arg(long, conflicts_with = "json")]
        csv: bool,
        /// Run even when it takes more than a minute
        #[arg(long)]
        force: bool,
    },
    /// Writes a comparison as a mail: 7-bit, at most 72 columns, with its link
    ///
    /// INPUT may be such a mail as it came back, quoted and wrapped; it is simulated anew.
    Mail {
        #[command(flatten)]
        scenario: ScenarioArgs,
        /// An arm and what it sets, e.g. A:kswapds=1 or B=eight:kswapds=8; two to five of them, or
        /// none when the link has its own
        #[arg(long = "arm", value_name = "NAME:KEY=VALUE,...")]
        arms: Vec<String>,
        /// Replications of every arm, each pair of them with the same seed
        #[arg(long, value_name = "N", default_value_t = 5, allow_negative_numbers = true)]
        reps: u32,
        /// Whether the replications of an arm share one warm-up, or each has its own
        #[arg(long, value_enum, default_value_t = WarmUp::Own)]
        warm: WarmUp,
        /// Where the page is, for the link
        #[arg(long, value_name = "URL", default_value = report::mail::ADDRESS)]
        page: String,
        /// Run even when it takes more than a minute
        #[arg(long)]
        force: bool,
    },
    /// Compares a real machine's zoneinfo with the kernel's formulas
    ///
    /// Exit code: 0 equal, 1 differs, 2 unreadable.
    Machine {
        /// The text of /proc/zoneinfo; `-` reads the standard input
        #[arg(long, value_name = "FILE")]
        zoneinfo: PathBuf,
        /// Lines as `sysctl -a` prints them; `node0.cpus = 0-3` says which CPUs a node has
        #[arg(long, value_name = "FILE")]
        sysctl: Option<PathBuf>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Compares experiments with real kernels with the model, rule by rule
    ///
    /// A folder has params.json (machine, settings, load) and what the kernel did: summary.json,
    /// nodes.csv and others; what a missing file would show is listed. Exit code: 0 nothing missed,
    /// 1 something missed, 2 unreadable.
    Kernel {
        /// Folders of experiments
        #[arg(value_name = "DIR", required = true)]
        folders: Vec<PathBuf>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Puts every published figure and real kernel beside the model, misses too
    ///
    /// Without --data and --set the experiments with real kernels that come with this version are
    /// compared as well; progress is on the standard error. A miss is a result: the exit code is 0
    /// whatever the verdicts are, and 2 when a table cannot be read.
    Validate {
        /// A table of published figures; the collection of this version when it is left out
        #[arg(long, value_name = "FILE")]
        data: Option<PathBuf>,
        /// Only these sets, e.g. D01c,D01d
        #[arg(long = "set", value_name = "A,B", value_delimiter = ',')]
        sets: Vec<String>,
        /// Seeds that every scenario is run with; more than one gives a spread
        #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
        reps: u32,
        /// Print Markdown
        #[arg(long, conflicts_with_all = ["json", "write"])]
        markdown: bool,
        /// Print JSON
        #[arg(long, conflicts_with = "write")]
        json: bool,
        /// Write both into a folder, as VALIDATION.md and validation.json: `--write docs`
        #[arg(long, value_name = "DIR")]
        write: Option<PathBuf>,
    },
    /// Answers a thread as Markdown, by some hundred simulations
    ///
    /// `kswapd`: what more kswapds a node bring and what binds. `swap-queue`: what rotating swap
    /// devices costs, and when the queue of rings wins. docs/threads holds what it prints.
    Thread {
        /// The thread; the first when nothing is said, with --write both
        #[arg(value_enum)]
        name: Option<ThreadName>,
        /// Write it into a folder, as NAME.md: `--write docs/threads`
        #[arg(long, value_name = "DIR")]
        write: Option<PathBuf>,
    },
    /// Says which results hang on which constants of the ledger
    ///
    /// Each constant is put to both ends of its range, one at a time; --morris moves those that
    /// matter along random paths. Without a scenario it is asked of both threads' headline results,
    /// of which docs/SENSITIVITY.md is the answer: some ten minutes on two cores.
    Sensitivity {
        /// A link, the name of a preset, or a scenario's JSON file
        input: Option<String>,
        /// Sets a control; may be given more than once
        #[arg(long = "set", value_name = "KEY=VALUE", requires = "input")]
        sets: Vec<String>,
        /// A figure, e.g. throughput, latency_p99_us, pgscan_direct or wait:lru_lock
        #[arg(long = "metric", value_name = "A,B", value_delimiter = ',', requires = "input")]
        metrics: Vec<String>,
        /// Paths of Morris screening
        #[arg(long, value_name = "N", default_value_t = 0,
            value_parser = clap::value_parser!(u32).range(0..=100))]
        morris: u32,
        /// Only the constants marked GUESS, which is half of the work
        #[arg(long)]
        guesses: bool,
        /// Keep every run that ends in a file, and go on from what it has
        ///
        /// A stopped study then loses what was under way only. Runs of another build of the model
        /// are refused.
        #[arg(long, value_name = "FILE")]
        resume: Option<PathBuf>,
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// Write SENSITIVITY.md, sensitivity.json and sensitivity.tsv into a folder
        #[arg(long, value_name = "DIR", conflicts_with = "json")]
        write: Option<PathBuf>,
    },
    /// Copies an index of held-back figures and adds what the model says they are
    ///
    /// A row without a modelled cause stays empty, with its reason.
    Predict {
        /// The index: a table of published figures without the column `value`
        #[arg(long, value_name = "FILE")]
        index: PathBuf,
        /// Where the copy goes; `-` is the standard output
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Seeds that every scenario is run with
        #[arg(long, value_name = "N", default_value_t = 3, allow_negative_numbers = true)]
        reps: u32,
    },
}

/// An event that a file and a run are aligned by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Align {
    /// The first page that kswapd scanned.
    Kswapd,
    /// The first page that direct reclaim scanned.
    Direct,
}

/// A thread of the mailing list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ThreadName {
    /// Several kswapds a node.
    Kswapd,
    /// The queue of swap devices.
    SwapQueue,
}

/// Where replications begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum WarmUp {
    /// Each warms up with draws of its own.
    Own,
    /// Once an arm, with the first seed: all replications go on from there. Sooner done; what the
    /// one warm-up happened to be is in no interval.
    Shared,
}

/// Which scenario.
#[derive(Debug, Group)]
pub(crate) struct ScenarioArgs {
    /// A link, the name of a preset, a scenario's JSON file, or `-` for the standard input
    pub(crate) input: String,
    /// Sets a control; may be given more than once
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) sets: Vec<String>,
    /// Sets the seed
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) seed: Option<String>,
}
