//! Reader of integers.

use crate::diagnostics::Diagnostics;
use crate::dialects::object::Object;
use crate::dialects::object::numbers::{NumberRange, number};
use crate::source::Spanned;

impl Object<'_> {
    /// Returns the member `name` as an integer of at least `least`.
    pub fn whole_from(&self, name: &str, least: u32, diagnostics: &mut Diagnostics) -> Option<Spanned<u32>> {
        let number = number(self.get(name)?, name, NumberRange::Whole(least..=u32::MAX), diagnostics)?;
        Some(Spanned::new(number.value as u32, number.span))
    }
}
