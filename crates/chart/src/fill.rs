//! Patterns, so that a stack can be read without its colours: what is cut out of a filled band.

use crate::path::Point;

/// How a band is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Whole.
    Solid,
    /// Diagonal stripes: a lock.
    Hatch,
    /// Dots: direct reclaim.
    Dots,
    /// Vertical bars: isolating.
    Bars,
}

/// What is cut out of a band, in the colour of the ground.
#[derive(Clone, Debug, PartialEq)]
pub enum Cut {
    /// A straight line of the given width.
    Line(Point, Point, f64),
    /// A dot of the given size: at two pixels nobody tells a square from a disc, but to draw a
    /// square takes a tenth of the time.
    Dot(Point, f64),
}

/// A band between two edges, sampled once a pixel: `edges[n]` are its upper and lower y at x = n.
/// Where it does not exist both are NaN.
pub type Band = [[f64; 2]];

/// What `fill` cuts out of the band.
#[must_use]
pub fn cuts(fill: Fill, band: &Band) -> Vec<Cut> {
    match fill {
        Fill::Solid => Vec::new(),
        Fill::Hatch => hatch(band),
        Fill::Dots => dots(band),
        Fill::Bars => bars(band),
    }
}

const HATCH_STEP: f64 = 7.0;
const HATCH_WIDTH: f64 = 1.5;
const BAR_STEP: usize = 4;
const BAR_WIDTH: f64 = 1.25;
const DOT_STEP: usize = 5;
const DOT_SIZE: f64 = 2.0;

/// Stripes that rise to the right: the points with x + y constant, as far as they lie in the band.
fn hatch(band: &Band) -> Vec<Cut> {
    let lowest = band.iter().map(|e| e[1]).fold(0.0, f64::max);
    let mut cuts = Vec::new();
    let mut sum = 0.0;
    while sum < band.len() as f64 + lowest {
        let first = (sum - lowest).max(0.0) as usize;
        let last = (sum as usize).min(band.len().saturating_sub(1));
        let mut start: Option<usize> = None;
        for x in first..=last + 1 {
            let y = sum - x as f64;
            let inside = x <= last && band.get(x).is_some_and(|[up, low]| y >= *up && y <= *low);
            match (inside, start) {
                (true, None) => start = Some(x),
                (false, Some(from)) => {
                    let point = |x: f64| [x, sum - x];
                    let (from, to) = (from as f64, x as f64 - 1.0);
                    // A stripe of one sample still crosses its pixel.
                    let to = if to > from { to } else { from + 0.5 };
                    cuts.push(Cut::Line(point(from), point(to), HATCH_WIDTH));
                    start = None;
                }
                _ => {}
            }
        }
        sum += HATCH_STEP;
    }
    cuts
}

fn bars(band: &Band) -> Vec<Cut> {
    let columns = band.iter().enumerate().step_by(BAR_STEP);
    let wide = columns.filter(|(_, [up, low])| low > up);
    wide.map(|(x, [up, low])| Cut::Line([x as f64, *up], [x as f64, *low], BAR_WIDTH)).collect()
}

fn dots(band: &Band) -> Vec<Cut> {
    let mut cuts = Vec::new();
    for (x, [up, low]) in band.iter().enumerate().skip(DOT_STEP / 2).step_by(DOT_STEP) {
        let mut y = (up / DOT_STEP as f64).ceil() * DOT_STEP as f64;
        while y <= *low {
            cuts.push(Cut::Dot([x as f64, y], DOT_SIZE));
            y += DOT_STEP as f64;
        }
    }
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(band: &Band, point: Point) -> bool {
        let [up, low] = band[point[0] as usize];
        point[1] >= up - 1.0 && point[1] <= low + 1.0
    }

    #[test]
    fn every_cut_lies_in_its_band() {
        // A band that narrows, vanishes and comes back.
        let band: Vec<[f64; 2]> = (0..200)
            .map(|x| match x {
                80..100 => [f64::NAN; 2],
                _ => [10.0 + f64::from(x % 40), 60.0],
            })
            .collect();
        for fill in [Fill::Hatch, Fill::Dots, Fill::Bars] {
            let cuts = cuts(fill, &band);
            assert!(cuts.len() > 20, "{fill:?}: {}", cuts.len());
            for cut in cuts {
                let ends = match cut {
                    Cut::Line(from, to, _) => vec![from, to],
                    Cut::Dot(at, _) => vec![at],
                };
                for end in ends {
                    assert!(inside(&band, end), "{fill:?} {end:?}");
                }
            }
        }
    }

    #[test]
    fn nothing_is_cut_out_of_nothing() {
        for fill in [Fill::Solid, Fill::Hatch, Fill::Dots, Fill::Bars] {
            assert!(cuts(fill, &[]).is_empty(), "{fill:?}");
            assert!(cuts(fill, &[[f64::NAN; 2]; 50]).is_empty(), "{fill:?}");
        }
        assert!(cuts(Fill::Solid, &[[0.0, 9.0]; 50]).is_empty());
    }
}
