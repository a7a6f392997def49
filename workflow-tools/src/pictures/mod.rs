//! Pictures of workflows: in the DOT language, and as SVG.
//!
//! Both print the graph of a workflow that the compiler makes, and are deterministic. The compiler
//! itself prints Mermaid diagrams, because they document generated modules.

mod dot;
mod svg;
#[cfg(test)]
mod tests;

pub use dot::dot;
pub use svg::measure::{Defect, DefectKind, measure};
pub use svg::{Legend, TooLarge, svg};
