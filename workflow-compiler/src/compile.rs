//! Compilation from text to tokens. The macro, build scripts and the command line all use these
//! functions.

use crate::codes;
use crate::diagnostics::codes::output::WF0651;
use crate::diagnostics::codes::syntax::{WF0112, WF0134};
use crate::diagnostics::suggest::did_you_mean;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Severity};
use crate::emit;
use crate::files::{Input, Inputs};
use crate::fnv::Fnv;
use crate::hir::Workflow;
use crate::index::IndexVec;
use crate::machine::{CurrentVersion, Machine, Module, TaskNames};
use crate::model::TaskId;
use crate::names;
use crate::options::Options;
use crate::passes::{self, CheckResults, Verified};
use crate::schema::Types;
use crate::shapes::{Shape, TypedPaths};
use crate::source::{FileId, RelativePath, Source, Sources, Span};
use crate::syntax::{Entry, Node, Tree, shown};
use crate::{dialects, syntax};
use proc_macro2::TokenStream;

/// The result of a compilation.
///
/// ```
/// # #[cfg(feature = "asl")] {
/// use workflow_compiler::{Options, Source, compile, render};
///
/// let text = r#"{ "StartAt": "Done", "States": { "End": { "Type": "Succeed" } } }"#;
/// let output = compile(Source::new("done.asl.json", text), &Options::default());
/// for found in &output.diagnostics {
///     println!("{}", render(found, &output.sources, false));
/// }
/// assert!(output.is_refused());
/// # }
/// ```
#[derive(Debug)]
pub struct Output {
    /// The generated module. `None` if the definition is refused.
    pub tokens: Option<TokenStream>,
    /// All files that were parsed, the definition first.
    pub sources: Sources,
    /// Files that the definition names and the compilation read.
    pub inputs: Vec<Input>,
    /// Files of schemas that the options name and the compilation read, relative to
    /// [`Options::schema_folder`].
    pub schema_inputs: Vec<Input>,
    /// The paths at which files would have been read if they existed, relative to the folder of
    /// the definition: those that only describe the results of operations.
    pub missing_inputs: Vec<RelativePath>,
    /// Diagnostics in source order, without the warnings and notes that the options allow.
    pub diagnostics: Vec<Diagnostic>,
    /// The checked workflow.
    #[doc(hidden)]
    pub workflow: Option<Workflow>,
    /// A hash of the meaning of the definition. It does not depend on layout.
    pub hash: u64,
    /// The maximum size of a state's output in bytes, if the options limit it.
    pub data_limit: Option<usize>,
}

impl Output {
    /// Returns `true` if the definition is refused.
    pub fn is_refused(&self) -> bool {
        self.tokens.is_none()
    }
}

/// Compiles one definition.
///
/// See the example of [`Output`].
pub fn compile(source: Source, options: &Options) -> Output {
    let checked = check(source, options);
    let tokens = checked.workflow().map(|workflow| checked.emit(workflow));
    checked.finish(tokens)
}

/// Compiles the current version of a workflow and older versions, each older one into a module of
/// its own. All are versions of one workflow with the current version's name: executions of an
/// older version can end on it, and tasks that the current version has too are implemented once. A
/// binding whose task, function, attribute or placeholder only some versions have applies to these
/// versions.
/// The output of the current version comes first.
///
/// ```
/// # #[cfg(feature = "asl")] {
/// use workflow_compiler::{Options, Source, compile_versions};
///
/// let source = |name| {
///     Source::new(name, r#"{ "StartAt": "Done", "States": { "Done": { "Type": "Succeed" } } }"#)
/// };
/// let older = vec![("order_2025".to_owned(), source("order.2025.asl.json"))];
/// let outputs = compile_versions(source("order.asl.json"), older, &Options::default());
/// assert!(outputs.len() == 2 && outputs.iter().all(|output| !output.is_refused()));
/// # }
/// ```
pub fn compile_versions(current: Source, older: Vec<(String, Source)>, options: &Options) -> Vec<Output> {
    let mut options = Options { name: Some(name_of(&current, options)), ..options.clone() };
    let sources: Vec<&Source> = std::iter::once(&current).chain(older.iter().map(|(_, source)| source)).collect();
    let bound: Vec<BindableNames> = sources.into_iter().map(|source| BindableNames::of(source, &options)).collect();
    let everything = options.clone();
    let mut outputs = Vec::with_capacity(bound.len());
    let mut current_version = None;
    let modules =
        std::iter::once((None, current)).chain(older.into_iter().map(|(module, source)| (Some(module), source)));
    for ((module, source), own) in modules.zip(&bound) {
        let is_elsewhere = |has: &dyn Fn(&BindableNames) -> bool| module.is_some() || bound.iter().any(has);
        options.tasks = everything.tasks.clone();
        options
            .tasks
            .retain(|binding| own.has_task(&binding.task) || !is_elsewhere(&|other| other.has_task(&binding.task)));
        options.schemas = everything.schemas.clone();
        options.schemas.retain(|binding| {
            // Executions of an older version end as they began.
            let Some(task) = &binding.task else { return module.is_none() };
            own.has_task(task) || !is_elsewhere(&|other| other.has_task(task))
        });
        options.functions = everything.functions.clone();
        options.functions.retain(|binding| {
            own.functions.contains(&binding.state) || !is_elsewhere(&|other| other.functions.contains(&binding.state))
        });
        options.correlate = everything.correlate.clone();
        options.correlate.retain(|binding| {
            own.correlates.contains(&binding.attribute)
                || !is_elsewhere(&|other| other.correlates.contains(&binding.attribute))
        });
        options.substitutions = everything.substitutions.clone();
        options.substitutions.retain(|name, _| own.mentions(name) || !is_elsewhere(&|other| other.mentions(name)));
        let checked = check(source, &options);
        let tokens = checked.workflow().map(|workflow| {
            let mut lowered = checked.module(workflow);
            match module {
                None => {
                    current_version =
                        Some(CurrentVersion { module: lowered.name.clone(), tasks: lowered.task_names.clone() })
                }
                Some(module) => {
                    (lowered.name, lowered.current) = (module, current_version.clone());
                    // Its executions may have results of an older form of the types.
                    lowered.paths = TypedPaths::default();
                }
            }
            emit::emit(&lowered)
        });
        outputs.push(checked.finish(tokens));
    }
    outputs
}

