//! Parent and children of an execution, from the journals of the server.

use workflow_runtime::Value;
use workflow_runtime::engine::{Child, EngineError, Status};

use super::{Engine, Served};
use crate::client::ClientError;
use crate::handlers::Handler;
use crate::journal;

/// Largest number of children in a description.
const MAX_CHILDREN: usize = 100;

/// Largest number of invocations of an execution whose journals are searched, besides the first:
/// the latest.
const MAX_INVOCATIONS: usize = 1_000;

/// Number of invocations whose journals are searched first. The latest ones of a run of a Map have
/// enough children, so that the others are not searched.
const FIRST_INVOCATIONS: usize = 4;

/// Parent and children.
#[derive(Default)]
pub(super) struct Relatives {
    /// Id of the parent.
    pub parent: Option<String>,
    /// Children, newest first.
    pub children: Vec<Child>,
}

impl Engine {
    /// Returns the relatives of an execution. The server forgets the children with the journal of
    /// their parent, at the latest when it removes the parent.
    /// Without the admin interface, no relatives are known.
    pub(super) async fn relatives(&self, id: &str, of: &Served) -> Result<Relatives, EngineError> {
        let invocations = |handlers: &[Handler], most: usize| {
            format!(
                "SELECT id, invoked_by_target FROM sys_invocation WHERE target_service_name = {} AND \
                 target_service_key = {} AND target_handler_name IN ({}) ORDER BY created_at DESC LIMIT {most}",
                literal(of.executions.name()),
                literal(id),
                literals(handlers.iter().map(|handler| handler.name())),
            )
        };
        // There can be more of the others than are asked for. This one has the parent.
        let run = match self.rows(&invocations(&[Handler::Run], 1)).await {
            Err(EngineError::Unavailable(_)) => return Ok(Relatives::default()),
            rows => rows?,
        };
        let parent = run.first().and_then(|row| execution_of(text(row, "invoked_by_target")));
        let parent = parent.map(|(_, key)| key.to_owned());
        let mut latest = self.rows(&invocations(&[Handler::Segment, Handler::Batch], MAX_INVOCATIONS)).await?;
        latest.extend(run);
        let first = &latest[..latest.len().min(FIRST_INVOCATIONS)];
        let mut children = self.children_in(first).await?;
        if children.len() < MAX_CHILDREN && first.len() < latest.len() {
            children = self.children_in(&latest).await?;
        }
        Ok(Relatives { parent, children })
    }

    /// Returns the children that these invocations have started, newest first.
    async fn children_in(&self, invocations: &[Value]) -> Result<Vec<Child>, EngineError> {
        let ids = literals(invocations.iter().map(|row| text(row, "id")));
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let sql = format!(
            "SELECT entry_lite_json FROM sys_journal WHERE id IN ({ids}) AND entry_type IN ('Command: Call', \
             'Command: OneWayCall') AND entry_lite_json LIKE '%\"handler\":\"run\"%' ORDER BY appended_at DESC LIMIT \
             {MAX_CHILDREN}"
        );
        let calls = self.rows(&sql).await?;
        let calls: Vec<Call> = calls.iter().filter_map(|row| Call::read(text(row, "entry_lite_json"))).collect();
        if calls.is_empty() {
            return Ok(Vec::new());
        }
        // A call is refused if the key is taken. Then the execution has another parent.
        let sql = format!(
            "SELECT id, target_service_name, target_service_key, status, completion_result, completion_failure FROM \
             sys_invocation WHERE id IN ({}) AND invoked_by_id IN ({ids})",
            literals(calls.iter().map(|call| call.invocation.as_str())),
        );
        let started = self.rows(&sql).await?;
        let child = |call: &Call| {
            let row = started.iter().find(|row| text(row, "id") == call.invocation)?;
            let workflow = self.workflow_of(text(row, "target_service_name"));
            Some(Child::new(text(row, "target_service_key"), workflow, status(row), call.awaited))
        };
        Ok(calls.iter().filter_map(child).collect())
    }

    /// Returns the workflow of a service, or the name of a service that the engine does not have.
    fn workflow_of<'a>(&self, service: &'a str) -> &'a str {
        let served = self.workflows.iter().find(|served| served.executions.name() == service);
        served.map_or(service, |served| served.definition.name)
    }

    /// Returns the rows of a query to the server.
    pub(super) async fn rows(&self, sql: &str) -> Result<Vec<Value>, EngineError> {
        self.client.query(sql).await.map_err(|error| match error {
            ClientError::Unreachable { .. } => EngineError::Unavailable(error.to_string()),
            error => EngineError::other(error),
        })
    }
}

