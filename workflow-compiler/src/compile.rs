//! From text to tokens: the one way through the compiler that every front takes.

use crate::diagnostics::codes::syntax::E0112;
use crate::diagnostics::{Diagnostic, Diagnostics, Severity};
use crate::emit::{self, Fnv, Header, TaskNames, Today};
use crate::files::{Input, Inputs};
use crate::hir::Workflow;
use crate::machine::Machine;
use crate::options::Options;
use crate::passes::{self, names};
use crate::schema::Types;
use crate::single_state::single_state;
use crate::source::{FileId, Source, Sources};
use crate::syntax::{Node, Tree};
use crate::{dialects, syntax};
use proc_macro2::TokenStream;

/// What a compilation yields.
#[derive(Debug)]
pub struct Output {
    /// The generated module; none where the definition is refused.
    pub tokens: Option<TokenStream>,
    /// Every file that was read, the definition first.
    pub sources: Sources,
    /// The files around the definition that were read for it.
    pub inputs: Vec<Input>,
    /// What was found, in source order; what the options allow is left out.
    pub diagnostics: Vec<Diagnostic>,
    /// The checked workflow.
    pub workflow: Option<Workflow>,
    /// A hash of what the definition means: the same however it is laid out.
    pub hash: u64,
    /// The largest output of a state in bytes, where the options limit it.
    pub data_limit: Option<usize>,
}

impl Output {
    /// Whether the definition is refused.
    pub fn is_refused(&self) -> bool {
        self.tokens.is_none()
    }
}

/// Compiles one definition.
pub fn compile(source: Source, options: &Options) -> Output {
    let mut front = check(source, options);
    let Some((workflow, tasks)) = front.workflow.take() else { return front.finish(options, None, None) };
    let machine = passes::lower(&workflow, &mut |_, _| {});
    let tokens = emit::emit(&machine, &header(&workflow, tasks, &front, options));
    front.finish(options, Some(tokens), Some(workflow))
}

/// Compiles today's version of a workflow and older ones, each with the module it is to be. They are one workflow, of today's name:
/// what an older one started can end on it, and the tasks that today's version has, too, are not implemented twice. Bindings
/// that only some versions have a task, a function or an attribute for count for those. Today's output comes first.
pub fn compile_versions(today: Source, older: Vec<(String, Source)>, options: &Options) -> Vec<Output> {
    let mut options = Options { name: Some(name_of(&today, options)), ..options.clone() };
    let sources: Vec<&Source> = std::iter::once(&today).chain(older.iter().map(|(_, source)| source)).collect();
    let bound: Vec<Bound> = sources.into_iter().map(|source| Bound::of(source, &options)).collect();
    let everything = options.clone();
    let mut outputs = Vec::with_capacity(bound.len());
    let mut beside = None;
    let modules =
        std::iter::once((None, today)).chain(older.into_iter().map(|(module, source)| (Some(module), source)));
    for ((module, source), own) in modules.zip(&bound) {
        let is_elsewhere = |has: &dyn Fn(&Bound) -> bool| module.is_some() || bound.iter().any(has);
        options.tasks = everything.tasks.clone();
        options.tasks.retain(|binding| own.task(&binding.task) || !is_elsewhere(&|other| other.task(&binding.task)));
        options.functions = everything.functions.clone();
        options.functions.retain(|binding| {
            own.functions.contains(&binding.state) || !is_elsewhere(&|other| other.functions.contains(&binding.state))
        });
        options.correlate = everything.correlate.clone();
        options.correlate.retain(|binding| {
            own.correlates.contains(&binding.attribute)
                || !is_elsewhere(&|other| other.correlates.contains(&binding.attribute))
        });
        let mut front = check(source, &options);
        let Some((workflow, tasks)) = front.workflow.take() else {
            outputs.push(front.finish(&options, None, None));
            continue;
        };
        let machine = passes::lower(&workflow, &mut |_, _| {});
        let mut header = header(&workflow, tasks, &front, &options);
        match module {
            None => beside = Some(Today { module: header.module.clone(), tasks: header.tasks.clone() }),
            Some(module) => (header.module, header.today) = (module, beside.clone()),
        }
        let tokens = emit::emit(&machine, &header);
        outputs.push(front.finish(&options, Some(tokens), Some(workflow)));
    }
    outputs
}

