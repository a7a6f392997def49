//! Functions of dates: `$now`, `$millis`, `$fromMillis` and `$toMillis`.

mod calendar;
mod format;
mod iso;
mod parse;
mod picture;

use super::args::{self, Args};
use super::{limits, message};
use crate::expr::jsonata::convert;
use crate::expr::jsonata::error::{JsonataError, Result};
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::run::Evaluation;
use crate::value::{Str, Value};
use calendar::{LIMIT, Moment};
use picture::DatePicture;

/// The picture of ISO 8601.
const ISO: &str = "[Y0001]-[M01]-[D01]T[H01]:[m01]:[s01].[f001][Z01:01t]";

/// Implements `$now`: the instant of the evaluation.
pub(super) fn now(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let now = run.now;
    formatted(run, now, args::text(args, 0), args::text(args, 1))
}

/// Implements `$millis`: the instant of the evaluation in milliseconds since 1970.
pub(super) fn millis(run: &mut Evaluation, _: Args<'_>) -> Result<Option<Item>> {
    Ok(Some(Item::Value(Value::Int(run.now))))
}

/// Implements `$fromMillis`.
pub(super) fn from_millis(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(millis) = args::number(args, 0) else { return Ok(None) };
    if millis.is_nan() || millis.abs() > LIMIT as f64 {
        return Err(JsonataError::new("D1001", format!("Number out of range: {}", message::number(millis))));
    }
    // The cast cuts a fraction.
    formatted(run, millis as i64, args::text(args, 1), args::text(args, 2))
}

fn formatted(run: &mut Evaluation, millis: i64, picture: Option<&Str>, zone: Option<&Str>) -> Result<Option<Item>> {
    let picture = picture.map_or(ISO, |picture| picture.as_str());
    limits::spend_bytes(run, picture.len())?;
    limits::spend_bytes(run, zone.map_or(0, |zone| zone.len()))?;
    let offset = zone.map_or(Ok(0), |zone| offset(zone))?;
    let moment = Moment::new(millis + offset * 60_000);
    let picture = DatePicture::new(picture)?;
    format::format(run, &moment, offset, &picture).map(|text| Some(convert::text(text)))
}

/// Reads a time zone, `+0900`, and returns its offset in minutes.
fn offset(zone: &str) -> Result<i64> {
    let zone = zone.trim_start();
    if zone.eq_ignore_ascii_case("utc") || zone.eq_ignore_ascii_case("gmt") || zone.eq_ignore_ascii_case("z") {
        return Ok(0);
    }
    let (is_west, digits) = match zone.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, zone.strip_prefix('+').unwrap_or(zone)),
    };
    let length = digits.bytes().take_while(u8::is_ascii_digit).count();
    match digits[..length].parse::<i64>() {
        Ok(number) if number <= 9_999 => {
            let minutes = number / 100 * 60 + number % 100;
            Ok(if is_west { -minutes } else { minutes })
        }
        _ => Err(JsonataError::new("D3137", format!("Invalid time zone: {}", message::text(zone)))),
    }
}

/// Implements `$toMillis`.
pub(super) fn to_millis(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(text) = args::text(args, 0) else { return Ok(None) };
    limits::spend_bytes(run, text.len())?;
    let Some(picture) = args::text(args, 1) else {
        return match iso::parse(text) {
            Some(millis) => Ok(Some(Item::Value(Value::Int(millis)))),
            None => {
                let shown = message::text(text);
                let text = format!(
                    "The argument of the toMillis function must be an ISO 8601 formatted timestamp. Given {shown}"
                );
                Err(JsonataError::new("D3110", text))
            }
        };
    };
    limits::spend_bytes(run, picture.len())?;
    let now = Moment::new(run.now);
    let picture = DatePicture::new(picture)?;
    let millis = parse::parse(run, text, &picture, &now)?;
    Ok(millis.map(convert::number))
}
