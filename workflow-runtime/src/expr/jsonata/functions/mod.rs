//! The functions of the language: their list, the functions that compiled expressions call, and
//! the code of those that call no other function for the parts of a value.

mod args;
mod arrays;
mod bases;
mod dates;
mod encoding;
mod format_number;
mod integers;
mod limits;
mod matcher;
mod matching;
mod message;
mod numbers;
mod objects;
mod parse;
mod random;
mod replace;
mod strings;
mod url;
mod values;

use super::native_list::natives;

pub use calls::*;

/// The functions whose result can be a sequence, which is not reduced to its element: in tail
/// position of a function, and before a predicate.
pub mod sequences {
    pub use super::raw_calls::*;
}

/// The functions that take the context item for an argument that is missing.
pub mod contextual {
    pub use super::context_calls::*;
}

/// The code of the functions, by their names in the table.
mod codes {
    pub(super) use super::super::higher_order::{each, filter, map, reduce, sift, single, sort};
    pub(super) use super::arrays::{append, count, distinct, partition, range, reverse, shuffle, zip};
    pub(super) use super::bases::{format_base, number};
    pub(super) use super::dates::{from_millis, millis, now, to_millis};
    pub(super) use super::encoding::{base64_decode, base64_encode, hash};
    pub(super) use super::format_number::format_number;
    pub(super) use super::integers::{format_integer, parse_integer};
    pub(super) use super::matching::{contains, find_all as find_matches, split};
    pub(super) use super::numbers::{abs, average, ceil, floor, max, min, power, round, sqrt, sum};
    pub(super) use super::objects::{clone, keys, lookup, merge, spread};
    pub(super) use super::parse::parse;
    pub(super) use super::random::{random, uuid};
    pub(super) use super::replace::replace;
    pub(super) use super::strings::{
        join, length, lowercase, pad, substring, substring_after, substring_before, trim, uppercase,
    };
    pub(super) use super::url::{
        decode_component as decode_url_component, decode_url, encode_component as encode_url_component, encode_url,
    };
    pub(super) use super::values::{assert, boolean, error, exists, not, string, type_of};
}

workflow_jsonata::functions!(natives);

/// Returns the greatest common divisor of some numbers, if it is not zero.
fn gcd(numbers: impl Iterator<Item = usize>) -> Option<usize> {
    let divisor = |mut a: usize, mut b: usize| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    numbers.reduce(divisor).filter(|divisor| *divisor > 0)
}

#[cfg(test)]
mod tests;
