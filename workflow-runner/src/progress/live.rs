//! Live progress on a terminal: a line for every state that has ended, and a last line with the
//! states that are running.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use workflow_runtime::observe::{Event, EventKind, Observer, PathStep};

use super::{clean, fault_text, place};
use crate::duration;

/// The interval at which the last line is redrawn.
const TICK: Duration = Duration::from_millis(100);
/// The width of the last line, in characters. The line must not wrap.
const WIDTH: usize = 79;
const WHEEL: [char; 8] = ['⠋', '⠙', '⠸', '⠴', '⠦', '⠇', '⠏', '⠹'];

/// The number of screens.
static SCREENS: AtomicUsize = AtomicUsize::new(0);

/// Returns `true` if a screen redraws the last line of the terminal.
#[cfg(feature = "callbacks")]
pub fn is_drawn() -> bool {
    SCREENS.load(Ordering::Relaxed) > 0
}

/// The drawing thread. Drawing ends when the value is dropped.
pub struct Screen {
    shared: Arc<Mutex<Shared>>,
    ticker: Option<JoinHandle<()>>,
}

/// An observer that updates the screen.
pub struct Watcher(Arc<Mutex<Shared>>);

type Path = Vec<(&'static str, u32)>;

struct Shared {
    colour: bool,
    active: BTreeMap<Path, Active>,
    turns: usize,
    over: bool,
}

struct Active {
    place: String,
    since: Instant,
    /// `true` if an error of the state was caught. The state has not succeeded then.
    caught: bool,
    doing: Doing,
}

enum Doing {
    Running,
    Task(String),
    Until(&'static str, Instant),
}

/// Starts a screen. Returns it with the observer that updates it.
pub fn screen() -> (Screen, Watcher) {
    SCREENS.fetch_add(1, Ordering::Relaxed);
    let colour = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let shared = Arc::new(Mutex::new(Shared::new(colour)));
    let drawn = shared.clone();
    let ticker = std::thread::spawn(move || {
        loop {
            std::thread::park_timeout(TICK);
            let mut shared = lock(&drawn);
            if shared.over {
                return;
            }
            shared.turns += 1;
            shared.draw();
        }
    });
    (Screen { shared: shared.clone(), ticker: Some(ticker) }, Watcher(shared))
}

impl Drop for Screen {
    fn drop(&mut self) {
        let mut shared = lock(&self.shared);
        shared.over = true;
        shared.active.clear();
        shared.write("");
        drop(shared);
        if let Some(ticker) = self.ticker.take() {
            ticker.thread().unpark();
            // A panic of the drawing thread is ignored.
            let _ended = ticker.join();
        }
        SCREENS.fetch_sub(1, Ordering::Relaxed);
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Observer for Watcher {
    fn observe(&mut self, event: &Event<'_>) {
        let mut shared = lock(&self.0);
        match shared.note(event) {
            Some((colour, mark, text)) => {
                let line = shared.paint(colour, mark, &text);
                shared.write(&line);
            }
            None => shared.draw(),
        }
    }
}

/// The longest wait that is shown. Longer waits are cut to it.
const FOREVER: Duration = Duration::from_secs(365 * 86_400);

const GREEN: &str = "32";
const RED: &str = "31";
const YELLOW: &str = "33";

/// A line above the last line: its colour, its mark and its text.
type Line = (&'static str, &'static str, String);

impl Shared {
    fn new(colour: bool) -> Shared {
        Shared { colour, active: BTreeMap::new(), turns: 0, over: false }
    }

    /// Updates the running states, and returns the line for an event, if it has one.
    fn note(&mut self, event: &Event<'_>) -> Option<Line> {
        let path: Path = event.path.iter().map(|step: &PathStep| (step.state, step.index)).collect();
        let place = || place(event.path, event.state);
        let begun = || Active { place: place(), since: Instant::now(), caught: false, doing: Doing::Running };
        match event.kind {
            EventKind::StateEntered { .. } => {
                self.active.insert(path, begun());
            }
            EventKind::StateExited { .. } => {
                let caught = self.active.get(&path).is_some_and(|active| active.caught);
                let took = self.leave(&path);
                return (!caught).then(|| (GREEN, "✓", format!("{}{took}", place())));
            }
            EventKind::StateFailed { fault } => {
                self.leave(&path);
                return Some((RED, "✗", format!("{}: {}", place(), fault_text(fault))));
            }
            EventKind::StateCaught { fault } => {
                // After a restart, another process has seen that the state was entered.
                self.active.entry(path).or_insert_with(begun).caught = true;
                return Some((YELLOW, "!", format!("{}: caught {}", place(), fault_text(fault))));
            }
            EventKind::StateRetried { fault, retry, delay } => {
                self.does(&path, Doing::Until("retry", Instant::now() + delay.min(FOREVER)));
                let (delay, fault) = (duration::show(delay), fault_text(fault));
                return Some((YELLOW, "↻", format!("{}: {fault}; retry {retry} in {delay}", place())));
            }
            EventKind::TaskScheduled { task, attempt, .. } => {
                let attempt = if attempt > 1 { format!(", attempt {attempt}") } else { String::new() };
                self.active.entry(path.clone()).or_insert_with(begun);
                self.does(&path, Doing::Task(format!("{}{attempt}", clean(task.key, 60))));
            }
            EventKind::WaitStarted { until } => {
                let left = until.since(event.time).min(FOREVER);
                self.does(&path, Doing::Until("waits", Instant::now() + left));
            }
            EventKind::ExecutionSucceeded { .. } | EventKind::ExecutionFailed { .. } => self.active.clear(),
            _ => {}
        }
        None
    }

    /// Removes a state. Returns its duration as text; empty below 10 milliseconds.
    fn leave(&mut self, path: &Path) -> String {
        let took = self.active.remove(path).map_or(Duration::ZERO, |active| active.since.elapsed());
        if took < Duration::from_millis(10) { String::new() } else { format!(" ({})", duration::show(took)) }
    }

    fn does(&mut self, path: &Path, doing: Doing) {
        if let Some(active) = self.active.get_mut(path) {
            active.doing = doing;
        }
    }

    fn paint(&self, colour: &str, mark: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{colour}m{mark}\x1b[0m {text}\n") } else { format!("{mark} {text}\n") }
    }

    fn draw(&self) {
        self.write("");
    }

    /// Writes lines above the last line, and redraws the last line.
    fn write(&self, lines: &str) {
        let mut last = String::new();
        if !self.active.is_empty() {
            // A state with running inner states is not shown: the inner states are.
            let innermost = self.active.iter().filter(|(path, active)| !self.runs_others(path, active));
            let descriptions: Vec<String> = innermost.map(|(_, active)| active.describe()).collect();
            last = clean(&format!("{} {}", WHEEL[self.turns % WHEEL.len()], descriptions.join(" · ")), WIDTH);
        }
        // If standard error is closed, the execution continues.
        let _unseen = write!(std::io::stderr(), "\r\x1b[2K{lines}{last}").and_then(|()| std::io::stderr().flush());
    }

    fn runs_others(&self, path: &Path, active: &Active) -> bool {
        let inside = |other: &&Path| other.len() > path.len() && other.starts_with(path);
        let state = active.place.rsplit(" › ").next().unwrap_or_default();
        self.active.keys().filter(inside).any(|other| other[path.len()].0 == state)
    }
}

impl Active {
    fn describe(&self) -> String {
        let now = Instant::now();
        let whole = |time: Duration| duration::show(Duration::from_secs(time.as_secs()));
        match &self.doing {
            Doing::Running => self.place.clone(),
            Doing::Task(task) => format!("{} (task {task}, {})", self.place, whole(now - self.since)),
            Doing::Until(what, until) => {
                let left = until.saturating_duration_since(now) + Duration::from_millis(999);
                format!("{} ({what} {})", self.place, whole(left))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::tests::{events_of, fails_at_last};

    /// A screen that keeps its lines.
    struct Kept(Shared, Vec<String>);

    impl Observer for Kept {
        fn observe(&mut self, event: &Event<'_>) {
            if let Some((_, mark, text)) = self.0.note(event) {
                self.1.push(format!("{mark} {text}"));
            }
        }
    }

    #[test]
    fn a_state_whose_error_was_caught_has_not_succeeded() {
        let Kept(shared, lines) = events_of(Kept(Shared::new(false), Vec::new()), &fails_at_last());
        let expected = [
            "✓ Both[0] › Book",
            "✗ Both[1] › Reserve: Full: no room",
            "! Both: caught Full: no room",
            "✓ Cancel",
            "✗ Tell: Gone: nobody",
        ];
        assert_eq!(lines, expected);
        assert!(shared.active.is_empty());
    }
}
