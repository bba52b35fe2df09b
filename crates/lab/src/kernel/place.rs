//! A value of a JSON text and where it stands, so that every error names its place.

use scenario::{Problem, quoted};
use serde_json::{Map, Value};

/// A value and the way to it.
#[derive(Clone, Debug)]
pub(super) struct Place<'a> {
    value: &'a Value,
    path: String,
}

impl<'a> Place<'a> {
    /// The whole of a file.
    pub(super) fn root(file: &str, value: &'a Value) -> Self {
        Self { value, path: file.to_owned() }
    }

    /// A problem with this value.
    pub(super) fn problem(&self, sentence: impl Into<String>) -> Problem {
        Problem::new(self.path.clone(), sentence)
    }

    /// The member of this name, if there is one that is not null.
    pub(super) fn get(&self, key: &str) -> Option<Self> {
        let value = self.value.get(key).filter(|value| !value.is_null())?;
        let short = quoted(key);
        Some(Self { value, path: format!("{}, {}", self.path, short.trim_matches('`')) })
    }

    /// The member of this name.
    pub(super) fn at(&self, key: &str) -> Result<Self, Problem> {
        self.get(key).ok_or_else(|| self.problem(format!("{} is missing", quoted(key))))
    }

    /// The members of an object, at most `most`.
    pub(super) fn members(&self, most: usize) -> Result<Vec<(&'a str, Self)>, Problem> {
        let members: &Map<String, Value> =
            self.value.as_object().ok_or_else(|| self.problem("is not an object"))?;
        if members.len() > most {
            let count = members.len();
            return Err(self.problem(format!("has {count} members; {most} are the most")));
        }
        Ok(members.keys().filter_map(|key| Some((key.as_str(), self.get(key)?))).collect())
    }

    /// The items of a list, at most `most`.
    pub(super) fn items(&self, most: usize) -> Result<Vec<Self>, Problem> {
        let items = self.value.as_array().ok_or_else(|| self.problem("is not a list"))?;
        if items.len() > most {
            let count = items.len();
            return Err(self.problem(format!("has {count} items; {most} are the most")));
        }
        let item = |(i, value)| Self { value, path: format!("{}[{i}]", self.path) };
        Ok(items.iter().enumerate().map(item).collect())
    }

    /// A text.
    pub(super) fn text(&self) -> Result<&'a str, Problem> {
        self.value.as_str().ok_or_else(|| self.problem("is not a text"))
    }

    /// A whole number up to `most`, as a number or as digits in a text.
    pub(super) fn number(&self, most: u64) -> Result<u64, Problem> {
        let number = match self.value {
            Value::String(text) => text.trim().parse().ok(),
            value => value.as_u64(),
        };
        let number = number.ok_or_else(|| self.problem("is not a whole number from 0"))?;
        if number > most {
            return Err(self.problem(format!("is {number}; {most} is the most")));
        }
        Ok(number)
    }

    /// Any finite number.
    pub(super) fn float(&self) -> Result<f64, Problem> {
        let number = self.value.as_f64().filter(|n| n.is_finite());
        number.ok_or_else(|| self.problem("is not a number"))
    }
}

/// Reads a JSON text.
pub(super) fn parse(file: &str, text: &str) -> Result<Value, Problem> {
    serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        Problem::new(format!("{file} line {line}"), format!("is not JSON (column {column})"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_place() {
        let value = parse("a.json", r#"{"z": {"n": "12", "m": -1}, "l": [1]}"#).expect("JSON");
        let root = Place::root("a.json", &value);
        let z = root.at("z").expect("there");
        assert_eq!(z.at("n").and_then(|n| n.number(12)), Ok(12));
        let said = |p: Problem| p.to_string();
        let too_large = z.at("n").and_then(|n| n.number(11)).map_err(said);
        assert_eq!(too_large, Err("a.json, z, n: is 12; 11 is the most".into()));
        let negative = z.at("m").and_then(|n| n.number(11)).map_err(said);
        assert_eq!(negative, Err("a.json, z, m: is not a whole number from 0".into()));
        assert_eq!(z.at("x").map(|_| ()).map_err(said), Err("a.json, z: `x` is missing".into()));
        let item = root.at("l").and_then(|l| l.items(1)).expect("a list")[0].text().map_err(said);
        assert_eq!(item, Err("a.json, l[0]: is not a text".into()));
        let broken = parse("a.json", "{\n\"a\": }").map_err(said);
        assert_eq!(broken, Err("a.json line 2: is not JSON (column 6)".into()));
    }
}
