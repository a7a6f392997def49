//! The progress of executions on standard error: live on a terminal, one line for each event
//! otherwise.

mod lines;
mod live;
mod running;

use std::io::IsTerminal;
#[cfg(feature = "callbacks")]
use std::io::Write;

pub use live::Screen;
pub use running::Running;
use workflow_runtime::Fault;
use workflow_runtime::observe::{Event, Observer, PathStep};

use crate::visible::visible_char;

/// The ways to show progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Live on a terminal, lines otherwise.
    Auto,
    /// Live, with a last line that is redrawn.
    Live,
    /// A line for each event.
    Lines,
    /// No progress.
    None,
}

/// Returns the mode of this name.
pub fn named(name: &str) -> Result<Mode, String> {
    Ok(match name {
        "auto" => Mode::Auto,
        "live" => Mode::Live,
        "lines" => Mode::Lines,
        "none" => Mode::None,
        _ => return Err(format!("`--progress {name}`: expected one of `auto`, `live`, `lines`, `none`")),
    })
}

/// Returns an observer that shows progress, and the screen, which has to be kept until the
/// execution has ended. Returns `None` if progress is not shown.
pub fn observer(mode: Mode) -> Option<(Progress, Option<Screen>)> {
    match mode {
        Mode::None => None,
        Mode::Auto if !std::io::stderr().is_terminal() => observer(Mode::Lines),
        Mode::Lines => Some((Progress::Lines(lines::Lines::new()), None)),
        Mode::Auto | Mode::Live => {
            let (screen, watcher) = live::screen();
            Some((Progress::Live(watcher), Some(screen)))
        }
    }
}

/// The observer of one of the modes.
pub enum Progress {
    Lines(lines::Lines),
    Live(live::Watcher),
}

impl Observer for Progress {
    fn observe(&mut self, event: &Event<'_>) {
        match self {
            Progress::Lines(lines) => lines.observe(event),
            Progress::Live(watcher) => watcher.observe(event),
        }
    }
}

/// Writes lines to standard error, above the line that a screen redraws.
#[cfg(feature = "callbacks")]
pub fn announce(text: &str) {
    let clear = if live::is_drawn() { "\r\x1b[2K" } else { "" };
    let lines: Vec<String> = text.lines().map(|line| clean(line, 400)).collect();
    // If standard error is closed, the execution continues.
    let _unread = writeln!(std::io::stderr(), "{clear}{}", lines.join("\n"));
}

/// Returns a state with the branches and iterations around it: `Ship[0] › ShipGoods`.
pub(crate) fn place(path: &[PathStep], state: &str) -> String {
    let mut place = String::new();
    for step in path {
        place.push_str(&format!("{}[{}] › ", step.state, step.index));
    }
    place.push_str(state);
    clean(&place, 200)
}

fn fault_text(fault: &Fault) -> String {
    clean(&fault.to_string(), 300)
}

/// Returns a text of at most `most` characters on one line, without control characters and
/// invisible ones: texts of definitions and tasks must not control the terminal.
pub fn clean(text: &str, most: usize) -> String {
    let mut line: String = text.chars().take(most).map(visible_char).collect();
    if text.chars().nth(most).is_some() {
        line.pop();
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use workflow_runtime::testing::{self, Mocks, Reply};
    use workflow_runtime::{Builder, Value, include_workflow};

    use super::*;

    include_workflow!("tests/flows/trip.asl.json");
    use trip::Trip;

    /// An observer that the execution and the test share.
    struct Shared<O>(Arc<Mutex<Option<O>>>);

    impl<O: Observer> Observer for Shared<O> {
        fn observe(&mut self, event: &Event<'_>) {
            if let Some(observer) = &mut *self.0.lock().expect("no panic") {
                observer.observe(event);
            }
        }
    }

    /// Returns an observer after an execution of `trip`.
    pub fn events_of<O: Observer + 'static>(observer: O, mocks: &Mocks) -> O {
        let shared = Arc::new(Mutex::new(Some(observer)));
        let builder = Builder::<Trip>::new().observer(Shared(shared.clone()));
        testing::run(builder, mocks, Value::Null);
        let observer = shared.lock().expect("no panic").take();
        observer.expect("nobody else takes it")
    }

    /// Returns replies of the tasks of `trip`: the error of a branch is caught, and the last task
    /// fails.
    pub fn fails_at_last() -> Mocks {
        Mocks::new()
            .task("Book", [Reply::ok(1)])
            .task("Reserve", [Reply::error("Full", "no room")])
            .task("Cancel", [Reply::ok(2)])
            .task("Tell", [Reply::error("Gone", "nobody")])
    }
}
