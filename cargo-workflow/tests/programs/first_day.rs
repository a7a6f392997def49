//! The first day of a new user: the script `tests/first_day/first_day.sh`.

use super::common::{Folder, target};
use std::path::Path;
use std::process::Command;

#[cfg(unix)]
#[test]
#[ignore = "builds programs: run by `cargo xtask ci`"]
fn the_first_day_of_a_new_user() {
    let _building = super::building();
    let folder = Folder::new("first-day");
    let program = Path::new(env!("CARGO_BIN_EXE_cargo-workflow"));
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the checkout");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = program.parent().map(Path::to_owned).into_iter().chain(std::env::split_paths(&path));
    let mut command = Command::new("sh");
    command.arg(checkout.join("tests/first_day/first_day.sh")).arg(checkout).arg(&folder.0);
    command.env("PATH", std::env::join_paths(folders).expect("a path")).env("CARGO_TARGET_DIR", target());
    let done = folder.execute(command);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    assert_eq!(done.out.lines().filter(|line| line.starts_with("== ")).count(), 10, "{}", done.out);
}
