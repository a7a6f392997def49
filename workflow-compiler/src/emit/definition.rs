//! Emission of the definition as data.

use super::expr::{self, Site};
use super::statics::Statics;
use crate::long_text::emit_text;
use crate::machine::{LocalIdents, MapRow, Module, StartRow, Tables};
use crate::model::{Active, AwaitedEvent, Correlation, EventId, ReadCorrelation, ReaderKind, Schedule, WorkflowId};
use proc_macro2::{Ident, Literal as Token, TokenStream};
use quote::quote;
use std::collections::BTreeSet;
use std::sync::Arc;
use workflow_model::JsonataLimits;

/// Emits the static `DEFINITION`, and a static for each task.
pub fn emit_definition(module: &Module<'_>, statics: &mut Statics) -> TokenStream {
    let version = statics.ident(concat!(
        "VERSION_",
        env!("CARGO_PKG_VERSION_MAJOR"),
        "_",
        env!("CARGO_PKG_VERSION_MINOR"),
        "_",
        env!("CARGO_PKG_VERSION_PATCH")
    ));
    let workflow_type = statics.ident(&module.type_name);
    let fields = emit_fields(module, statics);
    let (names, tasks): (Vec<_>, Vec<_>) = emit_tasks(module, statics).into_iter().unzip();
    let tasks_field = (!names.is_empty()).then(|| quote!(tasks: &[#(&#names),*],));
    let states = emit_states(module);
    let maps: Vec<_> = module.machine.maps.iter().map(emit_map).collect();
    let maps = (!maps.is_empty()).then(|| quote!(maps: &[#(#maps),*],));
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
            #maps
            points: <State as rt::Machine>::POINTS,
            graph: GRAPH,
            ..rt::Definition::#version
        };

        #(#tasks)*
    }
}

/// Emits a distributed Map.
fn emit_map(map: &MapRow) -> TokenStream {
    let (state, label, entry) = (&map.state, &map.label, Token::u32_unsuffixed(map.entry.0));
    let selector = map.selector.map(|entry| {
        let entry = Token::u32_unsuffixed(entry.0);
        quote!(.selector(#entry))
    });
    let reader = map.reader.map(|reader| match reader {
        ReaderKind::GetObject => quote!(.reader(rt::ReaderKind::GetObject)),
        ReaderKind::ListObjects => quote!(.reader(rt::ReaderKind::ListObjects)),
    });
    let writer = map.has_writer.then(|| quote!(.writer()));
    quote!(rt::DistributedMap::new(#state, #label, #entry) #selector #reader #writer)
}

/// Emits the texts that are too long for the middle of the code.
pub fn emit_texts(tables: &Tables<'_>) -> TokenStream {
    let metadata = tables.metadata.as_ref().map(|metadata| {
        let metadata = emit_text(metadata);
        quote! {
            /// Metadata and extensions of the definition, as JSON.
            pub const METADATA: &str = #metadata;
        }
    });
    let graph = emit_text(&tables.graph);
    quote! {
        #metadata

        /// The graph of the states, in Mermaid's language.
        pub const GRAPH: &str = #graph;
    }
}

/// Emits the fields that describe the whole workflow. Without a value, a field keeps its default.
fn emit_fields(module: &Module<'_>, statics: &mut Statics) -> Vec<TokenStream> {
    let tables = &module.tables;
    let [name, dialect, source] = [tables.name, tables.dialect, module.file()].map(emit_text);
    let hash = Token::u64_unsuffixed(module.hash);
    let mut fields = vec![quote!(name: #name), quote!(dialect: #dialect), quote!(source: #source), quote!(hash: #hash)];
    if let Some(WorkflowId { id, version, is_child }) = tables.id {
        let version = match version {
            Some(version) => quote!(Some(#version)),
            None => quote!(None),
        };
        fields.push(quote!(workflow_id: Some(rt::WorkflowId { id: #id, version: #version, is_child: #is_child })));
    }
    if let Some(seconds) = tables.timeout {
        let seconds = Token::u64_unsuffixed(seconds);
        fields.push(quote!(timeout_seconds: Some(#seconds)));
    }
    match module.machine.on_timeout {
        Some((entry, _)) => {
            let entry = Token::u32_unsuffixed(entry.0);
            fields.push(quote!(on_timeout: rt::OnTimeout::Entry(#entry)));
        }
        None if tables.null_on_timeout => fields.push(quote!(on_timeout: rt::OnTimeout::Null)),
        None => {}
    }
    if let Some(bytes) = module.data_limit {
        let bytes = Token::u64_unsuffixed(bytes as u64);
        fields.push(quote!(data_limit: Some(#bytes)));
    }
    if let Some(JsonataLimits { depth, bytes }) = module.jsonata_limits {
        let (depth, bytes) = (Token::u32_unsuffixed(depth), Token::u64_unsuffixed(bytes));
        fields.push(quote!(jsonata_limits: Some(rt::JsonataLimits { depth: #depth, bytes: #bytes })));
    }
    if module.machine.context {
        fields.push(quote!(context: true));
    }
    if let Some(seconds) = tables.longest_task {
        let seconds = Token::f64_unsuffixed(seconds);
        fields.push(quote!(longest_task_seconds: Some(#seconds)));
    }
    fields.extend(emit_check_input(tables, statics));
    if !tables.settings.is_empty() {
        let settings = &tables.settings;
        fields.push(quote!(settings: &[#(#settings),*]));
    }
    if !tables.events.is_empty() {
        let events = tables.events.iter().map(emit_event);
        fields.push(quote!(events: &[#(#events),*]));
    }
    fields.extend(emit_correlation(module, statics));
    if let Some(starts_on) = &tables.starts_on {
        let starts_on = emit_starts_on(starts_on);
        fields.push(quote!(starts_on: Some(#starts_on)));
    }
    if let Some(schedule) = tables.schedule {
        let schedule = emit_schedule(schedule);
        fields.push(quote!(schedule: Some(#schedule)));
    }
    fields
}

/// Emits the states, as authored.
fn emit_states(module: &Module<'_>) -> Vec<TokenStream> {
    let states = module.tables.states.iter().map(|state| {
        let (name, kind) = (emit_text(state.name), state.kind);
        let line = Token::u32_unsuffixed(module.sources.line_of(state.span));
        let targets = state.targets.iter().map(|target| emit_text(target));
        quote!(rt::StateInfo::new(#name, #kind, #line, &[#(#targets),*]))
    });
    states.collect()
}

/// Emits the statics of the tasks, each with its name.
fn emit_tasks(module: &Module<'_>, statics: &mut Statics) -> Vec<(Ident, TokenStream)> {
    let tasks = module.tables.tasks.iter().zip(&module.task_names).enumerate().map(|(at, (task, names))| {
        let constant = statics.ident(&names.constant);
        let [key, resource, state] = [&*task.key, &*task.resource, &*task.state].map(emit_text);
        let line = Token::u32_unsuffixed(module.sources.line_of(task.span));
        let index = Token::usize_unsuffixed(at);
        let operation = task.operation.as_ref().map(|operation| {
            let operation = statics.operation(operation);
            quote!(.operation(&#operation))
        });
        let new = quote! {
            static #constant: rt::Task = rt::Task::new(#index, #key, #resource, #state, #line) #operation;
        };
        (constant, new)
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

fn emit_starts_on(start: &StartRow<'_>) -> TokenStream {
    let numbers = |events: &[EventId]| {
        let numbers = events.iter().map(|event| Token::u32_unsuffixed(event.0));
        quote!(&[#(#numbers),*])
    };
    let StartRow { condition: starts, state, later } = start;
    let events = numbers(&starts.events);
    let sequence = (!starts.sequence.is_empty()).then(|| {
        let all = numbers(&starts.sequence);
        quote!(.sequence(#all))
    });
    let later = (!later.is_empty()).then(|| {
        let later = numbers(later);
        quote!(.also_awaited_later(#later))
    });
    let all_of = starts.all_of.then(|| quote!(.all_of()));
    quote!(rt::StartsOn::new(#state, #events) #sequence #all_of #later)
}

fn emit_schedule(schedule: &Schedule) -> TokenStream {
    let Schedule { written, active } = schedule;
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

fn emit_check_input(tables: &Tables<'_>, statics: &mut Statics) -> Option<TokenStream> {
    match (tables.input_schema, tables.input_must_be_object) {
        (None, false) => None,
        (None, true) => Some(quote!(check_input: Some(rt::is_object_input))),
        (Some(schema), input_must_be_object) => {
            let schema = statics.schema(&Arc::new(schema.clone()));
            let input = if input_must_be_object { quote!(&rt::object_input(input)?) } else { quote!(input) };
            Some(quote! {
                check_input: Some(|input| rt::schema::fits(#input, &#schema, "the input")),
                describe_input: Some(|| #schema.document())
            })
        }
    }
}

/// Emits the attributes by which events correlate, and the function that reads the key from the
/// input.
fn emit_correlation(module: &Module<'_>, statics: &mut Statics) -> Option<TokenStream> {
    let Correlation { attributes, read } = module.tables.correlation;
    if attributes.is_empty() {
        return None;
    }
    let read = match read {
        None => quote!(None),
        Some(ReadCorrelation { value, path }) => {
            let (names, live_after) = (LocalIdents::new(), BTreeSet::new());
            let site = Site { machine: &module.machine, names: &names, live_after: &live_after, reads: Vec::new() };
            let value = expr::emit_maybe(value, &site, statics);
            quote!(Some(|current| rt::correlation(#value, #path)))
        }
    };
    Some(quote!(correlation: Some(rt::Correlation { attributes: &[#(#attributes),*], read: #read })))
}
