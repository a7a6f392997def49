//! Front end for build scripts: compiles definitions into `OUT_DIR` and reports their dependencies
//! to cargo.

use crate::diagnostics::{Diagnostic, Severity, render};
use crate::escape::{instruction, visible};
use crate::files::read_named;
use crate::names::is_identifier;
use crate::source::{Files, Source};
use crate::{CorrelationBinding, FunctionBinding, Options, Output, RustCode, TaskBinding, compile_versions};
use crate::{DescribedValue, SchemaBinding, SchemaFolder};
use proc_macro2::TokenStream;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::Location;
use std::path::{Path, PathBuf};

/// The compilation of a definition in a build script.
///
/// ```no_run
/// workflow_compiler::build()
///     .task("ValidateOrder", "validate_order(Order) -> Validation")
///     .compile("flows/order.asl.json");
/// ```
///
/// The program includes the result: `include!(concat!(env!("OUT_DIR"), "/order.rs"));`. A comment
/// at its top names the definition.
#[derive(Debug, Clone, Default)]
#[must_use = "nothing is compiled before `compile` is called"]
pub struct Build {
    options: Options,
    /// The calls, by the argument of the macro and the key that they stand for.
    calls: BTreeMap<(&'static str, String), Vec<Call>>,
    /// Mistakes in the arguments of calls.
    mistakes: Vec<String>,
    older: Vec<(PathBuf, String, Call)>,
    subflows: Vec<PathBuf>,
    root: Option<PathBuf>,
    out_dir: Option<PathBuf>,
}

/// A call of a method of [`Build`], for messages.
#[derive(Debug, Clone)]
struct Call {
    place: &'static Location<'static>,
    /// The call as text: `.task("Charge", "charge(Order)")`.
    text: String,
}

impl Call {
    /// Returns the call of `method` at the place of the caller.
    #[track_caller]
    fn new(method: &str, arguments: &[&str]) -> Call {
        let arguments: Vec<String> = arguments.iter().map(|argument| format!("{argument:?}")).collect();
        Call { place: Location::caller(), text: format!(".{method}({})", arguments.join(", ")) }
    }

    /// Returns a message with the place of the call.
    fn message(&self, message: &str) -> String {
        let (place, text) = (self.place, visible(&self.text));
        format!("{message}\n  --> {}:{}:{}: {text}", place.file(), place.line(), place.column())
    }
}

/// Creates the configuration of a compilation in a build script.
///
/// See the example of [`Build`].
pub fn build() -> Build {
    Build { options: Options { infer_types: true, ..Options::default() }, ..Build::default() }
}

impl Build {
    /// Binds a task, by its key or by the name of the state that invokes it, to a method with Rust
    /// types: `.task("Scale", "scale(Job) -> Thumbnail")`. The signature is that of `tasks` in
    /// the macro: each type is optional, and `Value` by default. The input must be
    /// `serde::Deserialize` and `Send`, the output `serde::Serialize`.
    #[track_caller]
    pub fn task(mut self, task: &str, signature: &str) -> Self {
        let call = Call::new("task", &[task, signature]);
        let tokens = signature.parse::<TokenStream>();
        match tokens.map(|tokens| TaskBinding::parse(task, tokens)) {
            Ok(Ok(binding)) => self.options.tasks.push(binding),
            Ok(Err(mistake)) => self.mistakes.push(call.message(&mistake.message)),
            Err(mistake) => self.mistakes.push(call.message(&format!("invalid signature: {mistake}"))),
        }
        self.record_call("tasks", task, call)
    }

    /// Records the call that sets a key of an argument.
    fn record_call(mut self, argument: &'static str, key: &str, call: Call) -> Self {
        self.calls.entry((argument, key.to_owned())).or_default().push(call);
        self
    }

    /// Replaces the function of a state by a function of the program: a path or a closure, called
    /// as `Fn(Value, &mut Variables) -> Result<Value, Fault>`. `self.method` names an asynchronous
    /// method of the generated `Tasks` trait, which does not see the variables of the definition.
    #[track_caller]
    pub fn function(mut self, state: &str, function: &str) -> Self {
        self.options.functions.push(FunctionBinding { state: state.to_owned(), function: RustCode::from(function) });
        self.record_call("functions", state, Call::new("function", &[state, function]))
    }

    /// Sets the Rust type of the workflow's input, by default `Value`. It must be
    /// `serde::Serialize`.
    #[track_caller]
    pub fn input(mut self, input: &str) -> Self {
        self.options.input = Some(RustCode::from(input));
        self.record_call("", "input", Call::new("input", &[input]))
    }

