//! Constructors of HIR fragments that many states share.

use super::super::functions::OR_NULL;
use crate::expr::{Arg, Expr, LocalId, Path, Segment, Selector};
use crate::hir::StepKind;
use crate::model::{InputTemplate, Invoke, Seconds, TaskId};

/// Returns the call of a task with the input that a template makes.
pub(super) fn invoke(
    task: TaskId,
    input: Expr,
    template: InputTemplate,
    timeout: Option<Seconds>,
    result: LocalId,
) -> StepKind {
    StepKind::Invoke(Box::new(Invoke {
        task,
        input,
        template,
        timeout,
        heartbeat: None,
        credentials: None,
        callback: false,
        result,
    }))
}

/// Returns a member of a value, which may be absent.
pub(super) fn member(local: LocalId, name: &str) -> Expr {
    select(local, Selector::Name(name.to_owned()))
}

/// Returns an element of an array, or null.
pub(super) fn element(array: LocalId, at: usize) -> Expr {
    Expr::call(&OR_NULL, vec![Arg::Maybe(select(array, Selector::Index(at as i64)))])
}

fn select(local: LocalId, selector: Selector) -> Expr {
    let segment = Segment { descend: false, selectors: vec![selector] };
    Expr::Find(Path { base: Box::new(Expr::Local(local)), segments: vec![segment], strict: false })
}
