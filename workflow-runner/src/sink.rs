//! `--sink`: the receiver of the events that executions publish.

use std::path::Path;
use std::sync::Arc;

use workflow_runtime::event::EventSink;

use crate::command_line::string;

/// A receiver of events.
pub(crate) type Sink = Arc<dyn EventSink>;

/// The options that describe a sink.
pub(crate) const OPTIONS: [&str; 3] = ["sink", "sink-token-env", "sink-token-file"];

/// The values of these options.
#[derive(Default)]
pub(crate) struct SinkOptions {
    address: Option<String>,
    /// The option that gives the bearer token, and the token.
    token: Option<(String, String)>,
}

impl SinkOptions {
    /// Takes the value of an option.
    pub fn take(&mut self, option: &str, arguments: &mut lexopt::Parser) -> Result<(), String> {
        let value = string(arguments)?;
        let is_there = match option {
            "sink" => self.address.replace(value).is_some(),
            "sink-token-env" => {
                let token = std::env::var(&value);
                let token = token.map_err(|_| format!("environment variable `{value}` not found"))?;
                self.token.replace((option.to_owned(), token)).is_some()
            }
            _ => {
                let token = std::fs::read_to_string(Path::new(&value));
                let token = token.map_err(|error| format!("cannot read `{value}`: {error}"))?;
                self.token.replace((option.to_owned(), token)).is_some()
            }
        };
        match is_there {
            true if option == "sink" => Err("`--sink` is specified twice".to_owned()),
            true => Err("the token of the sink is specified twice".to_owned()),
            false => Ok(()),
        }
    }

    /// Returns the sink of a command that writes its result to standard output. The sink cannot be
    /// standard output, too.
    pub fn beside_result(self, command: &str) -> Result<Option<Sink>, String> {
        if self.address.as_deref().is_some_and(is_stdout) {
            return Err(format!(
                "`--sink stdout` is only valid for `serve`: `{command}` writes the result of the execution to standard output"
            ));
        }
        self.sink()
    }

    /// Returns the sink, if one was given.
    pub fn sink(self) -> Result<Option<Sink>, String> {
        match (self.address, self.token) {
            (Some(address), Some((option, _))) if is_stdout(&address) => {
                Err(format!("`--{option}` cannot be used with `--sink stdout`"))
            }
            (Some(address), None) if is_stdout(&address) => stdout().map(Some),
            (Some(address), token) if is_nats(&address) => nats(&address, token).map(Some),
            (Some(address), token) => http(&address, token).map(Some),
            (None, Some((option, _))) => Err(format!("`--{option}` needs `--sink URL`")),
            (None, None) => Ok(None),
        }
    }
}

fn is_stdout(address: &str) -> bool {
    matches!(address, "stdout" | "-")
}

fn is_nats(address: &str) -> bool {
    ["nats://", "tls://"].iter().any(|scheme| address.trim_start().starts_with(scheme))
}

#[cfg(feature = "events")]
fn stdout() -> Result<Sink, String> {
    Ok(Arc::new(workflow_connectors::StdoutSink::new()))
}

#[cfg(not(feature = "events"))]
fn stdout() -> Result<Sink, String> {
    http("stdout", None)
}

#[cfg(feature = "nats")]
fn nats(address: &str, token: Option<(String, String)>) -> Result<Sink, String> {
    let wrong = |option: &str, error: workflow_connectors::ConfigError| format!("`--{option}`: {error}");
    let sink = workflow_connectors::NatsSink::new(address).map_err(|error| wrong("sink", error))?;
    let sink = match token {
        Some((option, token)) => sink.token(token).map_err(|error| wrong(&option, error))?,
        None => sink.login_from_env().map_err(|error| wrong("sink", error))?,
    };
    Ok(Arc::new(sink))
}

#[cfg(not(feature = "nats"))]
fn nats(_: &str, _: Option<(String, String)>) -> Result<Sink, String> {
    Err("this program was built without `--sink nats://…`: enable the feature `nats` of `workflow-runner` in Cargo.toml, `features = \
         [\"durable\", \"nats\"]`"
        .to_owned())
}

