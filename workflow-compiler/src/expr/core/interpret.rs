//! A reference interpreter of functions of the core, for tests.
//!
//! It does what the printed Rust does, without `rustc`: it walks the statements in their order,
//! and calls the same functions of the runtime. A test runs a function before and after the
//! passes, and compares the results, so that lowering and passes are tested on any number of
//! expressions.
//!
//! A use that takes a value ([`Atom::Last`]) empties the local, and what reads an empty local
//! panics. References are held as copies: Rust itself rejects a reference into a value that is
//! changed while the reference is read.
//!
//! A closure of JavaScript owns copies, and can be called after its function has returned: it is
//! run by an interpreter of its own.

/// Defines the conversions of results of functions of the runtime for a language.
macro_rules! yields {
    ($language:ty; $($of:ty, $result:ident => $operand:expr;)*) => {
        $(impl Yields<$language> for $of {
            fn yields<'a>(self) -> Res<Operand<'a, $language>> {
                let $result = self;
                Ok($operand)
            }
        })*
    };
}

pub mod javascript;
pub mod jq;
pub mod jsonata;
mod operand;

pub use operand::{Arguments, Operand};

use super::{
    Atom, Attempt, Closure, Computation, Constant, CoreArgument, CoreBlock, CoreCall, CoreFunction, CoreLocalId,
    CoreStatement, CoreType, ErrorExit, Form, LabelId, Takes, Try, TryEnd,
};
use crate::expr::Literal;
use crate::index::IndexVec;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

/// The name of a call of a closure that is a parameter.
pub const CALLBACK: &str = "(callback)";
/// The name of the use of a `Result` that exists already.
pub const OUTCOME: &str = "(outcome)";

/// The values and functions of a language.
pub trait Interpreted: Sized + 'static {
    /// A value of the language.
    type Value: Clone + 'static;
    /// An error of the language.
    type Error: 'static;
    /// Another content of a local, such as a list that is being filled.
    type Other: 'static;
    /// The run of an expression, which the functions of the runtime take.
    type Run<'r>;

    /// Returns a constant that is no `bool`.
    fn literal(literal: &Literal) -> Self::Value;

    /// Returns a constant that JSON does not have, and that counts nothing.
    fn constant<'a>(constant: Constant) -> Operand<'a, Self> {
        panic!("{constant:?} is a constant of JavaScript")
    }

    /// Returns the value of a content that becomes one where a value is needed.
    fn of_other(_: Self::Other) -> Self::Value {
        panic!("only contents of JavaScript become values")
    }

    /// Returns `true` if a value stands for nothing.
    fn is_undefined(_: &Self::Value) -> bool {
        panic!("only values of JavaScript can be undefined")
    }

    /// Returns the value that a handler of an error takes, unless none handles this error.
    fn thrown(_: &Self::Error) -> Option<Self::Value> {
        panic!("only JavaScript throws values")
    }

    /// Returns the value of a `bool`.
    fn of_bool(value: bool) -> Self::Value;

    /// Returns an array.
    fn array(items: Vec<Self::Value>) -> Self::Value;

    /// Returns an object of members, of which the last one with a name counts.
    ///
    /// # Errors
    /// Fails if a limit is exceeded.
    fn object(members: Vec<(&str, Self::Value)>, run: &mut Self::Run<'_>) -> Result<Self::Value, Self::Error>;

    /// Returns a copy, unless only the local itself can hold it.
    fn copied(other: &Self::Other) -> Option<Self::Other>;

    /// Returns the place of a local that is changed in place.
    fn place(_: CoreLocalId) -> Self::Other {
        panic!("only jq changes values in place")
    }

    /// Returns the value at a place.
    fn value_at(_: &Interpreter<'_, Self>, _: Self::Other) -> Self::Value {
        panic!("only jq has places")
    }

    /// Sets the value at a place.
    fn store(_: &Interpreter<'_, Self>, _: Self::Other, _: Self::Value) {
        panic!("only jq has places")
    }

    /// Calls the function of the runtime that has this name: [`CALLBACK`] for a closure that is a
    /// parameter, and [`OUTCOME`] for what is a `Result` already. Arguments that the function
    /// changes in place stay where they are.
    ///
    /// # Errors
    /// Returns the error of the function.
    ///
    /// # Panics
    /// Panics if no function has the name.
    fn call<'a>(
        name: &'static str,
        interpreter: &Interpreter<'a, Self>,
        arguments: &mut Arguments<'a, Self>,
        run: &mut Self::Run<'_>,
    ) -> Result<Operand<'a, Self>, Self::Error>;
}

