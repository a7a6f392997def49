//! Changes of runs while they run.

use super::*;
use crate::machine::{InvalidMapUpdate, MapUpdate};

impl Run {
    pub(super) fn update(&mut self, update: MapUpdate) {
        self.run.apply(Timestamp::from_seconds(1_500), Occurrence::Updated(update));
        self.step();
    }
}

#[test]
fn a_higher_concurrency_starts_children_at_once_and_a_lower_one_lets_them_end() {
    for reload in RELOADS {
        let mut run = Run::begin(PLAIN, value!({ "items": numbers(9), "concurrency": 2 }), reload);
        assert_eq!(run.counts(), [7, 2, 0, 0]);
        run.update(MapUpdate::new().max_concurrency(5));
        assert_eq!(run.counts(), [4, 5, 0, 0], "{reload:?}");
        run.update(MapUpdate::new().max_concurrency(1));
        assert_eq!(run.counts(), [4, 5, 0, 0], "none of those that run is stopped");
        for running in [4, 3, 2, 1, 1] {
            run.child(0, Ok(1.into()));
            assert_eq!(run.counts()[1], running, "{reload:?}");
        }
        run.update(MapUpdate::new().max_concurrency(0));
        assert_eq!(run.counts(), [0, 4, 5, 0], "0 is the largest number there is");
        run.update(MapUpdate::new().tolerated_failure_count(1));
        assert_eq!(run.counts(), [0, 4, 5, 0]);
    }
}

#[test]
fn tolerated_failures_can_be_raised_and_lowered() {
    let failed = || Err(Fault::new("Spilled", "it"));
    for reload in RELOADS {
        let mut run = Run::begin(PLAIN, value!({ "items": numbers(20), "concurrency": 2 }), reload);
        run.update(MapUpdate::new().tolerated_failure_count(3));
        for count in 1..=3 {
            run.child(0, failed());
            assert_eq!((run.result(), run.counts()[3]), (None, count), "{reload:?}");
        }
        run.update(MapUpdate::new().tolerated_failure_count(0).tolerated_failure_percentage(15.0));
        assert_eq!(run.result(), None, "3 of 20 are 15 percent");
        run.update(MapUpdate::new().tolerated_failure_percentage(14.9));
        assert_eq!(run.result(), exceeded(), "{reload:?}");
    }
}

#[test]
fn an_execution_that_is_no_map_run_declines_an_update() {
    let mut child = Program::of::<Flow>().start(Start::new(value!({})));
    let delivery = child.apply(Timestamp::from_seconds(1), Occurrence::Updated(MapUpdate::new().max_concurrency(1)));
    assert_eq!(delivery, crate::machine::Delivery::Declined);
}

#[test]
fn numbers_out_of_range_are_refused() {
    let check = |update: Value| MapUpdate::from_value(&update).map(MapUpdate::to_value);
    for valid in [
        value!({ "MaxConcurrency": 0 }),
        value!({ "MaxConcurrency": 10_000, "ToleratedFailureCount": 0 }),
        value!({ "ToleratedFailurePercentage": 0.5 }),
    ] {
        assert_eq!(check(valid.clone()), Ok(valid));
    }
    for (update, expected) in [
        (value!({}), InvalidMapUpdate::Empty),
        (value!({ "MaxConcurrency": 10_001 }), InvalidMapUpdate::Concurrency(10_001)),
        (value!({ "MaxConcurrency": -1 }), InvalidMapUpdate::Fields),
        (value!({ "MaxConcurrency": "5" }), InvalidMapUpdate::Fields),
        (value!({ "ToleratedFailureCount": 1.5 }), InvalidMapUpdate::Fields),
        (value!({ "ToleratedFailureCount": i64::MAX }), InvalidMapUpdate::Count(i64::MAX as u64)),
        (value!({ "ToleratedFailurePercentage": 100.1 }), InvalidMapUpdate::Percentage(100.1)),
        (value!({ "ToleratedFailurePercentage": (-1) }), InvalidMapUpdate::Percentage(-1.0)),
        (value!({ "Concurrency": 1 }), InvalidMapUpdate::Fields),
        (value!([1]), InvalidMapUpdate::Fields),
    ] {
        assert_eq!(check(update.clone()), Err(expected), "{update}");
    }
    let no_number = MapUpdate::new().tolerated_failure_percentage(f64::NAN).check();
    assert!(matches!(no_number, Err(InvalidMapUpdate::Percentage(_))));
}
