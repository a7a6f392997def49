//! Data operations, rule by rule.

use super::*;
use crate::value;

/// [R26](docs/serverless-workflow.md#r26).
#[test]
fn the_input_is_an_object() {
    assert_eq!(input(Value::Null), Ok(value!({})));
    assert_eq!(input(value!({"a": 1})), Ok(value!({"a": 1})));
    for (given, kind) in
        [(value!([1]), "array"), (value!("a"), "string"), (value!(7), "number"), (value!(true), "boolean")]
    {
        let fault = input(given).expect_err("it is no object");
        assert!(
            fault.to_string().contains(&format!("the input of a workflow must be an object, found {kind}")),
            "{fault}"
        );
    }
}

/// [R1](docs/serverless-workflow.md#r1): a filter that selects nothing has no effect.
#[test]
fn a_filter_yields_its_selection_or_all() {
    let data = value!({"a": 1});
    assert_eq!(filtered(Some(&value!(null)), &data), &value!(null));
    assert_eq!(filtered(Some(&value!([])), &data), &value!([]));
    assert_eq!(filtered(None, &data), &data);
}

/// [R2](docs/serverless-workflow.md#r2).
#[test]
fn one_selected_element_stands_alone() {
    for (selected, with_condition, without) in [
        (None, None, None),
        (Some(value!([])), None, None),
        (Some(value!([7])), Some(value!(7)), Some(value!([7]))),
        (Some(value!([[7]])), Some(value!([7])), Some(value!([[7]]))),
        (Some(value!([null])), Some(value!(null)), Some(value!([null]))),
        (Some(value!([1, 2])), Some(value!([1, 2])), Some(value!([1, 2]))),
    ] {
        assert_eq!(one_or_more(selected.as_ref()), with_condition, "{selected:?}");
        assert_eq!(some(selected.as_ref()), without, "{selected:?}");
    }
    assert_eq!(or_null(None), &Value::Null);
    assert_eq!(or_null(Some(&value!(1))), &value!(1));
}

/// [R1](docs/serverless-workflow.md#r1): objects are merged on all levels, and the new value wins.
/// A value that is not an object has a name.
#[test]
fn results_are_merged() {
    let data = value!({"a": {"b": 1, "c": 2}, "d": [1]});
    for (result, merged) in [
        (value!({}), data.clone()),
        (value!(null), data.clone()),
        (value!({"a": {"b": 3}}), value!({"a": {"b": 3, "c": 2}, "d": [1]})),
        (value!({"a": 5, "d": [2]}), value!({"a": 5, "d": [2]})),
        (value!({"d": {"e": 1}}), value!({"a": {"b": 1, "c": 2}, "d": {"e": 1}})),
        (value!({"a": {"b": null}}), value!({"a": {"b": null, "c": 2}, "d": [1]})),
        (value!(7), value!({"a": {"b": 1, "c": 2}, "d": [1], "pay": 7})),
        (value!([]), value!({"a": {"b": 1, "c": 2}, "d": [1], "pay": []})),
        (value!(false), value!({"a": {"b": 1, "c": 2}, "d": [1], "pay": false})),
    ] {
        assert_eq!(with(data.clone(), result.clone(), "pay"), merged, "{result}");
    }
    // Data that a filter has replaced by an array are dropped, unless nothing is added.
    assert_eq!(with(value!([1]), value!({"a": 1}), "pay"), value!({"a": 1}));
    assert_eq!(with(value!("x"), value!(7), "pay"), value!({"pay": 7}));
    assert_eq!(with(value!("x"), value!(null), "pay"), value!("x"));
}

/// [R1](docs/serverless-workflow.md#r1): the part of a result that a path selects is merged. A
/// path that selects nothing names the destination.
#[test]
fn selected_results_are_merged_or_put_where_the_path_leads() {
    let data = || value!({"a": {"b": 1}});
    let result = value!({"text": "Hi"});
    let select = |found: Option<Value>, place: &[&str]| with_selected(data(), found.as_ref(), &result, "last", place);
    assert_eq!(select(Some(value!({"a": {"c": 2}})), &["x", "last"]), value!({"a": {"b": 1, "c": 2}}));
    assert_eq!(select(Some(value!("Hi")), &["x", "last"]), value!({"a": {"b": 1}, "last": "Hi"}));
    assert_eq!(select(Some(value!(null)), &["last"]), value!({"a": {"b": 1}, "last": null}));
    assert_eq!(select(None, &["greeting"]), value!({"a": {"b": 1}, "greeting": {"text": "Hi"}}));
    assert_eq!(select(None, &["a", "x", "y"]), value!({"a": {"b": 1, "x": {"y": {"text": "Hi"}}}}));
    assert_eq!(select(None, &["a", "b", "c"]), value!({"a": {"b": {"c": {"text": "Hi"}}}}));
    // A path that can select several places names no destination.
    assert_eq!(select(None, &[]), data());
}

