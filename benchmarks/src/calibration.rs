//! The calibration loop: fixed work of the kind that executions do, without code of this project.
//! Times are compared with it, so that the speed of the machine does not decide. Short benchmarks
//! are as insensitive to its load.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// The rounds of a sample, which takes about three microseconds.
const ROUNDS: u64 = 64;

/// The fastest sample of this process, in nanoseconds.
static FASTEST: AtomicU64 = AtomicU64::new(u64::MAX);

/// The number of calls of [`interleave`].
static CALLS: AtomicU64 = AtomicU64::new(0);

/// Records by their keys. The hash has no random key, so that every process does the same work.
type Table = HashMap<u64, Arc<Record>, BuildHasherDefault<DefaultHasher>>;

struct Record {
    name: String,
    members: Vec<u64>,
}

/// Runs a sample of the loop at every eighth call. Divan calls this once for each input.
pub fn interleave() {
    if CALLS.fetch_add(1, Ordering::Relaxed).is_multiple_of(8) {
        sample();
    }
}

/// Runs a sample of the loop. Benchmarks leave the caches in different states, so that the first
/// rounds are not measured.
pub fn sample() {
    rounds();
    let start = Instant::now();
    rounds();
    FASTEST.fetch_min(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
}

/// Prints the nanoseconds of a round in the fastest sample, for the benchmarks of a program.
pub fn print(program: &str) {
    sample();
    println!("calibration/{program} {}", FASTEST.load(Ordering::Relaxed) as f64 / ROUNDS as f64);
}

/// Runs the rounds of a sample with a new table.
fn rounds() {
    let mut table = Table::default();
    let sum: u64 = (0..ROUNDS).map(|number| round(&mut table, black_box(number))).sum();
    black_box(sum);
}

/// Replaces a record of the table: allocates, formats, hashes, branches and follows references.
fn round(table: &mut Table, number: u64) -> u64 {
    // Sixteen keys in a fixed, irregular order.
    let key = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60;
    let record = Record { name: key.to_string(), members: vec![key, number] };
    match table.insert(key, Arc::new(record)) {
        None => key,
        Some(previous) if previous.members[1] % 3 == 0 => previous.name.len() as u64,
        Some(previous) => table.get(&(previous.members[0] ^ 1)).map_or(0, |record| record.members[1]),
    }
}
