//! Tests of the binding of the correlation key.

use crate::{CorrelationBinding, Options, check_only, diagnostics::render, source::Files, source::Source};

const FLOW: &str = r#"{
    "id": "visit", "name": "visit", "version": "1.0", "dataInputSchema": "input.json",
    "events": [
        { "name": "Paid", "type": "paid", "source": "/bank", "correlationToken": "orderId" },
        { "name": "Done", "type": "done", "source": "/shop", "correlationToken": "shop" }
    ],
    "functions": [{ "name": "ask", "resource": "ask" }],
    "states": [
        { "name": "Ask", "type": "callback", "start": { "kind": "default" }, "action": { "functionRef": { "refName": "ask" } },
          "eventRef": "Paid", "end": { "kind": "event", "produceEvent": { "eventRef": "Done" } } }
    ]
}"#;
const SCHEMA: &str = r#"{ "type": "object", "properties": { "order": { "type": "object", "properties": { "id": {} },
    "additionalProperties": false }, "all": { "type": "array" } } }"#;

/// Returns the printed workflow, or the rendered diagnostics of the bindings.
fn bound(bindings: &[(&str, &str)]) -> Result<String, String> {
    let binding = |(attribute, path): &(&str, &str)| CorrelationBinding {
        attribute: (*attribute).to_owned(),
        path: (*path).to_owned(),
    };
    let options = Options { correlate: bindings.iter().map(binding).collect(), ..Options::default() };
    let files = Files::new(|_| Ok(SCHEMA.as_bytes().to_vec()));
    let output = check_only(Source::new("visit.sw.json", FLOW).with_files(files), &options);
    let rendered = output.diagnostics.iter().map(|found| render::render(found, &output.sources, false));
    let rendered: String = rendered.collect();
    match (output.workflow, rendered.is_empty()) {
        (Some(workflow), true) => Ok(workflow.to_string()),
        (_, _) => Err(rendered),
    }
}

#[test]
fn a_path_to_one_value_is_read_from_the_input() {
    for (attribute, path) in [("orderId", "$.order.id"), ("shop", "$.shop"), ("orderId", "$.all[0]['order no']")] {
        let printed = bound(&[(attribute, path)]).expect("it is right");
        assert!(printed.contains(&format!("correlates by {path:?} of the input: ")), "{printed}");
    }
    assert!(bound(&[]).is_ok_and(|printed| !printed.contains("of the input")));
}

#[test]
fn errors_of_bindings_have_a_place() {
    for (bindings, message) in [
        (&[("orderId", "$.order.")][..], "the path of `orderId` in `correlate`:1:"),
        (&[("orderId", "order.id")], "the path of `orderId` in `correlate`:1:1"),
        (&[("orderId", "$order")], "variables are not supported"),
        (&[("orderId", "$")], "not the whole input"),
        (&[("orderId", "$.all[*].id")], "can select several values"),
        (&[("orderId", "$.all[?(@.id)]")], "can select several values"),
        (&[("orderId", "$.order['id', 'no']")], "can select several values"),
        (&[("orderId", "$.order.no")], "`$.order.no` never has a value: "),
        (&[("orderid", "$.order.id")], "did you mean `orderId`?"),
        (&[("patient", "$.order.id")], "use one of `orderId`, `shop`"),
        (&[("orderId", "$.order.id"), ("shop", "$.shop")], "`correlate` binds `orderId` and `shop`"),
    ] {
        let found = bound(bindings).expect_err("it is wrong");
        assert!(found.contains(message), "{bindings:?}: {found}");
    }
}
