//! Checks of the effects of a process that was killed again and again.
//!
//! Each line of the file of effects is one of these:
//!
//! - `open`: a run of the process begins, or a server was killed. `open PROCESS`: this one of
//!   several processes was killed, or a run of it begins.
//! - `new ID`, `ack ID`: an execution is submitted; the submission was acknowledged.
//! - `sent ID`: all events of an execution that events start were acknowledged.
//! - `begin KEY ATTEMPT TIME KEY,… PROCESS`: a call of a task begins. Its input holds the outputs
//!   of the calls with the last keys. PROCESS is there if there are several.
//! - `answered KEY`: the outcome of a call was delivered, and the delivery was acknowledged.
//! - `result ID right …`, `result ID wrong …`: an execution has ended.
//! - `ended ID`: the engine has reported the end of a child execution to a client.
//! - `rows …`: another check reads it.
//!
//! A call has completed once another call begins with its output, its next attempt begins, its
//! outcome was acknowledged, or its execution has ended. A completed call must not begin again. A
//! call that was running when its process or a server was killed begins again. So does a call
//! whose partition got a new leader, because the former leader may have lost its output. Both are
//! counted.

use std::collections::BTreeMap;

use super::elections::Elections;

/// The largest number of violations that a report names.
const NAMED: usize = 20;

/// The workflows of the mixed workload.
pub const MIXED: [&str; 8] = ["sequence", "fan", "each", "ask", "rounds", "bank", "deal", "gate"];

/// The workflow of the workload of distributed Maps.
pub const MAP: [&str; 1] = ["rows"];

/// The result of the check.
#[derive(Debug, Default, PartialEq)]
pub struct Effects {
    /// The broken guarantees.
    pub violations: Vec<String>,
    /// The numbers of calls that have begun, by workflow.
    by_workflow: BTreeMap<String, u64>,
    runs: u64,
    begun: u64,
    calls: u64,
    /// Calls that were running when their process or a server was killed, and began again.
    repeated: u64,
    /// Calls that were running when another node became leader, and began again.
    moved: u64,
    acknowledged: u64,
    ended: u64,
    /// Child executions whose ends were reported.
    children: u64,
}

/// A call of a task.
#[derive(Debug, Default)]
struct Call<'a> {
    /// The last attempt that has completed.
    completed: u64,
    /// The last attempt that has begun, and its process.
    begun: (u64, &'a str),
    /// The run of its process in which it began.
    run: u64,
    /// The time at which it began, in microseconds.
    at: u64,
}

#[derive(Debug, Default)]
struct Execution {
    made: bool,
    acknowledged: bool,
    right: bool,
    ended: bool,
    /// It was started by another one, and there is no verdict about its outcome.
    is_child: bool,
}

struct Check<'a> {
    elections: &'a Elections,
    found: Effects,
    calls: BTreeMap<&'a str, Call<'a>>,
    /// The numbers of runs of one process, apart from those of all.
    runs: BTreeMap<&'a str, u64>,
    /// The number of runs of all processes.
    runs_of_all: u64,
    executions: BTreeMap<&'a str, Execution>,
}

impl Effects {
    /// Checks the lines of a file of effects. In a cluster, one server may replace another one at
    /// any time.
    pub fn check(text: &str, elections: &Elections) -> Effects {
        let (found, calls, executions, runs) = Default::default();
        let mut check = Check { elections, found, calls, runs, runs_of_all: 0, executions };
        for (line, number) in text.lines().zip(1..) {
            if let Err(problem) = check.line(line) {
                check.found.violations.push(format!("line {number}: {problem}: {line}"));
            }
        }
        let Check { mut found, calls, executions, .. } = check;
        for (id, execution) in &executions {
            if execution.is_child {
                found.children += 1;
                continue;
            }
            found.acknowledged += u64::from(execution.acknowledged);
            found.ended += u64::from(execution.ended);
            if !execution.right {
                found.violations.push(format!("the execution {id} did not end correctly"));
            }
        }
        found.calls = calls.len() as u64;
        found
    }

    /// Adds a violation for each of these workflows without a task that has begun.
    pub fn require_all(&mut self, workflows: &[&str]) {
        for workflow in workflows {
            if !self.by_workflow.contains_key(*workflow) {
                self.violations.push(format!("no execution of `{workflow}` has called a task"));
            }
        }
    }

