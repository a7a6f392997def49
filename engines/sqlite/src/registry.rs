//! Workflows of a program with their tasks, and the choice of the definition that continues an
//! execution.

use std::sync::Arc;

use workflow_runtime::coordination::RoutedEvent;
use workflow_runtime::machine::{self, Execution, Program, StoredRow, UnwantedEvent};
use workflow_runtime::task::Invoke;
use workflow_runtime::{CloudEvent, Fault};

use crate::Mismatch;

/// Workflow with its tasks.
#[derive(Clone)]
pub struct Registered {
    pub program: Program,
    pub tasks: Arc<dyn Invoke>,
}

/// Workflows of a program. Of several with one name, the first is the one that is started.
#[derive(Default)]
pub struct Registry(Vec<Registered>);

impl Registry {
    pub fn add(&mut self, program: Program, tasks: Arc<dyn Invoke>) {
        self.0.push(Registered { program, tasks });
    }

    /// Returns the current workflow of this name.
    pub fn current(&self, workflow: &str) -> Option<&Registered> {
        self.versions(workflow).next()
    }

    /// Returns the workflow that a call of an execution names, or the fault if there is none.
    pub fn resolve(&self, target: &str) -> Result<&Registered, Fault> {
        let definition = machine::resolve_workflow(target, self.0.iter().map(|one| one.program.definition))?;
        let found = self.0.iter().find(|one| std::ptr::eq(one.program.definition, definition));
        found.ok_or_else(|| Fault::runtime("the resolved workflow is missing: this is a bug"))
    }

    /// Returns the workflows whose schedules are relative to the deployment.
    pub fn with_deployment_schedule(&self) -> impl Iterator<Item = &'static str> {
        let current = self.names().into_iter().filter_map(|name| self.current(name));
        let definitions = current.map(|one| one.program.definition);
        definitions.filter(|it| it.schedule.is_some_and(|schedule| schedule.needs_deployment())).map(|it| it.name)
    }

    /// Returns the names, each once.
    pub fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<&'static str> = self.0.iter().map(|one| one.program.definition.name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Finds the workflows that wait for an event, and those that it starts.
    pub fn route(&self, event: Arc<CloudEvent>) -> RoutedEvent {
        RoutedEvent::new(event, self.0.iter().map(|one| one.program.definition))
    }

    /// Returns the differences of an event from the kinds that the versions of a workflow wait
    /// for.
    pub fn unwanted(&self, workflow: &str, event: &CloudEvent, correlation: &str) -> UnwantedEvent {
        let kinds = self.versions(workflow).flat_map(|one| one.program.definition.events);
        UnwantedEvent::new(kinds, event, Some(correlation))
    }

    /// Returns the workflow of this name with the definition of this hash, or else the current
    /// one.
    pub fn of_hash(&self, workflow: &str, hash: Option<u64>) -> Option<&Registered> {
        let exact = |one: &&Registered| Some(one.program.definition.hash) == hash;
        self.versions(workflow).find(exact).or_else(|| self.current(workflow))
    }

    /// Returns the error for an execution that runs a part of a definition which the program
    /// lacks.
    pub fn without_part(&self, execution: String, workflow: String, hash: Option<u64>) -> Mismatch {
        Mismatch {
            states: Vec::new(),
            stored: hash.unwrap_or_default(),
            known: self.versions(&workflow).map(|one| one.program.definition.hash).collect(),
            problem: "it runs a part of that definition, which cannot be mapped to another definition".to_owned(),
            execution,
            workflow,
        }
    }

    fn versions(&self, workflow: &str) -> impl Iterator<Item = &Registered> {
        self.0.iter().filter(move |one| one.program.definition.name == workflow)
    }

    /// Restores an execution with the definition that it was last written with. Otherwise tries
    /// the current definition and older ones: a definition fits if it has all that the execution
    /// waits for.
    pub fn restore(
        &self,
        found: &StoredExecution,
        parts: &[StoredRow],
    ) -> Result<(&Registered, Box<dyn Execution>), Box<Mismatch>> {
        // The execution may have continued with another definition than the one that it was last
        // written with.
        let exact = |one: &&Registered| one.program.definition.hash == found.hash;
        let (first, others): (Vec<&Registered>, Vec<&Registered>) = self.versions(&found.workflow).partition(exact);
        let mut problem = None;
        for one in first.into_iter().chain(others) {
            match one.program.restore(parts) {
                Ok(execution) => return Ok((one, execution)),
                Err(error) => drop(problem.get_or_insert(error.to_string())),
            }
        }
        let problem = problem.unwrap_or_default();
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

/// Stored execution, without its snapshot rows.
pub struct StoredExecution {
    pub id: String,
    pub workflow: String,
    pub hash: u64,
    pub states: Vec<String>,
}
