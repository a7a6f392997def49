//! Awaited events as data, for reports, and the reasons why an event is none of them.

use std::fmt;

use super::events::EventInfo;
use crate::event::CloudEvent;
use crate::value::{Object, Str, Value};

/// The most characters of an attribute's value in a message.
const SHOWN_CHARACTERS: usize = 100;

/// The most kinds of events in a message.
const SHOWN_KINDS: usize = 8;

/// The most kinds of events in a JSON report.
const LISTED_KINDS: usize = 100;

/// A kind of event that an execution waits for.
///
/// See the example of [`Description`](crate::engine::Description).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AwaitedEvent {
    /// Its name in the definition.
    pub name: Str,
    /// The required `type`, if any.
    pub kind: Option<Str>,
    /// The required `source`, if any.
    pub source: Option<Str>,
    /// The required `subject`, if any. An event of the required type can lack it.
    pub subject: Option<Str>,
    /// Other required attributes, with their values as text.
    pub attributes: Vec<(Str, Str)>,
    /// The attribute that must equal the correlation key of the execution.
    pub correlation: Option<Str>,
}

impl From<&EventInfo> for AwaitedEvent {
    fn from(kind: &EventInfo) -> AwaitedEvent {
        AwaitedEvent {
            name: Str::from_static(kind.name),
            kind: kind.kind.map(Str::from_static),
            source: kind.source.map(Str::from_static),
            subject: kind.subject.map(Str::from_static),
            attributes: kind.attributes.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
            correlation: kind.correlation.map(Str::from_static),
        }
    }
}

impl AwaitedEvent {
    /// Creates a kind of which only the name is known.
    pub fn named(name: impl Into<Str>) -> AwaitedEvent {
        let name = name.into();
        AwaitedEvent { name, kind: None, source: None, subject: None, attributes: Vec::new(), correlation: None }
    }

    /// Returns an object with `name`, `type`, `source`, `subject`, `attributes` and `correlation`,
    /// without the members that the definition does not restrict.
    pub fn to_value(&self) -> Object {
        let mut object = Object::new();
        object.insert("name", self.name.clone());
        let optional = [
            ("type", &self.kind),
            ("source", &self.source),
            ("subject", &self.subject),
            ("correlation", &self.correlation),
        ];
        for (name, text) in optional {
            if let Some(text) = text {
                object.insert(name, text.clone());
            }
        }
        if !self.attributes.is_empty() {
            let mut attributes = Object::new();
            for (name, value) in &self.attributes {
                attributes.insert(name.clone(), value.clone());
            }
            object.insert("attributes", attributes);
        }
        object
    }

    /// Reads what [`AwaitedEvent::to_value`] returns. `None` without a name.
    pub fn from_value(value: &Value) -> Option<AwaitedEvent> {
        let text = |name: &str| value.get(name).and_then(text_of);
        let attributes = value.get("attributes").and_then(Value::as_object);
        Some(AwaitedEvent {
            name: text("name")?,
            kind: text("type"),
            source: text("source"),
            subject: text("subject"),
            attributes: attributes
                .into_iter()
                .flat_map(Object::iter)
                .filter_map(|(name, value)| Some((name.clone(), text_of(value)?)))
                .collect(),
            correlation: text("correlation"),
        })
    }
}

fn text_of(value: &Value) -> Option<Str> {
    match value {
        Value::String(text) => Some(text.clone()),
        _ => None,
    }
}

impl fmt::Display for AwaitedEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", Shown(&self.name))?;
        // An event of the right type needs no subject.
        let subject = self.subject.as_ref().filter(|_| self.kind.is_none());
        let required = [("type", self.kind.as_ref()), ("source", self.source.as_ref()), ("subject", subject)]
            .into_iter()
            .filter_map(|(name, value)| Some(format!("{name} `{}`", Shown(value?))));
        let attributes = self.attributes.iter().map(|(name, value)| format!("{} `{}`", Shown(name), Shown(value)));
        let correlation = self.correlation.iter().map(|name| format!("correlated by `{}`", Shown(name)));
        let parts: Vec<String> = required.chain(attributes).chain(correlation).collect();
        if parts.is_empty() { Ok(()) } else { write!(f, " ({})", parts.join(", ")) }
    }
}

