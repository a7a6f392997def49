//! Refinement of the values that conditions test.

use super::env::LocalShapes;
use super::eval::Eval;
use super::report::ExprPlace;
use crate::expr::{Arg, Call, Expr, LocalId, Selector};
use crate::hir::Workflow;
use crate::literal::Literal;
use crate::shapes::functions::{FunctionRule, rule};
use crate::shapes::{Access, KindSet, Shape};

/// The locals where a condition holds, and those where it does not. `None` for an outcome that
/// cannot be.
pub struct Outcomes {
    pub holds: Option<LocalShapes>,
    pub fails: Option<LocalShapes>,
}

impl Outcomes {
    fn either(env: &LocalShapes) -> Outcomes {
        Outcomes { holds: Some(env.clone()), fails: Some(env.clone()) }
    }

    /// Returns the locals where the condition has this result.
    pub fn of(self, holds: bool) -> Option<LocalShapes> {
        if holds { self.holds } else { self.fails }
    }

    fn negated(self) -> Outcomes {
        Outcomes { holds: self.fails, fails: self.holds }
    }
}

/// Returns the locals after both outcomes of a condition. Each term is visited once.
pub fn suppose(workflow: &Workflow, condition: &Expr, env: &LocalShapes) -> Outcomes {
    match condition {
        Expr::Literal(Literal::Bool(value)) => {
            let outcome = |holds| (*value == holds).then(|| env.clone());
            Outcomes { holds: outcome(true), fails: outcome(false) }
        }
        Expr::And(terms) => all(workflow, terms, true, env),
        Expr::Or(terms) => all(workflow, terms, false, env).negated(),
        Expr::Not(inner) => suppose(workflow, inner, env).negated(),
        Expr::Call(call) if is_test(call) => {
            Outcomes { holds: test(workflow, call, true, env), fails: test(workflow, call, false, env) }
        }
        Expr::Apply(_) | Expr::Call(_) => {
            let value = Eval::new(workflow, env, ExprPlace::unknown(workflow), false).value(condition);
            let outcome = |holds: bool| {
                let can = value.is_any() || !value.without_flag(!holds).only(KindSet::BOOLEAN).is_never();
                can.then(|| env.clone())
            };
            Outcomes { holds: outcome(true), fails: outcome(false) }
        }
        _ => Outcomes::either(env),
    }
}

/// Returns the locals after one outcome of a condition, or `None` if it cannot be.
pub fn suppose_that(workflow: &Workflow, condition: &Expr, holds: bool, env: &LocalShapes) -> Option<LocalShapes> {
    match condition {
        Expr::Not(inner) => suppose_that(workflow, inner, !holds, env),
        Expr::Call(call) if is_test(call) => test(workflow, call, holds, env),
        _ => suppose(workflow, condition, env).of(holds),
    }
}

/// Returns `true` for a call whose two outcomes [`test`] computes one by one.
fn is_test(call: &Call) -> bool {
    !matches!(rule(call.function.path), FunctionRule::Nullable(_) | FunctionRule::Equality)
}

/// Supposes that all terms are `value`, and that one of them is not.
fn all(workflow: &Workflow, terms: &[Expr], value: bool, env: &LocalShapes) -> Outcomes {
    let mut so_far = Some(env.clone());
    let mut one: Option<LocalShapes> = None;
    for term in terms {
        let Some(before) = &so_far else { break };
        let outcomes = suppose(workflow, term, before);
        let (is, is_not) = match value {
            true => (outcomes.holds, outcomes.fails),
            false => (outcomes.fails, outcomes.holds),
        };
        if let Some(other) = is_not {
            LocalShapes::add(&mut one, &other);
        }
        so_far = is;
    }
    Outcomes { holds: so_far, fails: one }
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
        FunctionRule::HasMember(name) => {
            let exists = move |access: Access| match (holds, access.may_be_absent) {
                (true, _) => Access::present(access.shape),
                (false, true) => Access::absent(),
                (false, false) => Access::present(Shape::never()),
            };
            vec![refine(move |shape| shape.refined(&[name.to_owned()], holds, &exists))]
        }
        FunctionRule::IsTrue if holds => vec![refine(|shape| shape.tested(KindSet::BOOLEAN).without_flag(false))],
        FunctionRule::IsTrue => {
            let not_true = |access: Access| Access { shape: access.shape.without_flag(true), ..access };
            vec![(Box::new(not_true), false)]
        }
        FunctionRule::IsKind(kinds) if holds => vec![refine(move |shape| shape.tested(kinds))],
        FunctionRule::IsKind(kinds) => vec![refine(move |shape| shape.tested(kinds.complement()))],
        FunctionRule::IsForm if holds => vec![refine(|shape| shape.tested(KindSet::STRING))],
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
                // A value of another kind does not equal a boolean.
                vec![refine(move |shape| match holds {
                    true => shape.tested(KindSet::BOOLEAN).without_flag(!value),
                    false => shape.without_flag(value).without_places(),
                })]
            }
            (Arg::Value(other), _) if holds => {
                let mut eval = Eval::new(workflow, env, ExprPlace::unknown(workflow), false);
                let other = eval.value(other);
                let part = move |shape: Shape| match (shape.known_texts(), other.known_texts(), is_equality) {
                    (Some(left), Some(right), true) if left.is_disjoint(right) => Shape::never(),
                    _ => shape.tested(kind),
                };
                vec![refine(part), refine(move |shape| shape.tested(kind))]
            }
            (_, _) if holds => vec![refine(move |shape| shape.tested(kind))],
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
    let found = Eval::new(workflow, env, ExprPlace::unknown(workflow), false).find(tested);
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
