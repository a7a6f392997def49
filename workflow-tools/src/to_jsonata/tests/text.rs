//! Tests of the text around the expressions: form, comments, mixed definitions.

use super::{Status, convert, options};
use crate::to_jsonata::{Conversion, to_jsonata};
use std::collections::BTreeMap;
use workflow_compiler::{Options, Source, check_only, read_tree};

fn yaml(text: &str) -> Conversion {
    to_jsonata(Source::new("flow.asl.yaml", text), &options(), None)
}

#[test]
fn json_keeps_its_form() {
    let text = r#"{
  "Comment" : "c",
  "StartAt" : "A",
  "States" : {
    "A" : {
      "Type" : "Pass",
      "InputPath" : "$",
      "Parameters" : { "x.$" : "$.a" },
      "ResultPath" : "$.b",
      "Next" : "B"
    },
    "B" : { "Type" : "Succeed", "OutputPath" : "$.b", "InputPath" : "$" }
  }
}
"#;
    let expected = r#"{
  "QueryLanguage" : "JSONata",
  "Comment" : "c",
  "StartAt" : "A",
  "States" : {
    "A" : {
      "Type" : "Pass",
      "Output" : "{% $merge([$states.input, {'b': {'x': $states.input.a}}]) %}",
      "Next" : "B"
    },
    "B" : { "Type" : "Succeed", "Output" : "{% $states.input.b %}" }
  }
}
"#;
    assert_eq!(&*convert(text).text, expected);
    assert_eq!(&*convert(expected).text, expected);
}

