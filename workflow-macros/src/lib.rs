//! The macros `include_workflow!` and `Shape`.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod arguments;
mod shape;

use arguments::Arguments;
use proc_macro2::{Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use syn::{Error, LitStr};
use workflow_compiler::diagnostics::{Diagnostic, Severity, render};
use workflow_compiler::source::Source;
use workflow_compiler::{Files, SchemaFolder};
use workflow_compiler::{Output, compile_versions};

/// Compiles a workflow definition to a module.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use workflow_runtime::prelude::*;
///
/// #[derive(Serialize, Deserialize)]
/// struct Order {
///     amount: f64,
/// }
///
/// include_workflow!(
///     "flows/payment.asl.json",
///     name: "checkout",
///     tasks: { "ChargeCard" => charge_card(Order) -> String },
///     input: Order,
///     allow: ["WF0251"],
/// );
///
/// struct Bank;
///
/// impl checkout::Tasks for Bank {
///     async fn charge_card(&self, order: Order, cx: TaskContext) -> Result<String, Fault> {
///         Ok(format!("{} for {}", cx.idempotency_key(), order.amount))
///     }
/// }
///
/// # fn main() {
/// let run = checkout::Checkout::run(&Bank, Order { amount: 25.0 });
/// # drop(run);
/// # }
/// ```
///
/// | argument | |
/// |---|---|
/// | `name: "order"` | the module and the type; the default is the name of the file |
/// | `tasks: { "ValidateOrder" => validate_order(Order) -> Validation }` | methods and types of tasks |
/// | `input: Order, output: Receipt` | types of the workflow's input and output |
/// | `functions: { "Discount" => \|order, variables\| Ok(order) }` | replacements of authored functions: a closure or a path, which sees the variables |
/// | `functions: { "Price" => self.price }` | the same: an asynchronous method of `Tasks` |
/// | `substitutions: { "Stage" => "prod" }` | values of `${Placeholder}`s |
/// | `schemas: { input = "schemas/order.json", "ChargeCard" => { output = "schemas/receipt.json" } }` | JSON Schemas of the workflow's data and of that of its tasks |
/// | `correlate: { patient = "$.patient.id" }` | the input path of the correlation key |
/// | `versions: { "flows/order.2025.asl.json" => order_2025 }` | older versions, which complete their executions |
/// | `subflows: ["flows/visa.workflow-dsl.json"]` | definitions against which sub-flow calls are checked |
/// | `root: "flows"` | the root folder of files that definitions can name |
/// | `allow: ["WF0251"]` | warnings to suppress |
/// | `dialect: "asl"` | the dialect; by default it is detected |
/// | `default_task_timeout: 300` | the time-out of tasks that specify none, in seconds, or `none` |
/// | `payload_limit: 262_144` | the maximum size of a task's result and of a state's output, in bytes |
/// | `jsonata_limits: { depth = 50, bytes = 1_000_000 }` | the limits of expressions in JSONata |
/// | `express: true` | the restrictions of AWS's Express type |
///
/// The input type of a task must be `serde::Deserialize` and `Send`, and its output type
/// `serde::Serialize`. The input type of the workflow must be `Serialize`, and its output type
/// `Deserialize`.
///
/// `subflows` lists definitions of the Workflow DSL. Their `id`, `version` and `isChild` are
/// compared with the `subFlow` activities of this definition. They are not compiled here: each has
/// an `include_workflow!` of its own.
///
/// `schemas` names JSON Schemas, in files of the package. The runtime checks the input and the
/// output of the workflow against theirs. Those of tasks are for the compiler: it checks what the
/// definition passes to a task and what it reads of the result.
///
/// `root` is a folder around the definitions, relative to the package. Definitions can name files
/// anywhere in it, also through symbolic links. Without `root`, a definition can name files in its
/// own folder and below.
///
/// The path is relative to the folder of the package's `Cargo.toml`. A change of the definition
/// triggers a rebuild. Errors in a definition, or in a file that it names, become compile errors
/// with file, line and column.
#[proc_macro]
pub fn include_workflow(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let expanded = syn::parse(input).and_then(expand);
    expanded.unwrap_or_else(Error::into_compile_error).into()
}

/// Implements `workflow_runtime::Shape`: the shape of the JSON that serde's derived `Serialize`
/// writes, by serde's attributes.
///
/// ```
/// use serde::Serialize;
/// use workflow_runtime::Shape;
///
/// #[derive(Serialize, Shape)]
/// struct Receipt {
///     id: String,
///     #[serde(rename = "total")]
///     amount: f64,
///     #[serde(flatten)]
///     card: Card,
///     #[serde(skip)]
///     notes: Vec<String>,
/// }
///
/// #[derive(Serialize, Shape)]
/// #[serde(tag = "kind", rename_all = "lowercase")]
/// enum Card {
///     Credit { limit: u32 },
///     Debit { account: String },
/// }
/// ```
///
/// A path of a definition to a member that the output of a task never has, such as
/// `$.receipt.amount` here, is then an error of the build.
///
/// The shape of a field whose type has none, or that serde writes by a function of its own
/// (`with`, `serialize_with`), is not known. Neither is the shape of a field whose type is the
/// type itself. A generic type has a shape only if the type parameters that its fields use have
/// one. `#[shape(any)]` on a field, a variant or a type says that nothing is known of it. It is
/// needed where types contain each other in a cycle other than by a `Box`, also through an alias,
/// an `Arc` or an `Option`: rustc reports such a cycle as E0391.
#[proc_macro_derive(Shape, attributes(serde, shape))]
pub fn derive_shape(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let expanded = syn::parse(input).and_then(shape::derive_shape);
    expanded.unwrap_or_else(Error::into_compile_error).into()
}

fn expand(mut arguments: Arguments) -> Result<TokenStream, Error> {
    let base = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let root = arguments.root.as_ref().map(|root| (base.join(root.value()), root.span()));
    let read = |path: &LitStr| {
        let fail = |message: String| Error::new(path.span(), message);
        let file = base.join(path.value());
        let bytes = workflow_compiler::files::read_named(&file)
            .map_err(|error| fail(format!("cannot read the definition {}: {error}", file.display())))?;
        let source = Source::from_bytes(path.value(), bytes).map_err(|error| fail(error.to_string()))?;
        let folder = file.parent().unwrap_or(&base);
        let files = match &root {
            Some((root, span)) => Files::below(root.clone(), folder).map_err(|error| Error::new(*span, error))?,
            None => Files::in_folder(folder),
        };
        Ok(source.with_files(files))
    };
    let current = read(&arguments.path)?;
    let subflows: Result<_, Error> = arguments.subflows.iter().map(read).collect();
    arguments.options.subflows = subflows?;
    arguments.options.in_macro = true;
    arguments.options.schema_folder = SchemaFolder { name: String::new(), files: Files::in_folder(&base) };
    let older = arguments.versions.iter().map(|(path, module)| Ok((module.to_string(), read(path)?)));
    let outputs = compile_versions(current, older.collect::<Result<_, Error>>()?, &arguments.options);
    refuse(&outputs, &arguments)?;
    let mut tokens = TokenStream::new();
    let mut reported = HashSet::new();
    let older = arguments.versions.iter().map(|(path, module)| (path, Some(module.to_string())));
    for ((path, name), output) in std::iter::once((&arguments.path, None)).chain(older).zip(&outputs) {
        let module = module(output, name.as_deref()).map_err(|message| Error::new(path.span(), message))?;
        let warnings = warnings(output, &arguments, &mut reported);
        let file = base.join(path.value());
        let named = output.inputs.iter().map(|input| file.with_file_name("").join(input.path.as_str()));
        let schemas = output.schema_inputs.iter().map(|input| base.join(input.path.as_str()));
        let track = std::iter::once(file.clone()).chain(named).chain(schemas).map(|file| track(&file));
        tokens.extend(quote!(#module #(#track)* #warnings));
    }
    let subflows = arguments.subflows.iter().map(|path| track(&base.join(path.value())));
    tokens.extend(quote!(#(#subflows)*));
    Ok(tokens)
}

/// Fails if a definition has errors. An error about an argument has the span of the argument, or
/// of the key in it. All other errors have the span of the definition's path.
fn refuse(outputs: &[Output], arguments: &Arguments) -> Result<(), Error> {
    let (mut in_definitions, mut errors, mut reported) = (Vec::new(), Vec::<Error>::new(), HashSet::new());
    for output in outputs {
        for found in output.diagnostics.iter().filter(|found| found.severity() == Severity::Error) {
            match span_of(found, arguments) {
                Some(span) => {
                    let message = render::render_argument(found);
                    // Every version of the definition can report the same error.
                    if reported.insert(message.clone()) {
                        errors.push(Error::new(span, message));
                    }
                }
                None => in_definitions.push(render::render(found, &output.sources, false)),
            }
        }
    }
    if !in_definitions.is_empty() {
        let message = format!("the workflow definition has errors\n{}", in_definitions.join("\n"));
        errors.insert(0, Error::new(arguments.path.span(), message));
    }
    let all = errors.into_iter().reduce(|mut all, error| {
        all.combine(error);
        all
    });
    all.map_or(Ok(()), Err)
}

/// Returns the span of the argument, or of the key in it, that a diagnostic is about.
fn span_of(found: &Diagnostic, arguments: &Arguments) -> Option<Span> {
    found.argument.as_ref().and_then(|binding| arguments.span_of(binding.argument, &binding.key))
}

/// Emits warnings, with the spans of [`refuse`]. A macro on stable Rust cannot emit warnings, so
/// each becomes a use of a deprecated constant, whose name contains the lint's. Where the build
/// denies warnings, this would be an error, but a valid definition must not break a build: the
/// warning is printed instead. A crate with `deny(warnings)` in its source uses `allow:`. Notes
/// are not shown: `cargo workflow check` shows them.
fn warnings(output: &Output, arguments: &Arguments, reported: &mut HashSet<String>) -> TokenStream {
    let denied = builds_deny_warnings();
    let mut tokens = TokenStream::new();
    for diagnostic in output.diagnostics.iter().filter(|diagnostic| diagnostic.severity() == Severity::Warning) {
        let (span, rendered) = match span_of(diagnostic, arguments) {
            Some(span) => (span, render::render_argument(diagnostic)),
            None => (arguments.path.span(), render::render(diagnostic, &output.sources, false)),
        };
        // Every version of the definition can report the same warning about an argument.
        if !reported.insert(rendered.clone()) {
            continue;
        }
        if denied {
            eprintln!("{}", rendered.trim_end());
            continue;
        }
        let name = format_ident!("{}", diagnostic.code.name.to_uppercase(), span = span);
        let note = format!("\n{}", rendered.trim_end());
        tokens.extend(quote_spanned! {span =>
            const _: () = {
                #[deprecated(note = #note)]
                const #name: () = ();
                #name
            };
        });
    }
    tokens
}

/// Returns `true` if flags for rustc or clippy deny warnings.
fn builds_deny_warnings() -> bool {
    ["CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS", "CLIPPY_ARGS"].into_iter().any(|name| {
        let flags = std::env::var(name).unwrap_or_default().replace("__CLIPPY_HACKERY__", " ").replace('\u{1f}', " ");
        let flags: String = flags.split_whitespace().collect::<Vec<_>>().join(" ");
        ["-D warnings", "-Dwarnings", "--deny warnings", "--deny=warnings", "-F warnings", "-Fwarnings"]
            .iter()
            .any(|denied| flags.contains(denied))
    })
}

/// Makes rustc watch a file for changes.
fn track(file: &Path) -> TokenStream {
    let path = Literal::string(&file.to_string_lossy());
    quote!(
        const _: &[u8] = ::core::include_bytes!(#path);
    )
}

/// Returns the module. If `WORKFLOW_DEBUG` names a folder, the module is written there as
/// formatted text and included, so that errors and go-to-definition lead to real code.
fn module(output: &Output, name: Option<&str>) -> Result<TokenStream, String> {
    let refused = || "the definition was refused without a diagnostic: this is a bug in the compiler".to_owned();
    let tokens = output.tokens.clone().ok_or_else(refused)?;
    let (Some(folder), Some(workflow)) = (std::env::var_os("WORKFLOW_DEBUG"), &output.workflow) else {
        return Ok(tokens);
    };
    let file = PathBuf::from(folder).join(format!("{}.rs", name.unwrap_or(&workflow.name)));
    let code = workflow_compiler::rustfmt(workflow_compiler::pretty(output).ok_or_else(refused)?);
    std::fs::write(&file, code).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    let path = Literal::string(&file.to_string_lossy());
    Ok(quote!(::core::include!(#path);))
}
