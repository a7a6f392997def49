//! Lowers the parser's tree to our own: resolves names, finds out how locals are used, and stops at what is not translated.

mod calls;
mod expr;
mod function;
mod literals;
mod pattern;
mod scope;
mod statement;

use super::globals;
use super::infer;
use super::ir::{Expr, JumpId, Local, LocalId, Unit};
use super::parse::place;
use oxc_ast::AstKind;
use oxc_ast::ast::Expression;
use oxc_semantic::{Scoping, Semantic, SymbolId};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::UnaryOperator;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// How deep expressions and statements may be nested: what comes later calls itself for them.
const DEEPEST: usize = 100;

/// What became of a function.
#[derive(Debug)]
pub(in super::super) struct Lowered {
    /// The Let variables that it mentions.
    pub variables: Vec<String>,
    /// The names that nothing declares, each with the place of its first use.
    pub free: Vec<(String, Range<usize>)>,
    pub unit: Result<Unit, Stop>,
}

/// What is not translated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Stop {
    /// In the author's words.
    pub what: String,
    pub at: Range<usize>,
}

type Step<T> = Result<T, Stop>;

/// Lowers a function.
pub(super) fn lower(function: &Expression<'_>, semantic: &Semantic<'_>, text: &str, visible: &[String]) -> Lowered {
    let mentioned = mentions(semantic, text);
    // What a text in the function means is not known before it runs.
    let evaluates = mentioned.iter().any(|mention| mention.name == "eval");
    let variables: Vec<String> = match evaluates {
        true => visible.to_vec(),
        false => mentioned.iter().filter(|mention| visible.contains(&mention.name)).map(|it| it.name.clone()).collect(),
    };
    let is_free = |mention: &&Mention| {
        !visible.contains(&mention.name) && mention.name != "params" && !globals::is_known(&mention.name)
    };
    let free = mentioned.iter().filter(is_free).filter(|mention| !mention.only_asked_for);
    let free = free.map(|mention| (mention.name.clone(), mention.at.clone())).collect();
    let mut cx = Lowering {
        scoping: semantic.scoping(),
        text,
        variables: &variables,
        locals: Vec::new(),
        symbols: HashMap::new(),
        params: None,
        frames: Vec::new(),
        functions: 0,
        jumps: 0,
        depth: 0,
        awaited: awaited_symbols(semantic),
        asyncs: HashSet::new(),
    };
    let unit = cx.unit(function).map(|function| {
        let (scopes, locals) = (cx.scopes(), std::mem::take(&mut cx.locals));
        let mut unit = Unit { function, locals, scopes, params: cx.params };
        infer::infer(&mut unit);
        unit
    });
    Lowered { variables, free, unit }
}

/// A name that is used and not declared.
struct Mention {
    name: String,
    at: Range<usize>,
    /// Whether it stands in `typeof name` only, which is how a function asks whether there is one.
    only_asked_for: bool,
}

/// In the order of their first uses.
fn mentions(semantic: &Semantic<'_>, text: &str) -> Vec<Mention> {
    let (scoping, nodes) = (semantic.scoping(), semantic.nodes());
    let mut found: Vec<Mention> = Vec::new();
    for (name, references) in scoping.root_unresolved_references() {
        let uses = references.iter().map(|id| scoping.get_reference(*id).node_id());
        let (mut first, mut only_asked_for) = (usize::MAX..usize::MAX, true);
        for node in uses {
            let at = place(nodes.kind(node).span(), text);
            let asks = match nodes.parent_kind(node) {
                AstKind::UnaryExpression(unary) => unary.operator == UnaryOperator::Typeof,
                _ => false,
            };
            only_asked_for &= asks;
            if !asks && at.start < first.start || first.start == usize::MAX {
                first = at;
            }
        }
        found.push(Mention { name: name.to_string(), at: first, only_asked_for });
    }
    found.sort_by_key(|mention| mention.at.start);
    found
}

