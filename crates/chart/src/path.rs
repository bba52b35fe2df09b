//! Lines as points in pixels: thinned to the pixels there are, and cut into dashes.

/// x and y in pixels from the upper left corner of a strip.
pub type Point = [f64; 2];

/// A line through samples, oldest first. A sample that is no number leaves a gap, and more samples
/// than pixels become the envelope: the first, lowest, highest and last of each pixel column.
#[must_use]
pub fn envelope(samples: impl Iterator<Item = Point>) -> Vec<Vec<Point>> {
    let mut lines = Vec::new();
    let mut line = Vec::new();
    let mut column = Column::default();
    for point in samples {
        if !(point[0].is_finite() && point[1].is_finite()) {
            column.flush(&mut line);
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            continue;
        }
        if column.points.last().is_some_and(|last| last[0].floor() != point[0].floor()) {
            column.flush(&mut line);
        }
        column.points.push(point);
    }
    column.flush(&mut line);
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// The samples within one pixel column.
#[derive(Default)]
struct Column {
    points: Vec<Point>,
}

impl Column {
    fn flush(&mut self, line: &mut Vec<Point>) {
        if self.points.len() <= 4 {
            line.append(&mut self.points);
            return;
        }
        let (mut low, mut high) = (0, 0);
        for (n, [_, y]) in self.points.iter().enumerate() {
            low = if *y < self.points[low][1] { n } else { low };
            high = if *y > self.points[high][1] { n } else { high };
        }
        let last = self.points.len() - 1;
        let mut before = None;
        for at in [0, low.min(high), low.max(high), last] {
            if before != Some(at) {
                line.push(self.points[at]);
            }
            before = Some(at);
        }
        self.points.clear();
    }
}

/// Cuts a line into dashes. `pattern` holds lengths in pixels, drawn and left out by turns; an
/// empty one, or one without length, leaves the line whole.
#[must_use]
pub fn dash(line: &[Point], pattern: &[f64]) -> Vec<Vec<Point>> {
    if pattern.iter().sum::<f64>() <= 0.0 {
        return vec![line.to_vec()];
    }
    let mut dashes = Vec::new();
    let mut dash: Vec<Point> = line.first().copied().into_iter().collect();
    let mut turn = 0;
    let mut left = pattern[0];
    for pair in line.windows(2) {
        let [mut from, to] = [pair[0], pair[1]];
        loop {
            let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
            let length = (dx * dx + dy * dy).sqrt();
            if length <= left {
                left -= length;
                if turn % 2 == 0 {
                    dash.push(to);
                }
                break;
            }
            let share = left / length;
            from = [from[0] + dx * share, from[1] + dy * share];
            dash.push(from);
            if turn % 2 == 0 {
                dashes.push(std::mem::take(&mut dash));
            } else {
                dash = vec![from];
            }
            turn = (turn + 1) % pattern.len().next_multiple_of(2);
            left = pattern[turn % pattern.len()].max(0.01);
        }
    }
    if turn % 2 == 0 && dash.len() > 1 {
        dashes.push(dash);
    }
    dashes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_samples_stay_as_they_are() {
        let samples = [[0.0, 1.0], [5.0, 2.0], [9.5, 0.0]];
        assert_eq!(envelope(samples.into_iter()), [samples.to_vec()]);
        assert!(envelope(std::iter::empty()).is_empty());
    }

    #[test]
    fn a_pixel_keeps_its_first_lowest_highest_and_last() {
        let ys = [5.0, 6.0, 1.0, 4.0, 9.0, 3.0, 2.0];
        let samples = ys.iter().enumerate().map(|(n, &y)| [2.0 + n as f64 * 0.1, y]);
        let line = envelope(samples).remove(0);
        assert_eq!(line.iter().map(|p| p[1]).collect::<Vec<_>>(), [5.0, 1.0, 9.0, 2.0]);
    }

    #[test]
    fn a_sample_that_is_no_number_leaves_a_gap() {
        let samples = [[0.0, 1.0], [1.0, f64::NAN], [2.0, 3.0], [3.0, 3.0]];
        let lines = envelope(samples.into_iter());
        assert_eq!(lines, [vec![[0.0, 1.0]], vec![[2.0, 3.0], [3.0, 3.0]]]);
    }

    #[test]
    fn dashes_follow_the_line_round_its_corners() {
        let line = [[0.0, 0.0], [6.0, 0.0], [6.0, 6.0]];
        let got = dash(&line, &[5.0, 2.0]);
        assert_eq!(got, [vec![[0.0, 0.0], [5.0, 0.0]], vec![[6.0, 1.0], [6.0, 6.0]]]);
        assert_eq!(dash(&line, &[]), [line.to_vec()]);
        assert_eq!(dash(&line, &[0.0]), [line.to_vec()]);
        assert!(dash(&[], &[1.0, 1.0]).is_empty());
    }

    #[test]
    fn dashes_and_gaps_cover_a_long_line() {
        let line = [[0.0, 0.0], [100.0, 0.0]];
        let drawn: f64 = dash(&line, &[1.0, 3.0]).iter().map(|d| d[d.len() - 1][0] - d[0][0]).sum();
        assert!((drawn - 25.0).abs() < 1e-6, "{drawn}");
    }
}