    /// Sets the Rust type of the workflow's output, by default `Value`. It must be
    /// `serde::Deserialize`.
    #[track_caller]
    pub fn output(mut self, output: &str) -> Self {
        self.options.output = Some(RustCode::from(output));
        self.record_call("", "output", Call::new("output", &[output]))
    }

    /// Names the JSON Schema of the workflow's input. The path is relative to the package. The
    /// runtime refuses an input that the schema does not allow.
    #[track_caller]
    pub fn input_schema(self, file: &str) -> Self {
        self.schema(None, DescribedValue::Input, file, Call::new("input_schema", &[file]))
    }

    /// Names the JSON Schema of the workflow's output. The path is relative to the package. An
    /// execution with another output fails.
    #[track_caller]
    pub fn output_schema(self, file: &str) -> Self {
        self.schema(None, DescribedValue::Output, file, Call::new("output_schema", &[file]))
    }

    /// Names the JSON Schema of a task's input, by the key of the task or by the name of the state
    /// that invokes it: `.task_input_schema("ChargeCard", "schemas/charge.json")`. The path is
    /// relative to the package. The compiler checks what the definition passes to the task.
    #[track_caller]
    pub fn task_input_schema(self, task: &str, file: &str) -> Self {
        let call = Call::new("task_input_schema", &[task, file]);
        self.schema(Some(task), DescribedValue::Input, file, call)
    }

    /// Names the JSON Schema of a task's result, as [`Build::task_input_schema`] does for its
    /// input. The compiler checks what the definition reads of the result.
    #[track_caller]
    pub fn task_output_schema(self, task: &str, file: &str) -> Self {
        let call = Call::new("task_output_schema", &[task, file]);
        self.schema(Some(task), DescribedValue::Output, file, call)
    }

    fn schema(mut self, task: Option<&str>, value: DescribedValue, file: &str, call: Call) -> Self {
        let (task, file) = (task.map(str::to_owned), file.to_owned());
        let binding = SchemaBinding { task, value, file, is_shared: false };
        let key = binding.key();
        self.options.schemas.push(binding);
        self.record_call("schemas", &key, call)
    }

    /// Sets the value of a `${Placeholder}` in the definition.
    #[track_caller]
    pub fn substitute(mut self, name: &str, value: &str) -> Self {
        self.options.substitutions.insert(name.to_owned(), value.to_owned());
        self.record_call("substitutions", name, Call::new("substitute", &[name, value]))
    }

    /// Reads the correlation key of executions from a path of their input: `.correlate("patient",
    /// "$.patient.id")`. The attribute must be one by which events of the definition correlate. A
    /// key given at the start of an execution, or by its start event, takes precedence.
    #[track_caller]
    pub fn correlate(mut self, attribute: &str, path: &str) -> Self {
        self.options.correlate.push(CorrelationBinding { attribute: attribute.to_owned(), path: path.to_owned() });
        self.record_call("correlate", attribute, Call::new("correlate", &[attribute, path]))
    }

    /// Suppresses a warning or note by its code. A few errors become warnings: their explanations
    /// say so.
    #[track_caller]
    pub fn allow(mut self, code: &str) -> Self {
        self.options.allow.push(code.to_owned());
        self.record_call("allow", code, Call::new("allow", &[code]))
    }

    /// Changes any other option.
    pub fn options(mut self, change: impl FnOnce(&mut Options)) -> Self {
        change(&mut self.options);
        self
    }

