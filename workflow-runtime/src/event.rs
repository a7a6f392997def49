//! CloudEvents, and the sink for events that executions publish.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use crate::fault::Fault;
use crate::time::Timestamp;
use crate::value::codec::{Load, LoadError, Reader, Save, Writer};
use crate::value::{EXCERPT, Object, Str, TEXT_LIMIT, Value};

/// The destination of published events outside of the engine: an event bus, a queue, a log.
///
/// An engine delivers an event to the sink once the publication is stored. The execution continues
/// when the sink has accepted it. After a crash in between, and when the state is retried, the
/// engine delivers the event again with the same id. Other executions receive the event earlier,
/// and once.
///
/// ```
/// use std::pin::Pin;
/// use workflow_runtime::event::EventSink;
/// use workflow_runtime::{CloudEvent, Fault};
///
/// /// Prints events.
/// struct Print;
///
/// impl EventSink for Print {
///     fn send<'a>(&'a self, event: &'a CloudEvent) -> Pin<Box<dyn Future<Output = Result<(), Fault>> + Send + 'a>> {
///         Box::pin(async move {
///             println!("{}", event.to_json()?);
///             Ok(())
///         })
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not receive published events",
    label = "this is not a sink of events",
    note = "write `impl EventSink for {Self}`, whose method `send` delivers one event"
)]
pub trait EventSink: Send + Sync {
    /// Accepts an event, and returns when the event cannot be lost. A fault fails the publishing
    /// state; the sink may retry before.
    fn send<'a>(&'a self, event: &'a CloudEvent) -> Pin<Box<dyn Future<Output = Result<(), Fault>> + Send + 'a>>;
}

impl<T: EventSink + ?Sized> EventSink for Arc<T> {
    fn send<'a>(&'a self, event: &'a CloudEvent) -> Pin<Box<dyn Future<Output = Result<(), Fault>> + Send + 'a>> {
        (**self).send(event)
    }
}

/// The version of the CloudEvents specification.
const SPEC_VERSION: &str = "1.0";

/// An event of CloudEvents 1.0. The name of an event in a dialect becomes its subject.
///
/// ```
/// use workflow_runtime::{CloudEvent, value};
///
/// let event = CloudEvent::new("17", "/courier", "parcel.delivered").data(value!({ "by": "ada" }));
/// assert_eq!(CloudEvent::from_value(&event.to_value()), Ok(event));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CloudEvent {
    /// The id, unique among the events of its source.
    pub id: Str,
    /// The source: a URI reference.
    pub source: Str,
    /// The kind of event: `type`.
    pub kind: Str,
    /// The subject of the event.
    pub subject: Option<Str>,
    /// The time of the occurrence.
    pub time: Option<Timestamp>,
    /// The payload.
    pub data: Value,
    /// All other attributes by name: `datacontenttype`, `dataschema`, extensions.
    pub extensions: Object,
}

impl CloudEvent {
    /// Creates an event with the attributes that every event has.
    pub fn new(id: impl Into<Str>, source: impl Into<Str>, kind: impl Into<Str>) -> CloudEvent {
        CloudEvent {
            id: id.into(),
            source: source.into(),
            kind: kind.into(),
            subject: None,
            time: None,
            data: Value::Null,
            extensions: Object::new(),
        }
    }

    /// Sets the subject.
    pub fn subject(mut self, subject: impl Into<Str>) -> CloudEvent {
        self.subject = Some(subject.into());
        self
    }

    /// Sets the time of the occurrence.
    pub fn time(mut self, time: Timestamp) -> CloudEvent {
        self.time = Some(time);
        self
    }

    /// Sets the payload.
    pub fn data(mut self, data: impl Into<Value>) -> CloudEvent {
        self.data = data.into();
        self
    }

    /// Sets another attribute.
    pub fn extension(mut self, name: impl AsRef<str> + Into<Str>, value: impl Into<Value>) -> CloudEvent {
        self.extensions.insert(name, value);
        self
    }

    /// Returns the text that leaves the process, in the JSON event format. Fails with
    /// `States.DataLimitExceeded` above [`TEXT_LIMIT`].
    pub fn to_json(&self) -> Result<String, Fault> {
        self.to_value().to_json(TEXT_LIMIT).map_err(|error| {
            Fault::too_large(format_args!("The event '{}' of the type '{}'", self.id, self.kind), error)
        })
    }

    /// Returns a context attribute by name. `None` for `data`.
    pub fn attribute(&self, name: &str) -> Option<Value> {
        match name {
            "id" => Some(Value::String(self.id.clone())),
            "source" => Some(Value::String(self.source.clone())),
            "type" => Some(Value::String(self.kind.clone())),
            "specversion" => Some(SPEC_VERSION.into()),
            "subject" => self.subject.clone().map(Value::String),
            "time" => self.time.map(Value::from),
            other => self.extensions.get(other).cloned(),
        }
    }

    /// Returns a context attribute as text, the form in which it is compared with definitions and
    /// correlation keys.
    pub fn attribute_text(&self, name: &str) -> Option<Str> {
        Some(match self.attribute(name)? {
            Value::String(text) => text,
            other => other.excerpt(EXCERPT).into(),
        })
    }

    /// Returns the text of the attribute that events of a definition correlate by. Names of
    /// CloudEvents attributes are in lower case ("Naming Conventions"), and HTTP ignores case. An
    /// attribute in lower case therefore matches a name that is not.
    pub(crate) fn correlation_text(&self, name: &str) -> Option<Str> {
        let in_lower_case = || name.bytes().any(|byte| byte.is_ascii_uppercase()).then(|| name.to_ascii_lowercase());
        self.attribute_text(name).or_else(|| self.attribute_text(&in_lower_case()?))
    }

