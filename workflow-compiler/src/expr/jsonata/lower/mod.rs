//! Lowering of an expression to the expression core.
//!
//! A value of the language is a local of type `Value`, which is nothing or an item. A truth that
//! is certain to be one is a `bool`. Paths of names are one call. Any other step of a path is a
//! loop that fills the results of the step, so that a step is evaluated for all items before the
//! next one is, as the evaluator does it. A call of a function of the expression becomes the
//! statements of its body. A function that calls itself becomes a closure, see `recursion`.
//!
//! The evaluator runs the whole of an expression that has a part without translation: for example
//! ancestors, joins, functions as values, bindings in parts that are not evaluated exactly once,
//! and what exceeds the limits below.

mod call;
mod callees;
mod construct;
mod control;
mod filter;
mod higher_order;
mod hint;
mod lambda;
mod natives;
mod operator;
mod order;
mod partial;
mod path;
mod recursion;
mod scope;
mod signature;
mod transform;
mod value;

use crate::expr::Literal;
use crate::expr::core::builder::CoreBuilder;
use crate::expr::core::{
    Atom, Computation, CoreArgument, CoreFunction, CoreLocalId, CoreStatement, CoreType, Primitive,
};
use crate::names::snake_case;
use recursion::Recursions;
use scope::{ContextItem, Frame, JsonataEnv};
use std::collections::HashSet;
use workflow_jsonata::{Lambda, Node};

/// The nesting at which the evaluator refuses an expression.
const MAX_DEPTH: usize = 100;
/// The most parts that one expression may lower, with those of the functions at each call.
const MAX_PARTS: usize = 2_000;
/// The most steps and predicates of one path, or predicates of another part.
const MAX_STEPS: usize = 100;
/// The most functions of one expression that call themselves.
const MAX_RECURSIVE: usize = 10;
/// The bytes of a text that count as one part.
const TEXT_PART: usize = 64;

/// The reason why a large expression is not translated.
pub(super) const TOO_LARGE: &str = "an expression this large";

/// The reason why an expression is not translated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NotTranslated(pub String);

type Res<T> = Result<T, NotTranslated>;

fn untranslated<T>(what: impl Into<String>) -> Res<T> {
    Err(NotTranslated(what.into()))
}

/// Lowers an expression. `names` are its parameters: variables, and members of `$states` such as
/// `states.input`. With a document, a parameter before them is the input document.
/// The function yields a `bool` if `tests` holds and the value is certain to be one. Returns also
/// the number of levels that the expression is nested.
pub(super) fn function(node: &Node, names: &[String], has_document: bool, tests: bool) -> Res<(CoreFunction, usize)> {
    let mut recursive = Vec::new();
    loop {
        let mut lowering = Lowering::new(recursive.clone());
        match lowering.expression(node, names, has_document) {
            Ok(value) => {
                let returns = if tests { lowering.builder.ty(&value) } else { CoreType::Value };
                return Ok((lowering.builder.finish(value, returns), lowering.levels));
            }
            Err(reason) => match lowering.recursions.found {
                Some(function) if recursive.len() < MAX_RECURSIVE => recursive.push(function),
                _ => return Err(reason),
            },
        }
    }
}

