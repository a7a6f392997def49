//! Comparisons.

use super::Emitter;
use super::code::JqCode;
use crate::expr::jq::ast::Binary;
use quote::quote;

impl Emitter<'_> {
    /// Emits a comparison of two values.
    pub(super) fn compare(&mut self, operator: Binary, left: &JqCode, right: &JqCode) -> JqCode {
        let function = match operator {
            Binary::Equal => quote!(jq::eq),
            Binary::NotEqual => quote!(jq::ne),
            Binary::Less => quote!(jq::lt),
            Binary::LessOrEqual => quote!(jq::le),
            Binary::Greater => quote!(jq::gt),
            _ => quote!(jq::ge),
        };
        let (left, right) = (left.as_ref(), right.as_ref());
        JqCode::bool(quote!(#function(#left, #right)))
    }
}
