//! Operands of functions of the runtime.

use super::Interpreted;
use crate::expr::core::Closure;

/// The items of a loop, each with its parts.
pub type Items<'a, L> = Box<dyn Iterator<Item = Vec<Operand<'a, L>>> + 'a>;

/// The content of a local, or an argument.
pub enum Operand<'a, L: Interpreted> {
    /// Nothing: `()`.
    Unit,
    /// A value of the language.
    Value(L::Value),
    /// A `bool`.
    Bool(bool),
    /// A number that counts something.
    Count(u64),
    /// A constant text.
    Text(&'a str),
    /// A constant number.
    Int(i64),
    /// Constant texts.
    Texts(&'a [String]),
    /// Truth constants.
    Flags(&'a [bool]),
    /// A regular expression with its flags.
    Pattern(&'a str, &'static str),
    /// A closure.
    Closure(&'a Closure),
    /// An array of Rust.
    List(Vec<L::Value>),
    /// Something that a loop takes its items from.
    Items(Items<'a, L>),
    /// A value, or several parts, that may be absent.
    Maybe(Option<Vec<Operand<'a, L>>>),
    /// An error of the language.
    Error(L::Error),
    /// A content that only this language has.
    Other(L::Other),
}

/// Defines the conversions of operands to their contents.
macro_rules! contents {
    ($($name:ident $of:ident $returns:ty, $kind:literal;)*) => {
        impl<'a, L: Interpreted> Operand<'a, L> {
            $(
                #[doc = concat!("Returns ", $kind, ".")]
                ///
                /// # Panics
                /// Panics if the operand is of another type.
                #[track_caller]
                pub fn $name(self) -> $returns {
                    match self {
                        Operand::$of(content) => content,
                        other => panic!(concat!("{} is not ", $kind), other.kind()),
                    }
                }
            )*
        }
    };
}

contents! {
    into_bool Bool bool, "a `bool`";
    into_count Count u64, "a count";
    into_text Text &'a str, "a text";
    into_int Int i64, "a constant number";
    into_texts Texts &'a [String], "a list of texts";
    into_flags Flags &'a [bool], "a list of truths";
    into_closure Closure &'a Closure, "a closure";
    into_list List Vec<L::Value>, "a list";
    into_maybe Maybe Option<Vec<Operand<'a, L>>>, "an option";
    into_error Error L::Error, "an error";
    into_other Other L::Other, "a content of this language";
}

impl<'a, L: Interpreted> Operand<'a, L> {
    /// Returns the value, or that of a `bool` or of another content that becomes one.
    ///
    /// # Panics
    /// Panics if the operand is of another type.
    #[track_caller]
    pub fn into_value(self) -> L::Value {
        match self {
            Operand::Value(value) => value,
            Operand::Bool(value) => L::of_bool(value),
            Operand::Other(other) => L::of_other(other),
            other => panic!("{} is not a value", other.kind()),
        }
    }

    /// Returns the items of a loop.
    ///
    /// # Panics
    /// Panics if the operand is of another type.
    pub fn into_items(self) -> Items<'a, L> {
        match self {
            Operand::Items(items) => items,
            Operand::List(values) => Box::new(values.into_iter().map(|value| vec![Operand::Value(value)])),
            other => panic!("{} has no items", other.kind()),
        }
    }

    /// Returns a copy, unless only one place can hold the content.
    pub fn copied(&self) -> Option<Operand<'a, L>> {
        Some(match self {
            Operand::Unit => Operand::Unit,
            Operand::Value(value) => Operand::Value(value.clone()),
            Operand::Bool(value) => Operand::Bool(*value),
            Operand::Count(count) => Operand::Count(*count),
            Operand::Text(text) => Operand::Text(text),
            Operand::Int(number) => Operand::Int(*number),
            Operand::Texts(texts) => Operand::Texts(texts),
            Operand::Flags(flags) => Operand::Flags(flags),
            Operand::Pattern(text, flags) => Operand::Pattern(text, flags),
            Operand::Closure(closure) => Operand::Closure(closure),
            Operand::List(values) => Operand::List(values.clone()),
            Operand::Other(other) => Operand::Other(L::copied(other)?),
            Operand::Items(_) | Operand::Maybe(_) | Operand::Error(_) => return None,
        })
    }

    fn kind(&self) -> &'static str {
        match self {
            Operand::Unit => "nothing",
            Operand::Value(_) => "a value",
            Operand::Bool(_) => "a `bool`",
            Operand::Count(_) => "a count",
            Operand::Text(_) | Operand::Int(_) | Operand::Texts(_) | Operand::Flags(_) | Operand::Pattern(..) => {
                "a constant"
            }
            Operand::Closure(_) => "a closure",
            Operand::List(_) => "a list",
            Operand::Items(_) => "an iterator",
            Operand::Maybe(_) => "an option",
            Operand::Error(_) => "an error",
            Operand::Other(_) => "a content of the language",
        }
    }
}

/// The arguments of a call, which the function takes one after the other.
pub struct Arguments<'a, L: Interpreted> {
    operands: Vec<Option<Operand<'a, L>>>,
    next: usize,
}

impl<'a, L: Interpreted> Arguments<'a, L> {
    /// Creates the arguments of a call.
    pub fn new(operands: Vec<Operand<'a, L>>) -> Arguments<'a, L> {
        Arguments { operands: operands.into_iter().map(Some).collect(), next: 0 }
    }

    /// Returns the number of arguments.
    pub fn number_of_arguments(&self) -> usize {
        self.operands.len()
    }

    /// Takes the next argument.
    ///
    /// # Panics
    /// Panics if there is none.
    #[track_caller]
    pub fn take(&mut self) -> Operand<'a, L> {
        self.next += 1;
        self.operands[self.next - 1].take().expect("the function has such an argument")
    }

    /// Takes the receiver of a method, which [`Arguments::put_back`] keeps in its place.
    ///
    /// # Panics
    /// Panics if there is none.
    #[track_caller]
    pub fn receiver(&mut self) -> L::Other {
        self.take().into_other()
    }

    /// Puts the receiver back in its place.
    pub fn put_back(&mut self, receiver: Operand<'a, L>) {
        self.operands[0] = Some(receiver);
    }

    /// Returns the argument at a position if the function has not taken it.
    pub fn left(&mut self, position: usize) -> Option<Operand<'a, L>> {
        self.operands[position].take()
    }
}
