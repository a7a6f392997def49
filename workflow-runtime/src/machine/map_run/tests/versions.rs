//! Runs of another version of the definition.

use super::{Flow, PLAIN, READ, Reload, Run, Selector};
use crate::machine::definition::{Definition, DistributedMap};
use crate::machine::{Program, Workflow};
use crate::value;

/// The workflow with another Map before the first.
struct Moved;

impl Workflow for Moved {
    type State = Selector;
    const DEFINITION: &'static Definition = &Definition {
        name: "flow",
        dialect: "asl",
        source: "flow.asl.json",
        states: Flow::DEFINITION.states,
        maps: &[DistributedMap::new("Other", "other", 0), DistributedMap::new("Each", "each", 0)],
        ..Definition::VERSION_0_1_0
    };
}

#[test]
fn a_run_continues_only_with_its_own_map() {
    for (map, problem) in [
        (PLAIN, "the workflow has no distributed Map 0 with the label `each`"),
        (READ, "the workflow has no distributed Map 2 with the label `read`"),
    ] {
        let settings = value!({ "items": [1, 2], "config": { "InputType": "JSON" }, "reader": {} });
        let mut run = Run::begin(map, settings, Reload::Never);
        let snapshot = run.run.save();
        run.run.changes().apply(&mut run.rows);
        let rows: Vec<_> = run.rows.iter().map(|(row, bytes)| (*row, bytes.clone())).collect();
        let [old, new] = [Program::of::<Flow>(), Program::of::<Moved>()];
        assert!(old.load(&snapshot).is_ok() && old.restore(&rows).is_ok());
        for refused in [new.load(&snapshot).err(), new.restore(&rows).err()] {
            let refused = refused.map(|error| error.to_string()).unwrap_or_default();
            assert!(refused.contains(problem), "{refused}");
        }
    }
}
