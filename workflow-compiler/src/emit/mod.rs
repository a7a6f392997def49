//! Emission of a [`Module`] as Rust. The emitter makes no decisions: the passes have made all of
//! them.

mod block;
mod command;
mod definition;
mod edited;
mod expr;
mod local;
mod operation;
mod paths;
mod programs;
mod schemas;
mod scripts;
mod state;
mod statics;
mod tasks;
mod type_bounds;

use crate::escape;
use crate::expr::mentions;
use crate::machine::{LocalIdents, Machine, Module};
use crate::model::{ErrorMatch, Jitter, LocalKind, Retrier};
use block::EmitContext;
use proc_macro2::{Literal as Token, Span, TokenStream};
use quote::quote;
use statics::Statics;
use std::collections::BTreeSet;
use type_bounds::{Direction, TypeBounds, Use};

/// Emits the module of a workflow.
pub fn emit(module: &Module<'_>) -> TokenStream {
    let machine = &module.machine;
    let mut statics = Statics::new(Span::call_site());
    let names = LocalIdents::new();
    let cx = EmitContext { module, names: &names };
    let blocks: Vec<TokenStream> =
        machine.blocks.iter().map(|block| block::emit_block(block, &cx, &mut statics)).collect();
    let scripts: Vec<TokenStream> =
        machine.scripts.ids().map(|id| scripts::emit_script(id, &cx, &mut statics)).collect();
    let programs = programs::emit_programs(machine, &mut statics);
    let name = statics.ident(&module.name);
    let doc = doc(&format!(" The workflow `{}` of `{}`.", module.tables.name, module.file()));
    let mut type_bounds = TypeBounds::new(module);
    let (explained, bound) = type_bounds.tasks();
    let workflow = emit_workflow(module, &bound, &mut type_bounds, &statics);
    let schemas = schemas::emit_schemas(module);
    let tasks = tasks::emit_tasks(module, explained, &mut type_bounds, &statics);
    let type_bounds = type_bounds.emit();
    let paths = paths::emit_paths(module);
    let definition = definition::emit_definition(module, &mut statics);
    let texts = definition::emit_texts(&module.tables);
    let points = state::emit_machine(&cx, &statics);
    let retriers = machine.retriers.iter().map(|(name, retriers)| emit_retriers(name, retriers, &statics)).collect();
    let literals = statics.emit();
    // Names around the module are visible for the user's own types only. Explicit imports take
    // precedence over them: a program may have its own `Result`.
    let users_types = module.is_typed().then(|| {
        quote! {
            #[allow(unused_imports, reason = "the types of the program")]
            use super::*;
            #[allow(unused_imports, reason = "the program may have types of these names")]
            use ::core::{
                clone::Clone, convert::Into, iter::Iterator, marker::Send, marker::Sync,
                option::Option::{self, None, Some}, result::Result::{self, Err, Ok},
            };
        }
    });
    let private_types = module
        .is_typed()
        .then(|| quote!(#[allow(private_bounds, private_interfaces, reason = "types of the program can be private")]));
    let translated = (!scripts.is_empty()).then(|| {
        quote! {
            #[allow(
                unused_assignments,
                unused_variables,
                clippy::eq_op,
                clippy::let_and_return,
                clippy::needless_return,
                clippy::never_loop,
                clippy::self_assignment,
                clippy::while_immutable_condition,
                reason = "functions have the structure of their source"
            )]
        }
    });
    let applied = (!scripts.is_empty() || !programs.is_empty()).then(|| {
        let reason = "expressions have the structure of their source";
        quote!(#[allow(clippy::cloned_ref_to_slice_refs, clippy::collapsible_if, reason = #reason)])
    });
    let has_conditions = machine.programs.iter().any(|(_, program)| {
        let signature = program.signature();
        signature.takes_turn && !signature.needs_engine
    });
    let conditions = has_conditions.then(|| {
        let reason = "conditions are those of their source";
        quote!(#[allow(clippy::eq_op, clippy::nonminimal_bool, clippy::overly_complex_bool_expr, reason = #reason)])
    });
    // Clippy takes an `if` behind a `}` on one line for an `else if` without its `else`. The
    // second name is that of older versions.
    let one_line = cfg!(not(feature = "pretty")).then(|| {
        let lints = quote!(clippy::possible_missing_else, clippy::suspicious_else_formatting);
        quote!(#[allow(unknown_lints, #lints, reason = "the code is one line")])
    });
    let own = own(module);
    let code = blocks
        .iter()
        .chain(&scripts)
        .chain(&programs)
        .chain([&workflow, &points, &definition, &literals])
        .chain(&type_bounds);
    let imports = emit_imports(machine, &statics, &tasks, code);
    // One stream costs less than a repetition, which copies each function.
    let functions: TokenStream = blocks.into_iter().chain(scripts).chain(programs).chain([retriers]).collect();
    quote! {
        #doc
        #[allow(dead_code, reason = "a program need not use every item")]
        #[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
        #[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
        #[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
        #[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
        #one_line
        #applied
        #conditions
        #translated
        #private_types
        pub mod #name {
            #users_types
            use ::workflow_runtime::__private as rt;
            use #own rt::{#imports};

            #workflow
            #schemas
            #tasks
            #type_bounds
            #paths
            #definition
            #points
            #functions
            #literals
            #texts
        }
    }
}

/// Emits the names that the module imports from the runtime: those of every module, and those that
/// its code mentions.
fn emit_imports<'a>(
    machine: &Machine,
    statics: &Statics,
    tasks: &TokenStream,
    code: impl IntoIterator<Item = &'a TokenStream>,
) -> TokenStream {
    let mut possible = statics.imports().clone();
    if machine.locals.iter().any(|local| local.kind == LocalKind::Retries) {
        possible.insert("Retries".to_owned());
    }
    let mut names = mentions::mentioned(possible, code);
    names.extend(mentions::mentioned(BTreeSet::from(["Future".to_owned()]), [tasks]));
    names.extend(["Fault", "Outcome", "TaskContext", "Value"].map(str::to_owned));
    let names = names.iter().map(|name| statics.ident(name));
    let get = statics.chains_get.then(|| quote!(Get as _,));
    quote!(#get #(#names),*)
}

/// Returns the prefix of the paths of imports and macros. Where the program's names are imported,
/// there may be a foreign `rt`.
fn own(module: &Module<'_>) -> Option<TokenStream> {
    module.is_typed().then(|| quote!(self::))
}

/// Emits the type that stands for the workflow, and its functions. `bound` is the bound of tasks.
fn emit_workflow(
    module: &Module<'_>,
    bound: &TokenStream,
    type_bounds: &mut TypeBounds<'_>,
    statics: &Statics,
) -> TokenStream {
    let name = statics.ident(&module.type_name);
    let comment = module.tables.comment;
    let doc = doc(&match comment.is_empty() {
        true => format!(" The workflow `{}`.", module.tables.name),
        false => format!(" The workflow `{}`: {comment}", module.tables.name),
    });
    let input = tasks::emit_type(module.input.as_ref(), &module.type_name);
    let output = tasks::emit_type(module.output.as_ref(), &module.type_name);
    let (parameter, builder_type, types) = match (&module.input, &module.output) {
        (None, None) => (quote!(impl rt::IntoInput<Value>), quote!(rt::Builder<#name, Bound<&T>>), None),
        _ => {
            let prefix = type_bounds.prefix(&module.type_name);
            let mut codec = |ty, direction| {
                let whose = format!("the workflow `{}`", module.tables.name);
                let places = vec![("the workflow is defined here".to_owned(), module.tables.span.at_start())];
                type_bounds.codec(&prefix, ty, Use { whose, direction, places }, statics)
            };
            let write = codec(module.input.as_ref(), Direction::WorkflowInput);
            let read = codec(module.output.as_ref(), Direction::WorkflowOutput);
            let builder = quote!(rt::Builder<#name, Bound<&T>, #input, #output>);
            (input.clone(), builder, Some(quote!(.types(#write, #read))))
        }
    };
    let typed = schemas::emit_run(module, bound, &name);
    quote! {
        #doc
        pub struct #name;

        impl #name {
            /// Runs an execution in memory to its end.
            pub async fn run<T: #bound>(tasks: &T, input: #parameter) -> Result<#output, Fault> {
                Self::builder(tasks).run(input).await
            }

            #typed

            /// Configures an execution in memory: name, clock, observers, callbacks, settings.
            pub fn builder<T: #bound>(tasks: &T) -> #builder_type {
                rt::Builder::new().tasks(Bound(tasks))#types
            }

            /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
            pub fn bind<T: rt::Deref<Target: #bound> + Send + Sync>(tasks: T) -> Bound<T> {
                Bound(tasks)
            }
        }
    }
}

fn emit_retriers(name: &str, retriers: &[Retrier], statics: &Statics) -> TokenStream {
    let name = statics.ident(name);
    let retriers = retriers.iter().map(|retrier| {
        let errors = retrier.errors.iter().map(|error| match error {
            ErrorMatch::Named(name) => quote!(rt::ErrorMatch::Named(#name)),
            predefined => {
                let predefined = statics.ident(&format!("{predefined:?}"));
                quote!(rt::ErrorMatch::#predefined)
            }
        });
        let interval = Token::f64_unsuffixed(retrier.interval_seconds);
        let attempts = Token::u32_unsuffixed(retrier.max_attempts);
        let rate = Token::f64_unsuffixed(retrier.backoff_rate);
        let jitter = match retrier.jitter {
            Jitter::None => None,
            Jitter::Full => Some(quote!(.full_jitter())),
            Jitter::Share(share) => {
                let share = Token::f64_unsuffixed(share);
                Some(quote!(.jitter_share(#share)))
            }
            Jitter::Seconds(seconds) => {
                let seconds = Token::f64_unsuffixed(seconds);
                Some(quote!(.jitter_seconds(#seconds)))
            }
        };
        let increment = (retrier.increment_seconds != 0.0).then(|| {
            let seconds = Token::f64_unsuffixed(retrier.increment_seconds);
            quote!(.increment_seconds(#seconds))
        });
        let longest = retrier.max_delay_seconds.map(|seconds| {
            let seconds = Token::f64_unsuffixed(seconds);
            quote!(.max_delay_seconds(#seconds))
        });
        quote!(rt::Retrier::new(&[#(#errors),*], #interval, #attempts, #rate) #increment #longest #jitter)
    });
    quote!(static #name: &[rt::Retrier] = &[#(#retriers),*];)
}

/// Emits a doc comment, which may contain texts of the definition. Long texts are divided.
fn doc(text: &str) -> TokenStream {
    let text = format!(" {}", escape::documentation(text));
    let lines = comment_lines(&text);
    quote!(#(#[doc = #lines])*)
}

/// Divides the text of a comment into lines. Every line after the first begins with a letter or a
/// code span, so that no text becomes a list or a heading. The text has no fence.
fn comment_lines(text: &str) -> Vec<&str> {
    /// The greatest width of a line, in characters.
    const MAX_WIDTH: usize = 88;
    // Most comments fit: the loop over characters costs much more than this test.
    if text.len() <= MAX_WIDTH {
        return vec![text];
    }
    let (mut lines, mut start, mut end, mut width) = (Vec::new(), 0, None, 0);
    for (at, c) in text.char_indices() {
        if c == ' ' && at > start && may_begin_line(&text[at + 1..]) {
            end = Some(at);
        }
        width += 1;
        if width > MAX_WIDTH
            && let Some(space) = end.take()
        {
            lines.push(&text[start..space]);
            (start, width) = (space, text[space..at].chars().count() + 1);
        }
    }
    lines.push(&text[start..]);
    lines
}

fn may_begin_line(rest: &str) -> bool {
    rest.starts_with(char::is_alphabetic) || rest.starts_with('`')
}

#[cfg(test)]
mod tests {
    use super::comment_lines;

    #[test]
    fn a_long_comment_is_divided_before_words() {
        let text = format!(" {} ``` # - 1. word", "many words".repeat(12));
        assert_eq!(comment_lines(&text).concat(), text);
        let lines = comment_lines(&text);
        assert!(lines.len() == 2 && lines.iter().all(|line| line.len() <= 88), "{lines:?}");
        let signs = format!(" {}{}", "a".repeat(90), " - # 1.".repeat(20));
        assert_eq!(comment_lines(&signs), [&*signs]);
    }
}
