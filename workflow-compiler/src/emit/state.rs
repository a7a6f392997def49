//! Emission of the table of resume points.

use super::block::{EmitContext, emit_args, emit_local_type, emit_otherwise};
use super::statics::Statics;
use crate::expr::LocalId;
use crate::machine::{ResumePoint, ResumePointId, ResumePointKind};
use proc_macro2::{Literal as Token, TokenStream};
use quote::quote;

/// Emits the table of resume points, from which the runtime's macro makes the enum and its
/// implementation of `Machine`.
pub fn emit_machine(cx: &EmitContext<'_>, statics: &Statics) -> TokenStream {
    let entry = cx.machine.point(cx.machine.entry);
    let start = statics.ident(&entry.name);
    let input = (!entry.payload.is_empty()).then(|| quote!(item));
    let entries = cx.machine.entries.iter().map(|(point, input)| {
        let cx = &of_point(cx.machine.point(*point), cx);
        emit_child(*point, Some(*input), cx, statics)
    });
    let entries: Vec<TokenStream> = entries.collect();
    let entries = (!entries.is_empty()).then(|| quote!(entries [#(#entries),*]));
    let documents = cx.machine.on_timeout.map(|(_, document)| emit_documents(document, cx, statics));
    let points = cx.machine.points.iter().map(|point| emit_point(point, &of_point(point, cx), statics));
    let own = super::own(cx.header);
    quote! {
        #own rt::machine! {
            /// The resume points: where an execution can wait, be saved, and continue.
            #[doc(hidden)]
            pub enum State(item) from #start(#input) #entries #documents;
            #(#points)*
        }
    }
}

/// Returns the context for the code of a resume point.
fn of_point<'a>(point: &'a ResumePoint, cx: &EmitContext<'a>) -> EmitContext<'a> {
    EmitContext { machine: cx.machine, header: cx.header, names: &point.names }
}

/// Emits the document at every resume point of the top level.
fn emit_documents(document: LocalId, cx: &EmitContext<'_>, statics: &Statics) -> TokenStream {
    let points = cx.machine.points.iter().filter(|point| point.is_top_level());
    let places = points.map(|point| {
        let name = statics.ident(&point.name);
        let fields = point.payload.iter().map(|local| if *local == document { quote!(document) } else { quote!(_) });
        quote!(State::#name(#(#fields),*) => document)
    });
    quote!(documents [#(#places),*])
}

fn emit_point(point: &ResumePoint, cx: &EmitContext<'_>, statics: &Statics) -> TokenStream {
    let name = statics.ident(&point.name);
    let fields = point.payload.iter().map(|local| {
        let (name, ty) = (statics.ident(&cx.names[local]), emit_local_type(*local, cx));
        quote!(#name: #ty)
    });
    let (tag, layout) = (&point.tag, Token::u64_unsuffixed(cx.machine.layout(point)));
    let of = point.origin.as_ref().map_or("", |origin| &origin.state);
    let how = match point.kind {
        ResumePointKind::Enter(_) => quote!(enter),
        ResumePointKind::Elapsed(_) => quote!(elapsed),
        ResumePointKind::Resume(_) | ResumePointKind::Fork(..) | ResumePointKind::ForEach { .. } => quote!(resume),
    };
    let block = statics.ident(&cx.machine.block(point.kind.block()).name);
    let args = emit_args(point.kind.block(), cx, statics);
    let failed = emit_otherwise(cx.machine.block(point.kind.block()), cx, statics);
    let children = emit_children(point, cx, statics);
    let more = (failed.is_some() || !children.is_empty()).then(|| quote!({ #failed #children }));
    quote!(#name(#(#fields),*) = #tag, #of, #layout => #how #block(#(#args),*) #more;)
}

/// Emits the entries of the frames that a resume point starts.
fn emit_children(point: &ResumePoint, cx: &EmitContext<'_>, statics: &Statics) -> TokenStream {
    match &point.kind {
        ResumePointKind::Fork(_, children) => {
            let children = children.iter().map(|child| emit_child(*child, None, cx, statics));
            quote!(fork [#(#children),*])
        }
        ResumePointKind::ForEach { child, item, .. } => {
            let child = emit_child(*child, Some(*item), cx, statics);
            quote!(each #child)
        }
        ResumePointKind::Enter(_) | ResumePointKind::Resume(_) | ResumePointKind::Elapsed(_) => TokenStream::new(),
    }
}

fn emit_child(child: ResumePointId, item: Option<LocalId>, cx: &EmitContext<'_>, statics: &Statics) -> TokenStream {
    let point = cx.machine.point(child);
    let name = statics.ident(&point.name);
    let payload = point.payload.iter().map(|local| {
        let name = match item == Some(*local) {
            true => statics.ident("item"),
            false => statics.ident(&cx.names[local]),
        };
        quote!(#name.clone())
    });
    quote!(#name(#(#payload),*))
}
