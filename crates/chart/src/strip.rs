//! A timeline as data.

use crate::fill::{self, Fill};
use crate::labels::{Label, spread};
use crate::path::{self, Point, envelope};
use crate::scale::{Axis, TimeAxis};
use crate::strips;
use crate::strips::column::{Base, bases};
use crate::theme::Ink;
use report::series::{Column, Table};
use report::wire::Header;
use std::borrow::Cow;
use std::ops::Range;

/// Which timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Free pages of each node against the watermarks.
    Free,
    /// Pages scanned and reclaimed a second.
    Scan,
    /// CPUs by use.
    Cpu,
    /// How much of the time lru_lock is held.
    Lock,
    /// How long a passage of lru_lock waits.
    Wait,
    /// What the readers get.
    Reads,
    /// One of [`strips::column::bases`], by its number.
    Column(u8),
}

impl Kind {
    /// The timelines that are made for what they show, in page order.
    pub const ALL: [Self; 6] =
        [Self::Free, Self::Scan, Self::Cpu, Self::Lock, Self::Wait, Self::Reads];

    /// Its height in pixels.
    #[must_use]
    pub const fn height(self) -> f64 {
        match self {
            Self::Free | Self::Scan | Self::Cpu => 68.0,
            Self::Lock | Self::Reads | Self::Column(_) => 46.0,
            Self::Wait => 34.0,
        }
    }

    /// Its name in plain words, in a run with these columns.
    #[must_use]
    pub fn title(self, columns: &[Column]) -> Cow<'static, str> {
        let name = match self {
            Self::Free => "Free memory",
            Self::Scan => "Pages scanned",
            Self::Cpu => "CPU by use",
            Self::Lock => "Lock held",
            Self::Wait => "Lock wait",
            Self::Reads => "Reads",
            Self::Column(number) => {
                return base(number, columns).map_or("".into(), |base| base.label.into());
            }
        };
        name.into()
    }

    /// The kernel's name for what it shows.
    #[must_use]
    pub fn kernel_name(self, columns: &[Column]) -> Cow<'static, str> {
        let name = match self {
            Self::Free => "nr_free_pages",
            Self::Scan => "pgscan, pgsteal",
            Self::Cpu => "all nodes",
            Self::Lock | Self::Wait => "lru_lock",
            Self::Reads => "all tasks",
            Self::Column(number) => {
                return base(number, columns).map_or("".into(), |base| base.kernel_name.into());
            }
        };
        name.into()
    }
}

fn base(number: u8, columns: &[Column]) -> Option<Base> {
    bases(columns).into_iter().nth(usize::from(number))
}

/// What a timeline is planned from.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// What is fixed of the run.
    pub header: &'a Header,
    /// The samples so far.
    pub table: &'a Table,
    /// The shared x axis.
    pub time: TimeAxis,
}

impl Frame<'_> {
    /// The rows that are seen from `from_x` pixels on, and one more at either side.
    #[must_use]
    pub fn rows(&self, from_x: f64) -> Range<usize> {
        let times = &self.table.time_ns;
        let before = times.partition_point(|&t| self.time.x(t) < from_x);
        let last = times.partition_point(|&t| t <= self.time.end_ns);
        before.saturating_sub(1)..(last + 1).min(times.len())
    }
}

/// One thing that is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A line.
    Line {
        /// Its points.
        points: Vec<Point>,
        /// Its colour.
        ink: Ink,
        /// Its width in pixels.
        width: f64,
    },
    /// A filled outline.
    Area {
        /// The outline.
        points: Vec<Point>,
        /// Its colour.
        ink: Ink,
    },
    /// What a pattern cuts out of the areas before, in the colour of the ground.
    Cuts(Vec<fill::Cut>),
}

