//! The event of `send` and `publish`, given by options.

use std::io::Read;

use workflow_runtime::{CloudEvent, Object, Timestamp, Value};

use crate::command_line::string;
use crate::events;

/// The options that describe an event.
pub const OPTIONS: [&str; 7] = ["type", "source", "subject", "id", "data", "data-file", "event"];

/// The values of these options.
#[derive(Default)]
pub struct EventOptions {
    /// Attributes, by their names.
    attributes: Object,
    /// The names of the options that were given.
    options: Vec<String>,
    data: Option<Value>,
    event: Option<Value>,
}

impl EventOptions {
    /// Takes the value of an option.
    pub fn take(&mut self, option: &str, arguments: &mut lexopt::Parser) -> Result<(), String> {
        if self.options.iter().any(|known| known == option) {
            return Err(format!("`--{option}` is specified twice"));
        }
        self.options.push(option.to_owned());
        let value = string(arguments)?;
        match option {
            "data" => {
                let data = Value::from_json_strict(&value);
                self.data = Some(data.map_err(|error| format!("`--data {value}` is not JSON: {error}"))?);
            }
            "data-file" => self.data = Some(json_of("--data-file", &value)?),
            "event" => {
                self.event = Some(match value.strip_prefix('@') {
                    Some(file) => json_of("--event", file)?,
                    None => {
                        Value::from_json_strict(&value).map_err(|error| format!("`--event` is not JSON: {error}"))?
                    }
                });
            }
            attribute => drop(self.attributes.insert(attribute, value)),
        }
        Ok(())
    }

    /// Returns the event. By default its time is now and its id is random.
    pub fn event(self, command: &str) -> Result<CloudEvent, String> {
        let EventOptions { mut attributes, options, data, event } = self;
        if let Some(event) = event {
            if let Some(other) = options.iter().find(|option| *option != "event") {
                return Err(format!("`--{other}` cannot be used with `--event`"));
            }
            return events::read(&event).map_err(|problem| format!("`--event` is not a CloudEvent: {problem}"));
        }
        if options.iter().filter(|option| option.starts_with("data")).count() > 1 {
            return Err("`--data` cannot be used with `--data-file`".to_owned());
        }
        for needed in ["type", "source"] {
            if !attributes.contains_key(needed) {
                return Err(format!(
                    "`{command}` needs `--{needed}`: write `--type TYPE --source URI`, optionally with `--data JSON`, or `--event JSON`"
                ));
            }
        }
        attributes.insert("specversion", "1.0");
        if !attributes.contains_key("id") {
            attributes.insert("id", random_id());
        }
        attributes.insert("time", Timestamp::now());
        if let Some(data) = data {
            attributes.insert("datacontenttype", "application/json");
            attributes.insert("data", data);
        }
        events::read(&attributes.into()).map_err(|problem| problem.to_string())
    }
}

/// Reads JSON from a file, or from standard input.
fn json_of(option: &str, file: &str) -> Result<Value, String> {
    let mut text = String::new();
    let (read, name) = match file {
        "-" => (std::io::stdin().read_to_string(&mut text).map(drop), "standard input".to_owned()),
        file => (std::fs::read_to_string(file).map(|read| text = read), format!("`{file}`")),
    };
    read.map_err(|error| format!("`{option}`: cannot read {name}: {error}"))?;
    Value::from_json_strict(&text).map_err(|error| format!("`{option}`: {name} is not JSON: {error}"))
}

/// Returns a random id of 128 bits.
fn random_id() -> String {
    use std::hash::BuildHasher as _;
    let random = |number: u64| {
        std::hash::RandomState::new().hash_one((number, std::process::id(), Timestamp::now().as_micros()))
    };
    format!("{:016x}{:016x}", random(1), random(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: &[&str]) -> Result<CloudEvent, String> {
        let mut arguments = lexopt::Parser::from_args(arguments);
        let mut options = EventOptions::default();
        while let Some(argument) = arguments.next().map_err(|error| error.to_string())? {
            let lexopt::Arg::Long(option) = argument else { panic!("{argument:?}") };
            let option = option.to_owned();
            options.take(&option, &mut arguments)?;
        }
        options.event("send")
    }

    #[test]
    fn an_event_is_made_of_its_parts() {
        let event = read(&["--type", "paid", "--source", "/bank", "--data", "[1]"]).expect("an event");
        assert_eq!((&*event.kind, &*event.source, event.data.to_string()), ("paid", "/bank", "[1]".to_owned()));
        assert!(event.id.len() == 32 && event.time.is_some() && event.subject.is_none());
        let other = read(&["--type", "paid", "--source", "/bank"]).expect("an event");
        assert_ne!(event.id, other.id);
        let event = read(&["--type", "t", "--source", "s", "--id", "7", "--subject", "Order 7"]).expect("an event");
        assert_eq!((&*event.id, event.subject.as_deref()), ("7", Some("Order 7")));
        let whole = r#"{"specversion": "1.0", "id": "1", "source": "/s", "type": "t", "tenant": "a"}"#;
        assert_eq!(read(&["--event", whole]).map(|event| event.attribute("tenant")), Ok(Some("a".into())));
    }

    #[test]
    fn what_makes_no_event_is_refused() {
        let whole = r#"{"specversion": "1.0", "id": "1", "source": "/s"}"#;
        for (arguments, expected) in [
            (&["--type", "t"][..], "needs `--source`"),
            (&["--source", "s"], "needs `--type`"),
            (&["--type", "t", "--source", "a b"], "`source` must be a URI"),
            (&["--type", "", "--source", "s"], "`type` must be a non-empty string"),
            (&["--type", "t", "--type", "u"], "specified twice"),
            (&["--type", "t", "--source", "s", "--data", "{"], "`--data {` is not JSON"),
            (&["--type", "t", "--source", "s", "--data-file", "/none/such"], "cannot read `/none/such`"),
            (&["--event", whole], "`type` is missing"),
            (&["--event", "@/none/such"], "cannot read `/none/such`"),
            (&["--event", whole, "--data", "1"], "`--data` cannot be used with `--event`"),
        ] {
            let refused = read(arguments).map(|event| event.to_value());
            assert!(refused.as_ref().is_err_and(|error| error.contains(expected)), "{arguments:?}: {refused:?}");
        }
    }
}
