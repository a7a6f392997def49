//! Programs that run the workflows compiled into them, by the macro and by a build script, on
//! every engine.

#[path = "../../../workflow-runtime/tests/machines/errand.rs"]
mod errand;

use std::path::Path;
use std::sync::OnceLock;

use restate_testing::Server;

mod arguments;
mod divided;
mod embedded;
mod ends;
mod engines;
mod functions;
mod keys;
mod serverless;

/// Returns the Restate server of all tests. Without one, reports that and returns `None`, or
/// panics if `CI` or `WORKFLOW_REQUIRE_RESTATE` is set.
fn restate() -> Option<&'static Server> {
    static RESTATE: OnceLock<Option<Server>> = OnceLock::new();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target folder");
    RESTATE.get_or_init(|| restate_testing::server(target, None)).as_ref()
}
