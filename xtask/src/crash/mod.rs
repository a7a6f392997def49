//! `cargo xtask crash`: kills a process full of executions again and again, at random moments. The
//! process records its effects in a file. The command checks there that every execution has the
//! right result, that nothing acknowledged is lost, and that no completed step ran again. The
//! workload `map` also checks the result files of distributed Maps.

mod arguments;
mod balancer;
mod effects;
mod elections;
mod random;
mod restate;
mod results;
mod work;
mod worker;

use std::ffi::OsStr;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::workspace::root;
use arguments::{Arguments, Which, Workload};
use effects::{Effects, MAP, MIXED};
use elections::Elections;
use random::Random;
use results::ResultFiles;
use work::{check_idle, wait_for_work};
use worker::Worker;

/// The longest time between the opening of the database and a kill.
const AFTER_OPENING: Duration = Duration::from_millis(150);

/// The share of kills, one in this many, that come while the process opens its database, at most
/// this long after its start.
const OPENING: (u64, Duration) = (8, Duration::from_millis(40));

/// The folder of the bucket with the results of distributed Maps.
const RESULTS: &str = "results";

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
    let worker = Worker::build(&arguments.profile)?;
    let workload = arguments.workload.name();
    let folder = root().join("target/crash").join(match arguments.workload {
        Workload::Mixed => "sqlite",
        Workload::Map => "sqlite-map",
    });
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    let (kills, seed) = (arguments.kills, arguments.seed);
    println!("crash: sqlite, workload {workload}, {kills} kills, seed {seed}, in {}", folder.display());
    let began = Instant::now();
    let largest_log = kill(&worker, &folder, arguments)?;
    println!("  killed {kills} times in {} s", began.elapsed().as_secs());
    let report = worker.finish(&words(workload, &folder), TO_FINISH)?;
    println!("  finished in {} s, {}", began.elapsed().as_secs(), report.counts());
    let text = std::fs::read_to_string(folder.join("effects")).map_err(|error| format!("no effects: {error}"))?;
    let mut effects = Effects::check(&text, &Elections::default());
    if report.parked > 0 {
        effects.violations.push(format!("{} executions were parked", report.parked));
    }
    match arguments.workload {
        Workload::Mixed => effects.require_all(&MIXED),
        Workload::Map => {
            effects.require_all(&MAP);
            let bucket = folder.join(RESULTS);
            let mut results = ResultFiles::of(&bucket);
            results.check(&text);
            println!("  {}", results.summary());
            effects.violations.append(&mut results.violations);
        }
    }
    println!("  {}", effects.summary());
    println!("  the largest write-ahead log: {} KB", largest_log / 1024);
    effects.verdict()
}

/// Returns the command-line arguments of the process.
fn words<'a>(workload: &'a str, folder: &'a Path) -> [&'a OsStr; 2] {
    [workload.as_ref(), folder.as_os_str()]
}

/// Kills the process as often as the arguments demand. Returns the largest size of the database's
/// log in bytes.
fn kill(worker: &Worker, folder: &Path, arguments: &Arguments) -> Result<u64, String> {
    let mut random = Random::new(arguments.seed);
    let (mut largest, mut idle) = (0, 0);
    let is_map = arguments.workload == Workload::Map;
    let bucket = folder.join(RESULTS);
    for kill in 0..arguments.kills {
        let after = |error: String| format!("after {kill} kills: {error}");
        let mut process = worker.start(&words(arguments.workload.name(), folder), false)?;
        if random.below(OPENING.0) == 0 {
            std::thread::sleep(random.duration(OPENING.1));
        } else {
            process.wait_until_ready().map_err(after)?;
            if is_map {
                // A Map needs several commits until its first task begins.
                idle += u64::from(!wait_for_work(folder)?);
            }
            std::thread::sleep(random.duration(AFTER_OPENING));
        }
        process.kill().map_err(after)?;
        let log = std::fs::metadata(folder.join("executions.db-wal")).map_or(0, |file| file.len());
        largest = largest.max(log);
        if is_map {
            ResultFiles::of(&bucket).check_manifests().map_err(after)?;
        }
    }
    check_idle(idle, arguments.kills)?;
    Ok(largest)
}
