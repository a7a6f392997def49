//! The natives by their names in the table of tests.

use crate::expr::jq::{self, Out, Result};
use crate::value::Value;

/// Calls a native and passes on its outputs.
pub fn call(native: &str, input: &Value, arguments: &[Value], out: Out) -> Result<()> {
    if let Some(result) = many(native, input, arguments, out) {
        return result;
    }
    let [a, b, c] = std::array::from_fn(|at| arguments.get(at).cloned().unwrap_or_default());
    let (a, b, c) = (&a, &b, &c);
    out(match native {
        "length" => jq::length(input)?,
        "utf8bytelength" => jq::utf8bytelength(input)?,
        "keys" => jq::keys(input)?,
        "keys_unsorted" => jq::keys_unsorted(input)?,
        "to_entries" => jq::to_entries(input)?,
        "from_entries" => jq::from_entries(input)?,
        "flatten" => jq::flatten(input)?,
        "reverse" => jq::reverse(input)?,
        "transpose" => jq::transpose(input)?,
        "tojson" => jq::tojson(input)?,
        "tostring" => jq::tostring(input)?,
        "tonumber" => jq::tonumber(input)?,
        "toboolean" => jq::toboolean(input)?,
        "fromjson" => jq::fromjson(input)?,
        "explode" => jq::explode(input)?,
        "implode" => jq::implode(input)?,
        "trim" => jq::trim(input)?,
        "ltrim" => jq::ltrim(input)?,
        "rtrim" => jq::rtrim(input)?,
        "ascii_downcase" => jq::ascii_downcase(input)?,
        "ascii_upcase" => jq::ascii_upcase(input)?,
        "sort" => jq::sort(input)?,
        "unique" => jq::unique(input)?,
        "min" => jq::min(input)?,
        "max" => jq::max(input)?,
        "abs" => jq::abs(input)?,
        "floor" => jq::floor(input)?,
        "ceil" => jq::ceil(input)?,
        "round" => jq::round(input)?,
        "sqrt" => jq::sqrt(input)?,
        "fabs" => jq::fabs(input)?,
        "trunc" => jq::trunc(input)?,
        "exp" => jq::exp(input)?,
        "log" => jq::log(input)?,
        "exp2" => jq::exp2(input)?,
        "log2" => jq::log2(input)?,
        "exp10" => jq::exp10(input)?,
        "log10" => jq::log10(input)?,
        "significand" => jq::significand(input)?,
        "logb" => jq::logb(input)?,
        "nearbyint" => jq::nearbyint(input)?,
        "rint" => jq::rint(input)?,
        "cbrt" => jq::cbrt(input)?,
        "frexp" => jq::frexp(input)?,
        "modf" => jq::modf(input)?,
        "sin" => jq::sin(input)?,
        "cos" => jq::cos(input)?,
        "atan" => jq::atan(input)?,
        "tanh" => jq::tanh(input)?,
        "expm1" => jq::expm1(input)?,
        "log1p" => jq::log1p(input)?,
        "gamma" => jq::gamma(input)?,
        "lgamma" => jq::lgamma(input)?,
        "tgamma" => jq::tgamma(input)?,
        "lgamma_r" => jq::lgamma_r(input)?,
        "@text" => jq::tostring(input)?,
        "@json" => jq::tojson(input)?,
        "@csv" => jq::csv(input)?,
        "@tsv" => jq::tsv(input)?,
        "@html" => jq::html(input)?,
        "@uri" => jq::uri(input)?,
        "@urid" => jq::urid(input)?,
        "@sh" => jq::sh(input)?,
        "@base64" => jq::base64(input)?,
        "@base64d" => jq::base64d(input)?,
        "pow" => jq::pow(a, b)?,
        "atan2" => jq::atan2(a, b)?,
        "fmin" => jq::fmin(a, b)?,
        "fmax" => jq::fmax(a, b)?,
        "fmod" => jq::fmod(a, b)?,
        "ldexp" => jq::ldexp(a, b)?,
        "scalb" => jq::scalb(a, b)?,
        "scalbln" => jq::scalbln(a, b)?,
        "nextafter" => jq::nextafter(a, b)?,
        "copysign" => jq::copysign(a, b)?,
        "drem" => jq::drem(a, b)?,
        "hypot" => jq::hypot(a, b)?,
        "fdim" => jq::fdim(a, b)?,
        "index" => jq::index(input, a)?,
        "getpath" => jq::getpath(input, a)?,
        "delpaths" => jq::delpaths(input.clone(), a)?,
        "ltrimstr" => jq::ltrimstr(input, a)?,
        "rtrimstr" => jq::rtrimstr(input, a)?,
        "trimstr" => jq::trimstr(input, a)?,
        "split" => jq::split(input, a)?,
        "join" => jq::join(input, a)?,
        "flatten_by" => jq::flatten_by(input, a)?,
        "indices" => jq::indices(input, a)?,
        "rindex" => jq::rindex(input, a)?,
        "bsearch" => jq::bsearch(input, a)?,
        "format" => jq::format(input, a)?,
        "has" => jq::has(input, a)?.into(),
        "contains" => jq::contains(input, a)?.into(),
        "inside" => jq::inside(input, a)?.into(),
        "startswith" => jq::startswith(input, a)?.into(),
        "endswith" => jq::endswith(input, a)?.into(),
        "isinfinite" => jq::isinfinite(input).into(),
        "isnan" => jq::isnan(input).into(),
        "isnormal" => jq::isnormal(input).into(),
        "isfinite" => jq::isfinite(input).into(),
        "not" => jq::not(input).into(),
        "any" => jq::any(input)?.into(),
        "all" => jq::all(input)?.into(),
        "add" if !arguments.is_empty() => jq::add(input.clone(), a)?,
        "sub" if !arguments.is_empty() => jq::sub(input.clone(), a)?,
        "mul" if !arguments.is_empty() => jq::mul(input.clone(), a)?,
        "div" if !arguments.is_empty() => jq::div(input.clone(), a)?,
        "rem" if !arguments.is_empty() => jq::rem(input.clone(), a)?,
        "add" => jq::add_(input)?,
        "test_with" => jq::test_with(input, a, b)?.into(),
        "gmtime" => jq::gmtime(input)?,
        "mktime" => jq::mktime(input)?,
        "todate" => jq::todate(input)?,
        "fromdate" => jq::fromdate(input)?,
        "strftime" => jq::strftime(input, a)?,
        "strptime" => jq::strptime(input, a)?,
        "sub_x" => jq::sub_with(input, a, b, |_| Ok("<x>".into()))?,
        "sub_number" => jq::sub_with(input, a, b, |_| Ok(Value::Int(1)))?,
        "gsub_n" => jq::gsub_with(input, a, b, |groups| {
            let mut text = String::new();
            jq::push(&mut text, &jq::index(&groups, &"n".into())?)?;
            Ok(format!("{text}|").into())
        })?,
        "type" => jq::type_(input),
        "index_of" => jq::index_(input, a)?,
        "neg" => jq::neg(input.clone())?,
        "fma" => jq::fma(a, b, c)?,
        "eq" => jq::eq(input, a).into(),
        "less" => jq::cmp(input, a).is_lt().into(),
        "less_equal" => jq::cmp(input, a).is_le().into(),
        "greater" => jq::cmp(input, a).is_gt().into(),
        "slice" => jq::slice(input, a, b)?,
        "setpath" => jq::setpath(input.clone(), a, b.clone())?,
        "sort_by_a" => jq::sort_by(input, key_a)?,
        "group_by_a" => jq::group_by(input, key_a)?,
        "unique_by_a" => jq::unique_by(input, key_a)?,
        "min_by_a" => jq::min_by(input, key_a)?,
        "max_by_a" => jq::max_by(input, key_a)?,
        "walk_add" => jq::walk(input.clone(), |value| match value {
            number @ (Value::Int(_) | Value::Float(_)) => jq::add(number, &Value::Int(1)),
            value => Ok(value),
        })?,
        "until_100" => jq::until(
            input.clone(),
            |value| Ok(jq::cmp(value, &Value::Int(100)).is_gt()),
            |value| jq::mul(value, &Value::Int(2)),
        )?,
        native => return Err(jq::Error::message(format!("there is no `{native}`"))),
    })
}

