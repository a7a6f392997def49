//! The types of the program that the options name: those of the input and of the outputs of tasks.

use crate::escape::shown;
use crate::hir::Workflow;
use crate::model::{Invoke, Task, TaskId};
use crate::options::{Options, RustCode, TaskBinding};
use crate::shapes::{PathCheck, RustPlace, Shape, TypedPaths, ValueOrigin};
use std::collections::BTreeMap;

/// The types of the program whose values a workflow reads.
#[derive(Debug, Clone, Default)]
pub struct ProgramTypes {
    /// The types, each once.
    list: Vec<RustCode>,
    input: Option<usize>,
    outputs: BTreeMap<TaskId, usize>,
}

impl ProgramTypes {
    /// Returns the types that the options name for a workflow.
    pub fn of(workflow: &Workflow, options: &Options) -> ProgramTypes {
        let mut types = ProgramTypes::default();
        types.input = types.add(options.input.as_ref());
        for (id, task) in workflow.tasks.ids().zip(&workflow.tasks) {
            // A function of the definition has its own protocol.
            let binding = binding_of(task, options).filter(|_| !task.is_function);
            let output = types.add(binding.and_then(|binding| binding.output.as_ref()));
            types.outputs.extend(output.map(|output| (id, output)));
        }
        types
    }

    /// Returns a type for the output of each task: its number is that of the task. No paths are
    /// emitted for such types.
    pub fn of_tasks(workflow: &Workflow) -> ProgramTypes {
        let tasks = workflow.tasks.ids().zip(&workflow.tasks).filter(|(_, task)| !task.is_function);
        let outputs = tasks.map(|(id, _)| (id, id.0 as usize)).collect();
        ProgramTypes { outputs, ..ProgramTypes::default() }
    }

    fn add(&mut self, ty: Option<&RustCode>) -> Option<usize> {
        let ty = ty.filter(|ty| ty.tokens().is_some() && !ty.is_reference())?;
        let known = self.list.iter().position(|known| known == ty);
        Some(known.unwrap_or_else(|| {
            self.list.push(ty.clone());
            self.list.len() - 1
        }))
    }

    /// Returns the shape of the input, if it has a type.
    pub fn input(&self, workflow: &Workflow) -> Option<Shape> {
        let origin = ValueOrigin::new(workflow.span.at_start(), "the input of the workflow");
        self.input.map(|ty| Shape::of_rust(RustPlace { ty, steps: Vec::new() }).from_origin(origin))
    }

    /// Returns the shape of a task's result. A result that arrives by a task token has no type.
    pub fn result(&self, workflow: &Workflow, invoke: &Invoke) -> Shape {
        match self.outputs.get(&invoke.task) {
            Some(ty) if !invoke.callback => {
                let task = &workflow.tasks[invoke.task];
                let origin = ValueOrigin::new(task.span, format!("the output of `{}`", shown(&task.key)));
                Shape::of_rust(RustPlace { ty: *ty, steps: Vec::new() }).from_origin(origin)
            }
            _ => Shape::any(),
        }
    }

    /// Returns the paths with the types that they are paths of.
    pub fn paths(self, checks: Vec<PathCheck>) -> TypedPaths {
        TypedPaths { types: self.list, checks }
    }
}

/// Returns the binding of a task. A binding by state takes precedence over a binding by key.
pub fn binding_of<'a>(task: &Task, options: &'a Options) -> Option<&'a TaskBinding> {
    let by = |name: &str| options.tasks.iter().find(|binding| binding.task == name);
    by(&task.state).or_else(|| by(&task.key))
}
