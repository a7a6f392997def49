//! jq: what compiled expressions call, with the meaning that jq 1.8.2 gives it.
//!
//! A native has jq's name (with `_` behind it if that is a word of Rust) and takes its input first. What has one output
//! returns it; what has many hands them to a closure. Messages are jq's.
//!
//! What is not as in jq:
//! * A number of the data is an `i64` or a double: jq keeps the digits as they were written. So `1.50` is printed as `1.5`,
//!   and what has more than 64 bits is rounded. Whole numbers of the data stay exact as long as they are only passed on, as
//!   in jq; computed ones are doubles.
//! * Nothing of what jq limits to 10,000 levels of nesting is limited here.
//! * An evaluation has a budget of steps, time and memory ([`run`]).

mod arith;
mod budget;
mod calendar;
mod code;
mod collections;
mod dates;
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

/// What is given the outputs of a native that may have many. An error ends it: `break`, or one of the program.
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
pub use number::{finish, number};
pub use order::{cmp, eq, truthy};
pub use paths::{delpaths, each_path, getpath, leaf_paths, path_value, paths, recurse_all, setpath};
pub use regex::{
    capture, capture_with, gsub_with, match_, match_with, pattern_and_flags, scan, scan_with, split_with, splits,
    splits_with, sub_many, sub_with, test, test_with,
};
pub use sort::{bsearch, group_by, max, max_by, min, min_by, sort, sort_by, unique, unique_by};
pub use streams::{FromStream, pick, tostream, truncate_stream};
pub use strings::{
    ascii_downcase, ascii_upcase, endswith, explode, implode, index_, indices, ltrim, ltrimstr, rindex, rtrim,
    rtrimstr, split, startswith, toboolean, tonumber, trim, trimstr,
};
pub use text::{beginning, push, tojson, tostring};
