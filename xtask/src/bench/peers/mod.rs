//! `cargo xtask bench peers`: the workflows of the benchmarks on this project and on other tools,
//! side by side in one run.

mod conditions;
mod engines;
mod postgres;
mod process;
mod samples;
mod set_up;
mod table;

use crate::workspace::{root, target_folder, write_if_changed};
use conditions::Conditions;
use process::{Answer, Peer};
use samples::Samples;
use set_up::SetUp;
use std::collections::VecDeque;

/// The rounds in memory, in each of which every engine takes one sample.
const ROUNDS: usize = 7;

/// The rounds of durable steps, whose samples take longer.
const DURABLE_ROUNDS: usize = 5;

/// Runs the comparison, prints its tables, and writes them to the README.
pub fn run() -> Result<(), String> {
    let before = Conditions::now();
    let set_up = SetUp::new(target_folder().join("peers"))?;
    let memory = compare(set_up.in_memory()?, ROUNDS)?;
    let (server, durable) = set_up.durable()?;
    let durable = compare(durable, DURABLE_ROUNDS);
    // The processes that use the server have ended.
    drop(server);
    let tables = table::tables(&memory, &durable?)? + &before.until(&Conditions::now());
    println!("\n{tables}");
    let readme = root().join("README.md");
    let text = crate::workspace::read(&readme)?;
    write_if_changed(&readme, &table::insert(&text, &tables)?)
}

/// Checks that all outputs agree, and takes the samples. The engines take turns, and each round
/// begins with another one, so that other work of the machine affects all of them alike. A first
/// round warms them up. An engine that does not answer takes no further part.
fn compare(peers: Vec<Peer>, rounds: usize) -> Result<Samples, String> {
    let mut peers = VecDeque::from(peers);
    let mut samples = Samples::default();
    for answer in ask_all(&mut peers, "output") {
        samples.check(&answer)?;
    }
    ask_all(&mut peers, "sample");
    for round in 1..=rounds {
        peers.rotate_left(1.min(peers.len()));
        for answer in ask_all(&mut peers, "sample") {
            samples.add(&answer)?;
        }
        eprintln!("peers: round {round} of {rounds}");
    }
    Ok(samples)
}

/// Sends a request to one peer after the other, and returns all answers. Peers that do not answer
/// are left out from then on.
fn ask_all(peers: &mut VecDeque<Peer>, request: &str) -> Vec<Answer> {
    let mut found = Vec::new();
    peers.retain_mut(|peer| match peer.ask(request) {
        Ok(answers) => {
            found.extend(answers);
            true
        }
        Err(why) => {
            eprintln!("peers: {} is left out: {why}", peer.name);
            false
        }
    });
    found
}
