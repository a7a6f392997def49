//! The shapes of what JavaScript functions yield.
//!
//! A value that may be `undefined` may be absent here, and so may be anything that JSON does not
//! have, such as a function or a date. A missing member is `undefined`. Only reading a member of
//! `undefined`, or calling what is no method, throws. Objects are shared: after anything that may
//! change an object, nothing is known of the members of any object.

mod calls;
mod expr;
mod pattern;

use super::JsScript;
use super::ir::{Block, DeclarationKind, Expr, Function, JsLocalId, Pattern, PlaceExpr, Statement, Unit};
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
        let variables: Vec<Access> = variables.iter().cloned().map(Access::present).collect();
        let mut run = Run {
            unit,
            now: Values { locals: vec![Access::unknown(); unit.locals.len()], variables },
            returned: None,
            remarks: Vec::new(),
            quiet: 0,
            absorbing: 0,
            may_throw: false,
            chain_may_end: false,
            paths: PathCount::default(),
            shared: Vec::new(),
        };
        run.shared = shared(&unit.function);
        run.shared.iter().for_each(|variable| run.now.forget_variable(*variable));
        run.function(params);
        let before = variables_of(&run.now);
        let value = match run.returned {
            // An undefined result is the empty object.
            Some(value) if value.may_be_absent => value.shape.join(&Shape::record::<&str>([])),
            Some(value) => value.shape,
            None => Shape::never(),
        };
        let outcome = Outcome { value, remarks: run.remarks, paths: run.paths };
        Some(JsOutcome { outcome, may_throw: run.may_throw, variables: before })
    }
}

/// Returns the variables as JSON. What JSON does not have can become any value.
fn variables_of(values: &Values) -> Vec<Shape> {
    let json = |value: &Access| if value.may_be_absent { Shape::any() } else { value.shape.clone() };
    values.variables.iter().map(json).collect()
}

/// The values of the locals and of the Let variables.
#[derive(Debug, Clone)]
struct Values {
    locals: Vec<Access>,
    variables: Vec<Access>,
}

impl Values {
    fn join(&self, other: &Values) -> Values {
        let both = |left: &[Access], right: &[Access]| {
            left.iter().zip(right).map(|(left, right)| left.join(right)).collect::<Vec<_>>()
        };
        Values { locals: both(&self.locals, &other.locals), variables: both(&self.variables, &other.variables) }
    }

    fn forget_variable(&mut self, variable: usize) {
        if let Some(known) = self.variables.get_mut(variable) {
            *known = Access::unknown();
        }
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
    /// The value of the return statements so far.
    returned: Option<Access>,
    remarks: Vec<Remark>,
    /// The number of parts around this one of which nothing is reported.
    quiet: usize,
    /// The number of parts around this one that may not evaluate it.
    absorbing: usize,
    may_throw: bool,
    /// `true` if a link of the optional chain may end it.
    chain_may_end: bool,
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
        }
    }

    fn remark(&mut self, at: &Range<usize>, kind: RemarkKind) {
        if self.quiet == 0 {
            self.remarks.push(Remark { at: at.clone(), kind, is_certain: self.absorbing == 0 });
        }
    }

    /// Returns the value of a part that throws in every run. A failure that is not reported is no
    /// ground for what is claimed later.
    fn failed(&mut self) -> Access {
        self.may_throw = true;
        if self.quiet == 0 { dead() } else { Access::unknown() }
    }

    fn set_variable(&mut self, variable: usize, value: Access) {
        // A variable cannot hold what JSON does not have.
        self.may_throw |= value.may_be_absent;
        if let (Some(known), false) = (self.now.variables.get_mut(variable), self.shared.contains(&variable)) {
            *known = value;
        }
    }

    fn set(&mut self, local: JsLocalId, value: Access) {
        let is_known = !self.unit.locals[local.0].is_shared();
        self.now.locals[local.0] = if is_known { value } else { Access::unknown() };
    }

    /// Forgets the members of all objects, since one of them may have changed.
    fn forget_objects(&mut self) {
        let containers = KindSet::ARRAY | KindSet::OBJECT;
        for value in self.now.iter_mut().filter(|value| !value.shape.is_any() && value.shape.set().meets(containers)) {
            let mut shape = value.shape.only(containers.complement());
            if value.shape.set().meets(KindSet::ARRAY) {
                shape = shape.join(&Shape::list(Shape::any()));
            }
            if value.shape.set().meets(KindSet::OBJECT) {
                shape = shape.join(&Shape::any_object());
            }
            value.shape = shape;
        }
    }

    /// Forgets all values, since code that is not followed may have changed them.
    fn forget_all(&mut self) {
        self.now.iter_mut().for_each(|value| *value = Access::unknown());
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
                End::Left
            }
            Statement::Throw(value) => {
                self.eval(value);
                self.may_throw = true;
                End::Left
            }
            Statement::If(test, yes, no) => self.branch(test, yes, no.as_ref()),
            Statement::Block(inner) => self.block(inner),
            Statement::Loop(_) | Statement::Switch(_) | Statement::Try(_) | Statement::Labelled(..) => {
                // Nothing inside is followed.
                self.forget_all();
                self.note_return(Access::unknown());
                self.absorbing += 1;
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
        let absorbing = self.absorbing;
        self.absorbing += 1;
        let yes_end = self.block(yes);
        let after_yes = std::mem::replace(&mut self.now, before);
        self.absorbing = absorbing + 1;
        let no_end = no.map_or(End::Next, |no| self.block(no));
        // What follows a branch that ends the function is not evaluated in each run.
        let is_left = yes_end == End::Left || no_end == End::Left;
        self.absorbing = absorbing + usize::from(is_left);
        match (yes_end, no_end) {
            (End::Left, End::Left) => return End::Left,
            (End::Next, End::Next) => self.now = self.now.join(&after_yes),
            (End::Next, End::Left) => self.now = after_yes,
            (End::Left, End::Next) => {}
        }
        End::Next
    }
}
