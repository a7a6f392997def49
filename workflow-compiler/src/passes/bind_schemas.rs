//! Pass that reads the JSON Schemas that the options name for the workflow and for its tasks.
//! After this pass the workflow has the schemas of its input and output, and its tasks have the
//! shapes of their data.

use crate::diagnostics::codes::output::{WF0602, WF0607, WF0652};
use crate::diagnostics::suggest::{listed, nearest};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::escape::shown;
use crate::files::{Input, Inputs};
use crate::fnv::Fnv;
use crate::hir::Workflow;
use crate::model::{Task, TaskShapes};
use crate::options::{DescribedValue, Options, SchemaBinding};
use crate::schema::{self, Schema};
use crate::shapes::{Shape, ValueOrigin};
use crate::source::Sources;
use std::collections::{BTreeMap, BTreeSet};

/// The files that the options name, and the hash of those that the meaning of the workflow depends
/// on.
#[derive(Debug, Default)]
pub struct BoundSchemas {
    /// The files that were read.
    pub inputs: Vec<Input>,
    /// The hash of the schemas that the runtime checks, if there are any.
    pub hash: Option<u64>,
}

/// Binds the schemas of the options. The text of each option becomes one of the sources, so that
/// diagnostics about it have a place.
pub fn bind_schemas(
    workflow: &mut Workflow,
    options: &Options,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> BoundSchemas {
    // A description of an operation says nothing about the method that the program binds in its
    // place.
    for task in workflow.tasks.iter_mut() {
        if options.tasks.iter().any(|bound| bound.task == task.key || *bound.task == *task.state) {
            task.shapes = TaskShapes::default();
        }
    }
    if options.schemas.is_empty() {
        return BoundSchemas::default();
    }
    check_bindings(workflow, options, diagnostics);
    let inputs = Inputs::of_options(std::mem::take(sources), &options.schema_folder);
    let mut reader = SchemaReader { inputs, diagnostics, read: BTreeMap::new() };
    // Those of tasks are not part of the meaning, and must not change the hash.
    let mut of_options: Option<Fnv> = None;
    for value in [DescribedValue::Input, DescribedValue::Output] {
        // Two schemas of one value are reported.
        let binding = options.schemas.iter().find(|binding| binding.task.is_none() && binding.value == value);
        let Some(binding) = binding.filter(|_| is_free(workflow, value)) else { continue };
        let schema = reader.schema(binding);
        if let Some(schema) = &schema {
            let hash = of_options.get_or_insert_default();
            hash.write(value.name().as_bytes());
            hash.write(&schema.meaning().to_le_bytes());
        }
        match value {
            DescribedValue::Input => workflow.input_schema = schema,
            DescribedValue::Output => workflow.output_schema = schema,
        }
    }
    let hash = of_options.map(Fnv::finish);
    for task in workflow.tasks.iter_mut() {
        for value in [DescribedValue::Input, DescribedValue::Output] {
            let schema = binding_of(task, value, options).and_then(|binding| reader.schema(binding));
            let Some(schema) = schema else { continue };
            let shape = described(&schema, task, value);
            task.shapes.names.extend(schema.member_names());
            match value {
                DescribedValue::Input => (task.shapes.input, task.shapes.whole) = (shape, None),
                DescribedValue::Output => task.shapes.output = shape,
            }
        }
    }
    let (read, inputs) = reader.inputs.finish();
    *sources = read;
    BoundSchemas { inputs, hash }
}

/// Returns the shape of a task's data, with the schema as its origin.
fn described(schema: &Schema, task: &Task, value: DescribedValue) -> Shape {
    let phrase = format!("the {} of `{}` in the schema `{}`", value.name(), shown(&task.key), shown(schema.name()));
    schema.shape().from_origin(ValueOrigin::new(schema.place(), phrase))
}

/// Returns `true` if a schema can be bound to the input or the output of the workflow.
fn is_free(workflow: &Workflow, value: DescribedValue) -> bool {
    match value {
        DescribedValue::Input => workflow.input_schema.is_none() && workflow.starts_on.is_none(),
        DescribedValue::Output => workflow.output_schema.is_none(),
    }
}

/// Returns `true` if a binding names the task.
fn names(binding: &SchemaBinding, name: &str) -> bool {
    binding.task.as_deref() == Some(name)
}

/// Returns the schema of a task's data. A binding by state takes precedence over one by key.
fn binding_of<'a>(task: &Task, value: DescribedValue, options: &'a Options) -> Option<&'a SchemaBinding> {
    let by = |name: &str| options.schemas.iter().find(|binding| binding.value == value && names(binding, name));
    by(&task.state).or_else(|| by(&task.key))
}

