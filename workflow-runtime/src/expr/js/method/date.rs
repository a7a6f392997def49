//! `Date.prototype` (ECMA-262 §21.4.4). Local time is UTC, so that every local getter and setter
//! equals its UTC counterpart.

use super::super::call::argument;
use super::super::date::{self, Fields};
use super::super::object::Special;
use super::super::{Js, Result, Run, coerce, error};
use super::Method;
use crate::value::Str;

pub(super) static METHODS: &[Method] = super::methods! {
    "getDate" 0 get_date,
    "getDay" 0 get_day,
    "getFullYear" 0 get_full_year,
    "getHours" 0 get_hours,
    "getMilliseconds" 0 get_milliseconds,
    "getMinutes" 0 get_minutes,
    "getMonth" 0 get_month,
    "getSeconds" 0 get_seconds,
    "getTime" 0 get_time,
    "getTimezoneOffset" 0 get_timezone_offset,
    "getUTCDate" 0 get_date,
    "getUTCDay" 0 get_day,
    "getUTCFullYear" 0 get_full_year,
    "getUTCHours" 0 get_hours,
    "getUTCMilliseconds" 0 get_milliseconds,
    "getUTCMinutes" 0 get_minutes,
    "getUTCMonth" 0 get_month,
    "getUTCSeconds" 0 get_seconds,
    "setDate" 1 set_date,
    "setFullYear" 3 set_full_year,
    "setHours" 4 set_hours,
    "setMilliseconds" 1 set_milliseconds,
    "setMinutes" 3 set_minutes,
    "setMonth" 2 set_month,
    "setSeconds" 2 set_seconds,
    "setTime" 1 set_time,
    "setUTCDate" 1 set_date,
    "setUTCFullYear" 3 set_full_year,
    "setUTCHours" 4 set_hours,
    "setUTCMilliseconds" 1 set_milliseconds,
    "setUTCMinutes" 3 set_minutes,
    "setUTCMonth" 2 set_month,
    "setUTCSeconds" 2 set_seconds,
    "toDateString" 0 to_date_string,
    "toGMTString" 0 to_utc_string,
    "toISOString" 0 to_iso_string,
    "toJSON" 1 to_json,
    "toString" 0 to_string,
    "toTimeString" 0 to_time_string,
    "toUTCString" 0 to_utc_string,
    "valueOf" 0 get_time,
};

fn this_time(this: &Js) -> Result<f64> {
    let time = this.as_object().and_then(|object| object.time());
    time.ok_or_else(|| error::type_error("this is not a Date object."))
}

fn part(this: &Js, part: fn(Fields) -> f64) -> Result {
    let time = this_time(this)?;
    Ok(Js::Number(if time.is_nan() { f64::NAN } else { part(date::fields(time)) }))
}

fn get_time(_: &Run, this: &Js, _: &[Js]) -> Result {
    this_time(this).map(Js::Number)
}

fn get_timezone_offset(_: &Run, this: &Js, _: &[Js]) -> Result {
    part(this, |_| 0.0)
}

fn get_full_year(_: &Run, this: &Js, _: &[Js]) -> Result {
    part(this, |fields| fields.year)
}

fn get_month(_: &Run, this: &Js, _: &[Js]) -> Result {
    part(this, |fields| fields.month)
}

fn get_date(_: &Run, this: &Js, _: &[Js]) -> Result {
    part(this, |fields| fields.day)
}

fn get_day(_: &Run, this: &Js, _: &[Js]) -> Result {
    part(this, |fields| fields.weekday)
}

fn get_hours(_: &Run, this: &Js, _: &[Js]) -> Result {
    part(this, |fields| fields.hour)
}

fn get_minutes(_: &Run, this: &Js, _: &[Js]) -> Result {
    part(this, |fields| fields.minute)
}

fn get_seconds(_: &Run, this: &Js, _: &[Js]) -> Result {
    part(this, |fields| fields.second)
}

fn get_milliseconds(_: &Run, this: &Js, _: &[Js]) -> Result {
    part(this, |fields| fields.millisecond)
}

/// Sets up to `most` fields from `first` on to the arguments that are present.
fn set(this: &Js, arguments: &[Js], first: usize, most: usize) -> Result {
    let time = this_time(this)?;
    let present = &arguments[..arguments.len().min(most)];
    let mut numbers = present.iter().map(coerce::number).collect::<Result<Vec<f64>>>()?;
    if numbers.is_empty() {
        numbers.push(f64::NAN);
    }
    // Only a year makes an invalid date valid.
    let time = if time.is_nan() && first == 0 { 0.0 } else { time };
    let set = if time.is_nan() {
        f64::NAN
    } else {
        let fields = date::fields(time);
        let Fields { year, month, day, hour, minute, second, millisecond, .. } = fields;
        let mut parts = [year, month, day, hour, minute, second, millisecond];
        parts.iter_mut().skip(first).zip(numbers).for_each(|(part, number)| *part = number);
        date::clip(date::make(parts))
    };
    store(this, set)
}

fn store(this: &Js, time: f64) -> Result {
    if let Js::Object(object) = this {
        object.set_special(Special::Date(time));
    }
    Ok(Js::Number(time))
}

fn set_time(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    this_time(this)?;
    store(this, date::clip(coerce::number(&argument(arguments, 0))?))
}

fn set_full_year(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    set(this, arguments, 0, 3)
}

fn set_month(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    set(this, arguments, 1, 2)
}

fn set_date(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    set(this, arguments, 2, 1)
}

fn set_hours(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    set(this, arguments, 3, 4)
}

fn set_minutes(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    set(this, arguments, 4, 3)
}

fn set_seconds(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    set(this, arguments, 5, 2)
}

fn set_milliseconds(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    set(this, arguments, 6, 1)
}

fn to_iso_string(_: &Run, this: &Js, _: &[Js]) -> Result {
    date::iso(this_time(this)?).map(Js::String).ok_or_else(|| error::range_error("Invalid time value"))
}

fn to_json(_: &Run, this: &Js, _: &[Js]) -> Result {
    Ok(date::iso(this_time(this)?).map_or(Js::Null, Js::String))
}

fn written(this: &Js, write: fn(f64) -> Str) -> Result {
    let time = this_time(this)?;
    Ok(if time.is_nan() { Js::text("Invalid Date") } else { Js::String(write(time)) })
}

fn to_string(_: &Run, this: &Js, _: &[Js]) -> Result {
    written(this, date::text)
}

fn to_date_string(_: &Run, this: &Js, _: &[Js]) -> Result {
    written(this, date::date_text)
}

fn to_time_string(_: &Run, this: &Js, _: &[Js]) -> Result {
    written(this, date::time_text)
}

fn to_utc_string(_: &Run, this: &Js, _: &[Js]) -> Result {
    written(this, date::utc_text)
}
