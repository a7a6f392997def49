//! `succeed`, `fail` and `heartbeat`: answer a task that waits for an outcome by its token. The
//! program of `cargo workflow run` receives the answer at a port of this machine, and so does
//! `serve` of programs.

use crate::arguments::{Argument, Arguments};
use crate::failure::Failure;
use crate::output;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::de::IgnoredAny;
use serde_json::{Value as Json, json};
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::{Duration, Instant};
use workflow_compiler::escape::visible_lines;

/// The port at which `run` listens, unless it is taken or an option names another.
const PORT: u16 = 8066;
/// The time for the connection, and then for the answer.
const TIME: Duration = Duration::from_secs(10);
/// Characters that RFC 3986 §2.3 does not list as unreserved.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// The most bytes of an answer.
const MOST: usize = 1 << 20;

/// `succeed TOKEN`.
pub fn succeed(arguments: Arguments) -> Result<u8, Failure> {
    let options = AnswerOptions::read("succeed", &["output"], arguments)?;
    let body = match &options.output {
        Some(output) => document(output)?,
        None => "null".to_owned(),
    };
    options.post("succeed", &body)
}

/// `fail TOKEN`.
pub fn fail(arguments: Arguments) -> Result<u8, Failure> {
    let options = AnswerOptions::read("fail", &["error", "cause"], arguments)?;
    let Some(error) = &options.error else {
        return Err(Failure::with_help("`fail` needs an error name", "add `--error NAME`"));
    };
    let mut body = json!({ "error": error });
    if let Some(cause) = &options.cause {
        body["cause"] = cause.as_str().into();
    }
    options.post("fail", &body.to_string())
}

/// `heartbeat TOKEN`.
pub fn heartbeat(arguments: Arguments) -> Result<u8, Failure> {
    AnswerOptions::read("heartbeat", &[], arguments)?.post("heartbeat", "")
}

/// The arguments.
struct AnswerOptions {
    token: String,
    port: u16,
    output: Option<String>,
    error: Option<String>,
    cause: Option<String>,
}

impl AnswerOptions {
    /// Reads the token, `--port`, and the options in `known`.
    fn read(command: &str, known: &[&str], mut arguments: Arguments) -> Result<AnswerOptions, Failure> {
        let (mut token, mut port, mut output, mut error, mut cause) = (None, PORT, None, None, None);
        while let Some(argument) = arguments.next()? {
            let name = match argument {
                Argument::Value(value) if token.is_none() => {
                    token = Some(value.to_string_lossy().into_owned());
                    continue;
                }
                Argument::Option(name) if name == "help" => return Err(Failure::Help),
                Argument::Option(name) if name == "port" || known.contains(&&*name) => name,
                other => return Err(arguments.unexpected(&other)),
            };
            let value = arguments.string()?;
            match name.as_str() {
                "port" => port = self::port("port", &value)?,
                "output" => output = Some(value),
                "error" => error = Some(value),
                _ => cause = Some(value),
            }
        }
        let Some(token) = token.filter(|token| !token.is_empty()) else {
            let help = format!("the run prints it: cargo workflow {command} TOKEN");
            return Err(Failure::with_help(format!("`{command}` needs the token of a task"), help));
        };
        Ok(AnswerOptions { token, port, output, error, cause })
    }

    fn post(&self, what: &str, body: &str) -> Result<u8, Failure> {
        let port = self.port;
        let (status, answer) = exchange(port, &format!("/callbacks/{}/{what}", encode(&self.token)), body)
            .map_err(|error| unreachable(port, &error))?;
        if (200..300).contains(&status) {
            output::complain(match what {
                "heartbeat" => "heartbeat recorded",
                _ => "outcome delivered",
            });
            return Ok(0);
        }
        let answer = serde_json::from_str(&answer).unwrap_or(Json::Null);
        let part = |name: &str| answer[name].as_str().map(|text| visible_lines(text).into_owned());
        let message = part("error").unwrap_or_else(|| format!("127.0.0.1:{port} responded with status {status}"));
        Err(match part("help") {
            Some(help) => Failure::with_help(message, help),
            None => Failure::new(message),
        })
    }
}

/// Reads the value of an option that is a port.
pub fn port(option: &str, text: &str) -> Result<u16, Failure> {
    let port = text.parse().ok().filter(|port| *port > 0);
    port.ok_or_else(|| Failure::new(format!("`--{option} {text}`: expected a port from 1 to 65535")))
}

