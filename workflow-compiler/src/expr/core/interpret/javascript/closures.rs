//! Functions that own what they use.

use super::{Javascript, JavascriptContent, Running};
use crate::expr::core::interpret::{Interpreter, Operand, SavedSlots, ended};
use crate::expr::core::{Closure, CoreLocalId};
use std::cell::RefCell;
use workflow_runtime::__private::js::{self, Js};

/// A content of a local that a function owns.
enum Owned {
    Value(Js),
    Bool(bool),
    Other(JavascriptContent),
}

impl Owned {
    fn of(operand: &Operand<'_, Javascript>) -> Owned {
        match operand {
            Operand::Value(value) => Owned::Value(value.clone()),
            Operand::Bool(value) => Owned::Bool(*value),
            Operand::Other(content) => Owned::Other(content.clone()),
            _ => panic!("a function owns only values and variables"),
        }
    }

    fn operand<'a>(&self) -> Operand<'a, Javascript> {
        match self {
            Owned::Value(value) => Operand::Value(value.clone()),
            Owned::Bool(value) => Operand::Bool(*value),
            Owned::Other(content) => Operand::Other(content.clone()),
        }
    }
}

/// Returns a function for a closure, with copies of what it captures.
///
/// Rust copies numbers and truth values without a capture. A capture without a content is one that
/// the closure does not read.
pub(super) fn function(
    interpreter: &Interpreter<'_, Javascript>,
    name: &'static str,
    length: usize,
    closure: &Closure,
    running: &Running<'_>,
) -> Js {
    let slots = interpreter.slots.borrow();
    let mut owned: Vec<(CoreLocalId, Owned)> = Vec::new();
    for (local, content) in slots.entries() {
        if let Some(operand @ (Operand::Bool(_) | Operand::Other(JavascriptContent::Number(_)))) = content {
            owned.push((local, Owned::of(operand)));
        }
    }
    for (inner, outer) in &closure.captures {
        owned.extend(slots[*outer].as_ref().map(|operand| (*inner, Owned::of(operand))));
    }
    let (function, closure) = (running.function.clone(), closure.clone());
    js::function(name, length, move |run, this, arguments| {
        let mut slots: SavedSlots<'_, Javascript> = function.locals.iter().map(|_| None).collect();
        owned.iter().for_each(|(local, content)| slots[*local] = Some(content.operand()));
        let interpreter = Interpreter { function: &function, slots: RefCell::new(slots) };
        let operands =
            [Operand::Other(JavascriptContent::Run), Operand::Value(this.clone()), Operand::List(arguments.to_vec())];
        assert_eq!(closure.params.len(), operands.len(), "the closure has other parameters");
        closure.params.iter().zip(operands).for_each(|(param, operand)| interpreter.bind(*param, operand));
        let mut running = Running { run, function: function.clone() };
        ended(interpreter.block(&closure.body, &mut running)).map(Operand::into_value)
    })
}
