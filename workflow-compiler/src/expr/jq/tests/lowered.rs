//! Tests of lowered programs: the text of the core for an expression of each construct.

use super::super::{ResultMode, lower, parse};

/// Lowers a program with the variable `$value`, and returns the text of its function.
fn lowered(source: &str, mode: ResultMode) -> String {
    let program = parse::parse(source).unwrap_or_else(|error| panic!("{source}: {}", error.message));
    match lower::function(&program, &["value".to_owned()], mode) {
        Ok(lowered) => lowered.function.to_string(),
        Err(reason) => panic!("{source}: {}", reason.0),
    }
}

#[test]
fn constants_do_not_double() {
    let source = format!("[1] as $a | {} $a", "[$a, $a] as $a | ".repeat(40));
    assert!(lowered(&source, ResultMode::Value).len() < 10_000);
    let source = format!("[1] | {} .", "[., .] | ".repeat(40));
    assert!(lowered(&source, ResultMode::Value).len() < 10_000);
}

#[test]
fn a_generator_is_a_loop_around_its_continuation() {
    insta::assert_snapshot!(lowered("[.orders[] | select(.total > 10)]", ResultMode::Value), @r#"
    fn (input, value) {
        let items = jq::Values::new()
        let orders = jq::get(input, "orders")?
        let items_4 = jq::iter(orders)?
        'items_0: for order in items_4 {
            do jq::tick()?
            let total = jq::get(order, "total")?
            let holds = jq::gt(total, 10)
            do if holds {
                do &mut items.push(order)
            }
        }
        let array = Value::from(items)
        array
    }
    "#);
}

