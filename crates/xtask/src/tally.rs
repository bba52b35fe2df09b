//! Counting what ran, from the closing lines of cargo's and node's test runners.

/// What ran so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    /// Tests that their own code switched off; they decide nothing, so they count as failed too.
    pub(crate) skipped: u64,
}

impl Tally {
    /// One check that passed or failed as a whole.
    pub(crate) fn check(passed: bool) -> Self {
        Self { passed: u64::from(passed), failed: u64::from(!passed), skipped: 0 }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }

    /// Takes `test result: ok. 3 passed; 0 failed; 1 ignored; ...` into account.
    pub(crate) fn read_cargo(&mut self, line: &str) {
        let Some(counts) = line.strip_prefix("test result: ") else { return };
        let Some((_, counts)) = counts.split_once(". ") else { return };
        for count in counts.split("; ") {
            match count.split_once(' ') {
                Some((number, "passed")) => self.passed += number.parse().unwrap_or(0),
                Some((number, "failed")) => self.failed += number.parse().unwrap_or(0),
                Some((number, "ignored")) => self.skipped += number.parse().unwrap_or(0),
                _ => {}
            }
        }
    }

    /// Takes a line like `ℹ pass 3` of node's test runner into account.
    pub(crate) fn read_node(&mut self, line: &str) {
        let Some(count) = line.strip_prefix("ℹ ") else { return };
        match count.split_once(' ') {
            Some(("pass", number)) => self.passed += number.parse().unwrap_or(0),
            Some(("fail" | "cancelled", number)) => self.failed += number.parse().unwrap_or(0),
            Some(("skipped" | "todo", number)) => self.skipped += number.parse().unwrap_or(0),
            _ => {}
        }
    }

    /// What a runner's exit code adds: one that failed without naming a failed test (it did not
    /// compile, say), or that ran no test at all, is a failure of its own. So is a skipped test.
    pub(crate) fn close(mut self, exited_well: bool) -> Self {
        self.failed += self.skipped;
        if self.failed == 0 && (!exited_well || self.passed == 0) {
            self.failed = 1;
        }
        self
    }

    pub(crate) fn is_green(self) -> bool {
        self.failed == 0 && self.passed > 0
    }

    /// The closing line.
    pub(crate) fn line(self) -> String {
        format!("{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(passed: u64, failed: u64, skipped: u64) -> Tally {
        Tally { passed, failed, skipped }
    }

    #[test]
    fn cargo_lines_add_up() {
        let mut sum = Tally::default();
        sum.read_cargo("running 3 tests");
        sum.read_cargo(
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 1 filtered out; \
             finished in 0.00s",
        );
        sum.read_cargo("test result: FAILED. 1 passed; 2 failed; 1 ignored; 0 measured");
        assert_eq!(sum, tally(4, 2, 1));
    }

    #[test]
    fn node_lines_add_up() {
        let mut sum = Tally::default();
        for line in ["✔ opens (3 ms)", "ℹ tests 5", "ℹ pass 3", "ℹ fail 1", "ℹ cancelled 1"]
        {
            sum.read_node(line);
        }
        sum.read_node("ℹ skipped 0");
        assert_eq!(sum, tally(3, 2, 0));
    }

    #[test]
    fn what_did_not_run_is_not_green() {
        assert_eq!(tally(0, 0, 0).close(true), tally(0, 1, 0));
        assert_eq!(tally(5, 0, 0).close(false), tally(5, 1, 0));
        assert_eq!(tally(5, 2, 0).close(false), tally(5, 2, 0));
        assert_eq!(tally(5, 0, 1).close(true), tally(5, 1, 1));
        assert!(tally(5, 0, 0).close(true).is_green());
        assert!(!tally(0, 0, 0).is_green());
    }

    #[test]
    fn the_closing_line_is_the_one_that_is_looked_for() {
        let mut sum = Tally::check(true);
        sum.add(Tally::check(false));
        assert_eq!(sum.line(), "1 passed, 1 failed");
    }
}
