//! The records that the coordination core reads and writes about events, within a transaction:
//! subscribers, their inboxes, and what was delivered.

use std::collections::BTreeMap;
use std::sync::Arc;

use rusqlite::{Connection, ToSql, params};
use workflow_runtime::coordination::{Recipient, RoutedKind, Started, Store, only_correlations};
use workflow_runtime::machine::{StartCondition, TriggerMatch};
use workflow_runtime::{CloudEvent, Str};

use crate::children::AfterCommit;
use crate::executions::{self, Inserted, NewExecution};
use crate::inbox::Moment;
use crate::{awaited, codec, inbox, rows};

/// Sentinel execution number of the deduplication records of a workflow. No execution has this
/// number.
const WORKFLOW_RECORD: i64 = 0;

/// Executions that an event is to start, by workflow. `None` if the schedule does not admit a
/// start now.
pub type Starts = BTreeMap<&'static str, Option<NewExecution>>;

/// The records of a transaction.
pub struct Records<'a> {
    pub c: &'a Connection,
    pub now: Moment,
    /// Executions that the event is to start.
    pub starts: &'a Starts,
    /// Effects to carry out after the commit.
    pub effects: &'a mut Vec<AfterCommit>,
}

impl Records<'_> {
    /// Returns the number that a query counts.
    fn count(&self, text: &str, values: &[&dyn ToSql]) -> rusqlite::Result<usize> {
        let number = self.c.prepare_cached(text)?.query_row(values, |row| row.get::<_, Option<i64>>(0))?;
        Ok(number.map_or(0, |number| usize::try_from(number).unwrap_or(usize::MAX)))
    }

    fn numbers(&self, text: &str, values: &[&dyn ToSql]) -> rusqlite::Result<Vec<i64>> {
        self.c.prepare_cached(text)?.query_map(values, |row| row.get(0))?.collect()
    }
}

