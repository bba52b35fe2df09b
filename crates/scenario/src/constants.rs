//! Constants of the ledger that a scenario has other values for.
//!
//! A reviewer who doubts a constant changes it: the new value is part of the scenario, of its link
//! (`c-IsolatePerPage-40`), of its document and of every mail. A constant takes the values of its
//! range in the ledger, which the model is run with in tests; one whose range is a single value is
//! a rule of the kernel and cannot be changed.

use crate::problem::{Problem, place, quoted};
use crate::scenario::Scenario;
use catalog::{Constant, ConstantId, LEDGER, Ledger};

/// The constant with this name.
#[must_use]
pub fn constant_by_name(name: &str) -> Option<&'static Constant> {
    LEDGER.iter().find(|constant| constant.name == name)
}

/// Values that differ from the ledger's, by number of the constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changed(Vec<(ConstantId, u64)>);

impl Changed {
    fn get(&self, id: ConstantId) -> Option<u64> {
        self.0.iter().find(|(other, _)| *other == id).map(|(_, value)| *value)
    }

    fn set(&mut self, constant: &Constant, value: u64) {
        self.0.retain(|(other, _)| *other != constant.id);
        if value != constant.value {
            self.0.push((constant.id, value));
            units::order::by_key(&mut self.0, |(id, _)| *id);
        }
    }
}

impl Scenario {
    /// The value that a run of this scenario uses, in the constant's unit.
    #[must_use]
    pub fn constant(&self, id: ConstantId) -> u64 {
        self.constants.get(id).unwrap_or(LEDGER[id as usize].value)
    }

    /// The constants whose value is not the ledger's, in the ledger's order.
    #[must_use]
    pub fn changed_constants(&self) -> &[(ConstantId, u64)] {
        &self.constants.0
    }

    /// Sets a constant; the ledger's own value takes the change back.
    ///
    /// # Errors
    /// When the value is outside of the constant's range; the scenario is unchanged then.
    pub fn set_constant(&mut self, id: ConstantId, value: u64) -> Result<(), Problem> {
        let constant = &LEDGER[id as usize];
        if !(constant.low..=constant.high).contains(&value) {
            return Err(Problem::new(constant.name, refusal(constant, &value.to_string())));
        }
        self.constants.set(constant, value);
        Ok(())
    }

    /// Sets a constant by its name from text: `IsolatePerPage` and `40`.
    ///
    /// # Errors
    /// When there is no such constant, or the text is no value of it; the scenario is unchanged.
    pub fn set_constant_text(&mut self, name: &str, text: &str) -> Result<(), Problem> {
        let unknown = || Problem::new(place(name), "there is no such constant in the ledger");
        let constant = constant_by_name(name).ok_or_else(unknown)?;
        let text = text.trim();
        let number = text.strip_suffix(constant.unit).unwrap_or(text).trim_end();
        let plain = number.len() <= 20 && number.bytes().all(|b| b.is_ascii_digit());
        match number.parse() {
            Ok(value) if plain => self.set_constant(constant.id, value),
            _ => Err(Problem::new(constant.name, refusal(constant, &quoted(text)))),
        }
    }

    /// The values that a run of this scenario uses.
    #[must_use]
    pub fn ledger(&self) -> Ledger {
        let changed = self.constants.0.iter();
        changed.fold(Ledger::default(), |ledger, &(id, value)| ledger.with(id, value))
    }

    /// The constants whose value is not that of another scenario, with the value here.
    #[must_use]
    pub fn constants_unlike(&self, base: &Self) -> Vec<(ConstantId, u64)> {
        let rows = LEDGER.iter().map(|constant| (constant.id, self.constant(constant.id)));
        rows.filter(|&(id, value)| value != base.constant(id)).collect()
    }
}

/// A value with its unit: `40 ns/page`.
#[must_use]
pub fn constant_in_words(id: ConstantId, value: u64) -> String {
    format!("{value} {}", LEDGER[id as usize].unit)
}

fn refusal(constant: &Constant, shown: &str) -> String {
    let Constant { value, low, high, unit, .. } = constant;
    if low == high {
        return format!("it is {value} {unit} in the kernel and cannot be {shown}");
    }
    format!("it must be {low} to {high} {unit}, not {shown}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_is_changed_within_its_range_and_back() {
        let mut s = Scenario::preset("tiny").expect("a preset");
        let plain = s.clone();
        assert_eq!(s.set_text("IsolatePerPage", "40"), Ok(()));
        assert_eq!(s.changed_constants(), [(ConstantId::IsolatePerPage, 40)]);
        assert_eq!(s.ledger().get(ConstantId::IsolatePerPage), 40);
        assert!(s != plain && s.constants_unlike(&plain).len() == 1);
        assert!(s.title().ends_with(", with IsolatePerPage=40"), "{}", s.title());
        let said = s.set_text("IsolatePerPage", "4000").expect_err("out of its range");
        assert_eq!(said.to_string(), "IsolatePerPage: it must be 40 to 150 ns/page, not 4000");
        let said = s.set_text("SwapClusterMax", "64").expect_err("a rule");
        assert_eq!(
            said.to_string(),
            "SwapClusterMax: it is 32 pages in the kernel and cannot be 64"
        );
        assert!(s.set_text("IsolatePerPage", "-1").is_err());
        assert!(s.set_constant_text("Nothing", "1").is_err());
        assert_eq!(s.set_text("IsolatePerPage", "80 ns/page"), Ok(()));
        assert_eq!(s, plain);
    }

    #[test]
    fn names_of_constants_are_no_keys_and_fit_into_links() {
        for constant in LEDGER {
            assert!(catalog::controls::by_key(constant.name).is_none(), "{}", constant.name);
            assert!(constant.name.bytes().all(|b| b.is_ascii_alphanumeric()), "{}", constant.name);
        }
    }
}
