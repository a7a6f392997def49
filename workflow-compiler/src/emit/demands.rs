//! Prints what is demanded of types of the program: a private trait for each use of one. Where a type does not have what
//! it takes, rustc says so of that trait, in words of the definition, and not of serde's.

use super::header::Header;
use super::statics::Statics;
use super::tasks::{emit_type, place};
use crate::options::RustCode;
use crate::passes::names::{Scope, camel_case};
use crate::source::Span;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

/// Collects what is demanded while the uses are printed.
pub struct Demands<'a> {
    header: &'a Header<'a>,
    names: Scope,
    traits: Vec<TokenStream>,
}

/// What a type of the program is used for.
pub struct Use {
    /// Where its values come from or go to: the task `ChargeCard`.
    pub whose: String,
    pub direction: Direction,
    /// What uses it, and where.
    pub places: Vec<(String, Span)>,
}

/// Which way data goes between the workflow and the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    TaskInput,
    TaskOutput,
    WorkflowInput,
    WorkflowOutput,
}

/// What it takes to go a way.
struct Way {
    /// `Input` or `Output`.
    word: &'static str,
    /// The constant of the trait, its type, and what it is.
    constant: TokenStream,
    of: TokenStream,
    is: TokenStream,
    bounds: TokenStream,
    serde: &'static str,
}

impl<'a> Demands<'a> {
    /// None so far.
    pub fn new(header: &'a Header<'a>) -> Self {
        Demands { header, names: Scope::default(), traits: Vec::new() }
    }

    /// What the names of traits start with for a method or the workflow.
    pub fn prefix(&mut self, name: &str) -> String {
        self.names.give(&camel_case(name))
    }

    /// How a type is read or written at one use: by a constant of the trait that is demanded of it.
    pub fn way(&mut self, prefix: &str, ty: Option<&RustCode>, used: Use, statics: &Statics) -> TokenStream {
        let Some(ty) = ty else { return quote!(Ok) };
        let Way { word, constant, of, is, bounds, .. } = used.direction.way();
        let name = statics.ident(&format!("{prefix}{word}"));
        let explained = self.explain(&used);
        self.traits.push(quote! {
            #explained
            pub trait #name: Sized { const #constant: #of<Self>; }

            #[diagnostic::do_not_recommend]
            impl<T: #bounds> #name for T { const #constant: #of<T> = #is; }
        });
        let ty = emit_type(Some(ty), &self.header.name);
        quote_spanned!(place(&ty)=> <#ty as demands::#name>::#constant)
    }

    /// What rustc says of a type that does not have what it takes.
    fn explain(&self, used: &Use) -> TokenStream {
        let Way { word, serde, .. } = used.direction.way();
        let message = format!("`{{Self}}` cannot be the {} of {}", word.to_lowercase(), literal(&used.whose));
        // A task's future keeps its input, and engines run it on any thread.
        let (besides, send) = match used.direction {
            Direction::TaskInput => (
                ", or is not `Send`",
                Some("a task runs on any thread, with its input: what is not `Send`, like `Rc`, cannot be in it"),
            ),
            _ => ("", None),
        };
        let send = send.map(|note| quote!(note = #note));
        let label = format!("it does not implement `serde::{serde}`{besides}");
        let place = used.places.first().map(|(what, place)| {
            let more = match used.places.len() {
                1 => String::new(),
                count => format!(", the first of {count} places"),
            };
            let note = literal(&format!("{}: {what}{more}", self.header.sources.exact_place(*place)));
            quote!(note = #note,)
        });
        let fix = format!(
            "put `#[derive(serde::{serde})]` before the type, and before those in it; a type of another crate may implement \
             it with the feature `serde` of that crate"
        );
        quote!(#[diagnostic::on_unimplemented(message = #message, label = #label, #place note = #fix, #send)])
    }

    /// The module of the traits. Nothing of the program is in scope in it, where a module of the program's that is called
    /// `diagnostic` would hide rustc's own.
    pub fn emit(self) -> Option<TokenStream> {
        let traits = self.traits;
        (!traits.is_empty()).then(|| {
            quote! {
                /// What is demanded of types of the program.
                mod demands {
                    use ::workflow_runtime::__private as rt;

                    #(#traits)*
                }
            }
        })
    }
}

impl Direction {
    fn way(self) -> Way {
        let word = match self {
            Direction::TaskInput | Direction::WorkflowInput => "Input",
            Direction::TaskOutput | Direction::WorkflowOutput => "Output",
        };
        let send = (self == Direction::TaskInput).then(|| quote!(+ Send));
        match self {
            Direction::TaskInput | Direction::WorkflowOutput => Way {
                word,
                constant: quote!(READ),
                of: quote!(rt::Read),
                is: quote!(rt::read),
                bounds: quote!(rt::DeserializeOwned #send),
                serde: "Deserialize",
            },
            Direction::TaskOutput | Direction::WorkflowInput => Way {
                word,
                constant: quote!(WRITE),
                of: quote!(rt::Write),
                is: quote!(rt::write),
                bounds: quote!(rt::Serialize),
                serde: "Serialize",
            },
        }
    }
}

/// Braces mean something in the attribute.
fn literal(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}
