//! The engine with real databases: processes end in the midst of it, and others go on.

#[path = "../../../../workflow-runtime/tests/machines/errand.rs"]
mod errand;
#[path = "../../../../workflow-runtime/tests/machines/gather.rs"]
mod gather;
#[path = "../../../../workflow-runtime/tests/machines/relay.rs"]
mod relay;

mod place;

mod beyond;
mod bounds;
mod corners;
mod correlation;
mod crashes;
mod ends;
mod engine;
mod failures;
mod keys;
mod starting;
mod upgrade;
