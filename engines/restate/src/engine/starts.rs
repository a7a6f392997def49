//! Starts of executions, whose ids are unique among the workflows of the engine.

use futures_util::future::try_join_all;
use tokio::time::timeout;
use workflow_runtime::Value;
use workflow_runtime::engine::{EngineError, StartRequest, Started, identity};

use super::relatives::literal;
use super::{Engine, NOBODY, PATIENCE, Served, random_id};

impl Engine {
    /// Starts an execution, or returns the one that an equal request has started.
    ///
    /// Restate compares the id only within a service. Two starts of one id at the same time, in
    /// two workflows, can both succeed; later starts of the id are refused.
    pub(super) async fn start_once(&self, request: StartRequest) -> Result<Started, EngineError> {
        self.check_open()?;
        let of = self.of_name(&request.workflow)?;
        let identity = identity::hex(&identity::of(&request.input, request.correlation.as_deref()));
        let is_chosen = request.id.is_some();
        let id = request.id.unwrap_or_else(random_id);
        if is_chosen && let Some(other) = self.in_another_service(&id, of).await? {
            let is_same = other.definition.name == of.definition.name;
            return match is_same && self.is_of(&id, other, &identity).await? {
                true => Ok(Started::new(id, false)),
                false => Err(EngineError::IdTaken(id)),
            };
        }
        let started = of.executions.start_correlated(&id, request.input, request.correlation.as_deref()).await;
        let existed = started.map_err(|error| self.error(error, of))?.existed;
        match existed && !self.is_of(&id, of, &identity).await? {
            true => Err(EngineError::IdTaken(id)),
            false => Ok(Started::new(id, !existed)),
        }
    }

    /// Returns another service than this one that has an execution of this id.
    async fn in_another_service(&self, id: &str, of: &Served) -> Result<Option<&Served>, EngineError> {
        let others = self.workflows.iter().filter(|other| other.executions.name() != of.executions.name());
        let found = try_join_all(others.map(async |other| {
            let exists = other.executions.exists(id).await.map_err(|error| self.error(error, other))?;
            Ok::<_, EngineError>(exists.then_some(other))
        }));
        Ok(found.await?.into_iter().flatten().next())
    }

    /// Returns `true` if a request of this identity started an execution. An execution whose
    /// request is not recorded counts as started by it: an earlier version has started it, or its
    /// input was refused.
    async fn is_of(&self, id: &str, of: &Served, identity: &str) -> Result<bool, EngineError> {
        let sql = format!(
            "SELECT invoked_by FROM sys_invocation WHERE target_service_name = {} AND target_service_key = {} AND \
             target_handler_name = 'run'",
            literal(of.executions.name()),
            literal(id),
        );
        // Requests for children are not recorded.
        let is_child = |row: &Value| row.get("invoked_by").and_then(Value::as_str) == Some("service");
        match self.rows(&sql).await {
            Ok(rows) if rows.iter().any(is_child) => return Ok(false),
            // Without the admin interface a child counts as an execution that has no record.
            Ok(_) | Err(EngineError::Unavailable(_)) => {}
            Err(error) => return Err(error),
        }
        let recorded = timeout(PATIENCE, of.executions.request(id)).await;
        let recorded = recorded.map_err(|_| EngineError::TimedOut(NOBODY.to_owned()))?;
        let recorded = recorded.map_err(|error| self.error(error, of))?;
        Ok(recorded.is_none_or(|recorded| recorded == identity))
    }
}