/// The result of a function of the runtime.
trait Yields<L: Interpreted> {
    fn yields<'a>(self) -> Result<Operand<'a, L>, L::Error>;
}

impl<L: Interpreted, T: Yields<L>> Yields<L> for Result<T, L::Error> {
    fn yields<'a>(self) -> Result<Operand<'a, L>, L::Error> {
        self?.yields()
    }
}

/// Returns the function of the runtime that has this name.
///
/// # Panics
/// Panics if there is none.
fn row<F: Copy>(rows: &BTreeMap<&'static str, F>, name: &str) -> F {
    *rows.get(name).unwrap_or_else(|| panic!("`{name}` is missing in the table"))
}

/// Returns a text that lives until the end, like one in generated code. Equal texts are one.
fn leaked(text: &str) -> &'static str {
    static TEXTS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut texts = TEXTS.lock().expect("no holder of the lock panics");
    if let Some(&known) = texts.get(text) {
        return known;
    }
    let text: &'static str = text.to_owned().leak();
    texts.insert(text);
    text
}

/// The way in which a block is left before its end.
pub enum CoreExit<'a, L: Interpreted> {
    /// An error leaves the function or closure.
    Raise(L::Error),
    /// An error goes to the handler of an attempt.
    Attempt(LabelId, L::Error),
    /// A jump behind a block or loop.
    Break(LabelId, Option<Operand<'a, L>>),
    /// A jump to the next turn of a loop.
    Continue(LabelId),
    /// The function or closure returns.
    Return(Operand<'a, L>),
}

/// The result of a part.
type Evaluated<'a, L> = Result<Operand<'a, L>, CoreExit<'a, L>>;

/// The content of all locals.
pub type SavedSlots<'a, L> = IndexVec<CoreLocalId, Option<Operand<'a, L>>>;

/// A function that is being run.
pub struct Interpreter<'a, L: Interpreted> {
    function: &'a CoreFunction,
    /// The content of each local. Functions of the runtime call closures back, which change it.
    slots: RefCell<SavedSlots<'a, L>>,
}

/// Runs a function with these arguments.
///
/// # Errors
/// Returns the error that leaves the function.
///
/// # Panics
/// Panics if the function is not valid: if it reads a local that nothing has bound, or takes an
/// operand as another type.
pub fn interpret<'a, L: Interpreted>(
    function: &'a CoreFunction,
    arguments: Vec<Operand<'a, L>>,
    run: &mut L::Run<'_>,
) -> Result<L::Value, L::Error> {
    let slots = function.locals.iter().map(|_| None).collect();
    let interpreter = Interpreter { function, slots: RefCell::new(slots) };
    assert_eq!(function.params.len(), arguments.len(), "the function has other parameters");
    function.params.iter().zip(arguments).for_each(|(param, argument)| interpreter.bind(*param, argument));
    ended(interpreter.block(&function.body, run)).map(Operand::into_value)
}

/// Returns the result of a function or closure.
fn ended<'a, L: Interpreted>(result: Evaluated<'a, L>) -> Result<Operand<'a, L>, L::Error> {
    match result {
        Ok(value) | Err(CoreExit::Return(value)) => Ok(value),
        Err(CoreExit::Raise(error)) => Err(error),
        Err(CoreExit::Attempt(..) | CoreExit::Break(..) | CoreExit::Continue(_)) => {
            panic!("a jump leaves its function")
        }
    }
}

impl<'a, L: Interpreted> Interpreter<'a, L> {
    /// Binds a local, or assigns it.
    fn bind(&self, local: CoreLocalId, operand: Operand<'a, L>) {
        let operand = match self.function.locals[local].ty {
            CoreType::Value => Operand::Value(operand.into_value()),
            _ => operand,
        };
        self.slots.borrow_mut()[local] = Some(operand);
    }

