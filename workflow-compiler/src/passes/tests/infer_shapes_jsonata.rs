//! Tests of the shapes of expressions in JSONata, and of members that are similar to known ones.

use super::infer_shapes::{after_prepare, jsonata};
use super::*;
use crate::passes::infer_shapes;
use crate::shapes::Shape;

/// Returns the shape of an expression whose input is an open object, a list and a text.
fn shape(expression: &str) -> Shape {
    let workflow = asl(&format!(
        r#"
        QueryLanguage: JSONata
        StartAt: Prepare
        States:
          Prepare:
            Type: Pass
            Output:
              list: [{{ id: 1, tag: a }}, {{ id: 2 }}]
              open: '{{% $states.input %}}'
              text: x
              deep: {{ x: [[[1]]], y: z }}
            Next: Use
          Use:
            Type: Pass
            Output: '{{% {expression} %}}'
            End: true
        "#
    ));
    let shapes = infer_shapes(&workflow, &mut Diagnostics::default()).expect("the definition is small");
    shapes.scopes[crate::model::ScopeId(0)].output.clone()
}

#[test]
fn functions_of_objects_and_lists_have_results() {
    let mut wrong = Vec::new();
    for (expression, expected) in [
        ("$merge([$states.input.open, {\"a\": 1}])", "{ a: 1, … }"),
        ("$merge([{\"a\": 1, \"b\": 2}, {\"a\": \"x\"}])", "{ a: \"x\", b: 2 }"),
        ("$merge([{\"a\": 1}, $states.input.list])", "{ a: any, … }"),
        ("$merge([{\"a\": 1}, $states.input.list[0]])", "{ a: 1, id: 1, tag: \"a\" }"),
        ("$merge($states.input.list)", "{ id?: 1 | 2, tag?: \"a\" }"),
        ("$map($states.input.list, function($v) { $v.id })", "[1 | 2…] | 1 | 2"),
        ("$map($states.input.list, function($v, $i) { {\"n\": $i} }).n", "[integer…] | integer"),
        ("$map($states.input.list, $string)", "[string…] | string"),
        ("$filter($states.input.list, function($v) { $v.id > 1 }).id", "[1 | 2…] | 1 | 2"),
        ("$reduce([1, 2], function($a, $b) { $a + $b }, 0)", "number"),
        ("$reduce([1, 2], function($a, $b) { $b + 1 }, 0)", "number"),
        ("$states.input.list[0].id / 4", "number"),
        ("$states.input.list[0].id * 4", "number"),
        ("$append($states.input.list.id, [3])", "[1 | 2 | 3…]"),
        ("$lookup($states.input, \"text\")", "\"x\""),
        ("$keys($states.input)", "[string…] | string"),
        ("$match($states.input.text, /x/)[0].match", "string"),
        ("$states.input.list ~> $count", "integer"),
        ("$states.input.text ~> $uppercase()", "string"),
        ("$states.input.list.{\"i\": id}", "{ i: 1 | 2 } | [{ i: 1 | 2 }…]"),
        ("$states.input.list^(id).id", "[1 | 2…] | 1 | 2"),
        ("$states.input.list[1].id", "2"),
        ("$states.input.list[-1].id", "2"),
        ("$states.input.list[id = 2].id", "[1 | 2…] | 1 | 2"),
        ("($states.input.list)[0].tag", "\"a\""),
        ("$states.input.list{tag: id}", "{ … }"),
        ("$states.input.open[0]", "any"),
        ("$states.input.open.x[0]", "any"),
        ("$merge([$states.input.open, {\"a\": 1}]).b", "any"),
        ("$sum($states.input.list#$i.($i + id))", "number"),
        ("$sum($states.input.list.id)", "number"),
        // Predicates apply to what a step yields for each item.
        ("$states.input.list.$split(tag, \",\")[0]", "[string…] | string"),
        ("$states.input.list.($split(tag, \",\"))[0]", "[string…] | string"),
        ("$states.input.list.*[0]", "[\"a\" | 1 | 2…] | \"a\" | 1 | 2"),
        ("$states.input.list.($split(\"a\", \"\")[0])", "[string…] | string"),
        ("$states.input.deep.$split(y, \",\")[0]", "string"),
        // `*` flattens at any depth.
        ("$states.input.deep.*", "[\"z\" | 1…] | \"z\" | 1"),
    ] {
        let found = shape(expression).to_string();
        if found != expected {
            wrong.push(format!("{expression}: {found}, expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A number that may be an infinity or NaN, which are texts outside of the expression.
const QUOTIENT: &str = "\"-Infinity\" | \"Infinity\" | \"NaN\" | number";

#[test]
fn only_values_that_a_division_can_yield_may_be_infinite() {
    let id = "$states.input.list[0].id";
    for (expression, expected) in [
        (format!("1 / {id}"), QUOTIENT.to_owned()),
        (format!("1 % {id}"), QUOTIENT.to_owned()),
        ("$parseInteger($states.input.text, \"0\")".to_owned(), QUOTIENT.to_owned()),
        // Other members have their own shapes.
        (
            format!("{{\"price\": 2 * {id}, \"ratio\": 1 / {id}, \"name\": $states.input.text}}"),
            format!("{{ name: \"x\", price: number, ratio: {QUOTIENT} }}"),
        ),
        // An operator fails for an operand that is infinite.
        (format!("1 / {id} + 1"), "number".to_owned()),
        (format!("-(1 / {id})"), "number".to_owned()),
        (format!("(1 / {id}) / 2"), "number".to_owned()),
        // These functions return what they get.
        (format!("$max([1, 1 / {id}])"), QUOTIENT.to_owned()),
        ("$sum($map([1, 2], function($v) { 1 / $v }))".to_owned(), QUOTIENT.to_owned()),
        (format!("$abs(1 / {id})"), QUOTIENT.to_owned()),
        (format!("1 / {id} ~> $floor()"), QUOTIENT.to_owned()),
        ("($f := function($v) { 1 / $v }; $round($f(0)))".to_owned(), QUOTIENT.to_owned()),
        (format!("[1 / {id}, $abs({id})]"), format!("[{QUOTIENT}, number]")),
        // Without a division nothing is infinite, also if nothing is known of an argument.
        ("$sum($states.input.open.prices)".to_owned(), "number".to_owned()),
        ("$states.input.open.price * 2".to_owned(), "number".to_owned()),
        ("$round($states.input.open.price, 2)".to_owned(), "number".to_owned()),
        ("$round($states.input.open.price / 3, 2)".to_owned(), "number".to_owned()),
    ] {
        assert_eq!(shape(&expression).to_string(), expected, "{expression}");
    }
    // An operand that may be infinite is a number all the same.
    for expression in ["(1 / $states.input.x) + 1", "$sum([1 / $states.input.x])", "(1 / $states.input.x) < 2"] {
        let states = format!(
            "Prepare: {{ Type: Pass, Output: {{ x: 1 }}, Next: Use }}
             Use: {{ Type: Pass, Output: '{{% {expression} %}}', End: true }}"
        );
        assert_eq!(jsonata(&states), "", "{expression}");
    }
}

#[cfg(feature = "schema-types")]
#[test]
fn a_division_leaves_the_types_of_other_members() {
    let members = "{\"price\": 2 * $states.input.open.price, \"ratio\": 1 / $states.input.open.count}";
    let typed = shape(members).typed().map(|shape| shape.to_string());
    assert_eq!(typed.as_deref(), Some("{ price?: number, ratio?: any }"));
}

#[test]
fn functions_bind_their_parameters_only() {
    for (expression, expected) in [
        ("($x := 1; $map([7], function($x) { $x }); $x)", "1"),
        ("($x := 1; $map([7], function($v) { $x := $v }); $x)", "1"),
        ("($f := function($v) { $v.id }; $f($states.input.list))", "any"),
        ("($map := function($v) { $v }; $map(1))", "any"),
    ] {
        assert_eq!(shape(expression).to_string(), expected, "{expression}");
    }
}

#[test]
fn members_of_results_that_cannot_exist_are_errors() {
    let prepare = "Prepare: { Type: Pass, Output: { list: [{ id: 1 }] }, Next: Use }";
    for (expression, expected) in [
        ("$merge([{\"a\": 1}, {\"b\": 2}]).c", "`$merge([{\"a\": 1}, {\"b\": 2}])` has no member `c`"),
        ("$states.input.list[0].idd", "`$states.input.list[…]` has no member `idd`"),
        ("$states.input.list[id = 1].id", ""),
        ("$states.input.list[id = $states.input.x].y", "`$states.input.list[…]` has no member `y`"),
        ("$filter($states.input.list, function($v) { $v.idd }).id", ""),
        ("$map($states.input.list, function($v) { $v.idd })", ""),
    ] {
        let found = jsonata(&format!("{prepare}\nUse: {{ Type: Pass, Output: '{{% {expression} %}}', End: true }}"));
        let expected = if expected.is_empty() { String::new() } else { format!("error[WF1901]: {expected}") };
        assert_eq!(found, expected, "{expression}");
    }
}

#[test]
fn the_input_of_a_map_without_items_has_items() {
    let distributed = "ProcessorConfig: { Mode: DISTRIBUTED, ExecutionType: STANDARD }, ";
    let object = "[WF1902]: the input of the Map must be an array, found an object";
    for (input, fields, config, expected) in [
        ("{ id: 7 }", "", "", format!("error{object}")),
        ("[{ id: 7 }]", "", "", String::new()),
        ("'{% $states.input %}'", "", "", String::new()),
        ("{ list: [1] }", "Items: '{% $states.input.list %}', ", "", String::new()),
        ("{ id: 7 }", "", distributed, String::new()),
        (
            "x",
            "",
            distributed,
            "error[WF1902]: the input of the Map must be an object or an array, found a string".into(),
        ),
        // A handler can catch the fault.
        ("{ id: 7 }", "Catch: [{ ErrorEquals: [States.ALL], Next: F }], ", "", String::new()),
    ] {
        let map = format!(
            "Use: {{ Type: Map, {fields}ItemProcessor: {{ {config}StartAt: E, States: {{ E: {{ Type: Succeed }} }} }}, \
             Next: F }}\nF: {{ Type: Succeed }}"
        );
        let prepare = |next: &str| format!("Prepare: {{ Type: Pass, Output: {input}, Next: {next} }}");
        assert_eq!(jsonata(&format!("{}\n{map}", prepare("Use"))), expected, "{input} {fields}");
        // Behind a Choice, not each run fails.
        let choice = "Ask: { Type: Choice, Choices: [{ Condition: '{% $states.context.State.Name = \"x\" %}', Next: F }], \
                      Default: Use }";
        let found = jsonata(&format!("{}\n{choice}\n{map}", prepare("Ask")));
        assert_eq!(found, expected.replace("error[", "warning["), "{input} {fields}");
    }
}

#[test]
fn a_name_that_is_only_read_and_similar_to_a_known_one_is_a_warning() {
    let states = |read: &str| {
        diagnostics(
            "asl",
            &format!(
                "
        StartAt: Charge
        States:
          Charge: {{ Type: Pass, Result: {{ id: 7, total: 9 }}, ResultPath: $.receipt, Next: Use }}
          Use: {read}
        "
            ),
        )
    };
    insta::assert_snapshot!(states("{ Type: Pass, Parameters: { x.$: $.reciept.id }, End: true }"), @r"
    warning[WF1957]: `$` is not known to have a member `reciept`
     --> flow.asl.yaml:4:43
      |
    4 |   Use: { Type: Pass, Parameters: { x.$: $.reciept.id }, End: true }
      |                                           ^^^^^^^
      = help: did you mean `receipt`?
    ");
    for (read, expected) in [
        ("{ Type: Pass, InputPath: $.receipts, End: true }", ""),
        ("{ Type: Pass, InputPath: $.decript, End: true }", ""),
        (
            "{ Type: Pass, InputPath: $.recept, End: true }",
            "warning[WF1957]: `$` is not known to have a member `recept`",
        ),
        (
            "{ Type: Pass, InputPath: $.Receipt, End: true }",
            "warning[WF1957]: `$` is not known to have a member `Receipt`",
        ),
        // Something else writes the name.
        (
            "{ Type: Task, Resource: t, ResultPath: $.recept, Next: E }\n          E: { Type: Pass, InputPath: $.recept, End: true }",
            "",
        ),
        (
            "{ Type: Choice, Choices: [{ Variable: $.recept, IsPresent: true, Next: E }], Default: E }\n          E: { Type: Succeed }",
            "",
        ),
        // A test elsewhere is careful, too.
        (
            "{ Type: Choice, Choices: [{ Variable: $.recept.id, IsPresent: true, Next: E }], Default: E }\n          E: { Type: Pass, InputPath: $.recept, End: true }",
            "",
        ),
        (
            "{ Type: Choice, Choices: [{ Variable: $.recept, IsString: true, Next: E }], Default: E }\n          E: { Type: Succeed }",
            "warning[WF1957]: `$` is not known to have a member `recept`",
        ),
    ] {
        let found = heads(&states(read));
        assert!(if expected.is_empty() { !found.contains("WF1957") } else { found == expected }, "{read}: {found}");
    }
    let prepare = "Prepare: { Type: Pass, Output: '{% $merge([$states.input, {\"receipt\": 1}]) %}', Next: Use }";
    for (expression, expected) in [
        ("$states.input.reciept", "warning[WF1957]: `$states.input` is not known to have a member `reciept`"),
        (
            "$map([1], function() { $states.input.reciept })",
            "warning[WF1957]: `$states.input` is not known to have a member `reciept`",
        ),
        ("$exists($states.input.reciept)", ""),
        ("$exists($states.input.reciept) ? $states.input.reciept : 1", ""),
        ("$states.input.reciept ? $states.input.reciept : 1", ""),
        ("($states.input.reciept ~> $exists) and $states.input.reciept.x = 1", ""),
        ("$not($states.input.reciept) or $states.input.reciept.x = 1", ""),
        ("$map([1], function() { $type($states.input.reciept) }) & $states.input.reciept", ""),
        ("$string($states.input.reciept)", "warning[WF1957]: `$states.input` is not known to have a member `reciept`"),
        ("{\"reciept\": $states.input.reciept}", ""),
        ("[$states.input[reciept].id, $states.input.reciept]", ""),
        ("[($states.input)[(reciept)].id, $states.input.reciept]", ""),
        ("[$filter([1], function($v) { $v.reciept }), $states.input.reciept]", ""),
        ("[$single([1], function($v) { ($v.reciept) }), $states.input.reciept]", ""),
        ("[$states.input ~> $sift(function($v) { $v.reciept }), $states.input.reciept]", ""),
        ("$states.input.reciept = null ? 1 : $states.input.reciept", ""),
        ("null != $states.input.reciept ? $states.input.reciept : 1", ""),
        (
            "$map([1], function($v) { $v.reciept }) & $states.input.reciept",
            "warning[WF1957]: `$states.input` is not known to have a member `reciept`",
        ),
    ] {
        let found = jsonata(&format!("{prepare}\nUse: {{ Type: Pass, Output: '{{% {expression} %}}', End: true }}"));
        assert_eq!(found, expected, "{expression}");
    }
    assert_eq!(after_prepare("{ receipt: 1 }", "Use: { Type: Pass, InputPath: $.receipt, End: true }"), "");
}

#[test]
fn results_of_services_have_the_members_that_are_documented() {
    let read = |resource: &str, path: &str| {
        heads(&diagnostics(
            "asl",
            &format!(
                "
        StartAt: Call
        States:
          Call: {{ Type: Task, Resource: '{resource}', TimeoutSeconds: 9, Next: Use }}
          Use: {{ Type: Wait, SecondsPath: {path}, End: true }}
        "
            ),
        ))
    };
    let invoke = "arn:aws:states:::lambda:invoke";
    for (resource, path, expected) in [
        (invoke, "$.Paylaod", "warning[WF1957]: `$` is not known to have a member `Paylaod`"),
        (invoke, "$.Payload.seconds", ""),
        (invoke, "$.other", ""),
        (invoke, "$.ExecutedVersion", "error[WF1902]: `$.ExecutedVersion` must be a number, found a string"),
        (
            "arn:aws-cn:states:::sqs:sendMessage",
            "$.MessageID",
            "warning[WF1957]: `$` is not known to have a member `MessageID`",
        ),
        // A token returns anything.
        ("arn:aws:states:::lambda:invoke.waitForTaskToken", "$.Paylaod", ""),
        ("arn:aws:lambda:eu-west-1:123456789012:function:pay", "$.Paylaod", ""),
        ("arn:aws:states:::glue:startJobRun.sync", "$.JobRunID", ""),
    ] {
        assert_eq!(read(resource, path), expected, "{resource} {path}");
    }
}

#[test]
fn members_of_results_of_services_may_be_missing() {
    for name in ["Payload", "StatusCode"] {
        let found = diagnostics(
            "asl",
            &format!(
                "
        StartAt: Call
        States:
          Call: {{ Type: Task, Resource: 'arn:aws:states:::lambda:invoke', TimeoutSeconds: 9, Next: Use }}
          Use: {{ Type: Choice, Choices: [{{ Variable: $.{name}, IsPresent: true, Next: Some }}], Default: None }}
          Some: {{ Type: Pass, InputPath: $.{name}, End: true }}
          None: {{ Type: Pass, End: true }}
        "
            ),
        );
        assert_eq!(heads(&found), "", "{name}");
    }
}

#[test]
fn types_of_a_new_crate_have_what_is_read_of_services_and_no_more() {
    let workflow = asl("
        StartAt: Call
        States:
          Call:
            Type: Task
            Resource: arn:aws:states:::lambda:invoke
            Parameters: { FunctionName: pay, Payload: { id: 7 } }
            Next: Use
          Use: { Type: Pass, InputPath: $.Payload.receipt, End: true }
        ");
    let shapes = crate::passes::infer_tasks(&workflow).expect("the definition is small");
    let found: Vec<(String, String)> =
        shapes.iter().map(|task| (task.input.to_string(), task.output.to_string())).collect();
    let expected = ("{ FunctionName: \"pay\", Payload: { id: 7 } }", "{ Payload: { receipt: any } }");
    assert_eq!(found, [(expected.0.to_owned(), expected.1.to_owned())]);
}
