//! `cargo xtask crash`: kills a process full of executions again and again, at random moments. The
//! process records its effects in a file. The command checks there that every execution has the
//! right result, that nothing acknowledged is lost, and that no completed step ran again.

mod arguments;
mod effects;
mod elections;
mod random;
mod restate;
mod worker;

use std::path::Path;
use std::time::{Duration, Instant};

use crate::workspace::root;
use arguments::{Arguments, Which};
use effects::Effects;
use elections::Elections;
use random::Random;
use worker::Worker;

/// The longest time between the opening of the database and a kill.
const AFTER_OPENING: Duration = Duration::from_millis(150);

/// The share of kills, one in this many, that come while the process opens its database, at most
/// this long after its start.
const OPENING: (u64, Duration) = (8, Duration::from_millis(40));

/// The time limit for all executions to end, after the last kill.
const TO_FINISH: Duration = Duration::from_secs(180);

/// Kills the process, and checks the effects.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let arguments = Arguments::read(arguments)?;
    match arguments.engine {
        Which::Sqlite => sqlite(&arguments),
        Which::Restate => restate::run(&arguments),
    }
}

fn sqlite(arguments: &Arguments) -> Result<(), String> {
    let worker = Worker::build()?;
    let folder = root().join("target/crash/sqlite");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    println!("crash: sqlite, {} kills, seed {}, in {}", arguments.kills, arguments.seed, folder.display());
    let began = Instant::now();
    let largest_log = kill(&worker, &folder, arguments)?;
    println!("  killed {} times in {} s", arguments.kills, began.elapsed().as_secs());
    let report = worker.finish(&[&folder], TO_FINISH)?;
    println!("  finished in {} s, {}", began.elapsed().as_secs(), report.counts());
    let effects = std::fs::read_to_string(folder.join("effects")).map_err(|error| format!("no effects: {error}"))?;
    let mut effects = Effects::check(&effects, &Elections::default());
    if report.parked > 0 {
        effects.violations.push(format!("{} executions were parked", report.parked));
    }
    effects.require_all();
    println!("  {}", effects.summary());
    println!("  the largest write-ahead log: {} KB", largest_log / 1024);
    effects.verdict()
}

/// Kills the process as often as the arguments demand. Returns the largest size of the database's
/// log in bytes.
fn kill(worker: &Worker, folder: &Path, arguments: &Arguments) -> Result<u64, String> {
    let mut random = Random::new(arguments.seed);
    let mut largest = 0;
    for kill in 0..arguments.kills {
        let mut process = worker.start(&[folder], false)?;
        if random.below(OPENING.0) == 0 {
            std::thread::sleep(random.duration(OPENING.1));
        } else {
            process.wait_until_ready().map_err(|error| format!("after {kill} kills: {error}"))?;
            std::thread::sleep(random.duration(AFTER_OPENING));
        }
        process.kill().map_err(|error| format!("after {kill} kills: {error}"))?;
        let log = std::fs::metadata(folder.join("executions.db-wal")).map_or(0, |file| file.len());
        largest = largest.max(log);
    }
    Ok(largest)
}