struct Lowering<'n> {
    builder: CoreBuilder,
    /// The variables by name, and the members of `$states`.
    variables: Vec<(String, CoreLocalId)>,
    /// The input document, if there is one.
    document: Option<Atom>,
    frames: Vec<Frame<'n>>,
    /// The number of enclosing parts that are not evaluated exactly once.
    level: usize,
    depth: usize,
    /// The greatest depth so far.
    levels: usize,
    parts: usize,
    /// The functions whose bodies are being lowered.
    inlined: Vec<&'n Lambda>,
    /// `true` if a function of the language in tail position returns a sequence as it is, because
    /// a function that calls back takes it.
    keeps_sequence: bool,
    /// `true` if the next call must not yield an empty sequence for nothing, because what follows
    /// it sees the difference.
    is_exact: bool,
    /// `true` if the next call is in tail position: its caller's context item stands for a missing
    /// argument.
    is_tail: bool,
    /// The context item of the caller of the function whose body is being lowered.
    caller: ContextItem,
    /// `true` if a part so far has a function as its value.
    has_functions: bool,
    /// `true` if a part so far is an array that a path does not flatten.
    has_constructed: bool,
    /// The values that can have sequences inside of them, which are reduced where an expression
    /// reads them.
    nested: HashSet<CoreLocalId>,
    /// The elements of sequences that can be sequences themselves.
    reduced: HashSet<CoreLocalId>,
    /// The functions that call themselves.
    recursions: Recursions<'n>,
}

/// A value, perhaps as a sequence that stands for its only element.
struct Yield {
    atom: Atom,
    is_sequence: bool,
}

impl Yield {
    fn value(atom: Atom) -> Yield {
        Yield { atom, is_sequence: false }
    }

    fn sequence(atom: Atom) -> Yield {
        Yield { atom, is_sequence: true }
    }
}

