//! Bounds of the program's types: a private trait for each use of a type. If a type lacks an
//! implementation, rustc reports the trait in the terms of the definition, instead of serde's.

use super::statics::Statics;
use super::tasks::{emit_type, place};
use crate::machine::Module;
use crate::names::{NameScope, camel_case};
use crate::options::RustCode;
use crate::source::Span;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

/// The bounds, collected while the uses are emitted.
pub struct TypeBounds<'a> {
    module: &'a Module<'a>,
    names: NameScope,
    traits: Vec<TokenStream>,
}

/// The use of a type of the program.
pub struct Use {
    /// The source or the target of its values: the task `ChargeCard`.
    pub whose: String,
    pub direction: Direction,
    /// The states that use it, and their spans.
    pub places: Vec<(String, Span)>,
}

/// The direction of data between the workflow and the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    TaskInput,
    TaskOutput,
    WorkflowInput,
    WorkflowOutput,
}

/// The conversion between a type and JSON in one direction.
struct Codec {
    /// `Input` or `Output`.
    word: &'static str,
    /// The constant of the trait, its type, and its value.
    constant: TokenStream,
    of: TokenStream,
    is: TokenStream,
    bounds: TokenStream,
    serde: &'static str,
}

impl<'a> TypeBounds<'a> {
    /// Creates an empty collection.
    pub fn new(module: &'a Module<'a>) -> Self {
        TypeBounds { module, names: NameScope::default(), traits: Vec::new() }
    }

    /// Returns the prefix of trait names for a method or the workflow.
    pub fn prefix(&mut self, name: &str) -> String {
        self.names.give(&camel_case(name))
    }

    /// Emits the conversion of a type at one use, by a constant of the trait that bounds the type.
    pub fn codec(&mut self, prefix: &str, ty: Option<&RustCode>, used: Use, statics: &Statics) -> TokenStream {
        let Some(ty) = ty else { return quote!(Ok) };
        let Codec { word, constant, of, is, bounds, .. } = used.direction.codec();
        let name = statics.ident(&format!("{prefix}{word}"));
        let explained = self.explain(&used);
        self.traits.push(quote! {
            #explained
            pub trait #name: Sized { const #constant: #of<Self>; }

            #[diagnostic::do_not_recommend]
            impl<T: #bounds> #name for T { const #constant: #of<T> = #is; }
        });
        let ty = emit_type(Some(ty), &self.module.type_name);
        quote_spanned!(place(&ty)=> <#ty as type_bounds::#name>::#constant)
    }

    /// Emits the message of rustc for a type that lacks an implementation.
    fn explain(&self, used: &Use) -> TokenStream {
        let Codec { word, serde, .. } = used.direction.codec();
        let message = format!("`{{Self}}` cannot be the {} of {}", word.to_lowercase(), literal(&used.whose));
        // A task's future owns its input, and engines run the future on any thread.
        let (besides, send) = match used.direction {
            Direction::TaskInput => (
                ", or is not `Send`",
                Some("a task runs on any thread, so its input must be `Send` and cannot contain types such as `Rc`"),
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
            let note = literal(&format!("{}: {what}{more}", self.module.sources.exact_place(*place)));
            quote!(note = #note,)
        });
        let fix = format!(
            "add `#[derive(serde::{serde})]` to the type and to the types in it, or enable the feature `serde` of the crate \
             that defines the type"
        );
        quote!(#[diagnostic::on_unimplemented(message = #message, label = #label, #place note = #fix, #send)])
    }

    /// Emits the attribute with rustc's message for a type that does not implement the tasks, and
    /// the bound of such types. Where names of the program are in scope, the attribute is on a
    /// trait of its own.
    pub fn tasks(&mut self) -> (Option<TokenStream>, TokenStream) {
        let Module { name, tables, sources, .. } = self.module;
        let place = sources.exact_place(tables.span.at_start());
        let explained = explain_tasks(tables.name, name, &place);
        if !self.module.is_typed() {
            return (Some(explained), quote!(Tasks));
        }
        self.traits.push(quote! {
            #explained
            pub trait Tasks: super::Tasks {}

            #[diagnostic::do_not_recommend]
            impl<T: super::Tasks + ?Sized> Tasks for T {}
        });
        (None, quote!(type_bounds::Tasks))
    }

    /// Emits the module of the traits. No name of the program is in scope in it, because a
    /// program's module `diagnostic` would hide rustc's attributes.
    pub fn emit(self) -> Option<TokenStream> {
        let traits = self.traits;
        (!traits.is_empty()).then(|| {
            quote! {
                /// The bounds of the program's types.
                mod type_bounds {
                    use ::workflow_runtime::__private as rt;

                    #(#traits)*
                }
            }
        })
    }
}

impl Direction {
    fn codec(self) -> Codec {
        let word = match self {
            Direction::TaskInput | Direction::WorkflowInput => "Input",
            Direction::TaskOutput | Direction::WorkflowOutput => "Output",
        };
        let send = (self == Direction::TaskInput).then(|| quote!(+ Send));
        match self {
            Direction::TaskInput | Direction::WorkflowOutput => Codec {
                word,
                constant: quote!(READ),
                of: quote!(rt::Read),
                is: quote!(rt::read),
                bounds: quote!(rt::DeserializeOwned #send),
                serde: "Deserialize",
            },
            Direction::TaskOutput | Direction::WorkflowInput => Codec {
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

/// Emits the message of rustc for a type that does not implement the tasks of a workflow.
fn explain_tasks(workflow: &str, module: &str, place: &str) -> TokenStream {
    let message = format!("`{{Self}}` does not implement the tasks of the workflow `{}`", literal(workflow));
    let label = format!("the trait `{module}::Tasks` is not implemented for this type");
    let place = literal(&format!("{place}: the workflow is defined here"));
    let fix = format!("write `impl {module}::Tasks for {{Self}}`, with a method for each task key");
    quote!(#[diagnostic::on_unimplemented(message = #message, label = #label, note = #place, note = #fix)])
}

/// Escapes braces for the attribute.
fn literal(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}
