//! Arguments of intrinsic functions: their types, and lowering of calls.

use super::format;
use super::functions::{
    ARGUMENT, FORMAT, FORMAT_TEMPLATE, Intrinsic, Lowering, MATH_RANDOM, MATH_RANDOM_SEEDED, REQUIRE_ARGUMENT,
    ValueKind,
};
use crate::expr::error::ExprError;
use crate::expr::intrinsics::codes::WF0313;
use crate::expr::jsonpath::JsonPath;
use crate::expr::{Arg, Expr, Fallibility, Literal};
use std::ops::Range;
use std::sync::Arc;

/// A parsed argument.
pub(super) struct ParsedArgument {
    pub expr: Expr,
    /// The statically known type.
    pub kind: ValueKind,
    pub at: Range<usize>,
    /// The path, if the argument is one.
    pub path: Option<JsonPath>,
    /// The text between the quotes of a string argument, and its first byte.
    pub raw: Option<(String, usize)>,
}

impl ParsedArgument {
    /// Creates a constant argument.
    pub fn literal(value: Literal, at: Range<usize>) -> Self {
        let kind = kind_of(&value);
        ParsedArgument { expr: Expr::Literal(value), kind, at, path: None, raw: None }
    }

    /// Creates an argument from a path.
    pub fn path(path: JsonPath, at: Range<usize>) -> Self {
        // An indefinite path yields an array, whatever it selects.
        let kind = if path.is_indefinite() { ValueKind::Array } else { ValueKind::Any };
        ParsedArgument { expr: path.expr.clone(), kind, at, path: Some(path), raw: None }
    }

