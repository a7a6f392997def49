//! Names, comments and values, in every dialect.

use crate::Definition;
use crate::input::{Choices, Texts};
use crate::template::fill;

pub(crate) const SHAPES: u8 = 6;

const STATES_LANGUAGE: &str = r#"{
  "Comment": "«0»",
  "StartAt": "«1»",
  "TimeoutSeconds": 99,
  "States": {
    "«1»": {
      "Type": "Task",
      "Comment": "«2»",
      "Resource": "«3»",
      "Parameters": { "«4»": "«5»", "more": ["«5»", { "«4»": ["«5»"] }], "path.$": "$['«6'»'].x['«7'»']" },
      "ResultPath": "$['«6'»']['«7'»']",
      "TimeoutSeconds": 5,
      "Retry": [{ "ErrorEquals": ["«8»"], "MaxAttempts": 2 }],
      "Catch": [{ "ErrorEquals": ["«9»", "«8»"], "Next": "«10»" }],
      "Next": "«11»"
    },
    "«11»": {
      "Type": "Choice",
      "Choices": [
        { "Variable": "$['«6'»']", "StringEquals": "«12»", "Next": "«13»" },
        { "Not": { "Variable": "$['«7'»']", "StringLessThan": "«5»" }, "Next": "«13»" }
      ],
      "Default": "«10»"
    },
    "«13»": {
      "Type": "Map",
      "ItemsPath": "$['«6'»']",
      "Iterator": {
        "StartAt": "«14»",
        "States": {
          "«14»": { "Type": "Pass", "Result": { "«4»": ["«5»"] }, "ResultPath": "$['«7'»']", "Next": "«15»" },
          "«15»": { "Type": "Task", "Resource": "«16»", "End": true }
        }
      },
      "Next": "«17»"
    },
    "«17»": {
      "Type": "Parallel",
      "Branches": [
        { "StartAt": "«18»", "States": { "«18»": { "Type": "Pass", "Parameters": { "«4»": 1, "text.$": "States.Format('«5f»{}«6f»', $.x)" }, "End": true } } },
        { "StartAt": "«19»", "States": { "«19»": { "Type": "Wait", "Seconds": 3, "End": true } } },
        { "StartAt": "«21»", "States": { "«21»": { "Type": "Pass", "QueryLanguage": "JSONata", "Output": { "«4»": ["{% '«5'»' & $states.input.x %}"] }, "End": true } } }
      ],
      "Next": "«20»"
    },
    "«20»": { "Type": "Task", "Resource": "«3»", "Next": "«10»" },
    "«10»": { "Type": "Fail", "Error": "«8»", "Cause": "«2»" }
  }
}"#;

const COMPOSER: &str = r#"{
  "Entry": "«0»",
  "Exit": "«1»",
  "States": {
    "«0»": { "Type": "Try", "Handler": "«2»", "Next": "«3»" },
    "«3»": { "Type": "Let", "Symbol": "variable", "Value": { "«4»": ["«5»", { "«6»": "«4»" }] }, "Next": "«7»" },
    "«7»": { "Type": "Task", "Action": "«8»", "Next": "«9»" },
    "«9»": { "Type": "End", "Next": "«10»" },
    "«10»": { "Type": "Catch", "Next": "push" },
    "push": { "Type": "Push", "Next": "«11»" },
    "«11»": { "Type": "Choice", "Then": "«12»", "Else": "«2»" },
    "«12»": { "Type": "Task", "Value": { "«6»": "«5»" }, "Next": "«1»" },
    "«2»": { "Type": "Task", "Action": "«13»", "Next": "«1»" },
    "«1»": { "Type": "Pass" }
  }
}"#;

const WORKFLOW_DSL: &str = r#"{
  "id": "«0»",
  "namespace": "«1»",
  "name": "«2»",
  "description": "«3»",
  "version": "1.0",
  "specVersion": "0.1",
  "firstActivity": "«4»",
  "activities": [
    { "name": "«4»", "type": "message", "onMessages": [{ "messageRefs": ["«5»"] }] },
    {
      "name": "«6»",
      "type": "operation",
      "actions": [
        { "name": "«7»", "type": "rest", "operation": "https://shop.example.com/carts", "header": { "X-Lang": "«8»" }, "arguments": { "«9»": "«8»" } },
        { "name": "«10»", "type": "produceMessage", "messageRef": "«11»", "data": { "«9»": "«8»" } }
      ]
    },
    {
      "name": "«12»",
      "type": "switch",
      "dataConditions": [
        { "name": "«13»", "condition": "${ .x }", "end": true },
        { "name": "«14»", "condition": "${ .y }", "transition": { "nextState": "«15»" } }
      ],
      "defaultCondition": { "transition": "«15»" }
    },
    { "name": "«15»", "type": "inject", "data": { "«9»": "«8»" }, "end": true }
  ],
  "messages": [
    { "name": "«5»", "messageType": "event", "kind": "consumed", "type": "«16»", "source": "«17»" },
    { "name": "«11»", "messageType": "event", "kind": "produced", "type": "«18»", "source": "«17»" }
  ]
}"#;

