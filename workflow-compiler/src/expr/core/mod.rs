//! The expression core, to which expression languages lower their programs.
//!
//! The core is in administrative normal form: every intermediate result has a name, so that the
//! order of statements is the order of evaluation. A filter that yields any number of values is a
//! loop around the code that takes them. A call that can fail names the block that its error
//! leaves. Lowered code does not say how a value is held: [`ownership`] decides by liveness
//! whether a use moves, borrows or clones it.
//!
//! ```text
//! fn (input) {
//!     let orders = jq::get(input, "orders")?
//!     let items = jq::Values::new()
//!     for order in jq::iter(orders)? {
//!         do jq::tick()?
//!         let total = jq::get(order, "total")?
//!         let is_large = jq::gt(total, 10)
//!         if is_large { do items.push(order) }
//!     }
//!     let result = Value::from(items)
//!     result
//! }
//! ```
//!
//! A language adds a lowering and rows of [`Primitive`]. It adds no printer.

pub mod builder;
mod coalesce;
mod copies;
mod dead;
pub mod emit;
mod fold;
mod inline;
#[cfg(test)]
pub mod interpret;
mod jumps;
mod live;
pub mod ownership;
mod primitive;
#[cfg(any(test, debug_assertions))]
mod print;
mod runs;
mod share;
mod size;
#[cfg(test)]
mod tests;
mod types;
#[cfg(any(test, debug_assertions))]
mod verify;
mod visit;

pub use primitive::{Form, Primitive, Takes};

use crate::expr::Literal;
use crate::index::{IndexVec, ids};
use ownership::Ownership;

ids! {
    /// A local of a function of the core.
    CoreLocalId;
    /// A block or loop that code inside it can leave.
    LabelId;
}

/// A program of an expression language as a function.
#[derive(Debug, Clone, PartialEq)]
pub struct CoreFunction {
    /// The parameters: the input and the variables, or in JavaScript the run, the argument and the
    /// variables.
    pub params: Vec<CoreLocalId>,
    /// The parameters and all other locals. Each is bound at most once.
    pub locals: IndexVec<CoreLocalId, CoreLocal>,
    /// The labels, by the names that they should have.
    pub labels: IndexVec<LabelId, String>,
    /// The statements. The value of the block is the result.
    pub body: CoreBlock,
    /// The type of the result.
    pub returns: CoreType,
}

/// A local.
#[derive(Debug, Clone, PartialEq)]
pub struct CoreLocal {
    /// The name that the local should have. Emission makes it unique.
    pub hint: String,
    /// The type of its values.
    pub ty: CoreType,
    /// `true` for a local that the author declares. It has the name of its hint exactly, holds a
    /// value of its own, and is neither inlined nor merged with another local.
    pub is_declared: bool,
}

/// The type of a local or a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoreType {
    /// A value of the language. It is held as such, or by reference: `Value` or `&Value`.
    Value,
    /// A JSON value of the caller that may be absent: `Option<&Value>`.
    Variable,
    /// `bool`.
    Bool,
    /// A whole number that counts something: `usize`, or what the runtime counts with.
    Count,
    /// Seconds: `f64`.
    Seconds,
    /// A number that becomes a value where one is needed: `f64`.
    Number,
    /// A whole number of fixed width.
    Integer,
    /// A `String` that is being written, or another text that is no value.
    Text,
    /// A text of the program: `&'static str`.
    StaticText,
    /// A variable on the heap that functions share.
    Shared,
    /// A reference that functions pass on, such as that to the state of the run.
    Context,
    /// A list of values that is being filled.
    Values,
    /// A list of paths with their values.
    Places,
    /// An object that is being filled.
    Object,
    /// The name of a member of an object.
    Key,
    /// A location inside a value: `&mut Value`.
    Place,
    /// An error of the language.
    Error,
    /// `Option<Value>`.
    MaybeValue,
    /// `Option<(Value, Value)>`: a path with its value.
    MaybePlace,
    /// Something that a loop takes its items from.
    Items,
    /// A `Result` with a value, which a loop yields.
    Outcome,
    /// A closure that takes values.
    Callback,
    /// Nothing: `()`.
    Unit,
}