impl<'n> Lowering<'n> {
    /// Creates a lowering in which these functions are closures.
    fn new(recursive: Vec<&'n Lambda>) -> Lowering<'n> {
        Lowering {
            builder: CoreBuilder::default(),
            variables: Vec::new(),
            document: None,
            frames: vec![Frame::default()],
            level: 0,
            depth: 0,
            levels: 0,
            parts: 0,
            inlined: Vec::new(),
            keeps_sequence: false,
            is_exact: false,
            is_tail: false,
            caller: ContextItem::Nothing,
            has_functions: false,
            has_constructed: false,
            nested: HashSet::new(),
            reduced: HashSet::new(),
            recursions: Recursions::of(recursive),
        }
    }

    /// Lowers a whole expression to its value.
    fn expression(&mut self, node: &'n Node, names: &[String], has_document: bool) -> Res<Atom> {
        let document = has_document.then(|| self.builder.param("document", CoreType::Variable));
        for name in names {
            let hint = snake_case(name.strip_prefix("states.").unwrap_or(name));
            let local = self.builder.param(&hint, CoreType::Variable);
            self.variables.push((name.clone(), local));
        }
        let context = match document {
            Some(document) => self.document(document),
            None => ContextItem::Nothing,
        };
        self.value(node, &JsonataEnv { context, frame: 0 })
    }

    /// Lowers a part that is one level deeper than the part around it.
    fn nest<T>(&mut self, lower: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        self.count(1)?;
        self.depth += 1;
        self.levels = self.levels.max(self.depth);
        if self.depth > MAX_DEPTH {
            return untranslated("nesting beyond the limit of the evaluation");
        }
        self.reach();
        let result = lower(self);
        self.depth -= 1;
        result
    }

    /// Counts parts.
    fn count(&mut self, parts: usize) -> Res<()> {
        self.parts = self.parts.saturating_add(parts);
        if self.parts > MAX_PARTS { untranslated(TOO_LARGE) } else { Ok(()) }
    }

    /// Counts the parts that a text stands for, which is copied.
    fn count_text(&mut self, text: &str) -> Res<()> {
        self.count(text.len() / TEXT_PART)
    }

    /// Counts steps and predicates in a row, each of which nests those before it.
    fn count_steps(&mut self, steps: usize) -> Res<()> {
        if steps > MAX_STEPS {
            return untranslated("so many steps in a row");
        }
        self.count(steps)
    }

    /// Lowers a part that is evaluated any number of times, or perhaps not at all.
    fn guarded<T>(&mut self, lower: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let reached = self.recursions.reached;
        self.level += 1;
        let result = lower(self);
        self.level -= 1;
        self.recursions.reached = reached;
        result
    }

    /// Adds a call whose arguments are values.
    fn call_of(&mut self, hint: &str, callee: Primitive, args: &[&Atom]) -> Atom {
        let result = self.builder.call(hint, callee, args.iter().map(|arg| (*arg).into()).collect());
        if args.iter().any(|arg| self.is_nested(arg)) {
            self.mark_nested(&result);
        }
        result
    }

    /// Returns `true` if a value can have sequences inside of it.
    fn is_nested(&self, value: &Atom) -> bool {
        value.local().is_some_and(|local| self.nested.contains(&local))
    }

    /// Marks a value that can have sequences inside of it.
    fn mark_nested(&mut self, value: &Atom) {
        self.nested.extend(value.local());
    }

    /// Checks that no part of a value whose parts are read is a sequence.
    fn check_flat(&self, value: &Atom) -> Res<()> {
        if self.is_nested(value) {
            return untranslated("a sequence in the result of a function that is called back");
        }
        Ok(())
    }

    /// Adds a call without a result on a list that it changes.
    fn add(&mut self, list: CoreLocalId, callee: Primitive, args: &[&Atom]) {
        if args.iter().any(|arg| self.is_nested(arg)) {
            self.nested.insert(list);
        }
        let args = args.iter().map(|arg| CoreArgument::from(*arg));
        self.builder.run(callee, std::iter::once(CoreArgument::Changed(list)).chain(args).collect());
    }

    /// Adds a call that takes a list it changes, and returns a value.
    fn finish(&mut self, hint: &str, callee: Primitive, list: CoreLocalId) -> Atom {
        self.call_of(hint, callee, &[&Atom::Local(list)])
    }

    /// Binds an empty list or object that is going to be filled.
    fn list(&mut self, hint: &str, empty: Primitive) -> CoreLocalId {
        let list = self.builder.call_of(empty, Vec::new());
        self.builder.bind(hint, empty.returns, list)
    }

    /// Binds an empty list at a position of the block.
    fn list_at(&mut self, position: usize, hint: &str, empty: Primitive) -> CoreLocalId {
        let list = self.builder.local(hint, empty.returns);
        let computation = self.builder.call_of(empty, Vec::new());
        self.builder.push_at(position, CoreStatement::Let(list, computation));
        list
    }

    /// Binds an empty list that is going to be filled from the items of a value. The list stands
    /// before the value, so that the value stands at its use.
    fn list_for(&mut self, items: &Atom, hint: &str, empty: Primitive) -> CoreLocalId {
        self.list_at(self.builder.position_before(items.local()), hint, empty)
    }

    /// Binds an array of Rust that holds values.
    fn values(&mut self, values: Vec<Atom>) -> Atom {
        let is_nested = values.iter().any(|value| self.is_nested(value));
        let values = Atom::Local(self.builder.bind("values", CoreType::Items, Computation::List(values)));
        if is_nested {
            self.mark_nested(&values);
        }
        values
    }

    fn nothing(&mut self) -> Atom {
        self.call_of("nothing", callees::NOTHING, &[])
    }

    /// Reduces a sequence of one element to the element.
    fn collapsed(&mut self, value: Yield, hint: &str) -> Atom {
        if !value.is_sequence {
            return value.atom;
        }
        let reduced = self.call_of(hint, callees::COLLAPSED, &[&value.atom]);
        if self.is_nested(&reduced) {
            self.reduced.extend(reduced.local());
        }
        reduced
    }

    /// Returns a `bool` for the truth of a value.
    fn truth(&mut self, value: Atom) -> Atom {
        let holds = match &value {
            Atom::Literal(Literal::Null) => false,
            Atom::Literal(Literal::Int(number)) => *number != 0,
            Atom::Literal(Literal::Float(number)) => *number != 0.0,
            Atom::Literal(Literal::String(text)) => !text.is_empty(),
            _ if self.builder.ty(&value) == CoreType::Bool => return value,
            _ => return self.call_of("is_true", callees::IS_TRUE, &[&value]),
        };
        Atom::Literal(Literal::Bool(holds))
    }
}
