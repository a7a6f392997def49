//! The workflows that a program has, with their tasks, and which of them goes on with an execution.

use std::collections::BTreeMap;
use std::sync::Arc;

use workflow_runtime::machine::{self, Execution, Opening, Program, StoredRow};
use workflow_runtime::task::Invoke;
use workflow_runtime::{CloudEvent, Fault, Str};

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

    /// The workflow that an execution means which starts another one; else why there is none.
    pub fn called(&self, target: &str) -> Result<&Registered, Fault> {
        let definition = machine::called(target, self.0.iter().map(|one| one.program.definition))?;
        let found = self.0.iter().find(|one| std::ptr::eq(one.program.definition, definition));
        found.ok_or_else(|| Fault::runtime("the workflow that was found is not there: this is a bug"))
    }

    /// The workflows whose schedules are counted from when they were deployed.
    pub fn counted(&self) -> impl Iterator<Item = &'static str> {
        let current = self.names().into_iter().filter_map(|name| self.current(name));
        let definitions = current.map(|one| one.program.definition);
        definitions.filter(|it| it.schedule.is_some_and(|schedule| schedule.needs_deployment())).map(|it| it.name)
    }

    /// The names, each once.
    pub fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<&'static str> = self.0.iter().map(|one| one.program.definition.name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Whom an event is for.
    pub fn address(&self, event: Arc<CloudEvent>) -> Addressed {
        let (mut workflows, mut starts) = (BTreeMap::<&str, Vec<Kind>>::new(), BTreeMap::<&str, Opening>::new());
        for one in &self.0 {
            let definition = one.program.definition;
            for kind in definition.events.iter().filter(|kind| kind.matches(&event)) {
                let of_it = Kind { name: kind.name, correlation: kind.correlation_of(&event) };
                workflows.entry(definition.name).or_default().push(of_it);
            }
            // The first of a name is the one that is started.
            let current = self.current(definition.name).map_or(definition, |one| one.program.definition);
            match starts.get_mut(definition.name) {
                Some(opening) => opening.beside(definition, &event),
                None if std::ptr::eq(current, definition) => {
                    starts.extend(Opening::of(definition, &event).map(|opening| (definition.name, opening)));
                }
                None => {}
            }
        }
        Addressed { event, workflows, starts }
    }

    /// The workflow of this name with the definition of this hash; else as it is today.
    pub fn of_hash(&self, workflow: &str, hash: Option<u64>) -> Option<&Registered> {
        let exact = |one: &&Registered| Some(one.program.definition.hash) == hash;
        self.versions(workflow).find(exact).or_else(|| self.current(workflow))
    }

    /// That an execution runs a part of a definition that the program does not have.
    pub fn without_part(&self, execution: String, workflow: String, hash: Option<u64>) -> Mismatch {
        Mismatch {
            states: Vec::new(),
            stored: hash.unwrap_or_default(),
            known: self.versions(&workflow).map(|one| one.program.definition.hash).collect(),
            problem: "it runs a part of that definition, and which part of another one that is, is not known"
                .to_owned(),
            execution,
            workflow,
        }
    }

    fn versions(&self, workflow: &str) -> impl Iterator<Item = &Registered> {
        self.0.iter().filter(move |one| one.program.definition.name == workflow)
    }

    /// Goes on with an execution: by the definition that it was last written with, or else by today's or an older one, if that
    /// has all that the execution waits at.
    pub fn restore(
        &self,
        found: &Found,
        parts: &[StoredRow],
    ) -> Result<(&Registered, Box<dyn Execution>), Box<Mismatch>> {
        // It may have gone on with another definition than the one that it was last written with.
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

/// An event, and the workflows that wait for such events in any version, with what they call them.
pub struct Addressed {
    pub event: Arc<CloudEvent>,
    pub workflows: BTreeMap<&'static str, Vec<Kind>>,
    /// Those of them that such events start.
    pub starts: BTreeMap<&'static str, Opening>,
}

/// A kind of event that an event is of.
pub struct Kind {
    /// What the definition calls it.
    pub name: &'static str,
    /// The correlation value of the executions that the event is for, if it is not for all.
    pub correlation: Option<Str>,
}

/// What is stored of an execution beside its parts.
pub struct Found {
    pub id: String,
    pub workflow: String,
    pub hash: u64,
    pub states: Vec<String>,
}