/// Returns `.a`.
fn key_a(value: &Value) -> Result<Value> {
    jq::index(value, &"a".into())
}

fn is_number(value: &Value) -> bool {
    value.kind() == "number"
}

/// Calls a native with any number of outputs.
fn many(native: &str, input: &Value, arguments: &[Value], out: Out) -> Option<Result<()>> {
    let [a, b, c] = std::array::from_fn(|at| arguments.get(at).cloned().unwrap_or_default());
    Some(match native {
        "paths" => jq::paths(input, out),
        "recurse" => jq::recurse_all(input, out),
        "tostream" => jq::tostream(input, out),
        "combinations" => jq::combinations(input, out),
        "combinations_of" => jq::combinations_of(input, &a, out),
        "range" => jq::range(&a, &b, out),
        "range_by" => jq::range_by(&a, &b, &c, out),
        "walk_many" => jq::walk_many(
            input.clone(),
            &mut |value, out| match value {
                Value::Null => Ok(()),
                value if is_number(&value) => {
                    out(value)?;
                    out(Value::Int(-1))
                }
                value => out(value),
            },
            out,
        ),
        "recurse_half" => jq::recurse(
            input.clone(),
            &mut |value, out| {
                if is_number(&value) && jq::cmp(&value, &Value::Int(1)).is_gt() {
                    out(jq::div(value.clone(), &Value::Int(2))?)?;
                    out(jq::sub(value, &Value::Float(1.5))?)?;
                }
                Ok(())
            },
            out,
        ),
        "while_100" => collect(out, |out| {
            for item in input.as_array().into_iter().flat_map(|items| items.iter()) {
                let short = |value: &Value| Ok(jq::cmp(&jq::length(value)?, &Value::Int(6)).is_lt());
                jq::while_(jq::tojson(item)?, short, |value| jq::add(value, &"x".into()), out)?;
            }
            Ok(())
        }),
        "match_with" | "flags" => jq::match_with(input, &a, &b, out),
        "match" => jq::match_(input, &a, out),
        "capture_with" => jq::capture_with(input, &a, &b, out),
        "scan_with" => jq::scan_with(input, &a, &b, out),
        "splits_with" => jq::splits_with(input, &a, &b, out),
        "sub_two" => {
            let two = &mut |_: Value, out: Out| ["1", "2"].into_iter().try_for_each(|text| out(text.into()));
            jq::sub_many(input, &a, &b, two, out)
        }
        "fromstream" => from_stream(input, out),
        "truncate_stream" => b.as_array().into_iter().flat_map(|events| events.iter()).try_for_each(|event| {
            match jq::truncate_stream(&a, event)? {
                Some(event) => out(event),
                None => Ok(()),
            }
        }),
        _ => return None,
    })
}

/// Yields the outputs of a filter as an array.
fn collect(out: Out, filter: impl FnOnce(Out) -> Result<()>) -> Result<()> {
    let mut all: Vec<Value> = Vec::new();
    filter(&mut |value| {
        all.push(value);
        Ok(())
    })?;
    out(all.into())
}

fn from_stream(events: &Value, out: Out) -> Result<()> {
    let mut stream = jq::FromStream::default();
    for event in events.as_array().into_iter().flat_map(|events| events.iter()) {
        if let Some(value) = stream.push(event)? {
            out(value)?;
        }
    }
    Ok(())
}
