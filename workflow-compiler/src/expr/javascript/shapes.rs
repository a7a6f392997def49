//! The shapes of what JavaScript functions yield.
//!
//! A value that may be `undefined` may be absent here, and so may be anything that JSON does not
//! have, such as a function or a date. A missing member is `undefined`. Only reading a member of
//! `undefined`, or calling what is no method, throws. Objects are shared: after anything that may
//! change an object, nothing is known of the members of any object.

mod calls;
mod expr;
mod pattern;
mod values;

use super::JsScript;
use super::ir::{
    Block, DeclarationKind, Expr, Function, JsLocalId, Member, MemberKey, Pattern, PlaceExpr, Statement, Unit,
};
use super::walk::{self, IrNode};
use crate::shapes::remark::{Outcome, Remark, RemarkKind};
use crate::shapes::{Access, KindSet, PathCount, Shape};
use std::ops::Range;

/// The outcome of a function.
#[derive(Debug)]
pub struct JsOutcome {
    /// The result as JSON: [`Shape::never`] if the function throws in every run.
    pub outcome: Outcome,
    /// `true` if the function may throw.
    pub may_throw: bool,
    /// The Let variables after the function, in their order.
    pub variables: Vec<Shape>,
}

impl JsScript {
    /// Returns what the function yields for some parameters. `variables` are the values of its
    /// Let variables. `None` for a function that is not translated, of which nothing is known.
    pub fn outcome(&self, params: &Shape, variables: &[Shape]) -> Option<JsOutcome> {
        let unit = self.unit.as_ref()?;
        // Each branch joins all locals.
        if unit.locals.len().saturating_mul(self.source.len()) > MOST_WORK || has_conversions(&unit.function) {
            return None;
        }
        let mut variables: Vec<Access> = variables.iter().cloned().map(Access::present).collect();
        let shared = shared(&unit.function);
        for (_, variable) in variables.iter_mut().enumerate().filter(|(at, _)| shared.contains(at)) {
            *variable = Access::unknown();
        }
        let mut run = Run {
            unit,
            now: Values { locals: vec![Access::unknown(); unit.locals.len()], variables: variables.clone() },
            ever: variables.clone(),
            after: None,
            returned: None,
            remarks: Vec::new(),
            absorbing: 0,
            may_have_left: false,
            may_throw: false,
            chain_end: None,
            changes: 0,
            paths: PathCount::default(),
            shared,
        };
        run.function(params);
        let after = run.after.unwrap_or_default();
        // A variable without JSON form makes the call fail.
        let may_throw = run.may_throw || after.iter().any(|variable| variable.may_be_absent);
        // A function that throws leaves the variables as they are at that moment.
        let variables = if may_throw || run.returned.is_none() { run.ever } else { after };
        let value = match run.returned {
            // An undefined result is the empty object.
            Some(value) if value.may_be_absent => value.shape.join(&Shape::record::<&str>([])),
            Some(value) => value.shape,
            None => Shape::never(),
        };
        let outcome = Outcome { value, remarks: run.remarks, paths: run.paths };
        Some(JsOutcome { outcome, may_throw, variables: variables.iter().map(as_json).collect() })
    }
}

/// The most locals times bytes of a function that is analysed.
const MOST_WORK: usize = 1_000_000;

/// The kinds of values that have members of their own.
const CONTAINERS: KindSet = KindSet::ARRAY.or(KindSet::OBJECT);

/// Returns a variable as JSON. A value without JSON form leaves the value before.
fn as_json(value: &Access) -> Shape {
    if value.may_be_absent { Shape::any() } else { value.shape.clone() }
}

/// Returns an element of a list. An element of which nothing is known may be undefined, since
/// shapes of lists have no undefined elements.
fn element(shape: Shape) -> Access {
    Access { may_be_absent: shape.is_any(), shape }
}

/// Returns `true` for a function with an object that may convert itself to another value. Such a
/// conversion can run code at any place.
fn has_conversions(function: &Function) -> bool {
    let is_conversion = |name: &str| matches!(name, "toJSON" | "toLocaleString" | "toString" | "valueOf");
    let converts = |key: &MemberKey| matches!(key, MemberKey::Name(name, _) if is_conversion(name));
    let may_convert = |key: &MemberKey, value: &Expr| match key {
        MemberKey::Name(name, _) => is_conversion(name),
        MemberKey::Computed(_) => matches!(value, Expr::Function(_) | Expr::Named(..)),
    };
    let mut found = false;
    walk::function(function, &mut |node| {
        found |= match node {
            IrNode::Place(PlaceExpr::Member(_, key)) => converts(key),
            IrNode::Expr(Expr::String(text)) => is_conversion(text),
            IrNode::Expr(Expr::Assign(PlaceExpr::Member(_, key), value)) => may_convert(key, value),
            IrNode::Expr(Expr::Object(members)) => members.iter().any(|member| match member {
                Member::Value(key, value) => may_convert(key, value),
                Member::Spread(_) => false,
            }),
            _ => false,
        };
        !found
    });
    found
}