#[test]
fn values_are_put_where_names_lead() {
    assert_eq!(set(value!({"a": 1}), &["b"], value!(2)), value!({"a": 1, "b": 2}));
    assert_eq!(set(value!({"a": {"x": 1}}), &["a", "y"], value!(2)), value!({"a": {"x": 1, "y": 2}}));
    assert_eq!(set(value!({"a": [1]}), &["a", "y"], value!(2)), value!({"a": {"y": 2}}));
    assert_eq!(set(value!({"a": {"x": 1}}), &["a"], value!({"y": 2})), value!({"a": {"y": 2}}));
    assert_eq!(set(value!("data"), &["a", "b"], value!(null)), value!({"a": {"b": null}}));
}

/// [R9](docs/serverless-workflow.md#r9).
#[test]
fn injected_members_replace_others_whole() {
    let data = value!({"greeting": {"hello": "Hello", "to": "World"}, "n": 1});
    let members = value!({"greeting": {"to": "World!"}, "m": 2});
    assert_eq!(injected(data, members), value!({"greeting": {"to": "World!"}, "n": 1, "m": 2}));
    assert_eq!(injected(value!([1]), value!({"a": null})), value!({"a": null}));
}

/// [R5](docs/serverless-workflow.md#r5).
#[test]
fn attributes_of_events_are_seen_where_the_data_have_no_such_names() {
    let event = value!({"specversion": "1.0", "id": "1", "source": "/s", "type": "paid", "order": "7", "data": {"type": "card", "sum": 9}});
    assert_eq!(event_data(&event), value!({"type": "card", "sum": 9}));
    let view = event_view(&event);
    let seen = |name: &str| view.get(name).cloned();
    assert_eq!(
        [seen("type"), seen("sum"), seen("order"), seen("source")].map(Option::unwrap_or_default),
        [value!("card"), value!(9), value!("7"), value!("/s")]
    );
    assert_eq!(
        with_event(value!({"id": "mine", "a": 1}), &event),
        value!({"id": "mine", "a": 1, "sum": 9, "specversion": "1.0", "source": "/s", "type": "card", "order": "7"})
    );
    assert_eq!(with_event(value!([1]), &event), value!([1]));
    let bare = value!({"id": "1", "type": "paid"});
    assert_eq!((event_data(&bare), event_view(&bare)), (Value::Null, bare.clone()));
    let text = value!({"id": "1", "data": "seven"});
    assert_eq!((event_data(&text), event_view(&text)), (value!("seven"), value!("seven")));
}

#[test]
fn a_set_of_events_is_complete_when_nothing_is_missing() {
    let empty = no_events(2);
    assert_eq!(empty, value!([null, null]));
    assert!(!are_all(&empty) && !are_all(&value!([{"id": "1"}, null])) && are_all(&value!([{"id": "1"}, {"id": "2"}])));
    assert!(!are_all(&Value::Null));
    assert_eq!(noted(&value!([null, {"id": "2"}]), 1), &value!({"id": "2"}));
    assert_eq!(noted(&empty, 7), &Value::Null);
    let fault = incomplete("Gather", &value!([null, {"id": "2"}]));
    assert!(
        fault.to_string().contains("the state `Gather` waited for 2 events, but only 1 arrived in time"),
        "{fault}"
    );
}

