//! Lowering of the parser's tree: resolves names, analyses the use of locals, and stops at an
//! untranslatable construct.

mod calls;
mod expr;
mod function;
mod literals;
mod pattern;
mod scope;
mod statement;

use super::globals;
use super::infer;
use super::ir::{Expr, JsLocalId, JumpId, Local, Unit};
use super::parse::place;
use oxc_ast::AstKind;
use oxc_ast::ast::Expression;
use oxc_semantic::{Scoping, Semantic, SymbolId};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::UnaryOperator;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The greatest nesting of expressions and statements. Later passes recurse over them.
const MAX_NESTING: usize = 100;

/// The result of lowering a function.
#[derive(Debug)]
pub(in super::super) struct Lowered {
    /// The Let variables that the function mentions.
    pub variables: Vec<String>,
    /// The undeclared names, each with the range of its first use.
    pub free: Vec<(String, Range<usize>)>,
    pub unit: Result<Unit, Stop>,
}

/// An untranslatable construct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Stop {
    /// The construct in the author's words.
    pub what: String,
    pub at: Range<usize>,
}

type Step<T> = Result<T, Stop>;

/// Lowers a function.
pub(super) fn lower(function: &Expression<'_>, semantic: &Semantic<'_>, text: &str, visible: &[String]) -> Lowered {
    let mentioned = mentions(semantic, text);
    // The text passed to `eval` is known only at run time.
    let evaluates = mentioned.iter().any(|mention| mention.name == "eval");
    let variables: Vec<String> = match evaluates {
        true => visible.to_vec(),
        false => mentioned.iter().filter(|mention| visible.contains(&mention.name)).map(|it| it.name.clone()).collect(),
    };
    let is_free = |mention: &&Mention| {
        !visible.contains(&mention.name) && mention.name != "params" && !globals::is_known(&mention.name)
    };
    let free = mentioned.iter().filter(is_free).filter(|mention| !mention.only_in_typeof);
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

/// A use of an undeclared name.
struct Mention {
    name: String,
    at: Range<usize>,
    /// `true` if the name is used only in `typeof name`, the usual test of its existence.
    only_in_typeof: bool,
}

/// Returns the undeclared names in order of first use.
fn mentions(semantic: &Semantic<'_>, text: &str) -> Vec<Mention> {
    let (scoping, nodes) = (semantic.scoping(), semantic.nodes());
    let mut found: Vec<Mention> = Vec::new();
    for (name, references) in scoping.root_unresolved_references() {
        let uses = references.iter().map(|id| scoping.get_reference(*id).node_id());
        let (mut first, mut only_in_typeof) = (usize::MAX..usize::MAX, true);
        for node in uses {
            let at = place(nodes.kind(node).span(), text);
            let is_typeof = match nodes.parent_kind(node) {
                AstKind::UnaryExpression(unary) => unary.operator == UnaryOperator::Typeof,
                _ => false,
            };
            only_in_typeof &= is_typeof;
            if !is_typeof && at.start < first.start || first.start == usize::MAX {
                first = at;
            }
        }
        found.push(Mention { name: name.to_string(), at: first, only_in_typeof });
    }
    found.sort_by_key(|mention| mention.at.start);
    found
}

/// Returns the symbols whose uses are all awaited calls.
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

/// The state of lowering.
struct Lowering<'a> {
    scoping: &'a Scoping,
    text: &'a str,
    /// The Let variables that the function mentions.
    variables: &'a [String],
    locals: Vec<Local>,
    symbols: HashMap<SymbolId, JsLocalId>,
    /// The local of an undeclared `params`.
    params: Option<JsLocalId>,
    /// The enclosing functions.
    frames: Vec<Frame>,
    functions: usize,
    jumps: usize,
    depth: usize,
    /// The symbols that are only called with `await`.
    awaited: HashSet<SymbolId>,
    /// The async functions whose calls are awaited, by start offset.
    asyncs: HashSet<u32>,
}

/// The treatment of a promise that an expression may yield. Translated code has no promises: an
/// awaited promise is replaced by the value it is settled with ([Q4](docs/composer.md#q4)).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Promised {
    /// The promise is an ordinary value.
    Kept,
    /// The promise is settled later, where another handler would catch its rejection.
    Settled,
    /// The function returns the promise.
    Returned,
    Awaited,
}

impl Promised {
    /// Returns `true` if a rejection may be thrown at this position.
    fn may_throw(self) -> bool {
        matches!(self, Promised::Returned | Promised::Awaited)
    }
}

/// An enclosing function.
struct Frame {
    id: usize,
    is_arrow: bool,
    /// `true` if the caller awaits the result.
    is_awaited: bool,
    /// The number of enclosing `try` statements with a handler.
    try_depth: usize,
    uses_this: bool,
    captures: Vec<JsLocalId>,
    /// The declarations of the function by `var`, and those of the enclosing blocks.
    blocks: Vec<Vec<JsLocalId>>,
    /// The statements that jumps can leave.
    targets: Vec<Target>,
}

struct Target {
    id: JumpId,
    labels: Vec<String>,
    is_loop: bool,
    /// `true` if a `break` without a label leaves this statement.
    is_default: bool,
}

impl Lowering<'_> {
    /// Stops at an untranslatable construct.
    fn stop<T>(&self, what: impl Into<String>, span: Span) -> Step<T> {
        Err(Stop { what: what.into(), at: place(span, self.text) })
    }

    /// Stops like [`Lowering::stop`], and quotes the source text.
    fn stop_at<T>(&self, what: &str, span: Span) -> Step<T> {
        let written = self.written(span);
        self.stop(format!("{what}, `{written}`,"), span)
    }

    /// Returns the source text of a span on one line, truncated.
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

    /// Descends one level in the tree.
    fn nested<T>(&mut self, span: Span, inside: impl FnOnce(&mut Self) -> Step<T>) -> Step<T> {
        if self.depth >= MAX_NESTING {
            return self.stop("very deep nesting", span);
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