    /// Compiles an older version of the definition, too, into a module of this name beside the
    /// current version. The path is relative to the package. Executions of the older version end
    /// on it. Its `Tasks` trait has the methods that the current version lacks.
    #[track_caller]
    pub fn version(mut self, path: impl Into<PathBuf>, module: &str) -> Self {
        let path = path.into();
        let call = Call::new("version", &[&path.display().to_string(), module]);
        self.older.push((path, module.to_owned(), call));
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
        for (path, module, call) in &self.older {
            if !is_identifier(module) || older.iter().any(|(other, _)| other == module) {
                let reason = "it is not a valid name, or is already used";
                return Err(vec![call.message(&format!("`{module}` cannot be the module of a version: {reason}"))]);
            }
            older.push((module.clone(), read(path, root)?));
        }
        let mut options = self.options;
        let mut errors = self.mistakes;
        for path in &self.subflows {
            options.subflows.push(read(path, root)?);
        }
        options.schema_folder = SchemaFolder { name: String::new(), files: Files::in_folder(package()) };
        let outputs = compile_versions(current, older, &options);
        let cargo_out_dir = std::env::var_os("OUT_DIR").map(PathBuf::from);
        // cargo searches a watched folder entirely. These folders change in each build.
        let never: Vec<PathBuf> = cargo_out_dir.iter().chain(&self.out_dir).cloned().chain([package()]).collect();
        let out_dir = self.out_dir.or(cargo_out_dir);
        let mut watched = BTreeSet::new();
        let paths = std::iter::once(path).chain(self.older.iter().map(|(path, ..)| &**path));
        for (path, output) in paths.zip(&outputs) {
            let folder = folder_of(path);
            for input in &output.inputs {
                rerun_if_changed(&folder.join(input.path.as_str()))?;
            }
            let root = root.map_or_else(|| folder.clone(), |root| package().join(root));
            let missing = output.missing_inputs.iter().map(|path| folder.join(path.as_str()));
            watched.extend(missing.filter_map(|path| watched_folder(&path, &root, &never)));
            for input in &output.schema_inputs {
                rerun_if_changed(&package().join(input.path.as_str()))?;
            }
        }
        watched.iter().try_for_each(|folder| rerun_if_changed(folder))?;
        // Every version of the definition can report the same mistake of a call.
        let mut warnings = Vec::new();
        for (severity, rendered) in outputs.iter().flat_map(|output| report(output, &self.calls)) {
            let found = if severity == Severity::Error { &mut errors } else { &mut warnings };
            if !found.contains(&rendered) {
                found.push(rendered);
            }
        }
        warnings.iter().for_each(|warning| show("warning", warning));
        if !errors.is_empty() {
            return Err(errors);
        }
        let Some(out_dir) = out_dir else {
            return Err(vec![
                "`OUT_DIR` is not set: call this from a build script, or name a folder with `out_dir`".into(),
            ]);
        };
        let workflow = outputs.first().and_then(|output| output.workflow.as_ref());
        let name = workflow.map_or("workflow", |workflow| &workflow.name);
        let target = out_dir.join(format!("{}.rs", crate::names::snake_case(name)));
        let codes: Option<Vec<String>> = outputs.iter().map(crate::pretty).collect();
        let code = codes.ok_or_else(|| {
            vec!["the definition was refused without a diagnostic: this is a bug in the compiler".to_owned()]
        })?;
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

/// Returns the folder that cargo watches for a missing file. cargo would rerun at every build if
/// it watched the missing file. Returns the innermost existing folder on the path, if it is below
/// the root and contains none of the folders in `never`.
fn watched_folder(missing: &Path, root: &Path, never: &[PathBuf]) -> Option<PathBuf> {
    let folder = missing.ancestors().skip(1).find(|folder| folder.is_dir())?;
    let real = |folder: &Path| std::fs::canonicalize(folder).ok();
    let (real_folder, real_root) = (real(folder)?, real(root)?);
    let is_wide = never.iter().filter_map(|inner| real(inner)).any(|inner| inner.starts_with(&real_folder));
    (real_folder.starts_with(real_root) && !is_wide).then(|| folder.to_owned())
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

/// Renders errors and warnings. A diagnostic about a key that calls set is at these calls. Notes
/// are left out: `cargo workflow check` shows them.
fn report(output: &Output, calls: &BTreeMap<(&'static str, String), Vec<Call>>) -> Vec<(Severity, String)> {
    let shown = output.diagnostics.iter().filter(|diagnostic| diagnostic.severity() > Severity::Note);
    let render = |diagnostic: &Diagnostic| {
        let about = diagnostic.argument.as_ref();
        let rendered = match about.and_then(|about| calls.get(&(about.argument, about.key.clone()))) {
            Some(calls) => calls.iter().fold(render::render_argument(diagnostic), |text, call| call.message(&text)),
            None => render::render(diagnostic, &output.sources, false),
        };
        (diagnostic.severity(), rendered)
    };
    shown.map(render).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    const DEFINITION: &str = "../tests/macro/flows/order.asl.json";

    /// Checks the errors of a build: the start of each message, and its calls by the number of
    /// lines from `line`.
    #[track_caller]
    fn assert_errors(build: Build, line: u32, expected: &[(&str, &[(u32, &str)])]) {
        let found = build.try_compile(Path::new(DEFINITION)).expect_err("it is refused");
        assert_eq!(found.len(), expected.len(), "{found:#?}");
        for (found, (start, calls)) in found.iter().zip(expected) {
            let place = |(further, call): &(u32, &str)| format!("\n  --> {}:{}:14: {call}", file!(), line + further);
            let places: String = calls.iter().map(place).collect();
            let head = found.find("\n  -->").unwrap_or(found.len());
            assert!(found.starts_with(start) && found[head..] == places, "{found}\n{start}{places}");
        }
    }

    #[test]
    fn mistakes_are_at_their_calls() {
        let line = line!();
        let build = build()
            .task("ValidateOrder", "validate(Vec<Order)")
            .task("ChargeCrd", "charge_card(Charge)")
            .task("ChargeCrd", "charge")
            .task("Ship", "ship -> \u{22}")
            .function("Charge", "crate::charge")
            .input("Order)")
            .output("Vec[");
        let both: &[_] = &[(3, r#".task("ChargeCrd", "charge_card(Charge)")"#), (4, r#".task("ChargeCrd", "charge")"#)];
        let expected: &[(&str, &[(u32, &str)])] = &[
            ("unclosed `<`", &[(2, r#".task("ValidateOrder", "validate(Vec<Order)")"#)]),
            ("invalid signature: ", &[(5, r#".task("Ship", "ship -> \"")"#)]),
            ("WF0602: ", both),
            ("WF0604: duplicate binding of task `ChargeCrd`", both),
            ("WF0604: `Order)` is not a Rust type", &[(7, r#".input("Order)")"#)]),
            ("WF0604: `Vec[` is not a Rust type", &[(8, r#".output("Vec[")"#)]),
            ("WF0605: ", &[(6, r#".function("Charge", "crate::charge")"#)]),
        ];
        assert_errors(build, line, expected);
    }

    #[test]
    fn mistakes_of_options_are_at_their_calls() {
        let line = line!();
        let build = build()
            .correlate("an attribute of no event", "$.id")
            .substitute("NoSuchPlaceholder", "in the definition")
            .allow("WF0201");
        let expected: &[(&str, &[(u32, &str)])] = &[
            ("WF0134: `WF0201` is an error", &[(4, r#".allow("WF0201")"#)]),
            ("WF0606: ", &[(2, r#".correlate("an attribute of no event", "$.id")"#)]),
        ];
        let warned = build.clone();
        assert_errors(build, line, expected);
        let output = crate::check_only(read(Path::new(DEFINITION), None).expect("readable"), &warned.options);
        let warning = report(&output, &warned.calls).into_iter().find(|(severity, _)| *severity == Severity::Warning);
        let place = format!("{}:{}:14: .substitute(\"NoSuchPlaceholder\", \"in the definition\")", file!(), line + 3);
        assert!(warning.is_some_and(|(_, text)| text.starts_with("WF0651: ") && text.ends_with(&place)), "{place}");
    }

    #[test]
    fn a_folder_is_watched_that_contains_neither_the_package_nor_its_output() {
        let top = std::env::temp_dir().join(format!("workflow-watched-{}", std::process::id()));
        let _before = std::fs::remove_dir_all(&top);
        for folder in ["package/flows/own", "package/target/out", "flows/package"] {
            std::fs::create_dir_all(top.join(folder)).expect("a folder can be made");
        }
        let never = [top.join("package"), top.join("package/target/out")];
        for (missing, root, expected) in [
            ("package/flows/none.json", "package/flows", Some("package/flows")),
            ("package/flows/none/none/none.json", "package/flows", Some("package/flows")),
            ("package/flows/own/../none.json", "package/flows", Some("package/flows/own/..")),
            ("flows/none.json", ".", Some("flows")),
            ("package/none.json", "package", None),
            ("package/target/none.json", "package", None),
            ("package/flows/../none.json", ".", None),
            ("none/none.json", ".", None),
            ("package/flows/none.json", "package/flows/own", None),
            ("package/flows/none.json", "nowhere", None),
        ] {
            let found = watched_folder(&top.join(missing), &top.join(root), &never);
            assert_eq!(found, expected.map(|folder| top.join(folder)), "{missing} in {root}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&top, top.join("package/flows/up")).expect("a link can be made");
            let missing = top.join("package/flows/up/none.json");
            assert_eq!(watched_folder(&missing, &top.join("package/flows"), &never), None);
        }
        let _after = std::fs::remove_dir_all(top);
    }

    #[test]
    fn the_module_of_a_version_is_at_its_call() {
        let line = line!() + 1;
        let build = build().version(DEFINITION, "fn");
        let found = build.try_compile(Path::new(DEFINITION)).expect_err("it is refused");
        let place = format!(".rs:{line}:29: .version({DEFINITION:?}, \"fn\")");
        assert!(found.len() == 1 && found[0].ends_with(&place), "{found:?}");
    }
}