/// [R6](docs/serverless-workflow.md#r6).
#[test]
fn errors_have_names_messages_and_traces() {
    let made = |fault: Value| error_in(&fault, trace(&[], "Pay"));
    let task = TraceEntry::Task("pay");
    for (places, expected) in [
        (&[task, TraceEntry::State("Charge")][..], "in the action `pay` of the state `Charge`, in the state `Pay`"),
        (&[task], "in the action `pay` of the state `Pay`"),
        (
            &[TraceEntry::State("Inner"), TraceEntry::State("Outer")],
            "in the state `Inner`, in the state `Outer`, in the state `Pay`",
        ),
        (&[task, TraceEntry::State("Pay")], "in the action `pay` of the state `Pay`"),
    ] {
        assert_eq!(trace(places, "Pay"), expected);
    }
    assert_eq!(
        made(value!({"Error": "Declined", "Cause": "no money"})),
        value!({"name": "Declined", "message": "no money", "trace": "in the state `Pay`"})
    );
    assert_eq!(
        made(value!({"Error": "States.Timeout"})),
        value!({"name": "Timeout", "message": "", "trace": "in the state `Pay`"})
    );
    assert_eq!(
        made(value!({"Error": "E", "Cause": {"code": 4}})),
        value!({"name": "E", "message": r#"{"code":4}"#, "trace": "in the state `Pay`"})
    );
    assert_eq!(made(Value::Null).get("name"), Some(&value!("Error")));
    // Rejected results are not an error.
    let refused = refuse_results(&value!({"a": 1}), "Pay").expect_err("they are refused");
    assert!(
        refused.to_string().contains(r#"the state `Pay` rejects its results and is retried: {"a":1}"#),
        "{refused}"
    );
    assert_eq!(made(value!({"Error": REFUSED_RESULTS, "Cause": "again"})), Value::Null);

    let found = value!({"name": "E"});
    assert_eq!(
        error_view(&value!({"a": 1}), &found),
        value!({"a": 1, "error": {"name": "E"}, "exception": {"name": "E"}})
    );
    assert_eq!(error_view(&value!([1]), &found), value!({"error": {"name": "E"}, "exception": {"name": "E"}}));
    assert_eq!(error_view(&value!([1]), &Value::Null), value!([1]));
    assert_eq!(error_data(&found), value!({"error": {"name": "E"}}));
    assert_eq!(error_data(&Value::Null), value!({}));
    assert_eq!(
        with_error(value!({"a": 1, "error": {"old": 1}}), &found),
        value!({"a": 1, "error": {"old": 1, "name": "E"}})
    );
    assert_eq!(with_error(value!({"a": 1}), &Value::Null), value!({"a": 1}));
    assert_eq!(with_alias(&value!({"error": 1})), value!({"error": 1, "exception": 1}));
    assert_eq!(with_alias(&value!({"error": 1, "exception": 2})), value!({"error": 1, "exception": 2}));
    assert_eq!(with_alias(&value!({"a": 1})), value!({"a": 1}));
    // Only a new error counts.
    let has_new = |before: Value, data: Value| has_new_error(&before, &data);
    assert!(has_new(value!({}), value!({"error": {}})));
    assert!(has_new(value!({"error": 1}), value!({"error": 2})));
    assert!(!has_new(value!({"error": 1}), value!({"error": 1})));
    assert!(!has_new(value!({}), value!({"error": null})) && !has_new(value!({}), value!([])));
}

/// Data in messages are cut short, at a character boundary.
#[test]
fn long_data_are_cut_short_in_messages() {
    for shift in 0..4 {
        let text = format!("{}{}", "a".repeat(shift), "ü".repeat(3000));
        let fault = guard("Pay", "$.ok", &Value::from(text)).to_string();
        assert!(fault.ends_with('…') && fault.len() < SHOWN + 200, "{}", fault.len());
    }
    let fault = guard("Pay", "$.ok", &value!({"ok": false})).to_string();
    assert!(
        fault.contains(r#"the transition from the state `Pay` requires `$.ok`, which is false for {"ok":false}"#),
        "{fault}"
    );
}

#[test]
fn only_an_array_has_elements() {
    assert_eq!(elements(Some(&value!([1])), "$.items"), Ok(&value!([1])));
    for (found, what) in
        [(None, "nothing"), (Some(value!({})), "a value of type object"), (Some(Value::Null), "a value of type null")]
    {
        let fault = elements(found.as_ref(), "$.items").expect_err("it is no array").to_string();
        assert!(
            fault.contains(&format!("`inputCollection` must be an array, but `$.items` selects {what}")),
            "{fault}"
        );
    }
}

/// [R10](docs/serverless-workflow.md#r10): a member that a branch left unchanged does not undo the
/// change of another branch.
#[test]
fn branches_are_joined_in_their_order() {
    let data = value!({"order": {"state": "new", "sum": 5}, "n": 1});
    let outputs = value!([
        {"order": {"state": "paid", "sum": 5}, "n": 1},
        {"order": {"state": "new", "sum": 5, "box": 3}, "n": 1, "packed": true},
        {"order": {"state": "new", "sum": 5}, "n": 2}
    ]);
    assert_eq!(
        with_branches(data.clone(), &outputs, &["pay", "pack", "count"]),
        value!({"order": {"state": "paid", "sum": 5, "box": 3}, "n": 2, "packed": true})
    );
    // If two branches change the same member, the later branch wins.
    let outputs = value!([{"order": {"state": "a"}, "n": 3}, {"order": {"state": "b"}, "n": 1}]);
    assert_eq!(with_branches(data.clone(), &outputs, &["x", "y"]), value!({"order": {"state": "b", "sum": 5}, "n": 3}));
    // An output that is not an object has the name of its branch.
    assert_eq!(with_branches(value!({}), &value!([7, [1]]), &["x", "y"]), value!({"x": 7, "y": [1]}));
    assert_eq!(with_branches(data.clone(), &value!([]), &[]), data);
}

#[test]
fn the_first_branches_are_joined_in_the_order_of_all() {
    let ended = value!([[2, {"n": 2, "c": 1}], [0, {"n": 0, "a": 1}]]);
    assert_eq!(with_first(value!({}), &ended, &["a", "b", "c"]), value!({"n": 2, "a": 1, "c": 1}));
    assert_eq!(with_first(value!({}), &value!([[1, "text"]]), &["a", "b"]), value!({"b": "text"}));
    // Malformed entries are skipped.
    assert_eq!(with_first(value!({"a": 1}), &value!([[7, {}], 3, [-1, {}], []]), &["a"]), value!({"a": 1}));
}

/// [R1](docs/serverless-workflow.md#r1): a result that is the only thing the body produced is the
/// whole output of the iteration.
#[test]
fn one_result_of_an_iteration_is_its_output() {
    assert_eq!(only(value!({"item": 1, "price": 9}), &value!(9)), value!(9));
    assert_eq!(only(value!({"item": 1, "sum": 9}), &value!({"sum": 9})), value!({"item": 1, "sum": 9}));
    // The result is null, so the member comes from another state and is not the output.
    assert_eq!(only(value!({"price": 9}), &Value::Null), value!({"price": 9}));
}

/// [R4](docs/serverless-workflow.md#r4): each value, the text that it is compared with, the result
/// of `equals`, and their order.
#[test]
fn values_are_compared_with_texts() {
    let rows = [
        (Some(value!(9)), "10", false, "<"),
        (Some(value!(10)), "10.0", true, "="),
        (Some(value!(10.5)), " 10 ", false, ">"),
        (Some(value!("9")), "10", false, "<"),
        (Some(value!("1e1")), "10", true, "="),
        (Some(value!("abc")), "abd", false, "<"),
        (Some(value!("abc")), "abc", true, "="),
        (Some(value!("")), "", true, "="),
        // A number and a text are different.
        (Some(value!("abc")), "10", false, ""),
        (Some(value!(10)), "abc", false, ""),
        // Numbers that only Rust accepts are texts.
        (Some(value!("inf")), "inf", true, "="),
        (Some(value!("NaN")), "NaN", true, "="),
        (Some(value!(true)), "true", true, ""),
        (Some(value!(true)), " true ", true, ""),
        (Some(value!(true)), "TRUE", false, ""),
        (Some(value!(false)), "true", false, ""),
        (Some(value!(true)), "1", false, ""),
        (Some(value!("true")), "true", true, "="),
        (Some(value!(null)), "null", true, ""),
        (Some(value!(null)), "0", false, ""),
        (Some(value!([1])), "[1]", true, ""),
        (Some(value!([1])), "1", false, ""),
        (Some(value!({})), "1", false, ""),
        (None, "null", false, ""),
        (None, "", false, ""),
    ];
    for (found, with, equal, order) in rows {
        let fits = |operator| compares(found.as_ref(), operator, with);
        let expected = [
            equal,
            !equal,
            order == "<",
            "<=".contains(order) && !order.is_empty(),
            order == ">",
            ">=".contains(order) && !order.is_empty(),
        ];
        let operators = ["equals", "notequals", "lessthan", "lessthanorequals", "greaterthan", "greaterthanorequals"];
        assert_eq!(operators.map(fits), expected, "{found:?} and {with:?}");
    }
    for (found, exists, null) in [(None, false, false), (Some(Value::Null), true, true), (Some(value!(0)), true, false)]
    {
        let fits = |operator| compares(found.as_ref(), operator, "whatever");
        assert_eq!(
            ["exists", "notexists", "null", "notnull"].map(fits),
            [exists, !exists, null, exists && !null],
            "{found:?}"
        );
    }
    assert!(!compares(Some(&value!(1)), "resembles", "1"));
}

#[test]
fn tasks_decide_by_true_or_false() {
    assert_eq!((decides(&value!(true), "fits"), decides(&value!(false), "fits")), (Ok(true), Ok(false)));
    let fault = decides(&value!("true"), "fits").expect_err("a text decides nothing").to_string();
    assert!(fault.contains("the task `fits` decides a condition and must return a boolean, found string"), "{fault}");
    let fault = no_condition("Choose").expect_err("there is none").to_string();
    assert!(fault.contains("no condition of the state `Choose` holds, and the state has no `default`"), "{fault}");
}
