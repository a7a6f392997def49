//! The functions available to programs: the natives of the parent module under jq's names, and
//! definitions on top of them (`library.jq`).
//!
//! The list is an allowlist. Names that begin with `_` are reserved for the definitions.

use std::cell::Cell;

use jaq_core::box_iter::box_once;
use jaq_core::data::JustLut;
use jaq_core::load::parse::Def;
use jaq_core::native::{Filter, Fun, run, v};
use jaq_core::{Cv, Exn, Native, RunPtr, ValXs};

use super::super::{self as jq, Result};
use super::guard::TICK;
use super::value::{V, goes_on, refused};
use crate::value::{Array, Value};

type Data = JustLut<V>;

thread_local! {
    /// The time of the execution, in seconds since 1970.
    static NOW: Cell<f64> = const { Cell::new(0.0) };
}

/// Sets the time of the execution before a run.
pub(super) fn set_now(now: f64) {
    NOW.set(now);
}

/// Returns the definitions of `library.jq`.
pub(super) fn definitions() -> Vec<Def<&'static str>> {
    // The tests check that this text can be parsed.
    jaq_core::load::parse(include_str!("library.jq"), |parser| parser.defs()).unwrap_or_default()
}

/// The depth that a native can add to its operands.
const DEEPER: u32 = 3;

fn once<'a>(result: Result<Value>, depth: u32) -> ValXs<'a, V> {
    let value = result.and_then(|value| V::new(value, depth.saturating_add(DEEPER)));
    box_once(value.map_err(|error| Exn::from(refused(error))))
}

/// Returns one output whose depth has to be measured, because it depends on data.
fn measured<'a>(result: Result<Value>) -> ValXs<'a, V> {
    once(result, u32::MAX)
}

/// Returns the exception that ends the run. `try` does not catch it.
fn ended<'a>() -> Exn<'a, V> {
    Exn::halt(1)
}

/// Returns the arguments of a native, and the maximum depth of the arguments and the input.
fn arguments<const N: usize>(cv: &mut Cv<Data>) -> (u32, [Value; N]) {
    let mut last_first: [V; N] = std::array::from_fn(|_| cv.0.pop_var());
    last_first.reverse();
    let depth = last_first.iter().map(V::depth).fold(cv.1.depth(), u32::max);
    (depth, last_first.map(V::into_value))
}

/// Returns all outputs of a native as an array.
fn collected(native: impl FnOnce(jq::Out) -> Result<()>) -> Result<Value> {
    let mut all: Vec<Value> = Vec::new();
    native(&mut |value| {
        jq::charge_elements(1)?;
        all.push(value);
        Ok(())
    })?;
    Ok(all.into())
}

/// Returns the elements of an array one by one, as the keys of the elements of another array.
fn keys(keys: &Value) -> impl FnMut(&Value) -> Result<Value> {
    let mut at = -1;
    move |_| {
        at += 1;
        jq::index(keys, &Value::Int(at))
    }
}

fn optional(value: Option<Value>) -> Value {
    Array::from_iter(value).into()
}

fn range<'a>(from: &Value, upto: &Value, by: &Value, simple: bool) -> ValXs<'a, V> {
    let value = |value: Result<Value>| {
        value.and_then(|value| V::new(value, u32::MAX)).map_err(|error| Exn::from(refused(error)))
    };
    if !simple {
        return Box::new(jq::steps(from, upto, by).map(value));
    }
    match jq::numbers(from, upto) {
        Ok(numbers) => Box::new(numbers.map(move |number| value(Ok(number)))),
        Err(error) => once(Err(error), 0),
    }
}

/// Declares natives with an input and one to three arguments.
macro_rules! natives {
    ($($name:literal($($argument:ident)*) $result:ident = |$input:ident| $body:expr;)*) => {
        [$((
            $name,
            v(<[&str]>::len(&[$(stringify!($argument)),*])),
            (|mut cv| {
                let (depth, [$($argument),*]) = arguments(&mut cv);
                let $input = cv.1.value();
                natives!(@$result $body, depth)
            }) as RunPtr<Data>,
        )),*]
    };
    (@value $body:expr, $depth:ident) => { once($body, $depth) };
    (@truth $body:expr, $depth:ident) => { { let _ = $depth; once($body.map(Value::Bool), 0) } };
    (@deep $body:expr, $depth:ident) => { { let _ = $depth; measured($body) } };
    (@many $body:expr, $depth:ident) => { once(collected($body), $depth) };
}