/// Statements with a value, if they have one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CoreBlock {
    /// The statements, in the order of their evaluation.
    pub statements: Vec<CoreStatement>,
    /// The value of the block. A block of type `Unit`, or one whose end is never reached, has
    /// none.
    pub value: Option<Atom>,
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub enum CoreStatement {
    /// `let local = computation;`
    Let(CoreLocalId, Computation),
    /// `local = computation;`
    Assign(CoreLocalId, Computation),
    /// `*place = value;`
    Store(CoreLocalId, Atom),
    /// `count -= 1;`
    Decrement(CoreLocalId),
    /// A computation for its effect: a call, a conditional, a labelled block.
    Do(Computation),
    /// `for items in over { … }`. Several items are a pattern `(key, item)`.
    For {
        /// The label of the loop. It is printed only if something mentions it.
        label: LabelId,
        /// The locals that hold an item.
        items: Vec<CoreLocalId>,
        /// The source of the items.
        over: Computation,
        /// The code for each item.
        body: CoreBlock,
    },
    /// `loop { … }`
    Loop {
        /// The label of the loop.
        label: LabelId,
        /// The code of a turn of the loop.
        body: CoreBlock,
    },
    /// `break 'label value;`
    Break(LabelId, Option<Atom>),
    /// `continue 'label;`
    Continue(LabelId),
    /// `return Ok(value);`
    Return(Atom),
    /// `return Err(error);`
    Fail(Atom),
}

/// Something that is evaluated at once, whose operands have names.
#[derive(Debug, Clone, PartialEq)]
pub enum Computation {
    /// The value of an atom.
    Atom(Atom),
    /// A call of a runtime function.
    Call(CoreCall),
    /// The negation of a `bool`.
    Not(Atom),
    /// `left && right`, or `left || right`. The right side is evaluated only if it decides.
    Logic {
        /// `true` for `&&`.
        is_and: bool,
        /// The left operand.
        left: Atom,
        /// The right operand, with the statements before it.
        right: CoreBlock,
    },
    /// A conditional.
    If {
        /// The condition, a `bool`.
        test: Atom,
        /// The code for `true`.
        then: CoreBlock,
        /// The code for `false`.
        otherwise: CoreBlock,
    },
    /// `match of { Some(items) => then, None => otherwise }`, or the same with `Ok` and `Err(_)`.
    /// A value is present unless it is undefined.
    IfPresent {
        /// The locals that hold what is present.
        items: Vec<CoreLocalId>,
        /// An `Option`, or a call whose error means that nothing is present.
        of: Box<Computation>,
        /// The code for something that is present.
        then: CoreBlock,
        /// The code for nothing.
        otherwise: CoreBlock,
    },
    /// An array of these elements.
    Array(Vec<Atom>),
    /// These items, of type [`CoreType::Items`]: an array of Rust.
    List(Vec<Atom>),
    /// References to these texts, of type [`CoreType::Items`]: an array of `&str`.
    Texts(Vec<Atom>),
    /// An object of these members. Of members with one name, the last counts.
    Object(Vec<(String, Atom)>),
    /// `Some(value)` or `None`. Several values are a tuple.
    Maybe(Option<Vec<Atom>>),
    /// A block that `break` can leave with a value.
    Labelled(LabelId, CoreBlock),
    /// A block whose errors the handler takes.
    Attempt(Box<Attempt>),
    /// A block that jumps may leave, and whose errors or end are handled. It has no value.
    Try(Box<Try>),
}

/// A block in a closure, whose jumps continue behind the closure.
#[derive(Debug, Clone, PartialEq)]
pub struct Try {
    /// The label of the closure. No jump names it: a jump to a label outside it leaves the
    /// closure.
    pub label: LabelId,
    /// The block.
    pub body: CoreBlock,
    /// The code that follows.
    pub end: TryEnd,
}

/// The code behind a [`Try`].
#[derive(Debug, Clone, PartialEq)]
pub enum TryEnd {
    /// The code for a thrown value, with the local that holds it.
    Catch(CoreLocalId, CoreBlock),
    /// The code that follows in any case.
    Finally(CoreBlock),
}

/// A block with a handler of its errors.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    /// The block that the errors leave.
    pub label: LabelId,
    /// The code whose errors are handled: those of calls that name the label.
    pub body: CoreBlock,
    /// The local that holds the error.
    pub error: CoreLocalId,
    /// The code for an error.
    pub handler: CoreBlock,
}

