//! The airline and the holiday village: two servers on this machine, which keep bookings in
//! memory.

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

/// The bearer token that the airline accepts.
pub const TOKEN: &str = "the token of the agency";
/// The API key that the village accepts.
pub const KEY: &str = "the key of the agency";

/// Both services, with their addresses.
pub struct Services {
    /// The address of the airline.
    pub airline: String,
    /// The address of the village.
    pub village: String,
    desk: Arc<Desk>,
}

/// The state of both services, which share one process here.
#[derive(Default)]
struct Desk(Mutex<Books>);

#[derive(Default)]
struct Books {
    /// A line for each request.
    log: Vec<String>,
    /// The number of each booking by its `Idempotency-Key`. A repeated request makes no second
    /// booking.
    keys: BTreeMap<String, String>,
    booked: u32,
    /// The number of requests for a room that still get the answer "busy".
    busy: u32,
}

/// The relevant parts of a request.
struct Asked {
    method: String,
    path: String,
    query: String,
    headers: hyper::HeaderMap,
    body: Value,
}

/// A status, and an optional body.
type Answer = (u16, Option<Value>);

impl Services {
    /// Starts both services. The village answers "busy" to the first requests for rooms, as many
    /// as `busy`.
    pub async fn start(busy: u32) -> io::Result<Services> {
        let desk = Arc::new(Desk::default());
        desk.books(|books| books.busy = busy);
        let airline = serve(Arc::clone(&desk), airline).await?;
        let village = serve(Arc::clone(&desk), village).await?;
        Ok(Services { airline: format!("{airline}/v1"), village: format!("{village}/api"), desk })
    }

    /// Returns the log since the last call of this method.
    pub fn log(&self) -> Vec<String> {
        self.desk.books(|books| std::mem::take(&mut books.log))
    }
}

impl Desk {
    fn books<T>(&self, with: impl FnOnce(&mut Books) -> T) -> T {
        with(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Books {
    /// Returns the number of a booking, the same number for the same key.
    fn book(&mut self, letter: char, asked: &Asked) -> String {
        let key = asked.header("idempotency-key").to_owned();
        if let Some(number) = self.keys.get(&key) {
            return number.clone();
        }
        self.booked += 1;
        let number = format!("{letter}-{}", self.booked);
        self.keys.insert(key, number.clone());
        number
    }
}

impl Asked {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    fn text(&self, member: &str) -> &str {
        self.body.get(member).and_then(Value::as_str).unwrap_or_default()
    }
}

fn airline(asked: &Asked, books: &mut Books) -> Answer {
    if asked.header("authorization") != format!("Bearer {TOKEN}") {
        return (401, None);
    }
    let parts: Vec<&str> = asked.path.split('/').skip(1).collect();
    match (&*asked.method, &parts[..]) {
        ("POST", ["v1", "flights", "full", "seats"]) => {
            books.log.push("airline: the flight is full".to_owned());
            (409, Some(value!({ "why": "the flight is full" })))
        }
        ("POST", ["v1", "flights", flight, "seats"]) => {
            let number = books.book('S', asked);
            books.log.push(format!(
                "airline: seat {number} on {flight} for {}, {}",
                asked.text("name"),
                asked.text("meal")
            ));
            (201, Some(value!({ "number": number, "flight": *flight })))
        }
        ("DELETE", ["v1", "seats", seat]) => {
            books.log.push(format!("airline: seat {seat} is free again"));
            (204, None)
        }
        _ => (404, None),
    }
}

fn village(asked: &Asked, books: &mut Books) -> Answer {
    if asked.header("x-agency") != KEY {
        return (403, None);
    }
    let parts: Vec<&str> = asked.path.split('/').skip(1).collect();
    match (&*asked.method, &parts[..]) {
        ("POST", ["api", "rooms"]) if books.busy > 0 => {
            books.busy -= 1;
            books.log.push("village: busy".to_owned());
            (503, None)
        }
        ("POST", ["api", "rooms"]) => {
            let number = books.book('R', asked);
            books.log.push(format!("village: room {number} for {}, {}", asked.text("name"), asked.query));
            (201, Some(value!({ "number": number })))
        }
        ("POST", ["api", "cars"]) if asked.query == "class=convertible" => {
            books.log.push("village: no convertible is left".to_owned());
            (409, Some(value!({ "why": "no convertible is left" })))
        }
        ("POST", ["api", "cars"]) => {
            let number = books.book('C', asked);
            books.log.push(format!("village: car {number} for who comes on seat {}", asked.text("seat")));
            (201, Some(value!({ "number": number })))
        }
        ("DELETE", ["api", _, number]) => {
            books.log.push(format!("village: {number} is free again"));
            (204, None)
        }
        _ => (404, None),
    }
}

/// Serves on a free port of this machine, until the program ends.
async fn serve(desk: Arc<Desk>, answer: fn(&Asked, &mut Books) -> Answer) -> io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}", listener.local_addr()?);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let desk = Arc::clone(&desk);
            let service = service_fn(move |request| respond(request, Arc::clone(&desk), answer));
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
    Ok(address)
}

async fn respond(
    request: Request<Incoming>,
    desk: Arc<Desk>,
    answer: fn(&Asked, &mut Books) -> Answer,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let asked = Asked {
        method: head.method.to_string(),
        path: head.uri.path().to_owned(),
        query: head.uri.query().unwrap_or_default().to_owned(),
        headers: head.headers,
        body: Value::from_json_slice(&body).unwrap_or_default(),
    };
    let (status, body) = desk.books(|books| answer(&asked, books));
    let text = body.map_or_else(String::new, |body| body.to_string());
    let response = Response::builder().status(status).header("Content-Type", "application/json");
    Ok(response.body(text.into()).unwrap_or_default())
}