/// The symbols all of whose uses are awaited calls.
fn awaited_symbols(semantic: &Semantic<'_>) -> HashSet<SymbolId> {
    let (scoping, nodes) = (semantic.scoping(), semantic.nodes());
    let is_awaited = |symbol: &SymbolId| {
        scoping.get_resolved_reference_ids(*symbol).iter().all(|reference| {
            let node = scoping.get_reference(*reference).node_id();
            let AstKind::CallExpression(call) = nodes.parent_kind(node) else { return false };
            let is_callee = call.callee.span() == nodes.kind(node).span();
            is_callee && matches!(nodes.parent_kind(nodes.parent_id(node)), AstKind::AwaitExpression(_))
        })
    };
    scoping.symbol_ids().filter(is_awaited).collect()
}

/// What lowering knows at a place.
struct Lowering<'a> {
    scoping: &'a Scoping,
    text: &'a str,
    /// The Let variables that the function mentions.
    variables: &'a [String],
    locals: Vec<Local>,
    symbols: HashMap<SymbolId, LocalId>,
    /// What a `params` means that nothing declares.
    params: Option<LocalId>,
    /// The functions around the place.
    frames: Vec<Frame>,
    functions: usize,
    jumps: usize,
    depth: usize,
    /// The symbols that are used to be called and awaited only.
    awaited: HashSet<SymbolId>,
    /// The async functions whose calls are awaited, each by where it begins.
    asyncs: HashSet<u32>,
}

/// What is done with the promise that an expression may yield. There are no promises in what is translated: one that is
/// awaited is the value that it is settled with (ruling Q4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Promised {
    /// It is a value like others.
    Kept,
    /// It is settled later, where a rejection would be caught elsewhere.
    Settled,
    /// The function returns it.
    Returned,
    Awaited,
}

impl Promised {
    /// Whether a rejection may be thrown here.
    fn may_throw(self) -> bool {
        matches!(self, Promised::Returned | Promised::Awaited)
    }
}

/// A function around the place.
struct Frame {
    id: usize,
    is_arrow: bool,
    /// Whether what it returns is awaited.
    is_awaited: bool,
    /// In how many `try` with a handler the place is.
    tries: usize,
    uses_this: bool,
    captures: Vec<LocalId>,
    /// In how many loops the place is.
    loops: usize,
    /// What was declared: in the function by `var`, and in the blocks around the place.
    blocks: Vec<Vec<LocalId>>,
    /// What can be jumped out of.
    targets: Vec<Target>,
}

struct Target {
    id: JumpId,
    labels: Vec<String>,
    is_loop: bool,
    /// Whether a `break` without a label leads here.
    is_default: bool,
}

impl Lowering<'_> {
    /// What is not translated, at its place.
    fn stop<T>(&self, what: impl Into<String>, span: Span) -> Step<T> {
        Err(Stop { what: what.into(), at: place(span, self.text) })
    }

    /// As [`Lowering::stop`], with the text at the place.
    fn stop_at<T>(&self, what: &str, span: Span) -> Step<T> {
        let written = self.written(span);
        self.stop(format!("{what}, `{written}`,"), span)
    }

    /// The text of a span on one line, not much of it.
    fn written(&self, span: Span) -> String {
        const MOST: usize = 60;
        let text = &self.text[place(span, self.text)];
        let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((end, _)) = words.char_indices().nth(MOST) {
            words.truncate(end);
            words.push('…');
        }
        words
    }

    /// Goes one level deeper into the tree.
    fn nested<T>(&mut self, span: Span, inside: impl FnOnce(&mut Self) -> Step<T>) -> Step<T> {
        if self.depth >= DEEPEST {
            return self.stop("what is nested very deeply", span);
        }
        self.depth += 1;
        let done = inside(self);
        self.depth -= 1;
        done
    }

    fn boxed(&mut self, expr: &Expression<'_>) -> Step<Box<Expr>> {
        self.expr(expr).map(Box::new)
    }
}
