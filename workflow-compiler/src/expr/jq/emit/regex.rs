//! Functions that look for regular expressions.

use super::code::Code;
use super::scope::Scope;
use super::{Emitter, Input, Res, Then, untranslated};
use crate::expr::jq::ast::Term;
use proc_macro2::TokenStream;

impl<'p> Emitter<'p> {
    pub(super) fn regex(
        &mut self,
        name: &str,
        _arguments: &'p [Term],
        _scope: &Scope<'p>,
        _input: &Input,
        _before: &mut TokenStream,
    ) -> Res<Code> {
        untranslated(format!("`{name}`"))
    }

    pub(super) fn each_match(
        &mut self,
        _arguments: &'p [Term],
        _scope: &Scope<'p>,
        _input: &Input,
        _then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        untranslated("`match`")
    }
}
