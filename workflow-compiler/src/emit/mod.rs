//! Prints a machine as Rust. It decides nothing: what is printed has been settled by the passes.

mod block;
mod command;
mod demands;
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

pub use header::{Header, TaskNames, Today};

use crate::escape;
use crate::hir::{
    Active, AwaitedEvent, Called, Correlation, EventId, Jitter, OnTimeout, ReadCorrelation, Retrier, Schedule,
    ScriptId, Workflow,
};
use crate::machine::Machine;
use block::Context;
use demands::{Demands, Direction, Use};
use proc_macro2::{Literal as Token, Span, TokenStream};
use quote::quote;
use statics::Statics;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The module of a workflow.
pub fn emit(machine: &Machine, header: &Header<'_>) -> TokenStream {
    let mut statics = Statics::new(Span::call_site());
    let cx = Context { machine, header, edited: BTreeSet::new() };
    let blocks: Vec<TokenStream> =
        machine.blocks.iter().map(|block| block::emit_block(block, &cx, &mut statics)).collect();
    let scripts: Vec<TokenStream> =
        (0..machine.scripts.len() as u32).map(|at| scripts::emit_script(ScriptId(at), &cx, &mut statics)).collect();
    let programs = programs::emit_programs(machine, &mut statics);
    let module = statics.ident(&header.module);
    let doc = doc(&format!(" The workflow `{}` of `{}`.", header.workflow.name, source_name(header)));
    let mut demands = Demands::new(header);
    let workflow = emit_workflow(header, &mut demands, &statics);
    let schemas = schemas::emit_schemas(header);
    let tasks = tasks::emit_tasks(header, &mut demands, &statics);
    let demands = demands.emit();
    let definition = emit_definition(machine, header, &mut statics);
    let points = state::emit_machine(&cx, &statics);
    let retriers: Vec<TokenStream> =
        machine.retriers.iter().map(|(name, retriers)| emit_retriers(name, retriers, &statics)).collect();
    let literals = statics.emit();
    let modules = statics.modules();
    // Only the user's own types are looked up around the module. What is imported by name goes before them: a program may
    // well have its own `Result`.
    let users_types = header.is_typed().then(|| {
        quote! {
            use super::*;
            use ::core::{clone::Clone, convert::Into, iter::Iterator, marker::Send, marker::Sync};
            use ::core::option::Option::{self, None, Some};
            use ::core::result::Result::{self, Err, Ok};
        }
    });
    let own = own(header);
    quote! {
        #doc
        #[allow(warnings, clippy::all)]
        pub mod #module {
            #users_types
            use ::workflow_runtime::__private as rt;
            use #own rt::{Fault, Future, Get as _, Outcome, Retries, TaskContext, Value #(, #modules)*};

            #workflow
            #schemas
            #tasks
            #demands
            #definition
            #points
            #(#blocks)*
            #(#scripts)*
            #(#programs)*
            #(#retriers)*
            #literals
        }
    }
}

/// How the paths of imports and macros begin: where the program's names are imported, it may have an `rt`, too.
fn own(header: &Header<'_>) -> Option<TokenStream> {
    header.is_typed().then(|| quote!(self::))
}

