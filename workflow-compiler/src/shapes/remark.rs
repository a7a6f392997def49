//! Remarks on programs of other languages.

use super::{KindSet, Shape};
use std::ops::Range;
use std::sync::Arc;

/// A remark on the text of a program.
#[derive(Debug, Clone)]
pub struct Remark {
    /// The place in the text, in bytes.
    pub at: Range<usize>,
    /// The kind of the remark.
    pub kind: RemarkKind,
    /// `true` if each run of the program evaluates the place, and nothing in the program absorbs a
    /// failure there.
    pub is_certain: bool,
}

/// The kind of a remark.
#[derive(Debug, Clone)]
pub enum RemarkKind {
    /// A member or an element is read that the value never has, which fails.
    NoMember {
        /// The value as written.
        written: String,
        /// The name, or the index.
        name: Arc<str>,
        /// The value.
        of: Shape,
    },
    /// A member is read that the value never has, which is undefined.
    Undefined {
        /// The name.
        name: Arc<str>,
        /// The value.
        of: Shape,
    },
    /// A value is never of the kinds that an operator or a function takes.
    WrongKind {
        /// The operand or the argument, in words.
        what: String,
        /// The value.
        found: Shape,
        /// The kinds. Empty if the function takes values that JSON does not have.
        wanted: KindSet,
    },
    /// An operator never has a result for two operands.
    WrongOperands {
        /// The sign of the operator.
        sign: &'static str,
        /// The left operand.
        left: Shape,
        /// The right operand.
        right: Shape,
    },
    /// The two sides of an equation are never equal.
    NeverEqual {
        /// The left side.
        left: Shape,
        /// The right side.
        right: Shape,
    },
}

impl RemarkKind {
    /// Returns `true` if the evaluation of the place fails.
    pub fn fails(&self) -> bool {
        !matches!(self, RemarkKind::Undefined { .. } | RemarkKind::NeverEqual { .. })
    }
}

/// The outcome of a program.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The value: [`Shape::never`] if the program fails in every run.
    pub value: Shape,
    /// The remarks.
    pub remarks: Vec<Remark>,
    /// The number of paths that begin at the data or a variable.
    pub paths: super::PathCount,
}
