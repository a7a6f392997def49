//! Programs that read the same file and call the same function without an engine. Each keeps the
//! results in the order of the rows, and a bounded number of rows in memory.

use std::collections::VecDeque;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};

use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use crate::charge;

/// The rows in progress, as the workflow has them.
const AT_ONCE: usize = 100;

/// A row.
#[derive(serde::Deserialize)]
struct Order {
    #[serde(rename = "id")]
    _id: String,
    #[serde(rename = "customer")]
    _customer: String,
    amount: String,
    #[serde(rename = "currency")]
    _currency: String,
}

fn rows(file: &Path) -> csv::DeserializeRecordsIntoIter<std::fs::File, Order> {
    csv::Reader::from_path(file).expect("a file").into_deserialize()
}

/// Spawns a task for each row, with a semaphore.
pub fn tokio(file: &Path) -> i64 {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let file = file.to_owned();
    let results = runtime.expect("a runtime").block_on(async {
        let reading = tokio::spawn(async move {
            let permits = Arc::new(Semaphore::new(AT_ONCE));
            let mut running: VecDeque<JoinHandle<i64>> = VecDeque::new();
            let mut results = Vec::new();
            for row in rows(&file) {
                let order = row.expect("a row");
                let permit = permits.clone().acquire_owned().await.expect("a permit");
                running.push_back(tokio::spawn(async move {
                    let charged = charge(&order.amount).expect("an amount");
                    drop(permit);
                    charged
                }));
                if running.len() >= 2 * AT_ONCE
                    && let Some(first) = running.pop_front()
                {
                    results.push(first.await.expect("a result"));
                }
            }
            for task in running {
                results.push(task.await.expect("a result"));
            }
            results
        });
        reading.await.expect("results")
    });
    results.iter().sum()
}

/// A row with its number.
type Job = (usize, Order);

/// Sends each row to a pool of two threads.
pub fn threads(file: &Path) -> i64 {
    let (jobs, receiver) = sync_channel::<Job>(AT_ONCE);
    let (sender, results) = sync_channel::<(usize, i64)>(AT_ONCE);
    let receiver = Arc::new(Mutex::new(receiver));
    let pool: Vec<_> = (0..2)
        .map(|_| {
            let (receiver, sender) = (receiver.clone(), sender.clone());
            std::thread::spawn(move || work(&receiver, &sender))
        })
        .collect();
    drop(sender);
    let collecting = std::thread::spawn(move || {
        let mut all = Vec::new();
        for (number, charged) in results {
            if all.len() <= number {
                all.resize(number + 1, 0);
            }
            all[number] = charged;
        }
        all
    });
    for job in rows(file).map(|row| row.expect("a row")).enumerate() {
        jobs.send(job).expect("a thread");
    }
    drop(jobs);
    pool.into_iter().for_each(|thread| thread.join().expect("a thread"));
    collecting.join().expect("results").iter().sum()
}

fn work(jobs: &Mutex<Receiver<Job>>, results: &SyncSender<(usize, i64)>) {
    loop {
        let next = jobs.lock().expect("it is not poisoned").recv();
        let Ok((number, order)) = next else { return };
        results.send((number, charge(&order.amount).expect("an amount"))).expect("a receiver");
    }
}

/// A program for a pool of `concurrent.futures`. It prints the sum of the results.
const PYTHON: &str = "
import csv, itertools, sys
from concurrent.futures import ThreadPoolExecutor

def charge(row):
    whole, cents = row['amount'].split('.')
    return int(whole) * 100 + int(cents)

results = []
with open(sys.argv[1], newline='') as file, ThreadPoolExecutor(2) as pool:
    rows = csv.DictReader(file)
    while chunk := list(itertools.islice(rows, 1000)):
        results.extend(pool.map(charge, chunk))
print(sum(results))
";

/// Runs the Python program. Returns nothing where there is no Python.
pub fn python(file: &Path) -> Option<i64> {
    let output = Command::new("python3").args(["-c", PYTHON]).arg(file).output().ok()?;
    assert!(output.status.success(), "python3: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).trim().parse().expect("a number"))
}