    /// Returns the counts in one line.
    pub fn summary(&self) -> String {
        let Effects { runs, begun, calls, repeated, moved, acknowledged, ended, children, .. } = self;
        let children = match children {
            0 => String::new(),
            children => format!(" and {children} children"),
        };
        format!(
            "{runs} runs; {acknowledged} executions acknowledged, {ended}{children} ended; {calls} task calls, started {begun} \
             times, {repeated} of them repeated because the process or a server was killed meanwhile, and {moved} because another node \
             became the leader"
        )
    }

    /// Fails with the violations, if there are any.
    pub fn verdict(self) -> Result<(), String> {
        if self.violations.is_empty() {
            println!("  no violations");
            return Ok(());
        }
        let total = self.violations.len();
        let named: Vec<String> = self.violations.into_iter().take(NAMED).collect();
        Err(format!("crash: {total} violations\n  {}", named.join("\n  ")))
    }
}

impl<'a> Check<'a> {
    fn line(&mut self, line: &'a str) -> Result<(), &'static str> {
        let words: Vec<&str> = line.splitn(6, ' ').collect();
        match words[..] {
            ["open"] => {
                self.found.runs += 1;
                self.runs_of_all += 1;
            }
            ["open", process] => {
                self.found.runs += 1;
                *self.runs.entry(process).or_default() += 1;
            }
            ["new", id] => {
                let execution = self.executions.entry(id).or_default();
                if execution.acknowledged || std::mem::replace(&mut execution.made, true) {
                    return Err("it was lost, and made again");
                }
            }
            ["ack", id] => self.executions.entry(id).or_default().acknowledged = true,
            ["sent", _] => {}
            ["begin", key, attempt, at, after, ref process @ ..] => {
                let number = |word: &str| word.parse().unwrap_or_default();
                let process = process.first().copied().unwrap_or_default();
                return self.begin(key, number(attempt), number(at), after, process);
            }
            ["answered", key] => self.complete(key),
            ["rows", ..] => {}
            ["ended", id] => {
                let child = self.executions.entry(id).or_default();
                (child.ended, child.is_child) = (true, true);
            }
            ["result", id, "right", ..] => {
                let execution = self.executions.entry(id).or_default();
                (execution.right, execution.ended) = (true, true);
            }
            ["result", id, "wrong", ..] => {
                self.executions.entry(id).or_default().ended = true;
                return Err("the result is wrong");
            }
            _ => return Err("the line is not understood"),
        }
        Ok(())
    }

    /// Returns the number of runs of a process so far.
    fn runs(&self, process: &str) -> u64 {
        self.runs_of_all + self.runs.get(process).copied().unwrap_or_default()
    }

    fn begin(
        &mut self,
        key: &'a str,
        attempt: u64,
        at: u64,
        after: &'a str,
        process: &'a str,
    ) -> Result<(), &'static str> {
        self.found.begun += 1;
        let workflow = key.split('/').next().unwrap_or_default();
        *self.found.by_workflow.entry(workflow.to_owned()).or_default() += 1;
        after.split(',').for_each(|key| self.complete(key));
        let execution = key.split('/').nth(1).and_then(|id| self.executions.get(id));
        let ended = execution.is_some_and(|execution| execution.ended);
        let former = self.calls.get(key).map(|call| call.begun.1);
        let (now, run) = (former.map(|former| self.runs(former)), self.runs(process));
        let call = self.calls.entry(key).or_default();
        let before = std::mem::replace(&mut call.begun, (attempt, process)).0;
        let was_killed = now != Some(std::mem::replace(&mut call.run, run));
        let earlier = std::mem::replace(&mut call.at, at);
        if ended {
            return Err("the execution had ended");
        }
        if attempt <= call.completed {
            return Err("the call had completed");
        }
        if before == attempt {
            if was_killed {
                self.found.repeated += 1;
            } else if self.elections.was_one(key, earlier, at) {
                self.found.moved += 1;
            } else {
                return Err("the call was under way");
            }
        }
        call.completed = call.completed.max(attempt.saturating_sub(1));
        Ok(())
    }

