//! Servers that can be killed and started again, alone or as nodes of a cluster.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{PATIENCE, exchange, free_ports, is_healthy};

/// Number of partitions. Each has a leading node, and an equal share of the keys' hashes.
pub const PARTITIONS: u64 = 4;

/// Restate server with a folder and ports of its own. It is killed, and its folder removed, on
/// drop.
pub struct Node {
    program: PathBuf,
    name: String,
    folder: PathBuf,
    ingress: u16,
    admin: u16,
    fabric: u16,
    /// Path of the cluster configuration, if it is part of a cluster.
    cluster: Option<PathBuf>,
    first: bool,
    child: Option<Child>,
}

impl Node {
    /// Returns a single server, which is not started yet, with its data below `folder`.
    pub fn single(program: &Path, folder: &Path) -> Node {
        let [ingress, admin, fabric] = free_ports();
        let (program, folder) = (program.to_owned(), folder.join("node-1"));
        Node {
            program,
            name: "node-1".to_owned(),
            folder,
            ingress,
            admin,
            fabric,
            cluster: None,
            first: true,
            child: None,
        }
    }

    /// Returns the nodes of a cluster that stores everything twice. None is started yet.
    pub fn cluster(program: &Path, folder: &Path, nodes: usize) -> std::io::Result<Vec<Node>> {
        std::fs::create_dir_all(folder)?;
        let ports: Vec<[u16; 3]> = (0..nodes).map(|_| free_ports()).collect();
        let addresses: Vec<String> = ports.iter().map(|ports| format!("\"http://127.0.0.1:{}\"", ports[2])).collect();
        let config = folder.join("cluster.toml");
        let text = format!(
            "cluster-name = \"test\"\ndefault-replication = 2\n\n[metadata-client]\naddresses = [{}]\n",
            addresses.join(", ")
        );
        std::fs::write(&config, text)?;
        let node = |(at, [ingress, admin, fabric]): (usize, [u16; 3])| {
            let name = format!("node-{}", at + 1);
            let folder = folder.join(&name);
            let (program, cluster) = (program.to_owned(), Some(config.clone()));
            Node { program, name, folder, ingress, admin, fabric, cluster, first: at == 0, child: None }
        };
        Ok(ports.into_iter().enumerate().map(node).collect())
    }

    /// Returns the address of its ingress.
    pub fn ingress(&self) -> String {
        format!("http://127.0.0.1:{}", self.ingress)
    }

    /// Returns the address of its admin interface.
    pub fn admin(&self) -> String {
        format!("http://127.0.0.1:{}", self.admin)
    }

    /// Starts the server, with what it has stored. It need not answer yet.
    pub fn start(&mut self) -> std::io::Result<()> {
        std::fs::create_dir_all(&self.folder)?;
        let log = std::fs::OpenOptions::new().create(true).append(true).open(self.folder.join("server.log"))?;
        let mut command = Command::new(&self.program);
        command
            .args(["--bind-ip", "127.0.0.1", "--advertised-host", "127.0.0.1", "--listen-mode", "tcp"])
            .args(["--node-name", &self.name, "--bind-port", &self.fabric.to_string()])
            .arg("--base-dir")
            .arg(&self.folder)
            .env("RESTATE_INGRESS__BIND_PORT", self.ingress.to_string())
            .env("RESTATE_ADMIN__BIND_PORT", self.admin.to_string())
            .envs([("DO_NOT_TRACK", "1"), ("RESTATE_DISABLE_TELEMETRY", "true")])
            .env("RESTATE_DEFAULT_NUM_PARTITIONS", PARTITIONS.to_string())
            .envs([("RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE", "256MB"), ("RESTATE_LOG_FORMAT", "json")])
            // The server creates temporary folders, which remain when it is killed.
            .env("TMPDIR", &self.folder)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log);
        if let Some(config) = &self.cluster {
            command.arg("--config-file").arg(config).args(["--auto-provision", &self.first.to_string()]);
        }
        self.child = Some(command.spawn()?);
        Ok(())
    }

    /// Waits until the server answers.
    pub fn wait(&mut self) -> Result<(), String> {
        let started = Instant::now();
        while !(is_healthy(self.ingress, "/restate/health") && is_healthy(self.admin, "/health")) {
            let ended = self.child.as_mut().is_none_or(|child| child.try_wait().is_ok_and(|status| status.is_some()));
            if ended || started.elapsed() > PATIENCE {
                let log = std::fs::read_to_string(self.folder.join("server.log")).unwrap_or_default();
                let last: Vec<&str> = log.lines().rev().take(5).collect();
                return Err(format!("{} does not answer: {}", self.name, last.join("\n")));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Returns the answer to a query in SQL, as JSON.
    pub fn query(&self, sql: &str) -> std::io::Result<String> {
        let body = format!("{{\"query\":\"{sql}\"}}");
        // HTTP/1.0, so that the answer is not chunked.
        let request = format!(
            "POST /query HTTP/1.0\r\naccept: application/json\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        let answer = exchange(&format!("127.0.0.1:{}", self.admin), &request)?;
        Ok(answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
    }

    /// Returns its log, lines of JSON.
    pub fn log(&self) -> std::io::Result<String> {
        std::fs::read_to_string(self.folder.join("server.log"))
    }

    /// Returns `true` if it was started and not killed.
    pub fn is_started(&self) -> bool {
        self.child.is_some()
    }

    /// Kills the server without a shutdown.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
