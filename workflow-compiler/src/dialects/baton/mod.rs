//! Front end of Baton: reads, checks and lowers a definition to the HIR.
//!
//! Baton is a small language for the tests. It shows the parts of a dialect. A definition has a
//! description (`baton`), a first state (`start`) and `states`, each with one form:
//!
//! | form | |
//! |---|---|
//! | `task` | invokes a task `with` an input, `within` a time limit |
//! | `wait` | waits for a duration |
//! | `choose` | continues with the first rule whose condition (`when`) holds, or with `else` |
//! | `event` | awaits an event of this type; if none arrives `within` a time, the state `late` follows |
//! | `join` | runs `branches` concurrently and awaits `all`, `any` or a number of them |
//! | `end` | ends the definition or the branch with this output |
//! | `fail` | fails with this error, `because` of a cause |
//!
//! Tasks and joins have rules that `retry` and `catch` errors. `keep` computes new data from the
//! data and from `$result` or `$error`. Expressions are in jq.
//!
//! Phases: `parse` reads the tree into the AST, resolves names and compiles expressions, and
//! `lower` lowers the AST.

pub mod ast;
pub mod codes;
pub mod dialect;
mod lower;
mod parse;

use crate::Options;
use crate::diagnostics::Diagnostics;
use crate::hir::{Outline, Workflow};
use crate::syntax::Node;

/// Reads a definition. If it is too broken, all errors are reported.
pub fn read(
    definition: &Node,
    name: &str,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Result<Workflow, Outline> {
    let before = diagnostics.errors();
    let baton = parse::parse(definition, options, diagnostics).filter(|_| diagnostics.errors() == before);
    baton.map(|baton| lower::lower(&baton, name)).ok_or_else(Outline::default)
}
