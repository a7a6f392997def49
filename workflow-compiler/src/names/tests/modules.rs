//! Definitions with hostile names become modules that differ from others in names only.
#![cfg(feature = "asl")]

use super::bindings::{assert_same, meanings};
use super::{HOSTILE, Random, text};
use crate::names::normalized;
use crate::source::Source;
use crate::{Options, compile};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};

/// A definition with placeholders `<0>` and so on for authored names: states first, then
/// variables.
const DEFINITION: &str = r#"{
  "StartAt": "<0>",
  "States": {
    "<0>": { "Type": "Task", "Resource": "arn:aws:lambda:::function:first", "Assign": { "<7>.$": "$.a", "<8>.$": "$.b" },
             "Retry": [{ "ErrorEquals": ["States.ALL"] }], "Catch": [{ "ErrorEquals": ["E"], "Next": "<1>" }], "Next": "<2>" },
    "<1>": { "Type": "Pass", "Parameters": { "x.$": "$<7>", "y.$": "States.Format('{}', $<8>)" }, "ResultPath": "$.r",
             "Next": "<2>" },
    "<2>": { "Type": "Map", "ItemsPath": "$<7>", "MaxConcurrencyPath": "$<8>", "ToleratedFailurePercentagePath": "$<9>",
             "ItemSelector": { "i.$": "$$.Map.Item.Value", "v.$": "$<9>" },
             "ItemProcessor": { "StartAt": "<3>", "States": {
               "<3>": { "Type": "Task", "Resource": "arn:aws:lambda:::function:second", "TimeoutSecondsPath": "$.t",
                        "HeartbeatSecondsPath": "$<8>", "End": true } } },
             "Assign": { "<9>.$": "$[0]" }, "Next": "<4>" },
    "<4>": { "Type": "Choice", "Choices": [
               { "Variable": "$<7>", "StringEqualsPath": "$<8>", "Next": "<5>" },
               { "And": [{ "Variable": "$.x", "IsPresent": true }, { "Variable": "$<9>", "NumericGreaterThan": 1 }], "Next": "<0>" }],
             "Default": "<6>" },
    "<5>": { "Type": "Wait", "SecondsPath": "$<8>", "Next": "<4>" },
    "<6>": { "Type": "Parallel", "Branches": [
               { "StartAt": "<10>", "States": { "<10>": { "Type": "Wait", "TimestampPath": "$<9>", "Next": "<11>" },
                 "<11>": { "Type": "Task", "Resource": "arn:aws:lambda:::function:third", "Parameters": { "a.$": "$<7>" }, "End": true } } }],
             "End": true }
  }
}"#;
const NAMES: usize = 12;
const VARIABLES: std::ops::Range<usize> = 7..10;

/// A generated module.
struct Module {
    functions: Vec<syn::ItemFn>,
    /// The items that functions can call or name, including constants and resume points.
    values: Vec<String>,
    constants: BTreeSet<String>,
    points: Vec<String>,
    /// All identifiers.
    idents: BTreeSet<String>,
}

fn module(workflow: &str, names: &[String]) -> Module {
    let mut definition = DEFINITION.to_owned();
    for (at, name) in names.iter().enumerate() {
        let quoted = crate::expr::Literal::String(name.clone()).to_string();
        definition = definition.replace(&format!("<{at}>"), &quoted[1..quoted.len() - 1]);
    }
    // The shapes of the data do not matter here.
    let allow = vec!["WF1901".to_owned(), "WF1902".to_owned()];
    let options = Options { name: Some(workflow.to_owned()), allow, ..Options::default() };
    let output = compile(Source::new("flow.asl.json", definition.clone()), &options);
    let tokens = output.tokens.unwrap_or_else(|| panic!("{definition}\n{:?}", output.diagnostics));
    let mut idents = BTreeSet::new();
    collect(&tokens, &mut idents);
    let module: syn::ItemMod = syn::parse2(tokens).expect("a module");
    let (mut functions, mut values, mut constants, mut points) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for item in module.content.expect("it has items").1 {
        match item {
            syn::Item::Fn(function) => {
                values.push(function.sig.ident.to_string());
                functions.push(function);
            }
            syn::Item::Static(item) => constants.push(item.ident.to_string()),
            syn::Item::Const(item) => constants.push(item.ident.to_string()),
            syn::Item::Struct(item) if !matches!(item.fields, syn::Fields::Named(_)) => {
                constants.push(item.ident.to_string());
            }
            syn::Item::Enum(item) if item.ident == "State" => {
                points.extend(item.variants.iter().map(|variant| variant.ident.to_string()));
            }
            _ => {}
        }
    }
    values.extend(constants.iter().cloned());
    Module {
        functions,
        values,
        constants: constants.iter().map(|name| normalized(name).into_owned()).collect(),
        points,
        idents,
    }
}

fn collect(tokens: &TokenStream, idents: &mut BTreeSet<String>) {
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(name) => _ = idents.insert(name.to_string()),
            TokenTree::Group(group) => collect(&group.stream(), idents),
            _ => {}
        }
    }
}

#[track_caller]
fn assert_distinct(names: &[String]) {
    let distinct: BTreeSet<String> = names.iter().map(|name| normalized(name).into_owned()).collect();
    assert_eq!(distinct.len(), names.len(), "{names:?}");
}

#[test]
fn hostile_names_change_nothing_but_names() {
    let plain: Vec<String> = (0..NAMES).map(|at| format!("plain{}", char::from(b'a' + at as u8))).collect();
    let expected = module("plain", &plain);
    let own: Vec<String> =
        expected.idents.iter().filter(|name| !name.to_lowercase().contains("plain")).cloned().collect();
    // A file path contains letters without marks only.
    let is_letter = |c: char| c == '_' || c.is_ascii_digit() || unicode_ident::is_xid_start(c);
    let is_variable =
        |name: &str| name.starts_with(unicode_ident::is_xid_start) && name.chars().all(is_letter) && name != "states";
    for seed in 0..150 {
        let random = &mut Random::new(seed);
        let mut any = || match random.below(3) {
            0 => (*random.one_of::<&str>(HOSTILE)).to_owned(),
            1 => random.one_of(&own).clone(),
            _ => text(random),
        };
        let workflow = any();
        let mut names: Vec<String> = Vec::new();
        while names.len() < NAMES {
            let name = any();
            let fits = !VARIABLES.contains(&names.len()) || is_variable(&name);
            if fits && !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
        // Resume points carry variables in the order of their names.
        names[VARIABLES].sort_unstable();
        let found = module(&workflow, &names);
        println!("seed {seed}: {workflow:?} {names:?}");
        assert_distinct(&found.values);
        assert_distinct(&found.points);
        assert_eq!(expected.functions.len(), found.functions.len());
        let mut free = BTreeMap::new();
        for (plain, renamed) in expected.functions.iter().zip(&found.functions) {
            assert_same(&meanings(plain, &expected.constants), &meanings(renamed, &found.constants), &mut free);
        }
    }
}
