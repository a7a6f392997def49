//! Instrumentation that makes programs count steps, and rejection of recursive definitions.

use jaq_core::load::lex::StrPart;
use jaq_core::load::parse::{BinaryOp, Def, Pattern, Term};
use jaq_core::path::{Part, Path};

/// The function that counts a step and returns its input.
pub(super) const TICK: &str = "_tick";

type Result<T> = std::result::Result<T, String>;

/// The definitions in scope, with the numbers of their arguments.
type Scope<'s> = Vec<(&'s str, usize)>;

/// Adds a step to every construct that can have several outputs.
///
/// # Errors
/// A definition that calls itself.
pub(super) fn guard(program: Term<&str>) -> Result<Term<&str>> {
    term(program, &mut Vec::new())
}

fn tick<'s>() -> Term<&'s str> {
    Term::Call(TICK, Vec::new())
}

fn pipe<'s>(left: Term<&'s str>, right: Term<&'s str>) -> Term<&'s str> {
    Term::BinOp(Box::new(left), BinaryOp::Pipe(None), Box::new(right))
}

fn boxed<'s>(inner: Term<&'s str>, scope: &mut Scope<'s>) -> Result<Box<Term<&'s str>>> {
    term(inner, scope).map(Box::new)
}

fn optional<'s>(inner: Option<Box<Term<&'s str>>>, scope: &mut Scope<'s>) -> Result<Option<Box<Term<&'s str>>>> {
    inner.map(|inner| boxed(*inner, scope)).transpose()
}

fn all<'s>(terms: Vec<Term<&'s str>>, scope: &mut Scope<'s>) -> Result<Vec<Term<&'s str>>> {
    terms.into_iter().map(|inner| term(inner, scope)).collect()
}

fn term<'s>(whole: Term<&'s str>, scope: &mut Scope<'s>) -> Result<Term<&'s str>> {
    Ok(match whole {
        Term::Recurse => pipe(Term::Recurse, tick()),
        Term::BinOp(left, operator, right) => {
            let (left, right) = (boxed(*left, scope)?, boxed(*right, scope)?);
            match operator {
                BinaryOp::Comma => Term::BinOp(left, BinaryOp::Comma, Box::new(pipe(tick(), *right))),
                BinaryOp::Pipe(Some(bound)) => Term::BinOp(left, BinaryOp::Pipe(Some(pattern(bound, scope)?)), right),
                operator => Term::BinOp(left, operator, right),
            }
        }
        Term::Path(head, Path(parts)) => {
            let head = boxed(*head, scope)?;
            let mut iterates = false;
            let mut guarded = Vec::with_capacity(parts.len());
            for (part, opt) in parts {
                iterates |= matches!(part, Part::Range(None, None));
                let mut bound = |bound: Option<Term<&'s str>>| bound.map(|bound| term(bound, scope)).transpose();
                let part = match part {
                    Part::Index(key) => Part::Index(term(key, scope)?),
                    Part::Range(from, upto) => Part::Range(bound(from)?, bound(upto)?),
                };
                guarded.push((part, opt));
            }
            let path = Term::Path(head, Path(guarded));
            if iterates { pipe(path, tick()) } else { path }
        }
        Term::Str(format, parts) => {
            let part = |part| {
                Ok(match part {
                    StrPart::Term(inner) => StrPart::Term(term(inner, scope)?),
                    other => other,
                })
            };
            Term::Str(format, parts.into_iter().map(part).collect::<Result<_>>()?)
        }
        Term::Arr(inner) => Term::Arr(optional(inner, scope)?),
        Term::Obj(members) => {
            let member = |(key, value): (Term<&'s str>, Option<Term<&'s str>>)| {
                let key = term(key, scope)?;
                Ok((key, value.map(|value| term(value, scope)).transpose()?))
            };
            Term::Obj(members.into_iter().map(member).collect::<Result<_>>()?)
        }
        Term::Neg(inner) => Term::Neg(boxed(*inner, scope)?),
        Term::Label(name, inner) => Term::Label(name, boxed(*inner, scope)?),
        Term::Fold(name, source, bound, terms) => {
            let source = boxed(*source, scope)?;
            Term::Fold(name, source, pattern(bound, scope)?, all(terms, scope)?)
        }
        Term::TryCatch(inner, handler) => Term::TryCatch(boxed(*inner, scope)?, optional(handler, scope)?),
        Term::IfThenElse(cases, otherwise) => {
            let case = |(condition, then)| Ok((term(condition, scope)?, term(then, scope)?));
            let cases = cases.into_iter().map(case).collect::<Result<_>>()?;
            Term::IfThenElse(cases, optional(otherwise, scope)?)
        }
        Term::Def(definitions, inner) => {
            let definition = |Def { name, args, body }: Def<&'s str>| {
                scope.push((name, args.len()));
                let body = term(body, scope);
                scope.pop();
                body.map(|body| Def { name, args, body })
            };
            let definitions = definitions.into_iter().map(definition).collect::<Result<_>>()?;
            Term::Def(definitions, boxed(*inner, scope)?)
        }
        Term::Call(name, arguments) => {
            if scope.contains(&(name, arguments.len())) {
                return Err(format!("the definition of `{name}` calls itself"));
            }
            if name.starts_with('_') {
                return Err(format!("the filter `{name}` is not defined"));
            }
            Term::Call(name, all(arguments, scope)?)
        }
        leaf @ (Term::Id | Term::Num(_) | Term::Break(_) | Term::Var(_)) => leaf,
    })
}

fn pattern<'s>(bound: Pattern<&'s str>, scope: &mut Scope<'s>) -> Result<Pattern<&'s str>> {
    Ok(match bound {
        Pattern::Var(name) => Pattern::Var(name),
        Pattern::Arr(parts) => Pattern::Arr(parts.into_iter().map(|part| pattern(part, scope)).collect::<Result<_>>()?),
        Pattern::Obj(members) => {
            let member = |(key, value)| Ok((term(key, scope)?, pattern(value, scope)?));
            Pattern::Obj(members.into_iter().map(member).collect::<Result<_>>()?)
        }
    })
}
