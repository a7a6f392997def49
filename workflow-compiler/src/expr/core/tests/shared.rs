//! Tests of which calls share a result.

use super::*;
use crate::expr::core::{CoreLocalId, Form};

const KEYS: Primitive = Primitive::function("jq::keys", &[Takes::Ref], CoreType::Value).fails();
const STEPS: Primitive = Primitive::function("jsonata::walk", &[Takes::Ref], CoreType::Value).runs();
const READ: Primitive = Primitive::method("get", &[Takes::Ref], CoreType::Value);
const PLUS: Primitive = Primitive::operator("+", CoreType::Number);
const NEGATIVE: Primitive = Primitive { form: Form::Prefix, ..Primitive::operator("-", CoreType::Number) };
const ITER_MUT: Primitive =
    Primitive::function("jq::iter_mut", &[Takes::Mut], CoreType::Items).borrows().fails().acts();
const IS_EVEN: Primitive = Primitive::function("is_even", &[Takes::Ref], CoreType::Bool);

/// Adds a call with one operand. A text is its second argument, if it takes one.
fn call(builder: &mut CoreBuilder, callee: Primitive, operand: &Atom) -> Atom {
    let constant = (callee.takes.get(1) == Some(&Takes::Constant)).then(|| text("k"));
    builder.call("found", callee, std::iter::once(atom(operand.clone())).chain(constant).collect())
}

/// Compares two values, which reads both.
fn compare(builder: &mut CoreBuilder, first: &Atom, second: &Atom) {
    builder.call("holds", GT, vec![atom(first.clone()), atom(second.clone())]);
}

/// Checks the number of calls that are left of those that `build` adds for a local.
#[track_caller]
fn check_calls(what: &str, callee: Primitive, expected: usize, build: impl FnOnce(&mut CoreBuilder, CoreLocalId)) {
    let mut builder = CoreBuilder::default();
    let input = builder.param("input", CoreType::Value);
    let local = builder.bind("local", CoreType::Value, Computation::Atom(Atom::Local(input)));
    build(&mut builder, local);
    let mut function = builder.finish(Atom::Literal(Literal::Null), CoreType::Value);
    let before = function.to_string();
    function.share();
    function.verify();
    let after = function.to_string();
    let count = after.matches(&format!("{}(", callee.name)).count();
    assert_eq!(count, expected, "{what}\n{before}\n{after}");
}

#[test]
fn a_change_between_two_calls_keeps_both() {
    type Between = fn(&mut CoreBuilder, CoreLocalId);
    let null = || Computation::Atom(Atom::Literal(Literal::Null));
    let cases: [(&str, usize, Between); 5] = [
        ("nothing", 1, |_, _| {}),
        ("another call", 1, |builder, _| builder.run(TICK, vec![])),
        ("an assignment", 2, |builder, local| {
            builder.push(CoreStatement::Assign(local, Computation::Atom(Atom::Literal(Literal::Null))));
        }),
        ("a change in place", 2, |builder, local| {
            let place = builder.call("place", GET_MUT, vec![CoreArgument::Changed(local), text("k")]);
            builder.push(CoreStatement::Store(place.local().expect("a place"), Atom::Literal(Literal::Null)));
        }),
        ("a copy that changes", 2, |builder, local| {
            let copy = builder.bind("copy", CoreType::Value, Computation::Atom(Atom::Local(local)));
            builder.push(CoreStatement::Assign(copy, Computation::Atom(Atom::Literal(Literal::Null))));
        }),
    ];
    for (what, expected, between) in cases {
        check_calls(what, GET, expected, |builder, local| {
            let first = call(builder, GET, &Atom::Local(local));
            between(builder, local);
            let second = call(builder, GET, &Atom::Local(local));
            compare(builder, &first, &second);
        });
        // A change of a value that the operand refers to counts, too.
        check_calls(what, GET, expected + 1, |builder, local| {
            let part = call(builder, GET, &Atom::Local(local));
            let first = builder.call("first", GET, vec![atom(part.clone()), text("part")]);
            between(builder, local);
            let second = builder.call("second", GET, vec![atom(part), text("part")]);
            compare(builder, &first, &second);
        });
        // The change follows in the turn, and precedes the call in the next one.
        check_calls(what, GET, expected, |builder, local| {
            let first = call(builder, GET, &Atom::Local(local));
            let label = builder.label("turns");
            builder.begin();
            let second = call(builder, GET, &Atom::Local(local));
            compare(builder, &first, &second);
            between(builder, local);
            let body = builder.end(None);
            builder.push(CoreStatement::Loop { label, body });
        });
    }
    // A branch changes the value for the code behind it.
    check_calls("a branch", GET, 2, |builder, local| {
        let first = call(builder, GET, &Atom::Local(local));
        builder.begin();
        builder.push(CoreStatement::Assign(local, null()));
        let then = builder.end(None);
        let test = Atom::Literal(Literal::Bool(true));
        builder.push(CoreStatement::Do(Computation::If { test, then, otherwise: CoreBlock::default() }));
        let second = call(builder, GET, &Atom::Local(local));
        compare(builder, &first, &second);
    });
}

