//! The runtime library of compiled jq expressions, with the semantics of jq 1.8.2.
//!
//! A native has jq's name, with the suffix `_` if the name is a Rust keyword or taken. Its first
//! parameter is the input: by value if the function changes it in place, else by reference. A
//! native with one output returns it. A native with several outputs passes them to a closure
//! ([`Out`]), whose error ends the native. A filter with one output is a closure that returns it.
//! A filter with any number of outputs receives an [`Out`] of its own ([`Many`]). Messages are
//! jq's.
//!
//! # Differences from jq
//! * A number of the data is an `i64` or a double, while jq keeps the digits as written. So `1.50`
//!   is printed as `1.5`, `1e3` as `1000.0`, and a number of more than 64 bits is rounded. As in
//!   jq, integers of the data stay exact as long as they are only passed on or compared. Computed
//!   numbers are doubles. The negative of a computed `0` is `0`.
//! * jq's nesting limit of 10,000 levels applies only to paths and `fromjson`.
//! * The crate `regex` runs regular expressions. Constructs that only Oniguruma has are rejected
//!   by name (`pattern`).
//! * `localtime` and `strflocaltime` use UTC. `now` is the time of the execution.
//! * `gamma` and related functions, `cbrt` and `exp10` can differ in the last digits, as they do
//!   between C libraries.
//! * An evaluation has a budget of steps, time and memory ([`run`]). `try` cannot catch the error
//!   of an exhausted budget.
//!
//! # Natives
//! `v` is the input. `Value` is short for `Result<Value>` unless noted.
//!
//! * operators: `add sub mul div rem (Value, &other)`, `neg(Value)`, `cmp eq (&v, &other) ->
//!   Ordering, bool`, `truthy not (&v) -> bool`
//! * one value: `length utf8bytelength type_ keys keys_unsorted to_entries from_entries add_
//!   flatten reverse transpose toarray tojson fromjson tostring tonumber toboolean explode implode
//!   trim ltrim rtrim ascii_downcase ascii_upcase sort unique min max abs (&v)`
//! * of arguments: `index has(bool) contains(bool) inside(bool) startswith(bool) endswith(bool)
//!   ltrimstr rtrimstr trimstr split join flatten_by indices index_ rindex getpath bsearch format
//!   (&v, &argument)`, `slice(&v, &from, &to)`, `set setpath(Value, &key or &path, Value)`,
//!   `delpaths(Value, &paths)`, `pick(Value picked, &v, &path)`
//! * `bool`: `any all (&v) -> Result<bool>`, `isinfinite isnan isnormal isfinite (&v) -> bool`
//! * formats: `csv tsv html uri urid sh base64 base64d base32 base32d (&v)`; `push(&mut String,
//!   &v)` for interpolation
//! * numbers: the names of the C library: `floor(&v)`, `pow(&left, &right)`, `fma(&x, &y, &z)`;
//!   `infinite() nan() -> Value`
//! * keys: `sort_by group_by unique_by min_by max_by (&v, FnMut(&Value) -> Value)`
//! * loops: `map(&v, FnMut(&Value) -> Value)`, `walk(Value, FnMut(Value) -> Value)`, `until(Value,
//!   condition, next)`, `while_(Value, condition, update, Out)`; `walk_many recurse repeat
//!   until_many while_many (…, Many, Out)`; `range(&from, &upto, Out)`, `range_by(&from, &upto,
//!   &by, Out)`, `combinations(&v, Out)`, `combinations_of(&v, &n, Out)`
//! * paths: `paths leaf_paths recurse_all tostream (&v, Out)`, `each_path(&v, FnMut(&[Value],
//!   &Value))`, `FromStream::push(&event) -> Option<Value>`, `truncate_stream(&depth, &event) ->
//!   Option<Value>`
//! * patterns: `match_ capture scan splits (&v, &argument, Out)`, `match_with capture_with
//!   scan_with splits_with (&v, &pattern, &flags, Out)`, `test(&v, &argument) -> bool`,
//!   `test_with(&v, &pattern, &flags) -> bool`, `split_with`, `sub_with gsub_with (&v, &pattern,
//!   &flags, FnMut(Value groups) -> Value)`, `sub_many(&v, &pattern, &flags, Many, Out)`
//! * times: `gmtime localtime mktime todate fromdate (&v)`, `strftime strflocaltime strptime (&v,
//!   &format)`, `now(Timestamp) -> Value`
//! * errors: `Error::raised(Value)`, `Error::message(text)`, `Error::break_to(label)`, `caught`,
//!   `is_break_to`; `type_error` and the like
//! * budget: `run(FunctionLimits, FnOnce() -> Result<T>) -> Result<T, Fault>`, `tick()`,
//!   `charge(bytes)`, `charge_elements(number)`

mod arith;
pub(in crate::expr) mod budget;
mod calendar;
mod code;
mod collections;
mod dates;
#[cfg(feature = "jq-engine")]
pub mod engine;
mod error;
mod format;
mod format_time;
mod index;
mod json_parse;
mod loops;
mod math;
mod number;
mod order;
mod parse_time;
mod paths;
mod pattern;
mod regex;
mod sort;
mod streams;
mod strings;
mod text;

#[cfg(test)]
mod tests;

use crate::value::Value;

/// The receiver of the outputs of a native. Its error ends the native: a `break`, or an error of
/// the program.
pub type Out<'a> = &'a mut dyn FnMut(Value) -> Result<()>;

pub use arith::{add, div, mul, neg, rem, sub};
pub use budget::{Finish, charge, charge_elements, run, tick};
pub use code::*;
pub use collections::{
    add_, all, any, combinations, combinations_of, contains, flatten, flatten_by, from_entries, inside, join, keys,
    keys_unsorted, length, not, reverse, to_entries, toarray, transpose, type_, utf8bytelength,
};
pub use dates::{fromdate, gmtime, localtime, mktime, now, strflocaltime, strftime, strptime, todate};
pub use error::{
    Error, Result, cannot_index, cannot_iterate, not_a_key, not_a_path, not_a_path_to_index, not_a_path_to_iterate,
    type_error, type_error2,
};
pub use format::{base32, base32d, base64, base64d, csv, format, html, sh, tsv, uri, urid};
pub use index::{has, index, position_to_set, set, slice, slice_range};
pub use json_parse::fromjson;
pub use loops::{Many, map, range, range_by, recurse, repeat, until, until_many, walk, walk_many, while_, while_many};
pub use math::*;
pub use number::{finish, finished, number};
pub use order::{cmp, eq, truthy};
pub use paths::{delpaths, each_path, getpath, leaf_paths, path_value, paths, recurse_all, setpath};
#[cfg(feature = "jq-engine")]
use regex::edits;
pub use regex::{
    capture, capture_with, gsub_with, match_, match_with, pattern_and_flags, scan, scan_with, split_with, splits,
    splits_with, sub_many, sub_with, test, test_with,
};
pub use sort::{bsearch, group_by, max, max_by, min, min_by, sort, sort_by, unique, unique_by};
pub use streams::{FromStream, pick, tostream, truncate_stream};
#[cfg(feature = "jq-engine")]
use strings::read_number;
pub use strings::{
    ascii_downcase, ascii_upcase, endswith, explode, implode, index_, indices, ltrim, ltrimstr, rindex, rtrim,
    rtrimstr, split, startswith, toboolean, tonumber, trim, trimstr,
};
pub use text::{beginning, push, tojson, tostring};
