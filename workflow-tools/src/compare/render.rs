//! Printing of comparisons for people.

use super::{Comparison, Differing, StateComparison, Verdict};
use std::fmt::{self, Display, Formatter};
use workflow_compiler::escape::visible;

impl Display for Comparison {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        if self.is_same() {
            return writeln!(out, "nothing changed: both definitions have the same meaning ({:016x})", self.old.hash);
        }
        for note in &self.notes {
            writeln!(out, "{}: {}: {}", visible(&self.new.file), label(note.verdict), visible(&note.text))?;
        }
        for state in &self.states {
            self.print_state(state, out)?;
        }
        let waiting = match self.states.len() {
            0 => return writeln!(out, "`{}` has no state at which an execution can wait", visible(&self.old.file)),
            1 => "1 state".to_owned(),
            count => format!("{count} states"),
        };
        let counts = [Verdict::Safe, Verdict::Migration, Verdict::Breaking].map(|verdict| {
            let verb = if self.count(verdict) == 1 { "needs" } else { "need" };
            match verdict {
                Verdict::Migration => format!("{} {verb} migration", self.count(verdict)),
                Verdict::Safe | Verdict::Breaking => format!("{} {}", self.count(verdict), verdict.phrase()),
            }
        });
        writeln!(out, "{waiting} at which an execution can wait: {}", counts.join(", "))
    }
}

fn label(verdict: Verdict) -> &'static str {
    if verdict == Verdict::Safe { "note" } else { verdict.phrase() }
}

impl Comparison {
    fn print_state(&self, state: &StateComparison, out: &mut Formatter<'_>) -> fmt::Result {
        let StateComparison { state: name, line, verdict, .. } = state;
        write!(out, "{}:{line}: `{}`", visible(&self.old.file), visible(name))?;
        for around in state.within.iter().rev() {
            write!(out, " in `{}`", visible(around))?;
        }
        write!(out, ": {}", verdict.phrase())?;
        if !state.differs.is_empty() {
            let differs: Vec<String> = state.differs.iter().map(Differing::to_string).collect();
            write!(out, ", but later states differ: {}", differs.join("; "))?;
        }
        writeln!(out)?;
        for line in state.reasons.iter().chain(&state.remarks) {
            writeln!(out, "  {}", visible(line))?;
        }
        if let Some(renamed) = &state.renamed {
            let place = format!("{}:{}", visible(&self.new.file), renamed.line);
            let state = visible(&renamed.state);
            writeln!(out, "  = help: `{state}` ({place}) has the same definition: was the state renamed?")?;
        }
        Ok(())
    }
}

impl Display for Differing {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self.what.is_empty() {
            true => write!(out, "`{}` (removed)", visible(&self.state)),
            false => write!(out, "`{}` ({})", visible(&self.state), self.what.join(", ")),
        }
    }
}
