//! A gRPC service on the loopback interface.

use std::io::Cursor;
use std::sync::{Arc, Mutex, PoisonError};

/// The protocol buffer definition of the service.
pub const PROTO: &str = "syntax = \"proto3\"; package acme; message Entry { string account = 1; }
    service Ledger { rpc Book(Entry) returns (Entry); }";
/// The answer `{"account": "seen"}`.
pub const SEEN: &[u8] = b"\n\x04seen";

/// A server that answers every call with the same message.
pub struct Ledger {
    pub address: String,
    called: Arc<Mutex<Option<Call>>>,
}

/// A call that has arrived.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub path: String,
    pub authorization: String,
    pub request: Vec<u8>,
}

impl Ledger {
    /// Starts a server with this answer.
    pub fn start(answer: &'static [u8]) -> Ledger {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        listener.set_nonblocking(true).expect("it does not wait");
        let called = Arc::new(Mutex::new(None));
        let heard = called.clone();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async move {
                let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
                while let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(serve(stream, answer, heard.clone()));
                }
            });
        });
        Ledger { address, called }
    }

    /// Takes the last call: a second call of this function returns `None`.
    pub fn called(&self) -> Option<Call> {
        self.called.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

async fn serve(stream: tokio::net::TcpStream, answer: &'static [u8], called: Arc<Mutex<Option<Call>>>) {
    let connection = h2::server::Builder::new().handshake::<_, Cursor<Vec<u8>>>(stream).await;
    let Ok(mut connection) = connection else { return };
    while let Some(Ok((request, mut respond))) = connection.accept().await {
        let called = called.clone();
        tokio::spawn(async move {
            let header = request.headers().get("authorization").and_then(|value| value.to_str().ok());
            let (path, authorization) = (request.uri().path().to_owned(), header.unwrap_or_default().to_owned());
            let (mut body, mut bytes) = (request.into_body(), Vec::new());
            while let Some(Ok(chunk)) = body.data().await {
                bytes.extend_from_slice(&chunk);
            }
            // Each message follows a prefix of five bytes, which holds its length.
            let request = bytes.split_off(bytes.len().min(5));
            *called.lock().unwrap_or_else(PoisonError::into_inner) = Some(Call { path, authorization, request });
            let head = http::Response::builder().header("content-type", "application/grpc").body(());
            let mut stream = respond.send_response(head.expect("a head"), false).expect("it is sent");
            let message = [&[0, 0, 0, 0, answer.len() as u8], answer].concat();
            stream.send_data(Cursor::new(message), false).expect("it is sent");
            let status = [(http::HeaderName::from_static("grpc-status"), http::HeaderValue::from_static("0"))];
            stream.send_trailers(status.into_iter().collect()).expect("it is sent");
        });
    }
}