/// Call of another execution in a journal.
#[derive(Debug, PartialEq)]
struct Call {
    /// Id of the invocation that it starts.
    invocation: String,
    awaited: bool,
}

impl Call {
    /// Reads a command in the server's short form: `{"Command": {"Call": {"invocation_id": …}}}`.
    fn read(entry: &str) -> Option<Call> {
        let entry = Value::from_json(entry).ok()?;
        let command = entry.get("Command")?;
        let (call, awaited) = match command.get("Call") {
            Some(call) => (call, true),
            None => (command.get("OneWayCall")?, false),
        };
        let handler = call.get("invocation_target")?.get("Workflow")?.get("handler")?.as_str()?;
        let invocation = call.get("invocation_id")?.as_str()?.to_owned();
        (handler == Handler::Run.name()).then_some(Call { invocation, awaited })
    }
}

/// Returns a string literal of SQL.
pub(super) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Returns string literals of SQL with commas between them.
pub(super) fn literals<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    texts.into_iter().map(literal).collect::<Vec<_>>().join(", ")
}

fn text<'a>(row: &'a Value, column: &str) -> &'a str {
    row.get(column).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the service and the key of an execution whose invocation has this target:
/// `SERVICE/KEY/run`. The key may have slashes.
fn execution_of(target: &str) -> Option<(&str, &str)> {
    let (service, rest) = target.split_once('/')?;
    let (key, handler) = rest.rsplit_once('/')?;
    let is_execution = [Handler::Run, Handler::Segment, Handler::Batch].map(Handler::name).contains(&handler);
    is_execution.then_some((service, key))
}

/// Returns the status of an execution by its row.
fn status(row: &Value) -> Status {
    match (text(row, "status"), text(row, "completion_result")) {
        ("completed", "failure") => {
            // The message stands behind the code: `[409] {"error": …}`.
            let failure = text(row, "completion_failure");
            let message =
                failure.strip_prefix('[').and_then(|rest| rest.split_once("] ")).map_or(failure, |(_, rest)| rest);
            let outcome = journal::external_outcome(Err(journal::fault_of_message(message)));
            super::interface::status_of(Some(&outcome))
        }
        ("completed", _) => Status::Succeeded,
        _ => Status::Running,
    }
}

#[cfg(test)]
mod tests {
    use workflow_runtime::value;

    use super::*;

    #[test]
    fn targets_name_executions() {
        for (target, execution) in [
            ("order-1/one/run", Some(("order-1", "one"))),
            ("order-1/other-2/one.3-0/segment", Some(("order-1", "other-2/one.3-0"))),
            ("order-1/one/signal", None),
            ("order-1/run", None),
            ("", None),
        ] {
            assert_eq!(execution_of(target), execution, "{target}");
        }
    }

    #[test]
    fn a_call_of_an_execution_is_read() {
        let entry = |command: &str, kind: &str, handler: &str| {
            let target = value!({ "name": "order-1", "key": "one", "handler": handler });
            let mut targets = workflow_runtime::Object::new();
            targets.insert(kind.to_owned(), target);
            let mut commands = workflow_runtime::Object::new();
            commands.insert(command.to_owned(), value!({ "invocation_id": "inv_1", "invocation_target": targets }));
            value!({ "Command": commands }).to_string()
        };
        let call = |awaited| Some(Call { invocation: "inv_1".to_owned(), awaited });
        for (entry, read) in [
            (entry("Call", "Workflow", "run"), call(true)),
            (entry("OneWayCall", "Workflow", "run"), call(false)),
            (entry("OneWayCall", "Workflow", "signal"), None),
            (entry("Call", "VirtualObject", "run"), None),
            (entry("Run", "Workflow", "run"), None),
            ("no JSON".to_owned(), None),
        ] {
            assert_eq!(Call::read(&entry), read, "{entry}");
        }
    }

    #[test]
    fn quotes_do_not_end_a_literal() {
        assert_eq!(literals(["a", "b' OR 'c"]), "'a', 'b'' OR ''c'");
    }

    #[test]
    fn a_row_has_the_status_of_its_execution() {
        let row = |result: &str, failure: &str| value!({ "status": "completed", "completion_result": result, "completion_failure": failure });
        for (row, expected) in [
            (value!({ "status": "suspended" }), Status::Running),
            (row("success", ""), Status::Succeeded),
            (row("failure", "[409] {\"error\":\"Execution.Cancelled\"}"), Status::Cancelled),
            (row("failure", "[500] {\"terminates\":true}"), Status::Succeeded),
            (row("failure", "[500] {\"error\":\"Broken\"}"), Status::Failed),
            (row("failure", "[500] killed"), Status::Failed),
        ] {
            assert_eq!(status(&row), expected, "{row}");
        }
    }
}
