//! Server on this machine with scripted responses.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use workflow_connectors::Rest;
use workflow_connectors::rest::{RestBuilder, RestService};
use workflow_runtime::operation::{self, Body, Media, Parameter, Piece, Place, Scheme, SchemeKind};
use workflow_runtime::{Fault, Value};

/// Credentials of every test, which must never be shown.
pub const SECRET: &str = "hidden-9fK2";

/// Reaction of the server to a request.
pub enum Reply {
    /// Responds.
    Answer(String),
    /// Responds after a while.
    Late(Duration, String),
    /// Sends this and closes the connection.
    Broken(String),
    /// Sends this, and then chunks until the client disconnects.
    Endless(String),
    /// Sends nothing until the client disconnects.
    Silence,
}

/// Received request.
#[derive(Debug, Clone)]
pub struct Request {
    /// Request line, such as `POST /v1/…`.
    pub line: String,
    /// Headers, with names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Request {
    /// Returns a header that was sent once.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(other, _)| other == name);
        let (_, value) = found.next()?;
        assert!(found.next().is_none(), "{name} was sent twice");
        Some(value)
    }
}

/// Server with its received requests.
pub struct Server {
    pub address: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// Starts a server that gives these replies in turn.
    pub async fn start(replies: impl IntoIterator<Item = Reply>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let replies = Arc::new(Mutex::new(replies.into_iter().collect::<VecDeque<Reply>>()));
        let requests = Arc::default();
        let server = Server { address, requests: Arc::clone(&requests) };
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&replies), Arc::clone(&requests)));
            }
        });
        server
    }

    /// Returns the service below `/v1`, with credentials for all schemes.
    pub fn service(&self) -> RestService {
        let service = RestService::new(format!("{}/v1/", self.address));
        let service = service.credentials("token", SECRET).credentials("user", format!("me:{SECRET}"));
        service.credentials("key", SECRET)
    }

    pub fn builder(&self) -> RestBuilder {
        Rest::builder().service("bank", self.service())
    }

    pub fn client(&self) -> Rest {
        self.builder().build().unwrap()
    }

    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// Returns the request lines.
    pub fn lines(&self) -> Vec<String> {
        self.requests().into_iter().map(|request| request.line).collect()
    }
}

/// Returns a response with a body of this type.
pub fn answer(status: &str, kind: &str, body: &str) -> Reply {
    Reply::Answer(answered(status, kind, body))
}

pub fn answered(status: &str, kind: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}")
}

/// Returns a JSON response.
pub fn ok(body: &str) -> Reply {
    answer("200 OK", "application/json", body)
}

/// Returns an operation of the service `bank`.
pub fn operation(method: &'static str, path: &'static [Piece]) -> operation::Rest {
    operation::Rest::new("bank", "apis/bank.json", "op", method, path).server("https://bank.example.com/v1")
}

pub static THING: &[Piece] = &[Piece::Text("/things/"), Piece::Parameter(0)];
pub static ID: &[Parameter] = &[Parameter::new("id", Place::Path).required()];
pub static TOKEN: &[&[Scheme]] = &[&[Scheme::new("token", SchemeKind::Bearer)]];

/// Returns `GET /things/{id}` with a token.
pub fn get() -> operation::Rest {
    operation("GET", THING).parameters(ID).security(TOKEN)
}

/// Returns `POST /things/{id}` with JSON and a token.
pub fn post() -> operation::Rest {
    let body = Body::new(Media::Json, "application/json").whole(&["body"]).members().required();
    operation("POST", THING).parameters(ID).security(TOKEN).body(body)
}

/// Returns the name and the text of a fault, which must not contain the credentials.
pub fn named(outcome: &Result<Value, Fault>) -> (String, String) {
    let fault = outcome.as_ref().unwrap_err();
    let text = format!("{fault} {fault:?}");
    assert!(!text.contains("hidden"), "{text}");
    (fault.error().unwrap_or_default().to_owned(), fault.to_string())
}

async fn serve(mut stream: TcpStream, replies: Arc<Mutex<VecDeque<Reply>>>, requests: Arc<Mutex<Vec<Request>>>) {
    while let Some(request) = read(&mut stream).await {
        requests.lock().unwrap().push(request);
        let reply = replies.lock().unwrap().pop_front();
        match reply.expect("there is a reply for every request") {
            Reply::Answer(text) => stream.write_all(text.as_bytes()).await.unwrap(),
            Reply::Late(after, text) => {
                tokio::time::sleep(after).await;
                let _gone = stream.write_all(text.as_bytes()).await;
            }
            Reply::Broken(text) => {
                stream.write_all(text.as_bytes()).await.unwrap();
                return;
            }
            Reply::Endless(text) => {
                stream.write_all(text.as_bytes()).await.unwrap();
                let chunk = format!("10000\r\n{}\r\n", "x".repeat(1 << 16));
                while stream.write_all(chunk.as_bytes()).await.is_ok() {}
                return;
            }
            Reply::Silence => {
                let _closed = stream.read(&mut [0]).await;
                return;
            }
        }
    }
}

async fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let (line, headers) = head.split_once("\r\n").unwrap();
    let headers = headers.lines().filter_map(|line| line.split_once(':'));
    let headers: Vec<(String, String)> =
        headers.map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned())).collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length: usize = length.map_or(0, |(_, length)| length.parse().unwrap());
    while bytes.len() < end + 4 + length {
        stream.read_buf(&mut bytes).await.ok()?;
    }
    let line = line.trim_end_matches(" HTTP/1.1").to_owned();
    Some(Request { line, headers, body: String::from_utf8(bytes[end + 4..].to_vec()).unwrap() })
}