impl Store for Records<'_> {
    type Execution = i64;
    type Error = rusqlite::Error;

    fn subscribers(&mut self, workflow: &str, kinds: &[RoutedKind]) -> rusqlite::Result<Vec<i64>> {
        let Some(keys) = only_correlations(kinds) else {
            let text = concat!(
                "SELECT number FROM executions WHERE workflow = ?1 AND status IN ",
                sql!(unfinished),
                " ORDER BY number"
            );
            return self.numbers(text, &[&workflow]);
        };
        let text = concat!(
            "SELECT number FROM executions WHERE workflow = ?1 AND coalesce(correlation, id) = ?2 AND status IN ",
            sql!(unfinished)
        );
        let mut found = Vec::new();
        for key in keys {
            found.extend(self.numbers(text, &[&workflow, &key])?);
        }
        found.sort_unstable();
        Ok(found)
    }

    fn in_start_state(&mut self, trigger: &TriggerMatch, event: &CloudEvent) -> rusqlite::Result<Vec<i64>> {
        awaited::in_start_state(self.c, trigger, event, self.now.at)
    }

    fn correlation(&mut self, of: i64) -> rusqlite::Result<Str> {
        executions::correlation(self.c, of).map(Str::from)
    }

    fn start_condition(&mut self, of: i64, trigger: &TriggerMatch) -> rusqlite::Result<Option<StartCondition>> {
        let Some(mut condition) = awaited::start_condition(self.c, of, trigger)? else { return Ok(None) };
        if condition.is_ordered() {
            let text = "SELECT data FROM snapshot_rows WHERE execution = ?1 AND kind = ?2 ORDER BY number";
            let mut statement = self.c.prepare_cached(text)?;
            let mut rows = statement.query(params![of, rows::EVENT])?;
            while let Some(row) = rows.next()? {
                // A new execution is better than a lost event.
                let Ok(kept) = codec::read_attributes(row.get_ref(0)?.as_blob()?) else { return Ok(None) };
                condition.record(&kept);
            }
        }
        for (_, unseen) in inbox::read(self.c, of)? {
            condition.record(&unseen);
        }
        Ok(Some(condition))
    }

    fn unseen_events(&mut self, of: i64) -> rusqlite::Result<usize> {
        self.count("SELECT count(*) FROM inbox WHERE execution = ?1", &[&of])
    }

    fn kept_events(&mut self, of: i64) -> rusqlite::Result<usize> {
        self.count("SELECT count(*) FROM snapshot_rows WHERE execution = ?1 AND kind = ?2", &[&of, &rows::EVENT])
    }

    fn kept_events_at_most(&mut self, of: i64) -> rusqlite::Result<usize> {
        // Kept events have consecutive numbers, with gaps where events were consumed.
        let text = "SELECT (SELECT max(number) FROM snapshot_rows WHERE execution = ?1 AND kind = ?2)
                    - (SELECT min(number) FROM snapshot_rows WHERE execution = ?1 AND kind = ?2) + 1";
        self.count(text, &[&of, &rows::EVENT])
    }

    fn awaits(&mut self, of: i64, kinds: &[&str]) -> rusqlite::Result<bool> {
        awaited::awaits(self.c, of, kinds)
    }

    /// Also returns `true` for a workflow if the execution that the event started is still stored.
    fn was_delivered(&mut self, to: Recipient<'_, i64>, event: &CloudEvent) -> rusqlite::Result<bool> {
        let text =
            "SELECT 1 FROM delivered_events WHERE execution = ?1 AND source = ?2 AND id = ?3 AND delivered_at >= ?4";
        let (execution, id) = dedup_key(to, event);
        let mut statement = self.c.prepare_cached(text)?;
        let is_recorded = statement.exists(params![execution, &*event.source, &*id, self.now.dedup_since])?;
        let Recipient::Workflow(workflow) = to else { return Ok(is_recorded) };
        let text = "SELECT 1 FROM executions WHERE workflow = ?1 AND event_source = ?2 AND event_id = ?3";
        Ok(is_recorded || self.c.prepare_cached(text)?.exists(params![workflow, &*event.source, &*event.id])?)
    }

    /// Also removes up to four expired records, more than it adds.
    fn mark_delivered(&mut self, to: Recipient<'_, i64>, event: &CloudEvent) -> rusqlite::Result<()> {
        let text = "DELETE FROM delivered_events WHERE number IN
                    (SELECT number FROM delivered_events ORDER BY number LIMIT 4) AND delivered_at < ?1";
        self.c.prepare_cached(text)?.execute([self.now.dedup_since])?;
        // A repeated event gets a new number, so that the oldest records have the lowest numbers.
        let text =
            "INSERT OR REPLACE INTO delivered_events (execution, source, id, delivered_at) VALUES (?1, ?2, ?3, ?4)";
        let (execution, id) = dedup_key(to, event);
        self.c.prepare_cached(text)?.execute(params![execution, &*event.source, &*id, self.now.at])?;
        Ok(())
    }

    fn deliver(&mut self, to: i64, event: &Arc<CloudEvent>) -> rusqlite::Result<()> {
        let text = "INSERT INTO inbox (execution, event) VALUES (?1, ?2)";
        self.c.prepare_cached(text)?.execute(params![to, codec::event(event)])?;
        self.effects.push(AfterCommit::Event(to, self.c.last_insert_rowid() as u64, event.clone()));
        Ok(())
    }

    fn start(&mut self, trigger: &TriggerMatch, _: &Arc<CloudEvent>) -> rusqlite::Result<Started<i64>> {
        let Some(Some(new)) = self.starts.get(trigger.definition().name) else { return Ok(Started::Declined) };
        Ok(match executions::insert(self.c, new)? {
            Inserted::New(number) => {
                self.effects.push(AfterCommit::Queued);
                Started::New(number)
            }
            Inserted::Known { .. } | Inserted::KeyReused(_) | Inserted::IdTaken | Inserted::Refused(_) => {
                Started::Exists
            }
        })
    }
}

/// Returns the execution and the id under which a delivery is recorded.
fn dedup_key(to: Recipient<'_, i64>, event: &CloudEvent) -> (i64, Str) {
    match to {
        Recipient::Execution(execution) => (execution, event.id.clone()),
        Recipient::Workflow(workflow) => (WORKFLOW_RECORD, format!("{workflow} {}", event.id).into()),
    }
}
