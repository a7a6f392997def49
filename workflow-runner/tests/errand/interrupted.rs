//! The messages of a `run` that a signal ends.

use crate::program::Place;

const WORK: &str = r#"{"do": "work"}"#;

pub fn an_interrupted_run_names_what_it_has_cut_off() {
    let place = Place::new("shell-interrupted-run");
    let mut run = place.begin(&["run", "--task", "Work=sleep 1000", "--input", WORK]);
    run.line("Work: task Work");
    run.signal("INT");
    let expected = "the execution was interrupted during the task `Work` of the state `Work`\n\
                    an execution in memory cannot be resumed: with `--db FILE --id ID`, the next run resumes it\n";
    assert_eq!(run.end(), (130, String::new(), expected.to_owned()));

    let place = Place::new("interrupted");
    let mut run = place.begin(&["run", "--memory", "--input", WORK]);
    run.line("Work: task Work");
    run.signal("TERM");
    let expected = "the execution was interrupted during the task `Work` of the state `Work`\n\
                    an execution in memory cannot be resumed: without `--memory`, `run --id ID` resumes it\n";
    assert_eq!(run.end(), (130, String::new(), expected.to_owned()));
    let mut run = place.begin(&["run", "--id", "one", "--input", WORK]);
    run.line("Work: task Work");
    run.signal("TERM");
    // The second signal ends the wait for the task.
    std::thread::sleep(std::time::Duration::from_millis(500));
    run.signal("TERM");
    let (status, _, error) = run.end();
    assert_eq!(status, 130);
    let expected = "a resumed execution repeats what had not ended: the task `Work` of the state `Work`\n";
    assert!(error.ends_with(expected), "{error}");
}
