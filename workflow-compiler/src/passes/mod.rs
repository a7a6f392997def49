//! The passes, executed in this order. Each says what holds after it.

// Every transition leads to a state of its own scope; names are unique.
// AFTER THIS POINT: states are looked up by name without fail.
mod resolve_targets;

// The path that a program binds the correlation value to is read.
mod bind_correlation;

// Warns of states that nothing leads to, and of circles without a way out.
mod check_reachable;

// Variables have a value where they are read.
mod check_variables;

// States carry a bounded number of variables.
mod check_carried;

// The workflow has a bounded number of parts.
mod check_size;

// AFTER THIS POINT: a workflow with errors goes no further.

// Tasks get Rust names; bindings of the user are applied, keys that collide are reported.
mod name_tasks;

// Cuts states into blocks at every wait.
// AFTER THIS POINT: there is a `machine::Machine`, and the HIR is read for names and places only.
mod lower_machine;

// Settings are read where they are used.
mod read_settings;

// Blocks that only lead on are passed over.
mod thread_jumps;

// Transitions that close a cycle, and one in every long chain, go through a point.
// AFTER THIS POINT: the native stack is bounded whatever the definition.
mod limit_chains;

// Parameters, payloads, and what may be moved.
// AFTER THIS POINT: the payloads of points are final.
mod infer_payloads;

// Values that are only passed on are made where they are needed.
mod fold_copies;

// Programs that become functions are told apart.
// AFTER THIS POINT: nothing is left to decide.
mod name_programs;

pub mod names;
mod order;

pub use bind_correlation::bind_correlation;

use crate::diagnostics::Diagnostics;
use crate::emit::TaskNames;
use crate::hir::{Outline, Workflow};
use crate::machine::Machine;
use crate::options::Options;

/// The passes that check a workflow, whether or not it will be printed.
pub fn check(workflow: &Workflow, options: &Options, diagnostics: &mut Diagnostics) -> Vec<TaskNames> {
    let outline = Outline::from(workflow);
    resolve_targets::resolve_targets(&outline, diagnostics);
    if diagnostics.has_errors() {
        return Vec::new();
    }
    check_reachable::check_reachable(&outline, diagnostics);
    check_variables::check_variables(workflow, diagnostics);
    check_carried::check_carried(workflow, diagnostics);
    check_size::check_size(workflow, diagnostics);
    name_tasks::name_tasks(workflow, options, diagnostics)
}

/// The passes that need no more than the states and their transitions, for a definition that is refused anyway.
pub fn check_outline(outline: &Outline, diagnostics: &mut Diagnostics) {
    if resolve_targets::resolve_targets(outline, diagnostics) && outline.is_complete {
        check_reachable::check_reachable(outline, diagnostics);
    }
}

/// The names of the passes after which `dump` can show the machine, in order.
pub const MACHINE_PASSES: &[&str] = &[
    "lower_machine",
    "read_settings",
    "thread_jumps",
    "limit_chains",
    "infer_payloads",
    "fold_copies",
    "name_programs",
];

/// Lowers a checked workflow; `after` is shown the machine after each pass.
pub fn lower(workflow: &Workflow, after: &mut dyn FnMut(&str, &Machine)) -> Machine {
    let (mut machine, mut names) = lower_machine::lower_machine(workflow);
    after("lower_machine", &machine);
    read_settings::read_settings(&mut machine, workflow);
    after("read_settings", &machine);
    thread_jumps::thread_jumps(&mut machine);
    after("thread_jumps", &machine);
    limit_chains::limit_chains(&mut machine, &mut names);
    after("limit_chains", &machine);
    infer_payloads::infer_payloads(&mut machine);
    after("infer_payloads", &machine);
    fold_copies::fold_copies(&mut machine);
    after("fold_copies", &machine);
    name_programs::name_programs(&mut machine, names);
    after("name_programs", &machine);
    machine
}
