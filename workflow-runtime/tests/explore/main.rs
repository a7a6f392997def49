//! The exploration of the coordination core with a reference store: every interleaving of a few
//! scripted executions, events, children, commands and crashes. `cargo xtask explore` runs it
//! without limits.
//!
//! A state of the model is the records of executions, the messages in memory, and what the outside
//! has not done yet. An action is a transaction: a turn of an execution, a publication, or a
//! command. In each the process may crash once, at any write or after the commit.

mod actions;
mod configurations;
mod ending;
mod events;
mod faults;
mod invariants;
mod model;
mod programs;
mod races;
mod search;
mod store;
mod turn;
mod world;

use std::time::Instant;

use search::{Limit, Limits, explore};

/// Explores all configurations with schedules of at most this length, and prints what it finds.
fn explore_all(depth: usize) {
    let (mut states, mut schedules, mut violations, mut incomplete) = (0, 0_u128, 0, Vec::new());
    let begin = Instant::now();
    for configuration in configurations::ALL {
        let limits = Limits { depth, states: 20_000_000 };
        let begin = Instant::now();
        let explored = explore(configuration, None, limits);
        println!(
            "{:<9} {:>9} states, {:>9} transitions, {:>2} actions deep{}, {:.3e} schedules, {:.1} s",
            configuration.name,
            explored.states,
            explored.transitions,
            explored.depth,
            match explored.limit {
                None => "",
                Some(Limit::Depth) => " (limited)",
                Some(Limit::States) => " (limited by the number of states)",
            },
            explored.schedules as f64,
            begin.elapsed().as_secs_f64(),
        );
        (states, schedules) = (states + explored.states, schedules.saturating_add(explored.schedules));
        // Only who asks for a depth expects less than everything.
        if explored.limit == Some(Limit::States) && depth == usize::MAX {
            incomplete.push(configuration.name);
        }
        if let Some(violation) = explored.violation {
            violations += 1;
            println!("violation: {}\n{}", violation.invariant, violation.replay(configuration));
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!("{states} states, {:.3e} schedules, {violations} violations, {seconds:.1} s", schedules as f64);
    assert_eq!((violations, incomplete), (0, Vec::new()));
}

/// Explores 5 actions deep, or as deep as the variable `EXPLORE_DEPTH` says.
#[test]
fn no_schedule_breaks_an_invariant() {
    let depth = std::env::var_os("EXPLORE_DEPTH").map(|depth| {
        let depth = depth.to_str().and_then(|depth| depth.parse().ok());
        depth.expect("EXPLORE_DEPTH is a number of actions")
    });
    explore_all(depth.unwrap_or(5));
}