    fn constant(&self) -> Option<&Literal> {
        match &self.expr {
            Expr::Literal(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the pieces of a constant template of `States.Format` for this number of arguments,
    /// or `None` if the template is not a constant string.
    fn pieces(&self, arguments: usize, call: Range<usize>) -> Result<Option<Vec<String>>, Box<ExprError>> {
        let Some((raw, start)) = &self.raw else { return Ok(None) };
        format::pieces(raw, *start, arguments, call).map(Some)
    }

    /// Returns the expression that yields a template of `States.Format`, with its escapes.
    fn into_template(self, call: &Arc<str>, document: &Expr) -> Expr {
        match self.raw {
            Some((raw, _)) => Expr::Literal(Literal::String(raw)),
            None => self.into_expr(call, document),
        }
    }

    /// Returns the expression that yields the argument's value.
    fn into_expr(self, call: &Arc<str>, document: &Expr) -> Expr {
        match self.path {
            Some(path) if path.plain_names().is_some() => {
                let names = path.plain_names().unwrap_or_default();
                Expr::call(&ARGUMENT, vec![Arg::Value(document.clone()), Arg::Strs(names), Arg::Str(call.clone())])
            }
            Some(path) if path.can_be_absent() => Expr::call(
                &REQUIRE_ARGUMENT,
                vec![
                    Arg::Maybe(path.expr),
                    Arg::Value(document.clone()),
                    Arg::Str(path.text.into()),
                    Arg::Str(call.clone()),
                ],
            ),
            _ => self.expr,
        }
    }
}

fn kind_of(value: &Literal) -> ValueKind {
    match value {
        Literal::Null => ValueKind::Any,
        Literal::Bool(_) => ValueKind::Boolean,
        Literal::Int(_) | Literal::Float(_) => ValueKind::Number,
        Literal::String(_) => ValueKind::String,
        Literal::Array(_) => ValueKind::Array,
        Literal::Object(_) => ValueKind::Object,
    }
}

/// Rejects arguments with which a call of `intrinsic` fails in every run. The number of arguments
/// has been checked. `call` is the byte range of the call.
pub(super) fn check(
    intrinsic: &Intrinsic,
    arguments: &[ParsedArgument],
    call: Range<usize>,
) -> Result<(), Box<ExprError>> {
    check_kinds(intrinsic, arguments)?;
    check_values(intrinsic, arguments)?;
    if let (Lowering::Format, Some((template, values))) = (intrinsic.lowering, arguments.split_first()) {
        template.pieces(values.len(), call)?;
    }
    Ok(())
}

/// Lowers a call of `intrinsic`, written as `call`. The number of arguments has been checked. A
/// call that [`check`] rejects becomes one that fails at run time.
pub(super) fn lower(
    intrinsic: &Intrinsic,
    mut arguments: Vec<ParsedArgument>,
    call: &Arc<str>,
    document: &Expr,
) -> Expr {
    let text = || Arg::Str(call.clone());
    let function = match intrinsic.lowering {
        Lowering::Array => {
            let items: Vec<Expr> = arguments.into_iter().map(|item| item.into_expr(call, document)).collect();
            return super::template::array(items);
        }
        Lowering::Format => {
            let template = arguments.remove(0);
            let pieces = template.pieces(arguments.len(), 0..0);
            let values: Vec<Expr> = arguments.into_iter().map(|value| value.into_expr(call, document)).collect();
            return match pieces {
                Ok(Some(pieces)) if values.is_empty() => Expr::Literal(Literal::String(pieces.concat())),
                Ok(Some(pieces)) => Expr::call(&FORMAT, vec![Arg::Strs(pieces), Arg::List(values)]),
                _ => {
                    let template = Arg::Value(template.into_template(call, document));
                    Expr::call(&FORMAT_TEMPLATE, vec![template, Arg::List(values), text()])
                }
            };
        }
        Lowering::Random if arguments.len() == 3 => &MATH_RANDOM_SEEDED,
        Lowering::Random => &MATH_RANDOM,
        Lowering::Call(function) => function,
    };
    let mut args: Vec<Arg> =
        arguments.into_iter().map(|argument| Arg::Value(argument.into_expr(call, document))).collect();
    if function.fallibility > Fallibility::Infallible {
        args.push(text());
    }
    Expr::call(function, args)
}

/// Rejects constants and results of nested calls whose type the function never accepts.
fn check_kinds(intrinsic: &Intrinsic, arguments: &[ParsedArgument]) -> Result<(), Box<ExprError>> {
    for (position, (argument, wanted)) in arguments.iter().zip(intrinsic.arguments).enumerate() {
        let is_null = argument.constant() == Some(&Literal::Null);
        let fits =
            *wanted == ValueKind::Any || argument.kind == *wanted || (argument.kind == ValueKind::Any && !is_null);
        if !fits {
            let actual = if is_null { "null" } else { argument.kind.name() };
            let message =
                format!("argument {} of `{}` must be {}, found {actual}", position + 1, intrinsic.name, wanted.name());
            let help = format!("write {}, or a path to one", wanted.name());
            return Err(ExprError::new(&WF0313, argument.at.clone(), message).help(help).into());
        }
    }
    Ok(())
}

/// Rejects constants of the right type that the function never accepts.
fn check_values(intrinsic: &Intrinsic, arguments: &[ParsedArgument]) -> Result<(), Box<ExprError>> {
    const ALGORITHMS: [&str; 5] = ["MD5", "SHA-1", "SHA-256", "SHA-384", "SHA-512"];
    let Some(last) = arguments.last() else { return Ok(()) };
    let refuse = |message: String, help: &str| Err(ExprError::new(&WF0313, last.at.clone(), message).help(help).into());
    match (intrinsic.name, last.constant()) {
        ("States.Hash", Some(Literal::String(algorithm))) if !ALGORITHMS.contains(&algorithm.as_str()) => refuse(
            format!("`{algorithm}` is not a hash algorithm of `States.Hash`"),
            "the algorithms are `MD5`, `SHA-1`, `SHA-256`, `SHA-384` and `SHA-512`",
        ),
        ("States.ArrayRange", Some(Literal::Int(0))) => {
            refuse("the step of a range cannot be 0".to_owned(), "use a positive or negative whole number")
        }
        ("States.ArrayPartition", Some(Literal::Int(size))) if *size < 1 => refuse(
            "the chunk size of `States.ArrayPartition` must be at least 1".to_owned(),
            "use a positive whole number",
        ),
        _ => Ok(()),
    }
}
