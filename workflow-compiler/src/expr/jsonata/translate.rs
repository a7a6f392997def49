//! Translated expressions as functions of Rust.

use super::lower::{self, NotTranslated};
use super::{JsonataExpression, Yields};
use crate::expr::core::CoreFunction;
use crate::expr::core::CoreType;
use crate::expr::core::emit::jsonata::{Parts, emit_parts, run_param};
use crate::expr::core::ownership::Ownership;
use crate::long_text::emit_text;
use crate::names::NameScope;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use std::sync::Arc;

/// An expression as a function of the core.
#[derive(Debug, Clone, PartialEq)]
pub struct Translation {
    function: CoreFunction,
    ownership: Ownership,
    /// The number of levels that the expression is nested.
    levels: usize,
}

/// Translates an expression outside of a definition. `names` are the values that it can read:
/// variables, and members of `$states` such as `states.input`. A test of the language has an input
/// document.
///
/// # Errors
/// Returns the reason why the expression is not translated: a syntax error, or a construct.
pub fn translate(source: &str, names: &[&str], document: bool) -> Result<Translation, String> {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    Translation::new(source, &names, document, false)
}

impl Translation {
    fn new(source: &str, names: &[String], document: bool, tests: bool) -> Result<Translation, String> {
        let node = workflow_jsonata::parse(source).map_err(|error| error.message)?;
        let lowered = lower::function(&node, names, document, tests);
        let (mut function, levels) = lowered.map_err(|NotTranslated(reason)| reason)?;
        if function.is_too_large() {
            return Err(lower::TOO_LARGE.to_owned());
        }
        let ownership = function.optimise();
        Ok(Translation { function, ownership, levels })
    }

    /// Returns the expression as a Rust function of this name. The parameters are the document, if
    /// there is one, the values of all names, and the run of the expression. The locals avoid the
    /// identifiers of `constants`.
    pub fn emit(&self, name: &Ident, constants: &Arc<NameScope>) -> TokenStream {
        let Parts { params, statics, statements, result } = self.parts(constants);
        let run = run_param(&self.function.body);
        quote! {
            fn #name(#(#params,)* #run: &mut jsonata::Run<'_>) -> jsonata::Result<jsonata::Maybe> {
                #statics
                #statements
                #result
            }
        }
    }

    fn parts(&self, constants: &Arc<NameScope>) -> Parts {
        emit_parts(&self.function, &self.ownership, NameScope::of_jsonata(constants))
    }
}

impl JsonataExpression {
    /// Translates the expression, whose variables are resolved, if that is possible.
    pub fn translate(&mut self) {
        let tests = self.yields == Yields::Boolean;
        match Translation::new(&self.source, &self.variables, false, tests) {
            Ok(translation) => self.translation = Some(Arc::new(translation)),
            Err(reason) => self.evaluated = Some(reason),
        }
    }

    /// Returns the size of the function that the expression becomes, or zero if the runtime
    /// evaluates it.
    pub fn size(&self) -> usize {
        self.translation.as_ref().map_or(0, |translation| translation.function.size())
    }

    /// Returns `true` if the expression is translated.
    pub fn is_translated(&self) -> bool {
        self.translation.is_some()
    }

    /// Returns the expression as a Rust function of this name, or `None` if the runtime evaluates
    /// it. The parameters are the values of the variables, and the turn.
    pub fn emit(&self, name: &Ident, constants: &Arc<NameScope>) -> Option<TokenStream> {
        let translation = self.translation.as_ref()?;
        let Parts { params, statics, statements, result } = translation.parts(constants);
        let is_test = translation.function.returns == CoreType::Bool;
        let (entry, ty) = match self.yields {
            Yields::Any => (quote!(value), quote!(Value)),
            Yields::Array => (quote!(array), quote!(Value)),
            Yields::Items => (quote!(array_or_object), quote!(Value)),
            Yields::Boolean if is_test => (quote!(test), quote!(bool)),
            Yields::Boolean => (quote!(boolean), quote!(bool)),
            Yields::Number => (quote!(number), quote!(Value)),
            Yields::Object => (quote!(object_field), quote!(Value)),
            Yields::String => (quote!(string), quote!(Value)),
        };
        let (source, field) = (emit_text(&self.source), emit_text(&self.field));
        let levels = Literal::usize_unsuffixed(translation.levels);
        let run = run_param(&translation.function.body);
        let code = if statements.is_empty() { result } else { quote!({ #statements #result }) };
        Some(quote! {
            fn #name(#(#params,)* turn: &mut Turn) -> Result<#ty, Fault> {
                static EXPRESSION: jsonata::JsonataExpression =
                    jsonata::JsonataExpression::new(#source, #field, #levels);
                #statics
                jsonata::#entry(&EXPRESSION, turn, |#run| #code)
            }
        })
    }
}
