//! Pass that infers the shapes of the data at every state, and reports what they show: paths to
//! members that cannot exist, values of a wrong type, and rules that never match.
//!
//! It is a forward analysis over the states of each scope. What is known of the locals is joined
//! where transitions meet, and widened in loops. Where nothing is known nothing is claimed. A
//! definition whose analysis costs too much is not analysed.

#[cfg(feature = "asl")]
mod bindings;
mod condition;
mod env;
mod eval;
mod fits;
mod flow;
#[cfg(feature = "asl")]
mod jsonata;
mod mentions;
mod names;
mod path_checks;
mod print;
mod report;
mod scopes;
mod task_uses;
mod types;

use crate::codes;
use crate::diagnostics::Diagnostics;
use crate::hir::Workflow;
use crate::index::IndexVec;
use crate::model::{ScopeId, TaskId, TaskShapes};
use crate::options::Options;
use crate::schema::codes::WF1253;
use crate::shapes::{PathCheck, PathCount, Shape, TypedPaths};
use crate::source::Span;
#[cfg(all(test, feature = "serverless-workflow"))]
pub use eval::shape_of;
use task_uses::TaskUses;
pub use types::{ProgramTypes, binding_of};

/// The shapes of a workflow's data.
#[derive(Debug, Clone)]
pub struct InferredShapes {
    /// The shapes of each scope.
    pub scopes: IndexVec<ScopeId, ScopeShapes>,
    /// The number of paths through the data, but for those in parts of programs whose shapes are
    /// not inferred.
    pub paths: PathCount,
    /// The paths into values of the program's types.
    pub checks: Vec<PathCheck>,
    /// The output of the workflow.
    pub output: Shape,
    tasks: TaskUses,
}

/// The shapes of a scope's data.
#[derive(Debug, Clone)]
pub struct ScopeShapes {
    /// The shapes of each state. `None` for a state that is never entered.
    pub states: Vec<Option<StateShapes>>,
    /// The output.
    pub output: Shape,
}

/// The shapes of a state's data.
#[derive(Debug, Clone)]
pub struct StateShapes {
    /// The input.
    pub input: Shape,
    /// The output, after all transitions.
    pub output: Shape,
    /// The variables on entry of which something is known, by name.
    pub variables: Vec<(String, Shape)>,
}

/// Infers the shapes, and reports what they show. Returns `None` for a definition whose analysis
/// costs too much.
pub fn infer_shapes(workflow: &Workflow, diagnostics: &mut Diagnostics) -> Option<InferredShapes> {
    infer(workflow, ProgramTypes::default(), diagnostics)
}

/// Infers the shapes of a workflow with types of the program. Returns the paths into values of
/// these types, but for those whose code the options allow, and the shape of the output.
pub fn infer_typed(workflow: &Workflow, options: &Options, diagnostics: &mut Diagnostics) -> (TypedPaths, Shape) {
    let types = ProgramTypes::of(workflow, options);
    let shapes = infer(workflow, types.clone(), diagnostics);
    let allowed: Vec<_> = codes::allowed(&options.allow).collect();
    let (mut checks, output) =
        shapes.map_or_else(|| (Vec::new(), Shape::any()), |shapes| (shapes.checks, shapes.output));
    checks.retain(|check| !allowed.contains(&check.code));
    (types.paths(checks), output)
}

/// Infers the inputs that a workflow passes to each task, and what it reads of the outputs. Of
/// data with a schema the schema decides. Returns `None` for a definition whose analysis costs too
/// much.
pub fn infer_tasks(workflow: &Workflow) -> Option<IndexVec<TaskId, TaskShapes>> {
    let shapes = infer(workflow, ProgramTypes::of_tasks(workflow), &mut Diagnostics::default())?;
    Some(shapes.tasks.shapes(workflow))
}

/// Counts the paths through the data of a workflow, also those in states that are never entered.
pub fn count_paths(workflow: &Workflow) -> usize {
    scopes::Analysis::new(workflow, ProgramTypes::default()).count()
}

fn infer(workflow: &Workflow, types: ProgramTypes, diagnostics: &mut Diagnostics) -> Option<InferredShapes> {
    let names = names::WrittenNames::of(workflow);
    let mut analysis = scopes::Analysis::new(workflow, types);
    analysis.names = Some(&names);
    let (shapes, found) = analysis.run()?;
    // A path that a schema rules out has been reported where it is read.
    let ruled_out = diagnostics.iter().filter(|known| known.code.id == WF1253.id).map(|known| known.span);
    let ruled_out: Vec<Span> = ruled_out.collect();
    for diagnostic in found {
        let span = diagnostic.span;
        if ruled_out.iter().any(|path| path.file == span.file && path.start <= span.start && span.end <= path.end) {
            continue;
        }
        if diagnostics.is_exhausted(diagnostic.span) {
            break;
        }
        diagnostics.push(diagnostic);
    }
    Some(shapes)
}
