//! A service full of executions, and the Restate servers that keep them. The command kills the
//! service, a server, or both at once.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use restate_testing::Node;

use super::arguments::Arguments;
use super::effects::{Effects, MIXED};
use super::elections::Elections;
use super::random::Random;
use super::work::{check_idle, wait_for_work};
use super::worker::{Process, Worker};
use crate::workspace::root;

/// The longest time between the first task after a start and the kill.
const AFTER_START: Duration = Duration::from_millis(1_500);

/// The longest time between the kill of a server and its restart.
const DOWN: Duration = Duration::from_millis(400);

/// The time limit for all executions to end, after the last kill.
const TO_FINISH: Duration = Duration::from_secs(300);

/// The running service and servers.
struct Running<'a> {
    worker: &'a Worker,
    folder: &'a Path,
    /// The command-line arguments of the service.
    words: Vec<String>,
    service: Process,
    nodes: Vec<Node>,
}

/// Kills the processes, and checks the effects.
pub fn run(arguments: &Arguments) -> Result<(), String> {
    let target = root().join("target");
    let program = restate_testing::find(&target).map_err(|problem| format!("crash: no Restate server: {problem}"))?;
    let worker = Worker::build()?;
    let folder = target.join("crash/restate");
    let _ = std::fs::remove_dir_all(&folder);
    let problem = |error: std::io::Error| format!("crash: {}: {error}", folder.display());
    std::fs::create_dir_all(&folder).map_err(problem)?;
    let nodes = match arguments.nodes {
        1 => vec![Node::single(&program, &folder)],
        nodes => Node::cluster(&program, &folder, nodes).map_err(problem)?,
    };
    let (kills, seed) = (arguments.kills, arguments.seed);
    println!("crash: restate, {} nodes, {kills} kills, seed {seed}, in {}", nodes.len(), folder.display());
    let began = Instant::now();
    let mut running = Running::start(&worker, &folder, nodes)?;
    let counts = running.kill(arguments)?;
    let [service, server, both] = counts;
    println!(
        "  killed the service {service} times, a server {server} times, both {both} times, in {} s",
        seconds(began)
    );
    running.service.kill()?;
    let report = worker.finish(&running.words, TO_FINISH)?;
    println!("  finished in {} s, {}", seconds(began), report.counts());
    let effects = std::fs::read_to_string(folder.join("effects")).map_err(|error| format!("no effects: {error}"))?;
    let elections = match running.nodes.len() {
        1 => Elections::default(),
        _ => Elections::read(&running.nodes)?,
    };
    let mut effects = Effects::check(&effects, &elections);
    effects.require_all(&MIXED);
    println!("  {}", effects.summary());
    effects.verdict()
}

fn seconds(since: Instant) -> u64 {
    since.elapsed().as_secs()
}

impl<'a> Running<'a> {
    fn start(worker: &'a Worker, folder: &'a Path, mut nodes: Vec<Node>) -> Result<Running<'a>, String> {
        for node in &mut nodes {
            node.start().map_err(|error| format!("crash: {error}"))?;
        }
        nodes.iter_mut().try_for_each(Node::wait)?;
        let [port] = restate_testing::free_ports();
        let address = format!("127.0.0.1:{port}");
        let list = |address: fn(&Node) -> String| nodes.iter().map(address).collect::<Vec<_>>().join(",");
        let folder_word = folder.display().to_string();
        let words = vec!["restate".to_owned(), folder_word, address, list(Node::ingress), list(Node::admin)];
        let mut service = worker.start(&words, false)?;
        service.wait_until_ready()?;
        Ok(Running { worker, folder, words, service, nodes })
    }

    /// Kills as often as the arguments demand. Returns the numbers of kills of the service, of a
    /// server, and of both.
    fn kill(&mut self, arguments: &Arguments) -> Result<[u64; 3], String> {
        let mut random = Random::new(arguments.seed);
        let mut counts = [0; 3];
        let mut idle = 0;
        for kill in 0..arguments.kills {
            idle += u64::from(!wait_for_work(self.folder)?);
            std::thread::sleep(random.duration(AFTER_START));
            let what = random.below(3) as usize;
            counts[what] += 1;
            let node = random.below(self.nodes.len() as u64) as usize;
            if what > 0 {
                self.nodes[node].kill();
            }
            if what != 1 {
                self.service.kill().map_err(|error| format!("after {kill} kills: {error}"))?;
                self.service = self.worker.start(&self.words, false)?;
            }
            if what > 0 {
                // A killed server drops the running tasks that it had requested, and requests them
                // again.
                self.note("open")?;
                std::thread::sleep(random.duration(DOWN));
                self.nodes[node].start().map_err(|error| format!("crash: {error}"))?;
                self.nodes[node].wait()?;
            }
            if what != 1 {
                self.service.wait_until_ready().map_err(|error| format!("after {kill} kills: {error}"))?;
            }
        }
        // Few are no problem: the partitions of a cluster may be without leaders for some time.
        check_idle(idle, arguments.kills)?;
        Ok(counts)
    }

    fn note(&self, line: &str) -> Result<(), String> {
        let effects = OpenOptions::new().append(true).open(self.folder.join("effects"));
        let written = effects.and_then(|mut effects| effects.write_all(format!("{line}\n").as_bytes()));
        written.map_err(|error| format!("crash: cannot read the effects: {error}"))
    }
}
