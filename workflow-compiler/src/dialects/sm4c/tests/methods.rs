//! Tests of functions that are methods of gRPC services.

use super::machine;
use crate::source::Files;
use crate::source::Source;
use crate::{Options, Output, check_only};

const FILE: &str = "package acme.v1; message Charge { required string account = 1; optional int64 cents = 2; }
    service Bank { rpc Charge(Charge) returns (Charge); }";

fn calling(arguments: &str) -> Output {
    let text = machine(&format!(
        r#""functions": [{{"name": "charge", "type": "rpc", "operation": "proto/bank.proto#acme.v1.Bank/Charge"}}],
        "states": [{{"name": "A", "start": true, "enterAction": {{"type": "foreach", "input": "${{ .charges }}", "action":
            {{"type": "invokeFunction", "functionName": "Charge", "waitForCompletion": true{arguments}}}}}}}]"#
    ));
    let files = Files::new(|path| match path.as_str() {
        "proto/bank.proto" => Ok(FILE.as_bytes().to_vec()),
        _ => Err("does not exist".to_owned()),
    });
    check_only(Source::new("flow.sm4c.json", text).with_files(files), &Options::default())
}

fn rendered(output: &Output) -> Vec<String> {
    let rendered = output.diagnostics.iter();
    rendered
        .map(|rendered| format!("{} {}: {}", rendered.code.id, output.sources.text(rendered.span), rendered.message))
        .collect()
}

#[test]
#[cfg(feature = "rpc")]
fn they_are_looked_up() {
    let output = calling(r#", "arguments": {"account": "${ .account }", "cents": "12"}"#);
    assert_eq!(rendered(&output), [] as [&str; 0]);
    assert_eq!(output.inputs[0].path.as_str(), "proto/bank.proto");
    let workflow = output.workflow.expect("nothing is wrong");
    assert_eq!(workflow.tasks[crate::model::TaskId(0)].resource, "proto/bank.proto#acme.v1.Bank/Charge");
    let operation = workflow.tasks[crate::model::TaskId(0)].operation.as_deref();
    let Some(crate::model::Operation::Rpc(rpc)) = operation else { panic!("no method") };
    assert_eq!((&*rpc.service, &*rpc.method), ("acme.v1.Bank", "Charge"));
    assert!(!rpc.descriptors.is_empty());
}

#[test]
#[cfg(feature = "rpc")]
fn what_they_are_called_with_is_checked() {
    let rendered = |arguments: &str| rendered(&calling(arguments));
    let wrong = rendered(r#", "arguments": {"acount": "a", "cents": "ten"}"#);
    assert_eq!(wrong[0], "WF1004 \"acount\": `acme.v1.Charge` has no field `acount`");
    assert!(wrong[1].starts_with("WF1004 \"ten\": `cents` must be a 64-bit integer"), "{wrong:?}");
    for arguments in ["", r#", "arguments": {}"#, r#", "arguments": {"account": null}"#] {
        assert_eq!(rendered(arguments), ["WF1004 \"Charge\": missing field `account` in `Charge`"], "{arguments}");
    }
}

#[test]
#[cfg(not(feature = "rpc"))]
fn they_are_left_to_the_program_without_the_feature() {
    let output = calling(r#", "arguments": {"anything": 1}"#);
    let message = "the method `Charge` is not checked: the compiler was built without gRPC";
    assert_eq!(rendered(&output), [format!("WF1051 proto/bank.proto#acme.v1.Bank/Charge: {message}")]);
    assert!(output.inputs.is_empty());
    let workflow = output.workflow.expect("it is a warning");
    assert_eq!(workflow.tasks[crate::model::TaskId(0)].operation, None);
}
