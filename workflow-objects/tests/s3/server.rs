//! Servers of S3: that of the Python package `moto`, and one that always answers the same.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use workflow_objects::store::{CloudStore, S3};

/// The secret of all buckets, which no text has.
pub const SECRET: &str = "a-very-secret-key";

/// A server that ends with the test.
pub struct Moto {
    process: Child,
    port: u16,
}

impl Drop for Moto {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Moto {
    /// Starts a server. `None` if there is no `moto_server`, and it is not required.
    pub fn start() -> Option<Moto> {
        let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port();
        let process = Command::new("moto_server")
            .args(["-H", "127.0.0.1", "-p", &port.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let process = match process {
            Ok(process) => process,
            Err(error) if std::env::var_os("WORKFLOW_REQUIRE_MOTO").is_none() => {
                eprintln!("skipped: moto_server cannot be started: {error}");
                return None;
            }
            Err(error) => panic!("moto_server cannot be started: {error}"),
        };
        let server = Moto { process, port };
        let start = Instant::now();
        while server.request("GET", "/moto-api/", "").is_none_or(|answer| !answer.contains(" 200 ")) {
            assert!(start.elapsed() < Duration::from_secs(60), "moto_server does not answer");
            std::thread::sleep(Duration::from_millis(50));
        }
        Some(server)
    }

    /// Sends a request without a signature.
    pub fn request(&self, method: &str, path: &str, body: &str) -> Option<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.0\r\nHost: 127.0.0.1:{}\r\nContent-Type: text/plain\r\n\
             Content-Length: {length}\r\n\r\n{body}",
            self.port
        );
        stream.write_all(request.as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        Some(answer)
    }

    pub fn bucket(&self, bucket: &str) -> CloudStore {
        S3::new(bucket)
            .endpoint(&format!("http://127.0.0.1:{}", self.port))
            .region("us-east-1")
            .credentials("some-key", SECRET, None)
            .build()
            .expect("the settings are complete")
    }
}

/// Answers every request with a status and a text. The thread ends with the test.
pub fn answer_all(status: &'static str, answer: &'static str) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut request = [0; 16 * 1024];
            let _ = stream.read(&mut request);
            let length = answer.len();
            let head = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(answer.as_bytes()));
        }
    });
    port
}
