//! Front end for build scripts: compiles definitions into `OUT_DIR` and reports their dependencies
//! to cargo.

use crate::diagnostics::{Severity, render};
use crate::escape::{instruction, visible};
use crate::files::{Files, read_named};
use crate::passes::names::is_identifier;
use crate::source::Source;
use crate::{CorrelationBinding, FunctionBinding, Options, Output, RustCode, TaskBinding, compile_versions};
use std::path::{Path, PathBuf};

/// The compilation of a definition in a build script.
///
/// ```no_run
/// workflow_compiler::build()
///     .task("ValidateOrder", "validate_order", Some("Order"), Some("Validation"))
///     .compile("flows/order.asl.json");
/// ```
///
/// The program includes the result: `include!(concat!(env!("OUT_DIR"), "/order.rs"));`. A comment
/// at its top names the definition.
#[derive(Debug, Clone, Default)]
#[must_use = "nothing is compiled before `compile` is called"]
pub struct Build {
    options: Options,
    older: Vec<(PathBuf, String)>,
    subflows: Vec<PathBuf>,
    root: Option<PathBuf>,
    out_dir: Option<PathBuf>,
}

/// Creates the configuration of a compilation in a build script.
pub fn build() -> Build {
    Build::default()
}

impl Build {
    /// Binds a task, by its key or by the name of the state that invokes it, to a method and to
    /// Rust types. `None` is `Value`. The input must be `serde::Deserialize` and `Send`, the
    /// output `serde::Serialize`.
    pub fn task(mut self, task: &str, method: &str, input: Option<&str>, output: Option<&str>) -> Self {
        let (task, method) = (task.to_owned(), method.to_owned());
        let (input, output) = (input.map(RustCode::from), output.map(RustCode::from));
        self.options.tasks.push(TaskBinding { task, method, input, output });
        self
    }

    /// Replaces the function of a state by a function of the program: a path or a closure, called
    /// as `Fn(Value, &mut Variables) -> Result<Value, Fault>`. `self.method` names an asynchronous
    /// method of the generated `Tasks` trait, which does not see the variables of the definition.
    pub fn function(mut self, state: &str, function: &str) -> Self {
        self.options.functions.push(FunctionBinding { state: state.to_owned(), function: RustCode::from(function) });
        self
    }

    /// Sets the Rust types of the workflow's input and output. `None` is `Value`. The input must
    /// be `serde::Serialize`, the output `serde::Deserialize`.
    pub fn types(mut self, input: Option<&str>, output: Option<&str>) -> Self {
        self.options.input = input.map(RustCode::from);
        self.options.output = output.map(RustCode::from);
        self
    }

    /// Sets the value of a `${Placeholder}` in the definition.
    pub fn substitute(mut self, name: &str, value: &str) -> Self {
        self.options.substitutions.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Reads the correlation key of executions from a path of their input: `.correlate("patient",
    /// "$.patient.id")`. The attribute must be one by which events of the definition correlate. A
    /// key given at the start of an execution, or by its start event, takes precedence.
    pub fn correlate(mut self, attribute: &str, path: &str) -> Self {
        self.options.correlate.push(CorrelationBinding { attribute: attribute.to_owned(), path: path.to_owned() });
        self
    }

    /// Suppresses a warning or note by its code.
    pub fn allow(mut self, code: &str) -> Self {
        self.options.allow.push(code.to_owned());
        self
    }

    /// Changes any other option.
    pub fn options(mut self, change: impl FnOnce(&mut Options)) -> Self {
        change(&mut self.options);
        self
    }

    /// Compiles an older version of the definition, too, into a module of this name beside the
    /// current version. The path is relative to the package. Executions of the older version end
    /// on it. Its `Tasks` trait has the methods that the current version lacks.
    pub fn version(mut self, path: impl Into<PathBuf>, module: &str) -> Self {
        self.older.push((path.into(), module.to_owned()));
        self
    }

    /// Checks sub-flow calls against another definition, whose path is relative to the package:
    /// its version, and permission to be started by others. The other definition is not compiled.
    pub fn subflow(mut self, path: impl Into<PathBuf>) -> Self {
        self.subflows.push(path.into());
        self
    }

    /// Sets the root folder, relative to the package. Definitions can name files anywhere below
    /// it, also by `..` and symbolic links. It must contain the folders of all definitions. By
    /// default a definition can name files in its own folder and below.
    pub fn root(mut self, folder: impl Into<PathBuf>) -> Self {
        self.root = Some(folder.into());
        self
    }

    /// Writes to this folder instead of `OUT_DIR`.
    pub fn out_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.out_dir = Some(folder.into());
        self
    }

