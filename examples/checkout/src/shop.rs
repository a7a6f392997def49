//! The shop, with its office for visas and its mailbox: a server on this machine, which keeps
//! everything in memory.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use workflow_runtime::{Value, value};

/// The address at which the workflows call the shop.
pub const ADDRESS: &str = "127.0.0.1:8600";
/// The bearer token that the shop accepts.
pub const TOKEN: &str = "the token of the clerk";

/// A running shop.
pub struct Shop {
    /// Its address.
    pub address: String,
    books: Arc<Mutex<Books>>,
}

type LogReceiver = Box<dyn Fn(&str) + Send>;

#[derive(Default)]
struct Books {
    /// The number of each order by its `Idempotency-Key`. A repeated request makes no second
    /// order.
    orders: BTreeMap<String, String>,
    /// The number of orders that still get the answer "busy".
    busy: u32,
    /// The ids of the CloudEvents that have arrived, in structured mode.
    mail: Vec<String>,
    log: Vec<String>,
    receiver: Option<LogReceiver>,
}

/// The relevant parts of a request.
struct Asked {
    method: String,
    path: String,
    headers: hyper::HeaderMap,
    body: Value,
}

impl Shop {
    /// Opens the shop. It answers "busy" to the first orders, as many as `busy`.
    pub async fn open(address: &str, busy: u32) -> io::Result<Shop> {
        let listener = TcpListener::bind(address).await?;
        let address = format!("http://{}", listener.local_addr()?);
        let books = Arc::new(Mutex::new(Books { busy, ..Books::default() }));
        let shared = Arc::clone(&books);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let books = Arc::clone(&shared);
                let service = service_fn(move |request| respond(request, Arc::clone(&books)));
                tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
            }
        });
        Ok(Shop { address, books })
    }

    /// Returns the log of the shop.
    pub fn log(&self) -> Vec<String> {
        lock(&self.books).log.clone()
    }

    /// Sets a function that receives each line of the log.
    pub fn on_log(&self, receiver: impl Fn(&str) + Send + 'static) {
        lock(&self.books).receiver = Some(Box::new(receiver));
    }
}

impl Books {
    fn note(&mut self, line: String) {
        if let Some(receiver) = &self.receiver {
            receiver(&line);
        }
        self.log.push(line);
    }

    fn answer(&mut self, asked: &Asked) -> (u16, Option<Value>) {
        let parts: Vec<&str> = asked.path.split('/').skip(1).collect();
        match (&*asked.method, &parts[..]) {
            ("POST", ["mail"]) => {
                // A sender may deliver the same event twice.
                let id = text(&asked.body, &["id"]).to_owned();
                if !self.mail.contains(&id) {
                    let (to, words) = (text(&asked.body, &["data", "to"]), text(&asked.body, &["data", "text"]));
                    self.note(format!("mail for {to}: {words}"));
                    self.mail.push(id);
                }
                (204, None)
            }
            _ if asked.header("authorization") != format!("Bearer {TOKEN}") => (401, None),
            ("POST", ["orders"]) if self.busy > 0 => {
                self.busy -= 1;
                self.note("busy".to_owned());
                (503, Some(value!({ "why": "busy" })))
            }
            ("POST", ["orders"]) => {
                let next = format!("O-{}", self.orders.len() + 1);
                let number = self.orders.entry(asked.header("idempotency-key").to_owned()).or_insert(next).clone();
                self.note(format!("order {number} of {}", text(&asked.body, &["customer"])));
                (201, Some(value!({ "number": number, "sum": 12 })))
            }
            ("GET", ["visas", name]) => {
                self.note(format!("visa of {name}"));
                (200, Some(value!({ "approved": (*name == "Ann") })))
            }
            _ => (404, None),
        }
    }
}

impl Asked {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

/// Returns the text at a path in a value.
fn text<'v>(value: &'v Value, path: &[&str]) -> &'v str {
    path.iter().try_fold(value, |value, member| value.get(*member)).and_then(Value::as_str).unwrap_or_default()
}

async fn respond(request: Request<Incoming>, books: Arc<Mutex<Books>>) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let asked = Asked {
        method: head.method.to_string(),
        path: head.uri.path().to_owned(),
        headers: head.headers,
        body: Value::from_json_slice(&body).unwrap_or_default(),
    };
    let (status, body) = lock(&books).answer(&asked);
    let text = body.map_or_else(String::new, |body| body.to_string());
    let response = Response::builder().status(status).header("Content-Type", "application/json");
    Ok(response.body(text.into()).unwrap_or_default())
}

fn lock(books: &Mutex<Books>) -> std::sync::MutexGuard<'_, Books> {
    books.lock().unwrap_or_else(PoisonError::into_inner)
}
