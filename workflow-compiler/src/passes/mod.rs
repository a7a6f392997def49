//! The passes in the order of execution. Each pass states what holds after it.

// Every transition leads to a state of its own scope, and names are unique.
// AFTER THIS POINT: lookups of states by name succeed.
mod resolve_targets;

// Reads the schemas that the options name. Tasks have the shapes of their data.
mod bind_schemas;

// Parses the input path of the correlation key.
mod bind_correlation;

// Warns about unreachable states and cycles without an exit.
mod check_reachable;

// Variables have a value where they are read.
mod check_variables;

// States carry a bounded number of variables.
mod check_live_variables;

// The workflow has a bounded number of nodes.
mod check_size;

// Infers the shapes of the data, and reports paths to members that cannot exist.
mod infer_shapes;

// AFTER THIS POINT: a workflow with errors goes no further.

// Tasks get Rust names. Applies bindings of the user and reports keys that collide.
mod name_tasks;

// Cuts states into basic blocks at every suspension point.
// AFTER THIS POINT: there is a `machine::Machine`. Later passes on it read the HIR for names only.
mod lower_machine;

// Reads settings at their use.
mod read_settings;

// Drops blocks that nothing leads to.
mod drop_unreachable;

// Removes blocks that only jump.
mod thread_jumps;

// Merges a block into its only predecessor.
mod merge_blocks;

// Transitions that close a cycle, and one in every long chain, go through a resume point.
// AFTER THIS POINT: the native stack is bounded whatever the definition.
mod limit_chains;

// Computes parameters, payloads, and the locals that may be moved.
// AFTER THIS POINT: the payloads of resume points are final.
mod compute_liveness;

// Computes values that are only passed on where they are used.
mod propagate_copies;

// Gives a local that takes the last value of another one its identifier.
mod coalesce_locals;

// Sorts blocks into the order of the definition.
mod sort_blocks;

// Names the locals of each function.
mod name_locals;

// Names the functions of blocks.
mod name_functions;

// Names the functions of programs.
mod name_programs;

// Marks the blocks whose functions take the turn.
// AFTER THIS POINT: the machine is final.
mod mark_turns;

// Collects the tables of the module from the HIR.
// AFTER THIS POINT: no decision is left to the emitter.
mod collect_tables;

mod order;
#[cfg(all(test, feature = "asl", feature = "yaml"))]
mod tests;

pub use bind_correlation::bind_correlation;
pub use bind_schemas::{BoundSchemas, bind_schemas};
pub use collect_tables::collect_tables;
#[cfg(all(test, feature = "serverless-workflow"))]
pub use infer_shapes::shape_of;
pub use infer_shapes::{InferredShapes, ScopeShapes, StateShapes, count_paths, infer_shapes, infer_tasks};
pub use name_tasks::name_tasks;

use crate::diagnostics::Diagnostics;
use crate::hir::{Outline, Workflow};
use crate::index::IndexVec;
use crate::machine::{Machine, Stage, TaskNames};
use crate::model::TaskId;
use crate::options::Options;
use crate::shapes::{Shape, TypedPaths};

/// The results of the checks of a workflow.
#[derive(Debug)]
pub struct CheckResults {
    /// The names of its tasks.
    pub tasks: IndexVec<TaskId, TaskNames>,
    /// The paths into values of the program's types.
    pub paths: TypedPaths,
    /// The shape of its output.
    pub output: Shape,
}

/// Checks a workflow.
pub fn check(workflow: &Workflow, options: &Options, diagnostics: &mut Diagnostics) -> CheckResults {
    let outline = Outline::from(workflow);
    resolve_targets::resolve_targets(&outline, diagnostics);
    if diagnostics.has_errors() {
        return CheckResults { tasks: IndexVec::new(), paths: TypedPaths::default(), output: Shape::any() };
    }
    check_reachable::check_reachable(&outline, diagnostics);
    check_variables::check_variables(workflow, diagnostics);
    check_live_variables::check_live_variables(workflow, diagnostics);
    check_size::check_size(workflow, diagnostics);
    let (paths, output) = match diagnostics.has_errors() {
        true => (TypedPaths::default(), Shape::any()),
        false => infer_shapes::infer_typed(workflow, options, diagnostics),
    };
    CheckResults { tasks: name_tasks(workflow, options, diagnostics), paths, output }
}

/// Checks states and their transitions only, for a definition that is refused anyway.
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
    "merge_blocks",
    "limit_chains",
    "compute_liveness",
    "propagate_copies",
    "coalesce_locals",
    "sort_blocks",
    "name_locals",
    "name_functions",
    "name_programs",
    "mark_turns",
];

/// The places where debug builds check the machine. Release builds do not check it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verified {
    /// After each pass: a defect is reported after the pass in which it arises.
    EachPass,
    /// After the first pass, and after the last pass of each stage.
    EachStage,
}

/// The passes after which [`Verified::EachStage`] checks the machine.
const ENDS_OF_STAGES: [&str; 4] = ["lower_machine", "limit_chains", "sort_blocks", "mark_turns"];

/// Lowers a checked workflow. Calls `after` with the machine after each pass.
pub fn lower(workflow: &Workflow, verified: Verified, after: &mut dyn FnMut(&str, &Machine)) -> Machine {
    let mut passed = |name: &str, machine: &Machine, stage: Stage| {
        let is_due = verified == Verified::EachPass || ENDS_OF_STAGES.contains(&name);
        if cfg!(debug_assertions) && is_due {
            assert_eq!(machine.verify(stage), Ok(()), "the machine is inconsistent after {name}");
        }
        after(name, machine);
    };
    let (mut machine, mut names) = lower_machine::lower_machine(workflow);
    passed("lower_machine", &machine, Stage::Lowered);
    read_settings::read_settings(&mut machine, workflow);
    passed("read_settings", &machine, Stage::Lowered);
    thread_jumps::thread_jumps(&mut machine);
    drop_unreachable::drop_unreachable(&mut machine);
    passed("thread_jumps", &machine, Stage::Lowered);
    merge_blocks::merge_blocks(&mut machine);
    drop_unreachable::drop_unreachable(&mut machine);
    passed("merge_blocks", &machine, Stage::Lowered);
    limit_chains::limit_chains(&mut machine, &mut names);
    passed("limit_chains", &machine, Stage::Lowered);
    compute_liveness::compute_liveness(&mut machine);
    passed("compute_liveness", &machine, Stage::Live);
    propagate_copies::propagate_copies(&mut machine);
    passed("propagate_copies", &machine, Stage::Live);
    coalesce_locals::coalesce_locals(&mut machine);
    passed("coalesce_locals", &machine, Stage::Live);
    sort_blocks::sort_blocks(&mut machine, workflow);
    passed("sort_blocks", &machine, Stage::Live);
    name_locals::name_locals(&mut machine, &mut names);
    passed("name_locals", &machine, Stage::Named);
    name_functions::name_functions(&mut machine, &mut names);
    passed("name_functions", &machine, Stage::Named);
    name_programs::name_programs(&mut machine, names);
    passed("name_programs", &machine, Stage::Named);
    mark_turns::mark_turns(&mut machine, workflow);
    passed("mark_turns", &machine, Stage::Marked);
    machine
}