#[test]
fn functions_that_act_or_count_are_called_again() {
    for (callee, expected) in [
        (GET, 1),
        (KEYS, 1),
        (IS_EVEN, 1),
        (STEPS, 2),
        (KEYS.acts(), 2),
        (Primitive { returns: CoreType::Values, ..KEYS }, 2),
        (Primitive { returns: CoreType::Text, ..KEYS }, 2),
        (Primitive { returns: CoreType::Items, ..KEYS }, 2),
    ] {
        check_calls(callee.name, callee, expected, |builder, local| {
            let first = call(builder, callee, &Atom::Local(local));
            let second = call(builder, callee, &Atom::Local(local));
            compare(builder, &first, &second);
        });
    }
}

#[test]
fn operands_that_equal_each_other_may_differ() {
    let cases = [
        (Atom::Literal(Literal::Int(0)), 1),
        (Atom::Literal(Literal::Float(0.0)), 2),
        (Atom::Constant(Constant::Number(0.0)), 2),
    ];
    for (operand, expected) in cases {
        check_calls("an operand", GT, expected, |builder, local| {
            for _ in 0..2 {
                builder.call("holds", GT, vec![atom(Atom::Local(local)), atom(operand.clone())]);
            }
        });
    }
    for (ty, expected) in [(CoreType::Number, 1), (CoreType::Shared, 2), (CoreType::Context, 2), (CoreType::Place, 2)] {
        check_calls("a type", READ, expected, |builder, _| {
            let operand = builder.param("operand", ty);
            for _ in 0..2 {
                builder.call("found", READ, vec![atom(Atom::Local(operand))]);
            }
        });
    }
    // Operators and calls without locals are as short as a name.
    for (callee, operands) in [(PLUS, 2), (NEGATIVE, 1), (FROM, 0)] {
        check_calls(callee.name, callee, 2, |builder, _| {
            let number = builder.param("number", CoreType::Number);
            for _ in 0..2 {
                let mut args = vec![atom(Atom::Local(number)); operands];
                args.resize(callee.takes.len(), atom(Atom::Literal(Literal::Null)));
                builder.call("found", callee, args);
            }
        });
    }
}

#[test]
fn no_result_is_cloned_because_it_is_shared() {
    // A reference is cloned where it is consumed, whether it is shared or not.
    for (callee, expected) in [(GET, 1), (KEYS, 2), (IS_EVEN, 1)] {
        for consumed in [0, 1] {
            check_calls(callee.name, callee, expected, |builder, local| {
                let list = builder.bind("list", CoreType::Values, builder.call_of(NEW, vec![]));
                let results = [(); 2].map(|()| call(builder, callee, &Atom::Local(local)));
                builder.run(PUSH, vec![CoreArgument::Changed(list), atom(results[consumed].clone())]);
                compare(builder, &results[0], &results[1]);
            });
        }
    }
}

#[test]
fn a_call_is_shared_where_the_first_has_been_made() {
    let branch = |builder: &mut CoreBuilder, local| {
        builder.begin();
        let found = call(builder, GET, &Atom::Local(local));
        compare(builder, &found, &found);
        builder.end(None)
    };
    for (first, expected) in [(true, 1), (false, 2)] {
        check_calls("the branches of a conditional", GET, expected, |builder, local| {
            if first {
                let found = call(builder, GET, &Atom::Local(local));
                compare(builder, &found, &found);
            }
            let [then, otherwise] = [(); 2].map(|()| branch(builder, local));
            let test = Atom::Literal(Literal::Bool(true));
            builder.push(CoreStatement::Do(Computation::If { test, then, otherwise }));
        });
    }
    // The error of the second call has another destination, and a function that does not fail has
    // none.
    for (callee, expected) in [(GET, 2), (IS_EVEN, 1)] {
        check_calls("an attempt", callee, expected, |builder, local| {
            call(builder, callee, &Atom::Local(local));
            let (label, error) = (builder.label("tried"), builder.local("error", CoreType::Error));
            let outside = builder.redirect_errors(ErrorExit::Attempt(label));
            builder.begin();
            builder.run(TICK, vec![]);
            call(builder, callee, &Atom::Local(local));
            let body = builder.end(None);
            builder.redirect_errors(outside);
            let attempt = crate::expr::core::Attempt { label, body, error, handler: CoreBlock::default() };
            builder.push(CoreStatement::Do(Computation::Attempt(Box::new(attempt))));
        });
    }
    // A closure that is called later has no reference.
    check_calls("a function", IS_EVEN, 2, |builder, _| {
        let number = builder.param("number", CoreType::Number);
        call(builder, IS_EVEN, &Atom::Local(number));
        let outside = builder.begin_closure();
        call(builder, IS_EVEN, &Atom::Local(number));
        let value = Some(Atom::Literal(Literal::Null));
        let closure = builder.end_closure(outside, Vec::new(), CoreType::Value, value);
        builder.call("function", FUNCTION, vec![CoreArgument::Closure(closure)]);
    });
}

