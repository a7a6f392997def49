//! Instrumentation that makes programs count their resources. `cel` has no hook for limits. This
//! pass wraps large operands and loop ranges in functions that return their argument. It replaces
//! `matches` by a function that counts the match.
//!
//! The counts bound the cost of an evaluation. An expression has few parts, and evaluates each
//! part once for each iteration of the enclosing loops, which are counted before they start. Any
//! further cost of a part depends on the size of its operands.

use cel::common::ast::{CallExpr, EntryExpr, Expr, IdedExpr, LiteralValue, operators};
use cel::common::types::{CelBool, CelBytes, CelInt, CelList, CelMap, CelMapKey, CelString, DYN_TYPE, INT_TYPE};
use cel::common::value::{CowVal, Val};
use cel::{DeclarationError, Env, ExecutionError};
use regex::RegexBuilder;

use crate::expr::jq::{self, budget};
use crate::pattern_cost::{MAX_PATTERN, Positions};

/// Counts all parts of a value that is traversed.
const LOOK: &str = "@look";
/// Counts the length of a text.
const GLANCE: &str = "@glance";
/// Counts all parts of a value that is copied.
const TAKE: &str = "@take";
/// Counts the iterations of a loop and the values that they copy.
const RANGE: &str = "@range";
/// Matches a regular expression, and counts the compilation and the match.
const MATCHES: &str = "@matches";
/// The size limit of a compiled regular expression, in bytes. A pattern can come from data.
const PATTERN_SIZE: usize = 1 << 20;

/// The number of bytes that may be scanned for the cost of one step.
const STRIDE: usize = 64;
/// The cost of a regular expression of the definition, in steps.
const KNOWN_PATTERN: i64 = 256;
/// The cost of a regular expression of the data, in steps. It makes the budget check the clock
/// each time.
const ANY_PATTERN: i64 = 4096;

/// Declares the counting functions.
pub(super) fn declare(env: &mut Env) -> Result<(), DeclarationError> {
    env.add_overload(LOOK, LOOK, vec![DYN_TYPE], look)?;
    env.add_overload(GLANCE, GLANCE, vec![DYN_TYPE], glance)?;
    env.add_overload(TAKE, TAKE, vec![DYN_TYPE], take)?;
    env.add_overload(RANGE, RANGE, vec![DYN_TYPE, INT_TYPE], range)?;
    env.add_overload(MATCHES, MATCHES, vec![DYN_TYPE, DYN_TYPE, INT_TYPE], matches)
}

/// Instruments an expression. Returns the number of its parts.
pub(super) fn guard(expression: &mut IdedExpr) -> i64 {
    let mut inner = 0_i64;
    match &mut expression.expr {
        Expr::Call(call) => {
            for part in call.target.iter_mut().map(|target| &mut **target).chain(&mut call.args) {
                inner = inner.saturating_add(guard(part));
            }
            guard_call(call);
        }
        Expr::Comprehension(of) => {
            let range = guard(&mut of.iter_range);
            for part in [&mut of.accu_init, &mut of.loop_cond, &mut of.loop_step, &mut of.result] {
                inner = inner.saturating_add(guard(part));
            }
            let whole = std::mem::take(&mut of.iter_range);
            of.iter_range = call(RANGE, vec![whole, number(inner)]);
            inner = inner.saturating_add(range);
        }
        Expr::List(list) => {
            for element in &mut list.elements {
                inner = inner.saturating_add(guard(element));
                wrap(TAKE, element);
            }
        }
        Expr::Map(map) => {
            for entry in &mut map.entries {
                let EntryExpr::MapEntry(entry) = &mut entry.expr else { continue };
                for part in [&mut entry.key, &mut entry.value] {
                    inner = inner.saturating_add(guard(part));
                    wrap(TAKE, part);
                }
            }
        }
        Expr::Select(select) => inner = guard(&mut select.operand),
        // The compiler rejects structs.
        Expr::Struct(_) | Expr::Ident(_) | Expr::Literal(_) | Expr::Unspecified => {}
    }
    // Each part is wrapped in at most one function.
    inner.saturating_add(2)
}