/// Returns the JSON that an option gives: as text, as the name of a file, or `-` for standard
/// input. The text is sent as it is, so that numbers keep their digits.
fn document(argument: &str) -> Result<String, Failure> {
    let is_json = |text: &str| serde_json::from_str::<IgnoredAny>(text);
    let (from, text) = if argument == "-" {
        let mut text = String::new();
        let read = std::io::stdin().read_to_string(&mut text);
        read.map_err(|error| Failure::new(format!("cannot read the output from standard input: {error}")))?;
        ("standard input".to_owned(), text)
    } else if is_json(argument).is_ok() || argument.trim_start().starts_with(['{', '[', '"']) {
        ("`--output`".to_owned(), argument.to_owned())
    } else {
        let text = std::fs::read_to_string(argument).map_err(|error| {
            Failure::new(format!("`--output {argument}` is neither JSON nor a readable file: {error}"))
        })?;
        (argument.to_owned(), text)
    };
    match is_json(&text) {
        Ok(_) => Ok(text),
        Err(error) => Err(Failure::new(format!("the output from {from} is not JSON: {error}"))),
    }
}

/// Posts JSON to a port of this machine. Returns the status and the body of the answer.
fn exchange(port: u16, path: &str, body: &str) -> std::io::Result<(u16, String)> {
    let mut stream = TcpStream::connect_timeout(&(Ipv4Addr::LOCALHOST, port).into(), TIME)?;
    let until = Instant::now() + TIME;
    stream.set_write_timeout(Some(TIME))?;
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n",
        body.len()
    );
    // A server that refuses a large body answers before it has read the whole body.
    let sent = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
    let (mut answer, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => answer.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // Systems have two names for a time-out.
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Err(ErrorKind::TimedOut.into()),
            Err(_) if !answer.is_empty() => break,
            Err(error) => return Err(sent.err().unwrap_or(error)),
        }
        if answer.len() > MOST {
            return Err(std::io::Error::other("the response is too large"));
        }
    }
    let answer = String::from_utf8_lossy(&answer);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&*answer, ""));
    let status = head.strip_prefix("HTTP/1.").and_then(|rest| rest.get(2..5)?.parse().ok());
    let status = status.ok_or_else(|| std::io::Error::other("the response is not HTTP"))?;
    Ok((status, body.to_owned()))
}

fn unreachable(port: u16, error: &std::io::Error) -> Failure {
    let help = match error.kind() {
        ErrorKind::ConnectionRefused => {
            "a run waits for the token, and prints its port: add `--port PORT`. An execution in a database continues with \
             `cargo workflow run … --db FILE --id ID`"
        }
        _ => "check the port: the run prints it",
    };
    Failure::with_help(format!("cannot deliver the outcome to 127.0.0.1:{port}: {error}"), help)
}

/// Percent-encodes a segment of a path.
fn encode(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    /// Posts to a server that gives this answer. Returns the request and the result.
    fn posted(path: &str, body: &str, answer: &'static str) -> (String, std::io::Result<(u16, String)>) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a connection");
            let mut request = vec![0; 4096];
            let count = stream.read(&mut request).expect("a request");
            stream.write_all(answer.as_bytes()).expect("it is sent");
            String::from_utf8_lossy(&request[..count]).into_owned()
        });
        let result = exchange(port, path, body);
        (server.join().expect("a request"), result)
    }

    #[test]
    fn requests_are_http() {
        let (request, result) =
            posted("/callbacks/a%20b/succeed", "", "HTTP/1.1 404 Not Found\r\nx: y\r\n\r\n{\"a\":1}");
        assert!(request.starts_with("POST /callbacks/a%20b/succeed HTTP/1.1\r\nHost: 127.0.0.1:"), "{request}");
        assert!(request.contains("\r\nContent-Length: 0\r\n"), "{request}");
        assert_eq!(result.expect("an answer"), (404, "{\"a\":1}".to_owned()));
        for broken in ["", "SSH-2.0-OpenSSH\r\n", "HTTP/1.1 abc\r\n\r\n"] {
            assert!(posted("/", "", broken).1.is_err(), "{broken}");
        }
        assert_eq!(encode("a/b ü-1"), "a%2Fb%20%C3%BC-1");
    }

    #[test]
    fn outputs_are_json() {
        assert_eq!(document("1.10").ok().as_deref(), Some("1.10"));
        assert_eq!(
            document(" {\"a\": 12345678901234567890123} ").ok().as_deref(),
            Some(" {\"a\": 12345678901234567890123} ")
        );
        for wrong in ["{", "[1", "\"a", "no/such/file"] {
            assert!(document(wrong).is_err(), "{wrong}");
        }
    }
}