/// What lies under the samples.
#[derive(Clone, Debug, PartialEq)]
pub enum Ground {
    /// The warm-up: from the left edge to so many pixels.
    Warmup(f64),
    /// A horizontal line at a height, with lengths drawn and left out by turns.
    Line(f64, Ink, &'static [f64]),
}

/// What is drawn of the samples. [`Strip::marks`] makes marks of it: of all samples, or only of the
/// newest where the others stand already.
#[derive(Clone, Debug, PartialEq)]
pub enum Layer {
    /// A column as a line.
    Line(usize, Stroke),
    /// The band between the sums of two sets of columns: what it stands on, what it adds.
    Band(Vec<usize>, Vec<usize>, Ink, Fill),
    /// The band between two columns: lowest and highest.
    Range(usize, usize, Ink),
}

/// A column that a strip shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name: `node 0`, `kswapd`.
    pub name: String,
    /// Its colour.
    pub ink: Ink,
    /// The column of the table.
    pub column: usize,
    /// Columns that it stands on, in a stack.
    pub below: Vec<usize>,
}

/// A timeline, planned.
#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    /// Which one.
    pub kind: Kind,
    /// What a value is divided by before it is written.
    pub divisor: f64,
    /// The unit of what is then written: `MiB`, `M pages/s`.
    pub unit: String,
    /// Its vertical axis, in the unit of the column.
    pub axis: Axis,
    /// Heights that carry a number, in pixels, and the number.
    pub ticks: Vec<(f64, String)>,
    /// What lies under the samples: warm-up, hairlines, watermarks. It changes seldom, so a surface
    /// can keep it apart.
    pub ground: Vec<Ground>,
    /// The samples, undermost first.
    pub layers: Vec<Layer>,
    /// Names at the right end.
    pub ends: Vec<Label>,
    /// A remark, such as that values are off the scale.
    pub note: Option<String>,
    /// What it shows.
    pub series: Vec<Series>,
}

/// What a strip says at the cursor.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The series.
    pub name: String,
    /// Its value, without the unit.
    pub text: String,
    /// Where it stands, in pixels from the upper edge.
    pub y: f64,
    /// Its colour.
    pub ink: Ink,
}

impl Strip {
    /// An empty strip with its ground: warm-up, hairlines at the ticks, the axis.
    #[must_use]
    pub fn new(kind: Kind, frame: &Frame<'_>, top: f64) -> Self {
        let axis = Axis { top, height: kind.height() };
        let mut strip = Self {
            kind,
            divisor: 1.0,
            unit: String::new(),
            axis,
            ticks: Vec::new(),
            ground: Vec::new(),
            layers: Vec::new(),
            ends: Vec::new(),
            note: None,
            series: Vec::new(),
        };
        let warm = frame.time.x(frame.header.warmup_ns);
        if warm > 0.0 {
            strip.ground.push(Ground::Warmup(warm.min(frame.time.width)));
        }
        strip
    }

    /// Writes a number at a value and draws its hairline.
    pub fn tick(&mut self, value: f64, text: String) {
        let y = self.axis.y(value);
        self.ticks.push((y, text));
        let ink = if value == 0.0 { Ink::Line2 } else { Ink::Line };
        self.horizontal(value, ink, &[]);
    }

    /// A horizontal line at a value.
    pub fn horizontal(&mut self, value: f64, ink: Ink, dash: &'static [f64]) {
        self.ground.push(Ground::Line(self.axis.y(value), ink, dash));
    }

    /// A column as a line.
    pub fn line(&mut self, column: usize, stroke: Stroke) {
        self.layers.push(Layer::Line(column, stroke));
    }

    /// The band between the sums of two sets of columns.
    pub fn band(&mut self, below: &[usize], columns: &[usize], ink: Ink, fill: Fill) {
        self.layers.push(Layer::Band(below.to_vec(), columns.to_vec(), ink, fill));
    }

    /// The marks of the samples from `from_x` pixels on, and of one sample before.
    #[must_use]
    pub fn marks(&self, frame: &Frame<'_>, from_x: f64) -> Vec<Mark> {
        let pen = Pen { axis: self.axis, frame, from_x, rows: frame.rows(from_x) };
        let mut marks = Vec::new();
        for layer in &self.layers {
            match layer {
                Layer::Line(column, stroke) => pen.line(*column, *stroke, &mut marks),
                Layer::Band(below, columns, ink, fill) => {
                    pen.band(below, columns, *ink, *fill, &mut marks);
                }
                Layer::Range(low, high, ink) => pen.range(*low, *high, *ink, &mut marks),
            }
        }
        marks
    }