#[test]
fn the_right_side_of_a_conjunction_is_a_block() {
    insta::assert_snapshot!(lowered(r#".status == "open" and (.total > $value or .vip)"#, ResultMode::Test), @r#"
    fn (input, value) {
        let status = jq::get(input, "status")?
        let holds = jq::eq(status, "open")
        let both = holds && {
            let total = jq::get(input, "total")?
            let holds_5 = jq::gt(total, value)
            let either = holds_5 || {
                let vip = jq::get(input, "vip")?
                let is_true = jq::truthy(vip)
                is_true
            }
            either
        }
        both
    }
    "#);
}

#[test]
fn a_search_leaves_its_block() {
    insta::assert_snapshot!(lowered("any(.orders[]; .total > 5)", ResultMode::Test), @r#"
    fn (input, value) {
        let any = 'any_0: {
            let orders = jq::get(input, "orders")?
            let items = jq::iter(orders)?
            'items_1: for order in items {
                do jq::tick()?
                let total = jq::get(order, "total")?
                let holds = jq::gt(total, 5)
                do if holds {
                    break 'any_0 true
                }
            }
            false
        }
        any
    }
    "#);
}

#[test]
fn a_missing_value_is_no_error() {
    insta::assert_snapshot!(lowered(r#".a.b[]? // "none""#, ResultMode::Value), @r#"
    fn (input, value) {
        let values = jq::Values::new()
        let any_found = false
        let a = jq::get(input, "a")?
        let b = jq::get(a, "b")?
        do if present items = jq::iter(b) {
            'items_0: for item in items {
                do jq::tick()?
                let is_true = jq::truthy(item)
                do if is_true {
                    any_found = true
                    do &mut values.push(item)
                }
            }
        }
        let is_false = !any_found
        do if is_false {
            do &mut values.push("none")
        }
        let result = jq::one_or_all(values)
        result
    }
    "#);
}

#[test]
fn constants_are_folded() {
    insta::assert_snapshot!(lowered(r#"[1, -2, {a: "b"}] | if null then .[0] else .[1], not end"#, ResultMode::All), @r#"
    fn (input, value) {
        let values = jq::Values::new()
        let items = [1,-2,{"a":"b"}]
        let item = jq::at(items, 1)?
        do &mut values.push(item)
        let is_true = jq::truthy(items)
        let is_false = !is_true
        do &mut values.push(is_false)
        let result = Value::from(values)
        result
    }
    "#);
}

#[test]
fn the_last_interpolation_is_evaluated_first() {
    insta::assert_snapshot!(lowered(r#"{(.name): .a, b: now, name} | "\(.a) of \(.b)""#, ResultMode::Value), @r#"
    fn (input, value) {
        let name = jq::get(input, "name")?
        let a = jq::get(input, "a")?
        let seconds = now
        let now = Value::Float(seconds)
        let name_6 = jq::get(input, "name")?
        let object = rt::Object::new()
        let key = jq::key(name)?
        do &mut object.insert(key, a)
        let key_9 = rt::Str::from_static("b")
        do &mut object.insert(key_9, now)
        let key_10 = rt::Str::from_static("name")
        do &mut object.insert(key_10, name_6)
        let object_11 = Value::from(object)
        let b = jq::get(object_11, "b")?
        let a_13 = jq::get(object_11, "a")?
        let text = ::std::string::String::new()
        do jq::push(&mut text, a_13)?
        do &mut text.push_str(" of ")
        do jq::push(&mut text, b)?
        let text_15 = Value::from(text)
        text_15
    }
    "#);
}

#[test]
fn functions_are_lowered_where_they_are_called() {
    insta::assert_snapshot!(lowered("def vat($rate): . * $rate; .total | vat(0.19)", ResultMode::Value), @r#"
    fn (input, value) {
        let total = jq::get(input, "total")?
        let item = jq::mul(total, 0.19)?
        let result = jq::finished(item)
        result
    }
    "#);
}

#[test]
fn a_fold_assigns_its_state() {
    insta::assert_snapshot!(lowered("reduce .orders[] as $order (0; . + $order.total)", ResultMode::Value), @r#"
    fn (input, value) {
        let result = 0
        let orders = jq::get(input, "orders")?
        let items = jq::iter(orders)?
        'items_0: for order in items {
            do jq::tick()?
            let total = jq::get(order, "total")?
            let sum = jq::add(result, total)?
            result = sum
        }
        result
    }
    "#);
}

#[test]
fn alternatives_of_patterns_are_handlers() {
    insta::assert_snapshot!(lowered("foreach .[] as [$a] ?// $a (0; .a = $a; [., $a])", ResultMode::Value), @r#"
    fn (input, value) {
        let values = jq::Values::new()
        let state = 0
        let items = jq::iter(input)?
        'items_0: for item in items {
            do jq::tick()?
            do 'attempt_1: attempt {
                let a = jq::at(item, 0)?'attempt_1
                let result = state
                let a_8 = jq::get_mut(&mut result, "a")?'attempt_1
                *a_8 = a
                state = result
                let array = [state, a]
                do &mut values.push(array)
            } catch error {
                let raised = error.caught()?
                let result_12 = state
                let a_13 = jq::get_mut(&mut result_12, "a")?
                *a_13 = item
                state = result_12
                let array_14 = [state, item]
                do &mut values.push(array_14)
            }
        }
        let result_15 = jq::one_or_all(values)
        result_15
    }
    "#);
}

#[test]
fn an_error_leads_to_its_handler() {
    insta::assert_snapshot!(lowered("try error(.a) catch .b", ResultMode::Value), @r#"
    fn (input, value) {
        let tried = 'attempt_0: attempt {
            let a = jq::get(input, "a")?'attempt_0
            let raised = jq::raise(a)?'attempt_0
            raised
        } catch error {
            let raised_5 = error.caught()?
            let b = jq::get(raised_5, "b")?
            b
        }
        tried
    }
    "#);
}

#[test]
fn a_break_ends_the_enclosing_try() {
    insta::assert_snapshot!(lowered("label $out | .[] | try (if . then break $out else error end) catch .", ResultMode::Value), @r"
    fn (input, value) {
        let values = jq::Values::new()
        do 'out_0: {
            let items = jq::iter(input)?
            'items_1: for item in items {
                do jq::tick()?
                do 'attempt_2: attempt {
                    let is_true = jq::truthy(item)
                    do if is_true {
                        let error = jq::left()
                        break 'attempt_2 error
                    } else {
                        let raised = jq::raise(item)?'attempt_2
                        do &mut values.push(raised)
                    }
                } catch error_8 {
                    let raised_9 = error_8.caught()?
                    do &mut values.push(raised_9)
                }
            }
        }
        let result = jq::one_or_all(values)
        result
    }
    ");
}

#[test]
fn a_limit_counts_down() {
    insta::assert_snapshot!(lowered("limit(3; range(.; 10; 2))", ResultMode::Value), @r"
    fn (input, value) {
        let values = jq::Values::new()
        let left = jq::limit(3)?
        do 'limit_0: {
            let holds = left >(0)
            do if holds {
                'items_1: for step in jq::steps(input, 10, 2) {
                    let number = step?
                    do jq::tick()?
                    left -= 1
                    do &mut values.push(number)
                    let holds_7 = left ==(0)
                    do if holds_7 {
                        break 'limit_0
                    }
                }
            }
        }
        let result = jq::one_or_all(values)
        result
    }
    ");
}

#[test]
fn a_recursion_has_a_list_of_pending_values() {
    insta::assert_snapshot!(lowered("while(. < 9; . * 2)", ResultMode::Value), @r"
    fn (input, value) {
        let values = jq::Values::new()
        let pending = jq::Values::new()
        do &mut pending.push(input)
        'pending_0: loop {
            do if present item = &mut pending.pop() {
                do jq::tick()?
                let holds = jq::lt(item, 9)
                let is_false = !holds
                do if is_false {
                    continue 'pending_0
                }
                do &mut values.push(item)
                let inside = jq::Values::new()
                let item_8 = jq::mul(item, 2)?
                do &mut inside.push(item_8)
                let items = inside.into_iter()
                let reversed = items.rev()
                do &mut pending.extend(reversed)
            } else {
                break 'pending_0
            }
        }
        let result = jq::one_or_all(values)
        result
    }
    ");
}

#[test]
fn a_path_of_direct_steps_is_edited_in_place() {
    insta::assert_snapshot!(lowered("(.orders[] | select(.id == 1) | .total) |= . + 1", ResultMode::Value), @r#"
    fn (input, value) {
        let result = input
        let orders = jq::get_mut(&mut result, "orders")?
        'items_0: for order in jq::iter_mut(orders)? {
            do jq::tick()?
            let id = jq::get(order, "id")?
            let holds = jq::eq(id, 1)
            do if holds {
                let total = jq::get_mut(order, "total")?
                let old_total = total.take()
                let sum = jq::add(old_total, 1)?
                *total = sum
            }
        }
        result
    }
    "#);
}

#[test]
fn an_arithmetic_update_takes_the_old_value() {
    insta::assert_snapshot!(lowered(".a.b += $value", ResultMode::Value), @r#"
    fn (input, value) {
        let result = input
        let a = jq::get_mut(&mut result, "a")?
        let b = jq::get_mut(a, "b")?
        let old = b.take()
        let new = jq::add(old, value)?
        *b = new
        let result_7 = jq::finished(result)
        result_7
    }
    "#);
}

#[test]
fn other_paths_are_collected() {
    insta::assert_snapshot!(lowered("del(.a, last(.b[]))", ResultMode::Value), @r#"
    fn (input, value) {
        let paths = jq::Values::new()
        let a = jq::get(input, "a")?
        do &mut paths.push(["a"])
        let last = none
        let b = jq::get(input, "b")?
        let entries = jq::entries(b)?
        'items_0: for key, item in entries {
            do jq::tick()?
            let array = ["b", key]
            last = some(array, item)
        }
        do if present path, item_11 = last {
            do &mut paths.push(path)
        }
        let paths_12 = Value::from(paths)
        let changed = jq::delpaths(input, paths_12)?
        changed
    }
    "#);
}

#[test]
fn a_path_of_branches_is_assigned() {
    insta::assert_snapshot!(lowered(r#"path(if .a then .b[1:] else getpath(["x"]) end)"#, ResultMode::Value), @r#"
    fn (input, value) {
        let path = null
        let a = jq::get(input, "a")?
        let is_true = jq::truthy(a)
        do if is_true {
            let b = jq::get(input, "b")?
            let part = jq::slice(b, 1, null)?
            path = ["b",{"start":1,"end":null}]
        } else {
            let item = jq::getpath(input, ["x"])?
            let path_8 = jq::join_paths([], ["x"])?
            path = path_8
        }
        path
    }
    "#);
}

#[test]
fn closures_are_arguments_of_runtime_functions() {
    insta::assert_snapshot!(lowered("sort_by(.total) | walk(.[0], .)", ResultMode::Value), @r#"
    fn (input, value) {
        let values = jq::Values::new()
        let sort_by = jq::sort_by(input, |item| {
            let total = jq::get(item, "total")?
            total
        })?
        'items_0: for walked in jq::collect(|out_9| {
            do jq::walk_many(sort_by, |part, out| {
                let item_8 = jq::at(part, 0)?
                do out(item_8)?
                do out(part)?
            }, out_9)?
        })? {
            do jq::tick()?
            do &mut values.push(walked)
        }
        let result = jq::one_or_all(values)
        result
    }
    "#);
}