/// The names in a definition that can be bound.
#[derive(Default)]
struct BindableNames {
    tasks: Vec<String>,
    functions: Vec<String>,
    correlates: Vec<String>,
    /// Substitutions whose placeholders the definition does not contain.
    unused: Vec<String>,
}

impl BindableNames {
    fn of(source: &Source, options: &Options) -> BindableNames {
        let (Checked { unused, .. }, workflow) = read(source.clone(), options);
        let Some(workflow) = workflow else { return BindableNames { unused, ..BindableNames::default() } };
        let tasks = workflow.tasks.iter().flat_map(|task| [task.key.clone(), task.state.to_string()]);
        let scripts = workflow.scripts.iter().map(|script| &script.state);
        let methods = workflow.tasks.iter().filter(|task| task.is_function).map(|task| &task.state);
        let functions = scripts.chain(methods).map(|state| state.to_string());
        let (tasks, functions) = (tasks.collect(), functions.collect());
        BindableNames { tasks, functions, correlates: workflow.correlation.attributes, unused }
    }

    /// Returns `true` if the definition contains the placeholder of a substitution, or if its
    /// syntax is not valid, so that it may contain it.
    fn mentions(&self, substitution: &String) -> bool {
        !self.unused.contains(substitution)
    }

    fn has_task(&self, name: &str) -> bool {
        self.tasks.iter().any(|known| known == name)
    }
}

/// Parses and checks a definition without generating code.
pub fn check_only(source: Source, options: &Options) -> Output {
    check(source, options).finish(None)
}

/// Returns the machine after each pass of [`passes::MACHINE_PASSES`].
pub fn machines(workflow: &Workflow) -> Vec<(String, Machine)> {
    let mut machines = Vec::new();
    passes::lower(workflow, Verified::EachPass, &mut |pass, machine| machines.push((pass.to_owned(), machine.clone())));
    machines
}

/// A definition that was parsed and checked.
pub struct Checked<'o> {
    options: &'o Options,
    sources: Sources,
    inputs: Vec<Input>,
    schema_inputs: Vec<Input>,
    missing_inputs: Vec<RelativePath>,
    diagnostics: Diagnostics,
    hash: u64,
    /// Substitutions whose placeholders the definition does not contain.
    unused: Vec<String>,
    /// The Rust types of the input and output.
    types: Types,
    /// The workflow, if there are no errors.
    workflow: Option<Workflow>,
    /// The names of its tasks.
    tasks: IndexVec<TaskId, TaskNames>,
    /// The paths into values of the program's types.
    paths: TypedPaths,
}

