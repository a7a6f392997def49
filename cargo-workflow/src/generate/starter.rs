//! Starter crates: the macro call for a definition, typed tasks to be filled in, a command line,
//! tests.

use super::origin::Origin;
use super::services::Services;
use super::types::{DataType, Declarations, Direction};
use super::{fill, names, write};
use crate::failure::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use workflow_compiler::diagnostics::Diagnostics;
use workflow_compiler::escape::{comment, rust_string, shell_word, toml_string, visible};
use workflow_compiler::files::Input;
use workflow_compiler::hir::Workflow;
use workflow_compiler::model::{Operation, TaskShapes};
use workflow_compiler::names::{snake_case, type_name};
use workflow_compiler::shapes::Shape;
use workflow_compiler::source::Source;
use workflow_compiler::{DefaultTimeout, JsonataLimits, Options, Output, SchemaBinding, passes};

/// A crate to generate.
pub struct Starter<'a> {
    /// The definition.
    pub source: &'a Source,
    /// The text of the `workflow.toml` that applies to the definition.
    pub config: Option<&'a str>,
    pub compiled: &'a Output,
    pub options: &'a Options,
    pub origin: &'a Origin,
    /// `true` adds a Dockerfile.
    pub docker: bool,
}

impl Starter<'_> {
    /// Writes the crate into an existing folder, and returns the name of its package.
    pub fn write(&self, folder: &Path) -> Result<String, Failure> {
        let Starter { source, compiled, options, .. } = *self;
        let Some(workflow) = &compiled.workflow else { return Err(Failure::new("the definition was refused")) };
        let package = names::package(&workflow.name);
        let module = snake_case(&workflow.name);
        let workflow_type = type_name(&workflow.name);
        if names::hides_crate(&module) || names::hides_type(&workflow_type) {
            return Err(Failure::with_help(
                format!(
                    "the workflow's module `{module}` or its type `{workflow_type}` would have the name of another item of the crate"
                ),
                format!("choose another name for the workflow, such as `--name {module}_workflow`"),
            ));
        }
        let file = comment(source.name.rsplit(['/', '\\']).next().unwrap_or(&source.name));
        for Input { path, .. } in compiled.inputs.iter().chain(&compiled.schema_inputs) {
            if path.levels_up() > 0 {
                return Err(Failure::with_help(
                    format!("`{file}` names the file `{path}`, which is outside its folder"),
                    "move the file into the folder of the definition, so that it is copied into the new crate",
                ));
            }
        }
        let origin = self.origin.relative_to(folder);
        let services = Services::of(workflow);
        let (stubs, declared) = stubs(workflow, compiled, options);
        let library = package.replace('-', "_");
        let dependencies = services.dependency(&origin)
            + &origin.dependency("workflow-runner", &["durable"])
            + &origin.runtime(Some(workflow), &macro_features(workflow, source, compiled));
        let test_dependencies = origin.dependency("workflow-runtime", &["testing"]);
        // A test of a task needs no services.
        let has_task_tests = services.are_none() && !stubs.is_empty();
        let imported = |names: &str| format!("use {library}::{module}::{names};");
        let workflow_and_trait = braces(vec![workflow_type.clone(), "Tasks as _".to_owned()]);
        let task_types_import = format!("use {library}::tasks::{};", task_test_uses(&stubs));
        let uses = services.uses(workflow, &declared.imports);
        let values = [
            ("package", &*package),
            ("library", &library),
            ("file", &file),
            ("definition", &shell_word(&format!("flows/{file}"))),
            ("workflow", &comment(&workflow.name)),
            ("module", &module),
            ("type", &workflow_type),
            ("dependencies", &dependencies),
            ("test_dependencies", &test_dependencies),
            ("type_imports", &type_imports(&stubs)),
            ("arguments", &arguments(&file, workflow, options, &stubs)),
            ("stubs", &methods(&stubs)),
            ("task_types", &declared.text()),
            ("mocks", &mocks(workflow)),
            ("first", if workflow.starts_on.is_some() { "list" } else { "run --input '{}'" }),
            ("test_step", if has_task_tests { TEST_STEP } else { "" }),
            ("settings", &settings(workflow)),
            ("not_implemented", if services.are_all { "" } else { NOT_IMPLEMENTED }),
            ("uses", &uses),
            ("tasks_type", &services.tasks_type(&module)),
            ("main_uses", services.main_uses()),
            ("main", &services.main(&workflow_type)),
            ("task_tests", &task_tests(&workflow_type, &stubs)),
            ("main_imports", &sorted([format!("use {library}::tasks::Tasks;"), imported(&workflow_type)])),
            ("task_test_imports", &sorted([task_types_import, imported(&workflow_and_trait)])),
            ("origin", &origin.moved()),
            ("build_context", &origin.build_context()),
            ("copy_runtime", &origin.docker_copy()),
            ("build_folder", &origin.docker_folder(&package)),
        ];
        let mut files = vec![
            ("Cargo.toml", include_str!("../../templates/Cargo.toml.in")),
            ("README.md", include_str!("../../templates/README.md.in")),
            (".gitignore", "/target\n# Databases of executions.\n*.db\n*.db-*\n"),
            ("src/lib.rs", include_str!("../../templates/lib.rs.in")),
            ("src/main.rs", include_str!("../../templates/main.rs.in")),
            ("src/tasks.rs", include_str!("../../templates/tasks.rs.in")),
            ("tests/cases.rs", include_str!("../../templates/cases.rs.in")),
            ("flows/case.toml", include_str!("../../templates/case.toml.in")),
        ];
        if has_task_tests {
            files.push(("tests/tasks.rs", include_str!("../../templates/task_tests.rs.in")));
        }
        if self.docker {
            files.push(("Dockerfile", include_str!("../../templates/Dockerfile.in")));
            files.push((".dockerignore", "target\n*.db\n*.db-*\n"));
        }
        for (name, template) in files {
            write(folder, name, fill(template, &values))?;
        }
        write(folder, &format!("flows/{file}"), &*source.text)?;
        // A `workflow.toml` is copied to the same folder, so that its paths lead to these files.
        let mut copied = BTreeMap::new();
        for Input { path, content } in compiled.inputs.iter().chain(&compiled.schema_inputs) {
            if copied.insert(path, content).is_some_and(|other| other != content) {
                let message = format!("`{}` is the path of two different files", visible(path.as_str()));
                return Err(Failure::with_help(message, "rename one, so that both can be copied to the same folder"));
            }
            write(folder, &format!("flows/{path}"), content)?;
        }
        if let Some(config) = self.config {
            write(folder, "flows/workflow.toml", config)?;
        }
        if let Some(lock) = self.origin.lock_file() {
            let to = folder.join("Cargo.lock");
            std::fs::copy(&lock, &to).map_err(|error| Failure::file("write", &to, &error))?;
        }
        Ok(package)
    }
}

