//! Costs of an event among executions that wait. `cargo xtask bench restate` measures them among
//! many, and has limits for the time, too.

use std::time::{Duration, Instant};

use workflow_restate::{Executions, Service};
use workflow_runtime::{CloudEvent, Value, include_workflow, value};

use crate::correlation::events::set::Gather;
use crate::server::server;
use crate::{Served, eventually};

include_workflow!("tests/flows/alarm.sw.json");

use alarm::Alarm;

/// Largest ratio of the costs among many executions to those among few.
const RATIO: f64 = 1.5;

/// Longest time until all executions have subscribed.
const LIMIT: Duration = Duration::from_secs(1_800);

/// Returns the number in the only row of an answer.
pub(crate) fn number(sql: &str) -> f64 {
    let answer = server().unwrap().query(sql);
    let (_, number) = answer.split_once("\"n\":").unwrap_or_else(|| panic!("{answer}"));
    let end = number.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(number.len());
    number[..end].parse().unwrap_or_default()
}

/// Starts executions that wait, each with a correlation key of its own.
async fn start_all(executions: &Executions, count: u32, input: Value) {
    let mut first = 0;
    while first < count {
        let next = count.min(first + 50);
        let starts: Vec<_> = (first..next)
            .map(|number| {
                let (executions, input) = (executions.clone(), input.clone());
                tokio::spawn(async move {
                    let key = format!("pair {number}");
                    executions.start_correlated(&format!("one-{number}"), input, Some(&key)).await.unwrap();
                })
            })
            .collect();
        for start in starts {
            start.await.unwrap();
        }
        first = next;
    }
    let subscribed = format!(
        "SELECT COUNT(*) AS n FROM state WHERE service_name = '{}.events' AND key = 'members'",
        executions.name()
    );
    // The query reads the records of all, so it must not take the time that they need.
    let begun = Instant::now();
    loop {
        let asked = Instant::now();
        let number = number(&subscribed);
        if number >= f64::from(count) {
            break;
        }
        assert!(begun.elapsed() < LIMIT, "{number} of {count} executions have subscribed");
        tokio::time::sleep(asked.elapsed() * 4).await;
    }
    // They leave the process.
    tokio::time::sleep(crate::IDLE * 4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_costs_what_its_subscribers_cost() {
    let (few, many, events) = match std::env::var("WAITING").ok().and_then(|many| many.parse().ok()) {
        Some(many) => (10, many, 50),
        None => (5, 50, 10),
    };
    let mut costs = Vec::new();
    for waiting in [few, many] {
        let set_up = |service: Service| service.journal_limit(100_000);
        let Some(served) = Served::start::<Gather>(set_up).await else { return };
        let executions = &served.executions;
        start_all(executions, waiting, value!({})).await;
        let of = format!("FROM sys_invocation WHERE target_service_name LIKE '{}%'", executions.name());
        let entries = || number(&format!("SELECT SUM(journal_size) AS n {of}"));
        let bytes = || {
            number(&format!(
                "SELECT SUM(length(encode(raw, 'hex')) / 2) AS n FROM sys_journal WHERE id IN (SELECT id {of})"
            ))
        };
        let (entries_before, bytes_before) = (entries(), bytes());
        let begun = Instant::now();
        for id in 0..events {
            let event = CloudEvent::new(id.to_string(), "/shop", "glove.left").extension("pair", "pair 3");
            assert_eq!(executions.publish_and_start(&event).await.unwrap().executions, 1);
        }
        let time = begun.elapsed().as_secs_f64() * 1e3;
        // The executions have left the process again.
        tokio::time::sleep(crate::IDLE * 4).await;
        let each = |all: f64| all / f64::from(events);
        let cost = [each(entries() - entries_before), each(bytes() - bytes_before)];
        println!("events-time {waiting}: {:.3}", each(time));
        println!("events-entries {waiting}: {:.3}", cost[0]);
        println!("events-bytes {waiting}: {:.3}", cost[1]);
        costs.push(cost);
        let state = format!(
            "SELECT MAX(n) AS n FROM (SELECT SUM(length(encode(value, 'hex')) / 2) AS n FROM state WHERE service_name = '{}.events' \
             GROUP BY service_key)",
            executions.name()
        );
        println!("events-state {waiting}: {:.3}", number(&state));
    }
    for (few, many) in costs[0].into_iter().zip(costs[1]) {
        assert!(few > 0.0 && many / few < RATIO, "{costs:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_for_all_reaches_each_execution_once() {
    let Some(served) = Served::start::<Alarm>(|service| service).await else { return };
    let executions = &served.executions;
    // With 4,500, leaves are divided.
    let count: u32 = std::env::var("WAITING").ok().and_then(|count| count.parse().ok()).unwrap_or(40);
    let mut phases = Phases::new(executions.name());
    start_all(executions, count, value!({})).await;
    phases.end("subscribe");
    let nodes =
        format!("SELECT COUNT(*) AS n FROM state WHERE service_name = '{}.events' AND key = 'node'", executions.name());
    assert_eq!(number(&nodes) > 16.0, count >= 4_500);
    // One that ends is none of them.
    executions.cancel("one-7").await.unwrap();
    let alarm =
        |id: u32| CloudEvent::new(id.to_string(), "/tower", "alarm.rung").data(value!({ (id.to_string()): id }));
    eventually(async || (executions.publish(&alarm(1)).await == Ok(u64::from(count) - 1)).then_some(())).await;
    phases.end("first event");
    assert_eq!(executions.publish(&alarm(2)).await, Ok(u64::from(count) - 1));
    phases.end("second event");
    for number in (0..count).filter(|number| *number != 7) {
        let outcome = executions.attach(&format!("one-{number}")).await.unwrap();
        assert_eq!(outcome, Ok(value!({ "1": 1, "2": 2 })), "{number}");
    }
    phases.end("outcomes");
    let leaves = format!("{nodes} AND value_utf8 <> 'true'");
    eventually(async || (number(&leaves) == 0.0).then_some(())).await;
    phases.end("leave");
}

/// Phases of a measurement, each with its time and the invocations that it needed.
struct Phases {
    service: String,
    begun: Instant,
}

impl Phases {
    fn new(service: &str) -> Phases {
        Phases { service: service.to_owned(), begun: Instant::now() }
    }

    /// Prints the time of a phase, and all invocations so far by handler with their journals.
    fn end(&mut self, phase: &str) {
        let time = self.begun.elapsed().as_secs_f64();
        let answer = server().unwrap().query(&format!(
            "SELECT target_handler_name AS h, COUNT(*) AS n, SUM(journal_size) AS entries, MAX(journal_size) AS m, SUM(retry_count) AS r FROM sys_invocation \
             WHERE target_service_name LIKE '{}%' GROUP BY target_handler_name ORDER BY n",
            self.service
        ));
        let rows = answer.split_once("\r\n\r\n").map_or(&*answer, |(_, rows)| rows);
        println!("{phase}: {time:.2} s\n{rows}");
        self.begun = Instant::now();
    }
}
