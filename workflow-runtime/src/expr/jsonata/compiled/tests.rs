//! Tests of the functions that compiled expressions call: each against the evaluator.

use super::*;
use crate::expr::jsonata::environment::{JsonataEnvironment, JsonataLimits, States};
use crate::expr::jsonata::functions;
use crate::expr::jsonata::program::{JsonataOutcome, JsonataProgram};
use crate::expr::jsonata::tests::Counter;
use crate::value::Value;

/// The values that operands and arguments have.
const VALUES: &[&str] = &[
    "",
    "null",
    "true",
    "0",
    "3",
    "-2.5",
    "9007199254740993",
    r#""""#,
    r#""b""#,
    r#""Ab b, 3""#,
    "[]",
    "[7]",
    "[[7, 8]]",
    "[2, 1, 2]",
    r#"["x", "b"]"#,
    r#"[{"a": 1, "b": "x"}, {"a": [2, 3]}, 5, [{"a": {"b": 4}}]]"#,
    r#"[{"a": [{"b": [6]}]}]"#,
    r#"[{"a": [[1, 2]]}]"#,
    r#"[{"a": [[[1, 2]]]}, {"a": []}]"#,
    r#"{"a": {"b": 1, "c": [1, {"b": 2}]}, "b": "x"}"#,
    r#"{"a": [{"b": [1, 2], "c": 3}, {"b": []}, {"b": [[9]], "c": 1}]}"#,
    r#"{"a": [[{"b": 1}, {"b": 2}]]}"#,
    r#"{"a": [{"b": [[[{"b": 1}, {"b": 2}]]]}, {"b": []}]}"#,
    "{}",
];

fn value(json: &str) -> Option<Value> {
    (!json.is_empty()).then(|| Value::from_json(json).expect("the value is JSON"))
}

fn environment<'a>(values: &'a [Option<Value>], random: &'a mut Counter) -> JsonataEnvironment<'a> {
    JsonataEnvironment {
        states: States::default(),
        values,
        now: 1_700_000_000_000,
        random,
        limits: JsonataLimits::default(),
    }
}

/// Returns what the evaluator makes of an expression with the variables `$p`, `$q` and `$r`.
fn evaluated(text: &str, values: &[Option<Value>]) -> Result<JsonataOutcome> {
    let program = JsonataProgram::new(text.to_owned().leak(), &["p", "q", "r"]);
    program.evaluate(environment(values, &mut Counter(0)))
}

