//! Checks of constants against field types, by the JSON mapping of Protocol Buffers.

use super::RpcArgument;
use super::arguments::check_members;
use crate::diagnostics::suggest::{did_you_mean, listed};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::rpc::codes::WF1004;
use crate::syntax::{Entry, Node, Tree, shown};
use protox::prost_reflect::prost_types::{Duration, Timestamp};
use protox::prost_reflect::{EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor};

/// Reports a value that is invalid for a field.
pub(super) fn check_field(field: &FieldDescriptor, value: &Node, name: &str, diagnostics: &mut Diagnostics) {
    let kind = field.kind();
    match (&value.tree, &kind) {
        // A null field counts as absent.
        (Tree::Null, _) => {}
        (Tree::Object(entries), Kind::Message(entry)) if field.is_map() => {
            check_map(entry, entries, name, diagnostics);
        }
        (_, _) if field.is_map() => {
            report_mismatch(value, name, "an object with a member for each entry", None, diagnostics)
        }
        (Tree::Array(items), kind) if field.is_list() => {
            items.iter().for_each(|item| check_kind(kind, item, name, diagnostics));
        }
        (_, _) if field.is_list() => {
            report_mismatch(value, name, "an array", Some("put it in brackets: `[ … ]`"), diagnostics)
        }
        (_, kind) => check_kind(kind, value, name, diagnostics),
    }
}

fn check_map(entry: &MessageDescriptor, entries: &[Entry], name: &str, diagnostics: &mut Diagnostics) {
    let (key, value) = (entry.map_entry_key_field().kind(), entry.map_entry_value_field());
    for member in entries {
        let text = &member.key.value;
        let wanted = match &key {
            Kind::String => None,
            Kind::Bool if matches!(&**text, "true" | "false") => None,
            Kind::Bool => Some("`true` or `false`".to_owned()),
            _ => match bounds(&key) {
                Some((least, most)) if !text.parse().is_ok_and(|key: i128| (least..=most).contains(&key)) => {
                    Some(integer_range(least, most))
                }
                _ => None,
            },
        };
        if let Some(wanted) = wanted {
            let message = format!("keys of `{}` must be {wanted}, found `{}`", shown(name), shown(text));
            let help = format!("write {wanted} in quotes");
            diagnostics.push(Diagnostic::new(&WF1004, member.key.span, message).help(help));
        }
        match member.value.tree {
            Tree::Null if !allows_null(&value.kind()) => {
                let help = Some("remove the entry, or give it a value");
                report_mismatch(&member.value, text, "a value", help, diagnostics);
            }
            _ => check_field(&value, &member.value, text, diagnostics),
        }
    }
}

/// Returns `true` if null is a value of the type.
fn allows_null(kind: &Kind) -> bool {
    match kind {
        Kind::Message(message) => message.full_name() == "google.protobuf.Value",
        Kind::Enum(kind) => kind.full_name() == "google.protobuf.NullValue",
        _ => false,
    }
}

/// Returns the smallest and the greatest integer of a type.
fn bounds(kind: &Kind) -> Option<(i128, i128)> {
    match kind {
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => Some((i32::MIN.into(), i32::MAX.into())),
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => Some((i64::MIN.into(), i64::MAX.into())),
        Kind::Uint32 | Kind::Fixed32 => Some((0, u32::MAX.into())),
        Kind::Uint64 | Kind::Fixed64 => Some((0, u64::MAX.into())),
        _ => None,
    }
}

fn integer_range(least: i128, most: i128) -> String {
    let bits = if most > i128::from(u32::MAX) { 64 } else { 32 };
    format!("{} {bits}-bit integer", if least < 0 { "a" } else { "an unsigned" })
}

fn check_kind(kind: &Kind, value: &Node, name: &str, diagnostics: &mut Diagnostics) {
    let text = value.as_text().map(|text| &*text.value);
    let number = match value.tree {
        Tree::Int(value) => Some(value as f64),
        Tree::Float(value) => Some(value),
        _ => None,
    };
    if let Some((least, most)) = bounds(kind) {
        let fits = match (&value.tree, text) {
            (Tree::Int(value), _) => (least..=most).contains(&i128::from(*value)),
            (Tree::Float(value), _) => value.fract() == 0.0 && (least as f64..=most as f64).contains(value),
            (_, Some(text)) => text.parse().is_ok_and(|value: i128| (least..=most).contains(&value)),
            _ => false,
        };
        if !fits {
            report_mismatch(value, name, &integer_range(least, most), None, diagnostics);
        }
        return;
    }
    match kind {
        Kind::Double | Kind::Float => {
            let most = if matches!(kind, Kind::Float) { f64::from(f32::MAX) } else { f64::MAX };
            let fits = match text {
                Some(text) => text.parse::<f64>().is_ok(),
                None => number.is_some_and(|number| number.abs() <= most),
            };
            if !fits {
                let wanted = if matches!(kind, Kind::Float) { "a 32-bit number" } else { "a number" };
                report_mismatch(value, name, wanted, None, diagnostics);
            }
        }
        Kind::Bool if !matches!(value.tree, Tree::Bool(_)) => {
            report_mismatch(value, name, "`true` or `false`", None, diagnostics);
        }
        Kind::String if text.is_none() => {
            let help = number.map(|_| "put it in double quotes");
            report_mismatch(value, name, "a string", help, diagnostics);
        }
        Kind::Bytes if !text.is_some_and(is_base64) => {
            report_mismatch(value, name, "a Base64 string", None, diagnostics);
        }
        Kind::Enum(kind) => check_enum(kind, value, name, diagnostics),
        Kind::Message(message) => check_message(message, value, name, diagnostics),
        _ => {}
    }
}

