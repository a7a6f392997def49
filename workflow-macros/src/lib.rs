//! `include_workflow!`: a pipe from its arguments through the compiler to tokens.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::path::{Path, PathBuf};
use workflow_compiler::arguments::{self, Error};
use workflow_compiler::diagnostics::{Severity, render};
use workflow_compiler::files::Files;
use workflow_compiler::source::Source;
use workflow_compiler::{Output, compile_versions};

/// Compiles a workflow definition to a module, at build time.
///
/// ```ignore
/// include_workflow!("flows/order.asl.json");
///
/// include_workflow!(
///     "flows/order.asl.json",
///     name: "order",                                                 // the module and the type; the file's name otherwise
///     tasks: { "ValidateOrder" => validate_order(Order) -> Validation },  // methods and types of tasks
///     input: Order, output: Receipt,                                 // types of the workflow itself
///     functions: {                                                   // what runs in place of a composition's functions:
///         "Discount" => |order, variables| Ok(order),                //   a closure or a path, which sees the variables,
///         "Price" => self.price,                                     //   or a method of `Tasks`, which may wait
///     },
///     substitutions: { "Stage" => "prod" },                          // values of `${Placeholder}`s
///     correlate: { patient = "$.patient.id" },                       // where the input has the value that events correlate by
///     versions: { "flows/order.2025.asl.json" => order_2025 },      // older versions, which end what they have started
///     subflows: ["flows/visa.workflow-dsl.json"],                   // definitions that sub-flows can name, to be checked against
///     root: "flows",                                                 // files that definitions name can be anywhere in this folder
///     allow: ["W0201"],                                              // warnings not to be shown
///     dialect: "asl", default_task_timeout: 300, express: true,
/// );
/// ```
///
/// What a task is given is `serde::Deserialize` and `Send`, and what it yields is `serde::Serialize`; the input of the workflow is
/// `Serialize`, and its output `Deserialize`.
///
/// `subflows` lists definitions of the Workflow DSL whose `id`, `version` and `isChild` are compared with what the `subFlow`
/// activities of this one ask for. They are not compiled by this: each has an `include_workflow!` of its own.
///
/// `root` is a folder around the definitions, relative to the package: files that they name can be anywhere in it. Without
/// it they can be in the folder of the definition that names them and below. Symbolic links may lead as far.
///
/// The path is relative to the folder of the package's `Cargo.toml`. Editing the definition rebuilds. What is wrong with a
/// definition is shown as a compile error with its own file, line and column. The same goes for files that it names.
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
        Ok(source.among(files))
    };
    let today = read(&arguments.path)?;
    let subflows: Result<_, Error> = arguments.subflows.iter().map(|path| read(path)).collect();
    arguments.options.subflows = subflows?;
    let older = arguments.versions.iter().map(|(path, module)| Ok((module.clone(), read(path)?)));
    let outputs = compile_versions(today, older.collect::<Result<_, Error>>()?, &arguments.options);
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

/// Stable Rust has no warnings of macros: a use of a constant that is deprecated shows one, and the lint's name in it.
/// Where the build denies warnings that would be an error, and a definition that is legal must not break a build: the
/// warning is printed then. A crate that says `deny(warnings)` itself silences by `allow:`.
fn warnings(output: &Output, span: Span) -> TokenStream {
    let denied = builds_deny_warnings();
    let mut tokens = TokenStream::new();
    for found in output.diagnostics.iter().filter(|found| found.severity() < Severity::Error) {
        let rendered = render::render(found, &output.sources, false);
        // A note is no warning.
        if denied || found.severity() == Severity::Note {
            eprintln!("{}", rendered.trim_end());
            continue;
        }
        let name = format_ident!("{}", found.code.name.to_uppercase(), span = span);
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

/// Whether cargo was told to deny warnings, by flags for rustc or for clippy.
fn builds_deny_warnings() -> bool {
    ["CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS", "CLIPPY_ARGS"].into_iter().any(|name| {
        let flags = std::env::var(name).unwrap_or_default().replace("__CLIPPY_HACKERY__", " ").replace('\u{1f}', " ");
        let flags: String = flags.split_whitespace().collect::<Vec<_>>().join(" ");
        ["-D warnings", "-Dwarnings", "--deny warnings", "--deny=warnings", "-F warnings", "-Fwarnings"]
            .iter()
            .any(|denied| flags.contains(denied))
    })
}

/// Makes rustc look at a file again when it changes.
fn track(file: &Path) -> TokenStream {
    let path = Literal::string(&file.to_string_lossy());
    quote!(
        const _: &[u8] = ::core::include_bytes!(#path);
    )
}

/// The module. With `WORKFLOW_DEBUG` set to a folder, it is written there as formatted text and included, so that errors
/// and go-to-definition land in real code.
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
