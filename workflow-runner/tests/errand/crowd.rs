//! Connections that take places and send no request, or only a part of one.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::program::{Place, Program};
use crate::{paid, waits};

/// The number of connections: the number of places of a server.
const CROWD: usize = 512;

/// Opens a connection, and sends a text.
fn connect(server: &Program, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.address()).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time-out");
    // The server may have closed the connection already.
    let _closed = stream.write_all(text.as_bytes());
    stream
}

fn answers_at_once(server: &Program, crowd: &str) {
    for _ in 0..3 {
        let started = Instant::now();
        assert_eq!(server.get("/health").status, 200, "{crowd}");
        let took = started.elapsed();
        assert!(took < Duration::from_secs(1), "{crowd}: {took:?}");
    }
}

pub fn silent_connections_shut_nobody_out() {
    let place = Place::new("crowd");
    let server = place.serve(&[]);
    let head = "GET /health HTTP/1.1\r\nHost: localhost\r\n";
    let body = "POST /errand HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{\"do\":";
    let asked = format!("{head}\r\n");
    for (crowd, text) in [("nothing", ""), ("partial heads", head), ("partial bodies", body), ("idle", &asked)] {
        let all: Vec<TcpStream> = (0..CROWD).map(|_| connect(&server, text)).collect();
        answers_at_once(&server, crowd);
        drop(all);
    }
}

pub fn connections_that_send_a_byte_now_and_then_shut_nobody_out() {
    let place = Place::new("trickle");
    let server = place.serve(&[]);
    let mut all: Vec<TcpStream> =
        (0..CROWD).map(|_| connect(&server, "GET /health HTTP/1.1\r\nHost: localhost\r\nX: ")).collect();
    let enough = Arc::new(AtomicBool::new(false));
    let until = enough.clone();
    let trickle = std::thread::spawn(move || {
        while !until.load(Ordering::Relaxed) {
            for stream in &mut all {
                let _closed = stream.write_all(b"x");
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    answers_at_once(&server, "a byte now and then");
    enough.store(true, Ordering::Relaxed);
    trickle.join().expect("it ends");
}

/// Checks that requests that wait for an execution keep their connections when new ones arrive.
pub fn requests_that_wait_shut_nobody_out_and_are_answered() {
    let place = Place::new("waiters");
    let server = place.serve(&[]);
    waits(&server, "long", 1);
    let asked = "GET /executions/long/result?wait=60s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let all: Vec<TcpStream> = (0..600).map(|_| connect(&server, asked)).collect();
    answers_at_once(&server, "waiters");
    let silent: Vec<TcpStream> = (0..CROWD).map(|_| connect(&server, "GET ")).collect();
    answers_at_once(&server, "waiters and silent connections");
    drop(silent);
    let event = paid("1", "now").to_string();
    let sent = server.post("/executions/long/events", "Content-Type: application/cloudevents+json\r\n", &event);
    assert_eq!(sent.status, 202, "{}", sent.body);
    let (mut ended, mut not) = (0, 0);
    for mut stream in all {
        let mut answer = String::new();
        match stream.read_to_string(&mut answer) {
            Err(error) if error.kind() != ErrorKind::ConnectionReset => panic!("no answer: {error}"),
            _ => {}
        }
        match answer.get(..12) {
            Some("HTTP/1.1 200") => ended += 1,
            Some("HTTP/1.1 202") => not += 1,
            _ => panic!("no answer: {answer:?}"),
        }
    }
    assert_eq!((ended, not), (384, 600 - 384));
}