/// What of a definition can be bound.
#[derive(Default)]
struct Bound {
    tasks: Vec<String>,
    functions: Vec<String>,
    correlates: Vec<String>,
}

impl Bound {
    fn of(source: &Source, options: &Options) -> Bound {
        let (_, workflow) = read(source.clone(), options);
        let Some(workflow) = workflow else { return Bound::default() };
        let tasks = workflow.tasks.iter().flat_map(|task| [task.key.clone(), task.state.to_string()]);
        let scripts = workflow.scripts.iter().map(|script| &script.state);
        let methods = workflow.tasks.iter().filter(|task| task.is_function).map(|task| &task.state);
        let functions = scripts.chain(methods).map(|state| state.to_string());
        let (tasks, functions) = (tasks.collect(), functions.collect());
        Bound { tasks, functions, correlates: workflow.correlation.attributes }
    }

    fn task(&self, name: &str) -> bool {
        self.tasks.iter().any(|known| known == name)
    }
}

/// Compiles one state of a definition as a workflow of its own, which yields where the state would lead and with what: see
/// the text of the module `single_state`. No tokens where the definition has no such state.
pub fn compile_state(source: Source, options: &Options, state: &str) -> Output {
    let mut front = check(source, options);
    let Some((workflow, tasks)) = front.workflow.take() else { return front.finish(options, None, None) };
    let single = single_state(&workflow, state);
    let tokens = single.map(|single| {
        let machine = passes::lower(&single, &mut |_, _| {});
        emit::emit(&machine, &header(&single, tasks, &front, options))
    });
    front.finish(options, tokens, Some(workflow))
}

/// Reads and checks one definition without generating code.
pub fn check_only(source: Source, options: &Options) -> Output {
    let mut front = check(source, options);
    let workflow = front.workflow.take().map(|(workflow, _)| workflow);
    front.finish(options, None, workflow)
}

/// The machine after each pass, as [`passes::MACHINE_PASSES`] names them.
pub fn machines(workflow: &Workflow) -> Vec<(String, Machine)> {
    let mut machines = Vec::new();
    passes::lower(workflow, &mut |pass, machine| machines.push((pass.to_owned(), machine.clone())));
    machines
}

/// The result of the checking half.
struct Front {
    sources: Sources,
    inputs: Vec<Input>,
    diagnostics: Diagnostics,
    hash: u64,
    /// The Rust types of what it takes and yields.
    types: Types,
    /// The workflow and the names of its tasks, where there were no errors.
    workflow: Option<(Workflow, Vec<TaskNames>)>,
}

impl Front {
    fn finish(self, options: &Options, tokens: Option<TokenStream>, workflow: Option<Workflow>) -> Output {
        let mut diagnostics = self.diagnostics.finish();
        let allowed = |found: &Diagnostic| {
            found.severity() < Severity::Error
                && options.allow.iter().any(|code| code.eq_ignore_ascii_case(found.code.id) || code == found.code.name)
        };
        diagnostics.retain(|found| !allowed(found));
        let data_limit = options.payload_limit;
        let Front { sources, inputs, hash, .. } = self;
        for found in &mut diagnostics {
            found.span = sources.whole(found.span);
            found.related.iter_mut().for_each(|(span, _)| *span = sources.whole(*span));
        }
        Output { tokens, sources, inputs, diagnostics, workflow, hash, data_limit }
    }
}

fn check(source: Source, options: &Options) -> Front {
    let (mut front, workflow) = read(source, options);
    let Some(mut workflow) = workflow else { return front };
    passes::bind_correlation(&mut workflow, options, &mut front.sources, &mut front.diagnostics);
    let tasks = passes::check(&workflow, options, &mut front.diagnostics);
    if !front.diagnostics.has_errors() {
        front.types = Types::of(&workflow, &mut front.diagnostics);
        front.workflow = Some((workflow, tasks));
    }
    front
}

/// The tree of a definition, whatever becomes of it later.
pub fn read_tree(source: Source, options: &Options) -> (Node, Sources, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let file = sources.add(source);
    let (tree, diagnostics) = read_syntax(file, &sources, options);
    (tree, sources, diagnostics.finish())
}