/// An attribute in which an event differs from a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The name of the attribute.
    pub attribute: Str,
    /// The value that the kind requires. `None` if any value would do.
    pub expected: Option<Str>,
    /// The value in the event, as text.
    pub found: Option<Str>,
    /// Set if the required value is the correlation key of the execution.
    pub correlates: bool,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Shown(&self.attribute);
        match (&self.expected, self.correlates) {
            (Some(expected), true) => write!(f, "the correlation value `{}` in `{name}`", Shown(expected))?,
            (None, _) => write!(f, "a correlation value in `{name}`")?,
            (Some(expected), false) => write!(f, "the {name} `{}`", Shown(expected))?,
        }
        match &self.found {
            Some(found) => write!(f, ", found `{}`", Shown(found)),
            None => f.write_str(", found none"),
        }
    }
}

/// The reasons why an execution does not wait for an event: what differs from each kind of event
/// that its definition waits for.
///
/// See the example of [`EngineError`](crate::engine::EngineError).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnwantedEvent {
    /// The kinds with their differences, those with the fewest differences first.
    pub kinds: Vec<(AwaitedEvent, Vec<Difference>)>,
}

impl UnwantedEvent {
    /// Compares an event with kinds, for an execution with this correlation key. Without a key,
    /// any correlation value will do.
    pub fn new<'a>(
        kinds: impl IntoIterator<Item = &'a EventInfo>,
        event: &CloudEvent,
        correlation: Option<&str>,
    ) -> UnwantedEvent {
        let mut compared = Vec::new();
        for kind in kinds {
            let differences = kind.mismatches(event, correlation).map(|(attribute, expected)| Difference {
                attribute: Str::from_static(attribute),
                expected: expected.map(Str::from),
                found: event.correlation_text(attribute),
                correlates: kind.correlation == Some(attribute),
            });
            let one = (AwaitedEvent::from(kind), differences.collect::<Vec<_>>());
            // Versions of a definition have most kinds in common.
            if !compared.contains(&one) {
                compared.push(one);
            }
        }
        compared.sort_by_key(|(_, differences)| differences.len());
        UnwantedEvent { kinds: compared }
    }

    /// Returns the kinds as an array of [`AwaitedEvent::to_value`], at most 100. Each has an array
    /// `differs` of objects with `attribute`, `expected` and `found`.
    pub fn to_value(&self) -> Value {
        let kinds = self.kinds.iter().take(LISTED_KINDS).map(|(kind, differences)| {
            let differs = differences.iter().map(|difference| {
                let mut object = Object::new();
                object.insert("attribute", difference.attribute.clone());
                for (name, text) in [("expected", &difference.expected), ("found", &difference.found)] {
                    object.insert(name, text.clone().map_or(Value::Null, Value::String));
                }
                Value::from(object)
            });
            let mut object = kind.to_value();
            object.insert("differs", Value::from_iter(differs));
            Value::from(object)
        });
        Value::from_iter(kinds)
    }
}

/// The text that follows "does not wait for this event: ".
impl fmt::Display for UnwantedEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kinds.is_empty() {
            return f.write_str("its definition waits for no events");
        }
        for (at, (kind, differences)) in self.kinds.iter().take(SHOWN_KINDS).enumerate() {
            let differences: Vec<String> = differences.iter().map(Difference::to_string).collect();
            let separator = if at == 0 { "" } else { "; " };
            write!(f, "{separator}`{}` needs {}", Shown(&kind.name), differences.join(", and "))?;
        }
        match self.kinds.len().saturating_sub(SHOWN_KINDS) {
            0 => Ok(()),
            1 => f.write_str("; it waits for another event, too"),
            more => write!(f, "; it waits for {more} other events, too"),
        }
    }
}

