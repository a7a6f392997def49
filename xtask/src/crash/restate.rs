//! A service full of executions, and the Restate servers that keep them. The command kills a
//! process of the service, a server, or both at once. Distributed Maps have as many processes as
//! servers.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use restate_testing::Node;

use super::arguments::{Arguments, Workload};
use super::effects::{Effects, MAP, MIXED};
use super::elections::Elections;
use super::random::Random;
use super::results::ResultFiles;
use super::work::{check_idle, wait_for_work};
use super::worker::{Process, Worker};
use super::{RESULTS, balancer};
use crate::workspace::root;

/// The longest time between the first task after a start and the kill.
const AFTER_START: Duration = Duration::from_millis(1_500);

/// The longest time between the kill of a server and its restart.
const DOWN: Duration = Duration::from_millis(400);

/// The time limit for all executions to end, after the last kill.
const TO_FINISH: Duration = Duration::from_secs(300);

/// The position of the address in the command-line arguments of a process.
const ADDRESS: usize = 3;

/// The running service and servers.
struct Running<'a> {
    worker: &'a Worker,
    folder: &'a Path,
    /// The processes of the service. The first one submits executions.
    services: Vec<Service>,
    nodes: Vec<Node>,
}

/// A process of the service.
struct Service {
    /// Its command-line arguments.
    words: Vec<String>,
    process: Process,
}

impl Service {
    /// Returns the line of effects after a kill of the process. Its name is its address.
    fn killed(&self) -> String {
        format!("open {}", self.words[ADDRESS])
    }
}

/// Kills the processes, and checks the effects.
pub fn run(arguments: &Arguments) -> Result<(), String> {
    let target = root().join("target");
    let program = restate_testing::find(&target).map_err(|problem| format!("crash: no Restate server: {problem}"))?;
    let worker = Worker::build(&arguments.profile)?;
    let is_map = arguments.workload == Workload::Map;
    let folder = target.join(if is_map { "crash/restate-map" } else { "crash/restate" });
    let _ = std::fs::remove_dir_all(&folder);
    let problem = |error: std::io::Error| format!("crash: {}: {error}", folder.display());
    std::fs::create_dir_all(&folder).map_err(problem)?;
    let nodes = match arguments.nodes {
        1 => vec![Node::single(&program, &folder)],
        nodes => Node::cluster(&program, &folder, nodes).map_err(problem)?,
    };
    let (kills, seed) = (arguments.kills, arguments.seed);
    println!(
        "crash: restate, workload {}, {} nodes, {kills} kills, seed {seed}, in {}",
        arguments.workload.name(),
        nodes.len(),
        folder.display()
    );
    let began = Instant::now();
    let mut running = Running::start(&worker, &folder, nodes, arguments.workload)?;
    let counts = running.kill(arguments)?;
    let [service, server, both] = counts;
    println!(
        "  killed the service {service} times, a server {server} times, both {both} times, in {} s",
        seconds(began)
    );
    running.services[0].process.kill()?;
    running.note(&running.services[0].killed())?;
    let report = worker.finish(&running.services[0].words, TO_FINISH)?;
    println!("  finished in {} s, {}", seconds(began), report.counts());
    let text = std::fs::read_to_string(folder.join("effects")).map_err(|error| format!("no effects: {error}"))?;
    let elections = match running.nodes.len() {
        1 => Elections::default(),
        _ => Elections::read(&running.nodes)?,
    };
    let mut effects = Effects::check(&text, &elections);
    effects.require_all(if is_map { &MAP } else { &MIXED });
    if is_map {
        let bucket = folder.join(RESULTS);
        let mut results = ResultFiles::of(&bucket);
        results.check(&text);
        results.require_shares(running.services.len());
        println!("  {}", results.summary());
        effects.violations.append(&mut results.violations);
    }
    println!("  {}", effects.summary());
    effects.verdict()
}

fn seconds(since: Instant) -> u64 {
    since.elapsed().as_secs()
}

impl<'a> Running<'a> {
    fn start(
        worker: &'a Worker,
        folder: &'a Path,
        mut nodes: Vec<Node>,
        workload: Workload,
    ) -> Result<Running<'a>, String> {
        for node in &mut nodes {
            node.start().map_err(|error| format!("crash: {error}"))?;
        }
        nodes.iter_mut().try_for_each(Node::wait)?;
        let processes = if workload == Workload::Map { nodes.len() } else { 1 };
        let addresses: Vec<String> =
            (0..processes).map(|_| format!("127.0.0.1:{}", restate_testing::free_ports::<1>()[0])).collect();
        let public = match &addresses[..] {
            [address] => address.clone(),
            _ => balancer::start(&addresses).map_err(|error| format!("crash: no load balancer: {error}"))?,
        };
        let list = |address: fn(&Node) -> String| nodes.iter().map(address).collect::<Vec<_>>().join(",");
        let mut services: Vec<Service> = Vec::new();
        // The first one submits executions once all others accept the connections of servers.
        for (number, address) in addresses.into_iter().enumerate().rev() {
            let folder = folder.display().to_string();
            let (restate, workload) = ("restate".to_owned(), workload.name().to_owned());
            let (ingress, admin) = (list(Node::ingress), list(Node::admin));
            let mut words = vec![restate, workload, folder, address, public.clone(), ingress, admin];
            words.extend((number > 0).then(|| "serve".to_owned()));
            let mut process = worker.start(&words, false)?;
            process.wait_until_ready()?;
            services.insert(0, Service { words, process });
        }
        Ok(Running { worker, folder, services, nodes })
    }

    /// Kills as often as the arguments demand. Returns the numbers of kills of a process of the
    /// service, of a server, and of both.
    fn kill(&mut self, arguments: &Arguments) -> Result<[u64; 3], String> {
        let mut random = Random::new(arguments.seed);
        let mut counts = [0; 3];
        let mut idle = 0;
        for kill in 0..arguments.kills {
            let after = |error: String| format!("after {kill} kills: {error}");
            idle += u64::from(!wait_for_work(self.folder)?);
            std::thread::sleep(random.duration(AFTER_START));
            let what = random.below(3) as usize;
            counts[what] += 1;
            let node = random.below(self.nodes.len() as u64) as usize;
            let service = random.below(self.services.len() as u64) as usize;
            if what > 0 {
                self.nodes[node].kill();
            }
            if what != 1 {
                self.services[service].process.kill().map_err(after)?;
            }
            // A killed server drops the tasks that it had requested, and requests them again.
            if what > 0 {
                self.note("open")?;
            }
            // The running tasks of a killed process run again in others, before it starts again.
            if what != 1 {
                self.note(&self.services[service].killed())?;
                let Service { words, process } = &mut self.services[service];
                *process = self.worker.start(words, false)?;
            }
            if what > 0 {
                std::thread::sleep(random.duration(DOWN));
                self.nodes[node].start().map_err(|error| format!("crash: {error}"))?;
                self.nodes[node].wait()?;
            }
            if what != 1 {
                self.services[service].process.wait_until_ready().map_err(after)?;
            }
            if arguments.workload == Workload::Map {
                ResultFiles::of(&self.folder.join(RESULTS)).check_manifests().map_err(after)?;
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
