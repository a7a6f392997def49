//! Programs that run what was compiled into them: by the macro and by a build script, on every engine.

#[path = "../../../workflow-runtime/tests/machines/errand.rs"]
mod errand;

mod divided;
mod embedded;
mod engines;
mod functions;
mod keys;
mod serverless;
