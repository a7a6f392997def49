//! Settings: placeholders without a value, which are read at run time
//! ([A10](docs/amazon-states-language.md#a10)).

use super::Cx;
use crate::dialects::asl::placeholders::{only_placeholder, placeholders};
use crate::expr::intrinsics::functions::FORMAT;
use crate::expr::{Arg, Call, Expr, Fallibility, Function, If, Literal, Path, Segment, Selector, Type};
use crate::source::Span;
use crate::syntax::Text;

/// Object whose keys are known only when an execution starts. Argument: `List` of names and values
/// in turn.
static KEYED_OBJECT: Function = Function {
    path: "asl::keyed_object",
    returns: Type::Value,
    fallibility: Fallibility::Infallible,
    turn: false,
    context: false,
};

impl Cx<'_> {
    /// Lowers the text of a field. Placeholders in the text read settings.
    pub fn text(&mut self, text: &Text) -> Expr {
        self.with_settings(Expr::Literal(Literal::String(text.value.clone())), text.span)
    }

    /// Returns the expression with every placeholder in its constants replaced by a read of a
    /// setting.
    pub fn with_settings(&mut self, expr: Expr, span: Span) -> Expr {
        if !has_placeholders(&expr) {
            return expr;
        }
        match expr {
            Expr::Literal(literal) => self.literal(literal, span),
            Expr::Object(members) => self.object(members, span),
            Expr::Array(items) => Expr::Array(self.all(items, span)),
            Expr::And(items) => Expr::And(self.all(items, span)),
            Expr::Or(items) => Expr::Or(self.all(items, span)),
            Expr::Not(inner) => Expr::Not(Box::new(self.with_settings(*inner, span))),
            Expr::If(choice) => {
                let If { test, then, otherwise } = *choice;
                let [test, then, otherwise] = [test, then, otherwise].map(|part| self.with_settings(part, span));
                Expr::If(Box::new(If { test, then, otherwise }))
            }
            Expr::Find(path) => Expr::Find(self.path(path, span)),
            Expr::Select(path) => Expr::Select(self.path(path, span)),
            Expr::Call(call) => Expr::Call(self.call(call, span)),
            Expr::Local(_) | Expr::Current | Expr::Context | Expr::Apply(_) => expr,
        }
    }

    fn all(&mut self, items: Vec<Expr>, span: Span) -> Vec<Expr> {
        items.into_iter().map(|item| self.with_settings(item, span)).collect()
    }

    fn literal(&mut self, literal: Literal, span: Span) -> Expr {
        match literal {
            Literal::String(text) => match only_placeholder(&text) {
                Some(name) => Expr::Local(self.setting(name, span)),
                None => {
                    let (pieces, settings) = self.split(vec![text], Vec::new(), span);
                    match settings[..] {
                        [] => Expr::Literal(Literal::String(pieces.concat())),
                        _ => Expr::call(&FORMAT, vec![Arg::Strs(pieces), Arg::List(settings)]),
                    }
                }
            },
            Literal::Array(items) => {
                let items: Vec<Expr> = items.into_iter().map(Expr::Literal).collect();
                Expr::Array(self.all(items, span))
            }
            Literal::Object(members) => {
                let members = members.into_iter().map(|(name, value)| (name, Expr::Literal(value)));
                self.object(members.collect(), span)
            }
            other => Expr::Literal(other),
        }
    }

    fn object(&mut self, members: Vec<(String, Expr)>, span: Span) -> Expr {
        let members = members.into_iter().map(|(name, value)| (name, self.with_settings(value, span))).collect();
        self.keyed(members, span)
    }

    /// Returns an object. If keys have placeholders, it is built at run time.
    pub fn keyed(&mut self, members: Vec<(String, Expr)>, span: Span) -> Expr {
        if members.iter().all(|(name, _)| !has_placeholder(name)) {
            return Expr::Object(members);
        }
        let mut parts = Vec::with_capacity(members.len() * 2);
        for (name, value) in members {
            parts.push(self.literal(Literal::String(name), span));
            parts.push(value);
        }
        Expr::call(&KEYED_OBJECT, vec![Arg::List(parts)])
    }

    fn path(&mut self, path: Path, span: Span) -> Path {
        let mut selector = |selector| match selector {
            Selector::Filter(inner) => Selector::Filter(Box::new(self.with_settings(*inner, span))),
            Selector::JaywayFilter(inner) => Selector::JaywayFilter(Box::new(self.with_settings(*inner, span))),
            other => other,
        };
        let segments = path.segments.into_iter().map(|segment| Segment {
            selectors: segment.selectors.into_iter().map(&mut selector).collect(),
            ..segment
        });
        let segments = segments.collect();
        Path { base: Box::new(self.with_settings(*path.base, span)), segments, strict: path.strict }
    }

    fn call(&mut self, call: Call, span: Span) -> Call {
        let mut args: Vec<Arg> = call
            .args
            .into_iter()
            .map(|arg| match arg {
                Arg::Value(inner) => Arg::Value(self.with_settings(inner, span)),
                Arg::Owned(inner) => Arg::Owned(self.with_settings(inner, span)),
                Arg::Maybe(inner) => Arg::Maybe(self.with_settings(inner, span)),
                Arg::Bool(inner) => Arg::Bool(self.with_settings(inner, span)),
                Arg::List(items) => Arg::List(self.all(items, span)),
                other => other,
            })
            .collect();
        if call.function == &FORMAT
            && let [Arg::Strs(pieces), Arg::List(items)] = &mut args[..]
        {
            (*pieces, *items) = self.split(std::mem::take(pieces), std::mem::take(items), span);
        }
        Call { function: call.function, args }
    }

    /// Splits the pieces of a format at their placeholders.
    fn split(&mut self, pieces: Vec<String>, items: Vec<Expr>, span: Span) -> (Vec<String>, Vec<Expr>) {
        let mut split = (Vec::new(), Vec::new());
        let mut items = items.into_iter();
        for piece in pieces {
            let mut done = 0;
            for placeholder in placeholders(&piece) {
                split.0.push(piece[done..placeholder.at.start].to_owned());
                split.1.push(Expr::Local(self.setting(placeholder.name, span)));
                done = placeholder.at.end;
            }
            split.0.push(piece[done..].to_owned());
            split.1.extend(items.next());
        }
        split
    }
}

fn has_placeholder(text: &str) -> bool {
    placeholders(text).next().is_some()
}

/// Returns `true` if the expression may contain a placeholder. Most expressions contain none and
/// are left alone.
fn has_placeholders(expr: &Expr) -> bool {
    let mut contains = false;
    expr.walk(&mut |inner| match inner {
        Expr::Literal(literal) => contains |= literal_has_placeholders(literal),
        Expr::Object(members) => contains |= members.iter().any(|(name, _)| has_placeholder(name)),
        Expr::Call(call) => {
            let pieces = call.args.iter().flat_map(|arg| if let Arg::Strs(pieces) = arg { &pieces[..] } else { &[] });
            contains |= pieces.into_iter().any(|piece| has_placeholder(piece));
        }
        _ => {}
    });
    contains
}

fn literal_has_placeholders(literal: &Literal) -> bool {
    match literal {
        Literal::String(text) => has_placeholder(text),
        Literal::Array(items) => items.iter().any(literal_has_placeholders),
        Literal::Object(members) => {
            members.iter().any(|(name, value)| has_placeholder(name) || literal_has_placeholders(value))
        }
        _ => false,
    }
}
