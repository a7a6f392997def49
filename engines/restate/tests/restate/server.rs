//! A Restate server for the tests: found or installed, on loopback, with ports and a folder of its own.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The package that brings the server.
const PACKAGE: &str = "@restatedev/restate-server@1.7.12";

/// How long the server may take to start.
const PATIENCE: Duration = Duration::from_secs(60);

/// Starts the server, and ends it when the standard input does: that is when this process is gone, however it ended.
const WATCH: &str = r#""$@" >"$LOG" 2>&1 & server=$!; cat; kill -9 $server; wait $server; rm -rf "$FOLDER" "$LOG""#;

/// A Restate server that runs.
pub struct Server {
    pub ingress: String,
    pub admin: String,
    /// The public key of the requests it sends.
    #[cfg_attr(not(feature = "identity"), expect(dead_code, reason = "nobody checks then"))]
    pub identity: String,
    /// Its end ends the server.
    _watch: Child,
}

impl Server {
    /// What the server answers to a question in SQL.
    pub fn query(&self, sql: &str) -> String {
        let address = self.admin.trim_start_matches("http://");
        let body = format!("{{\"query\":\"{sql}\"}}");
        let request = format!(
            "POST /query HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\naccept: application/json\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        exchange(address, &request).expect("an answer")
    }
}

/// The server of this test run; none where there cannot be one, which is said.
pub fn server() -> Option<&'static Server> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    let server = SERVER.get_or_init(|| match find().and_then(|program| start(&program)) {
        Ok(server) => Some(server),
        Err(problem) => {
            let required = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
            if required("CI") || required("WORKFLOW_REQUIRE_RESTATE") {
                panic!("no Restate server: {problem}");
            }
            // Not through `eprintln!`: the test runner keeps that for itself where nothing fails.
            let _unseen = writeln!(std::io::stderr(), "skipped: no Restate server: {problem}");
            None
        }
    });
    server.as_ref()
}

/// The program: named, in the path, installed before, or installed now.
fn find() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("RESTATE_SERVER") {
        let named = PathBuf::from(named);
        return if named.is_file() { Ok(named) } else { Err(format!("there is no {}", named.display())) };
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let in_path = std::env::split_paths(&path).map(|folder| folder.join("restate-server"));
    let installed = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target folder").join("restate");
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

/// The program of the package for this platform.
fn binary(installed: &Path) -> Option<PathBuf> {
    let packages = std::fs::read_dir(installed.join("node_modules/@restatedev")).ok()?;
    packages.filter_map(|package| Some(package.ok()?.path().join("bin/restate-server"))).find(|file| file.is_file())
}

fn start(program: &Path) -> Result<Server, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("restate-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let (pem, identity) = key_pair();
    let key = folder.join("identity.pem");
    std::fs::write(&key, pem).map_err(|error| error.to_string())?;
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
        .env("RESTATE_REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE", &key)
        .envs([("DO_NOT_TRACK", "1"), ("RESTATE_DISABLE_TELEMETRY", "true")])
        .envs([("RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE", "256MB"), ("RESTATE_DEFAULT_NUM_PARTITIONS", "4")])
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
        identity,
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
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

/// Ports that nobody listens at now.
fn free_ports<const N: usize>() -> [u16; N] {
    let listeners = [(); N].map(|()| TcpListener::bind("127.0.0.1:0").expect("a free port"));
    listeners.map(|listener| listener.local_addr().expect("a port").port())
}

/// A key pair for request identity: the private key in a PEM file, the public one as Restate writes it.
pub fn key_pair() -> (String, String) {
    use ring::signature::KeyPair;
    let random = ring::rand::SystemRandom::new();
    let mut seed = [0; 32];
    ring::rand::SecureRandom::fill(&random, &mut seed).expect("random numbers");
    let pair = ring::signature::Ed25519KeyPair::from_seed_unchecked(&seed).expect("a key pair");
    // PKCS #8 (RFC 8410): a version, the algorithm, and the seed.
    let mut der = vec![0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];
    der.extend_from_slice(&seed);
    let pem = format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", base64(&der));
    (pem, format!("publickeyv1_{}", bs58::encode(pair.public_key().as_ref()).into_string()))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    assert!(bytes.len().is_multiple_of(3), "nothing to be filled up");
    let digits = bytes.chunks(3).flat_map(|chunk| {
        let bits = u32::from_be_bytes([0, chunk[0], chunk[1], chunk[2]]);
        [18, 12, 6, 0].map(|shift| char::from(DIGITS[(bits >> shift) as usize & 63]))
    });
    digits.collect()
}