    fn complete(&mut self, key: &'a str) {
        if let Some(call) = self.calls.get_mut(key) {
            call.completed = u64::MAX;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "open\nnew e-1\nack e-1\nbegin F/e-1/1 1 1 start\nopen\nbegin F/e-1/1 1 2 start\n\
                        begin F/e-1/1 2 3 start\nbegin F/e-1/2 1 4 F/e-1/1\nack e-1\nresult e-1 right\n";

    fn check(text: &str) -> Effects {
        Effects::check(text, &Elections::default())
    }

    #[test]
    fn a_call_that_was_under_way_may_begin_again() {
        let found = check(GOOD);
        assert_eq!(found.violations, Vec::<String>::new());
        assert_eq!((found.runs, found.calls, found.begun, found.repeated), (2, 2, 4, 1));
        assert_eq!((found.acknowledged, found.ended, found.children), (1, 1, 0));
        let found = check(&format!("{GOOD}begin F/e-1.1/1 1 5 \nrows e-1.1 booked 1\nended e-1.1\n"));
        assert_eq!((found.violations.len(), found.ended, found.children), (0, 1, 1));
        assert!(found.verdict().is_ok());
    }

    #[test]
    fn a_call_may_begin_again_after_a_kill_of_its_process() {
        for kill in ["open a", "open"] {
            let found =
                check(&format!("begin F/e-2/1 1 5 start a\n{kill}\nbegin F/e-2/1 1 6 start b\nresult e-2 right\n"));
            assert_eq!((found.violations, found.repeated), (Vec::new(), 1), "{kill}");
        }
    }

    #[test]
    fn a_call_may_begin_again_when_another_node_leads() {
        let elections = Elections::of_one("F", "e-2", "00:00:05.000000");
        for (at, again, is_right) in [(4_900_000, 5_100_000, true), (5_900_000, 6_100_000, false)] {
            let text = format!("begin F/e-2/1 1 {at} start\nbegin F/e-2/1 1 {again} start\nresult e-2 right\n");
            let found = Effects::check(&text, &elections);
            assert_eq!((found.violations.is_empty(), found.moved), (is_right, u64::from(is_right)), "{found:?}");
            assert!(!Effects::check(&text.replace("e-2", "e-3"), &elections).violations.is_empty());
        }
        // A call that had completed before the election must not begin again.
        let text = "begin F/e-2/1 1 4900000 start\nbegin F/e-2/2 1 4950000 F/e-2/1\nbegin F/e-2/1 1 5100000 start\n";
        let violations = Effects::check(text, &elections).violations;
        assert!(violations[0].contains("the call had completed"), "{violations:?}");
    }

    #[test]
    fn each_workflow_must_have_called_a_task() {
        let mut text: String = MIXED.iter().map(|name| format!("begin {name}/e-1/1 1 1 \n")).collect();
        text.push_str("sent s-1\n");
        let mut found = check(&text);
        found.require_all(&MIXED);
        assert_eq!(found.violations, Vec::<String>::new());
        let mut found = check(&text.replace("begin gate", "begin door"));
        found.require_all(&MIXED);
        assert_eq!(found.violations, ["no execution of `gate` has called a task"]);
    }

    #[test]
    fn violations_are_found() {
        for (more, problem) in [
            ("open\nbegin F/e-1/1 2 5 start", "the execution had ended"),
            ("begin F/e-2/1 1 5 start\nbegin F/e-2/1 1 6 start\nresult e-2 right", "the call was under way"),
            (
                "begin F/e-2/1 1 5 start a\nopen b\nbegin F/e-2/1 1 6 start b\nresult e-2 right",
                "the call was under way",
            ),
            ("begin F/e-2/1 2 5 start\nopen\nbegin F/e-2/1 1 6 start", "the call had completed"),
            ("begin F/e-2/1 1 5 \nbegin F/e-2/2 1 6 F/e-2/1\nopen\nbegin F/e-2/1 1 7 ", "the call had completed"),
            ("begin F/e-2/1 1 5 \nanswered F/e-2/1\nopen\nbegin F/e-2/1 1 6 ", "the call had completed"),
            ("begin F/e-2.1/1 1 5 \nended e-2.1\nopen\nbegin F/e-2.1/1 1 6 ", "the execution had ended"),
            ("new e-1", "it was lost, and made again"),
            ("ack e-2", "the execution e-2 did not end correctly"),
            ("result e-2 wrong {\"n\": 1} instead of 2", "the result is wrong"),
            ("nonsense", "the line is not understood"),
        ] {
            let violations = check(&format!("{GOOD}{more}\n")).violations;
            assert!(violations.iter().any(|violation| violation.contains(problem)), "{more}: {violations:?}");
        }
    }
}