impl Checked<'_> {
    /// Returns the checked workflow, or `None` if the definition is refused.
    pub fn workflow(&self) -> Option<&Workflow> {
        self.workflow.as_ref()
    }

    /// Lowers and emits a workflow: the checked one, or one that was made of its states and has
    /// at least its tasks.
    pub fn emit(&self, workflow: &Workflow) -> TokenStream {
        emit::emit(&self.module(workflow))
    }

    /// Returns the result of the compilation, with the diagnostics that the options do not allow.
    pub fn finish(self, tokens: Option<TokenStream>) -> Output {
        let Checked { options, sources, inputs, schema_inputs, missing_inputs, diagnostics, hash, workflow, .. } = self;
        let mut diagnostics = diagnostics.finish();
        let allowed: Vec<&Code> = codes::allowed(&options.allow).collect();
        // An error that is allowed stays as a warning.
        let is_dropped = |code: &Code| code.severity < Severity::Error && allowed.contains(&code);
        diagnostics.retain(|diagnostic| !is_dropped(diagnostic.code));
        let data_limit = options.payload_limit;
        for diagnostic in &mut diagnostics {
            diagnostic.span = sources.whole(diagnostic.span);
            diagnostic.related.iter_mut().for_each(|(span, _)| *span = sources.whole(*span));
        }
        Output { tokens, sources, inputs, schema_inputs, missing_inputs, diagnostics, workflow, hash, data_limit }
    }

    /// Lowers a workflow to the module that is emitted.
    fn module<'a>(&'a self, workflow: &'a Workflow) -> Module<'a> {
        let verified = if self.options.in_macro { Verified::EachStage } else { Verified::EachPass };
        Module {
            name: names::snake_case(&workflow.name),
            type_name: names::type_name(&workflow.name),
            hash: self.hash,
            data_limit: self.options.payload_limit,
            jsonata_limits: self.options.jsonata_limits,
            sources: &self.sources,
            machine: passes::lower(workflow, verified, &mut |_, _| {}),
            tables: passes::collect_tables(workflow),
            task_names: match workflow.tasks.len() == self.tasks.len() {
                true => self.tasks.clone(),
                false => passes::name_tasks(workflow, self.options, &mut Diagnostics::default()),
            },
            input: self.options.input.clone(),
            output: self.options.output.clone(),
            types: self.types.clone(),
            paths: self.paths.clone(),
            current: None,
        }
    }
}

/// Parses and checks a definition: the first half of [`compile`].
pub fn check(source: Source, options: &Options) -> Checked<'_> {
    let (mut checked, workflow) = read(source, options);
    let Some(mut workflow) = workflow else { return checked };
    let bound = passes::bind_schemas(&mut workflow, options, &mut checked.sources, &mut checked.diagnostics);
    checked.schema_inputs = bound.inputs;
    if let Some(schemas) = bound.hash {
        let mut hash = Fnv::new();
        [checked.hash, schemas].iter().for_each(|part| hash.write(&part.to_le_bytes()));
        checked.hash = hash.finish();
    }
    passes::bind_correlation(&mut workflow, options, &mut checked.sources, &mut checked.diagnostics);
    let CheckResults { tasks, paths, output } = passes::check(&workflow, options, &mut checked.diagnostics);
    (checked.tasks, checked.paths) = (tasks, paths);
    if !checked.diagnostics.has_errors() {
        // An output that the program names a type for needs no other.
        let is_wanted = options.infer_types && options.output.is_none();
        let inferred = if is_wanted { output } else { Shape::any() };
        let ends = [workflow.input_schema.as_ref(), workflow.output_schema.as_ref()];
        checked.types = Types::of(ends, &inferred, workflow.span, &mut checked.diagnostics);
        checked.workflow = Some(workflow);
    }
    checked
}

/// Parses the syntax tree of a definition, without interpreting it.
pub fn read_tree(source: Source, options: &Options) -> (Node, Sources, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let file = sources.add(source);
    let (tree, diagnostics) = read_syntax(file, &sources, options);
    (tree, sources, diagnostics.finish())
}

/// Parses JSON or YAML. In some dialects it falls back to lenient JSON.
fn read_syntax(file: FileId, sources: &Sources, options: &Options) -> (Node, Diagnostics) {
    let mut found = Diagnostics::default();
    let tree = syntax::read(file, sources, &mut found);
    if is_read(&found) {
        return (tree, found);
    }
    // The fields that determine the dialect may be in the part that strict parsing refuses.
    let mut lenient_diagnostics = Diagnostics::default();
    match syntax::read_leniently(file, sources, &mut lenient_diagnostics) {
        Some(lenient) if dialects::is_lenient(&lenient, &sources.get(file).name, options) => {
            (lenient, lenient_diagnostics)
        }
        _ => (tree, found),
    }
}