    /// Returns the event in the JSON format of CloudEvents (section 3 of the JSON Event Format for
    /// CloudEvents 1.0).
    pub fn to_value(&self) -> Value {
        let mut event = Object::new();
        for name in ["specversion", "id", "source", "type", "subject", "time"] {
            if let Some(value) = self.attribute(name) {
                event.insert(name, value);
            }
        }
        for (name, value) in self.extensions.iter() {
            event.insert(name.clone(), value.clone());
        }
        if !self.extensions.contains_key("data_base64") {
            event.insert("data", self.data.clone());
        }
        event.into()
    }

    /// Reads an event in the JSON format of CloudEvents. Base64 data stays encoded, in the
    /// attribute `data_base64`.
    pub fn from_value(value: &Value) -> Result<CloudEvent, InvalidEvent> {
        let members = value.as_object().ok_or_else(|| InvalidEvent::new("an event must be an object"))?;
        let text = |name: &str| match members.get(name) {
            Some(Value::String(text)) if !text.is_empty() => Ok(Some(text.clone())),
            None | Some(Value::Null) => Ok(None),
            Some(_) => Err(InvalidEvent::new(format!("`{name}` must be a non-empty string"))),
        };
        let needed = |name: &str| text(name)?.ok_or_else(|| InvalidEvent::new(format!("`{name}` is missing")));
        let version = needed("specversion")?;
        if &*version != SPEC_VERSION {
            return Err(InvalidEvent::new(format!("`specversion` must be {SPEC_VERSION}, found {version}")));
        }
        let mut event = CloudEvent::new(needed("id")?, needed("source")?, needed("type")?);
        event.subject = text("subject")?;
        event.time = match text("time")? {
            None => None,
            Some(time) => Some(
                time.parse()
                    .map_err(|_| InvalidEvent::new(format!("`time` must be an RFC 3339 time, found {time}")))?,
            ),
        };
        if members.contains_key("data") && members.contains_key("data_base64") {
            return Err(InvalidEvent::new("`data` and `data_base64` cannot be used together"));
        }
        for (name, value) in members.iter() {
            match &**name {
                "specversion" | "id" | "source" | "type" | "subject" | "time" => {}
                "data" => event.data = value.clone(),
                _ if value.is_null() => {}
                _ => drop(event.extensions.insert(name.clone(), value.clone())),
            }
        }
        Ok(event)
    }
}

impl Save for CloudEvent {
    fn save(&self, w: &mut Writer) {
        [&self.id, &self.source, &self.kind].into_iter().for_each(|text| w.put(text));
        w.put(&self.subject);
        w.put(&self.time);
        w.put(&self.data);
        w.put(&Value::from(self.extensions.clone()));
    }
}

impl Load for CloudEvent {
    fn load(r: &mut Reader<'_>) -> Result<CloudEvent, LoadError> {
        Ok(CloudEvent {
            id: r.take()?,
            source: r.take()?,
            kind: r.take()?,
            subject: r.take()?,
            time: r.take()?,
            data: r.take()?,
            extensions: match r.take()? {
                Value::Object(extensions) => Arc::unwrap_or_clone(extensions),
                _ => Object::new(),
            },
        })
    }
}

/// The reason why a value is not an event.
///
/// ```
/// use workflow_runtime::{CloudEvent, value};
///
/// let event = value!({ "specversion": "1.0", "source": "/courier", "type": "parcel.delivered" });
/// assert_eq!(CloudEvent::from_value(&event).unwrap_err().to_string(), "`id` is missing");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidEvent(String);

impl InvalidEvent {
    fn new(problem: impl Into<String>) -> InvalidEvent {
        InvalidEvent(problem.into())
    }
}

impl fmt::Display for InvalidEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidEvent {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value;

    #[test]
    fn events_are_read_as_they_are_written() {
        let text = value!({
            "specversion": "1.0", "id": "7", "source": "/orders", "type": "order.paid", "subject": "order-17",
            "time": "2026-01-02T03:04:05.000Z", "datacontenttype": "application/json", "tenant": "a", "data": {"sum": 3}
        });
        let event = CloudEvent::from_value(&text).expect("an event");
        assert_eq!(event.to_value(), text);
        assert_eq!(event.attribute("tenant"), Some("a".into()));
        assert_eq!(event.attribute("data"), None);
    }

    #[test]
    fn a_token_is_found_in_lower_case_too() {
        let event = CloudEvent::new("1", "/s", "t").extension("patientid", "ada").extension("Ward", "7");
        let texts =
            ["patientId", "patientid", "Ward", "ward", "id", "ID", "none"].map(|name| event.correlation_text(name));
        let [ada, ward, id] = ["ada", "7", "1"].map(|text| Some(Str::from(text)));
        assert_eq!(texts, [ada.clone(), ada, ward, None, id.clone(), id, None]);
    }

    #[test]
    fn invalid_events_are_refused() {
        let base = |name: &str, value: Value| {
            let mut event = CloudEvent::new("1", "/s", "t").to_value();
            event.as_object_mut().expect("an object").insert(name, value);
            CloudEvent::from_value(&event).map_err(|error| error.to_string())
        };
        assert_eq!(base("id", "".into()), Err("`id` must be a non-empty string".to_owned()));
        assert_eq!(base("id", Value::Null), Err("`id` is missing".to_owned()));
        assert_eq!(base("specversion", "0.3".into()), Err("`specversion` must be 1.0, found 0.3".to_owned()));
        assert_eq!(base("time", "noon".into()), Err("`time` must be an RFC 3339 time, found noon".to_owned()));
        assert!(base("data_base64", "AA==".into()).is_err());
        assert!(CloudEvent::from_value(&Value::Null).is_err());
    }
}