fn check_enum(kind: &EnumDescriptor, value: &Node, name: &str, diagnostics: &mut Diagnostics) {
    let is_null = kind.full_name() == "google.protobuf.NullValue";
    let fits = match &value.tree {
        Tree::Int(number) => i32::try_from(*number).is_ok() && !is_null,
        Tree::String(text) => kind.get_value_by_name(&text.value).is_some(),
        Tree::Null => is_null,
        _ => false,
    };
    if fits {
        return;
    }
    let values: Vec<_> = kind.values().collect();
    let names = || values.iter().map(|value| value.name());
    let meant = value.as_text().and_then(|text| did_you_mean(&text.value, names()));
    let help = meant.unwrap_or_else(|| format!("its values are {}", listed(names())));
    report_mismatch(value, name, &format!("a value of `{}`", kind.full_name()), Some(&help), diagnostics);
}

fn check_message(message: &MessageDescriptor, value: &Node, name: &str, diagnostics: &mut Diagnostics) {
    let text = value.as_text().map(|text| &*text.value);
    let entries = value.as_object();
    let wrapped = |kind: Kind, diagnostics: &mut Diagnostics| check_kind(&kind, value, name, diagnostics);
    let expect = |fits: bool, wanted: &str, diagnostics: &mut Diagnostics| {
        if !fits {
            report_mismatch(value, name, wanted, None, diagnostics);
        }
    };
    match message.full_name().strip_prefix("google.protobuf.").unwrap_or_default() {
        "Timestamp" => expect(text.is_some_and(is_timestamp), "a time such as `\"2026-01-31T12:00:00Z\"`", diagnostics),
        "Duration" => expect(text.is_some_and(is_duration), "a duration in seconds, such as `\"1.5s\"`", diagnostics),
        "FieldMask" => expect(text.is_some(), "a string of field names, separated by commas", diagnostics),
        "Struct" => expect(entries.is_some(), "an object", diagnostics),
        "ListValue" => expect(value.as_array().is_some(), "an array", diagnostics),
        "Value" => {}
        "Empty" => expect(entries.is_some_and(<[Entry]>::is_empty), "an empty object", diagnostics),
        "Any" => {
            let is_any = value.get("@type").is_some_and(|kind| kind.as_text().is_some());
            expect(is_any, "an object with `@type`", diagnostics);
        }
        "BoolValue" => wrapped(Kind::Bool, diagnostics),
        "BytesValue" => wrapped(Kind::Bytes, diagnostics),
        "DoubleValue" => wrapped(Kind::Double, diagnostics),
        "FloatValue" => wrapped(Kind::Float, diagnostics),
        "Int32Value" => wrapped(Kind::Int32, diagnostics),
        "Int64Value" => wrapped(Kind::Int64, diagnostics),
        "StringValue" => wrapped(Kind::String, diagnostics),
        "UInt32Value" => wrapped(Kind::Uint32, diagnostics),
        "UInt64Value" => wrapped(Kind::Uint64, diagnostics),
        _ => match entries {
            Some(entries) => {
                let members = entries.iter().map(|entry| RpcArgument { name: &entry.key, value: Some(&entry.value) });
                check_members(message, &members.collect::<Vec<_>>(), value.span.opening(), diagnostics);
            }
            None => expect(false, &format!("an object with the fields of `{}`", message.full_name()), diagnostics),
        },
    }
}

/// Returns `true` for an RFC 3339 timestamp within the range of `google.protobuf.Timestamp`.
fn is_timestamp(text: &str) -> bool {
    const LEAST: i64 = -62_135_596_800;
    const MOST: i64 = 253_402_300_799;
    // The parser also accepts a date alone, a blank before the time, and a time without a zone.
    let has_zone = text.ends_with(['Z', 'z']) || text.get(19..).is_some_and(|rest| rest.contains(['+', '-']));
    let has_time = text.as_bytes().get(10).is_some_and(|byte| byte.eq_ignore_ascii_case(&b'T'));
    let parsed = text.parse::<Timestamp>();
    has_zone && has_time && parsed.is_ok_and(|time| (LEAST..=MOST).contains(&time.seconds))
}

fn is_duration(text: &str) -> bool {
    const MOST: u64 = 315_576_000_000;
    text.parse::<Duration>().is_ok_and(|duration| duration.seconds.unsigned_abs() <= MOST)
}

/// Returns `true` for base64 in either alphabet, with or without padding.
fn is_base64(text: &str) -> bool {
    let digits = text.trim_end_matches('=');
    let padding = text.len() - digits.len();
    let has_alphabet = |own: [u8; 2]| digits.bytes().all(|byte| byte.is_ascii_alphanumeric() || own.contains(&byte));
    let fits = match digits.len() % 4 {
        0 => padding == 0,
        1 => false,
        rest => padding == 0 || padding == 4 - rest,
    };
    fits && (has_alphabet(*b"+/") || has_alphabet(*b"-_"))
}

/// Reports a value that is not of the expected kind.
fn report_mismatch(value: &Node, name: &str, wanted: &str, help: Option<&str>, diagnostics: &mut Diagnostics) {
    let is = match (&value.tree, wanted) {
        (Tree::Int(_) | Tree::Float(_), wanted) if wanted.contains("number") || wanted.contains("integer") => {
            "another number"
        }
        (Tree::String(_), wanted) if !wanted.contains("integer") && wanted.contains(['`', '"']) => "another string",
        _ => value.kind(),
    };
    let message = format!("`{}` must be {wanted}, found {is}", shown(name));
    let help = help.map_or_else(|| format!("write {wanted}"), str::to_owned);
    diagnostics.push(Diagnostic::new(&WF1004, value.span, message).help(help));
}