/// The values of the locals and of the Let variables.
#[derive(Debug, Clone)]
struct Values {
    locals: Vec<Access>,
    variables: Vec<Access>,
}

/// Returns the values of either of two ways.
fn joined(left: &[Access], right: &[Access]) -> Vec<Access> {
    left.iter().zip(right).map(|(left, right)| left.join(right)).collect()
}

/// Forgets the members of a value.
fn forget_members(value: &mut Access) {
    if value.shape.set().meets(CONTAINERS) {
        value.shape = Shape::any();
    }
}

impl Values {
    fn join(&self, other: &Values) -> Values {
        Values { locals: joined(&self.locals, &other.locals), variables: joined(&self.variables, &other.variables) }
    }

    fn iter_mut(&mut self) -> impl Iterator<Item = &mut Access> {
        self.locals.iter_mut().chain(&mut self.variables)
    }
}

/// Returns the Let variables that inner functions assign.
fn shared(function: &Function) -> Vec<usize> {
    let mut shared = Vec::new();
    walk::function(function, &mut |node| {
        if let IrNode::Expr(Expr::Function(inner) | Expr::Named(_, inner)) = node {
            walk::function(inner, &mut |node| {
                if let IrNode::Place(PlaceExpr::Variable(variable)) = node {
                    shared.push(*variable);
                }
                true
            });
            // The inner functions of the inner one have been visited.
            return false;
        }
        true
    });
    shared
}

/// The way in which a statement ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The next statement follows.
    Next,
    /// The function returns or throws, or a jump leaves the block.
    Left,
}

struct Run<'u> {
    unit: &'u Unit,
    now: Values,
    /// All values that the Let variables have had so far.
    ever: Vec<Access>,
    /// The Let variables at the ends of the function so far.
    after: Option<Vec<Access>>,
    /// The value of the return statements so far.
    returned: Option<Access>,
    remarks: Vec<Remark>,
    /// The number of parts around this one that may not evaluate it.
    absorbing: usize,
    /// `true` if some runs may have returned before.
    may_have_left: bool,
    may_throw: bool,
    /// The values where a link of the optional chain ends it.
    chain_end: Option<Values>,
    /// The number of changes of objects so far.
    changes: usize,
    paths: PathCount,
    /// The Let variables that inner functions assign. Nothing is known of them.
    shared: Vec<usize>,
}

/// Returns what an expression yields that throws in every run.
fn dead() -> Access {
    Access::present(Shape::never())
}

fn is_dead(value: &Access) -> bool {
    value.shape.is_never() && !value.may_be_absent
}

/// Returns a number that a computation yields. `NaN` is null in JSON.
fn number() -> Access {
    Access::present(Shape::number().join(&Shape::null()))
}

/// Returns the truth of a value, if all values of the shape have the same.
fn truth(value: &Access) -> Option<bool> {
    if is_dead(value) {
        return None;
    }
    if value.is_absent() || !value.may_be_absent && value.shape.set() == KindSet::NULL {
        return Some(false);
    }
    let is_container = !value.shape.set().meets((KindSet::ARRAY | KindSet::OBJECT).complement());
    match &value.shape {
        _ if value.may_be_absent => None,
        _ if is_container => Some(true),
        shape if *shape == Shape::flag(true) => Some(true),
        shape if *shape == Shape::flag(false) => Some(false),
        shape => shape.known_texts().filter(|texts| texts.iter().all(|text| !text.is_empty())).map(|_| true),
    }
}

impl<'u> Run<'u> {
    fn function(&mut self, params: &Shape) {
        let function = &self.unit.function;
        let argument = Access::present(params.clone());
        if let Some(local) = self.unit.params {
            self.set(local, argument.clone());
        }
        for (at, pattern) in function.params.iter().enumerate() {
            let value = if at == 0 { argument.clone() } else { Access::absent() };
            self.paths_of(pattern, at == 0 && !params.is_any());
            self.bind(pattern, value, false);
        }
        function.rest.iter().for_each(|rest| self.bind(rest, Access::unknown(), true));
        if self.block(&function.body) == End::Next {
            self.note_return(Access::absent());
        }
    }