/// The type that stands for the workflow, and how to run it.
fn emit_workflow(header: &Header<'_>, demands: &mut Demands<'_>, statics: &Statics) -> TokenStream {
    let name = statics.ident(&header.name);
    let comment = header.workflow.comment.as_deref().unwrap_or("").trim();
    let doc = doc(&match comment.is_empty() {
        true => format!(" The workflow `{}`.", header.workflow.name),
        false => format!(" The workflow `{}`: {comment}", header.workflow.name),
    });
    let input = tasks::emit_type(header.input.as_ref(), &header.name);
    let output = tasks::emit_type(header.output.as_ref(), &header.name);
    let run = match (&header.input, &header.output) {
        (None, None) => quote! {
            /// Runs an execution in memory to its end.
            pub async fn run<T: Tasks>(tasks: &T, input: impl Into<Value>) -> Result<Value, Fault> {
                rt::run::<#name>(&Bound(tasks), input.into()).await
            }
        },
        _ => {
            let prefix = demands.prefix(&header.name);
            let mut way = |ty, direction| {
                let whose = format!("the workflow `{}`", header.workflow.name);
                let places = vec![("the workflow is defined here".to_owned(), header.workflow.span.at_start())];
                demands.way(&prefix, ty, Use { whose, direction, places }, statics)
            };
            let write = way(header.input.as_ref(), Direction::WorkflowInput);
            let read = way(header.output.as_ref(), Direction::WorkflowOutput);
            quote! {
                /// Runs an execution in memory to its end.
                pub async fn run<T: Tasks>(tasks: &T, input: #input) -> Result<#output, Fault> {
                    rt::typed_run::<#name, _, _>(&Bound(tasks), #write, input, #read).await
                }
            }
        }
    };
    let typed = schemas::emit_run(header, &name);
    quote! {
        #doc
        pub struct #name;

        impl #name {
            #run

            #typed

            /// An execution to be set up: engine, observers, clock, name, settings.
            pub fn builder() -> rt::Builder<#name> {
                rt::Builder::new()
            }

            /// The adapter through which engines call the tasks: those of a reference, or of an `Arc` for engines that keep
            /// them.
            pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
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
    let states = workflow.states().filter(|(_, state)| state.is_authored).map(|(_, state)| {
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
    let called = workflow.called.as_ref().map(|Called { id, version, is_child }| {
        let version = match version {
            Some(version) => quote!(Some(#version)),
            None => quote!(None),
        };
        quote!(called rt::Called { id: #id, version: #version, is_child: #is_child };)
    });
    let starts_on = workflow.starts_on.as_ref().map(|starts| {
        let numbers =
            |events: &[EventId]| -> Vec<Token> { events.iter().map(|event| Token::u32_unsuffixed(event.0)).collect() };
        let state = workflow.scopes.first().map_or("", |scope| &*scope.start.value);
        let events = numbers(&starts.events);
        let in_a_row = (!starts.in_a_row.is_empty()).then(|| {
            let all = numbers(&starts.in_a_row);
            quote!(.in_a_row(&[#(#all),*]))
        });
        let later: Vec<EventId> =
            starts.events.iter().copied().filter(|event| workflow.is_awaited_later(*event)).collect();
        let later = (!later.is_empty()).then(|| {
            let later = numbers(&later);
            quote!(.also_later(&[#(#later),*]))
        });
        let collects = starts.collects.then(|| quote!(.collects()));
        quote!(starts_on rt::StartsOn::new(#state, &[#(#events),*]) #in_a_row #collects #later;)
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
        OnTimeout::GoOn { .. } => quote!(on_timeout rt::OnTimeout::Entry(0);),
    };
    let correlation = emit_correlation(machine, workflow, statics);
    let check_input = match (&workflow.input_schema, workflow.takes_object) {
        (None, false) => None,
        (None, true) => Some(quote!(check_input rt::is_object_input;)),
        (Some(schema), takes_object) => {
            let schema = statics.schema(&Arc::new(schema.clone()));
            let input = if takes_object { quote!(&rt::object_input(input)?) } else { quote!(input) };
            Some(quote!(check_input |input| rt::schema::fits(#input, &#schema, "the input");))
        }
    };
    let metadata = workflow.metadata.as_ref().map(|metadata| {
        let metadata = metadata.to_string();
        quote! {
            /// What the definition says of itself to tools and users, as JSON: metadata and extensions.
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
            #called
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

/// The attributes that events correlate by, and how the value is read from the input.
fn emit_correlation(machine: &Machine, workflow: &Workflow, statics: &mut Statics) -> Option<TokenStream> {
    let Correlation { attributes, read } = &workflow.correlation;
    let read = read.as_ref().map(|ReadCorrelation { value, path }| {
        let keeps = BTreeSet::new();
        let value = expr::emit_maybe(value, &expr::Site::new(machine, &keeps, Vec::new()), statics);
        quote!(|current| rt::correlation(#value, #path))
    });
    (!attributes.is_empty()).then(|| quote!(correlation [#(#attributes),*] #read;))
}

fn emit_retriers(name: &str, retriers: &[Retrier], statics: &Statics) -> TokenStream {
    let name = statics.ident(name);
    let retriers = retriers.iter().map(|retrier| {
        let errors = &retrier.errors;
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

/// A doc comment, which may have texts of the definition in it.
fn doc(text: &str) -> TokenStream {
    let text = escape::comment(text);
    quote!(#[doc = #text])
}

fn source_name(header: &Header<'_>) -> String {
    header.sources.get(header.workflow.span.file).name.clone()
}

/// A 64-bit FNV-1a hash: the same on every platform and in every build.
#[derive(Debug, Clone, Copy)]
pub struct Fnv(u64);

impl Fnv {
    /// Of nothing so far.
    pub fn new() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    /// Adds bytes, and a mark after them so that parts cannot run together.
    pub fn write(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&[0xff]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// The hash.
    pub fn finish(self) -> u64 {
        self.0
    }
}

impl Default for Fnv {
    fn default() -> Self {
        Self::new()
    }
}
