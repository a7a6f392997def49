//! Tests of the generated code for an expression of each construct.

use super::super::translate;
use crate::pretty::layout;
use proc_macro2::{Ident, Span};
use std::sync::Arc;

/// Translates an expression that reads the input and two variables, and returns the body of its
/// function.
#[track_caller]
fn emitted(source: &str) -> String {
    let translation = translate(source, &["states.input", "limit", "names"], false);
    let translation = translation.unwrap_or_else(|reason| panic!("{source}: {reason}"));
    let text = layout(translation.emit(&Ident::new("f", Span::call_site()), &Arc::default()));
    let (_, body) = text.split_once("jsonata::Result<jsonata::Maybe> {\n").expect("a function has a body");
    body.trim_end().trim_end_matches('}').lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).fold(
        String::new(),
        |mut text, line| {
            text.push_str(line);
            text.push('\n');
            text
        },
    )
}

#[test]
fn names_in_a_row_are_one_call() {
    insta::assert_snapshot!(emitted("$states.input.order.id"), @r#"jsonata::find(input, &["order", "id"], run)"#);
    insta::assert_snapshot!(
        emitted("$states.input.items[0].name"),
        @r#"jsonata::walk(&jsonata::find_at(input, &["items"], 0, run)?, &["name"], run)"#
    );
    insta::assert_snapshot!(emitted("$states.input.tags[]"), @r#"jsonata::find_all(input, &["tags"], run)"#);
}

#[test]
fn a_condition_is_a_condition_of_rust() {
    insta::assert_snapshot!(emitted("$states.input.total > 100 and $states.input.vip"), @r#"
    Ok(
        jsonata::bool(
            jsonata::is_greater(
                &jsonata::find(input, &["total"], run)?,
                &jsonata::int(100),
                run,
            )? && jsonata::is_true(&jsonata::find(input, &["vip"], run)?, run)?,
        ),
    )
    "#);
    insta::assert_snapshot!(emitted("$states.input.total > $limit ? 'big' : 'small'"), @r#"
    Ok(
        if jsonata::is_greater(
            &jsonata::find(input, &["total"], run)?,
            &jsonata::of(limit),
            run,
        )? {
            jsonata::text("big")
        } else {
            jsonata::text("small")
        },
    )
    "#);
    insta::assert_snapshot!(emitted("$exists($states.input.id) ? $states.input.id"), @r#"
    Ok(
        if jsonata::find(input, &["id"], run)?.is_some() {
            jsonata::find(input, &["id"], run)?
        } else {
            jsonata::nothing()
        },
    )
    "#);
}

#[test]
fn a_predicate_and_a_step_are_loops() {
    insta::assert_snapshot!(emitted("$states.input.items[price > 10].{'id': id, 'total': price * qty}"), @r#"
    let mut items = jsonata::Results::new();
    for item in jsonata::find_candidates(input, &["items"], run)? {
        run.step()?;
        if jsonata::is_greater(
            &jsonata::walk(&item, &["price"], run)?,
            &jsonata::int(10),
            run,
        )? {
            items.keep(item, run)?;
        }
    }
    let mut results = jsonata::Results::new();
    for item in jsonata::items_of(items.sequence()) {
        run.step()?;
        let item2 = jsonata::grouped(item, run)?;
        results
            .push(
                jsonata::object(
                    [
                        ("id", jsonata::walk(&item2, &["id"], run)?),
                        (
                            "total",
                            jsonata::multiply(
                                &jsonata::walk(&item2, &["price"], run)?,
                                &jsonata::walk(&item2, &["qty"], run)?,
                            )?,
                        ),
                    ],
                    run,
                )?,
            );
    }
    results.last_step(run)
    "#);
    insta::assert_snapshot!(emitted("$names[$limit]"), @r"
    let mut selected = jsonata::Results::new();
    let names2 = jsonata::of(names);
    let count = jsonata::count(&names2);
    for (at, name) in jsonata::entries(names2) {
        run.step()?;
        selected.select(name, &jsonata::of(limit), at, count, run)?;
    }
    Ok(jsonata::collapsed(selected.sequence()))
    ");
}

#[test]
fn a_function_that_is_called_back_is_the_body_of_a_loop() {
    insta::assert_snapshot!(emitted("$map($names, function($name, $at) { $at & $uppercase($name) })"), @r"
    let mut results = jsonata::Results::new();
    for (at, name) in jsonata::entries_of(jsonata::of(names)) {
        run.step()?;
        results
            .keep(
                jsonata::concatenate(
                    &jsonata::position(at),
                    &jsonata::functions::uppercase(&[name], run)?,
                    run,
                )?,
                run,
            )?;
    }
    Ok(jsonata::collapsed(results.sequence()))
    ");
    insta::assert_snapshot!(emitted("$reduce($names, function($text, $name) { $text & $name })"), @r"
    let names2 = jsonata::of(names);
    let nothing = jsonata::nothing();
    let mut text = jsonata::begin(&names2, &nothing);
    for (_, name) in jsonata::rest(names2, &nothing) {
        run.step()?;
        text = jsonata::concatenate(&text, &name, run)?;
    }
    Ok(text)
    ");
    insta::assert_snapshot!(emitted("$filter($names, function($name) { $contains($name, /^a/i) })[0]"), @r#"
    static PATTERN: jsonata::JsonataRegex = jsonata::JsonataRegex::new("^a", "i");
    let mut selected = jsonata::Results::new();
    for name in jsonata::items_of(jsonata::of(names)) {
        run.step()?;
        if jsonata::is_true(
            &jsonata::functions::contains(
                &[name.clone(), jsonata::regex(&PATTERN, run)?],
                run,
            )?,
            run,
        )? {
            selected.keep(name, run)?;
        }
    }
    Ok(jsonata::at(&selected.sequence(), 0))
    "#);
    insta::assert_snapshot!(emitted("$sort($names, function($left, $right) { $left > $right })"), @r"
    jsonata::sorted_by(
        jsonata::as_array(jsonata::of(names)),
        |left, right, run| jsonata::greater(&left, &right, run),
        run,
    )
    ");
}

#[test]
fn a_function_that_is_called_is_its_body() {
    insta::assert_snapshot!(emitted("($twice := function($x) { $x * 2 }; $twice($limit) + $twice(3))"), @r"
    jsonata::add(
        &jsonata::multiply(&jsonata::of(limit), &jsonata::int(2))?,
        &jsonata::multiply(&jsonata::int(3), &jsonata::int(2))?,
    )
    ");
    insta::assert_snapshot!(emitted("$names ~> $join(', ') ~> $uppercase"), @r#"
    jsonata::functions::uppercase(
        &[jsonata::functions::join(&[jsonata::of(names), jsonata::text(", ")], run)?],
        run,
    )
    "#);
}

#[test]
fn groups_and_orders_take_the_items_of_a_loop() {
    insta::assert_snapshot!(emitted("$states.input.items{kind: $sum(price)}"), @r#"
    let mut groups = jsonata::Groups::new();
    for item in jsonata::group_items(jsonata::find_steps(input, &["items"], run)?) {
        run.step()?;
        groups.add(0, &jsonata::walk(&item, &["kind"], run)?, &item, run)?;
    }
    let mut members = jsonata::Members::new();
    for (_, key, item) in groups.merged(run)? {
        run.step()?;
        members
            .insert(
                &key,
                jsonata::functions::sum(&[jsonata::walk(&item, &["price"], run)?], run)?,
                run,
            )?;
    }
    Ok(members.object())
    "#);
    insta::assert_snapshot!(emitted("$states.input.items^(>price, name).id"), @r#"
    let mut sorting = jsonata::Sorting::new();
    let items = jsonata::find_steps(input, &["items"], run)?;
    for item in jsonata::items_of(items.clone()) {
        run.step()?;
        sorting.add(jsonata::walk(&item, &["price"], run)?, run)?;
        sorting.add(jsonata::walk(&item, &["name"], run)?, run)?;
    }
    jsonata::walk(&sorting.sorted(&items, &[true, false], run)?, &["id"], run)
    "#);
}

#[test]
fn the_context_item_stands_for_a_missing_argument() {
    insta::assert_snapshot!(emitted("$names.$uppercase()"), @r"
    let mut results = jsonata::Results::new();
    for item in jsonata::items_of(jsonata::of(names)) {
        run.step()?;
        results.push(jsonata::functions::contextual::uppercase(&[], &item, run)?);
    }
    results.last_step(run)
    ");
}

#[test]
fn constructors_flatten_arrays_that_are_no_constructors() {
    insta::assert_snapshot!(emitted("[$names, 1]"), @"jsonata::elements([jsonata::of(names), jsonata::int(1)], run)");
    insta::assert_snapshot!(emitted("[[$names], 1]"), @r"
    let mut elements = jsonata::Elements::new();
    elements.add_one(jsonata::elements([jsonata::of(names)], run)?, run)?;
    elements.add(jsonata::int(1), run)?;
    Ok(elements.array())
    ");
    insta::assert_snapshot!(
        emitted("{'a': 1, 'b': null}"),
        @r#"jsonata::object([("a", jsonata::int(1)), ("b", jsonata::null())], run)"#
    );
}

#[test]
fn a_call_in_tail_position_has_the_context_item_of_its_caller() {
    let emitted_call = |source| emitted(source).split_whitespace().collect::<String>();
    let null = "jsonata::functions::contextual::uppercase(&[],&jsonata::null(),run)?";
    assert!(emitted_call("$map([1], function($v) { $uppercase() })").contains(null));
    assert!(emitted_call("$filter([1], function($v) { $uppercase() })").contains(null));
    let item = "jsonata::functions::contextual::uppercase(&[],&item,run)?";
    assert!(emitted_call("($f := function() { $uppercase() }; $limit.$f())").contains(item));
}

#[test]
fn a_constructed_array_is_one_item_of_the_next_step() {
    insta::assert_snapshot!(emitted("($x := $states.input.[1, 2]; $x.foo[0])"), @r#"
    let mut results = jsonata::Results::new();
    for _ in jsonata::items_of(jsonata::of(input)) {
        run.step()?;
        let mut elements = jsonata::Elements::new();
        elements.add(jsonata::int(1), run)?;
        elements.add(jsonata::int(2), run)?;
        results.push(elements.constructed());
    }
    jsonata::walk_at(
        &jsonata::first_step(results.last_step(run)?, run)?,
        &["foo"],
        0,
        run,
    )
    "#);
}

#[test]
fn a_predicate_of_a_first_name_is_evaluated_for_nothing() {
    let text: String = emitted("$states.input.missing[foo[1 + 'a' = 2]]").split_whitespace().collect();
    assert!(text.contains(r#"injsonata::first_items(jsonata::walk(&item3,&["foo"],run)?,)"#), "{text}");
}

#[test]
fn a_position_before_another_one_yields_a_step() {
    insta::assert_snapshot!(
        emitted("$limit.a[0].b[1]"),
        @r#"jsonata::walk_at(&jsonata::find_step_at(limit, &["a"], 0, run)?, &["b"], 1, run)"#
    );
}

#[test]
fn a_position_of_a_step_selects_an_empty_sequence_for_nothing() {
    let text = emitted("$limit.(a)[0]");
    assert!(text.contains("results.push_selected(jsonata::at("), "{text}");
}

#[test]
fn a_function_that_calls_itself_is_a_closure() {
    insta::assert_snapshot!(emitted("($f := function($n) { $n < 2 ? 1 : $n * $f($n - 1) }; $f($limit))"), @r"
    jsonata::recursive(
        2,
        [jsonata::of(limit)],
        |f, args, run| {
            let n = jsonata::argument(&args, 0);
            run.reach(3)?;
            Ok(
                if jsonata::is_less(&n, &jsonata::int(2), run)? {
                    jsonata::int(1)
                } else {
                    run.reach(5)?;
                    jsonata::multiply(
                        &n,
                        &f.call(3, [jsonata::subtract(&n, &jsonata::int(1))?], run)?,
                    )?
                },
            )
        },
        run,
    )
    ");
    let turns = "($f := function($n, $all) { $n < 1 ? $all : $f($n - 1, [$all, $n]) }; $f($limit, []))";
    insta::assert_snapshot!(emitted(turns), @r"
    jsonata::recursive(
        2,
        [jsonata::of(limit), jsonata::elements([], run)?],
        |f, args, run| {
            let n = jsonata::argument(&args, 0);
            let all = jsonata::argument(&args, 1);
            run.reach(3)?;
            Ok(
                if jsonata::is_less(&n, &jsonata::int(1), run)? {
                    all
                } else {
                    f.again([
                        jsonata::subtract(&n, &jsonata::int(1))?,
                        jsonata::elements([all, n], run)?,
                    ])
                },
            )
        },
        run,
    )
    ");
    insta::assert_snapshot!(emitted("($f := function($x) { {'all': $map($x.all, $f)} }; $f($states.input))"), @r#"
    jsonata::recursive(
        2,
        [jsonata::of(input)],
        |f, args, run| {
            let x = jsonata::argument(&args, 0);
            run.reach(4)?;
            let mut results = jsonata::Results::new();
            for item in jsonata::items_of(jsonata::walk(&x, &["all"], run)?) {
                run.step()?;
                run.enter_call()?;
                let result = f.call(2, [item], run)?;
                run.leave_call();
                results.keep(result, run)?;
            }
            jsonata::object([("all", jsonata::collapsed(results.sequence()))], run)
        },
        run,
    )
    "#);
}

#[test]
fn arguments_are_checked_against_a_signature() {
    insta::assert_snapshot!(emitted("($f := function($x, $y)<n-n?:n> { $x + $y }; $f($limit))"), @r#"
    static SIGNATURE: jsonata::JsonataSignature = jsonata::JsonataSignature::new(
        "n-n?:n",
    );
    let checked = jsonata::checked(&[jsonata::of(limit)], &SIGNATURE, "f", run)?;
    jsonata::add(&jsonata::argument(&checked, 0), &jsonata::argument(&checked, 1))
    "#);
    insta::assert_snapshot!(emitted("$names.function($x)<s-:s> { $x }()"), @r#"
    static SIGNATURE: jsonata::JsonataSignature = jsonata::JsonataSignature::new("s-:s");
    let mut results = jsonata::Results::new();
    for item in jsonata::items_of(jsonata::of(names)) {
        run.step()?;
        results
            .push(
                jsonata::argument(
                    &jsonata::checked_in(&[], &item, &SIGNATURE, "", run)?,
                    0,
                ),
            );
    }
    results.last_step(run)
    "#);
}

#[test]
fn functions_made_of_functions_are_their_bodies() {
    insta::assert_snapshot!(emitted("($f := $substring(?, 1); $f($limit))"), @r#"
    let nothing = jsonata::nothing();
    jsonata::call_partial(
        "substring",
        "f",
        &[jsonata::of(limit), jsonata::int(1), nothing],
        run,
    )
    "#);
    insta::assert_snapshot!(emitted("($f := $trim ~> $uppercase; $map($names, $f))"), @r"
    let mut results = jsonata::Results::new();
    for name in jsonata::items_of(jsonata::of(names)) {
        run.step()?;
        results
            .keep(
                jsonata::functions::uppercase(
                    &[jsonata::functions::trim(&[name], run)?],
                    run,
                )?,
                run,
            )?;
    }
    Ok(jsonata::collapsed(results.sequence()))
    ");
    insta::assert_snapshot!(emitted("($sum2 := $sum; $sum2($names))"), @r#"
    jsonata::call_as("sum", "sum2", &[jsonata::of(names)], run)
    "#);
}

#[test]
fn the_parts_of_a_transformation_are_closures() {
    insta::assert_snapshot!(emitted("$states.input ~> |orders|{'total': price * $limit}, 'price'|"), @r#"
    jsonata::transformed_without(
        &[jsonata::of(input)],
        "",
        |item, run| jsonata::walk(&item, &["orders"], run),
        |item2, run| jsonata::object(
            [
                (
                    "total",
                    jsonata::multiply(
                        &jsonata::walk(
                            &jsonata::grouped(item2.clone(), run)?,
                            &["price"],
                            run,
                        )?,
                        &jsonata::of(limit),
                    )?,
                ),
            ],
            run,
        ),
        |_, _| Ok(jsonata::text("price")),
        run,
    )
    "#);
}