#[cfg(feature = "events")]
fn http(address: &str, token: Option<(String, String)>) -> Result<Sink, String> {
    let wrong = |option: &str, error: workflow_connectors::ConfigError| format!("`--{option}`: {error}");
    let mut sink = workflow_connectors::HttpSink::new(address).map_err(|error| wrong("sink", error))?;
    if let Some((option, token)) = token {
        if token.trim().is_empty() {
            return Err(format!("`--{option}`: the token is empty"));
        }
        sink = sink.token(token).map_err(|error| wrong(&option, error))?;
    }
    Ok(Arc::new(sink))
}

#[cfg(not(feature = "events"))]
fn http(_: &str, _: Option<(String, String)>) -> Result<Sink, String> {
    Err("this program was built without `--sink`: enable the feature `events` of `workflow-runner` in Cargo.toml, `features = \
         [\"durable\", \"events\"]`"
        .to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sink_of(arguments: &[&str]) -> Result<bool, String> {
        let mut parser = lexopt::Parser::from_args(arguments);
        let mut options = SinkOptions::default();
        while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
            let lexopt::Arg::Long(option) = argument else { return Err("no option".to_owned()) };
            let option = option.to_owned();
            options.take(&option, &mut parser)?;
        }
        options.sink().map(|sink| sink.is_some())
    }

    #[test]
    fn a_token_needs_a_sink_and_each_is_given_once() {
        assert_eq!(sink_of(&[]), Ok(false));
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        assert!(sink_of(&["--sink-token-file", file]).is_err_and(|error| error.ends_with(" needs `--sink URL`")));
        let twice = sink_of(&["--sink", "http://a", "--sink", "http://b"]);
        assert!(twice.is_err_and(|error| error.contains("specified twice")));
        let twice = sink_of(&["--sink-token-file", file, "--sink-token-file", file]);
        assert!(twice.is_err_and(|error| error.contains("specified twice")));
        assert!(sink_of(&["--sink-token-file", "/none"]).is_err_and(|error| error.starts_with("cannot read `/none`")));
        let unknown = sink_of(&["--sink-token-env", "NO_SUCH_VARIABLE_OF_A_SINK"]);
        assert!(unknown.is_err_and(|error| error.contains("`NO_SUCH_VARIABLE_OF_A_SINK`")));
    }

    #[test]
    fn standard_output_is_for_what_writes_nothing_else_to_it() {
        for address in ["stdout", "-"] {
            let options = SinkOptions { address: Some(address.to_owned()), token: None };
            assert!(
                options
                    .beside_result("run")
                    .is_err_and(|error| error.contains("`--sink stdout` is only valid for `serve`"))
            );
            let token = Some(("sink-token-env".to_owned(), "s3cret".to_owned()));
            let options = SinkOptions { address: Some(address.to_owned()), token };
            assert!(
                options.sink().is_err_and(|error| error.contains("`--sink-token-env`") && !error.contains("s3cret"))
            );
        }
        assert_eq!(sink_of(&["--sink", "-"]).is_ok(), cfg!(feature = "events"));
        let nats = sink_of(&["--sink", "nats://127.0.0.1:4222/orders"]);
        assert_eq!(nats.is_ok(), cfg!(feature = "nats"), "{nats:?}");
        let wrong = sink_of(&["--sink", "nats://u:s3cret@127.0.0.1/orders"]).expect_err("it has a password");
        assert!(
            !wrong.contains("s3cret") && wrong.contains(if cfg!(feature = "nats") { "environment" } else { "`nats`" })
        );
    }

    #[cfg(feature = "events")]
    #[test]
    fn an_address_is_checked_before_anything_runs() {
        assert_eq!(sink_of(&["--sink", "https://broker.example.com/default"]), Ok(true));
        for wrong in ["broker", "ftp://broker", "http://user:secret@broker/"] {
            let error = sink_of(&["--sink", wrong]).expect_err(wrong);
            assert!(error.starts_with("`--sink`: the address of the sink ") && !error.contains("secret"), "{error}");
        }
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let lines = sink_of(&["--sink", "http://a", "--sink-token-file", manifest]);
        assert!(lines.is_err_and(|error| error.starts_with("`--sink-token-file`: ")));
    }

    #[cfg(not(feature = "events"))]
    #[test]
    fn a_sink_that_is_not_built_in_says_how_it_is() {
        assert!(sink_of(&["--sink", "http://a"]).is_err_and(|error| error.contains("the feature `events`")));
    }
}