#[test]
fn yaml_keeps_its_form_and_its_comments() {
    let text = "\
# A machine.
StartAt: A
States:
  A:
    # The first.
    Type: Pass
    InputPath: $.a   # chosen
    ResultPath: null
    # Before the parameters.
    Parameters:
      x.$: $.b       # a path
      'y.$': >-
        States.Format('{}!',
        $.c)
      1.$: $.d
    Next: B
  B:
    Type: Choice
    Choices:
      - Variable: $.a
        # The least.
        NumericGreaterThan: 1
        Next: C
      - {Variable: $.b, IsPresent: true, Next: C}
    Default: C
  C: {Type: Succeed, OutputPath: $.x}
";
    let expected = "\
# A machine.
QueryLanguage: \"JSONata\"
StartAt: A
States:
  A:
    # The first.
    Type: Pass
    # chosen
    # Before the parameters.
    Next: B
  B:
    Type: Choice
    Choices:
      - Condition: \"{% $type($states.input.a) = 'number' and $states.input.a > 1 %}\"
        # The least.
        Next: C
      - {Condition: \"{% $exists($states.input.b) %}\", Next: C}
    Default: C
  C: {Type: Succeed, Output: \"{% $states.input.x %}\"}
";
    let converted = yaml(text);
    assert_eq!((converted.status, &*converted.text), (Status::Converted, expected));
    let converted = yaml(&text.replace("    ResultPath: null\n", ""));
    let parameters = "\
    Output:
      x: \"{% $states.input.a.b %}\"       # a path
      \"y\": \"{% $states.input.a.c & '!' %}\"
      \"1\": \"{% $states.input.a.d %}\"
    Next: B
";
    assert!(converted.text.contains(parameters), "{}", converted.text);
}

#[test]
fn aliases_are_converted_once() {
    let text = "\
StartAt: A
States:
  A: &a
    Type: Pass
    Parameters: &p {x.$: $.a}
    Next: B
  B:
    <<: *a
    Next: C
  C:
    Type: Pass
    Parameters: *p
    ResultPath: $.c
    End: true
";
    let converted = yaml(text);
    // The template stays in one state, and becomes a part of an expression in the other.
    let expected = text
        .replace("StartAt", "QueryLanguage: \"JSONata\"\nStartAt")
        .replace("    Parameters: &p {x.$: $.a}", "    Output: &p {x: \"{% $states.input.a %}\"}")
        .replace(
            "    Parameters: *p\n    ResultPath: $.c\n",
            "    Output: \"{% $merge([$states.input, {'c': {'x': $states.input.a}}]) %}\"\n",
        );
    assert_eq!((converted.status, &*converted.text), (Status::Converted, expected.as_str()));
    // The same template with another input.
    let converted = yaml(&text.replace("    ResultPath: $.c\n", "    InputPath: $.i\n"));
    assert_eq!((converted.status, converted.converted.len()), (Status::SharesText, 0));
}

#[test]
fn a_merged_member_does_not_return() {
    let text = "\
StartAt: A
States:
  A: &a
    Type: Pass
    ResultPath: $.a
    Next: B
  B:
    <<: *a
    ResultPath: $
    Next: C
  C: {Type: Succeed}
";
    assert_eq!(yaml(text).status, Status::SharesText);
    assert_eq!(yaml(&text.replace("    ResultPath: $\n", "    ResultPath: $.b\n")).status, Status::Converted);
}

#[test]
fn a_long_text_is_not_repeated_without_a_limit() {
    let name = "n".repeat(100_000);
    let field = |number: usize| format!(r#""x{number}.$": "$""#);
    let fields: Vec<String> = (0..1_000).map(field).collect();
    let text = format!(
        r#"{{"StartAt":"S","States":{{"S":{{"Type":"Pass","InputPath":"$.{name}","Parameters":{{{}}},"End":true}}}}}}"#,
        fields.join(",")
    );
    let converted = convert(&text);
    let messages: Vec<&str> = converted.refused.iter().map(|refusal| refusal.message.as_str()).collect();
    assert_eq!(messages, ["the expressions would repeat a long text too often"]);
}

/// Returns the text with a few bytes replaced, removed, doubled or swapped. The seed determines
/// the changes.
fn flip_bytes(text: &str, seed: u64) -> String {
    const POOL: &[u8] = b"{}[]:,\"'\\ \n#&*!|>-?%@$.~0123456789eE+tfn/=";
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random(2) {
        let at = random(bytes.len());
        match random(3) {
            0 => bytes[at] = POOL[random(POOL.len())],
            1 => bytes.insert(at, POOL[random(POOL.len())]),
            _ => drop(bytes.remove(at)),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn every_text_has_a_conversion_or_a_reason() {
    const TEXT: &str = "\
StartAt: A
States:
  A: &a
    Type: Pass
    Parameters: &p {x.$: $.a[0].b, 'y.$': \"States.Format('{} é', $.c[?(@.d > 1)])\"}
    ResultPath: $.b.c
    Next: B
  B:
    <<: *a
    Next: C
  C:
    Type: Choice
    Choices:
      - {Variable: $.a, StringMatches: 'a*', Next: D}
      - Not: {Variable: $.a, NumericLessThan: 5}
        Next: D
  D:
    Type: Pass
    Parameters: *p
    OutputPath: $.x
    End: true
";
    let json = MIXED;
    let mut converted = 0;
    for seed in 0..1_500 {
        let source = match seed % 2 {
            0 => Source::new("flow.asl.yaml", flip_bytes(TEXT, seed)),
            _ => Source::new("flow.asl.json", flip_bytes(json, seed)),
        };
        converted += usize::from(to_jsonata(source, &options(), None).status == Status::Converted);
    }
    assert!(converted > 20, "{converted}");
}

/// A state that has no equal in JSONata, between two others.
const MIXED: &str = r#"{ "StartAt": "A", "States": {
    "A": { "Type": "Pass", "Parameters": { "x.$": "$.a" }, "Next": "B" },
    "B": { "Type": "Pass", "Parameters": { "x.$": "States.JsonMerge($.a, $.b, true)" }, "Next": "C" },
    "C": { "Type": "Succeed", "OutputPath": "$.x" } } }"#;

#[test]
fn a_state_without_an_equal_keeps_jsonpath() {
    let converted = convert(MIXED);
    let expected = MIXED
        .replace(
            r#""Pass", "Parameters": { "x.$": "$.a" }"#,
            r#""Pass", "QueryLanguage": "JSONata", "Output": { "x": "{% $states.input.a %}" }"#,
        )
        .replace(r#""Succeed", "OutputPath": "$.x""#, r#""Succeed", "Output": "{% $states.input.x %}""#)
        .replace(r#"{ "Type": "Succeed""#, r#"{ "Type": "Succeed", "QueryLanguage": "JSONata""#);
    assert_eq!(converted.converted, ["A", "C"]);
    assert_eq!(&*converted.text, expected);
    let refused: Vec<(&str, u32)> =
        converted.refused.iter().map(|refusal| (refusal.state.as_str(), refusal.span.start)).collect();
    assert_eq!(refused, [("B", MIXED.find("\"States.JsonMerge").unwrap_or_default() as u32)]);
    // Once the state is mended, the machine has JSONata.
    let mended = converted.text.replace(", true)", ", false)");
    let again = convert(&mended);
    assert!(again.refused.is_empty() && again.text.starts_with(r#"{ "QueryLanguage": "JSONata", "StartAt""#));
}

#[test]
fn only_the_states_of_a_name_are_converted() {
    let one = |name: &str| to_jsonata(Source::new("flow.asl.json", MIXED), &options(), Some(name));
    let converted = one("C");
    assert_eq!(converted.converted, ["C"]);
    assert!(converted.text.contains(r#"{ "Type": "Succeed", "QueryLanguage": "JSONata", "Output""#));
    assert_eq!(one("B").refused.len(), 1);
    assert_eq!(one("D").status, Status::UnknownState);
    let inner = r#"{ "StartAt": "P", "States": { "P": { "Type": "Parallel", "OutputPath": "$[0]", "End": true, "Branches": [
        { "StartAt": "Q", "States": { "Q": { "Type": "Pass", "OutputPath": "$.x", "End": true } } }] } } }"#;
    let one = |name: &str| to_jsonata(Source::new("flow.asl.json", inner), &options(), Some(name)).text;
    assert!(one("P").contains(r#""OutputPath": "$.x""#) && one("P").contains("$states.result[0]"));
    assert!(one("Q").contains(r#""OutputPath": "$[0]""#) && one("Q").contains("$states.input.x"));
}

#[test]
fn definitions_with_errors_and_other_languages_are_left() {
    let cases = [
        ("flow.asl.json", r#"{ "StartAt": "A", "States": {} }"#, Status::OriginalHasErrors),
        (
            "flow.composer.json",
            r#"{ "Entry": "a", "Exit": "a", "States": { "a": { "Type": "Pass" } } }"#,
            Status::OtherDialect,
        ),
    ];
    for (name, text, status) in cases {
        let converted = to_jsonata(Source::new(name, text), &Options::default(), None);
        assert_eq!((converted.status, &*converted.text), (status, text), "{name}");
    }
}

#[test]
fn names_and_constants_keep_their_spelling() {
    let text = r#"{"StartAt":"S","States":{"S":{"Type":"Pass","Parameters":{"a\"b.$":"$.x","é":"\u00e9","k.$":"$['\\u00e9 \"']"},"End":true}}}"#;
    let expected = r#"{"QueryLanguage":"JSONata","StartAt":"S","States":{"S":{"Type":"Pass","Output":{"a\"b":"{% $states.input.x %}","é":"\u00e9","k":"{% $states.input.`é \"` %}"},"End":true}}}"#;
    assert_eq!(&*convert(text).text, expected);
}

#[test]
fn new_lines_end_as_those_around_them() {
    let text = "StartAt: A\nStates:\n  A:\n    Type: Pass\n    Result: 1\n    ResultPath: $.x\n    End: true\n";
    let [lines, crlf] = [text.to_owned(), text.replace('\n', "\r\n")].map(|text| yaml(&text).text);
    assert!(lines.starts_with("QueryLanguage: \"JSONata\"\nStartAt"), "{lines}");
    assert_eq!(*crlf, lines.replace('\n', "\r\n"));
}

#[test]
fn states_with_errors_in_the_result_are_found_by_their_place() {
    let text = r#"{"StartAt":"A","States":{"A":{"Type":"Parallel","Next":"B","Branches":[{"StartAt":"C","States":{"C":{"Type":"Pass","Wrong":1,"End":true}}}]},"B":{"Type":"Succeed"}}}"#;
    let source = Source::new("flow.asl.json", text);
    let output = check_only(source.clone(), &Options::default());
    let mut faults = BTreeMap::new();
    let names = ["A", "B", "C"].map(str::to_owned);
    crate::to_jsonata::faulty(&read_tree(source, &Options::default()).0, &names, &output, &mut faults);
    assert_eq!(faults.into_keys().collect::<Vec<_>>(), ["C"]);
}

#[test]
fn a_state_whose_conversion_has_an_error_keeps_jsonpath_alone() {
    let rules: Vec<String> = (0..20_000).map(|n| format!(r#"{{"Variable":"$.a{n}","NumericLessThan":1}}"#)).collect();
    let text = format!(
        r#"{{"StartAt":"A","States":{{"A":{{"Type":"Pass","Result":1,"Next":"B"}},"B":{{"Type":"Choice","Choices":[{{"And":[{}],"Next":"C"}}],"Default":"C"}},"C":{{"Type":"Succeed"}}}}}}"#,
        rules.join(",")
    );
    let converted = convert(&text);
    assert_eq!(
        (converted.status, &converted.converted[..]),
        (Status::Converted, &["A".to_owned(), "C".to_owned()][..])
    );
    let refused: Vec<(&str, &str)> =
        converted.refused.iter().map(|refusal| (refusal.state.as_str(), refusal.message.as_str())).collect();
    let reason = "the converted state would have an error: The expression has more than 1048576 bytes";
    assert_eq!(refused, [("B", reason)]);
    assert!(converted.text.contains(r#""A":{"Type":"Pass","QueryLanguage":"JSONata","Output":1"#));
}
