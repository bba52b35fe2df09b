//! All timelines as one picture that stands on its own: SVG with the scenario, the digest and the
//! word SIMULATED in it.
//!
//! Written as text straight from the marks, so that it has every sample and is the same bytes
//! wherever it is made.

use crate::fill::Cut;
use crate::path::{self, Point};
use crate::scale::TimeAxis;
use crate::strip::{Frame, Ground, Kind, Mark, Strip, plan};
use crate::theme::{Ink, Theme};
use report::Report;
use report::series::Table;
use report::window::seconds;
use report::wire::Header;
use std::fmt::Write;

/// Pixels left of the strips, of the strips, right of them.
const COLUMNS: [f64; 3] = [150.0, 640.0, 150.0];
/// Pixels above the first strip, between two, below the last.
const ROWS: [f64; 3] = [84.0, 22.0, 56.0];
/// Pixels between two times of the axis.
const TICK_GAP: f64 = 90.0;
/// The most characters of a line of the caption.
const LINE_MAX: usize = 150;

/// What a picture says of itself.
#[derive(Clone, Copy, Debug)]
pub struct Caption<'a> {
    /// The scenario in words.
    pub title: &'a str,
    /// Hash of the ledger of constants.
    pub ledger: &'a str,
}

/// The picture of a finished run.
#[must_use]
pub fn picture(
    header: &Header,
    table: &Table,
    report: &Report,
    caption: Caption<'_>,
    theme: &Theme,
) -> String {
    let [left, width, right] = COLUMNS;
    let time = TimeAxis { begin_ns: 0, end_ns: header.end_ns.max(1), width };
    let frame = Frame { header, table, time };
    let strips: Vec<Strip> = Kind::ALL.into_iter().map(|kind| plan(kind, &frame)).collect();
    let [above, between, below] = ROWS;
    let heights: f64 = strips.iter().map(|strip| strip.axis.height + between).sum();
    let (total, height) = (left + width + right, above + heights + below);
    let mut pen = Pen { out: String::new(), theme };
    pen.open(total, height);
    pen.caption(report, caption);
    let mut top = above;
    for strip in &strips {
        pen.strip(strip, &frame, left, top);
        top += strip.axis.height + between;
    }
    for (at, text) in time.ticks(TICK_GAP) {
        pen.text([left + time.x(at), top + 4.0], "middle", Ink::Ink2, false, &text);
    }
    let place = [left, height - 14.0];
    pen.text(place, "start", Ink::Ink3, false, &format!("simulated time; link {}", report.link));
    pen.out.push_str("</svg>\n");
    pen.out
}

struct Pen<'a> {
    out: String,
    theme: &'a Theme,
}

