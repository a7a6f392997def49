//! A PostgreSQL server for one run, which only local sockets reach.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder in which Debian has a folder of programs for each version.
const VERSIONS: &str = "/usr/lib/postgresql";

/// The user who runs the server if the bench runs as root: PostgreSQL refuses to run as root.
const USER: &str = "postgres";

/// A running server. Dropping it stops the server and removes its data.
pub struct Postgres {
    programs: PathBuf,
    folder: PathBuf,
}

impl Postgres {
    /// Starts a server with an empty database and the defaults for durability.
    pub fn start() -> Result<Postgres, String> {
        let programs = programs().ok_or_else(|| format!("there is no initdb in {VERSIONS}"))?;
        // The path of a socket must be short, and the user of the server must reach it.
        let folder = std::env::temp_dir().join(format!("peers-postgres-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        let server = Postgres { programs, folder };
        if is_root() {
            run(Command::new("chown").arg(USER).arg(&server.folder), "chown")?;
        }
        let data = server.folder.join("data");
        let mut make = server.program("initdb");
        make.args(["--auth", "trust", "--username", USER, "--encoding", "UTF8", "--pgdata"]).arg(&data);
        run(&mut make, "initdb")?;
        let sockets = format!("-k {} -c listen_addresses= -c max_connections=200", server.folder.display());
        let mut start = server.program("pg_ctl");
        start.args(["start", "--wait", "--options", &sockets, "--log"]).arg(server.folder.join("log"));
        run(start.arg("--pgdata").arg(&data), "pg_ctl start")?;
        Ok(server)
    }

    /// Returns the address of a database on the server.
    pub fn address(&self) -> String {
        format!("postgresql://{USER}@/peers?host={}", self.folder.display())
    }

    fn program(&self, name: &str) -> Command {
        let path = self.programs.join(name);
        let mut command = match is_root() {
            true => {
                let mut command = Command::new("runuser");
                command.args(["-u", USER, "--"]).arg(path);
                command
            }
            false => Command::new(path),
        };
        command.current_dir(&self.folder);
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let mut stop = self.program("pg_ctl");
        stop.args(["stop", "--mode", "immediate", "--pgdata"]).arg(self.folder.join("data"));
        if let Err(error) = run(&mut stop, "pg_ctl stop") {
            eprintln!("peers: {error}");
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Returns the folder with the programs of the newest version.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir(VERSIONS).ok()?.flatten();
    let named = versions.filter_map(|version| Some((version.file_name().to_str()?.parse::<u32>().ok()?, version)));
    let programs = named.map(|(number, version)| (number, version.path().join("bin")));
    programs.filter(|(_, folder)| folder.join("initdb").exists()).max().map(|(_, folder)| folder)
}

/// Returns `true` if this process runs as root. Works on Linux only, as Debian does.
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    Path::new("/proc/self").metadata().is_ok_and(|this| this.uid() == 0)
}

fn run(command: &mut Command, name: &str) -> Result<(), String> {
    // The server inherits the pipes of `pg_ctl`, so that waiting for their end would not return.
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name} failed: {status}")),
        Err(error) => Err(format!("cannot start {name}: {error}")),
    }
}
