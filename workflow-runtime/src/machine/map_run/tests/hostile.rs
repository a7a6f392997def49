//! Parts of runs that no run has stored.

use super::{Flow, PLAIN};
use crate::fault::Fault;
use crate::machine::call::Call;
use crate::machine::command::{CallId, FrameId};
use crate::machine::header::Header;
use crate::machine::map_run::failed::{ChildQueue, FailedChild, QueueChunk};
use crate::machine::map_run::items::Cursor;
use crate::machine::map_run::results::{Chunk, ResultSlot};
use crate::machine::map_run::saved::{Child, RunProgress, SavedResults};
use crate::machine::map_run::settings::MAX_CONCURRENCY;
use crate::machine::map_run::{MapCounts, MapRun};
use crate::machine::{Program, Start, Target, Workflow};
use crate::time::Timestamp;
use crate::value::Value;
use crate::value::codec::LoadError;

fn header() -> Header {
    let (mut header, _, _) = Start::new(Value::Null).into_parts(Flow::DEFINITION);
    header.last_op = 100;
    header
}

fn child(frame: u32, op: u64, number: u32) -> Child {
    let call = CallId { visit: u64::from(number) + 1, path: Box::default(), action: 0 };
    let issued = Timestamp::default();
    let call =
        Call { target: Target::Entry(0), input: Value::Null, detached: false, attempt: 1, call, issued, timeout: None };
    Child { frame: FrameId(frame), op, number, call }
}

fn load(progress: RunProgress, chunks: Vec<Chunk>, children: Vec<Child>) -> Result<MapRun, LoadError> {
    let program = Program::of::<Flow>();
    MapRun::restored(
        program,
        PLAIN,
        header(),
        Value::Null,
        progress,
        SavedResults { chunks, ..SavedResults::default() },
        children,
    )
}

fn results(numbers: &[u64]) -> Vec<Chunk> {
    vec![Chunk(numbers.iter().map(|number| (*number, ResultSlot::Output(Value::Null))).collect())]
}

fn of(next: u64) -> RunProgress {
    RunProgress { next, ..RunProgress::default() }
}

#[test]
fn counts_that_could_overflow_are_refused() {
    assert!(load(of(0), Vec::new(), Vec::new()).is_ok());
    let counts = MapCounts::default();
    for wrong in [
        RunProgress { counts: MapCounts { failed: u64::MAX, ..counts }, ..of(0) },
        RunProgress { counts: MapCounts { succeeded: u64::MAX, ..counts }, ..of(0) },
        RunProgress { counts: MapCounts { running: u64::MAX, ..counts }, ..of(0) },
        RunProgress { counts: MapCounts { pending: u64::MAX, ..counts }, ..of(0) },
        RunProgress { cursor: Cursor { index: u64::MAX, ..Cursor::default() }, ..of(0) },
        RunProgress { cursor: Cursor { skipped: u64::MAX, ..Cursor::default() }, ..of(0) },
        RunProgress { failing: Some(Fault::runtime("it")), counts: MapCounts { failed: u64::MAX, ..counts }, ..of(0) },
    ] {
        assert!(load(wrong, Vec::new(), Vec::new()).is_err());
    }
}

#[test]
fn a_number_that_is_there_twice_is_refused() {
    assert!(load(of(2), results(&[0, 1]), Vec::new()).is_ok());
    assert!(load(of(2), results(&[1, 1]), Vec::new()).is_err());
    assert!(load(of(2), results(&[0]), vec![child(1, 2, 0)]).is_err());
    assert!(load(of(2), Vec::new(), vec![child(1, 2, 0), child(2, 3, 1)]).is_ok());
    assert!(load(of(2), Vec::new(), vec![child(1, 2, 1), child(2, 3, 1)]).is_err());
}

/// Returns a queue of children of these numbers, as it is stored.
fn queue(numbers: &[u64]) -> Vec<QueueChunk> {
    let mut queue = ChildQueue::default();
    for number in numbers {
        queue.push(FailedChild { number: *number, attempt: 1, items: 1, input: Value::Null, refused: None });
    }
    queue.chunks()
}

#[test]
fn a_child_that_has_not_failed_is_not_started_again() {
    let load = |failed: &[u64], again: &[u64], terminates: bool| {
        let mut header = header();
        if terminates {
            header.terminate(Value::Null);
        }
        // The first and the last child run, the second one and the third one have results.
        let (failed, again) = (queue(failed), queue(again));
        let results = SavedResults { chunks: results(&[1, 2]), failed, again, ..SavedResults::default() };
        let children = vec![child(1, 2, 0), child(2, 3, 4)];
        MapRun::restored(Program::of::<Flow>(), PLAIN, header, Value::Null, of(5), results, children)
    };
    for (failed, again, terminates) in [(&[2, 1][..], &[3][..], false), (&[1], &[], true)] {
        assert!(load(failed, again, terminates).is_ok(), "{failed:?} {again:?}");
    }
    for (failed, again, terminates) in [
        (&[1, 1][..], &[3][..], false),
        // It runs, starts again anyway, has a number behind the last one, or has ended.
        (&[0], &[3], false),
        (&[3], &[3], false),
        (&[5], &[3], false),
        (&[], &[1], false),
        (&[], &[5], false),
        (&[3], &[], true),
    ] {
        assert!(load(failed, again, terminates).is_err(), "{failed:?} {again:?}");
    }
}

#[test]
fn a_frame_that_no_run_reaches_is_refused() {
    assert!(load(of(1), Vec::new(), vec![child(19_999, 2, 0)]).is_ok());
    let mut header = header();
    header.last_op = 1 << 30;
    let children = vec![child((1 << 24) - 1, 2, 0)];
    let program = Program::of::<Flow>();
    let run = MapRun::restored(program, PLAIN, header, Value::Null, of(1), SavedResults::default(), children);
    assert!(run.is_err());
}

#[test]
fn a_run_that_terminates_has_no_more_places_than_children_that_ended() {
    let load = |next: u64, chunks: Vec<Chunk>, children: Vec<Child>| {
        let mut header = header();
        header.terminate(Value::Null);
        let results = SavedResults { chunks, ..SavedResults::default() };
        MapRun::restored(Program::of::<Flow>(), PLAIN, header, Value::Null, of(next), results, children)
    };
    let most = MAX_CONCURRENCY;
    assert!(load(most, Vec::new(), Vec::new()).is_ok());
    assert!(load(most + 2, results(&[most + 1]), vec![child(1, 2, 0)]).is_ok());
    for (next, chunks) in [
        (most + 1, Vec::new()),
        (most + 2, results(&[most + 1])),
        (u32::MAX.into(), Vec::new()),
        (u32::MAX.into(), results(&[4_000_000_000])),
    ] {
        assert!(load(next, chunks, Vec::new()).is_err(), "{next}");
    }
}
