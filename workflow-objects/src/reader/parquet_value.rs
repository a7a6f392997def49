//! The values of a table of Apache Parquet as JSON.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use parquet::data_type::Decimal;
use parquet::record::{Field, Row};
use workflow_runtime::{Object, Value};

use super::decode::Bad;

/// The deepest nesting, as values of the runtime have it.
const MAX_DEPTH: usize = 127;

/// Returns a row as an object.
///
/// # Errors
/// It is nested too deeply.
pub(super) fn value_of(row: &Row) -> Result<Value, Bad> {
    object_of(row, 1)
}

fn object_of(row: &Row, depth: usize) -> Result<Value, Bad> {
    let mut members = Object::with_capacity(row.len());
    for (name, field) in row.get_column_iter() {
        members.insert(name.as_str(), field_of(field, depth + 1)?);
    }
    Ok(Value::from(members))
}

fn field_of(field: &Field, depth: usize) -> Result<Value, Bad> {
    if depth > MAX_DEPTH {
        return Err(format!("a row is nested deeper than {MAX_DEPTH} levels").into());
    }
    Ok(match field {
        Field::Null => Value::Null,
        Field::Bool(value) => Value::from(*value),
        Field::Byte(value) => Value::from(i32::from(*value)),
        Field::Short(value) => Value::from(i32::from(*value)),
        Field::Int(value) => Value::from(*value),
        Field::Long(value) => Value::from(*value),
        Field::UByte(value) => Value::from(u32::from(*value)),
        Field::UShort(value) => Value::from(u32::from(*value)),
        Field::UInt(value) => Value::from(*value),
        Field::ULong(value) => Value::from(*value),
        Field::Float16(value) => Value::from(value.to_f64()),
        // The shortest text of a single is not that of the double with the same value.
        Field::Float(value) => Value::from(value.to_string().parse::<f64>().unwrap_or(f64::NAN)),
        Field::Double(value) => Value::from(*value),
        Field::Decimal(value) => decimal(value),
        Field::Str(text) => Value::from(text.as_str()),
        Field::Bytes(bytes) => Value::from(STANDARD.encode(bytes.data())),
        Field::Date(days) => date(*days),
        Field::TimeMillis(millis) => time(i64::from(*millis).saturating_mul(1000)),
        Field::TimeMicros(micros) => time(*micros),
        Field::TimestampMillis(millis) => timestamp(Timestamp::from_millisecond(*millis).ok(), *millis),
        Field::TimestampMicros(micros) => timestamp(Timestamp::from_microsecond(*micros).ok(), *micros),
        Field::Group(row) => object_of(row, depth)?,
        Field::ListInternal(list) => {
            list.elements().iter().map(|item| field_of(item, depth + 1)).collect::<Result<Vec<Value>, Bad>>()?.into()
        }
        Field::MapInternal(map) => {
            let mut members = Object::with_capacity(map.len());
            for (key, value) in map.entries() {
                let key = match key {
                    Field::Str(text) => text.clone(),
                    other => match field_of(other, depth + 1)? {
                        Value::String(text) => text.to_string(),
                        other => other.to_string(),
                    },
                };
                members.insert(key, field_of(value, depth + 1)?);
            }
            Value::from(members)
        }
    })
}

/// Returns the number that a decimal is: whole if it is, else the nearest double.
fn decimal(value: &Decimal) -> Value {
    let digits = value.data();
    let scale = value.scale();
    let negative = digits.first().is_some_and(|byte| byte & 0x80 != 0);
    // Big-endian, two's complement. More than 16 bytes do not fit, and are rare.
    if digits.len() > 16 {
        return Value::from(STANDARD.encode(digits));
    }
    let fill = if negative { 0xff } else { 0 };
    let mut wide = [fill; 16];
    wide[16 - digits.len()..].copy_from_slice(digits);
    let unscaled = i128::from_be_bytes(wide);
    match (scale, i64::try_from(unscaled)) {
        (0, Ok(whole)) => Value::from(whole),
        _ => Value::from(format!("{unscaled}e{}", -i64::from(scale)).parse::<f64>().unwrap_or(f64::NAN)),
    }
}

/// Returns a date such as `2026-01-31`.
fn date(days: i32) -> Value {
    let midnight = Timestamp::from_second(i64::from(days) * 86_400).ok();
    match midnight.map(|midnight| midnight.to_string()) {
        Some(text) => Value::from(text.split('T').next().unwrap_or_default()),
        None => Value::from(days),
    }
}

/// Returns a time of day such as `12:00:00.5`.
fn time(micros: i64) -> Value {
    let moment = Timestamp::from_microsecond(micros).ok().filter(|_| (0..86_400_000_000).contains(&micros));
    match moment.map(|moment| moment.to_string()) {
        Some(text) => Value::from(text.trim_end_matches('Z').split('T').nth(1).unwrap_or_default()),
        None => Value::from(micros),
    }
}

/// Returns a timestamp in RFC 3339, or the number if no year has it.
fn timestamp(moment: Option<Timestamp>, number: i64) -> Value {
    match moment {
        Some(moment) => Value::from(moment.to_string()),
        None => Value::from(number),
    }
}