const TEST_STEP: &str = "\
* `tests/tasks.rs` calls each task. Remove the attribute `ignore` of a task that is implemented.
";

const NOT_IMPLEMENTED: &str = "
fn not_implemented(task: &str) -> Fault {
    Fault::new(\"NotImplemented\", format!(\"not implemented: {task}\"))
}
";

/// Returns the features of the runtime that the macro needs to read the definition.
fn macro_features(workflow: &Workflow, source: &Source, compiled: &Output) -> Vec<&'static str> {
    let has = |is_kind: fn(&Operation) -> bool| {
        workflow.tasks.iter().filter_map(|task| task.operation.as_deref()).any(is_kind)
    };
    // A request that the definition itself describes has the address of the service in place of
    // a document.
    let calls_openapi = has(|operation| matches!(operation, Operation::Rest(rest) if !rest.document.contains("://")));
    let calls_rpc = has(|operation| matches!(operation, Operation::Rpc(_)));
    let is_yaml = source.name.ends_with(".yaml") || source.name.ends_with(".yml");
    // The schemas that the runtime checks need the feature anyway.
    let reads_schemas = !compiled.schema_inputs.is_empty() && !workflow.has_schemas();
    let features = [
        ("macros", true),
        ("json-schema", reads_schemas),
        ("openapi", calls_openapi),
        ("rpc", calls_rpc),
        ("yaml", is_yaml),
    ];
    features.into_iter().filter_map(|(feature, is_needed)| is_needed.then_some(feature)).collect()
}

/// A method of the trait `Tasks`.
struct Stub {
    key: String,
    method: String,
    /// The state that invokes the task, and its place.
    invoked: String,
    body: StubBody,
}

