//! Pass that gives every task its Rust names, applies the bindings of the user, and reports keys
//! that collide.
//!
//! After this pass every task has a method. A method serves one key, or the keys that the user
//! bound to it.

use super::infer_shapes::binding_of;
use crate::diagnostics::codes::output::{WF0601, WF0602, WF0603, WF0604, WF0605};
use crate::diagnostics::suggest::nearest;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::hir::Workflow;
use crate::index::IndexVec;
use crate::machine::TaskNames;
use crate::model::{Task, TaskId};
use crate::names::{Names, is_identifier, method_name, normalized};
use crate::options::{NotAMethod, Options, RustCode, TaskBinding};
use crate::source::Span;
use std::collections::BTreeMap;

/// Returns the names of the tasks.
pub fn name_tasks(
    workflow: &Workflow,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> IndexVec<TaskId, TaskNames> {
    check_bindings(workflow, options, diagnostics);
    let mut constants = Names::new(&workflow.name);
    let mut owners: BTreeMap<String, (&Task, Option<&TaskBinding>)> = BTreeMap::new();
    let mut named = IndexVec::new();
    for task in &workflow.tasks {
        let binding = binding_of(task, options);
        let method = match binding {
            Some(binding) => normalized(&binding.method).into_owned(),
            // A program names the methods that replace functions, so the name stays as written.
            None if task.is_function => normalized(&task.method).into_owned(),
            None => method_name(&task.method),
        };
        if task.is_function && method != normalized(&task.method) {
            report_renamed(task, &method, diagnostics);
        }
        match owners.get(&method) {
            None => _ = owners.insert(method.clone(), (task, binding)),
            Some((first, other)) => check_shared(task, binding, first, *other, &method, diagnostics),
        }
        let whose = format!("input of the task `{}`", task.key);
        if let Some(TaskBinding { task: key, input, .. }) = binding {
            check_owned(&whose, input.as_ref(), task.span, ("tasks", key), diagnostics);
        }
        named.push(TaskNames {
            constant: constants.constant(&task.state),
            method,
            input: binding.and_then(|binding| binding.input.clone()),
            output: binding.and_then(|binding| binding.output.clone()),
        });
    }
    let whose = format!("output of the workflow `{}`", workflow.name);
    check_owned(&whose, options.output.as_ref(), workflow.span.at_start(), ("", "output"), diagnostics);
    named
}

/// Reports a type that borrows. Input and output types must be owned, because nothing outlives the
/// data that they would borrow from.
fn check_owned(
    whose: &str,
    read: Option<&RustCode>,
    place: Span,
    (argument, key): (&'static str, &str),
    diagnostics: &mut Diagnostics,
) {
    let Some(borrowed) = read.filter(|ty| ty.is_reference()) else { return };
    diagnostics.push(
        Diagnostic::new(&WF0604, place, format!("`{borrowed}` cannot be the {whose}: it borrows its data"))
            .help("use an owned type, such as `String` instead of `&str`")
            .argument(argument, key),
    );
}

fn check_bindings(workflow: &Workflow, options: &Options, diagnostics: &mut Diagnostics) {
    check_rust(workflow, options, diagnostics);
    check_functions(workflow, options, diagnostics);
    for binding in &options.tasks {
        let known = |task: &Task| task.key == binding.task || *task.state == *binding.task;
        if workflow.tasks.iter().any(known) {
            continue;
        }
        let names = workflow.tasks.iter().flat_map(|task| [&*task.key, &*task.state]);
        let help = match nearest(&binding.task, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "bind a task by its key, or by the name of the state that invokes it".to_owned(),
        };
        let message = format!("the definition has no task `{}`", binding.task);
        diagnostics.push(
            Diagnostic::new(&WF0602, workflow.span.at_start(), message)
                .label(format!("`tasks` binds `{}` to `{}`", binding.task, binding.method))
                .help(help)
                .argument("tasks", &*binding.task),
        );
    }
}

fn check_functions(workflow: &Workflow, options: &Options, diagnostics: &mut Diagnostics) {
    for binding in &options.functions {
        let of_scripts = workflow.scripts.iter().map(|script| &*script.state);
        let of_methods = workflow.tasks.iter().filter(|task| task.is_function).map(|task| &*task.state);
        let mut states = of_scripts.chain(of_methods);
        if states.clone().any(|state| *state == *binding.state) {
            continue;
        }
        let near = nearest(&binding.state, &mut states);
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => "name a state that runs a function of the definition".to_owned(),
        };
        let message = format!("the definition has no function in a state `{}`", binding.state);
        diagnostics.push(
            Diagnostic::new(&WF0605, workflow.span.at_start(), message)
                .label(format!("`functions` replaces the function with `{}`", binding.function))
                .help(help)
                .argument("functions", &*binding.state),
        );
    }
}

/// Reports tasks that are bound twice, and bindings that are not Rust code. The macro refuses most
/// of them itself, but a build script passes any text.
fn check_rust(workflow: &Workflow, options: &Options, diagnostics: &mut Diagnostics) {
    let mut report = |(argument, key): (&'static str, &str), message: String, help: &str| {
        let diagnostic = Diagnostic::new(&WF0604, workflow.span.at_start(), message).help(help);
        diagnostics.push(diagnostic.argument(argument, key));
    };
    for (at, binding) in options.tasks.iter().enumerate() {
        if options.tasks[..at].iter().any(|earlier| earlier.task == binding.task) {
            let message = format!("duplicate binding of task `{}`", binding.task);
            report(("tasks", &*binding.task), message, "keep one of the two bindings");
        }
    }
    for (at, binding) in options.functions.iter().enumerate() {
        if options.functions[..at].iter().any(|earlier| earlier.state == binding.state) {
            let message = format!("the function of state `{}` is replaced twice", binding.state);
            report(("functions", &*binding.state), message, "keep one of the two functions");
        }
    }
    for binding in options.tasks.iter().filter(|binding| !is_identifier(&binding.method)) {
        let message =
            format!("the task `{}` is bound to `{}`, which is not a valid method name", binding.task, binding.method);
        report(("tasks", &*binding.task), message, "use letters, digits and `_`, and not a keyword");
    }
    for binding in options.functions.iter().filter(|binding| binding.function.tokens().is_none()) {
        let message = format!("`{}`, bound to the state `{}`, is not a function", binding.function, binding.state);
        report(
            ("functions", &*binding.state),
            message,
            "write a path such as `crate::discount`, or a closure such as `|params, variables| Ok(params)`",
        );
    }
    for binding in options.functions.iter().filter(|binding| binding.method() == Some(Err(NotAMethod))) {
        let message = format!("`{}`, bound to the state `{}`, is not a method", binding.function, binding.state);
        let help = "write `self` and the name of one method of `Tasks`, such as `self.price`";
        report(("functions", &*binding.state), message, help);
    }
    let mut check_type = |argument: (&'static str, &str), written: &Option<RustCode>| {
        if let Some(written) = written.as_ref().filter(|written| written.tokens().is_none()) {
            let help = "write a Rust type such as `Vec<Order>` or `crate::orders::Order`";
            report(argument, format!("`{written}` is not a Rust type"), help);
        }
    };
    for binding in &options.tasks {
        check_type(("tasks", &*binding.task), &binding.input);
        check_type(("tasks", &*binding.task), &binding.output);
    }
    check_type(("", "input"), &options.input);
    check_type(("", "output"), &options.output);
}

/// Reports types that `tasks` gives to a method that `functions` names.
fn report_renamed(task: &Task, method: &str, diagnostics: &mut Diagnostics) {
    let named = &task.method;
    let message = format!("the function of state `{}` is bound to two methods, `{named}` and `{method}`", task.state);
    diagnostics.push(
        Diagnostic::new(&WF0603, task.span, message)
            .help(format!("name the same method in `functions` and in `tasks`: `\"{}\" => {named}(…)`", task.key)),
    );
}

fn check_shared(
    task: &Task,
    binding: Option<&TaskBinding>,
    first: &Task,
    other: Option<&TaskBinding>,
    method: &str,
    diagnostics: &mut Diagnostics,
) {
    // The program names methods that replace functions, too.
    let types = |task: &Task, binding: Option<&TaskBinding>| match binding {
        Some(binding) => Some((binding.input.clone(), binding.output.clone())),
        None => task.is_function.then_some((None, None)),
    };
    let (types, others) = (types(task, binding), types(first, other));
    let are_bound = types.is_some() && others.is_some();
    if are_bound && types != others {
        let message = format!("method `{method}` is bound with two different signatures");
        diagnostics.push(
            Diagnostic::new(&WF0603, task.span, message)
                .related(first.span, "bound with other types for this task")
                .help("give the method one signature, or bind the tasks to two methods"),
        );
    } else if (task.key != first.key || task.is_function != first.is_function) && !are_bound {
        let (message, help) = match [(task, first), (first, task)].into_iter().find(|(task, _)| task.is_function) {
            Some((function, other)) => (
                format!(
                    "the function of state `{}` and the task `{}` both map to the method `{method}`",
                    function.state, other.key
                ),
                format!("name another method: `functions: {{ \"{}\" => self.{method}_2 }}`", function.state),
            ),
            None => (
                format!("tasks `{}` and `{}` both map to the method `{method}`", first.key, task.key),
                format!("bind one of them: `tasks: {{ \"{}\" => {method}_2 }}`", task.key),
            ),
        };
        diagnostics.push(Diagnostic::new(&WF0601, task.span, message).related(first.span, "the other task").help(help));
    }
}
