//! The workflows that a program has, with their tasks, and which of them goes on with an execution.

use std::sync::Arc;

use workflow_runtime::machine::{Execution, Program, StoredRow};
use workflow_runtime::task::Invoke;

use crate::Mismatch;

/// A workflow with its tasks.
#[derive(Clone)]
pub struct Registered {
    pub program: Program,
    pub tasks: Arc<dyn Invoke>,
}

/// The workflows of a program. Of several of one name, the first is the one that is started.
#[derive(Default)]
pub struct Registry(Vec<Registered>);

impl Registry {
    pub fn add(&mut self, program: Program, tasks: Arc<dyn Invoke>) {
        self.0.push(Registered { program, tasks });
    }

    /// The workflow of this name, as it is today.
    pub fn current(&self, workflow: &str) -> Option<&Registered> {
        self.versions(workflow).next()
    }

    /// The names, each once.
    pub fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<&'static str> = self.0.iter().map(|one| one.program.definition.name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn versions(&self, workflow: &str) -> impl Iterator<Item = &Registered> {
        self.0.iter().filter(move |one| one.program.definition.name == workflow)
    }

    /// Goes on with an execution: by the definition that it was started with, or else by today's, if that has kept all that
    /// the execution waits at.
    pub fn restore(
        &self,
        found: &Found,
        parts: &[StoredRow],
    ) -> Result<(&Registered, Box<dyn Execution>), Box<Mismatch>> {
        let exact = self.versions(&found.workflow).find(|one| one.program.definition.hash == found.hash);
        let problem = match exact.or_else(|| self.current(&found.workflow)) {
            Some(one) => match one.program.restore(parts) {
                Ok(execution) => return Ok((one, execution)),
                Err(error) => error.to_string(),
            },
            None => String::new(),
        };
        Err(Box::new(Mismatch {
            execution: found.id.clone(),
            workflow: found.workflow.clone(),
            states: found.states.clone(),
            stored: found.hash,
            known: self.versions(&found.workflow).map(|one| one.program.definition.hash).collect(),
            problem,
        }))
    }
}

/// What is stored of an execution beside its parts.
pub struct Found {
    pub id: String,
    pub workflow: String,
    pub hash: u64,
    pub states: Vec<String>,
}