/// Parses a definition, without the checks of the whole workflow.
fn read(source: Source, options: &Options) -> (Checked<'_>, Option<Workflow>) {
    let mut sources = Sources::default();
    let name = name_of(&source, options);
    let file = sources.add(source);
    let (tree, diagnostics) = read_syntax(file, &sources, options);
    let mut checked = Checked {
        options,
        sources,
        inputs: Vec::new(),
        schema_inputs: Vec::new(),
        missing_inputs: Vec::new(),
        diagnostics,
        hash: 0,
        unused: Vec::new(),
        types: Types::default(),
        workflow: None,
        tasks: IndexVec::new(),
        paths: TypedPaths::default(),
    };
    if !is_read(&checked.diagnostics) {
        return (checked, None);
    }
    checked.diagnostics.allow(codes::allowed(&options.allow));
    check_allowed(tree.span.at_start(), options, &mut checked.diagnostics);
    checked.unused = unused_substitutions(&tree, options, &mut checked.diagnostics);
    let mut inputs = Inputs::new(checked.sources, file);
    let read = dialects::read(&tree, &name, options, &mut inputs, &mut checked.diagnostics);
    checked.hash = hash(&tree, inputs.hash(), options);
    checked.missing_inputs = inputs.missing().cloned().collect();
    (checked.sources, checked.inputs) = inputs.finish();
    match read {
        Ok(workflow) => (checked, Some(workflow)),
        Err(outline) => {
            passes::check_outline(&outline, &mut checked.diagnostics);
            (checked, None)
        }
    }
}

/// Reports what the option `allow` cannot allow.
fn check_allowed(place: Span, options: &Options, diagnostics: &mut Diagnostics) {
    for code in &options.allow {
        if let Err((message, help)) = codes::allowable(code) {
            diagnostics.push(Diagnostic::new(&WF0134, place, message).help(help).argument("allow", code));
        }
    }
}

/// Returns the substitutions whose placeholders the definition does not contain. Warns of those
/// that it does not share with other definitions.
fn unused_substitutions(tree: &Node, options: &Options, diagnostics: &mut Diagnostics) -> Vec<String> {
    let is_unused = |name: &&String| !mentions(tree, &format!("${{{name}}}"));
    let unused: Vec<String> = options.substitutions.keys().filter(is_unused).cloned().collect();
    for name in unused.iter().filter(|name| !options.shared_substitutions.contains(*name)) {
        let message = format!("the definition has no placeholder `${{{}}}`", shown(name));
        let mut names = Vec::new();
        placeholders(tree, &mut names);
        let help = did_you_mean(name, names).unwrap_or_else(|| "remove the substitution".to_owned());
        diagnostics.push(
            Diagnostic::new(&WF0651, tree.span.at_start(), message)
                .label(format!("`substitutions` has a value for `{}`", shown(name)))
                .help(help)
                .argument("substitutions", name),
        );
    }
    unused
}

fn name_of(source: &Source, options: &Options) -> String {
    options.name.clone().unwrap_or_else(|| source.workflow_name())
}

/// Returns `true` if the syntax is valid. A duplicate key is tolerated: one of the two is dropped,
/// and the rest can be checked.
fn is_read(diagnostics: &Diagnostics) -> bool {
    diagnostics.iter().all(|found| found.severity() < Severity::Error || found.code == &WF0112)
}

/// Returns a hash of the meaning of a definition. It does not depend on layout, comments or the
/// order of keys.
fn hash(tree: &Node, inputs: Option<u64>, options: &Options) -> u64 {
    let mut hash = Fnv::new();
    crate::expr::Literal::from(tree).hash_into(&mut hash);
    if let Some(inputs) = inputs {
        hash.write(&inputs.to_le_bytes());
    }
    // Unused substitutions have no effect on the meaning: another version may use them.
    let used = |name: &str| mentions(tree, &format!("${{{name}}}"));
    for (name, value) in options.substitutions.iter().filter(|(name, _)| used(name)) {
        hash.write(name.as_bytes());
        hash.write(value.as_bytes());
    }
    hash.finish()
}

/// Returns `true` if a text of the definition contains a placeholder.
fn mentions(tree: &Node, placeholder: &str) -> bool {
    any_text(tree, &mut |text| text.contains(placeholder))
}

/// Adds the names of the placeholders in the texts of a definition.
fn placeholders<'a>(tree: &'a Node, names: &mut Vec<&'a str>) {
    any_text(tree, &mut |text| {
        let parts = text.split("${").skip(1);
        names.extend(parts.filter_map(|part| part.split_once('}')).map(|(name, _)| name));
        false
    });
}

/// Returns `true` if a key or a string of the tree has a property. Stops at the first.
fn any_text<'a>(tree: &'a Node, has: &mut dyn FnMut(&'a str) -> bool) -> bool {
    match &tree.tree {
        Tree::String(text) => has(&text.value),
        Tree::Array(items) => items.iter().any(|item| any_text(item, has)),
        Tree::Object(entries) => entries.iter().any(|Entry { key, value }| has(&key.value) || any_text(value, has)),
        Tree::Null | Tree::Bool(_) | Tree::Int(_) | Tree::Float(_) => false,
    }
}

#[cfg(all(test, feature = "workflow-dsl"))]
mod event_tests;
#[cfg(all(test, feature = "asl"))]
mod tests;
