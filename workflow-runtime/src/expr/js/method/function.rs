//! `Function.prototype` (ECMA-262 §20.2.3).

use super::super::call::{argument, function, invoke};
use super::super::{Js, Result, Run, budget, coerce, literal};
use super::Method;

pub(super) static METHODS: &[Method] = super::methods! {
    "apply" 2 apply,
    "bind" 1 bind,
    "call" 1 call,
    "toString" 0 to_string,
};

fn apply(run: &Run, this: &Js, arguments: &[Js]) -> Result {
    let list = match argument(arguments, 1) {
        Js::Undefined | Js::Null => Vec::new(),
        list => literal::iterate(&list)?,
    };
    invoke(run, this, &argument(arguments, 0), &list)
}

fn call(run: &Run, this: &Js, arguments: &[Js]) -> Result {
    invoke(run, this, &argument(arguments, 0), arguments.get(1..).unwrap_or_default())
}

fn bind(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let (target, receiver) = (this.clone(), argument(arguments, 0));
    let first: Vec<Js> = arguments.get(1..).unwrap_or_default().to_vec();
    budget::spend(32 * first.len());
    let length = super::super::call::as_function(this).map_or(0, |function| function.length);
    Ok(function("bound", length.saturating_sub(first.len()), move |run, _, rest| {
        let all: Vec<Js> = first.iter().chain(rest).cloned().collect();
        invoke(run, &target, &receiver, &all)
    }))
}

fn to_string(_: &Run, this: &Js, _: &[Js]) -> Result {
    Ok(Js::String(coerce::string(this)?))
}
