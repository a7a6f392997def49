//! Kills hit a process that works: the tasks that have begun since its start.

use std::path::Path;
use std::time::{Duration, Instant};

/// The longest time to wait for the first task after a start, and the pause between two looks.
const TO_WORK: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(20);

/// The share of kills, one in this many, that may hit a process in which no task has begun.
const IDLE: u64 = 10;

/// Waits until a task has begun since the last start, at most for [`TO_WORK`]. Returns `true` if a
/// task has begun.
pub fn wait_for_work(folder: &Path) -> Result<bool, String> {
    let until = Instant::now() + TO_WORK;
    while Instant::now() < until {
        let effects = std::fs::read_to_string(folder.join("effects"));
        let effects = effects.map_err(|error| format!("crash: cannot read the effects: {error}"))?;
        if works(&effects) {
            return Ok(true);
        }
        std::thread::sleep(PAUSE);
    }
    Ok(false)
}

/// Returns `true` if a task has begun since the last start.
fn works(effects: &str) -> bool {
    effects.lines().rev().take_while(|line| !line.starts_with("open")).any(|line| line.starts_with("begin "))
}

/// Fails if too many kills hit a process that did not work. One always may.
pub fn check_idle(idle: u64, kills: u64) -> Result<(), String> {
    match idle > (kills / IDLE).max(1) {
        true => Err(format!("crash: {idle} of {kills} kills hit a process that did not work")),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_works_once_a_task_has_begun() {
        for (effects, expected) in [
            ("open\nbegin F/e-1/1 1 1 start\n", true),
            ("open\nbegin F/e-1/1 1 1 start\nopen\nack e-1\n", false),
            ("open\nbegin F/e-1/1 1 1  a\nopen b\nack e-1\n", false),
            ("", false),
        ] {
            assert_eq!(works(effects), expected, "{effects}");
        }
        for (idle, kills, is_right) in [(1, 10, true), (2, 10, false), (1, 3, true), (2, 3, false), (2, 20, true)] {
            assert_eq!(check_idle(idle, kills).is_ok(), is_right, "{idle} of {kills}");
        }
    }
}