fn from_stream(events: &Value, out: jq::Out) -> Result<()> {
    let mut stream = jq::FromStream::default();
    for event in events.as_array().into_iter().flatten() {
        jq::tick()?;
        if let Some(value) = stream.push(event)? {
            out(value)?;
        }
    }
    Ok(())
}

fn natives() -> Vec<Filter<RunPtr<Data>>> {
    Vec::from(natives! {
        "length"() value = |input| jq::length(input);
        "utf8bytelength"() value = |input| jq::utf8bytelength(input);
        "keys"() value = |input| jq::keys(input);
        "keys_unsorted"() value = |input| jq::keys_unsorted(input);
        "to_entries"() value = |input| jq::to_entries(input);
        "from_entries"() value = |input| jq::from_entries(input);
        "flatten"() value = |input| jq::flatten(input);
        "reverse"() value = |input| jq::reverse(input);
        "transpose"() value = |input| jq::transpose(input);
        "toarray"() value = |input| Ok(jq::toarray(input));
        "tojson"() value = |input| jq::tojson(input);
        "tostring"() value = |input| jq::tostring(input);
        "tonumber"() value = |input| jq::tonumber(input);
        "toboolean"() value = |input| jq::toboolean(input);
        "explode"() value = |input| jq::explode(input);
        "implode"() value = |input| jq::implode(input);
        "trim"() value = |input| jq::trim(input);
        "ltrim"() value = |input| jq::ltrim(input);
        "rtrim"() value = |input| jq::rtrim(input);
        "ascii_downcase"() value = |input| jq::ascii_downcase(input);
        "ascii_upcase"() value = |input| jq::ascii_upcase(input);
        "sort"() value = |input| jq::sort(input);
        "unique"() value = |input| jq::unique(input);
        "min"() value = |input| jq::min(input);
        "max"() value = |input| jq::max(input);
        "abs"() value = |input| jq::abs(input);
        "floor"() value = |input| jq::floor(input);
        "ceil"() value = |input| jq::ceil(input);
        "round"() value = |input| jq::round(input);
        "sqrt"() value = |input| jq::sqrt(input);
        "fabs"() value = |input| jq::fabs(input);
        "trunc"() value = |input| jq::trunc(input);
        "exp"() value = |input| jq::exp(input);
        "log"() value = |input| jq::log(input);
        "exp2"() value = |input| jq::exp2(input);
        "log2"() value = |input| jq::log2(input);
        "exp10"() value = |input| jq::exp10(input);
        "log10"() value = |input| jq::log10(input);
        "significand"() value = |input| jq::significand(input);
        "logb"() value = |input| jq::logb(input);
        "nearbyint"() value = |input| jq::nearbyint(input);
        "rint"() value = |input| jq::rint(input);
        "cbrt"() value = |input| jq::cbrt(input);
        "frexp"() value = |input| jq::frexp(input);
        "modf"() value = |input| jq::modf(input);
        "sin"() value = |input| jq::sin(input);
        "cos"() value = |input| jq::cos(input);
        "tan"() value = |input| jq::tan(input);
        "asin"() value = |input| jq::asin(input);
        "acos"() value = |input| jq::acos(input);
        "atan"() value = |input| jq::atan(input);
        "sinh"() value = |input| jq::sinh(input);
        "cosh"() value = |input| jq::cosh(input);
        "tanh"() value = |input| jq::tanh(input);
        "asinh"() value = |input| jq::asinh(input);
        "acosh"() value = |input| jq::acosh(input);
        "atanh"() value = |input| jq::atanh(input);
        "expm1"() value = |input| jq::expm1(input);
        "log1p"() value = |input| jq::log1p(input);
        "gamma"() value = |input| jq::gamma(input);
        "lgamma"() value = |input| jq::lgamma(input);
        "tgamma"() value = |input| jq::tgamma(input);
        "lgamma_r"() value = |input| jq::lgamma_r(input);
        "erf"() value = |input| jq::erf(input);
        "erfc"() value = |input| jq::erfc(input);
        "j0"() value = |input| jq::j0(input);
        "j1"() value = |input| jq::j1(input);
        "y0"() value = |input| jq::y0(input);
        "y1"() value = |input| jq::y1(input);
        "gmtime"() value = |input| jq::gmtime(input);
        "localtime"() value = |input| jq::localtime(input);
        "mktime"() value = |input| jq::mktime(input);
        "todate"() value = |input| jq::todate(input);
        "fromdate"() value = |input| jq::fromdate(input);
        "pow"(a b) value = |_input| jq::pow(&a, &b);
        "atan2"(a b) value = |_input| jq::atan2(&a, &b);
        "fmin"(a b) value = |_input| jq::fmin(&a, &b);
        "fmax"(a b) value = |_input| jq::fmax(&a, &b);
        "fmod"(a b) value = |_input| jq::fmod(&a, &b);
        "ldexp"(a b) value = |_input| jq::ldexp(&a, &b);
        "scalb"(a b) value = |_input| jq::scalb(&a, &b);
        "scalbln"(a b) value = |_input| jq::scalbln(&a, &b);
        "nextafter"(a b) value = |_input| jq::nextafter(&a, &b);
        "nexttoward"(a b) value = |_input| jq::nexttoward(&a, &b);
        "copysign"(a b) value = |_input| jq::copysign(&a, &b);
        "drem"(a b) value = |_input| jq::drem(&a, &b);
        "remainder"(a b) value = |_input| jq::remainder(&a, &b);
        "hypot"(a b) value = |_input| jq::hypot(&a, &b);
        "fdim"(a b) value = |_input| jq::fdim(&a, &b);
        "jn"(a b) value = |_input| jq::jn(&a, &b);
        "yn"(a b) value = |_input| jq::yn(&a, &b);
        "@text"() value = |input| jq::tostring(input);
        "@json"() value = |input| jq::tojson(input);
        "@csv"() value = |input| jq::csv(input);
        "@tsv"() value = |input| jq::tsv(input);
        "@html"() value = |input| jq::html(input);
        "@uri"() value = |input| jq::uri(input);
        "@urid"() value = |input| jq::urid(input);
        "@sh"() value = |input| jq::sh(input);
        "@base64"() value = |input| jq::base64(input);
        "@base64d"() value = |input| jq::base64d(input);
        "@base32"() value = |input| jq::base32(input);
        "@base32d"() value = |input| jq::base32d(input);
        "ltrimstr"(a) value = |input| jq::ltrimstr(input, &a);
        "rtrimstr"(a) value = |input| jq::rtrimstr(input, &a);
        "trimstr"(a) value = |input| jq::trimstr(input, &a);
        "split"(a) value = |input| jq::split(input, &a);
        "join"(a) value = |input| jq::join(input, &a);
        "indices"(a) value = |input| jq::indices(input, &a);
        "rindex"(a) value = |input| jq::rindex(input, &a);
        "bsearch"(a) value = |input| jq::bsearch(input, &a);
        "format"(a) value = |input| jq::format(input, &a);
        "strftime"(a) value = |input| jq::strftime(input, &a);
        "strflocaltime"(a) value = |input| jq::strflocaltime(input, &a);
        "strptime"(a) value = |input| jq::strptime(input, &a);
        "has"(a) truth = |input| jq::has(input, &a);
        "contains"(a) truth = |input| jq::contains(input, &a);
        "inside"(a) truth = |input| jq::inside(input, &a);
        "startswith"(a) truth = |input| jq::startswith(input, &a);
        "endswith"(a) truth = |input| jq::endswith(input, &a);
        "isinfinite"() truth = |input| Ok(jq::isinfinite(input));
        "isnan"() truth = |input| Ok(jq::isnan(input));
        "isnormal"() truth = |input| Ok(jq::isnormal(input));
        "isfinite"() truth = |input| Ok(jq::isfinite(input));
        "any"() truth = |input| jq::any(input);
        "all"() truth = |input| jq::all(input);
        "null"() value = |_input| Ok(Value::Null);
        "nan"() value = |_input| Ok(jq::nan());
        "infinite"() value = |_input| Ok(jq::infinite());
        "now"() value = |_input| Ok(jq::number(NOW.get()));
        "type"() value = |input| Ok(jq::type_(input));
        "add"() value = |input| jq::add_(input);
        "fromjson"() deep = |input| jq::fromjson(input);
        "fma"(a b c) value = |_input| jq::fma(&a, &b, &c);
        "flatten"(a) value = |input| jq::flatten_by(input, &a);
        "index"(a) value = |input| jq::index_(input, &a);
        "setpath"(a b) deep = |input| jq::setpath(input.clone(), &a, b);
        "delpaths"(a) value = |input| jq::delpaths(input.clone(), &a);
        "test"(a b) truth = |input| jq::test_with(input, &a, &b);
        "split"(a b) value = |input| jq::split_with(input, &a, &b);
        "_paths"() many = |input| |out| jq::paths(input, out);
        "_tostream"() many = |input| |out| jq::tostream(input, out);
        "_combinations"() many = |input| |out| jq::combinations(input, out);
        "_combinations"(a) many = |input| |out| jq::combinations_of(input, &a, out);
        "_match"(a b) many = |input| |out| jq::match_with(input, &a, &b, out);
        "_capture"(a b) many = |input| |out| jq::capture_with(input, &a, &b, out);
        "_scan"(a b) many = |input| |out| jq::scan_with(input, &a, &b, out);
        "_pattern"(a) value = |_input| jq::pattern_and_flags(&a).map(|(pattern, flags)| vec![pattern, flags].into());
        "_edits"(a b) value = |input| jq::edits(input, &a, &b);
        "_truncate_stream"(a) value = |input| jq::truncate_stream(&a, input).map(optional);
        "_fromstream"(a) deep = |_input| collected(|out| from_stream(&a, out));
        "_sort_by"(a) value = |input| jq::sort_by(input, keys(&a));
        "_group_by"(a) value = |input| jq::group_by(input, keys(&a));
        "_unique_by"(a) value = |input| jq::unique_by(input, keys(&a));
        "_min_by"(a) value = |input| jq::min_by(input, keys(&a));
        "_max_by"(a) value = |input| jq::max_by(input, keys(&a));
    })
}

