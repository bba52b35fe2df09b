//! What a comparison comes to.

use super::plan::{Line, Outcome, Validation};
use super::{Asked, Group, Role, Verdict};

/// Everything in a few figures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Rows of the table.
    pub rows: usize,
    /// Rows that the model has nothing for.
    pub not_modelled: usize,
    /// Rows that fixed constants.
    pub calibrated: Group,
    /// Rows that follow.
    pub follows: Group,
    /// Numbers of the lines that miss, the worst first.
    pub misses: Vec<usize>,
    /// Number of the line whose ratio is farthest from 1.
    pub worst: Option<usize>,
}

/// Sums a comparison up.
#[must_use]
pub fn summary(validation: &Validation) -> Summary {
    let mut sum = Summary { rows: validation.lines.len(), ..Summary::default() };
    for (number, line) in validation.lines.iter().enumerate() {
        let Outcome::Modelled { role, asked, verdict, .. } = &line.outcome else {
            sum.not_modelled += 1;
            continue;
        };
        let group = match role {
            Role::Calibrated => &mut sum.calibrated,
            Role::Follows => &mut sum.follows,
        };
        group.rows += 1;
        if *verdict == Verdict::PrintedOnly {
            continue;
        }
        group.judged += 1;
        group.ok += usize::from(*verdict == Verdict::Ok);
        if *verdict == Verdict::Miss {
            sum.misses.push(number);
        }
        let Some(off) = off(line) else { continue };
        if *asked == Asked::NoDirectReclaim {
            continue;
        }
        group.with_ratio += 1;
        group.within_1_5 += usize::from(off <= 1.5);
        let ratio = line.ratio().unwrap_or(0.0);
        group.within_15_percent += usize::from((ratio - 1.0).abs() <= 0.15);
        if sum.worst.is_none_or(|worst| farther(line, &validation.lines[worst])) {
            sum.worst = Some(number);
        }
    }
    let lines = &validation.lines;
    let how_far = |number: &usize| off(&lines[*number]).unwrap_or(f64::INFINITY);
    sum.misses.sort_by(|a, b| how_far(b).total_cmp(&how_far(a)).then(a.cmp(b)));
    sum
}

/// The ratio or its inverse, whichever is larger; nothing where the published figure is 0.
fn off(line: &Line) -> Option<f64> {
    let ratio = line.ratio()?;
    Some(if ratio > 0.0 { ratio.max(1.0 / ratio) } else { f64::INFINITY })
}

fn farther(a: &Line, b: &Line) -> bool {
    off(a).unwrap_or(0.0) > off(b).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::super::{Row, Table};
    use super::*;

    fn line(published: f64, model: f64, role: Role, asked: Asked) -> Line {
        let text = format!("id,metric,unit,x_name,x_value,arm,value\nD1,m,s,n,1,a,{published}\n");
        let row: Row = Table::parse(&text, true).expect("a table").rows.remove(0);
        let verdict = asked.judge(published, model, 0.0);
        let values = vec![model];
        let (reason, link) = (None, String::new());
        Line { row, outcome: Outcome::Modelled { role, values, asked, verdict, reason, link } }
    }

    #[test]
    fn misses_are_counted_and_the_worst_comes_first() {
        let (calibrated, follows) = (Role::Calibrated, Role::Follows);
        let within = Asked::Within { percent: 15.0, points: 0.0 };
        let mut lines = vec![
            line(100.0, 110.0, calibrated, within),
            line(100.0, 120.0, calibrated, within),
            line(100.0, 20.0, follows, Asked::Factor(1.5)),
            line(100.0, 140.0, follows, Asked::Factor(1.5)),
            line(100.0, 900.0, follows, Asked::Nothing("why")),
            line(0.0, 0.0, follows, Asked::NoDirectReclaim),
        ];
        let not = Outcome::NotModelled("why".into());
        lines.push(Line { row: lines[0].row.clone(), outcome: not });
        let sum = summary(&Validation { lines, simulations: 0, reps: 1 });
        assert_eq!((sum.rows, sum.not_modelled), (7, 1));
        assert_eq!(sum.misses, [2, 1]);
        assert_eq!(sum.worst, Some(2));
        let group =
            |g: Group| [g.rows, g.judged, g.ok, g.with_ratio, g.within_15_percent, g.within_1_5];
        assert_eq!(group(sum.calibrated), [2, 2, 1, 2, 1, 2]);
        assert_eq!(group(sum.follows), [4, 3, 2, 2, 0, 1]);
    }
}