impl Pen<'_> {
    fn add(&mut self, text: core::fmt::Arguments<'_>) {
        // Writing into a string cannot fail.
        let _ = self.out.write_fmt(text);
    }

    fn open(&mut self, width: f64, height: f64) {
        let ground = self.colour(Ink::Bg);
        self.add(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"system-ui, sans-serif\" \
             font-size=\"11\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"{ground}\"/>\n"
        ));
    }

    fn caption(&mut self, report: &Report, caption: Caption<'_>) {
        let first = format!(
            "SIMULATED with reclaimscope, model {}, ledger {}",
            report.model, caption.ledger
        );
        let second = format!("{}: {}", report.preset, caption.title);
        let third = format!(
            "seed {}, digest {}, warm-up {}, window {}",
            report.seed,
            report.digest,
            seconds(report.warmup_s),
            seconds(report.window_s)
        );
        self.add(format_args!("<title>{}</title>\n", escaped(&format!("{first}. {second}"))));
        for (row, text) in [first, second, third].iter().enumerate() {
            let y = 22.0 + 18.0 * row as f64;
            self.text([12.0, y], "start", Ink::Ink, row == 0, text);
        }
    }

    fn strip(&mut self, strip: &Strip, frame: &Frame<'_>, left: f64, top: f64) {
        let (kind, columns) = (strip.kind, &frame.table.columns[..]);
        self.text([12.0, top + 10.0], "start", Ink::Ink, true, &kind.title(columns));
        self.text([12.0, top + 24.0], "start", Ink::Ink2, false, &kind.kernel_name(columns));
        self.text([12.0, top + 38.0], "start", Ink::Ink2, false, &strip.unit);
        for (y, text) in &strip.ticks {
            self.text([left - 6.0, top + y + 4.0], "end", Ink::Ink2, false, text);
        }
        let (width, height) = (frame.time.width, strip.axis.height);
        let (x, y) = (left, top);
        // Samples off the scale end at the edge.
        self.add(format_args!("<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\">\n"));
        for ground in &strip.ground {
            match *ground {
                Ground::Warmup(to) => {
                    self.area(&[[0.0, 0.0], [to, 0.0], [to, height], [0.0, height]], Ink::Bg2);
                }
                Ground::Line(y, ink, dash) => {
                    for piece in path::dash(&[[0.0, y], [width, y]], dash) {
                        self.line(&piece, ink, 1.0);
                    }
                }
            }
        }
        for mark in &strip.marks(frame, 0.0) {
            self.mark(mark);
        }
        self.out.push_str("</svg>\n");
        for label in &strip.ends {
            let at = [left + width + 6.0, top + label.y + 4.0];
            self.text(at, "start", label.ink, label.bold, &label.text);
        }
        if let Some(note) = &strip.note {
            self.text([left + width - 4.0, top + 10.0], "end", Ink::Ink2, false, note);
        }
    }

    fn mark(&mut self, mark: &Mark) {
        match mark {
            Mark::Area { points, ink } => self.area(points, *ink),
            Mark::Line { points, ink, width } => self.line(points, *ink, *width),
            Mark::Cuts(cuts) => {
                for cut in cuts {
                    match *cut {
                        Cut::Line(from, to, width) => self.line(&[from, to], Ink::Bg, width),
                        Cut::Dot([x, y], size) => {
                            let (x, y, half) = (x - size / 2.0, y - size / 2.0, size / 2.0);
                            let side = half * 2.0;
                            let corners =
                                [[x, y], [x + side, y], [x + side, y + side], [x, y + side]];
                            self.area(&corners, Ink::Bg);
                        }
                    }
                }
            }
        }
    }

    fn line(&mut self, points: &[Point], ink: Ink, width: f64) {
        let (colour, points) = (self.colour(ink), places(points));
        self.add(format_args!(
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" \
             points=\"{points}\"/>\n"
        ));
    }

    fn area(&mut self, points: &[Point], ink: Ink) {
        let (colour, points) = (self.colour(ink), places(points));
        self.add(format_args!("<polygon fill=\"{colour}\" points=\"{points}\"/>\n"));
    }

    fn text(&mut self, [x, y]: Point, anchor: &str, ink: Ink, bold: bool, text: &str) {
        let colour = self.colour(ink);
        let weight = if bold { " font-weight=\"bold\"" } else { "" };
        let text: String = text.chars().take(LINE_MAX).collect();
        let text = escaped(&text);
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\"{weight}>\
             {text}</text>\n"
        ));
    }

    fn colour(&self, ink: Ink) -> String {
        let [r, g, b] = self.theme.rgb(ink);
        format!("#{r:02x}{g:02x}{b:02x}")
    }
}

/// Points as SVG takes them, to a tenth of a pixel; what is no number is left out.
fn places(points: &[Point]) -> String {
    let mut out = String::new();
    for [x, y] in points.iter().filter(|[x, y]| x.is_finite() && y.is_finite()) {
        let gap = if out.is_empty() { "" } else { " " };
        let _ = write!(out, "{gap}{x:.1},{y:.1}");
    }
    out
}

/// Text between tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strips::samples::Samples;

    #[test]
    fn a_picture_says_what_it_is_and_has_every_strip() {
        let samples = Samples::two_nodes();
        let frame = samples.frame();
        let report = Report {
            model: "0.1.0".into(),
            preset: "tiny".into(),
            link: "v1.tiny.x7Q".into(),
            digest: "0123456789abcdef".into(),
            ..Report::default()
        };
        let caption = Caption { title: "1 node & 2 <CPUs>", ledger: "1a2b3c4d" };
        let svg = picture(frame.header, frame.table, &report, caption, &Theme::LIGHT);
        for text in [
            "SIMULATED with reclaimscope, model 0.1.0, ledger 1a2b3c4d",
            "digest 0123",
            "tiny: 1 node &amp; 2 &lt;CPUs&gt;",
            "link v1.tiny.x7Q",
        ] {
            assert!(svg.contains(text), "{text}");
        }
        for kind in Kind::ALL {
            assert!(svg.contains(&format!(">{}</text>", kind.title(&[]))), "{kind:?}");
        }
        assert_eq!(svg.matches("<svg").count(), svg.matches("</svg>").count());
        assert!(svg.matches("<polygon").count() > 3 && svg.matches("<polyline").count() > 5);
        assert!(!svg.contains("NaN"));
    }
}
