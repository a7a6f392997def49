//! TOML files, read with a position in every message.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use workflow_runtime::{Object, Str, Value};

/// A mistake in a file, with its position: `case.toml:12:5: …`.
///
/// ```
/// use workflow_runner::Problem;
///
/// let problem = Problem { file: "case.toml".to_owned(), place: (12, 5), message: "unknown key `exepct`".to_owned() };
/// assert_eq!(problem.to_string(), "case.toml:12:5: unknown key `exepct`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The name of the file.
    pub file: String,
    /// The line and column, from 1.
    pub place: (usize, usize),
    /// The mistake.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.place.0, self.place.1, self.message)
    }
}

impl std::error::Error for Problem {}

/// The file that is being read.
#[derive(Debug, Clone, Copy)]
pub struct File<'a> {
    pub name: &'a str,
    pub text: &'a str,
}

impl<'a> File<'a> {
    /// Reads the whole file.
    pub fn table(self) -> Result<Spanned<DeTable<'a>>, Problem> {
        DeTable::parse(self.text)
            .map_err(|error| self.problem(error.span().unwrap_or(0..0), error.message().trim_end_matches('.')))
    }

    /// Returns a problem at this position.
    pub fn problem(self, span: Range<usize>, message: impl Into<String>) -> Problem {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let place = (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1);
        Problem { file: self.name.to_owned(), place, message: message.into() }
    }

    /// Returns the members of a table. A member that is not in `known` is an error.
    pub fn fields<'t>(self, table: &'t DeTable<'a>, known: &'static [&'static str]) -> Result<Fields<'t, 'a>, Problem> {
        for key in table.keys() {
            if !known.contains(&&**key.get_ref()) {
                let known: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
                let message = format!("unknown key `{}`: expected one of {}", key.get_ref(), known.join(", "));
                return Err(self.problem(key.span(), message));
            }
        }
        Ok(Fields { file: self, table })
    }

    /// Returns a value that must be a table.
    pub fn expect_table<'t>(self, value: &'t Spanned<DeValue<'a>>, what: &str) -> Result<&'t DeTable<'a>, Problem> {
        value.get_ref().as_table().ok_or_else(|| self.mismatch(value, what, "a table"))
    }

    /// Returns a value that must be an array.
    pub fn expect_array<'t>(
        self,
        value: &'t Spanned<DeValue<'a>>,
        what: &str,
    ) -> Result<impl Iterator<Item = &'t Spanned<DeValue<'a>>>, Problem> {
        match value.get_ref() {
            DeValue::Array(items) => Ok(items.iter()),
            _ => Err(self.mismatch(value, what, "an array")),
        }
    }

    /// Returns a value that must be a string.
    pub fn expect_str<'t>(self, value: &'t Spanned<DeValue<'a>>, what: &str) -> Result<&'t str, Problem> {
        value.get_ref().as_str().ok_or_else(|| self.mismatch(value, what, "a string"))
    }

    /// Returns the problem of a value of the wrong type.
    pub fn mismatch(self, value: &Spanned<DeValue<'_>>, what: &str, expected: &str) -> Problem {
        self.problem(value.span(), format!("{what} must be {expected}, found {}", value.get_ref().type_str()))
    }

    /// Returns the value of a string that must be JSON text.
    pub fn json(self, value: &Spanned<DeValue<'a>>, what: &str) -> Result<Value, Problem> {
        let text = self.expect_str(value, what)?;
        Value::from_json_strict(text)
            .map_err(|error| self.problem(value.span(), format!("{what} is not JSON: {error}")))
    }

    /// Converts a TOML value to JSON. Times become strings.
    pub fn value(self, value: &Spanned<DeValue<'a>>) -> Result<Value, Problem> {
        Ok(match value.get_ref() {
            DeValue::String(text) => Value::String(Str::from(&**text)),
            DeValue::Boolean(flag) => Value::Bool(*flag),
            DeValue::Datetime(time) => Value::from(time.to_string()),
            DeValue::Integer(number) => {
                let read = i64::from_str_radix(number.as_str(), number.radix());
                Value::Int(read.map_err(|_| self.problem(value.span(), "the integer does not fit 64 bits"))?)
            }
            DeValue::Float(number) => {
                let read: Option<f64> = number.as_str().parse().ok().filter(|number: &f64| number.is_finite());
                Value::Float(read.ok_or_else(|| {
                    self.problem(value.span(), "the number is not finite, and JSON cannot represent it")
                })?)
            }
            DeValue::Array(items) => {
                Value::from(items.iter().map(|item| self.value(item)).collect::<Result<Vec<Value>, Problem>>()?)
            }
            DeValue::Table(members) => {
                let member = |(key, member): (&Spanned<_>, &Spanned<DeValue<'a>>)| {
                    let key: &std::borrow::Cow<'_, str> = key.get_ref();
                    Ok((Str::from(&**key), self.value(member)?))
                };
                Value::Object(Arc::new(members.iter().map(member).collect::<Result<Object, Problem>>()?))
            }
        })
    }
}

/// The members of a table, all of which have known keys.
pub struct Fields<'t, 'a> {
    file: File<'a>,
    table: &'t DeTable<'a>,
}

impl<'t, 'a> Fields<'t, 'a> {
    /// Returns a member.
    pub fn get(&self, key: &str) -> Option<&'t Spanned<DeValue<'a>>> {
        self.table.get(key)
    }

    /// Returns a member that must be a string.
    pub fn str(&self, key: &str) -> Result<Option<&'t str>, Problem> {
        self.get(key).map(|value| self.file.expect_str(value, &format!("`{key}`"))).transpose()
    }

    /// Returns a member that must be a boolean. The default is `false`.
    pub fn flag(&self, key: &str) -> Result<bool, Problem> {
        let read = |value: &Spanned<DeValue<'a>>| {
            value.get_ref().as_bool().ok_or_else(|| self.file.mismatch(value, &format!("`{key}`"), "a boolean"))
        };
        self.get(key).map_or(Ok(false), read)
    }

    /// Returns a member that must be a duration.
    pub fn duration(&self, key: &str) -> Result<Option<std::time::Duration>, Problem> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let text = self.file.expect_str(value, &format!("`{key}`"))?;
        let read = crate::duration::parse(text);
        let message = || format!("`{text}` is not a duration: write a duration such as `250ms`, `61s` or `1m 30s`");
        read.map(Some).ok_or_else(|| self.file.problem(value.span(), message()))
    }

    /// Returns a member, or its JSON text under `<key>_json`. Both together are an error.
    pub fn value(&self, key: &'static str, key_json: &'static str) -> Result<Option<Value>, Problem> {
        match (self.get(key), self.get(key_json)) {
            (Some(_), Some(json)) => Err(self
                .file
                .problem(json.span(), format!("`{key}` and `{key_json}` have the same meaning: remove one of them"))),
            (Some(value), None) => self.file.value(value).map(Some),
            (None, Some(json)) => self.file.json(json, &format!("`{key_json}`")).map(Some),
            (None, None) => Ok(None),
        }
    }
}
