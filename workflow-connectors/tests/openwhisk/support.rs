//! Local server with scripted responses, as the platform or a failing gateway.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use workflow_connectors::OpenWhisk;
use workflow_connectors::openwhisk::OpenWhiskBuilder;

/// Key of every test, which must never be shown.
pub const KEY: &str = "23bc46b1:hidden-123zO3xZ";

/// Reaction of the server to a request.
pub enum Reply {
    /// Responds.
    Answer(String),
    /// Sends this and closes the connection.
    Broken(String),
    /// Sends nothing until the client disconnects.
    Silence,
}

/// Received request.
#[derive(Debug, Clone)]
pub struct Request {
    /// Request line, such as `POST /api/v1/…`.
    pub line: String,
    pub headers: String,
    pub body: String,
}

/// Server with its received requests.
pub struct Server {
    pub address: String,
    requests: Arc<Mutex<Vec<Request>>>,
    signs: Arc<Signs>,
}

/// Signals of a silent server.
#[derive(Default)]
struct Signs {
    arrived: Notify,
    gone: Notify,
}

impl Server {
    /// Starts a server that gives these replies in turn.
    pub async fn start(replies: impl IntoIterator<Item = Reply>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let replies = Arc::new(Mutex::new(replies.into_iter().collect::<VecDeque<Reply>>()));
        let (requests, signs) = (Arc::default(), Arc::new(Signs::default()));
        let server = Server { address, requests: Arc::clone(&requests), signs: Arc::clone(&signs) };
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&replies), Arc::clone(&requests), Arc::clone(&signs)));
            }
        });
        server
    }

    /// Returns a connector for the server.
    pub fn builder(&self) -> OpenWhiskBuilder {
        OpenWhisk::builder().api_host(&self.address).api_key(KEY)
    }

    pub fn client(&self) -> OpenWhisk {
        self.builder().build().unwrap()
    }

    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// Waits for a request that gets no response.
    pub async fn arrived(&self) {
        self.signs.arrived.notified().await;
    }

    /// Waits until the client of such a request disconnects.
    pub async fn gone(&self) {
        self.signs.gone.notified().await;
    }

    /// Returns the request lines.
    pub fn lines(&self) -> Vec<String> {
        self.requests().into_iter().map(|request| request.line).collect()
    }
}

/// Returns a JSON response.
pub fn answer(status: &str, headers: &str, body: &str) -> Reply {
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{headers}\r\n");
    Reply::Answer(head + body)
}

/// Returns the result of a successful run.
pub fn ok(body: &str) -> Reply {
    answer("200 OK", "X-OpenWhisk-Activation-Id: a1b2\r\n", body)
}

async fn serve(
    mut stream: TcpStream,
    replies: Arc<Mutex<VecDeque<Reply>>>,
    requests: Arc<Mutex<Vec<Request>>>,
    signs: Arc<Signs>,
) {
    while let Some(request) = read(&mut stream).await {
        requests.lock().unwrap().push(request);
        let reply = replies.lock().unwrap().pop_front();
        match reply.expect("there is a reply for every request") {
            Reply::Answer(text) => stream.write_all(text.as_bytes()).await.unwrap(),
            Reply::Broken(text) => {
                stream.write_all(text.as_bytes()).await.unwrap();
                return;
            }
            Reply::Silence => {
                signs.arrived.notify_one();
                let _closed = stream.read(&mut [0]).await;
                signs.gone.notify_one();
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
    let headers = headers.to_ascii_lowercase();
    let length = headers.lines().find_map(|line| line.strip_prefix("content-length: "));
    let length: usize = length.map_or(0, |length| length.trim().parse().unwrap());
    while bytes.len() < end + 4 + length {
        stream.read_buf(&mut bytes).await.ok()?;
    }
    let line = line.trim_end_matches(" HTTP/1.1").to_owned();
    Some(Request { line, headers, body: String::from_utf8(bytes[end + 4..].to_vec()).unwrap() })
}
