//! Tests of diagnostics of shapes.

use super::*;
use crate::shapes::{Field, RecordShape};
use crate::source::FileId;

#[test]
fn a_place_is_looked_up_only_for_a_name_that_looks_misspelt() {
    let span = Span::new(FileId(0), 0, 0);
    let workflow = Workflow::new("flow", "a dialect", "data", span);
    let names = WrittenNames::of(&workflow);
    let place = ExprPlace { names: Some(&names), ..ExprPlace::unknown(&workflow) };
    let field = Field { shape: Shape::integer(), required: true };
    let object =
        Shape::object(RecordShape { fields: [("receipt".into(), field)].into_iter().collect(), rest: Shape::any() });
    for (name, is_similar) in [("reciept", true), ("receipt", false), ("receipts", false), ("another", false)] {
        let mut lookups = 0;
        let found = similar_member(&place, name, &object, || {
            lookups += 1;
            (span, "$".to_owned())
        });
        assert_eq!((found.is_some(), lookups), (is_similar, usize::from(is_similar)), "{name}");
    }
}