/// Asserts that code does what an expression does, for all values of its variables.
fn check(text: &str, code: impl Fn(&[Option<Value>], &mut Run<'_>) -> Result<Maybe>) {
    let variables = ["$p", "$q"].iter().filter(|name| text.contains(**name)).count();
    let seconds = if variables > 1 { VALUES } else { &VALUES[..1] };
    for (first, second) in VALUES.iter().flat_map(|first| seconds.iter().map(move |second| (first, second))) {
        let values = [value(first), value(second), None];
        let result = evaluate_translated(environment(&values, &mut Counter(0)), |run| code(&values, run));
        assert_eq!(result, evaluated(text, &values), "{text} of {first} and {second}");
    }
}

/// Asserts it of an operator.
fn check_operator(sign: &str, code: impl Fn(&Maybe, &Maybe, &mut Run<'_>) -> Result<Maybe>) {
    check(&format!("$p {sign} $q"), |values, run| code(&of(values[0].as_ref()), &of(values[1].as_ref()), run));
}

#[test]
fn operators_are_those_of_the_evaluator() {
    check_operator("+", |left, right, _| add(left, right));
    check_operator("-", |left, right, _| subtract(left, right));
    check_operator("*", |left, right, _| multiply(left, right));
    check_operator("/", |left, right, _| divide(left, right));
    check_operator("%", |left, right, _| remainder(left, right));
    check_operator("&", concatenate);
    check_operator("=", |left, right, run| Ok(bool(equal(left, right, run)?)));
    check_operator("!=", |left, right, run| Ok(bool(unequal(left, right, run)?)));
    check_operator("in", |left, right, run| Ok(bool(is_in(left, right, run)?)));
    check_operator("<", less);
    check_operator("<=", less_or_equal);
    check_operator(">", greater);
    check_operator(">=", greater_or_equal);
    check_operator("> 2 and $q >=", |left, right, run| {
        let is_both = is_greater(left, &int(2), run)? && is_greater_or_equal(right, right, run)?;
        Ok(bool(is_both))
    });
    check("$p < $q or $q <= $p", |values, run| {
        let (left, right) = (of(values[0].as_ref()), of(values[1].as_ref()));
        Ok(bool(is_less(&left, &right, run)? || is_less_or_equal(&right, &left, run)?))
    });
    check("-$p", |values, run| negate(&of(values[0].as_ref()), run));
    check("[$p..$q]", |values, run| {
        let numbers = range(&of(values[0].as_ref()), &of(values[1].as_ref()), run)?;
        elements([numbers], run)
    });
    check("$p ? 1 : 'no'", |values, run| Ok(if is_true(&of(values[0].as_ref()), run)? { int(1) } else { text("no") }));
}

#[test]
fn paths_of_names_are_those_of_the_evaluator() {
    for names in [&["a"][..], &["a", "b"], &["a", "c", "b"], &["b", "a"]] {
        let path = format!("$p.{}", names.join("."));
        check(&path, |values, run| find(values[0].as_ref(), names, run));
        check(&path, |values, run| walk(&of(values[0].as_ref()), names, run));
        check(&path, |values, run| walk(&first_step(of(values[0].as_ref()), run)?, names, run));
        let all = format!("{path}[]");
        check(&all, |values, run| find_all(values[0].as_ref(), names, run));
        check(&all, |values, run| walk_all(&of(values[0].as_ref()), names, run));
        for position in [0, 1, -1] {
            let at = format!("{path}[{position}]");
            check(&at, |values, run| find_at(values[0].as_ref(), names, position, run));
            check(&at, |values, run| walk_at(&of(values[0].as_ref()), names, position, run));
            let next = format!("{path}[{position}].b[0]");
            check(&next, |values, run| {
                let items = find_step_at(values[0].as_ref(), names, position, run)?;
                walk_at(&items, &["b"], 0, run)
            });
            check(&next, |values, run| {
                let items = walk_step_at(&of(values[0].as_ref()), names, position, run)?;
                walk_at(&items, &["b"], 0, run)
            });
        }
        let kept = format!("{path}[$exists(b)]");
        check(&kept, |values, run| {
            let mut results = Results::new();
            for item in find_candidates(values[0].as_ref(), names, run)? {
                if walk(&item, &["b"], run)?.is_some() {
                    results.keep(item, run)?;
                }
            }
            Ok(collapsed(results.sequence()))
        });
    }
    check("$p[0]", |values, _| Ok(at(&of(values[0].as_ref()), 0)));
    check("$p[-2]", |values, _| Ok(at(&of(values[0].as_ref()), -2)));
    check("$p[]", |values, _| Ok(kept(of(values[0].as_ref()))));
}

#[test]
fn steps_are_those_of_the_evaluator() {
    check("$p.(a)[0]", |values, run| {
        let mut results = Results::new();
        for item in items_of(of(values[0].as_ref())) {
            results.push_selected(at(&walk(&item, &["a"], run)?, 0));
        }
        results.last_step(run)
    });
    check("$p.a.(b)", |values, run| {
        let mut results = Results::new();
        for item in items_of(find_steps(values[0].as_ref(), &["a"], run)?) {
            results.push(walk(&item, &["b"], run)?);
        }
        results.last_step(run)
    });
    check("$p.a.(c).b[]", |values, run| {
        let mut results = Results::new();
        for item in items_of(walk_steps(&of(values[0].as_ref()), &["a"], run)?) {
            results.push(walk(&item, &["c"], run)?);
        }
        let step = results.step(run)?;
        let mut results = Results::new();
        for item in items_of(step) {
            results.push(lookup_all(&item, "b", run)?);
        }
        Ok(all(results.last(run)?))
    });
    check("$p.[a, [b]]", |values, run| {
        let mut results = Results::new();
        for item in items_of(first_step(of(values[0].as_ref()), run)?) {
            let mut array = Elements::new();
            array.add(walk(&item, &["a"], run)?, run)?;
            let inner = elements([walk(&item, &["b"], run)?], run)?;
            array.add_one(inner, run)?;
            results.push(array.constructed());
        }
        results.last_step(run)
    });
    check("$p[$q]", |values, run| {
        let (input, verdict) = (of(values[0].as_ref()), of(values[1].as_ref()));
        let (of, mut results) = (count(&input), Results::new());
        for (at, item) in entries(input) {
            results.select(item, &verdict, at, of, run)?;
        }
        Ok(collapsed(results.sequence()))
    });
    check("$p.*", |values, run| {
        let mut results = Results::new();
        for item in items_of(first_step(of(values[0].as_ref()), run)?) {
            results.push(wildcard(&item, run)?);
        }
        results.last_step(run)
    });
    check("$p.**", |values, run| {
        let mut results = Results::new();
        for item in items_of(first_step(of(values[0].as_ref()), run)?) {
            results.push(descendants(&item, run)?);
        }
        results.last_step(run)
    });
}

#[test]
fn objects_and_arrays_are_those_of_the_evaluator() {
    check("{'x': $p, 'y': $q}", |values, run| {
        object([("x", of(values[0].as_ref())), ("y", of(values[1].as_ref()))], run)
    });
    check("[$p, $q]", |values, run| elements([of(values[0].as_ref()), of(values[1].as_ref())], run));
    check("[[$p], [$q]]", |values, run| {
        let first = elements([of(values[0].as_ref())], run)?;
        let second = elements([of(values[1].as_ref())], run)?;
        list([first, second], run)
    });
    check("$p.a.{'b': b, 'n': $count($)}", |values, run| {
        let mut results = Results::new();
        for item in items_of(find_steps(values[0].as_ref(), &["a"], run)?) {
            let item = grouped(item, run)?;
            let b = walk(&item, &["b"], run)?;
            let n = functions::count(&[item], run)?;
            results.push(object([("b", b), ("n", n)], run)?);
        }
        results.last_step(run)
    });
    check("$p.a{$string(b): c, 'k': b}", |values, run| {
        let mut groups = Groups::new();
        for item in group_items(find_steps(values[0].as_ref(), &["a"], run)?) {
            let b = walk(&item, &["b"], run)?;
            groups.add(0, &functions::string(&[b], run)?, &item, run)?;
            groups.add(1, &text("k"), &item, run)?;
        }
        let mut members = Members::new();
        for (pair, key, item) in groups.merged(run)? {
            let value = walk(&item, &[if pair == 0 { "c" } else { "b" }], run)?;
            members.insert(&key, value, run)?;
        }
        Ok(members.object())
    });
    check("$p.a^(b)[$error('x')]", |values, run| {
        let items = find_steps(values[0].as_ref(), &["a"], run)?;
        let mut sorting = Sorting::new();
        for item in items_of(items.clone()) {
            sorting.add(walk(&item, &["b"], run)?, run)?;
        }
        let sorted = sorting.sorted(&items, &[false], run)?;
        for _ in first_items(sorted) {
            functions::error(&[text("x")], run)?;
        }
        Ok(None)
    });
    check("$p.a^(>c, b)", |values, run| {
        let items = find_steps(values[0].as_ref(), &["a"], run)?;
        let mut sorting = Sorting::new();
        for item in items_of(items.clone()) {
            sorting.add(walk(&item, &["c"], run)?, run)?;
            sorting.add(walk(&item, &["b"], run)?, run)?;
        }
        Ok(collapsed(sorting.sorted(&items, &[true, false], run)?))
    });
}

#[test]
fn loops_are_the_functions_that_they_stand_for() {
    check("$map($p, function($v, $i, $a) { [$v, $i, $count($a)] })", |values, run| {
        let array = as_array(of(values[0].as_ref()));
        let mut results = Results::new();
        for (at, item) in entries_of(array.clone()) {
            let n = functions::count(std::slice::from_ref(&array), run)?;
            results.keep(elements([item, position(at), n], run)?, run)?;
        }
        Ok(collapsed(results.sequence()))
    });
    check("$filter($p, function($v) { $v > 1 or $v in [2, 'b'] })", |values, run| {
        let mut results = Results::new();
        for item in items_of(as_array(of(values[0].as_ref()))) {
            let second = list([int(2), text("b")], run)?;
            if is_greater(&item, &int(1), run)? || is_in(&item, &second, run)? {
                results.keep(item, run)?;
            }
        }
        Ok(collapsed(results.sequence()))
    });
    check("$single($p, function($v) { $v = 7 })", |values, run| {
        let array = as_array(of(values[0].as_ref()));
        let mut single = Single::new();
        for item in items_of(array.clone()) {
            if equal(&item, &int(7), run)? {
                single.add(item)?;
            }
        }
        single.value(&array)
    });
    check("$reduce($p, function($x, $y, $i) { $x & $y & $i }, $q)", |values, run| {
        let (array, initial) = (as_array(of(values[0].as_ref())), of(values[1].as_ref()));
        let mut result = begin(&array, &initial);
        for (at, item) in rest(array, &initial) {
            result = concatenate(&concatenate(&result, &item, run)?, &position(at), run)?;
        }
        Ok(result)
    });
    check("$each($p, function($v, $n) { $n & $v })", |values, run| {
        let mut results = Results::new();
        for (name, value) in members_of(&of(values[0].as_ref()), "each", run)? {
            results.keep(concatenate(&name, &value, run)?, run)?;
        }
        Ok(collapsed(results.sequence()))
    });
    check("$sift($p, function($v, $n) { $n = 'b' })", |values, run| {
        let mut members = Members::new();
        for (name, value) in members_of(&of(values[0].as_ref()), "sift", run)? {
            if equal(&name, &text("b"), run)? {
                members.insert(&name, value, run)?;
            }
        }
        Ok(members.object_or_nothing())
    });
    check("$sort($p, function($l, $r) { $string($l) > $string($r) })", |values, run| {
        let array = of(values[0].as_ref());
        let swaps = |left: Maybe, right: Maybe, run: &mut Run<'_>| {
            let (left, right) = (functions::string(&[left], run)?, functions::string(&[right], run)?);
            greater(&left, &right, run)
        };
        sorted_by(array, swaps, run)
    });
}

#[test]
fn functions_check_their_arguments_as_the_evaluator_does() {
    let natives = functions::NATIVES.iter();
    // Two evaluations draw the same random numbers, since they count from zero.
    for native in natives {
        let texts = ["()", "($p)", "($p, $q)", "($p, $q, $r)"];
        for (count, args) in texts.iter().enumerate() {
            check(&format!("${}{args}", native.name), |values, run| {
                let args: Vec<Maybe> = values[..count].iter().map(|value| of(value.as_ref())).collect();
                call(native, &args, None, run).map(collapsed)
            });
        }
    }
}

#[test]
fn the_context_item_stands_for_a_missing_argument() {
    check("$p.$uppercase()", |values, run| {
        let mut results = Results::new();
        for item in items_of(first_step(of(values[0].as_ref()), run)?) {
            results.push(functions::contextual::uppercase(&[], &item, run)?);
        }
        results.last_step(run)
    });
    check("$p.$lookup('a')", |values, run| {
        let mut results = Results::new();
        for item in items_of(first_step(of(values[0].as_ref()), run)?) {
            results.push(functions::contextual::lookup(&[text("a")], &item, run)?);
        }
        results.last_step(run)
    });
}

#[test]
fn sequences_of_functions_are_reduced_only_where_the_evaluator_does() {
    check("$map($p, function($v) { $keys($v) })", |values, run| {
        let mut results = Results::new();
        for item in items_of(as_array(of(values[0].as_ref()))) {
            results.keep(functions::sequences::keys(&[item], run)?, run)?;
        }
        Ok(collapsed(results.sequence()))
    });
    check("$map($p, $keys)", |values, run| {
        let keys = native("keys", run)?;
        functions::map(&[of(values[0].as_ref()), keys], run)
    });
    check("$keys($p)[0]", |values, run| {
        let names = functions::sequences::keys(&[of(values[0].as_ref())], run)?;
        Ok(at(&names, 0))
    });
}

#[test]
fn regular_expressions_are_compiled_with_their_flags() {
    static PATTERN: JsonataRegex = JsonataRegex::new("B+", "i");
    check("$match($p, /B+/i)", |values, run| {
        let pattern = regex(&PATTERN, run)?;
        functions::find_matches(&[of(values[0].as_ref()), pattern], run)
    });
}

#[test]
fn functions_that_call_themselves_have_the_levels_of_the_evaluator() {
    for count in 0..40 {
        let text = format!("($f := function($n) {{ $n <= 0 ? $p : 1 + $f($n - 1) }}; $f({count}))");
        check(&text, |values, run| {
            let body = |f: &Recursion<'_, 1>, args: [Maybe; 1], run: &mut Run<'_>| {
                run.reach(3)?;
                let n = argument(&args, 0);
                if is_less_or_equal(&n, &int(0), run)? {
                    return Ok(of(values[0].as_ref()));
                }
                run.reach(5)?;
                add(&int(1), &f.call(3, [subtract(&n, &int(1))?], run)?)
            };
            recursive(2, [int(count)], body, run)
        });
    }
}

#[test]
fn calls_in_tail_position_are_turns_of_a_loop() {
    let text = "($f := function($n, $s) { $n <= 0 ? $s : $f($n - 1, $s + $n) }; $f(5000, $p))";
    check(text, |values, run| {
        let body = |f: &Recursion<'_, 2>, args: [Maybe; 2], run: &mut Run<'_>| {
            let (n, s) = (argument(&args, 0), argument(&args, 1));
            if is_less_or_equal(&n, &int(0), run)? {
                return Ok(s);
            }
            Ok(f.again([subtract(&n, &int(1))?, add(&s, &n)?]))
        };
        recursive(2, [int(5000), of(values[0].as_ref())], body, run)
    });
}

#[test]
fn arguments_are_checked_as_the_evaluator_does() {
    static SIGNATURE: JsonataSignature = JsonataSignature::new("a<n>s?:a");
    check("($f := function($x, $y)<a<n>s?:a> { [$x, $y] }; $f($p, $q))", |values, run| {
        let args = [of(values[0].as_ref()), of(values[1].as_ref())];
        let args = checked(&args, &SIGNATURE, "f", run)?;
        elements([argument(&args, 0), argument(&args, 1)], run)
    });
    static OF_CONTEXT: JsonataSignature = JsonataSignature::new("s-n");
    check("$p.(function($x, $y)<s-n> { [$x, $y] })(1)", |values, run| {
        let mut results = Results::new();
        for item in items_of(first_step(of(values[0].as_ref()), run)?) {
            let args = checked_in(&[int(1)], &item, &OF_CONTEXT, "", run)?;
            results.push(elements([argument(&args, 0), argument(&args, 1)], run)?);
        }
        results.last_step(run)
    });
}

#[test]
fn errors_have_the_name_of_the_call() {
    check("($f := $sum; $f($p))", |values, run| call_as("sum", "f", &[of(values[0].as_ref())], run));
    check("($f := $substring(?, 1, ?); $f($p))", |values, run| {
        call_partial("substring", "f", &[of(values[0].as_ref()), int(1), nothing()], run)
    });
    check("$p.($f := $length; $f())", |values, run| {
        let mut results = Results::new();
        for item in items_of(first_step(of(values[0].as_ref()), run)?) {
            results.push(call_as_in("length", "f", &[], &item, run)?);
        }
        results.last_step(run)
    });
}

#[test]
fn transformations_change_a_copy() {
    check("$p ~> |**|{'n': $count(b), 'q': $q}|", |values, run| {
        let pattern = |item: Maybe, run: &mut Run<'_>| descendants(&item, run);
        let update = |item: Maybe, run: &mut Run<'_>| {
            let count = functions::count(&[walk(&item, &["b"], run)?], run)?;
            object([("n", count), ("q", of(values[1].as_ref()))], run)
        };
        transformed(&[of(values[0].as_ref())], "", pattern, update, run)
    });
    check("$p ~> |a|$q, ['b', 'c']|", |values, run| {
        let pattern = |item: Maybe, run: &mut Run<'_>| walk(&item, &["a"], run);
        let update = |_: Maybe, _: &mut Run<'_>| Ok(of(values[1].as_ref()));
        let delete = |_: Maybe, run: &mut Run<'_>| list([text("b"), text("c")], run);
        transformed_without(&[of(values[0].as_ref())], "", pattern, update, delete, run)
    });
}
