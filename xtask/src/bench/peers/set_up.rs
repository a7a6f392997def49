//! The installation of the peers below the target folder, and the start of their processes.

use super::postgres::Postgres;
use super::process::Peer;
use crate::workspace::{cargo, read, root, succeed, write_if_changed};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folders of the peers.
pub struct SetUp {
    /// The files of the repository.
    sources: PathBuf,
    /// The definitions of the benchmarks.
    flows: PathBuf,
    /// Everything that is installed or built.
    target: PathBuf,
}

impl SetUp {
    /// Makes the target folder, with a folder for the messages of processes.
    pub fn new(target: PathBuf) -> Result<SetUp, String> {
        let logs = target.join("logs");
        std::fs::create_dir_all(&logs).map_err(|error| format!("cannot make {}: {error}", logs.display()))?;
        let target = target.canonicalize().map_err(|error| format!("cannot find {}: {error}", target.display()))?;
        let benchmarks = root().join("benchmarks");
        Ok(SetUp { sources: benchmarks.join("peers"), flows: benchmarks.join("flows"), target })
    }

    /// Starts the engines that run workflows in memory.
    pub fn in_memory(&self) -> Result<Vec<Peer>, String> {
        let input = self.sources.join("flows/input.json");
        let (ten, linear) = (self.flows.join("ten.asl.json"), self.flows.join("linear.asl.json"));
        let flows = self.sources.join("flows");
        self.build("Cargo.toml")?;
        let mut ours = self.program("memory");
        ours.arg(&input).arg(flows.join("linear.tasks.asl.json"));
        let mut peers = vec![self.start("this project", &mut ours)?];
        let both = |command: &mut Command| {
            command.arg(&input).arg("ten").arg(&ten).arg("linear").arg(&linear);
        };
        match self.node() {
            Ok(folder) => {
                let mut command = Command::new("node");
                both(command.arg("flows.mjs").current_dir(folder));
                peers.push(self.start("aws-local-stepfunctions", &mut command)?);
            }
            Err(why) => skip("aws-local-stepfunctions", &why, "Node.js 20 or newer, with npm"),
        }
        match self.python() {
            Ok(python) => {
                let mut command = self.script(&python, "sfnx_flows.py");
                command.arg(&input).arg("ten").arg(flows.join("ten.jsonata.asl.json"));
                peers.push(self.start("sfnx", &mut command)?);
                let mut command = self.script(&python, "moto_flows.py");
                both(&mut command);
                peers.push(self.start("moto", &mut command)?);
            }
            Err(why) => skip("sfnx and moto", &why, "Python 3.11 or newer, with venv and pip"),
        }
        Ok(peers)
    }

    /// Starts the engines that keep executions, and the database server that one of them uses.
    pub fn durable(&self) -> Result<(Option<Postgres>, Vec<Peer>), String> {
        let folder = self.target.join("databases");
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(|error| format!("cannot empty {}: {error}", folder.display()))?;
        }
        std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        let mut peers = vec![self.start("this project", self.program("durable").arg(&folder))?];
        match self.build("duroxide/Cargo.toml") {
            Ok(()) => peers.push(self.start("duroxide", self.program("workflow-peers-duroxide").arg(&folder))?),
            Err(why) => skip("duroxide", &why, "a C compiler, and the crates that its lock file names"),
        }
        let python = match self.python() {
            Ok(python) => python,
            Err(why) => {
                skip("DBOS", &why, "Python 3.11 or newer, with venv and pip");
                return Ok((None, peers));
            }
        };
        let mut command = self.script(&python, "dbos_steps.py");
        command.arg("dbos-sqlite").arg(format!("sqlite:///{}/dbos.db", folder.display()));
        peers.push(self.start("DBOS on SQLite", &mut command)?);
        match Postgres::start() {
            Ok(server) => {
                let mut command = self.script(&python, "dbos_steps.py");
                peers.push(self.start("DBOS on PostgreSQL", command.arg("dbos-postgres").arg(server.address()))?);
                Ok((Some(server), peers))
            }
            Err(why) => {
                skip("DBOS on PostgreSQL", &why, "Debian's package postgresql");
                Ok((None, peers))
            }
        }
    }

    /// Starts the process of a peer.
    fn start(&self, name: &str, command: &mut Command) -> Result<Peer, String> {
        Peer::start(name, command, &self.target.join("logs"))
    }

    /// Builds the programs of a manifest. Without `--locked`: the lock file also has the
    /// dependencies of this project, which change more often than the peers.
    fn build(&self, manifest: &str) -> Result<(), String> {
        let mut command = cargo(["build", "--release", "--quiet", "--manifest-path"]);
        command.arg(self.sources.join(manifest)).env("CARGO_TARGET_DIR", &self.target);
        succeed(&mut command, &format!("cargo build of {manifest}"))
    }

    fn program(&self, name: &str) -> Command {
        Command::new(self.target.join("release").join(name))
    }

    fn script(&self, python: &Path, name: &str) -> Command {
        let mut command = Command::new(python);
        // Without `-B`, Python writes its compiled files beside the sources.
        command.arg("-B").arg(self.sources.join("python").join(name)).current_dir(&self.target);
        command
    }

    /// Installs the packages of npm, and returns their folder.
    fn node(&self) -> Result<PathBuf, String> {
        let (sources, folder) = (self.sources.join("node"), self.target.join("node"));
        for name in ["package.json", "package-lock.json", ".npmrc", "flows.mjs"] {
            write_if_changed(&folder.join(name), &read(&sources.join(name))?)?;
        }
        self.once("node", &read(&sources.join("package-lock.json"))?, || {
            let mut install = Command::new("npm");
            install.args(["ci", "--no-audit", "--no-fund"]).current_dir(&folder).stdout(Stdio::null());
            succeed(&mut install, "npm ci")
        })?;
        Ok(folder)
    }

    /// Installs the packages of Python, and returns the path of the interpreter.
    fn python(&self) -> Result<PathBuf, String> {
        let (folder, list) = (self.target.join("python"), self.sources.join("python/requirements.txt"));
        let python = folder.join("bin/python");
        self.once("python", &read(&list)?, || {
            succeed(Command::new("python3").args(["-m", "venv"]).arg(&folder), "python3 -m venv")?;
            let mut install = Command::new(&python);
            install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]);
            succeed(install.arg(&list), "pip install")
        })?;
        Ok(python)
    }

    /// Installs something unless it was already installed from the same list.
    fn once(&self, name: &str, list: &str, install: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
        let mark = self.target.join(format!("{name}.installed"));
        if std::fs::read_to_string(&mark).is_ok_and(|installed| installed == list) {
            return Ok(());
        }
        install()?;
        write_if_changed(&mark, list)
    }
}

/// Says that a peer is skipped, and what it needs.
fn skip(peer: &str, why: &str, needs: &str) {
    eprintln!("peers: {peer} is skipped: {why}\npeers:   install {needs}, and run the command again");
}