/// Reads JSON or YAML; in some dialects also what is almost JSON, where it is neither.
fn read_syntax(file: FileId, sources: &Sources, options: &Options) -> (Node, Diagnostics) {
    let mut found = Diagnostics::default();
    let tree = syntax::read(file, sources, &mut found);
    if is_read(&found) {
        return (tree, found);
    }
    // The fields that tell the dialect may be among what cannot be read as JSON.
    let mut mended = Diagnostics::default();
    match syntax::read_leniently(file, sources, &mut mended) {
        Some(lenient) if dialects::is_lenient(&lenient, &sources.get(file).name, options) => (lenient, mended),
        _ => (tree, found),
    }
}

/// Reads one definition, without the checks that need all of it.
fn read(source: Source, options: &Options) -> (Front, Option<Workflow>) {
    let mut sources = Sources::default();
    let name = name_of(&source, options);
    let file = sources.add(source);
    let (tree, diagnostics) = read_syntax(file, &sources, options);
    let mut front =
        Front { sources, inputs: Vec::new(), diagnostics, hash: 0, types: Types::default(), workflow: None };
    if !is_read(&front.diagnostics) {
        return (front, None);
    }
    let mut inputs = Inputs::new(front.sources, file);
    let read = dialects::read(&tree, &name, options, &mut inputs, &mut front.diagnostics);
    front.hash = hash(&tree, inputs.hash(), options);
    (front.sources, front.inputs) = inputs.finish();
    match read {
        Ok(workflow) => (front, Some(workflow)),
        Err(outline) => {
            passes::check_outline(&outline, &mut front.diagnostics);
            (front, None)
        }
    }
}

fn name_of(source: &Source, options: &Options) -> String {
    options.name.clone().unwrap_or_else(|| workflow_name(&source.name))
}

/// Whether the text was read as it is written: of two equal keys one is left out, and the rest can be checked.
fn is_read(diagnostics: &Diagnostics) -> bool {
    diagnostics.iter().all(|found| found.severity() < Severity::Error || found.code == &E0112)
}

fn header<'a>(workflow: &'a Workflow, tasks: Vec<TaskNames>, front: &'a Front, options: &Options) -> Header<'a> {
    Header {
        workflow,
        sources: &front.sources,
        module: names::snake_case(&workflow.name),
        name: names::type_name(&workflow.name),
        hash: front.hash,
        tasks,
        payload_limit: options.payload_limit,
        input: options.input.clone(),
        output: options.output.clone(),
        types: front.types.clone(),
        today: None,
    }
}

/// The file's name without its extensions: `flows/order.asl.json` is `order`.
pub(crate) fn workflow_name(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let name = name.split('.').next().unwrap_or(name);
    if name.is_empty() { "workflow".to_owned() } else { name.to_owned() }
}

/// A hash of what the definition says, not of how it is laid out: keys in any order and comments apart, the same
/// definition has the same hash.
fn hash(tree: &Node, inputs: Option<u64>, options: &Options) -> u64 {
    let mut hash = Fnv::new();
    crate::expr::Literal::from(tree).hash_into(&mut hash);
    if let Some(inputs) = inputs {
        hash.write(&inputs.to_le_bytes());
    }
    // What is not used makes no difference: another version may use it.
    let used = |name: &str| mentions(tree, &format!("${{{name}}}"));
    for (name, value) in options.substitutions.iter().filter(|(name, _)| used(name)) {
        hash.write(name.as_bytes());
        hash.write(value.as_bytes());
    }
    hash.finish()
}

/// Whether a text of the definition has this in it.
fn mentions(tree: &Node, placeholder: &str) -> bool {
    match &tree.tree {
        Tree::String(text) => text.value.contains(placeholder),
        Tree::Array(items) => items.iter().any(|item| mentions(item, placeholder)),
        Tree::Object(entries) => {
            entries.iter().any(|entry| entry.key.value.contains(placeholder) || mentions(&entry.value, placeholder))
        }
        Tree::Null | Tree::Bool(_) | Tree::Int(_) | Tree::Float(_) => false,
    }
}

#[cfg(all(test, feature = "workflow-dsl"))]
mod event_tests;
#[cfg(all(test, feature = "asl"))]
mod tests;
