//! Restate servers for tests: found or installed, on loopback, each with its ports and folder.
//!
//! Not published: programs bring their own server.

mod node;

pub use node::{Node, PARTITIONS};

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// npm package of the server.
const PACKAGE: &str = "@restatedev/restate-server@1.7.12";

/// Longest time for the server to start, and for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// Shell script that starts the server, and kills it when the standard input ends: when this
/// process is gone in any way.
const WATCH: &str = r#""$@" >"$LOG" 2>&1 & server=$!; cat; kill -9 $server; wait $server; rm -rf "$FOLDER" "$LOG""#;

/// Running Restate server.
pub struct Server {
    /// Address of its ingress.
    pub ingress: String,
    /// Address of its admin interface.
    pub admin: String,
    /// Watching shell; its end kills the server.
    _watch: Child,
}

impl Server {
    /// Returns the answer to a query in SQL.
    ///
    /// # Panics
    /// If the server does not answer, or refuses the query.
    pub fn query(&self, sql: &str) -> String {
        let address = self.admin.trim_start_matches("http://");
        let body = format!("{{\"query\":\"{sql}\"}}");
        let request = format!(
            "POST /query HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\naccept: application/json\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        let answer = exchange(address, &request).expect("an answer");
        assert!(!answer.starts_with("HTTP/1.1 4"), "{sql}: {answer}");
        answer
    }

    /// Posts JSON to the ingress. Returns the response with its head.
    ///
    /// # Panics
    /// If there is no response.
    pub fn call(&self, path: &str, json: &str) -> String {
        self.call_with(path, &[], json)
    }

    /// Posts JSON to the ingress with these further headers. Returns the response with its head.
    ///
    /// # Panics
    /// If there is no response.
    pub fn call_with(&self, path: &str, headers: &[(&str, &str)], json: &str) -> String {
        let address = self.ingress.trim_start_matches("http://");
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: application/json\r\n\
             {headers}content-length: {}\r\n\r\n{json}",
            json.len()
        );
        exchange(address, &request).expect("an answer")
    }

    /// Kills an invocation with Restate's tools: its process is not notified.
    ///
    /// # Panics
    /// If the server does not answer.
    pub fn kill(&self, invocation: &str) {
        self.change(invocation, "kill");
    }

    /// Cancels an invocation with Restate's tools: its process is notified.
    ///
    /// # Panics
    /// If the server does not answer.
    pub fn cancel(&self, invocation: &str) {
        self.change(invocation, "cancel");
    }

    /// Purges an ended invocation, and the state of its key if it is a workflow.
    ///
    /// # Panics
    /// If the server does not answer.
    pub fn purge(&self, invocation: &str) {
        self.change(invocation, "purge");
    }

    fn change(&self, invocation: &str, how: &str) {
        let address = self.admin.trim_start_matches("http://");
        let request = format!(
            "PATCH /invocations/{invocation}/{how} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
        );
        let answer = exchange(address, &request).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 20"), "{answer}");
    }
}

/// Starts a server for a test run, with its data below `target`. Reports the reason and returns
/// `None` if there cannot be one, or panics if `CI` or `WORKFLOW_REQUIRE_RESTATE` is set.
///
/// `identity` is the private key in a PEM file for signing requests.
pub fn server(target: &Path, identity: Option<&str>) -> Option<Server> {
    match find(target).and_then(|program| start(&program, target, identity)) {
        Ok(server) => Some(server),
        Err(problem) => {
            let required = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
            if required("CI") || required("WORKFLOW_REQUIRE_RESTATE") {
                panic!("no Restate server: {problem}");
            }
            // Not through `eprintln!`: the test runner captures its output unless a test fails.
            let _unseen = writeln!(std::io::stderr(), "skipped: no Restate server: {problem}");
            None
        }
    }
}

/// Finds the program: named, in the path, installed before, or installed now.
pub fn find(target: &Path) -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("RESTATE_SERVER") {
        let named = PathBuf::from(named);
        return if named.is_file() { Ok(named) } else { Err(format!("there is no {}", named.display())) };
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let in_path = std::env::split_paths(&path).map(|folder| folder.join("restate-server"));
    let installed = target.join("restate");
    if let Some(found) = in_path.chain(binary(&installed)).find(|file| file.is_file()) {
        return Ok(found);
    }
    std::fs::create_dir_all(&installed).map_err(|error| error.to_string())?;
    let npm = Command::new("npm")
        .args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", ".", PACKAGE])
        .current_dir(&installed)
        .envs([("DO_NOT_TRACK", "1"), ("SCARF_ANALYTICS", "false")])
        .output()
        .map_err(|error| format!("it is not installed, and npm cannot be run: {error}"))?;
    binary(&installed).ok_or_else(|| {
        let said = String::from_utf8_lossy(&npm.stderr);
        format!("it is not installed, and npm cannot install it: {}", said.lines().last().unwrap_or_default())
    })
}