#[test]
fn a_change_in_what_is_tried_or_present_keeps_both() {
    let change = |builder: &mut CoreBuilder, local| {
        builder.push(CoreStatement::Assign(local, Computation::Atom(Atom::Literal(Literal::Null))));
    };
    for (changes, expected) in [(false, 1), (true, 2)] {
        check_calls("a handler", GET, expected, |builder, local| {
            let first = call(builder, GET, &Atom::Local(local));
            let (label, error) = (builder.label("tried"), builder.local("error", CoreType::Error));
            builder.begin();
            if changes {
                change(builder, local);
            }
            let body = builder.end(None);
            builder.begin();
            let second = call(builder, GET, &Atom::Local(local));
            compare(builder, &first, &second);
            let handler = builder.end(None);
            let tried = Try { label, body, end: TryEnd::Catch(error, handler) };
            builder.push(CoreStatement::Do(Computation::Try(Box::new(tried))));
        });
        // The first call is the one whose result is present.
        check_calls("what is present", GET, expected + 1, |builder, local| {
            let item = builder.local("item", CoreType::Value);
            let of =
                CoreCall { callee: GET, args: vec![atom(Atom::Local(local)), text("k")], on_error: ErrorExit::Absent };
            builder.begin();
            let first = call(builder, GET, &Atom::Local(item));
            if changes {
                change(builder, local);
            }
            let second = call(builder, GET, &Atom::Local(item));
            compare(builder, &first, &second);
            let then = builder.end(None);
            let otherwise = CoreBlock::default();
            let of = Box::new(Computation::Call(of));
            builder.push(CoreStatement::Do(Computation::IfPresent { items: vec![item], of, then, otherwise }));
        });
        check_calls("places of a loop", GET, expected, |builder, local| {
            let first = call(builder, GET, &Atom::Local(local));
            let over = builder.call_of(ITER_MUT, vec![CoreArgument::Changed(local)]);
            let (label, place) = (builder.label("places"), builder.local("place", CoreType::Place));
            builder.begin();
            builder.push(CoreStatement::Store(place, Atom::Literal(Literal::Null)));
            let body = builder.end(None);
            if changes {
                builder.push(CoreStatement::For { label, items: vec![place], over, body });
            }
            let second = call(builder, GET, &Atom::Local(local));
            compare(builder, &first, &second);
        });
        // The copy is one of the part, and no change of what the part is of.
        check_calls("a copy of a reference", GET, 1 + expected, |builder, local| {
            let part = call(builder, GET, &Atom::Local(local));
            let first = call(builder, GET, &part);
            if changes {
                let copy = builder.bind("copy", CoreType::Value, Computation::Atom(part.clone()));
                change(builder, copy);
            }
            let second = call(builder, GET, &part);
            compare(builder, &first, &second);
            let again = call(builder, GET, &Atom::Local(local));
            compare(builder, &part, &again);
        });
    }
}

#[test]
fn a_function_copies_the_result_that_is_left() {
    for callee in [GET, IS_EVEN] {
        check_calls(callee.name, callee, 1, |builder, local| {
            let first = call(builder, callee, &Atom::Local(local));
            let second = call(builder, callee, &Atom::Local(local));
            compare(builder, &first, &second);
            let copy = builder.local("copy", callee.returns);
            let outside = builder.begin_closure();
            let mut closure = builder.end_closure(outside, Vec::new(), CoreType::Value, Some(Atom::Local(copy)));
            closure.captures = vec![(copy, second.local().expect("a local"))];
            builder.call("function", FUNCTION, vec![CoreArgument::Closure(closure)]);
        });
    }
}