/// Reports bindings of tasks that the workflow does not have, of values with another schema, and
/// of values that are bound twice.
fn check_bindings(workflow: &Workflow, options: &Options, diagnostics: &mut Diagnostics) {
    let place = workflow.span.at_start();
    let free = [DescribedValue::Input, DescribedValue::Output].map(|value| free_tasks(workflow, options, value));
    for (at, binding) in options.schemas.iter().enumerate() {
        let (key, value) = (binding.key(), binding.value.name());
        let label = format!("`schemas` names `{}` for {}", shown(&binding.file), whose(binding));
        let earlier = &options.schemas[..at];
        if earlier.iter().any(|other| other.task == binding.task && other.value == binding.value) {
            let message = format!("two schemas are named for {}", whose(binding));
            let diagnostic = Diagnostic::new(&WF0607, place, message).label(label);
            diagnostics.push(diagnostic.help("keep one of them").argument("schemas", key));
            continue;
        }
        let Some(name) = &binding.task else {
            // A definition that shares the options can have a schema of its own.
            if binding.is_shared || is_free(workflow, binding.value) {
                continue;
            }
            let (message, help) = match workflow.starts_on.is_some() && workflow.input_schema.is_none() {
                true => (
                    "no schema can be named for the input: events start the workflow".to_owned(),
                    "describe the data of the events in the definition, if its dialect has schemas",
                ),
                false => (format!("the definition names a schema for its {value} itself"), "keep one of the two"),
            };
            let diagnostic = Diagnostic::new(&WF0607, place, message).label(label);
            diagnostics.push(diagnostic.help(help).argument("schemas", key));
            continue;
        };
        let known = |task: &Task| task.key == *name || *task.state == **name;
        let keys: BTreeSet<&str> = workflow.tasks.iter().filter(|task| known(task)).map(|task| &*task.key).collect();
        if keys.len() > 1 {
            let message = format!("`{}` names the tasks {}", shown(name), listed(keys));
            let diagnostic = Diagnostic::new(&WF0607, place, message).label(label);
            diagnostics.push(diagnostic.help("name one task by its key").argument("schemas", key));
            continue;
        }
        if !keys.is_empty() || earlier.iter().any(|other| other.task == binding.task) {
            continue;
        }
        let tasks = &free[binding.value as usize];
        let (code, help) = match (nearest(name, tasks.iter().copied()), binding.is_shared) {
            (Some(near), false) => (&WF0602, format!("did you mean `{near}`?")),
            (Some(near), true) => {
                (&WF0652, format!("did you mean `{near}`? If another definition has the task, allow `WF0652`"))
            }
            (None, false) => {
                (&WF0602, "name a task by its key, or by the name of the state that invokes it".to_owned())
            }
            // Another definition has the task.
            (None, true) => continue,
        };
        let message = format!("the definition has no task `{}`", shown(name));
        diagnostics.push(Diagnostic::new(code, place, message).label(label).help(help).argument("schemas", key));
    }
}

/// Returns the keys and states of the tasks for whose value no schema is named.
fn free_tasks<'a>(workflow: &'a Workflow, options: &Options, value: DescribedValue) -> Vec<&'a str> {
    let of_value = options.schemas.iter().filter(|binding| binding.value == value);
    let bound: BTreeSet<&str> = of_value.filter_map(|binding| binding.task.as_deref()).collect();
    let is_free = |task: &&Task| !bound.contains(&*task.key) && !bound.contains(&*task.state);
    workflow.tasks.iter().filter(is_free).flat_map(|task| [&*task.key, &*task.state]).collect()
}

/// Returns the described value in words.
fn whose(binding: &SchemaBinding) -> String {
    let value = binding.value.name();
    binding.task.as_ref().map_or_else(|| format!("the {value}"), |task| format!("the {value} of `{}`", shown(task)))
}

/// A reader of the schemas that options name.
struct SchemaReader<'a, 'o> {
    inputs: Inputs,
    diagnostics: &'a mut Diagnostics,
    /// The schemas by the texts of options. `None` for one that cannot be read, which has been
    /// reported.
    read: BTreeMap<&'o str, Option<Schema>>,
}

impl<'o> SchemaReader<'_, 'o> {
    /// Reads a schema. A diagnostic about the text of the option has the option as its place.
    fn schema(&mut self, binding: &'o SchemaBinding) -> Option<Schema> {
        if let Some(known) = self.read.get(&*binding.file) {
            return known.clone();
        }
        let text = self.inputs.option(format!("{} in `schemas`", whose(binding)), &binding.file);
        let mut found = Diagnostics::default();
        let schema = schema::read(&text, &mut self.inputs, &mut found);
        for diagnostic in found.finish() {
            let is_option = diagnostic.span.file == text.span.file;
            self.diagnostics.push(match is_option {
                true => diagnostic.argument("schemas", binding.key()),
                false => diagnostic,
            });
        }
        self.read.insert(&binding.file, schema.clone());
        schema
    }
}