/// Returns the program of the package for this platform.
fn binary(installed: &Path) -> Option<PathBuf> {
    let packages = std::fs::read_dir(installed.join("node_modules/@restatedev")).ok()?;
    packages.filter_map(|package| Some(package.ok()?.path().join("bin/restate-server"))).find(|file| file.is_file())
}

fn start(program: &Path, target: &Path, identity: Option<&str>) -> Result<Server, String> {
    static SERVERS: AtomicUsize = AtomicUsize::new(0);
    let number = SERVERS.fetch_add(1, Ordering::Relaxed);
    let folder = target.join("tmp").join(format!("restate-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let key = folder.join("identity.pem");
    if let Some(pem) = identity {
        std::fs::write(&key, pem).map_err(|error| error.to_string())?;
    }
    let log = folder.with_extension("log");
    let [ingress, admin, fabric] = free_ports();
    let watch = Command::new("sh")
        .args(["-c", WATCH, "sh"])
        .arg(program)
        .args(["--bind-ip", "127.0.0.1", "--advertised-host", "127.0.0.1", "--listen-mode", "tcp"])
        .arg("--base-dir")
        .arg(&folder)
        .args(["--bind-port", &fabric.to_string()])
        .env("RESTATE_INGRESS__BIND_PORT", ingress.to_string())
        .env("RESTATE_ADMIN__BIND_PORT", admin.to_string())
        .envs(identity.map(|_| ("RESTATE_REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE", &key)))
        .envs([("DO_NOT_TRACK", "1"), ("RESTATE_DISABLE_TELEMETRY", "true")])
        .envs([("RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE", "256MB"), ("RESTATE_DEFAULT_NUM_PARTITIONS", "4")])
        // The server creates temporary folders, which remain when it is killed.
        .env("TMPDIR", &folder)
        .env("FOLDER", &folder)
        .env("LOG", &log)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let server = Server {
        ingress: format!("http://127.0.0.1:{ingress}"),
        admin: format!("http://127.0.0.1:{admin}"),
        _watch: watch,
    };
    let started = Instant::now();
    while !(is_healthy(ingress, "/restate/health") && is_healthy(admin, "/health")) {
        if started.elapsed() > PATIENCE {
            let said = std::fs::read_to_string(&log).unwrap_or_default();
            return Err(format!("{} does not start: {said}", program.display()));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(server)
}

fn is_healthy(port: u16, path: &str) -> bool {
    let request = format!("GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n");
    exchange(&format!("127.0.0.1:{port}"), &request).is_ok_and(|answer| answer.starts_with("HTTP/1.1 200"))
}

fn exchange(address: &str, request: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

/// Returns ports that are free now, and that no other call in this process returns.
///
/// Connections take their ports from 32768 and up on Linux and from 49152 elsewhere. A server that
/// is killed and started again needs its port a second time, so the ports are below.
///
/// # Panics
/// If none of the ports is free.
pub fn free_ports<const N: usize>() -> [u16; N] {
    const FIRST: usize = 12_000;
    const COUNT: usize = 20_000;
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    // Processes that run at the same time begin at different ports.
    let start = std::process::id() as usize * 97;
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    let mut ports = (0..COUNT)
        .map(|_| FIRST + (start + NEXT.fetch_add(1, Ordering::Relaxed)) % COUNT)
        .map(|port| u16::try_from(port).expect("a port below 32,000"))
        .filter(is_free);
    std::array::from_fn(|_| ports.next().expect("a free port"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_free_and_outside_of_those_of_connections() {
        let ports: [u16; 50] = free_ports();
        assert!(ports.iter().all(|port| (12_000..32_000).contains(port)), "{ports:?}");
        let bound: Vec<TcpListener> = ports.map(|port| TcpListener::bind(("127.0.0.1", port)).expect("free")).into();
        let more: [u16; 50] = free_ports();
        assert!(more.iter().all(|port| !ports.contains(port)), "{more:?}");
        drop(bound);
    }
}