/// A text for a message: its first characters, on one line.
struct Shown<'a>(&'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut characters = self.0.chars();
        for character in characters.by_ref().take(SHOWN_CHARACTERS) {
            match character {
                // Quotes and backslashes are harmless.
                '\'' | '"' | '\\' => write!(f, "{character}")?,
                other => write!(f, "{}", other.escape_debug())?,
            }
        }
        if characters.next().is_some() { f.write_str("…") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value;

    const PAID: EventInfo = EventInfo::new("Paid").subject("Paid").any_case().kind("paid").source("/bank");
    const SEEN: EventInfo = EventInfo::new("Seen").attributes(&[("ward", "7")]).correlation("patientId");

    fn event() -> CloudEvent {
        CloudEvent::new("1", "/bank", "paid")
    }

    #[test]
    fn an_event_of_the_type_needs_no_subject() {
        assert!(PAID.matches(&event()) && PAID.matches(&event().subject("PAID")));
        assert!(!PAID.matches(&event().subject("order 7")));
        let untyped = EventInfo::new("Paid").subject("Paid").any_case().source("/bank");
        assert!(!untyped.matches(&event()) && untyped.matches(&event().subject("paid")));
    }

    #[test]
    fn differences_are_named() {
        let text = |event: &CloudEvent| UnwantedEvent::new([&SEEN, &PAID], event, Some("ada")).to_string();
        assert_eq!(
            text(&CloudEvent::new("1", "/shop", "paid").subject("Order 7")),
            "`Seen` needs the ward `7`, found none, and the correlation value `ada` in `patientId`, found none; \
             `Paid` needs the source `/bank`, found `/shop`, and the subject `Paid`, found `Order 7`"
        );
        assert_eq!(
            text(&event().subject("x\u{1b}[2J").extension("ward", 7).extension("patientid", "bob")),
            "`Seen` needs the correlation value `ada` in `patientId`, found `bob`; \
             `Paid` needs the subject `Paid`, found `x\\u{1b}[2J`"
        );
        let any = UnwantedEvent::new([&SEEN], &event().extension("ward", "7"), None);
        assert_eq!(any.to_string(), "`Seen` needs a correlation value in `patientId`, found none");
        assert_eq!(UnwantedEvent::new([], &event(), None).to_string(), "its definition waits for no events");
    }

    #[test]
    fn messages_are_bounded() {
        let kinds: Vec<EventInfo> = (0..200).map(|_| EventInfo::new("Paid").kind("other")).collect();
        let mut long = event();
        long.kind = "x".repeat(100_000).into();
        // Equal kinds are listed once.
        assert_eq!(UnwantedEvent::new(&kinds, &long, None).kinds.len(), 1);
        let kind = || (AwaitedEvent::from(&PAID), UnwantedEvent::new([&PAID], &long, None).kinds.remove(0).1);
        let many = UnwantedEvent { kinds: (0..200).map(|_| kind()).collect() };
        let text = many.to_string();
        assert!(text.len() < 2_000 && text.ends_with("; it waits for 192 other events, too"), "{text}");
        assert_eq!(many.to_value().as_array().map(|kinds| kinds.len()), Some(100));
    }

    #[test]
    fn reports_are_read_back() {
        for kind in [PAID, SEEN, EventInfo::new("Any")] {
            let awaited = AwaitedEvent::from(&kind);
            assert_eq!(AwaitedEvent::from_value(&awaited.to_value().into()), Some(awaited));
        }
        assert_eq!(AwaitedEvent::from_value(&value!({ "type": "t" })), None);
        assert_eq!(AwaitedEvent::from(&PAID).to_string(), "`Paid` (type `paid`, source `/bank`)");
        assert_eq!(AwaitedEvent::from(&SEEN).to_string(), "`Seen` (ward `7`, correlated by `patientId`)");
        let report = UnwantedEvent::new([&SEEN], &event().extension("ward", "7"), Some("ada")).to_value();
        let expected = value!([{
            "name": "Seen", "correlation": "patientId", "attributes": { "ward": "7" },
            "differs": [{ "attribute": "patientId", "expected": "ada", "found": null }],
        }]);
        assert_eq!(report, expected);
    }
}
