//! Tests of the engine with real databases: processes crash, and others continue.

#[path = "../../../../workflow-runtime/tests/machines/errand.rs"]
mod errand;
#[path = "../../../../workflow-runtime/tests/machines/gather.rs"]
mod gather;
#[path = "../../../../workflow-runtime/tests/machines/maps.rs"]
mod maps;
#[path = "../../../../workflow-runtime/tests/machines/relay.rs"]
mod relay;

mod place;

mod bounds;
mod children;
mod corners;
mod correlation;
mod crashes;
mod detached;
mod ends;
mod engine;
mod event_triggers;
mod failures;
mod keys;
mod map_redrives;
mod map_run_changes;
mod map_runs;
mod moments;
mod upgrade;