    /// Takes the content of a local.
    fn take(&self, local: CoreLocalId) -> Operand<'a, L> {
        let content = self.slots.borrow_mut()[local].take();
        content.unwrap_or_else(|| {
            let name = &self.function.locals[local].hint;
            panic!("`{name}` is read before it is bound, or after it has been taken: {}", self.function)
        })
    }

    /// Returns the content of a local: a copy, or itself if there can be none.
    fn read(&self, local: CoreLocalId) -> Operand<'a, L> {
        let content = self.take(local);
        if let Some(copy) = content.copied() {
            self.slots.borrow_mut()[local] = Some(copy);
        }
        content
    }

    /// Changes the value of a local in place.
    pub fn change<T>(&self, local: CoreLocalId, change: impl FnOnce(&mut L::Value) -> T) -> T {
        match &mut self.slots.borrow_mut()[local] {
            Some(Operand::Value(value)) => change(value),
            _ => panic!("`{}` has no value that can be changed", self.function.locals[local].hint),
        }
    }

    /// Returns the content of all locals, which keep copies where there can be some.
    pub fn save(&self) -> SavedSlots<'a, L> {
        let mut slots = self.slots.borrow_mut();
        let kept = slots.iter().map(|slot| slot.as_ref().and_then(Operand::copied)).collect();
        std::mem::replace(&mut *slots, kept)
    }

    /// Gives all locals the content that they had.
    pub fn restore(&self, slots: SavedSlots<'a, L>) {
        *self.slots.borrow_mut() = slots;
    }

    /// Calls a closure.
    ///
    /// # Errors
    /// Returns the error that leaves the closure.
    pub fn call_closure(
        &self,
        closure: &'a Closure,
        arguments: Vec<Operand<'a, L>>,
        run: &mut L::Run<'_>,
    ) -> Result<Operand<'a, L>, L::Error> {
        assert!(closure.captures.is_empty(), "only closures of JavaScript own copies");
        assert_eq!(closure.params.len(), arguments.len(), "the closure has other parameters");
        closure.params.iter().zip(arguments).for_each(|(param, argument)| self.bind(*param, argument));
        ended(self.block(&closure.body, run))
    }

    fn block(&self, block: &'a CoreBlock, run: &mut L::Run<'_>) -> Evaluated<'a, L> {
        for statement in &block.statements {
            self.statement(statement, run)?;
        }
        block.value.as_ref().map_or(Ok(Operand::Unit), |value| self.atom(value, run))
    }

    fn statement(&self, statement: &'a CoreStatement, run: &mut L::Run<'_>) -> Result<(), CoreExit<'a, L>> {
        match statement {
            CoreStatement::Let(local, computation) | CoreStatement::Assign(local, computation) => {
                let value = self.computation(computation, run)?;
                self.bind(*local, value);
            }
            CoreStatement::Do(computation) => _ = self.computation(computation, run)?,
            CoreStatement::Store(place, value) => {
                let value = self.atom(value, run)?.into_value();
                L::store(self, self.read(*place).into_other(), value);
            }
            CoreStatement::Decrement(local) => {
                let count = self.read(*local).into_count();
                self.bind(*local, Operand::Count(count.checked_sub(1).expect("a count is not negative")));
            }
            CoreStatement::For { label, items, over, body } => {
                for item in self.computation(over, run)?.into_items() {
                    assert_eq!(items.len(), item.len(), "an item has other parts");
                    items.iter().zip(item).for_each(|(local, part)| self.bind(*local, part));
                    if !self.turn(*label, body, run)? {
                        break;
                    }
                }
            }
            CoreStatement::Loop { label, body } => while self.turn(*label, body, run)? {},
            CoreStatement::Break(label, value) => {
                let value = value.as_ref().map(|value| self.atom(value, run)).transpose()?;
                return Err(CoreExit::Break(*label, value));
            }
            CoreStatement::Continue(label) => return Err(CoreExit::Continue(*label)),
            CoreStatement::Return(value) => return Err(CoreExit::Return(self.atom(value, run)?)),
            CoreStatement::Fail(error) => return Err(CoreExit::Raise(self.atom(error, run)?.into_error())),
        }
        Ok(())
    }

    /// Runs the body of a loop once. Returns `false` if that ends the loop.
    fn turn(&self, label: LabelId, body: &'a CoreBlock, run: &mut L::Run<'_>) -> Result<bool, CoreExit<'a, L>> {
        match self.block(body, run) {
            Ok(_) => Ok(true),
            Err(CoreExit::Continue(target)) if target == label => Ok(true),
            Err(CoreExit::Break(target, None)) if target == label => Ok(false),
            Err(exit) => Err(exit),
        }
    }

    fn computation(&self, computation: &'a Computation, run: &mut L::Run<'_>) -> Evaluated<'a, L> {
        match computation {
            Computation::Atom(atom) => self.atom(atom, run),
            Computation::Call(call) => self.call(call, run)?.map_err(|error| match call.on_error {
                ErrorExit::Return => CoreExit::Raise(error),
                ErrorExit::Attempt(label) => CoreExit::Attempt(label, error),
                ErrorExit::Absent => panic!("nothing asks if `{}` fails", call.callee.name),
            }),
            Computation::Not(atom) => Ok(Operand::Bool(!self.atom(atom, run)?.into_bool())),
            Computation::Logic { is_and, left, right } => {
                let left = self.atom(left, run)?.into_bool();
                let right = if left == *is_and { self.block(right, run)?.into_bool() } else { left };
                Ok(Operand::Bool(right))
            }
            Computation::If { test, then, otherwise } => {
                let test = self.atom(test, run)?.into_bool();
                self.block(if test { then } else { otherwise }, run)
            }
            Computation::IfPresent { items, of, then, otherwise } => match self.present(of, run)? {
                Some(parts) => {
                    assert_eq!(items.len(), parts.len(), "what is present has other parts");
                    items.iter().zip(parts).for_each(|(local, part)| self.bind(*local, part));
                    self.block(then, run)
                }
                None => self.block(otherwise, run),
            },
            Computation::Array(items) => Ok(Operand::Value(L::array(self.values(items, run)?))),
            Computation::List(items) | Computation::Texts(items) => Ok(Operand::List(self.values(items, run)?)),
            Computation::Object(members) => {
                let mut values = Vec::with_capacity(members.len());
                for (name, value) in members {
                    values.push((&**name, self.atom(value, run)?.into_value()));
                }
                L::object(values, run).map(Operand::Value).map_err(CoreExit::Raise)
            }
            Computation::Maybe(values) => {
                let values = values.as_ref().map(|values| self.values(values, run)).transpose()?;
                Ok(Operand::Maybe(values.map(|values| values.into_iter().map(Operand::Value).collect())))
            }
            Computation::Labelled(label, body) => match self.block(body, run) {
                Err(CoreExit::Break(target, value)) if target == *label => Ok(value.unwrap_or(Operand::Unit)),
                result => result,
            },
            Computation::Attempt(attempt) => self.attempt(attempt, run),
            Computation::Try(inner) => self.try_block(inner, run),
        }
    }

    /// Returns what is present, or nothing.
    fn present(
        &self,
        of: &'a Computation,
        run: &mut L::Run<'_>,
    ) -> Result<Option<Vec<Operand<'a, L>>>, CoreExit<'a, L>> {
        match of {
            Computation::Call(call) if call.callee.fails && call.on_error == ErrorExit::Absent => {
                Ok(self.call(call, run)?.ok().map(|value| vec![value]))
            }
            _ => Ok(match self.computation(of, run)? {
                Operand::Value(value) => (!L::is_undefined(&value)).then(|| vec![Operand::Value(value)]),
                other => other.into_maybe(),
            }),
        }
    }

    fn attempt(&self, attempt: &'a Attempt, run: &mut L::Run<'_>) -> Evaluated<'a, L> {
        let error = match self.block(&attempt.body, run) {
            Err(CoreExit::Attempt(target, error)) if target == attempt.label => error,
            Err(CoreExit::Break(target, Some(error))) if target == attempt.label => error.into_error(),
            result => return result,
        };
        self.bind(attempt.error, Operand::Error(error));
        self.block(&attempt.handler, run)
    }

    fn try_block(&self, inner: &'a Try, run: &mut L::Run<'_>) -> Evaluated<'a, L> {
        let result = self.block(&inner.body, run);
        let thrown = match &result {
            Err(CoreExit::Raise(error)) => match L::thrown(error) {
                Some(value) => Some(value),
                None => return result,
            },
            _ => None,
        };
        match (&inner.end, thrown) {
            (TryEnd::Catch(local, handler), Some(value)) => {
                self.bind(*local, Operand::Value(value));
                self.block(handler, run)
            }
            (TryEnd::Catch(..), None) => result,
            (TryEnd::Finally(finalizer), _) => {
                self.block(finalizer, run)?;
                result
            }
        }
    }

    fn values(&self, atoms: &'a [Atom], run: &mut L::Run<'_>) -> Result<Vec<L::Value>, CoreExit<'a, L>> {
        atoms.iter().map(|atom| self.atom(atom, run).map(Operand::into_value)).collect()
    }

    fn atom(&self, atom: &'a Atom, run: &mut L::Run<'_>) -> Evaluated<'a, L> {
        Ok(match atom {
            Atom::Literal(Literal::Bool(value)) => Operand::Bool(*value),
            Atom::Literal(literal) => Operand::Value(L::literal(literal)),
            Atom::Constant(Constant::Count(count)) => Operand::Count(*count as u64),
            Atom::Constant(constant) => L::constant(*constant),
            Atom::Local(local) | Atom::Last(local) if self.function.locals[*local].ty == CoreType::Place => {
                Operand::Value(L::value_at(self, self.read(*local).into_other()))
            }
            Atom::Local(local) => self.read(*local),
            Atom::Last(local) => self.take(*local),
            Atom::Inlined(computation) => return self.computation(computation, run),
        })
    }

    /// Calls a function of the runtime. The error is the destination of the error of an argument.
    fn call(
        &self,
        call: &'a CoreCall,
        run: &mut L::Run<'_>,
    ) -> Result<Result<Operand<'a, L>, L::Error>, CoreExit<'a, L>> {
        let mut operands = Vec::with_capacity(call.args.len());
        for (argument, takes) in call.args.iter().zip(call.callee.takes) {
            operands.push(self.argument(argument, *takes, run)?);
        }
        // The function borrows what it changes after the evaluation of the other arguments.
        for (argument, operand) in call.args.iter().zip(&mut operands) {
            if let CoreArgument::Changed(local) = argument {
                *operand = self.changed(*local);
            }
        }
        let mut arguments = Arguments::new(operands);
        let name = match call.callee.form {
            Form::Callback => CALLBACK,
            Form::Outcome => OUTCOME,
            _ => call.callee.name,
        };
        let result = L::call(name, self, &mut arguments, run);
        // A content that only the local can hold is back in its place, unless the function has
        // consumed it.
        for (position, (argument, takes)) in call.args.iter().zip(call.callee.takes).enumerate() {
            let local = match argument {
                CoreArgument::Changed(local) => *local,
                CoreArgument::Atom(Atom::Local(local)) if *takes == Takes::Ref => *local,
                _ => continue,
            };
            if let Some(left) = arguments.left(position) {
                self.slots.borrow_mut()[local].get_or_insert(left);
            }
        }
        Ok(result)
    }

    /// Returns what a function changes: the content of a local, or a place.
    fn changed(&self, local: CoreLocalId) -> Operand<'a, L> {
        match self.function.locals[local].ty {
            CoreType::Value => Operand::Other(L::place(local)),
            CoreType::Place => self.read(local),
            _ => self.take(local),
        }
    }

    /// Returns an argument, but for one that the function changes.
    fn argument(&self, argument: &'a CoreArgument, takes: Takes, run: &mut L::Run<'_>) -> Evaluated<'a, L> {
        Ok(match argument {
            // A place is a reference already.
            CoreArgument::Atom(Atom::Local(place) | Atom::Last(place)) if takes == Takes::Mut => self.read(*place),
            CoreArgument::Atom(atom) => {
                let operand = self.atom(atom, run)?;
                match (takes, operand) {
                    (Takes::Ref | Takes::Value, Operand::Bool(value)) => Operand::Value(L::of_bool(value)),
                    (_, operand) => operand,
                }
            }
            CoreArgument::Changed(_) => Operand::Unit,
            CoreArgument::Text(text) | CoreArgument::Signature(text) => Operand::Text(text),
            CoreArgument::Int(number) => Operand::Int(*number),
            CoreArgument::Texts(texts) => Operand::Texts(texts),
            CoreArgument::Flags(flags) => Operand::Flags(flags),
            CoreArgument::Pattern(pattern, flags) => Operand::Pattern(pattern, flags),
            CoreArgument::Closure(closure) => Operand::Closure(closure),
        })
    }
}
