//! The commands of the page "Ask a person": a script runs them against the program.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn a_person_answers_over_http() {
    let program = Path::new(env!("CARGO_BIN_EXE_approval"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("person-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut server = Command::new(program);
    let server = server.args(["serve", "--listen", "127.0.0.1:0"]).current_dir(&folder).stderr(Stdio::piped());
    let mut server = server.spawn().expect("the server starts");
    let mut lines = BufReader::new(server.stderr.take().expect("standard error")).lines().map_while(Result::ok);
    let serving = lines.find(|line| line.starts_with("serving ")).expect("an address");
    let address = serving.rsplit(" on ").next().expect("an address").to_owned();
    // The server must not wait for a reader of its log.
    let log = std::thread::spawn(move || lines.collect::<Vec<_>>().join("\n"));

    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = program.parent().map(Path::to_owned).into_iter().chain(std::env::split_paths(&path));
    let script = Command::new("sh")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/person.sh"))
        .current_dir(&folder)
        .env("PATH", std::env::join_paths(folders).expect("a path"))
        .env("SERVER", address)
        .output()
        .expect("sh runs");
    server.kill().expect("the server is killed");
    server.wait().expect("the server has ended");
    let log = log.join().expect("the log");
    let _ = std::fs::remove_dir_all(&folder);

    let printed = String::from_utf8_lossy(&script.stdout);
    assert!(script.status.success(), "{printed}\n{}\n{log}", String::from_utf8_lossy(&script.stderr));
    for expected in [r#""state":"AskManager""#, r#""status":"succeeded""#, r#""outcome":"approved""#] {
        assert!(printed.contains(expected), "no {expected} in {printed}");
    }
    // The second answer is refused.
    assert!(printed.ends_with("404\n"), "{printed}");
}