    /// Compiles a definition into `OUT_DIR/<name>.rs`. The path is relative to the package.
    /// Diagnostics become cargo errors and warnings. A refused definition ends the build script
    /// with exit code 1.
    pub fn compile(self, path: impl AsRef<Path>) {
        if let Err(messages) = self.try_compile(path.as_ref()) {
            for message in messages {
                show("error", &message);
            }
            std::process::exit(1);
        }
    }

    fn try_compile(self, path: &Path) -> Result<(), Vec<String>> {
        let root = self.root.as_deref();
        let current = read(path, root)?;
        let mut older = Vec::new();
        for (path, module) in &self.older {
            if !is_identifier(module) || older.iter().any(|(other, _)| other == module) {
                return Err(vec![format!("`{module}` cannot be the module of a version: it is no name, or taken")]);
            }
            older.push((module.clone(), read(path, root)?));
        }
        let mut options = self.options;
        for path in &self.subflows {
            options.subflows.push(read(path, root)?);
        }
        let outputs = compile_versions(current, older, &options);
        let paths = std::iter::once(path).chain(self.older.iter().map(|(path, _)| &**path));
        for (path, output) in paths.zip(&outputs) {
            let folder = folder_of(path);
            for input in &output.inputs {
                rerun_if_changed(&folder.join(input.path.as_str()))?;
            }
        }
        let errors: Vec<String> = outputs.iter().flat_map(report).collect();
        if !errors.is_empty() {
            return Err(errors);
        }
        let Some(out_dir) = self.out_dir.or_else(|| std::env::var_os("OUT_DIR").map(PathBuf::from)) else {
            return Err(vec![
                "`OUT_DIR` is not set: call this from a build script, or name a folder with `out_dir`".into(),
            ]);
        };
        let workflow = outputs.first().and_then(|output| output.workflow.as_ref());
        let name = workflow.map_or("workflow", |workflow| &workflow.name);
        let target = out_dir.join(format!("{}.rs", crate::passes::names::snake_case(name)));
        let codes: Option<Vec<String>> = outputs.iter().map(crate::pretty).collect();
        let code =
            codes.ok_or_else(|| vec!["the definition was refused without a reason: this is a bug".to_owned()])?;
        let code = code.join("\n");
        // An unchanged file keeps its modification time, so that dependents are not rebuilt.
        if std::fs::read_to_string(&target).ok().as_deref() != Some(&code) {
            std::fs::write(&target, code)
                .map_err(|error| vec![format!("cannot write {}: {error}", target.display())])?;
        }
        Ok(())
    }
}

/// Reads a definition of the package, and makes cargo watch it.
fn read(path: &Path, root: Option<&Path>) -> Result<Source, Vec<String>> {
    let file = package().join(path);
    rerun_if_changed(&file)?;
    let bytes = read_named(&file).map_err(|error| vec![format!("cannot read {}: {error}", file.display())])?;
    let source = Source::from_bytes(path.display().to_string(), bytes).map_err(|error| vec![error.to_string()])?;
    let files = match root {
        Some(root) => Files::below(package().join(root), folder_of(path)).map_err(|error| vec![error.to_string()])?,
        None => Files::in_folder(folder_of(path)),
    };
    Ok(source.with_files(files))
}

/// Returns the folder of a definition of the package.
fn folder_of(path: &Path) -> PathBuf {
    package().join(path.parent().unwrap_or(Path::new("")))
}

fn package() -> PathBuf {
    std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default()
}

/// Makes cargo run the build script again when a file changes.
fn rerun_if_changed(file: &Path) -> Result<(), Vec<String>> {
    let line = instruction("rerun-if-changed", &file.display().to_string());
    println!("{}", line.map_err(|error| vec![error.to_string()])?);
    Ok(())
}

/// Prints warnings, and returns errors.
fn report(output: &Output) -> Vec<String> {
    let mut errors = Vec::new();
    for diagnostic in &output.diagnostics {
        let rendered = render::render(diagnostic, &output.sources, false);
        match diagnostic.severity() {
            Severity::Error => errors.push(rendered),
            Severity::Warning | Severity::Note => show("warning", &rendered),
        }
    }
    errors
}

/// Prints a message. cargo takes one line at a time.
fn show(kind: &str, message: &str) {
    for line in message.trim_end().lines() {
        // `visible` leaves no line breaks.
        if let Ok(line) = instruction(kind, &visible(line)) {
            println!("{line}");
        }
    }
}