/// Returns the natives of `jaq-core` that take filters as arguments, under the names that the
/// definitions use.
fn of_filters() -> impl Iterator<Item = Fun<Data>> {
    jaq_core::funs::<Data>().filter_map(|(name, arguments, native)| {
        let name = match name {
            "path" | "first" | "last" => name,
            "limit" => "_limit",
            "skip" => "_skip",
            "error_empty" => "error",
            _ => return None,
        };
        Some((name, arguments, native))
    })
}

/// Returns all natives.
pub(super) fn functions() -> impl Iterator<Item = Fun<Data>> {
    let range: [Filter<RunPtr<Data>>; 1] = [("_range", v(4), |mut cv| {
        let simple = jq::truthy(cv.0.pop_var().value());
        let [by, upto, from] = [(); 3].map(|()| cv.0.pop_var().into_value());
        range(&from, &upto, &by, simple)
    })];
    let tick = Native::<Data>::new(|cv| box_once(if goes_on() { Ok(cv.1) } else { Err(ended()) }));
    let tick = tick.with_paths(|cv| box_once(if goes_on() { Ok(cv.1) } else { Err(ended()) }));
    let tick = tick.with_update(|cv, update| if goes_on() { update(cv.1) } else { box_once(Err(ended())) });
    // The update of an empty path changes nothing.
    let empty = Native::<Data>::new(|_| if goes_on() { Box::new(std::iter::empty()) } else { box_once(Err(ended())) });
    let empty = empty.with_paths(|_| if goes_on() { Box::new(std::iter::empty()) } else { box_once(Err(ended())) });
    let empty = empty.with_update(|cv, _| box_once(if goes_on() { Ok(cv.1) } else { Err(ended()) }));
    let named = natives().into_iter().chain(range).map(|native| run::<Data>(native));
    named.chain(of_filters()).chain([(TICK, v(0), tick), ("_empty", v(0), empty)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_can_be_read() {
        assert!(definitions().len() > 80);
    }
}
