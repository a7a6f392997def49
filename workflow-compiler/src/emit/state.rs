//! Prints the state enum and its `Machine` implementation.

use super::block::{Context, emit_args, emit_local_type, receives};
use super::statics::Statics;
use crate::expr::LocalId;
use crate::hir::LocalKind;
use crate::machine::{Point, PointId, PointKind};
use proc_macro2::{Ident, Literal as Token, TokenStream};
use quote::{ToTokens, quote};

/// The enum: one variant for every point.
pub fn emit_enum(cx: &Context<'_>, statics: &Statics) -> TokenStream {
    let variants = cx.machine.points.iter().map(|point| {
        let name = statics.ident(&point.name);
        let types: Vec<TokenStream> = point.payload.iter().map(|local| emit_local_type(*local, cx)).collect();
        let doc = match &point.origin {
            Some(origin) => format!(" `{}`: {}", origin.state, point.doc),
            None => format!(" {}", point.doc),
        };
        let payload = (!types.is_empty()).then(|| quote!((#(#types),*)));
        quote!(#[doc = #doc] #name #payload,)
    });
    quote! {
        /// Where an execution can be: every point at which it can wait, be saved, and run on.
        pub enum State { #(#variants)* }
    }
}

/// The implementation of `Machine`.
pub fn emit_machine(cx: &Context<'_>, statics: &Statics) -> TokenStream {
    let start = emit_start(cx, statics);
    let enter = emit_enter(cx, statics);
    let resume = emit_resume(cx, statics);
    let child = emit_child(cx, statics);
    let point = emit_point(cx, statics);
    let save = emit_save(cx, statics);
    let load = emit_load(cx, statics);
    quote!(impl rt::Machine for State { #start #enter #resume #child #point #save #load })
}

/// The descriptions of the points, in the order of the variants.
pub fn emit_points(cx: &Context<'_>) -> TokenStream {
    let count = cx.machine.points.len();
    let points = cx.machine.points.iter().map(|point| {
        let (tag, layout) = (&point.tag, Token::u64_unsuffixed(layout(point, cx)));
        let state = point.origin.as_ref().map_or("", |origin| &origin.state);
        quote!(rt::Point::new(#tag, #state, #layout),)
    });
    quote!(static POINTS: [rt::Point; #count] = [#(#points)*];)
}

fn emit_start(cx: &Context<'_>, statics: &Statics) -> TokenStream {
    let entry = cx.machine.point(cx.machine.entry);
    let name = statics.ident(&entry.name);
    let (param, payload) = match entry.payload.is_empty() {
        true => (quote!(_input), TokenStream::new()),
        false => (quote!(input), quote!((input))),
    };
    quote!(fn start(#param: Value) -> Self { State::#name #payload })
}

fn emit_enter(cx: &Context<'_>, statics: &Statics) -> TokenStream {
    let arms = cx.machine.points.iter().filter_map(|point| match point.kind {
        PointKind::Enter(block) => {
            let pattern = pattern(point, &cx.machine.block(block).params, cx, statics);
            let name = statics.ident(&cx.machine.block(block).name);
            let args = emit_args(block, cx, statics);
            Some(quote!(#pattern => #name(#(#args,)* turn),))
        }
        _ => None,
    });
    let arms: Vec<TokenStream> = arms.collect();
    let rest = (arms.len() < cx.machine.points.len()).then(|| quote!(waiting => rt::wait(waiting),));
    quote!(fn enter(self, turn: &mut Turn) -> Step { match self { #(#arms)* #rest } })
}

fn emit_resume(cx: &Context<'_>, statics: &Statics) -> TokenStream {
    let arms = cx.machine.points.iter().filter_map(|point| {
        let id = point.kind.block();
        let block = cx.machine.block(id);
        let name = statics.ident(&block.name);
        let args = emit_args(id, cx, statics);
        let pattern = pattern(point, &block.params, cx, statics);
        match point.kind {
            PointKind::Enter(_) => None,
            PointKind::Resume(_) | PointKind::Fork(..) | PointKind::ForEach { .. } if receives(block) => {
                Some(quote!(#pattern => #name(#(#args,)* outcome, turn),))
            }
            // Time only passes: there is nothing that could have failed.
            _ => Some(quote!(#pattern => #name(#(#args,)* turn),)),
        }
    });
    let arms: Vec<TokenStream> = arms.collect();
    if arms.is_empty() {
        return quote!(
            fn resume(self, _outcome: Outcome, turn: &mut Turn) -> Step {
                self.enter(turn)
            }
        );
    }
    let rest = (arms.len() < cx.machine.points.len()).then(|| quote!(entry => entry.enter(turn),));
    quote!(fn resume(self, outcome: Outcome, turn: &mut Turn) -> Step { match self { #(#arms)* #rest } })
}

fn emit_child(cx: &Context<'_>, statics: &Statics) -> TokenStream {
    let mut arms = Vec::new();
    let mut items = false;
    for point in &cx.machine.points {
        match &point.kind {
            PointKind::Fork(_, children) => {
                let needed: Vec<LocalId> =
                    children.iter().flat_map(|child| cx.machine.point(*child).payload.clone()).collect();
                let pattern = pattern(point, &needed, cx, statics);
                let children = children.iter().enumerate().map(|(at, child)| {
                    let at = match at + 1 == children.len() {
                        true => quote!(_),
                        false => Token::usize_unsuffixed(at).into_token_stream(),
                    };
                    let child = emit_child_state(*child, None, cx, statics);
                    quote!(#at => #child,)
                });
                arms.push(quote!(#pattern => match index { #(#children)* },));
            }
            PointKind::ForEach { child, item, .. } => {
                let mut needed = cx.machine.point(*child).payload.clone();
                items |= needed.contains(item);
                needed.retain(|local| local != item);
                let pattern = pattern(point, &needed, cx, statics);
                let child = emit_child_state(*child, Some(*item), cx, statics);
                arms.push(quote!(#pattern => #child,));
            }
            PointKind::Enter(_) | PointKind::Resume(_) | PointKind::Elapsed(_) => {}
        }
    }
    if arms.is_empty() {
        return TokenStream::new();
    }
    let item = if items { quote!(item) } else { quote!(_item) };
    let rest = (arms.len() < cx.machine.points.len()).then(|| quote!(_ => return None,));
    let index = if cx.machine.points.iter().any(|point| matches!(point.kind, PointKind::Fork(..))) {
        quote!(index)
    } else {
        quote!(_index)
    };
    quote! {
        fn child(&self, #index: usize, #item: &Value) -> Option<Self> { Some(match self { #(#arms)* #rest }) }
    }
}

fn emit_child_state(child: PointId, item: Option<LocalId>, cx: &Context<'_>, statics: &Statics) -> TokenStream {
    let point = cx.machine.point(child);
    let name = statics.ident(&point.name);
    let payload: Vec<TokenStream> = point
        .payload
        .iter()
        .map(|local| {
            let name = match item == Some(*local) {
                true => statics.ident("item"),
                false => statics.ident(&cx.machine.local(*local).name),
            };
            quote!(#name.clone())
        })
        .collect();
    if payload.is_empty() { quote!(State::#name) } else { quote!(State::#name(#(#payload),*)) }
}

fn emit_point(cx: &Context<'_>, statics: &Statics) -> TokenStream {
    let arms = cx.machine.points.iter().enumerate().map(|(at, point)| {
        let pattern = pattern(point, &[], cx, statics);
        let at = Token::usize_unsuffixed(at);
        quote!(#pattern => #at,)
    });
    quote!(fn point(&self) -> &'static rt::Point { &POINTS[match self { #(#arms)* }] })
}

fn emit_save(cx: &Context<'_>, statics: &Statics) -> TokenStream {
    let arms = cx.machine.points.iter().map(|point| {
        let pattern = pattern(point, &point.payload, cx, statics);
        let names: Vec<Ident> =
            point.payload.iter().map(|local| statics.ident(&cx.machine.local(*local).name)).collect();
        match &names[..] {
            [] => quote!(#pattern => {}),
            [name] => quote!(#pattern => w.put(#name),),
            names => quote!(#pattern => w.put_all(&[#(#names),*]),),
        }
    });
    let writes = cx.machine.points.iter().any(|point| !point.payload.is_empty());
    let w = if writes { quote!(w) } else { quote!(_w) };
    quote!(fn save(&self, #w: &mut rt::Writer) { match self { #(#arms)* } })
}

fn emit_load(cx: &Context<'_>, statics: &Statics) -> TokenStream {
    let arms = cx.machine.points.iter().map(|point| {
        let (tag, name) = (&point.tag, statics.ident(&point.name));
        let takes: Vec<TokenStream> = point.payload.iter().map(|_| quote!(r.take()?)).collect();
        let payload = (!takes.is_empty()).then(|| quote!((#(#takes),*)));
        quote!(#tag => State::#name #payload,)
    });
    let reads = cx.machine.points.iter().any(|point| !point.payload.is_empty());
    let r = if reads { quote!(r) } else { quote!(_r) };
    quote! {
        fn load(point: &str, #r: &mut rt::Reader<'_>) -> Result<Self, rt::LoadError> {
            Ok(match point { #(#arms)* unknown => return Err(rt::LoadError::unknown_point(unknown)), })
        }
    }
}

/// The pattern of a variant that binds the locals in `needed`.
fn pattern(point: &Point, needed: &[LocalId], cx: &Context<'_>, statics: &Statics) -> TokenStream {
    let name = statics.ident(&point.name);
    if point.payload.is_empty() {
        return quote!(State::#name);
    }
    if point.payload.iter().all(|local| !needed.contains(local)) {
        return quote!(State::#name(..));
    }
    let fields = point.payload.iter().map(|local| match needed.contains(local) {
        true => {
            let name = statics.ident(&cx.machine.local(*local).name);
            quote!(#name)
        }
        false => quote!(_),
    });
    quote!(State::#name(#(#fields),*))
}

/// A fingerprint of what a point carries: a saved execution can be loaded by another build where it is the same.
fn layout(point: &Point, cx: &Context<'_>) -> u64 {
    let mut hash = super::Fnv::new();
    for local in &point.payload {
        let local = cx.machine.local(*local);
        let kind = match local.kind {
            LocalKind::Value => "value",
            LocalKind::Variable => "variable",
            LocalKind::Fault => "fault",
            LocalKind::Retries => "retries",
        };
        hash.write(kind.as_bytes());
        hash.write(local.name.as_bytes());
    }
    hash.finish()
}
