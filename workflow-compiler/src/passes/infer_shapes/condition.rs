//! Refinement of the values that conditions test.

use super::env::LocalShapes;
use super::eval::Eval;
use super::report::ExprPlace;
use crate::expr::{Arg, Call, Expr, LocalId, Selector};
use crate::hir::Workflow;
use crate::literal::Literal;
use crate::shapes::functions::{FunctionRule, rule};
use crate::shapes::{Access, KindSet, Shape};

/// Returns the locals where a condition holds, or does not hold. `None` if that cannot be.
pub fn suppose(workflow: &Workflow, condition: &Expr, holds: bool, env: &LocalShapes) -> Option<LocalShapes> {
    match condition {
        Expr::Literal(Literal::Bool(value)) => (*value == holds).then(|| env.clone()),
        Expr::And(terms) => all_or_one(workflow, terms, true, holds, env),
        Expr::Or(terms) => all_or_one(workflow, terms, false, !holds, env),
        Expr::Not(inner) => suppose(workflow, inner, !holds, env),
        Expr::Call(call) => test(workflow, call, holds, env),
        Expr::Apply(_) => {
            let place = ExprPlace { state: None, span: workflow.span, is_caught: false, is_catcher: false };
            let value = Eval::new(workflow, env, place, false).value(condition);
            let can = value.is_any() || !value.without_flag(!holds).only(KindSet::BOOLEAN).is_never();
            can.then(|| env.clone())
        }
        _ => Some(env.clone()),
    }
}

/// Supposes that all terms are `value`, or that one of them is not.
fn all_or_one(workflow: &Workflow, terms: &[Expr], value: bool, all: bool, env: &LocalShapes) -> Option<LocalShapes> {
    let mut so_far = Some(env.clone());
    let mut one: Option<LocalShapes> = None;
    for term in terms {
        let Some(before) = &so_far else { break };
        if !all && let Some(other) = suppose(workflow, term, !value, before) {
            LocalShapes::add(&mut one, &other);
        }
        so_far = suppose(workflow, term, value, before);
    }
    if all { so_far } else { one }
}

/// Supposes the result of a call that tests one or two values.
fn test(workflow: &Workflow, call: &Call, holds: bool, env: &LocalShapes) -> Option<LocalShapes> {
    let Some(refinement) = refinement(workflow, call, holds, env) else { return Some(env.clone()) };
    let mut env = env.clone();
    for (arg, refine) in call.args.iter().zip(refinement) {
        let (Arg::Value(tested) | Arg::Maybe(tested)) = arg else { continue };
        env = narrow(workflow, tested, &*refine.0, refine.1, &env)?;
    }
    Some(env)
}

/// A function of a tested value, and whether the value must be there.
type Refine = (Box<dyn Fn(Access) -> Access>, bool);

fn refine(shape: impl Fn(Shape) -> Shape + 'static) -> Refine {
    (Box::new(move |access| Access::present(shape(access.shape))), true)
}

/// Returns what the result of a call shows of its arguments. `None` for a function that is no
/// test.
fn refinement(workflow: &Workflow, call: &Call, holds: bool, env: &LocalShapes) -> Option<Vec<Refine>> {
    Some(match rule(call.function.path) {
        FunctionRule::IsPresent if holds => vec![refine(|shape| shape)],
        FunctionRule::IsPresent => {
            let absent = |access: Access| match access.may_be_absent {
                true => Access::absent(),
                false => Access::present(Shape::never()),
            };
            vec![(Box::new(absent), false)]
        }
        FunctionRule::IsKind(kinds) if holds => vec![refine(move |shape| shape.only(kinds))],
        FunctionRule::IsKind(kinds) => vec![refine(move |shape| shape.only(kinds.complement()))],
        FunctionRule::IsForm if holds => vec![refine(|shape| shape.only(KindSet::STRING))],
        FunctionRule::IsForm => vec![refine(|shape| shape)],
        FunctionRule::Compare(kind, is_equality) => match (call.args.get(1)?, is_equality) {
            (Arg::Str(text), true) => {
                let text = text.clone();
                vec![refine(move |shape| if holds { shape.only_text(&text) } else { shape.without_text(&text) })]
            }
            (Arg::Int(number), true) => {
                let number = *number;
                vec![refine(move |shape| if holds { shape.only_whole(number) } else { shape.without_whole(number) })]
            }
            (Arg::Flag(value), true) => {
                let value = *value;
                // What is no boolean does not equal one.
                vec![refine(move |shape| match holds {
                    true => shape.only(KindSet::BOOLEAN).without_flag(!value),
                    false => shape.without_flag(value),
                })]
            }
            (Arg::Value(other), _) if holds => {
                let place = ExprPlace { state: None, span: workflow.span, is_caught: false, is_catcher: false };
                let mut eval = Eval::new(workflow, env, place, false);
                let other = eval.value(other);
                let part = move |shape: Shape| match (shape.known_texts(), other.known_texts(), is_equality) {
                    (Some(left), Some(right), true) if left.is_disjoint(right) => Shape::never(),
                    _ => shape.only(kind),
                };
                vec![refine(part), refine(move |shape| shape.only(kind))]
            }
            (_, _) if holds => vec![refine(move |shape| shape.only(kind))],
            _ => vec![refine(|shape| shape), refine(|shape| shape)],
        },
        _ => return None,
    })
}

/// Narrows the value of an expression. Returns `None` if there is no such value.
fn narrow(
    workflow: &Workflow,
    tested: &Expr,
    refine: &dyn Fn(Access) -> Access,
    exists: bool,
    env: &LocalShapes,
) -> Option<LocalShapes> {
    let place = ExprPlace { state: None, span: workflow.span, is_caught: false, is_catcher: false };
    let found = Eval::new(workflow, env, place, false).find(tested);
    let after = refine(found.access);
    if after.shape.is_never() && !after.may_be_absent {
        return None;
    }
    let Some((local, names)) = place_of(tested) else { return Some(env.clone()) };
    if names.is_empty() && !exists {
        // That a variable has no value is not kept.
        return Some(env.clone());
    }
    let shape = env.get(local).refined(&names, exists, refine);
    let mut env = env.clone();
    let is_possible = !shape.is_never();
    env.set(local, shape);
    is_possible.then_some(env)
}

/// Returns the local and the names of a path that an expression reads.
fn place_of(expr: &Expr) -> Option<(LocalId, Vec<String>)> {
    match expr {
        Expr::Local(local) => Some((*local, Vec::new())),
        Expr::Find(path) => {
            let (local, mut names) = place_of(&path.base)?;
            for segment in &path.segments {
                match &segment.selectors[..] {
                    [Selector::Name(name)] if !segment.descend => names.push(name.clone()),
                    _ => return None,
                }
            }
            Some((local, names))
        }
        Expr::Call(call) => {
            let (Arg::Value(base) | Arg::Maybe(base)) = call.args.first()? else { return None };
            let (local, mut names) = place_of(base)?;
            match (rule(call.function.path), call.args.get(1)) {
                (FunctionRule::Path, Some(Arg::Strs(more))) => names.extend(more.iter().cloned()),
                (FunctionRule::Required | FunctionRule::Selected, _) => {}
                _ => return None,
            }
            Some((local, names))
        }
        _ => None,
    }
}
