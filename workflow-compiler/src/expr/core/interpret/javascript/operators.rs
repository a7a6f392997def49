//! Operators of numbers, integers, truth values and texts.

use super::{Javascript, JavascriptContent, Row, Yields};
use crate::expr::core::interpret::{Arguments, Operand};

impl Arguments<'_, Javascript> {
    fn signed(&mut self) -> i32 {
        match self.receiver() {
            JavascriptContent::Signed(number) => number,
            _ => panic!("the argument has no sign"),
        }
    }

    fn unsigned(&mut self) -> u32 {
        match self.receiver() {
            JavascriptContent::Unsigned(number) => number,
            _ => panic!("the argument has a sign"),
        }
    }

    /// Compares two operands of one type.
    fn are_equal(&mut self) -> bool {
        match (self.take(), self.take()) {
            (Operand::Bool(left), Operand::Bool(right)) => left == right,
            (Operand::Other(JavascriptContent::Number(left)), Operand::Other(JavascriptContent::Number(right))) => {
                left == right
            }
            (Operand::Other(JavascriptContent::Text(left)), Operand::Text(right)) => &*left == right,
            _ => panic!("no operator compares these operands"),
        }
    }
}

/// Lists operators of two numbers.
macro_rules! of_numbers {
    ($($sign:tt)*) => {
        [$((stringify!($sign), |_, arguments, _| (arguments.number() $sign arguments.number()).yields())),*]
    };
}

const OF_NUMBERS: [Row; 7] = of_numbers! { + * / % < > >= };

/// Lists operators of two integers.
macro_rules! of_integers {
    ($($sign:tt)*) => {
        [$((stringify!($sign), |_, arguments, _| (arguments.signed() $sign arguments.signed()).yields())),*]
    };
}

const OF_INTEGERS: [Row; 3] = of_integers! { & | ^ };

const MIXED: [Row; 8] = [
    ("-", |_, arguments, _| {
        let is_prefix = arguments.number_of_arguments() == 1;
        let first = arguments.number();
        (if is_prefix { -first } else { first - arguments.number() }).yields()
    }),
    ("!", |_, arguments, _| (!arguments.signed()).yields()),
    ("<=", |_, arguments, _| {
        match (arguments.take(), arguments.take()) {
            (Operand::Count(left), Operand::Int(right)) => i128::from(left) <= i128::from(right),
            (left, right) => number_of(left) <= number_of(right),
        }
        .yields()
    }),
    ("==", |_, arguments, _| arguments.are_equal().yields()),
    ("!=", |_, arguments, _| (!arguments.are_equal()).yields()),
    ("wrapping_shl", |_, arguments, _| arguments.signed().wrapping_shl(arguments.unsigned()).yields()),
    ("wrapping_shr", |_, arguments, _| match arguments.receiver() {
        JavascriptContent::Signed(number) => number.wrapping_shr(arguments.unsigned()).yields(),
        JavascriptContent::Unsigned(number) => number.wrapping_shr(arguments.unsigned()).yields(),
        _ => panic!("the argument is no integer"),
    }),
    ("f64::from", |_, arguments, _| number_of(arguments.take()).yields()),
];

fn number_of(operand: Operand<'_, Javascript>) -> f64 {
    match operand {
        Operand::Bool(value) => f64::from(value),
        Operand::Other(JavascriptContent::Number(number)) => number,
        Operand::Other(JavascriptContent::Signed(number)) => number.into(),
        Operand::Other(JavascriptContent::Unsigned(number)) => number.into(),
        _ => panic!("the operand is no number"),
    }
}

pub(super) static OPERATORS: [&[Row]; 3] = [&OF_NUMBERS, &OF_INTEGERS, &MIXED];