    fn note_return(&mut self, value: Access) {
        if !is_dead(&value) {
            self.returned = Some(self.returned.take().map_or(value.clone(), |known| known.join(&value)));
            let now = &self.now.variables;
            self.after = Some(self.after.take().map_or(now.clone(), |known| joined(&known, now)));
        }
    }

    fn remark(&mut self, at: &Range<usize>, kind: RemarkKind) {
        let is_certain = self.absorbing == 0 && !self.may_have_left;
        self.remarks.push(Remark { at: at.clone(), kind, is_certain });
    }

    /// Returns the value of a part that throws in every run.
    fn failed(&mut self) -> Access {
        self.may_throw = true;
        dead()
    }

    fn set_variable(&mut self, variable: usize, value: Access) {
        if let (Some(known), false) = (self.now.variables.get_mut(variable), self.shared.contains(&variable)) {
            self.ever[variable] = self.ever[variable].join(&value);
            *known = value;
        }
    }

    fn set(&mut self, local: JsLocalId, value: Access) {
        let is_known = !self.unit.locals[local.0].is_shared();
        self.now.locals[local.0] = if is_known { value } else { Access::unknown() };
    }

    /// Forgets the members of all objects, since one of them may have changed.
    fn forget_objects(&mut self) {
        self.changes += 1;
        self.now.iter_mut().chain(&mut self.ever).for_each(forget_members);
    }

    /// Returns a value as it is now. `changes` is the number of changes before it was evaluated.
    fn current(&self, mut value: Access, changes: usize) -> Access {
        if self.changes != changes {
            forget_members(&mut value);
        }
        value
    }

    /// Forgets all values, since code that is not followed may have changed them.
    fn forget_all(&mut self) {
        self.changes += 1;
        self.now.iter_mut().chain(&mut self.ever).for_each(|value| *value = Access::unknown());
        self.may_throw = true;
    }

    fn block(&mut self, block: &'u Block) -> End {
        self.statements(&block.statements)
    }

    fn statements(&mut self, statements: &'u [Statement]) -> End {
        for statement in statements {
            if self.statement(statement) == End::Left {
                return End::Left;
            }
        }
        End::Next
    }

    fn statement(&mut self, statement: &'u Statement) -> End {
        match statement {
            Statement::Expr(value) => {
                // A value that nobody uses is no mistake if it is undefined.
                let value = self.guard(value);
                if is_dead(&value) { End::Left } else { End::Next }
            }
            Statement::Declare(pattern, value) => {
                let value = match value {
                    Some(value) => self.eval(value),
                    // A repeated declaration by `var` keeps the value.
                    None => match pattern {
                        Pattern::Declare(local) if self.unit.locals[local.0].kind == DeclarationKind::Let => {
                            Access::absent()
                        }
                        _ => Access::unknown(),
                    },
                };
                if is_dead(&value) {
                    return End::Left;
                }
                self.bind(pattern, value, false);
                End::Next
            }
            Statement::Return(value) => {
                let value = value.as_ref().map_or_else(Access::absent, |value| self.eval(value));
                self.note_return(value);
                self.may_have_left = true;
                End::Left
            }
            Statement::Throw(value) => {
                self.eval(value);
                (self.may_throw, self.may_have_left) = (true, true);
                End::Left
            }
            Statement::If(test, yes, no) => self.branch(test, yes, no.as_ref()),
            Statement::Block(inner) => self.block(inner),
            Statement::Loop(_) | Statement::Switch(_) | Statement::Try(_) | Statement::Labelled(..) => {
                // Nothing inside is followed.
                self.forget_all();
                self.note_return(Access::unknown());
                self.may_have_left = true;
                End::Next
            }
            Statement::Break(_) | Statement::Continue(_) => {
                self.forget_all();
                End::Next
            }
        }
    }

    fn branch(&mut self, test: &'u Expr, yes: &'u Block, no: Option<&'u Block>) -> End {
        let test = self.guard(test);
        if is_dead(&test) {
            return End::Left;
        }
        match truth(&test) {
            Some(true) => return self.block(yes),
            Some(false) => return no.map_or(End::Next, |no| self.block(no)),
            None => {}
        }
        let before = self.now.clone();
        self.absorbing += 1;
        let yes_end = self.block(yes);
        let after_yes = std::mem::replace(&mut self.now, before);
        let no_end = no.map_or(End::Next, |no| self.block(no));
        self.absorbing -= 1;
        match (yes_end, no_end) {
            (End::Left, End::Left) => return End::Left,
            (End::Next, End::Next) => self.now = self.now.join(&after_yes),
            (End::Next, End::Left) => self.now = after_yes,
            (End::Left, End::Next) => {}
        }
        End::Next
    }
}
