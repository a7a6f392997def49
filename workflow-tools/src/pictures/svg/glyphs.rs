//! The signs and borders that distinguish shapes without colour.

use workflow_compiler::graph::Shape;

/// The fill and the stroke of a shape.
pub fn colours(shape: Shape) -> (&'static str, &'static str) {
    match shape {
        Shape::Plain => ("#f9fafb", "#6b7280"),
        Shape::Task | Shape::Answer => ("#dbeafe", "#3b82f6"),
        Shape::Choice => ("#fef3c7", "#d97706"),
        Shape::Wait => ("#f3e8ff", "#9333ea"),
        Shape::Event => ("#ccfbf1", "#0d9488"),
        Shape::Call => ("#e0e7ff", "#4f46e5"),
        Shape::Group => ("#f3f4f6", "#6b7280"),
        Shape::Succeed => ("#dcfce7", "#16a34a"),
        Shape::Fail => ("#fee2e2", "#dc2626"),
    }
}

/// Returns `true` if a shape has a sign.
pub fn has_glyph(shape: Shape) -> bool {
    glyph(shape).is_some()
}

/// Returns the sign of a shape: elements in a square of 12 pixels, drawn with the stroke of the
/// shape.
pub fn glyph(shape: Shape) -> Option<&'static str> {
    match shape {
        // A cogwheel.
        Shape::Task => Some(
            "<circle cx=\"6\" cy=\"6\" r=\"5\" stroke-width=\"2\" stroke-dasharray=\"2 1.927\"/>\
             <circle cx=\"6\" cy=\"6\" r=\"3.2\" stroke-width=\"1.6\"/>",
        ),
        // A key.
        Shape::Answer => Some("<circle cx=\"3.2\" cy=\"6\" r=\"2.7\"/><path d=\"M5.9 6H13V9.6M9.6 6V9\"/>"),
        // A clock.
        Shape::Wait => Some("<circle cx=\"6\" cy=\"6\" r=\"5.2\"/><path d=\"M6 2.6V6L8.6 7.6\"/>"),
        // An envelope.
        Shape::Event => Some("<path d=\"M0.6 2H11.4V10.4H0.6zM0.6 2L6 6.8L11.4 2\"/>"),
        // A check mark.
        Shape::Succeed => Some("<path d=\"M1 6.4L4.6 10L11 2.4\" stroke-width=\"1.8\"/>"),
        // A cross.
        Shape::Fail => Some("<path d=\"M2 2L10 10M10 2L2 10\" stroke-width=\"1.8\"/>"),
        // The outline says enough.
        Shape::Choice | Shape::Call | Shape::Group | Shape::Plain => None,
    }
}