fn guard_call(call: &mut CallExpr) {
    let function = match call.func_name.as_str() {
        // The cost of these operators does not depend on the size of their operands.
        operators::CONDITIONAL
        | operators::LOGICAL_AND
        | operators::LOGICAL_OR
        | operators::LOGICAL_NOT
        | operators::NOT_STRICTLY_FALSE
        | operators::NEGATE
        | operators::INDEX => return,
        operators::EQUALS | operators::NOT_EQUALS | operators::IN => LOOK,
        // For operands of the wrong types, the error contains a copy of them.
        operators::SUBSTRACT
        | operators::MULTIPLY
        | operators::DIVIDE
        | operators::MODULO
        | operators::LESS
        | operators::LESS_EQUALS
        | operators::GREATER
        | operators::GREATER_EQUALS => TAKE,
        operators::ADD => TAKE,
        _ => GLANCE,
    };
    if call.func_name == "matches"
        && let Some(pattern) = call.args.last()
        && call.args.len() + usize::from(call.target.is_some()) == 2
    {
        let steps = if matches!(pattern.expr, Expr::Literal(_)) { KNOWN_PATTERN } else { ANY_PATTERN };
        call.func_name = MATCHES.to_owned();
        call.args.splice(0..0, call.target.take().map(|text| *text));
        call.args.push(number(steps));
    }
    for part in call.target.iter_mut().map(|target| &mut **target).chain(&mut call.args) {
        wrap(function, part);
    }
}

/// Wraps a part in a function. The expansions of macros keep their form, which `cel` recognizes.
fn wrap(function: &str, part: &mut IdedExpr) {
    let is_small = match &part.expr {
        Expr::Literal(_) => true,
        Expr::Ident(name) => name.starts_with('@'),
        // The elements have been counted.
        Expr::List(_) | Expr::Map(_) => true,
        Expr::Call(call) => call.func_name.starts_with('@'),
        _ => false,
    };
    if !is_small {
        *part = call(function, vec![std::mem::take(part)]);
    }
}

fn call(function: &str, args: Vec<IdedExpr>) -> IdedExpr {
    IdedExpr { id: 0, expr: Expr::Call(CallExpr { func_name: function.to_owned(), target: None, args }) }
}

fn number(number: i64) -> IdedExpr {
    IdedExpr { id: 0, expr: Expr::Literal(LiteralValue::Int(CelInt::from(number))) }
}

type Passed<'b, 'v> = Result<CowVal<'b, 'v>, ExecutionError>;

fn look<'b, 'v>(args: Vec<CowVal<'b, 'v>>) -> Passed<'b, 'v> {
    let value = only(args)?;
    walk(&*value, &mut |bytes| budget::steps(1 + (bytes / STRIDE) as u64)).map_err(exceeded)?;
    Ok(value)
}

fn glance<'b, 'v>(args: Vec<CowVal<'b, 'v>>) -> Passed<'b, 'v> {
    let value = only(args)?;
    budget::steps(1 + (length(&*value) / STRIDE) as u64).map_err(exceeded)?;
    Ok(value)
}

fn take<'b, 'v>(args: Vec<CowVal<'b, 'v>>) -> Passed<'b, 'v> {
    let value = only(args)?;
    walk(&*value, &mut copied).map_err(exceeded)?;
    Ok(value)
}

