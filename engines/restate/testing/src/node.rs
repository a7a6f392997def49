//! Servers that can be killed and started again, alone or as the nodes of a cluster.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{PATIENCE, exchange, free_ports, is_healthy};

/// How many partitions there are: each has a node that leads, and keeps as many of the keys' hashes as the others.
pub const PARTITIONS: u64 = 4;

/// A Restate server with a folder and ports that it keeps. It is killed, and its folder removed, when this is dropped.
pub struct Node {
    program: PathBuf,
    name: String,
    folder: PathBuf,
    ingress: u16,
    admin: u16,
    fabric: u16,
    /// Where the configuration of the cluster is, if it is part of one.
    cluster: Option<PathBuf>,
    first: bool,
    child: Option<Child>,
}

impl Node {
    /// A server of its own, which is not started yet. Its data is below `folder`.
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

    /// Servers that hold everything twice, none of which is started yet.
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

    /// The address of its ingress.
    pub fn ingress(&self) -> String {
        format!("http://127.0.0.1:{}", self.ingress)
    }

    /// The address of its admin interface.
    pub fn admin(&self) -> String {
        format!("http://127.0.0.1:{}", self.admin)
    }

    /// Starts it, or starts it again with what it has stored. It need not answer yet.
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
            // It makes temporary folders, and leaves them when it is killed.
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

    /// Waits until it answers.
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

    /// What it answers to a question in SQL: JSON.
    pub fn query(&self, sql: &str) -> std::io::Result<String> {
        let body = format!("{{\"query\":\"{sql}\"}}");
        // An earlier version of HTTP, so that the answer comes in one piece.
        let request = format!(
            "POST /query HTTP/1.0\r\naccept: application/json\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        let answer = exchange(&format!("127.0.0.1:{}", self.admin), &request)?;
        Ok(answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
    }

    /// What it has logged, a line of JSON each.
    pub fn log(&self) -> std::io::Result<String> {
        std::fs::read_to_string(self.folder.join("server.log"))
    }

    /// Whether it was started and not killed.
    pub fn is_started(&self) -> bool {
        self.child.is_some()
    }

    /// Kills it. Nothing asks it before.
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
