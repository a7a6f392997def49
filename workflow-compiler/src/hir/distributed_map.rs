//! Maps whose iterations are executions of their own.

use crate::expr::{Expr, LocalId};
use crate::literal::Literal;
use crate::model::{ReaderKind, ScopeId};

/// A Map whose iterations are executions of their own. No local outlives the border: the scopes
/// read what their input has.
#[derive(Debug, Clone)]
pub struct DistributedMap {
    /// The label, which the names of the executions contain. Unique in the workflow.
    pub label: String,
    /// The scope that runs for each item or batch.
    pub body: ScopeId,
    /// The local of the scope that receives the item or the batch.
    pub input: LocalId,
    /// The selection of the value that an execution receives for an item.
    pub selection: Option<ItemSelection>,
    /// The kind of reader, if an object store has the items.
    pub reader: Option<ReaderKind>,
    /// `true` if the results are written to an object store.
    pub has_writer: bool,
    /// The settings of the run: an object, as the runtime's `DistributedMap` describes it.
    pub settings: Expr,
    /// Receives the result of the run.
    pub result: LocalId,
}

impl DistributedMap {
    /// Returns the `InputType` of the reader.
    pub fn input_type(&self) -> Option<&str> {
        match member(member(&self.settings, "config")?, "InputType")? {
            Expr::Literal(Literal::String(text)) => Some(text),
            _ => None,
        }
    }
}

/// The selection of the value that an execution receives for an item of a [`DistributedMap`].
#[derive(Debug, Clone)]
pub struct ItemSelection {
    /// The scope that ends at once with the value.
    pub scope: ScopeId,
    /// The local of that scope that receives the item, with what the selection reads beside it.
    pub input: LocalId,
}

/// Returns a member of an object.
fn member<'a>(of: &'a Expr, name: &str) -> Option<&'a Expr> {
    let Expr::Object(members) = of else { return None };
    members.iter().find(|(member, _)| member == name).map(|(_, value)| value)
}
