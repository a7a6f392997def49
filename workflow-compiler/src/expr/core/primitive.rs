//! Functions that code of the core calls.

use super::CoreType;

/// A function, method or constructor of the runtime, and what callers know of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Primitive {
    /// The name as generated code has it: `jq::get`, `push`.
    pub name: &'static str,
    /// The syntax of a call.
    pub form: Form,
    /// The parameters.
    pub takes: &'static [Takes],
    /// The type of the result.
    pub returns: CoreType,
    /// `true` if the result borrows from the arguments that the function borrows.
    pub borrows: bool,
    /// `true` if the function returns a `Result`.
    pub fails: bool,
    /// `true` if a call without a use of its result can be left out, unless it fails.
    pub is_pure: bool,
    /// `true` if the function takes the run of the expression as its last argument: `run`. Its
    /// closures take it, too.
    pub takes_run: bool,
}

/// The syntax of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `name(first, second)`
    Function,
    /// `first.name(second)`
    Method,
    /// `name` before its operand: `-first`
    Prefix,
    /// `name` without parentheses: the time that a function takes as a parameter.
    Constant,
    /// `first name second`
    Infix,
    /// `first(second)`, where the first argument is a closure. The name is not printed.
    Callback,
    /// `first`, as it is: a `Result` that exists already, or the subject of a `match`. The name is
    /// not printed.
    Outcome,
}

/// The way in which a function takes an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// `&Value`, or a reference to another type.
    Ref,
    /// `Value`, or another type, by value.
    Value,
    /// `&mut`: a place, or a local that is changed in place.
    Mut,
    /// A number, a `bool` or a reference, as it is.
    Scalar,
    /// A constant: a text, a number, or a list of such.
    Constant,
    /// A closure that returns its value in a `Result`.
    FallibleClosure,
    /// Such a closure, with parameters of type `&Value`.
    FallibleClosureOfRef,
    /// `&mut` of such a closure.
    ClosureMut,
    /// A closure that owns what it uses, and may be called later.
    OwnedClosure,
}

impl Primitive {
    /// Creates a function of values that cannot fail.
    pub const fn function(name: &'static str, takes: &'static [Takes], returns: CoreType) -> Primitive {
        Primitive {
            name,
            form: Form::Function,
            takes,
            returns,
            borrows: false,
            fails: false,
            is_pure: true,
            takes_run: false,
        }
    }

    /// Creates a method.
    pub const fn method(name: &'static str, takes: &'static [Takes], returns: CoreType) -> Primitive {
        Primitive { form: Form::Method, ..Primitive::function(name, takes, returns) }
    }

    /// Creates an operator of scalars.
    pub const fn operator(name: &'static str, returns: CoreType) -> Primitive {
        Primitive { form: Form::Infix, ..Primitive::function(name, &[Takes::Scalar, Takes::Scalar], returns) }
    }

    /// Marks the function as one that can fail.
    pub const fn fails(self) -> Primitive {
        Primitive { fails: true, ..self }
    }

    /// Marks the result as borrowed from the arguments.
    pub const fn borrows(self) -> Primitive {
        Primitive { borrows: true, ..self }
    }

    /// Marks the function as one that takes the run of the expression, and can fail.
    pub const fn runs(self) -> Primitive {
        Primitive { fails: true, takes_run: true, ..self }
    }

    /// Marks the function as one that has an effect.
    pub const fn acts(self) -> Primitive {
        Primitive { is_pure: false, ..self }
    }
}
