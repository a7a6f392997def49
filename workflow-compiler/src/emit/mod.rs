//! Emission of a machine as Rust. The emitter makes no decisions: the passes have made all of
//! them.

mod block;
mod command;
mod expr;
pub mod format;
pub mod graph;
mod header;
mod operation;
mod programs;
mod schemas;
mod scripts;
mod state;
mod statics;
mod tasks;
mod type_bounds;

pub use header::{CurrentVersion, Header};

use crate::escape;
use crate::expr::mentions;
use crate::hir::{
    Active, AwaitedEvent, Correlation, ErrorMatch, EventId, Jitter, OnTimeout, ReadCorrelation, Retrier, Schedule,
    ScriptId, Workflow, WorkflowId,
};
use crate::machine::{LocalIdents, Machine};
use crate::names::IMPORTED_TYPES;
use block::EmitContext;
use proc_macro2::{Ident, Literal as Token, Span, TokenStream};
use quote::quote;
use statics::Statics;
use std::collections::BTreeSet;
use std::sync::Arc;
use type_bounds::{Direction, TypeBounds, Use};

/// Emits the module of a workflow.
pub fn emit(machine: &Machine, header: &Header<'_>) -> TokenStream {
    let mut statics = Statics::new(Span::call_site());
    let names = LocalIdents::new();
    let cx = EmitContext { machine, header, names: &names };
    let blocks: Vec<TokenStream> =
        machine.blocks.iter().map(|block| block::emit_block(block, &cx, &mut statics)).collect();
    let scripts: Vec<TokenStream> =
        (0..machine.scripts.len() as u32).map(|at| scripts::emit_script(ScriptId(at), &cx, &mut statics)).collect();
    let programs = programs::emit_programs(machine, &mut statics);
    let module = statics.ident(&header.module);
    let doc = doc(&format!(" The workflow `{}` of `{}`.", header.workflow.name, source_name(header)));
    let mut type_bounds = TypeBounds::new(header);
    let (explained, bound) = type_bounds.tasks();
    let workflow = emit_workflow(header, &bound, &mut type_bounds, &statics);
    let schemas = schemas::emit_schemas(header);
    let tasks = tasks::emit_tasks(header, explained, &mut type_bounds, &statics);
    let type_bounds = type_bounds.emit();
    let definition = emit_definition(machine, header, &mut statics);
    let points = state::emit_machine(&cx, &statics);
    let retriers: Vec<TokenStream> =
        machine.retriers.iter().map(|(name, retriers)| emit_retriers(name, retriers, &statics)).collect();
    let literals = statics.emit();
    // Names around the module are visible for the user's own types only. Explicit imports take
    // precedence over them: a program may have its own `Result`.
    let users_types = header.is_typed().then(|| {
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
    let private_types = header
        .is_typed()
        .then(|| quote!(#[allow(private_bounds, private_interfaces, reason = "types of the program can be private")]));
    let translated = (!scripts.is_empty()).then(|| {
        quote! {
            #[allow(
                unused_assignments,
                unused_variables,
                clippy::eq_op,
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
    let own = own(header);
    let items = quote! {
        #workflow
        #schemas
        #tasks
        #type_bounds
        #definition
        #points
        #(#blocks)*
        #(#scripts)*
        #(#programs)*
        #(#retriers)*
        #literals
    };
    let mentioned = mentions::count(&items);
    let types = IMPORTED_TYPES.iter().filter(|name| mentioned.contains_key(**name)).map(|name| statics.ident(name));
    let modules = statics.modules();
    let is_module = |name: &&Ident| !IMPORTED_TYPES.iter().any(|ty| *name == ty);
    let modules = modules.iter().filter(is_module).filter(|name| mentioned.contains_key(&name.to_string()));
    let get = statics.chains_get.then(|| quote!(Get as _,));
    quote! {
        #doc
        #[allow(dead_code, reason = "a program need not use every item")]
        #[allow(nonstandard_style, clippy::enum_variant_names, reason = "names are authored")]
        #[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
        #[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
        #[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
        #applied
        #translated
        #private_types
        pub mod #module {
            #users_types
            use ::workflow_runtime::__private as rt;
            use #own rt::{#get #(#types,)* #(#modules),*};

            #items
        }
    }
}

/// Returns the prefix of the paths of imports and macros. Where the program's names are imported,
/// there may be a foreign `rt`.
fn own(header: &Header<'_>) -> Option<TokenStream> {
    header.is_typed().then(|| quote!(self::))
}

/// Emits the type that stands for the workflow, and its functions. `bound` is the bound of tasks.
fn emit_workflow(
    header: &Header<'_>,
    bound: &TokenStream,
    type_bounds: &mut TypeBounds<'_>,
    statics: &Statics,
) -> TokenStream {
    let name = statics.ident(&header.name);
    let comment = header.workflow.comment.as_deref().unwrap_or("").trim();
    let doc = doc(&match comment.is_empty() {
        true => format!(" The workflow `{}`.", header.workflow.name),
        false => format!(" The workflow `{}`: {comment}", header.workflow.name),
    });
    let input = tasks::emit_type(header.input.as_ref(), &header.name);
    let output = tasks::emit_type(header.output.as_ref(), &header.name);
    let (parameter, builder_type, types) = match (&header.input, &header.output) {
        (None, None) => (quote!(impl rt::IntoInput<Value>), quote!(rt::Builder<#name, Bound<&T>>), None),
        _ => {
            let prefix = type_bounds.prefix(&header.name);
            let mut codec = |ty, direction| {
                let whose = format!("the workflow `{}`", header.workflow.name);
                let places = vec![("the workflow is defined here".to_owned(), header.workflow.span.at_start())];
                type_bounds.codec(&prefix, ty, Use { whose, direction, places }, statics)
            };
            let write = codec(header.input.as_ref(), Direction::WorkflowInput);
            let read = codec(header.output.as_ref(), Direction::WorkflowOutput);
            let builder = quote!(rt::Builder<#name, Bound<&T>, #input, #output>);
            (input.clone(), builder, Some(quote!(.types(#write, #read))))
        }
    };
    let typed = schemas::emit_run(header, bound, &name);
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

fn emit_definition(machine: &Machine, header: &Header<'_>, statics: &mut Statics) -> TokenStream {
    let workflow = header.workflow;
    let version = statics.ident(concat!(
        "VERSION_",
        env!("CARGO_PKG_VERSION_MAJOR"),
        "_",
        env!("CARGO_PKG_VERSION_MINOR"),
        "_",
        env!("CARGO_PKG_VERSION_PATCH")
    ));
    let (name, dialect, source) = (&workflow.name, workflow.dialect, source_name(header));
    let hash = Token::u64_unsuffixed(header.hash);
    let timeout = match &workflow.timeout {
        Some(seconds) => {
            let seconds = Token::u64_unsuffixed(seconds.value);
            quote!(Some(#seconds))
        }
        None => quote!(None),
    };
    let longest_task = match workflow.longest_task() {
        Some(seconds) => {
            let seconds = Token::f64_unsuffixed(seconds);
            quote!(Some(#seconds))
        }
        None => quote!(None),
    };
    let context = machine.context;
    let data_limit = match header.payload_limit {
        Some(bytes) => {
            let bytes = Token::u64_unsuffixed(bytes as u64);
            quote!(Some(#bytes))
        }
        None => quote!(None),
    };
    let states = workflow.states().filter(|(_, state)| !state.is_synthetic).map(|(_, state)| {
        let (name, kind) = (&*state.name.value, state.kind);
        let line = Token::u32_unsuffixed(header.sources.line_of(state.name.span));
        let mut targets: Vec<&str> = state.body.targets().into_iter().map(|target| &*target.value).collect();
        let mut seen = BTreeSet::new();
        targets.retain(|target| seen.insert(*target));
        quote!(#name #kind #line => #(#targets)*;)
    });
    let tasks = workflow.tasks.iter().zip(&header.tasks).enumerate().map(|(at, (task, names))| {
        let constant = statics.ident(&names.constant);
        let (key, resource, state) = (&task.key, &task.resource, &*task.state);
        let line = Token::u32_unsuffixed(header.sources.line_of(task.span));
        let index = Token::usize_unsuffixed(at);
        let operation = task.operation.as_ref().map(|operation| statics.operation(operation));
        let operation = operation.map(|operation| quote!(=> #operation));
        quote!(#constant #index #key #state #line #resource #operation;)
    });
    let tasks: Vec<TokenStream> = tasks.collect();
    let settings = workflow.settings.iter().map(|(_, name)| quote!(#name;));
    let events = (!workflow.events.is_empty()).then(|| {
        let events = workflow.events.iter().map(|event| {
            let AwaitedEvent { name, subject, kind, source, attributes, correlation, span: _ } = event;
            let subject = subject.as_ref().map(|subject| quote!(.subject(#subject).any_case()));
            let kind = kind.as_ref().map(|kind| quote!(.kind(#kind)));
            let source = source.as_ref().map(|source| quote!(.source(#source)));
            let attributes = (!attributes.is_empty()).then(|| {
                let attributes = attributes.iter().map(|(name, value)| quote!((#name, #value)));
                quote!(.attributes(&[#(#attributes),*]))
            });
            let correlation = correlation.as_ref().map(|attribute| quote!(.correlation(#attribute)));
            quote!(rt::EventInfo::new(#name) #subject #kind #source #attributes #correlation)
        });
        quote!(events [#(#events),*];)
    });
    let workflow_id = workflow.id.as_ref().map(|WorkflowId { id, version, is_child }| {
        let version = match version {
            Some(version) => quote!(Some(#version)),
            None => quote!(None),
        };
        quote!(workflow_id rt::WorkflowId { id: #id, version: #version, is_child: #is_child };)
    });
    let starts_on = workflow.starts_on.as_ref().map(|starts| {
        let numbers =
            |events: &[EventId]| -> Vec<Token> { events.iter().map(|event| Token::u32_unsuffixed(event.0)).collect() };
        let state = workflow.scopes.first().map_or("", |scope| &*scope.start.value);
        let events = numbers(&starts.events);
        let sequence = (!starts.sequence.is_empty()).then(|| {
            let all = numbers(&starts.sequence);
            quote!(.sequence(&[#(#all),*]))
        });
        let later: Vec<EventId> =
            starts.events.iter().copied().filter(|event| workflow.is_awaited_later(*event)).collect();
        let later = (!later.is_empty()).then(|| {
            let later = numbers(&later);
            quote!(.also_awaited_later(&[#(#later),*]))
        });
        let all_of = starts.all_of.then(|| quote!(.all_of()));
        quote!(starts_on rt::StartsOn::new(#state, &[#(#events),*]) #sequence #all_of #later;)
    });
    let schedule = workflow.schedule.as_ref().map(|Schedule { written, active, span: _ }| {
        let schedule = match *active {
            Active::Between { from, until } => {
                let (from, until) = (Token::i64_unsuffixed(from), Token::i64_unsuffixed(until));
                quote!(rt::Schedule::between(#written, #from, #until))
            }
            Active::AfterDeployment(micros) => {
                let micros = Token::u64_unsuffixed(micros);
                quote!(rt::Schedule::after_deployment(#written, #micros))
            }
        };
        quote!(schedule #schedule;)
    });
    let on_timeout = match workflow.on_timeout {
        OnTimeout::Fail => TokenStream::new(),
        OnTimeout::Null => quote!(on_timeout rt::OnTimeout::Null;),
        OnTimeout::Continue { .. } => quote!(on_timeout rt::OnTimeout::Entry(0);),
    };
    let correlation = emit_correlation(machine, workflow, statics);
    let check_input = match (&workflow.input_schema, workflow.input_must_be_object) {
        (None, false) => None,
        (None, true) => Some(quote!(check_input rt::is_object_input;)),
        (Some(schema), input_must_be_object) => {
            let schema = statics.schema(&Arc::new(schema.clone()));
            let input = if input_must_be_object { quote!(&rt::object_input(input)?) } else { quote!(input) };
            Some(quote!(check_input |input| rt::schema::fits(#input, &#schema, "the input");))
        }
    };
    let metadata = workflow.metadata.as_ref().map(|metadata| {
        let metadata = metadata.to_string();
        quote! {
            /// Metadata and extensions of the definition, as JSON.
            pub const METADATA: &str = #metadata;
        }
    });
    let graph = graph::mermaid(workflow);
    let workflow_type = statics.ident(&header.name);
    let own = own(header);
    quote! {
        #metadata
        #own rt::definition! {
            #version #workflow_type #name, #dialect, #source, #hash, #timeout, #data_limit, #context, #longest_task;
            graph #graph;
            #workflow_id
            settings;
            #(#settings)*
            #events
            #correlation
            #starts_on
            #schedule
            #on_timeout
            #check_input
            states;
            #(#states)*
            tasks;
            #(#tasks)*
        }
    }
}

/// Emits the attributes by which events correlate, and the function that reads the key from the
/// input.
fn emit_correlation(machine: &Machine, workflow: &Workflow, statics: &mut Statics) -> Option<TokenStream> {
    let Correlation { attributes, read } = &workflow.correlation;
    let read = read.as_ref().map(|ReadCorrelation { value, path }| {
        let (names, live_after) = (LocalIdents::new(), BTreeSet::new());
        let site = expr::Site { machine, names: &names, live_after: &live_after, reads: Vec::new() };
        let value = expr::emit_maybe(value, &site, statics);
        quote!(|current| rt::correlation(#value, #path))
    });
    (!attributes.is_empty()).then(|| quote!(correlation [#(#attributes),*] #read;))
}

fn emit_retriers(name: &str, retriers: &[Retrier], statics: &Statics) -> TokenStream {
    let name = statics.ident(name);
    let retriers = retriers.iter().map(|retrier| {
        let errors = retrier.errors.iter().map(|error| match error {
            ErrorMatch::Any => quote!(rt::ErrorMatch::Any),
            ErrorMatch::AnyTask => quote!(rt::ErrorMatch::AnyTask),
            ErrorMatch::Timeout => quote!(rt::ErrorMatch::Timeout),
            ErrorMatch::Heartbeat => quote!(rt::ErrorMatch::Heartbeat),
            ErrorMatch::Named(name) => quote!(rt::ErrorMatch::Named(#name)),
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

/// Emits a doc comment, which may contain texts of the definition.
fn doc(text: &str) -> TokenStream {
    let text = escape::comment(text);
    quote!(#[doc = #text])
}

fn source_name(header: &Header<'_>) -> String {
    header.sources.get(header.workflow.span.file).name.clone()
}