/// Counts a range, and converts a map to a list of its keys in order: the iteration order of a map
/// is undefined.
fn range<'b, 'v>(mut args: Vec<CowVal<'b, 'v>>) -> Passed<'b, 'v> {
    let parts = args.pop();
    let value = only(args)?;
    walk(&*value, &mut |bytes| budget::steps(1 + (bytes / STRIDE) as u64)).map_err(exceeded)?;
    steps(parts, value.as_sizer().map_or(0, |sizer| *sizer.size().inner()))?;
    let Some(map) = value.downcast_ref::<CelMap<'_>>() else { return Ok(value) };
    let mut keys: Vec<CelMapKey<'v>> = map.inner().keys().cloned().collect();
    keys.sort_unstable();
    let boxed = |key| -> Box<dyn Val + 'v> {
        match key {
            CelMapKey::Bool(key) => Box::new(key),
            CelMapKey::Int(key) => Box::new(key),
            CelMapKey::UInt(key) => Box::new(key),
            CelMapKey::String(key) => Box::new(key),
        }
    };
    Ok(CowVal::owned(CelList::from(keys.into_iter().map(boxed).collect::<Vec<_>>())))
}

fn matches<'b, 'v>(mut args: Vec<CowVal<'b, 'v>>) -> Passed<'b, 'v> {
    steps(args.pop(), 1)?;
    let (Some(pattern), Some(text)) = (args.pop(), args.pop()) else {
        return Err(ExecutionError::missing_argument_or_target());
    };
    let texts = (text.downcast_ref::<CelString<'_>>(), pattern.downcast_ref::<CelString<'_>>());
    let (Some(text), Some(pattern)) = texts else {
        let types = [&text, &pattern].map(|value| value.get_type().name().to_owned());
        return Err(ExecutionError::no_such_overload("matches", types.into()));
    };
    let (text, pattern) = (text.inner(), pattern.inner());
    let refused = |message| ExecutionError::FunctionError { function: "matches".to_owned(), message };
    if pattern.len() > MAX_PATTERN {
        return Err(refused("the regular expression is too large".to_owned()));
    }
    let regex = RegexBuilder::new(pattern).size_limit(PATTERN_SIZE).build();
    let regex = regex.map_err(|error| refused(format!("'{pattern}' not a valid regex:\n{error}")))?;
    let matched = budget::search(Positions::of(pattern), text.len(), || regex.is_match(text));
    Ok(CowVal::owned(CelBool::from(matched.map_err(exceeded)?)))
}

/// Spends `times` the number of steps that the last argument of the function states.
fn steps(written: Option<CowVal<'_, '_>>, times: i64) -> Result<(), ExecutionError> {
    let each = written.and_then(|steps| steps.downcast_ref::<CelInt>().map(|steps| *steps.inner()));
    let steps = each.unwrap_or(1).saturating_mul(times);
    budget::steps(u64::try_from(steps).unwrap_or(u64::MAX)).map_err(exceeded)
}

fn only<'b, 'v>(mut args: Vec<CowVal<'b, 'v>>) -> Passed<'b, 'v> {
    args.pop().ok_or_else(ExecutionError::missing_argument_or_target)
}

fn copied(bytes: usize) -> jq::Result<()> {
    budget::charge_elements(1)?;
    budget::charge(bytes)?;
    budget::tick()
}

/// Calls `each` for every part of a value with the length of its text, in bytes.
fn walk(value: &(dyn Val + '_), each: &mut dyn FnMut(usize) -> jq::Result<()>) -> jq::Result<()> {
    each(length(value))?;
    if let Some(list) = value.downcast_ref::<CelList<'_>>() {
        for element in list.inner() {
            walk(&**element, each)?;
        }
    } else if let Some(map) = value.downcast_ref::<CelMap<'_>>() {
        for (key, member) in map.inner() {
            if let CelMapKey::String(key) = key {
                each(key.inner().len())?;
            }
            walk(&**member, each)?;
        }
    }
    Ok(())
}

fn length(value: &(dyn Val + '_)) -> usize {
    if let Some(text) = value.downcast_ref::<CelString<'_>>() {
        text.inner().len()
    } else {
        value.downcast_ref::<CelBytes<'_>>().map_or(0, |bytes| bytes.inner().len())
    }
}

/// Converts an exceeded limit to an error of `cel`. `cel` may ignore the error: the budget is
/// checked again after the evaluation.
fn exceeded(error: jq::Error) -> ExecutionError {
    ExecutionError::InternalError(error.to_string())
}
