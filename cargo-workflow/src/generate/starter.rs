//! Starter crates: the generated module, tasks to be filled in, a command line, cases.

use super::origin::Origin;
use super::services::Services;
use super::{fill, names, write};
use crate::commands::formatted;
use crate::failure::Failure;
use std::collections::BTreeSet;
use std::path::Path;
use workflow_compiler::diagnostics::Diagnostics;
use workflow_compiler::escape::{comment, rust_string, shell_word, toml_string};
use workflow_compiler::files::Input;
use workflow_compiler::hir::{Operation, Workflow};
use workflow_compiler::passes::names::{snake_case, type_name};
use workflow_compiler::source::Source;
use workflow_compiler::{Options, Output, passes};

/// Writes the crate and returns the name of its package. `source` is the definition, and `config`
/// the text of the `workflow.toml` beside it.
pub fn starter(
    folder: &Path,
    source: &Source,
    config: Option<&str>,
    compiled: &Output,
    options: &Options,
    origin: &Origin,
) -> Result<String, Failure> {
    let Some(workflow) = &compiled.workflow else { return Err(Failure::new("the definition was refused")) };
    let package = names::package(&workflow.name);
    let file = comment(source.name.rsplit(['/', '\\']).next().unwrap_or(&source.name));
    let library = package.replace('-', "_");
    let services = Services::of(workflow);
    let dependencies = services.dependency(origin)
        + &origin.dependency("workflow-runner", &["durable"])
        + &origin.runtime(Some(workflow));
    let tasks = tasks(workflow, compiled, options);
    let mocks = mocks(workflow);
    for Input { path, .. } in &compiled.inputs {
        if path.levels_up() > 0 {
            return Err(Failure::with_help(
                format!("`{file}` names the file `{path}`, which is outside its folder"),
                "move the file into the folder of the definition, so that it is copied into the new crate",
            ));
        }
    }
    let values = [
        ("package", &*package),
        ("library", &library),
        ("file", &file),
        ("definition", &shell_word(&format!("flows/{file}"))),
        ("workflow", &comment(&workflow.name)),
        ("module", &snake_case(&workflow.name)),
        ("type", &type_name(&workflow.name)),
        ("dependencies", &dependencies),
        ("stubs", &tasks),
        ("mocks", &mocks),
        ("settings", &settings(workflow)),
        ("not_implemented", if services.are_all { "" } else { NOT_IMPLEMENTED }),
        ("uses", &services.uses(workflow)),
        ("tasks_type", &services.tasks_type(&snake_case(&workflow.name))),
        ("main_uses", services.main_uses()),
        ("main", &services.main(&type_name(&workflow.name))),
    ];
    for (name, template) in [
        ("Cargo.toml", include_str!("../../templates/Cargo.toml.in")),
        (".gitignore", "/target\n# Databases of executions.\n*.db\n*.db-*\n"),
        ("src/lib.rs", include_str!("../../templates/lib.rs.in")),
        ("src/main.rs", include_str!("../../templates/main.rs.in")),
        ("src/tasks.rs", include_str!("../../templates/tasks.rs.in")),
        ("tests/cases.rs", include_str!("../../templates/cases.rs.in")),
        ("case.toml", include_str!("../../templates/case.toml.in")),
    ] {
        write(folder, name, fill(template, &values))?;
    }
    write(folder, "src/generated.rs", &formatted(compiled)?)?;
    write(folder, &format!("flows/{file}"), &*source.text)?;
    for Input { path, content } in &compiled.inputs {
        write(folder, &format!("flows/{path}"), content)?;
    }
    if let Some(config) = config {
        write(folder, "flows/workflow.toml", config)?;
    }
    if let Some(lock) = origin.lock_file() {
        let to = folder.join("Cargo.lock");
        std::fs::copy(&lock, &to).map_err(|error| Failure::file("write", &to, &error))?;
    }
    Ok(package)
}

const NOT_IMPLEMENTED: &str = "
fn not_implemented(task: &str) -> Fault {
    Fault::new(\"NotImplemented\", format!(\"not implemented: {task}\"))
}
";

/// Returns the body of the implementation of the tasks: a method for each task key.
fn tasks(workflow: &Workflow, compiled: &Output, options: &Options) -> String {
    let names = passes::check(workflow, options, &mut Diagnostics::default());
    let mut done = BTreeSet::new();
    let mut text = String::new();
    for (task, names) in workflow.tasks.iter().zip(&names) {
        if !done.insert(&names.method) {
            continue;
        }
        let place = compiled.sources.place(task.span);
        let (key, state, place) = (comment(&task.key), comment(&task.state), comment(&place));
        let method = &names.method;
        let sent = task.operation.as_ref().map(sent).unwrap_or_default();
        let (input, cx, body) = match &task.operation {
            None => ("_input", "_cx", format!("Err(not_implemented({}))", rust_string(&task.key))),
            Some(Operation::Rest(_) | Operation::Http(_)) => {
                ("input", "cx", "self.rest.call(input, &cx).await".to_owned())
            }
            Some(Operation::Rpc(_)) => ("input", "cx", "self.rpc.call(input, &cx).await".to_owned()),
        };
        text.push_str(&format!(
            "
    /// `{key}`, invoked by `{state}` (`{place}`).{sent}
    async fn {method}(&self, {input}: Value, {cx}: TaskContext) -> Result<Value, Fault> {{
        {body}
    }}
"
        ));
    }
    format!("{{{text}}}")
}

/// Returns the sentence in the documentation of a task that names its service operation.
fn sent(operation: &Operation) -> String {
    let what = match operation {
        Operation::Rest(rest) => format!("`{} {}` of `{}`", rest.method, rest.template(), rest.document),
        Operation::Http(http) => format!("`{} {}{}`", http.method, http.start, if http.goes_on { "…" } else { "" }),
        Operation::Rpc(rpc) => format!("`{}/{}`", rpc.service, rpc.method),
    };
    format!(
        "
    /// Operation: {}.",
        comment(&what)
    )
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
