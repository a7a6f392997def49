//! `cargo xtask explore`: the exploration of the coordination core with its reference store, which
//! is a test of the runtime.

use crate::workspace::{WORKSPACE, cargo, succeed};

/// The depth of the exploration in `cargo xtask ci`, in actions. It takes about a minute.
pub const SHORT: &str = "14";

/// Explores every interleaving of the configurations, up to `--depth N` actions, and prints the
/// numbers of states and schedules. Without the option the exploration is complete.
///
/// # Errors
/// An argument is unknown, or a schedule breaks an invariant. It is printed with a test that
/// replays it.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let depth = match arguments {
        [] => usize::MAX.to_string(),
        [option, depth] if option == "--depth" && depth.parse::<usize>().is_ok() => depth.clone(),
        _ => return Err("usage: cargo xtask explore [--depth N]".to_owned()),
    };
    let mut test = cargo(["test", "--test", "explore"]);
    match arguments {
        // A complete exploration takes minutes, so that it pays to optimize the dependencies too.
        [] => test.args(["--release", "--package", "workflow-runtime"]),
        // The dependencies are those of the other tests. Only the runtime and the test are
        // optimized.
        _ => test.args(WORKSPACE).args(["--config", "profile.dev.package.workflow-runtime.opt-level=3"]),
    };
    test.args(["no_schedule_breaks_an_invariant", "--", "--nocapture"]).env("EXPLORE_DEPTH", depth);
    succeed(&mut test, "the exploration")
}