const SERVERLESS_WORKFLOW: &str = r#"{
  "id": "«0»",
  "name": "«1»",
  "description": "«2»",
  "version": "«3»",
  "metadata": { "«4»": "«5»" },
  "events": [
    { "name": "«6»", "source": "«7»", "type": "«8»", "metadata": { "«4»": "«5»" } },
    { "name": "«9»", "source": "«7»", "type": "«10»" }
  ],
  "functions": [{ "name": "«11»", "resource": "«12»", "type": "«5»" }],
  "states": [
    {
      "name": "«13»",
      "type": "event",
      "start": { "kind": "default" },
      "eventsActions": [
        { "eventRefs": ["«6»"], "actions": [{ "name": "«14»", "functionRef": { "refName": "«11»", "parameters": { "«4»": "«5»" } } }] }
      ],
      "transition": { "nextState": "«15»" }
    },
    {
      "name": "«15»",
      "type": "parallel",
      "branches": [
        { "name": "«16»", "states": [{ "name": "«17»", "type": "inject", "data": { "«4»": "«5»" }, "start": { "kind": "default" }, "end": { "kind": "default" } }] },
        { "name": "«18»", "states": [{ "name": "«19»", "type": "delay", "timeDelay": "PT5S", "start": { "kind": "default" }, "end": { "kind": "default" } }] }
      ],
      "transition": { "nextState": "«20»" }
    },
    {
      "name": "«20»",
      "type": "switch",
      "dataConditions": [{ "path": "$['«4'»']", "operator": "equals", "value": "«5»", "transition": { "nextState": "«21»" } }],
      "default": { "nextState": "«21»" }
    },
    {
      "name": "«21»",
      "type": "inject",
      "data": { "«4»": "«5»" },
      "end": { "kind": "event", "produceEvent": { "eventRef": "«9»", "data": { "«4»": "«5»" } } }
    }
  ]
}"#;

const STATE_MACHINE: &str = r#"{
  "name": "«0»",
  "version": "«1»",
  "description": "«2»",
  "metadata": { "«3»": "«4»" },
  "events": [{ "name": "«5»", "type": "«6»" }, { "name": "«7»" }],
  "functions": [{ "name": "«8»", "operation": "api.json#get" }],
  "retries": [{ "name": "«10»", "maxAttempts": 3, "delay": "PT2S" }],
  "states": [
    {
      "name": "«11»",
      "start": true,
      "transitions": [
        { "nextState": "«12»", "eventGroups": [{ "events": ["«5»"], "condition": "${ .x }", "resultHandler": "${ .y = $value }" }] },
        { "nextState": "«13»", "timeout": "00:01:00" }
      ]
    },
    {
      "name": "«12»",
      "enterAction": {
        "type": "invokeFunction",
        "name": "«14»",
        "functionName": "«8»",
        "arguments": { "«3»": "«4»" },
        "waitForCompletion": true,
        "errorHandlers": [{ "retryPolicy": "«10»" }]
      },
      "transitions": [{ "nextState": "«15»", "name": "«16»" }]
    },
    {
      "name": "«15»",
      "enterAction": { "type": "invokeSubflow", "subflowName": "«17»", "arguments": { "«3»": "«4»" }, "waitForCompletion": true },
      "exitAction": { "type": "sendEvent", "event": "«7»", "expression": "${ .x }" }
    },
    { "name": "«13»" }
  ]
}"#;

/// The OpenAPI document of the operation that the state machine calls.
const API: &str = r#"{
  "openapi": "3.1.0",
  "info": { "title": "«9»", "version": "1" },
  "servers": [{ "url": "https://example.com" }],
  "paths": { "/get": { "get": { "operationId": "get", "summary": "«9»", "parameters": [{ "name": "«3»", "in": "query", "schema": { "type": "string" } }], "responses": {} } } }
}"#;

pub(crate) fn definition(choices: &mut Choices<'_>, texts: &Texts) -> Definition {
    let (file, template) = match choices.below(usize::from(SHAPES)) {
        0 => ("flow.asl.json", STATES_LANGUAGE),
        1 => ("flow.composer.json", COMPOSER),
        2 => ("flow.workflow-dsl.json", WORKFLOW_DSL),
        3 => ("flow.serverless-workflow.json", SERVERLESS_WORKFLOW),
        4 => ("flow.sm4c.json", STATE_MACHINE),
        // The place is the name of the file and of the workflow.
        _ => {
            let file = format!("{}.asl.json", texts.get(21).replace(['.', '/', '\\'], " "));
            let text = fill(STATES_LANGUAGE, texts);
            return Definition { file, text, name: Some(texts.get(22).to_owned()), files: Vec::new() };
        }
    };
    let files = vec![("api.json".to_owned(), fill(API, texts))];
    Definition { file: file.to_owned(), text: fill(template, texts), name: None, files }
}