enum StubBody {
    /// The program implements the task.
    Program { input: DataType, output: DataType },
    /// A connector calls the operation of a service. `connector` is the field of the connector.
    Service { connector: &'static str, operation: String },
}

/// Returns a stub for each method of the trait `Tasks`, and the types of the tasks.
fn stubs(workflow: &Workflow, compiled: &Output, options: &Options) -> (Vec<Stub>, Declarations) {
    // The tests of the tasks import the type of the workflow, too.
    let mut declared = Declarations::beside(&type_name(&workflow.name));
    let named = passes::check(workflow, options, &mut Diagnostics::default()).tasks;
    let inferred = passes::infer_tasks(workflow);
    // Tasks of one method have one type.
    let shape_of = |method: &str, part: fn(&TaskShapes) -> &Shape| {
        let shapes = inferred.iter().flat_map(|shapes| shapes.iter()).zip(&named);
        let shapes = shapes.filter(|(_, named)| *named.method == *method).map(|(shapes, _)| part(shapes));
        shapes.fold(Shape::never(), |all, one| all.join(one))
    };
    let mut methods = BTreeSet::new();
    let mut stubs = Vec::new();
    for (task, named) in workflow.tasks.iter().zip(&named) {
        if !methods.insert(named.method.to_string()) {
            continue;
        }
        let method = named.method.to_string();
        let body = match task.operation.as_deref() {
            None => {
                let name = type_name(method.trim_start_matches("r#"));
                let mut declare = |part: fn(&TaskShapes) -> &Shape, word: &str, direction| {
                    let what = format!("the {} of `{}`", word.to_lowercase(), task.key);
                    declared.declare(&shape_of(&method, part), &format!("{name}{word}"), &what, direction)
                };
                let input = declare(|shapes| &shapes.input, "Input", Direction::Input);
                let output = declare(|shapes| &shapes.output, "Output", Direction::Output);
                StubBody::Program { input, output }
            }
            Some(operation) => StubBody::Service {
                connector: if matches!(operation, Operation::Rpc(_)) { "rpc" } else { "rest" },
                operation: operation_text(operation),
            },
        };
        let invoked =
            format!("invoked by `{}` (`{}`)", comment(&task.state), comment(&compiled.sources.place(task.span)));
        stubs.push(Stub { key: task.key.to_string(), method, invoked, body });
    }
    (stubs, declared)
}

/// Returns the arguments of `include_workflow!`: the options of the compilation, and the types of
/// the tasks.
fn arguments(file: &str, workflow: &Workflow, options: &Options, stubs: &[Stub]) -> String {
    let path = rust_string(&format!("flows/{file}"));
    let mut lines = Vec::new();
    lines.extend(options.name.as_deref().map(|name| format!("name: {}", rust_string(name))));
    lines.extend(options.dialect.as_deref().map(|dialect| format!("dialect: {}", rust_string(dialect))));
    if !options.substitutions.is_empty() {
        let pair = |(name, value): (&String, &String)| format!("{} => {}", rust_string(name), rust_string(value));
        lines.push(braced("substitutions", options.substitutions.iter().map(pair)));
    }
    let has = |binding: &&SchemaBinding| {
        let task = binding.task.as_deref();
        task.is_none_or(|name| workflow.tasks.iter().any(|task| task.key == name || *task.state == *name))
    };
    let schemas: Vec<&SchemaBinding> = options.schemas.iter().filter(has).collect();
    if !schemas.is_empty() {
        let named = |SchemaBinding { task, value, file, .. }: &&SchemaBinding| {
            let schema = format!("{} = {}", value.name(), rust_string(&format!("flows/{file}")));
            let of_task = |task: &String| format!("{} => {{ {schema} }}", rust_string(task));
            task.as_ref().map_or_else(|| schema.clone(), of_task)
        };
        lines.push(braced("schemas", schemas.iter().map(named)));
    }
    if !options.allow.is_empty() {
        let codes: BTreeSet<String> = options.allow.iter().map(|code| rust_string(code)).collect();
        lines.push(format!("allow: [{}]", codes.into_iter().collect::<Vec<_>>().join(", ")));
    }
    match options.default_task_timeout {
        DefaultTimeout::Dialect => {}
        DefaultTimeout::Seconds(seconds) => lines.push(format!("default_task_timeout: {seconds}")),
        DefaultTimeout::Unlimited => lines.push("default_task_timeout: none".to_owned()),
    }
    lines.extend(options.payload_limit.map(|bytes| format!("payload_limit: {bytes}")));
    lines.extend(
        options
            .jsonata_limits
            .map(|JsonataLimits { depth, bytes }| format!("jsonata_limits: {{ depth = {depth}, bytes = {bytes} }}")),
    );
    lines.extend(options.express.then(|| "express: true".to_owned()));
    let bound = stubs.iter().filter_map(|stub| match &stub.body {
        StubBody::Program { input, output } => {
            let input = if input.is_value() { String::new() } else { format!("({})", input.code) };
            let output = if output.is_value() { String::new() } else { format!(" -> {}", output.code) };
            Some(format!("{} => {}{input}{output}", rust_string(&stub.key), stub.method))
        }
        StubBody::Service { .. } => None,
    });
    let bound: Vec<String> = bound.collect();
    if !bound.is_empty() {
        lines.push(braced("tasks", bound.into_iter()));
    }
    match lines.is_empty() {
        true => path,
        false => {
            let lines: String = lines.iter().map(|line| format!("    {line},\n")).collect();
            format!("\n    {path},\n{lines}")
        }
    }
}

fn braced(name: &str, entries: impl Iterator<Item = String>) -> String {
    let entries: String = entries.map(|entry| format!("        {entry},\n")).collect();
    format!("{name}: {{\n{entries}    }}")
}

/// Returns the body of the implementation of the trait `Tasks`.
fn methods(stubs: &[Stub]) -> String {
    let mut text = String::new();
    for Stub { key, method, invoked, body } in stubs {
        let key_comment = comment(key);
        let (signature, documentation, body) = match body {
            StubBody::Program { input, output } => (
                format!("_input: {}, _cx: TaskContext) -> Result<{}, Fault>", input.code, output.code),
                String::new(),
                format!("Err(not_implemented({}))", rust_string(key)),
            ),
            StubBody::Service { connector, operation } => (
                "input: Value, cx: TaskContext) -> Result<Value, Fault>".to_owned(),
                format!("\n    /// Operation: {}.", comment(operation)),
                format!("self.{connector}.call(input, &cx).await"),
            ),
        };
        let _ = write!(
            text,
            "
    /// `{key_comment}`, {invoked}.{documentation}
    async fn {method}(&self, {signature} {{
        {body}
    }}
"
        );
    }
    format!("{{{text}}}")
}

/// Returns a test for each task that the program implements.
fn task_tests(workflow_type: &str, stubs: &[Stub]) -> String {
    let test = |Stub { key, method, body, .. }: &Stub| match body {
        StubBody::Program { input, .. } => {
            let reason = rust_string(&format!("implement `{method}` in src/tasks.rs, then remove this line"));
            let values = [
                ("reason", &*reason),
                ("method", method),
                ("type", workflow_type),
                ("key", &rust_string(key)),
                ("input", &input.sample),
            ];
            Some(fill(include_str!("../../templates/task_test.rs.in"), &values))
        }
        StubBody::Service { .. } => None,
    };
    stubs.iter().filter_map(test).collect()
}

/// Returns the `use` declaration of the types of the tasks, for the macro call.
fn type_imports(stubs: &[Stub]) -> String {
    let types = stubs.iter().filter_map(|stub| match &stub.body {
        StubBody::Program { input, output } => Some([input.declared.clone(), output.declared.clone()]),
        StubBody::Service { .. } => None,
    });
    let types: Vec<String> = types.flatten().flatten().collect();
    if types.is_empty() {
        return String::new();
    }
    let line = format!("use tasks::{};\n", braces(types.clone()));
    if line.len() <= 100 {
        return format!("{line}\n");
    }
    let mut types = types;
    types.sort_unstable();
    let mut text = String::from("use tasks::{\n");
    let mut line = String::from("   ");
    for name in types {
        if line.len() + name.len() + 2 > 100 {
            text += &line;
            text.push('\n');
            line = String::from("   ");
        }
        let _ = write!(line, " {name},");
    }
    format!("{text}{line}\n}};\n\n")
}

/// Returns the names that the tests of the tasks import.
fn task_test_uses(stubs: &[Stub]) -> String {
    let inputs = stubs.iter().filter_map(|stub| match &stub.body {
        // Other samples name no struct.
        StubBody::Program { input, .. } => input.declared.clone().filter(|declared| *declared == input.code),
        StubBody::Service { .. } => None,
    });
    braces(inputs.chain(["Tasks".to_owned()]).collect())
}

/// Returns the names of a `use` declaration in the order of rustfmt.
fn braces(mut names: Vec<String>) -> String {
    names.sort_unstable();
    match &names[..] {
        [only] => only.clone(),
        _ => format!("{{{}}}", names.join(", ")),
    }
}

/// Returns two `use` declarations in the order of rustfmt.
fn sorted(mut declarations: [String; 2]) -> String {
    declarations.sort_unstable();
    declarations.join("\n")
}

/// Returns the description of a service operation.
fn operation_text(operation: &Operation) -> String {
    match operation {
        Operation::Rest(rest) => format!("`{} {}` of `{}`", rest.method, rest.template(), rest.document),
        Operation::Http(http) => format!("`{http}`"),
        Operation::Rpc(rpc) => format!("`{}/{}`", rpc.service, rpc.method),
    }
}

/// Returns a mocked reply for each task key, for the case file.
fn mocks(workflow: &Workflow) -> String {
    let mut keys: Vec<&str> = workflow.tasks.iter().map(|task| &*task.key).collect();
    keys.sort_unstable();
    keys.dedup();
    keys.iter().map(|key| format!("{} = [{{ ok = {{}} }}]\n", toml_string(key))).collect()
}

fn settings(workflow: &Workflow) -> String {
    match &workflow.settings[..] {
        [] => String::new(),
        settings => {
            let settings: Vec<String> =
                settings.iter().map(|(_, name)| format!("{} = \"\"", toml_string(name))).collect();
            format!("settings = {{ {} }}\n", settings.join(", "))
        }
    }
}