    /// The lines of other samples, thin and all of one colour, to be drawn over the strip's own.
    #[must_use]
    pub fn outlines(&self, frame: &Frame<'_>) -> Vec<Mark> {
        let line = |mark| match mark {
            Mark::Line { points, .. } => Some(Mark::Line { points, ink: Ink::Bad, width: 1.0 }),
            Mark::Area { .. } | Mark::Cuts(_) => None,
        };
        self.marks(frame, 0.0).into_iter().filter_map(line).collect()
    }

    /// The same without some of its series, by their numbers. What stands on them in a stack stays
    /// where it is.
    #[must_use]
    pub fn without(mut self, hidden: &[usize]) -> Self {
        let columns: Vec<usize> =
            hidden.iter().filter_map(|&n| Some(self.series.get(n)?.column)).collect();
        let names: Vec<String> =
            hidden.iter().filter_map(|&n| Some(self.series.get(n)?.name.clone())).collect();
        self.layers.retain(|layer| match layer {
            Layer::Line(column, _) => !columns.contains(column),
            Layer::Band(_, own, ..) => !own.iter().any(|column| columns.contains(column)),
            Layer::Range(..) => true,
        });
        self.ends.retain(|end| !names.contains(&end.text));
        let mut number = 0;
        self.series.retain(|_| {
            number += 1;
            !hidden.contains(&(number - 1))
        });
        self
    }

    /// Writes names at the right end, kept apart.
    pub fn label_ends(&mut self, labels: Vec<Label>) {
        self.ends = spread(labels, 2.0, self.axis.height);
    }

    /// The last value of a column; none before the first sample.
    #[must_use]
    pub fn last(frame: &Frame<'_>, column: usize) -> Option<f64> {
        let row = frame.table.time_ns.len().checked_sub(1)?;
        frame.table.values.get(row * frame.table.columns.len() + column).copied()
    }

    /// What it shows in a row of the table.
    #[must_use]
    pub fn readings(&self, table: &Table, row: usize) -> Vec<Reading> {
        let width = table.columns.len();
        let value = |column: usize| table.values.get(row * width + column).copied();
        let read = |series: &Series| {
            // A use that has no height in the stack has no place to be read at either.
            let is_there = |v: &f64| v.is_finite() && (self.kind != Kind::Cpu || *v > 0.0);
            let own = value(series.column).filter(is_there)?;
            let below: f64 = series.below.iter().filter_map(|&c| value(c)).sum();
            let middle = if self.kind == Kind::Cpu { own / 2.0 } else { own };
            Some(Reading {
                name: series.name.clone(),
                text: crate::words::three(own / self.divisor),
                y: self.axis.y(below + middle),
                ink: series.ink.for_text(),
            })
        };
        self.series.iter().filter_map(read).collect()
    }
}

/// Makes marks of the samples of some rows.
struct Pen<'a> {
    axis: Axis,
    frame: &'a Frame<'a>,
    from_x: f64,
    rows: Range<usize>,
}

