//! Numbers and tables as text: 7-bit, aligned.

/// Lines of a table: the first column to the left, the others to the right, two spaces between.
pub(crate) fn lines(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| rows.iter().filter_map(|row| row.get(c)).map(String::len).max();
    let widths: Vec<usize> = (0..columns).map(|c| width(c).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let mut line = String::new();
        for (c, cell) in row.iter().enumerate() {
            let width = widths[c];
            if c == 0 {
                line.push_str(&format!("{cell:<width$}"));
            } else {
                line.push_str(&format!("  {cell:>width$}"));
            }
        }
        line.trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// Lines of a table of two columns, both to the left.
pub(crate) fn pairs(rows: &[(String, String)]) -> Vec<String> {
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    rows.iter().map(|(name, value)| format!("{name:<width$}  {value}")).collect()
}

/// A row of cells.
pub(crate) fn row<T: Into<String>>(cells: impl IntoIterator<Item = T>) -> Vec<String> {
    cells.into_iter().map(Into::into).collect()
}

/// A number with commas between thousands.
pub(crate) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A quotient, 0 where there is nothing to divide by.
pub(crate) fn ratio(a: f64, b: f64) -> f64 {
    if b == 0.0 { 0.0 } else { a / b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let two = [("a".to_owned(), "1".to_owned()), ("bcd".to_owned(), "23".to_owned())];
        assert_eq!(pairs(&two), ["a    1", "bcd  23"]);
        let rows = [row(["lock", "wait"]), row(["lru_lock", "1.5"]), row(["x"])];
        assert_eq!(lines(&rows), ["lock      wait", "lru_lock   1.5", "x"]);
    }

    #[test]
    fn thousands_have_commas() {
        let all = [0, 999, 1000, 1_234_567].map(count);
        assert_eq!(all, ["0", "999", "1,000", "1,234,567"]);
    }
}
