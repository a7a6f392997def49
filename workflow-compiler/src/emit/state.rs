//! Emission of the enum of resume points.

use super::block::{EmitContext, emit_block_call, handler_of_result, takes_result};
use super::local::{LocalType, local_name};
use super::statics::Statics;
use crate::expr::LocalId;
use crate::expr::mentions;
use crate::machine::{Block, ResumePoint, ResumePointId, ResumePointKind};
use proc_macro2::{Ident, Literal as Token, TokenStream};
use quote::{ToTokens as _, quote};

/// Emits the enum of the resume points, and its implementation of `Machine`.
pub fn emit_machine(cx: &EmitContext<'_>, statics: &Statics) -> TokenStream {
    let points = &cx.module.machine.points;
    let variants = points.iter().map(|point| {
        let name = statics.ident(&point.name);
        let types = point.payload.iter().map(|local| LocalType::of(*local, cx));
        match point.payload.is_empty() {
            true => quote!(#name,),
            false => quote!(#name(#(#types),*),),
        }
    });
    let rows = points.iter().map(|point| {
        let name = statics.ident(&point.name);
        let fields = fields(point, |_| true, statics);
        let variant = match fields.is_empty() {
            true => quote!(#name),
            false => quote!(#name(#(#fields),*)),
        };
        let (tag, layout) = (&point.tag, Token::u64_unsuffixed(cx.module.machine.layout(point)));
        let of = point.origin.as_ref().map_or("", |origin| &origin.state);
        quote!((#variant, #tag, #of, #layout),)
    });
    let own = super::own(cx.module);
    let start = emit_start(cx, statics);
    let entry = emit_entry(cx, statics);
    let document = cx.module.machine.on_timeout.map(|(_, document)| emit_document(document, cx, statics));
    let enter = emit_enter(cx, statics);
    let resume = emit_resume(cx, statics);
    let child = emit_child(cx, statics);
    quote! {
        /// The suspension points: where an execution can wait, be saved, and continue.
        #[doc(hidden)]
        pub enum State { #(#variants)* }

        type Turn = rt::Turn<State>;
        type TurnResult = rt::TurnResult<State>;

        impl rt::Machine for State {
            #own rt::suspension_points!(#(#rows)*);

            #start
            #entry
            #document
            #enter
            #resume
            #child
        }
    }
}

fn emit_start(cx: &EmitContext<'_>, statics: &Statics) -> TokenStream {
    let entry = cx.module.machine.point(cx.module.machine.entry);
    let name = statics.ident(&entry.name);
    match entry.payload.is_empty() {
        true => quote!(fn start(_: Value) -> State { State::#name }),
        false => quote!(fn start(input: Value) -> State { State::#name(input) }),
    }
}

/// Emits the entries that run as child executions.
fn emit_entry(cx: &EmitContext<'_>, statics: &Statics) -> Option<TokenStream> {
    let arms: Vec<TokenStream> = cx
        .module
        .machine
        .entries
        .iter()
        .enumerate()
        .map(|(at, (point, input))| {
            let number = Token::usize_unsuffixed(at);
            let state = emit_child_state(*point, Some(*input), cx.module.machine.point(*point), cx, statics);
            quote!(#number => Some(#state),)
        })
        .collect();
    let item = mentions::parameter(&statics.ident("item"), &[&quote!(#(#arms)*)]);
    (!arms.is_empty()).then(|| {
        quote! {
            fn entry(number: u32, #item: &Value) -> Option<State> {
                match number { #(#arms)* _ => None, }
            }
        }
    })
}

/// Emits the document at every resume point of the top level.
fn emit_document(document: LocalId, cx: &EmitContext<'_>, statics: &Statics) -> TokenStream {
    let has_document = |point: &&ResumePoint| point.is_top_level() && point.payload.contains(&document);
    let points = cx.module.machine.points.iter().filter(has_document);
    let places = points.map(|point| {
        let name = statics.ident(&point.name);
        let fields = point.payload.iter().map(|local| if *local == document { quote!(document) } else { quote!(_) });
        quote!(State::#name(#(#fields),*))
    });
    quote! {
        fn document(&self) -> Option<&Value> {
            match self { #(#places)|* => Some(document), _ => None, }
        }
    }
}

/// Emits the blocks that run at an entry. Elsewhere, the frame waits.
fn emit_enter(cx: &EmitContext<'_>, statics: &Statics) -> TokenStream {
    let is_entry = |point: &&ResumePoint| matches!(point.kind, ResumePointKind::Enter(_));
    let entries = || cx.module.machine.points.iter().filter(is_entry);
    let arms = entries().map(|point| {
        let pattern = emit_pattern(point, &block_of(point, cx).params, statics);
        let call = emit_call(point, None, &of_point(point, cx), statics);
        quote!(#pattern => #call,)
    });
    let waiting =
        (!cx.module.machine.points.iter().all(|point| is_entry(&point))).then(|| quote!(waiting => rt::wait(waiting),));
    let turn = if entries().any(|point| block_of(point, cx).takes_turn) { quote!(turn) } else { quote!(_) };
    quote! {
        fn enter(self, #turn: &mut Turn) -> TurnResult {
            match self { #(#arms)* #waiting }
        }
    }
}

/// Emits the blocks that run with an outcome: of a command, or of the children.
fn emit_resume(cx: &EmitContext<'_>, statics: &Statics) -> TokenStream {
    let arms = cx.module.machine.points.iter().map(|point| {
        let cx = &of_point(point, cx);
        let block = block_of(point, cx);
        let pattern = emit_pattern(point, &block.params, statics);
        match point.kind {
            ResumePointKind::Enter(_) => TokenStream::new(),
            ResumePointKind::Elapsed(_) => {
                let call = emit_call(point, None, cx, statics);
                quote!((#pattern, _) => #call,)
            }
            ResumePointKind::Resume(_) | ResumePointKind::Fork(..) | ResumePointKind::ForEach { .. } => {
                let result = takes_result(block).then(|| free_name("result", point, statics));
                let call = emit_call(point, result.as_ref(), cx, statics);
                let failed = emit_failed(point, block, cx, statics);
                let result = result.unwrap_or_else(|| statics.ident("_"));
                quote!((#pattern, Ok(#result)) => #call, #failed)
            }
        }
    });
    quote! {
        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                #(#arms)*
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }
}

/// Emits the handler of a fault in place of the result, if the block has one.
fn emit_failed(point: &ResumePoint, block: &Block, cx: &EmitContext<'_>, statics: &Statics) -> Option<TokenStream> {
    let handler = cx.module.machine.block(handler_of_result(block)?);
    let handled = handler.body.handled_fault();
    let args: Vec<LocalId> = handler.params.iter().copied().filter(|local| Some(*local) != handled).collect();
    let pattern = emit_pattern(point, &args, statics);
    let fault = free_name("fault", point, statics);
    let args = args.iter().map(|local| local_name(*local, cx, statics)).chain([fault.clone()]);
    let call = emit_block_call(handler, args, statics);
    Some(quote!((#pattern, Err(#fault)) => #call,))
}

/// Emits the entries of the frames that resume points start.
fn emit_child(cx: &EmitContext<'_>, statics: &Statics) -> Option<TokenStream> {
    let arms = cx.module.machine.points.iter().flat_map(|point| {
        let arm = |index: TokenStream, child: ResumePointId, item: Option<LocalId>| {
            let state = emit_child_state(child, item, point, cx, statics);
            let pattern = emit_pattern(point, &cx.module.machine.point(child).payload, statics);
            quote!((#pattern, #index) => Some(#state),)
        };
        match &point.kind {
            ResumePointKind::Fork(_, children) => {
                let children = children.iter().enumerate();
                children.map(|(at, child)| arm(Token::usize_unsuffixed(at).into_token_stream(), *child, None)).collect()
            }
            ResumePointKind::ForEach { child, item, .. } => vec![arm(quote!(_), *child, Some(*item))],
            ResumePointKind::Enter(_) | ResumePointKind::Resume(_) | ResumePointKind::Elapsed(_) => Vec::new(),
        }
    });
    let arms: Vec<TokenStream> = arms.collect();
    let item = mentions::parameter(&statics.ident("item"), &[&quote!(#(#arms)*)]);
    (!arms.is_empty()).then(|| {
        quote! {
            fn child(&self, index: usize, #item: &Value) -> Option<State> {
                match (self, index) { #(#arms)* _ => None, }
            }
        }
    })
}

/// Returns the context for the code of a resume point.
fn of_point<'a>(point: &'a ResumePoint, cx: &EmitContext<'a>) -> EmitContext<'a> {
    EmitContext { module: cx.module, names: &point.names }
}

fn block_of<'a>(point: &ResumePoint, cx: &EmitContext<'a>) -> &'a Block {
    cx.module.machine.block(point.kind.block())
}

/// Returns a name that no saved local has: `name`, or a number behind it.
fn free_name(name: &str, point: &ResumePoint, statics: &Statics) -> Ident {
    let is_taken = |name: &str| point.names.values().any(|taken| taken == name);
    let numbered = (2..).map(|number| format!("{name}{number}"));
    let mut free = [name.to_owned()].into_iter().chain(numbered).filter(|name| !is_taken(name));
    statics.ident(&free.next().unwrap_or_default())
}

/// Returns the names of the saved locals of a resume point, or `_` for those that are not used.
fn fields(point: &ResumePoint, is_used: impl Fn(&LocalId) -> bool, statics: &Statics) -> Vec<Ident> {
    let name = |local| if is_used(local) { &*point.names[local] } else { "_" };
    point.payload.iter().map(|local| statics.ident(name(local))).collect()
}

/// Emits the pattern of a resume point, which binds the saved locals among `used`.
fn emit_pattern(point: &ResumePoint, used: &[LocalId], statics: &Statics) -> TokenStream {
    let name = statics.ident(&point.name);
    let fields = fields(point, |local| used.contains(local), statics);
    match fields.is_empty() {
        true => quote!(State::#name),
        false => quote!(State::#name(#(#fields),*)),
    }
}

/// Emits the call of the block of a resume point.
fn emit_call(point: &ResumePoint, result: Option<&Ident>, cx: &EmitContext<'_>, statics: &Statics) -> TokenStream {
    let block = block_of(point, cx);
    let args = block.params.iter().map(|local| local_name(*local, cx, statics)).chain(result.cloned());
    emit_block_call(block, args, statics)
}

/// Emits the state of a frame that starts with `child`. The saved locals of `point` are at hand,
/// and the item is the value of the local `item`.
fn emit_child_state(
    child: ResumePointId,
    item: Option<LocalId>,
    point: &ResumePoint,
    cx: &EmitContext<'_>,
    statics: &Statics,
) -> TokenStream {
    let child = cx.module.machine.point(child);
    let name = statics.ident(&child.name);
    let payload = child.payload.iter().map(|local| {
        let name = if item == Some(*local) { "item" } else { &*point.names[local] };
        statics.ident(name)
    });
    match child.payload.is_empty() {
        true => quote!(State::#name),
        false => quote!(State::#name(#(#payload.clone()),*)),
    }
}