impl Pen<'_> {
    fn x(&self, row: usize) -> f64 {
        self.frame.time.x(self.frame.table.time_ns[row])
    }

    fn sum(&self, row: usize, columns: &[usize]) -> f64 {
        let table = self.frame.table;
        let row = &table.values[row * table.columns.len()..];
        columns.iter().map(|&column| row[column]).sum()
    }

    fn line(&self, column: usize, stroke: Stroke, marks: &mut Vec<Mark>) {
        let Stroke { ink, width, dash } = stroke;
        // Where a dash begins depends on the whole line before it.
        let first = if dash.is_empty() { self.rows.start } else { self.frame.rows(0.0).start };
        let rows = first..self.rows.end;
        let points = rows.map(|row| [self.x(row), self.axis.y(self.sum(row, &[column]))]);
        for line in envelope(points) {
            if dash.is_empty() {
                marks.push(Mark::Line { points: line, ink, width });
                continue;
            }
            let dashes = path::dash(&line, dash).into_iter();
            let shown = dashes.filter(|points| points.last().is_some_and(|p| p[0] >= self.from_x));
            marks.extend(shown.map(|points| Mark::Line { points, ink, width }));
        }
    }

    fn band(
        &self,
        below: &[usize],
        columns: &[usize],
        ink: Ink,
        fill: Fill,
        marks: &mut Vec<Mark>,
    ) {
        let edge = |upper: bool| {
            let at = |row: usize| {
                let value = self.sum(row, below) + if upper { self.sum(row, columns) } else { 0.0 };
                [self.x(row), self.axis.y(value)]
            };
            envelope(self.rows.clone().map(at)).concat()
        };
        let (upper, mut lower) = (edge(true), edge(false));
        if upper.len() < 2 || lower.len() < 2 {
            return;
        }
        let cuts = fill::cuts(fill, &sampled(&upper, &lower, self.frame.time.width));
        let ridge = upper.clone();
        lower.reverse();
        marks.push(Mark::Area { points: [upper, lower].concat(), ink });
        if !cuts.is_empty() {
            marks.push(Mark::Cuts(cuts));
        }
        // Neighbours in a stack are parted by the ground.
        marks.push(Mark::Line { points: ridge, ink: Ink::Bg, width: 0.75 });
    }

    fn range(&self, low: usize, high: usize, ink: Ink, marks: &mut Vec<Mark>) {
        let edge = |column: usize| {
            let at = |row: usize| [self.x(row), self.axis.y(self.sum(row, &[column]))];
            let rows = self.rows.clone().map(at);
            rows.filter(|p| p[1].is_finite()).collect::<Vec<_>>()
        };
        let (mut outline, mut lower) = (edge(high), edge(low));
        if outline.len() > 1 {
            lower.reverse();
            outline.append(&mut lower);
            marks.push(Mark::Area { points: outline, ink });
        }
    }
}

/// How a line looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub ink: Ink,
    /// Its width in pixels.
    pub width: f64,
    /// Lengths drawn and left out by turns.
    pub dash: &'static [f64],
}

impl Stroke {
    /// The line of a node: they differ by dash as well as by weight.
    #[must_use]
    pub fn node(node: usize, ink: Ink) -> Self {
        const DASHES: [&[f64]; 8] = [
            &[],
            &[5.0, 2.0],
            &[2.0, 2.0],
            &[8.0, 2.0, 2.0, 2.0],
            &[12.0, 3.0],
            &[1.5, 3.0],
            &[6.0, 2.0, 1.5, 2.0, 1.5, 2.0],
            &[3.0, 4.0],
        ];
        let width = if node == 0 { 1.75 } else { 1.5 };
        Self { ink, width, dash: DASHES[node % DASHES.len()] }
    }
}

/// Plans a timeline.
#[must_use]
pub fn plan(kind: Kind, frame: &Frame<'_>) -> Strip {
    match kind {
        Kind::Free => strips::free::plan(frame),
        Kind::Scan => strips::scan::plan(frame),
        Kind::Cpu => strips::cpu::plan(frame),
        Kind::Lock => strips::lock::plan_held(frame),
        Kind::Wait => strips::lock::plan_wait(frame),
        Kind::Reads => strips::reads::plan(frame),
        Kind::Column(number) => strips::column::plan(number, frame),
    }
}

/// The number of the row that holds a time: what it says is of the time since the row before. The
/// last one for times after it; none without rows.
#[must_use]
pub fn row_at(table: &Table, time_ns: u64) -> Option<usize> {
    let last = table.time_ns.len().checked_sub(1)?;
    Some(table.time_ns.partition_point(|&t| t < time_ns).min(last))
}

/// Both edges of a band once a pixel, for [`fill::cuts`].
fn sampled(upper: &[Point], lower: &[Point], width: f64) -> Vec<[f64; 2]> {
    let mut at = [0, 0];
    let mut edge = |n: usize, line: &[Point], x: f64| {
        while at[n] + 1 < line.len() && line[at[n] + 1][0] < x {
            at[n] += 1;
        }
        match line.get(at[n]..at[n] + 2) {
            Some([a, b]) if x >= a[0] && x <= b[0] && b[0] > a[0] => {
                a[1] + (b[1] - a[1]) * (x - a[0]) / (b[0] - a[0])
            }
            _ => f64::NAN,
        }
    };
    let pixels = 0..=width.max(0.0) as usize;
    pixels.map(|x| [edge(0, upper, x as f64), edge(1, lower, x as f64)]).collect()
}
