//! The macro `include_workflow!`.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::path::{Path, PathBuf};
use workflow_compiler::arguments::{self, Error};
use workflow_compiler::diagnostics::{Severity, render};
use workflow_compiler::files::Files;
use workflow_compiler::source::Source;
use workflow_compiler::{Output, compile_versions};

/// Compiles a workflow definition to a module.
///
/// ```ignore
/// include_workflow!("flows/order.asl.json");
///
/// include_workflow!(
///     "flows/order.asl.json",
///     // The module and the type. The default is the name of the file.
///     name: "order",
///     // Methods and types of tasks.
///     tasks: { "ValidateOrder" => validate_order(Order) -> Validation },
///     // Types of the workflow's input and output.
///     input: Order, output: Receipt,
///     // Replacements of authored functions.
///     functions: {
///         // A closure or a path, which sees the variables.
///         "Discount" => |order, variables| Ok(order),
///         // An asynchronous method of `Tasks`.
///         "Price" => self.price,
///     },
///     // Values of `${Placeholder}`s.
///     substitutions: { "Stage" => "prod" },
///     // The input path of the correlation key.
///     correlate: { patient = "$.patient.id" },
///     // Older versions, which complete their executions.
///     versions: { "flows/order.2025.asl.json" => order_2025 },
///     // Definitions against which sub-flow calls are checked.
///     subflows: ["flows/visa.workflow-dsl.json"],
///     // The root folder of files that definitions can name.
///     root: "flows",
///     // Warnings to suppress.
///     allow: ["W0201"],
///     dialect: "asl", default_task_timeout: 300, express: true,
/// );
/// ```
///
/// The input type of a task must be `serde::Deserialize` and `Send`, and its output type
/// `serde::Serialize`. The input type of the workflow must be `Serialize`, and its output type
/// `Deserialize`.
///
/// `subflows` lists definitions of the Workflow DSL. Their `id`, `version` and `isChild` are
/// compared with the `subFlow` activities of this definition. They are not compiled here: each has
/// an `include_workflow!` of its own.
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
    expand(input.into()).unwrap_or_else(compile_error).into()
}

fn compile_error(error: Error) -> TokenStream {
    let message = error.message;
    quote_spanned!(error.span => ::core::compile_error!(#message);)
}

fn expand(input: TokenStream) -> Result<TokenStream, Error> {
    let mut arguments = arguments::parse(input)?;
    let span = arguments.span;
    let fail = |message: String| Error { span, message };
    let base = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let root = arguments.root.clone();
    let read = |path: &str| {
        let file = base.join(path);
        let bytes = workflow_compiler::files::read_named(&file)
            .map_err(|error| fail(format!("cannot read the definition {}: {error}", file.display())))?;
        let source = Source::from_bytes(path.to_owned(), bytes).map_err(|error| fail(error.to_string()))?;
        let folder = file.parent().unwrap_or(&base);
        let files = match &root {
            Some(root) => Files::below(base.join(root), folder).map_err(|error| fail(error.to_string()))?,
            None => Files::in_folder(folder),
        };
        Ok(source.with_files(files))
    };
    let current = read(&arguments.path)?;
    let subflows: Result<_, Error> = arguments.subflows.iter().map(|path| read(path)).collect();
    arguments.options.subflows = subflows?;
    let older = arguments.versions.iter().map(|(path, module)| Ok((module.clone(), read(path)?)));
    let outputs = compile_versions(current, older.collect::<Result<_, Error>>()?, &arguments.options);
    let errors: Vec<String> = outputs.iter().flat_map(|output| rendered(output, Severity::Error)).collect();
    if !errors.is_empty() {
        return Err(fail(format!("the workflow definition has errors\n{}", errors.join("\n"))));
    }
    let mut tokens = TokenStream::new();
    let older = arguments.versions.iter().map(|(path, module)| (path, Some(&**module)));
    for ((path, name), output) in std::iter::once((&arguments.path, None)).chain(older).zip(&outputs) {
        let module = module(output, name, &fail)?;
        let warnings = warnings(output, arguments.span);
        let file = base.join(path);
        let named = output.inputs.iter().map(|input| file.with_file_name("").join(input.path.as_str()));
        let track = std::iter::once(file.clone()).chain(named).map(|file| track(&file));
        tokens.extend(quote!(#module #(#track)* #warnings));
    }
    let looked_into = arguments.subflows.iter().map(|path| track(&base.join(path)));
    tokens.extend(quote!(#(#looked_into)*));
    Ok(tokens)
}

fn rendered(output: &Output, severity: Severity) -> Vec<String> {
    let found = output.diagnostics.iter().filter(|found| found.severity() == severity);
    found.map(|found| render::render(found, &output.sources, false)).collect()
}

/// Emits warnings. A macro on stable Rust cannot emit warnings, so each becomes a use of a
/// deprecated constant, whose name contains the lint's. Where the build denies warnings, this
/// would be an error, but a valid definition must not break a build: the warning is printed
/// instead. A crate with `deny(warnings)` in its source uses `allow:`.
fn warnings(output: &Output, span: Span) -> TokenStream {
    let denied = builds_deny_warnings();
    let mut tokens = TokenStream::new();
    for diagnostic in output.diagnostics.iter().filter(|diagnostic| diagnostic.severity() < Severity::Error) {
        let rendered = render::render(diagnostic, &output.sources, false);
        // A note is not a warning.
        if denied || diagnostic.severity() == Severity::Note {
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
fn module(output: &Output, name: Option<&str>, fail: &dyn Fn(String) -> Error) -> Result<TokenStream, Error> {
    let refused = || fail("the definition was refused without a reason: this is a bug".to_owned());
    let tokens = output.tokens.clone().ok_or_else(refused)?;
    let (Some(folder), Some(workflow)) = (std::env::var_os("WORKFLOW_DEBUG"), &output.workflow) else {
        return Ok(tokens);
    };
    let file = PathBuf::from(folder).join(format!("{}.rs", name.unwrap_or(&workflow.name)));
    let code = workflow_compiler::pretty(output).ok_or_else(refused)?;
    std::fs::write(&file, code).map_err(|error| fail(format!("cannot write {}: {error}", file.display())))?;
    let path = Literal::string(&file.to_string_lossy());
    Ok(quote!(::core::include!(#path);))
}
