//! Emission of the definition as data.

use super::expr::{self, Site};
use super::header::Header;
use super::statics::Statics;
use super::text::emit_text;
use crate::emit::graph;
use crate::hir::{OnTimeout, Workflow};
use crate::machine::{LocalIdents, Machine};
use crate::model::{Active, AwaitedEvent, Correlation, EventId, ReadCorrelation, Schedule, StartsOn, WorkflowId};
use proc_macro2::{Literal as Token, TokenStream};
use quote::quote;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Emits the static `DEFINITION`, and a static for each task.
pub fn emit_definition(machine: &Machine, header: &Header<'_>, statics: &mut Statics) -> TokenStream {
    let version = statics.ident(concat!(
        "VERSION_",
        env!("CARGO_PKG_VERSION_MAJOR"),
        "_",
        env!("CARGO_PKG_VERSION_MINOR"),
        "_",
        env!("CARGO_PKG_VERSION_PATCH")
    ));
    let workflow_type = statics.ident(&header.name);
    let fields = emit_fields(machine, header, statics);
    let (names, tasks): (Vec<_>, Vec<_>) = emit_tasks(header, statics).into_iter().unzip();
    let tasks_field = (!names.is_empty()).then(|| quote!(tasks: &[#(&#names),*],));
    let states = emit_states(header);
    quote! {
        impl rt::Workflow for #workflow_type {
            type State = State;
            const DEFINITION: &'static rt::Definition = &DEFINITION;
        }

        /// The definition as data.
        pub static DEFINITION: rt::Definition = rt::Definition {
            #(#fields,)*
            states: &[#(#states),*],
            #tasks_field
            points: <State as rt::Machine>::POINTS,
            graph: GRAPH,
            ..rt::Definition::#version
        };

        #(#tasks)*
    }
}

/// Emits the texts that are too long for the middle of the code.
pub fn emit_texts(workflow: &Workflow) -> TokenStream {
    let metadata = workflow.metadata.as_ref().map(|metadata| {
        let metadata = emit_text(&metadata.to_string());
        quote! {
            /// Metadata and extensions of the definition, as JSON.
            pub const METADATA: &str = #metadata;
        }
    });
    let graph = emit_text(&graph::mermaid(workflow));
    quote! {
        #metadata

        /// The graph of the states, in Mermaid's language.
        pub const GRAPH: &str = #graph;
    }
}

/// Emits the fields that describe the whole workflow. Without a value, a field keeps its default.
fn emit_fields(machine: &Machine, header: &Header<'_>, statics: &mut Statics) -> Vec<TokenStream> {
    let workflow = header.workflow;
    let [name, dialect, source] = [&workflow.name, workflow.dialect, &super::source_name(header)].map(emit_text);
    let hash = Token::u64_unsuffixed(header.hash);
    let mut fields = vec![quote!(name: #name), quote!(dialect: #dialect), quote!(source: #source), quote!(hash: #hash)];
    if let Some(WorkflowId { id, version, is_child }) = &workflow.id {
        let version = match version {
            Some(version) => quote!(Some(#version)),
            None => quote!(None),
        };
        fields.push(quote!(workflow_id: Some(rt::WorkflowId { id: #id, version: #version, is_child: #is_child })));
    }
    if let Some(seconds) = &workflow.timeout {
        let seconds = Token::u64_unsuffixed(seconds.value);
        fields.push(quote!(timeout_seconds: Some(#seconds)));
    }
    match workflow.on_timeout {
        OnTimeout::Fail => {}
        OnTimeout::Null => fields.push(quote!(on_timeout: rt::OnTimeout::Null)),
        OnTimeout::Continue { .. } => fields.push(quote!(on_timeout: rt::OnTimeout::Entry(0))),
    }
    if let Some(bytes) = header.payload_limit {
        let bytes = Token::u64_unsuffixed(bytes as u64);
        fields.push(quote!(data_limit: Some(#bytes)));
    }
    if machine.context {
        fields.push(quote!(context: true));
    }
    if let Some(seconds) = workflow.longest_task() {
        let seconds = Token::f64_unsuffixed(seconds);
        fields.push(quote!(longest_task_seconds: Some(#seconds)));
    }
    fields.extend(emit_check_input(workflow, statics));
    if !workflow.settings.is_empty() {
        let settings = workflow.settings.iter().map(|(_, name)| name);
        fields.push(quote!(settings: &[#(#settings),*]));
    }
    if !workflow.events.is_empty() {
        let events = workflow.events.iter().map(emit_event);
        fields.push(quote!(events: &[#(#events),*]));
    }
    fields.extend(emit_correlation(machine, workflow, statics));
    if let Some(starts_on) = &workflow.starts_on {
        let starts_on = emit_starts_on(starts_on, workflow);
        fields.push(quote!(starts_on: Some(#starts_on)));
    }
    if let Some(schedule) = &workflow.schedule {
        let schedule = emit_schedule(schedule);
        fields.push(quote!(schedule: Some(#schedule)));
    }
    fields
}

/// Emits the states, as authored.
fn emit_states(header: &Header<'_>) -> Vec<TokenStream> {
    let authored = header.workflow.states().filter(|(_, state)| !state.is_synthetic);
    let states = authored.map(|(_, state)| {
        let (name, kind) = (emit_text(&state.name.value), state.kind);
        let line = Token::u32_unsuffixed(header.sources.line_of(state.name.span));
        let mut targets: Vec<&str> = state.body.targets().into_iter().map(|target| &*target.value).collect();
        let mut seen = BTreeSet::new();
        targets.retain(|target| seen.insert(*target));
        let targets = targets.into_iter().map(emit_text);
        quote!(rt::StateInfo::new(#name, #kind, #line, &[#(#targets),*]))
    });
    states.collect()
}

/// Emits the statics of the tasks, each with its name.
fn emit_tasks(header: &Header<'_>, statics: &mut Statics) -> Vec<(TokenStream, TokenStream)> {
    let tasks = header.workflow.tasks.iter().zip(&header.tasks).enumerate().map(|(at, (task, names))| {
        let constant = statics.ident(&names.constant);
        let [key, resource, state] = [&*task.key, &*task.resource, &*task.state].map(emit_text);
        let line = Token::u32_unsuffixed(header.sources.line_of(task.span));
        let index = Token::usize_unsuffixed(at);
        let operation = task.operation.as_ref().map(|operation| {
            let operation = statics.operation(operation);
            quote!(.operation(&#operation))
        });
        let new = quote!(rt::Task::new(#index, #key, #resource, #state, #line) #operation);
        (quote!(#constant), quote!(static #constant: rt::Task = #new;))
    });
    tasks.collect()
}

fn emit_event(event: &AwaitedEvent) -> TokenStream {
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
}

fn emit_starts_on(starts: &StartsOn, workflow: &Workflow) -> TokenStream {
    let numbers = |events: &[EventId]| {
        let numbers = events.iter().map(|event| Token::u32_unsuffixed(event.0));
        quote!(&[#(#numbers),*])
    };
    let state = workflow.scopes.first().map_or("", |scope| &*scope.start.value);
    let events = numbers(&starts.events);
    let sequence = (!starts.sequence.is_empty()).then(|| {
        let all = numbers(&starts.sequence);
        quote!(.sequence(#all))
    });
    let later: Vec<EventId> = starts.events.iter().copied().filter(|event| workflow.is_awaited_later(*event)).collect();
    let later = (!later.is_empty()).then(|| {
        let later = numbers(&later);
        quote!(.also_awaited_later(#later))
    });
    let all_of = starts.all_of.then(|| quote!(.all_of()));
    quote!(rt::StartsOn::new(#state, #events) #sequence #all_of #later)
}

fn emit_schedule(schedule: &Schedule) -> TokenStream {
    let Schedule { written, active, span: _ } = schedule;
    match *active {
        Active::Between { from, until } => {
            let (from, until) = (Token::i64_unsuffixed(from), Token::i64_unsuffixed(until));
            quote!(rt::Schedule::between(#written, #from, #until))
        }
        Active::AfterDeployment(micros) => {
            let micros = Token::u64_unsuffixed(micros);
            quote!(rt::Schedule::after_deployment(#written, #micros))
        }
    }
}

fn emit_check_input(workflow: &Workflow, statics: &mut Statics) -> Option<TokenStream> {
    match (&workflow.input_schema, workflow.input_must_be_object) {
        (None, false) => None,
        (None, true) => Some(quote!(check_input: Some(rt::is_object_input))),
        (Some(schema), input_must_be_object) => {
            let schema = statics.schema(&Arc::new(schema.clone()));
            let input = if input_must_be_object { quote!(&rt::object_input(input)?) } else { quote!(input) };
            Some(quote!(check_input: Some(|input| rt::schema::fits(#input, &#schema, "the input"))))
        }
    }
}

/// Emits the attributes by which events correlate, and the function that reads the key from the
/// input.
fn emit_correlation(machine: &Machine, workflow: &Workflow, statics: &mut Statics) -> Option<TokenStream> {
    let Correlation { attributes, read } = &workflow.correlation;
    if attributes.is_empty() {
        return None;
    }
    let read = match read {
        None => quote!(None),
        Some(ReadCorrelation { value, path }) => {
            let (names, live_after) = (LocalIdents::new(), BTreeSet::new());
            let site = Site { machine, names: &names, live_after: &live_after, reads: Vec::new() };
            let value = expr::emit_maybe(value, &site, statics);
            quote!(Some(|current| rt::correlation(#value, #path)))
        }
    };
    Some(quote!(correlation: Some(rt::Correlation { attributes: &[#(#attributes),*], read: #read })))
}