/// A call of a runtime function.
#[derive(Debug, Clone, PartialEq)]
pub struct CoreCall {
    /// The function.
    pub callee: Primitive,
    /// The arguments, in the order of the parameters.
    pub args: Vec<CoreArgument>,
    /// The destination of the error of a function that fails.
    pub on_error: ErrorExit,
}

/// The destination of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorExit {
    /// The caller of the function, or of the innermost closure.
    Return,
    /// The handler of the attempt with this label.
    Attempt(LabelId),
    /// The enclosing [`Computation::IfPresent`].
    Absent,
}

/// An argument of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum CoreArgument {
    /// A value. The parameter says whether it is borrowed or consumed.
    Atom(Atom),
    /// A local that the function changes in place: `&mut local`.
    Changed(CoreLocalId),
    /// A string constant: `&'static str`.
    Text(String),
    /// A number constant: `i64`.
    Int(i64),
    /// String constants: `&[&'static str]`.
    Texts(Vec<String>),
    /// Truth constants: `&[bool]`.
    Flags(Vec<bool>),
    /// A regular expression with its flags, in a `static`.
    Pattern(String, &'static str),
    /// The signature of a function of JSONata, in a `static`.
    Signature(String),
    /// A closure.
    Closure(Closure),
}

impl From<&Atom> for CoreArgument {
    fn from(atom: &Atom) -> CoreArgument {
        CoreArgument::Atom(atom.clone())
    }
}

/// A closure.
#[derive(Debug, Clone, PartialEq)]
pub struct Closure {
    /// The parameters.
    pub params: Vec<CoreLocalId>,
    /// The type of the result.
    pub returns: CoreType,
    /// The locals that hold copies for the closure, each with the local that is copied.
    pub captures: Vec<(CoreLocalId, CoreLocalId)>,
    /// The statements and the result.
    pub body: CoreBlock,
}

/// An operand, whose evaluation has no effect.
#[derive(Debug, Clone, PartialEq)]
pub enum Atom {
    /// A constant.
    Literal(Literal),
    /// A constant that JSON does not have.
    Constant(Constant),
    /// The value of a local.
    Local(CoreLocalId),
    /// A use that takes the value: no later code reads the local. [`ownership`] finds it.
    Last(CoreLocalId),
    /// A computation that is used once, where it stands. [`inline`] puts it there.
    Inlined(Box<Computation>),
}

/// A constant that JSON does not have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constant {
    /// The value `undefined`.
    Undefined,
    /// The value `null` of a language that also has `undefined`.
    Null,
    /// A number of type [`CoreType::Number`].
    Number(f64),
    /// A number of type [`CoreType::Count`].
    Count(usize),
}

impl Constant {
    /// Returns the type of the constant.
    pub fn ty(self) -> CoreType {
        match self {
            Constant::Undefined | Constant::Null => CoreType::Value,
            Constant::Number(_) => CoreType::Number,
            Constant::Count(_) => CoreType::Count,
        }
    }
}

impl CoreFunction {
    /// Runs all passes, and returns what each local holds.
    pub fn optimise(&mut self) -> Ownership {
        self.simplify();
        self.share();
        self.checked();
        self.own()
    }

    /// Removes copies and decided branches.
    pub(super) fn simplify(&mut self) {
        // Each of the two passes leaves work for the other.
        for _ in 0..2 {
            self.propagate_copies();
            self.checked();
            self.fold();
            self.checked();
        }
        self.propagate_copies();
        self.checked();
    }

    /// Decides what each local holds, and makes expressions of statements.
    pub(super) fn own(&mut self) -> Ownership {
        self.drop_dead();
        self.checked();
        let mut ownership = ownership::assign(self);
        self.checked();
        self.coalesce(&mut ownership);
        self.checked();
        self.inline(&ownership);
        self.checked();
        ownership
    }

    /// Verifies the function in debug builds.
    fn checked(&self) {
        #[cfg(debug_assertions)]
        self.verify();
    }
}

impl Atom {
    /// Returns the local that the atom reads.
    pub fn local(&self) -> Option<CoreLocalId> {
        match self {
            Atom::Local(local) | Atom::Last(local) => Some(*local),
            Atom::Literal(_) | Atom::Constant(_) | Atom::Inlined(_) => None,
        }
    }

    /// Returns the constant.
    pub fn literal(&self) -> Option<&Literal> {
        match self {
            Atom::Literal(literal) => Some(literal),
            _ => None,
        }
    }
}
