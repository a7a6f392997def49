//! Definitions that attempt to exhaust the machine that compiles them.

use std::fmt::Write as _;
use std::time::{Duration, Instant};
use workflow_compiler::Files;
use workflow_compiler::source::Source;
use workflow_compiler::{Options, Output, compile, pretty};
use workflow_tests::golden::findings;

/// The longest time for a definition, without optimisation.
const LONGEST: Duration = Duration::from_secs(20);

/// Returns the time that this thread has computed, where the system counts it: on a busy machine,
/// a test also waits for others.
fn computed() -> Option<Duration> {
    let counts = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    counts.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Compiles a definition, and fails if that takes too long.
pub fn compiled(name: &str, text: String) -> Output {
    compiled_source(Source::new(name, text))
}

pub fn compiled_source(source: Source) -> Output {
    let (start, before) = (Instant::now(), computed());
    let output = compile(source, &Options::default());
    let took = before.zip(computed()).map_or_else(|| start.elapsed(), |(before, after)| after - before);
    assert!(took < LONGEST, "{took:?}");
    output
}

fn json(text: String) -> Output {
    compiled("flow.asl.json", text)
}

/// Returns the first error of a refused definition.
pub fn refused(output: &Output) -> String {
    assert!(output.is_refused());
    let found = &output.diagnostics[0];
    let place = output.sources.position(found.span);
    format!("{} {}:{} {}", found.code.id, place.line, place.column, found.message)
}

/// Returns a definition of these states, the first of which is `S0`.
fn states(states: impl IntoIterator<Item = String>) -> String {
    let states: Vec<String> = states.into_iter().enumerate().map(|(at, state)| format!("\"S{at}\": {state}")).collect();
    format!("{{\"StartAt\": \"S0\", \"States\": {{\n{}\n}}}}", states.join(",\n"))
}

/// Returns a definition of one Pass state with these fields.
fn pass(fields: &str) -> String {
    states([format!("{{\"Type\": \"Pass\", {fields}, \"End\": true}}")])
}

#[test]
fn deep_values() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = format!("{}0{}", open.repeat(10_000), close.repeat(10_000));
        let output = json(pass(&format!("\"Result\": {deep}")));
        assert!(refused(&output).starts_with("WF0113"), "{}", findings(&output));
        let output = json(open.repeat(1_000_000));
        assert!(refused(&output).starts_with("WF01"), "{}", findings(&output));
    }
    let deep: String = (0..10_000).map(|level| format!("{}a:\n", " ".repeat(level % 200))).collect();
    let output = compiled("flow.asl.yaml", deep);
    assert!(output.is_refused());
    let output = compiled("flow.asl.yaml", format!("a: {}", "[".repeat(100_000)));
    assert!(output.is_refused());
}

#[test]
fn deep_workflows() {
    let nest = |levels: usize| {
        let mut inner = "{\"Type\": \"Pass\", \"End\": true}".to_owned();
        for level in (0..levels).rev() {
            let name = format!("\"L{level}\"");
            inner = format!(
                "{{\"Type\": \"Parallel\", \"Branches\": [{{\"StartAt\": {name}, \"States\": {{{name}: {inner}}}}}], \"End\": true}}"
            );
        }
        states([inner])
    };
    assert!(!json(nest(25)).is_refused());
    let output = json(nest(1_000));
    assert!(refused(&output).starts_with("WF0113"), "{}", findings(&output));
}

#[test]
fn large_texts() {
    let output = json(pass(&format!("\"Result\": \"{}\"", "x".repeat(100 << 20))));
    assert_eq!(refused(&output), "WF0113 1:1 the definition is 104857682 bytes long, but the limit is 4194304 bytes");
    let output = compiled("flow.asl.yaml", format!("StartAt: {}", "x".repeat(100 << 20)));
    assert!(refused(&output).starts_with("WF0113 1:1"), "{}", findings(&output));
    // A text of the largest accepted size, on one line and on many.
    let output = json(pass(&format!("\"Result\": \"{}\"", "x".repeat(3 << 20))));
    assert!(!output.is_refused(), "{}", findings(&output));
    let output = json(format!("{}{}", "\n".repeat(3 << 20), "{]"));
    assert!(output.is_refused());
    assert_eq!(output.sources.position(output.diagnostics[0].span).line, (3 << 20) + 1);
}

#[test]
fn many_values() {
    let output = json(pass(&format!("\"Result\": [{}0]", "0,".repeat(2_000_000))));
    assert!(refused(&output).starts_with("WF0113"), "{}", findings(&output));
    let output = json(pass(&format!("\"Result\": [{}0]", "0,".repeat(300_000))));
    assert!(!output.is_refused(), "{}", findings(&output));
    let members: String = (0..100_000).map(|at| format!("\"k{at}\": {at}, ")).collect();
    let output = json(pass(&format!("\"Result\": {{{members}\"last\": 0}}")));
    assert!(!output.is_refused(), "{}", findings(&output));
}

#[test]
fn many_errors() {
    let output = json(states((0..20_000).map(|_| "{\"Type\": \"Pass\", \"Nxt\": 1}".to_owned())));
    assert!(output.is_refused());
    assert!(output.diagnostics.len() < 300, "{} findings", output.diagnostics.len());
    let output = json(states((0..20_000).map(|at| format!("{{\"Type\": \"Pass\", \"Next\": \"T{at}\"}}"))));
    assert!(output.is_refused());
    assert!(output.diagnostics.len() < 300, "{} findings", output.diagnostics.len());
    let output = json(",".repeat(1_000_000));
    assert!(output.is_refused());
    assert!(output.diagnostics.len() < 300, "{} findings", output.diagnostics.len());
}

#[test]
fn many_states() {
    let next = |at: usize| if at == 4_999 { "\"End\": true".to_owned() } else { format!("\"Next\": \"S{}\"", at + 1) };
    let task = |at: usize| format!("{{\"Type\": \"Task\", \"Resource\": \"f{}\", {}}}", at % 7, next(at));
    let output = json(states((0..5_000).map(task)));
    assert!(!output.is_refused(), "{}", findings(&output));
    // Each state has a constant, a variable and a task of its own.
    let own = |at: usize| {
        format!(
            "{{\"Type\": \"Task\", \"Resource\": \"f{at}\", \"Parameters\": {{\"a\": [{at}, [\"x\", {at}]], \"b.$\": \"$\"}},
             \"Assign\": {{\"v{at}.$\": \"$.v\"}}, {}}}",
            next(at)
        )
    };
    let output = json(states((0..5_000).map(own)));
    assert!(!output.is_refused(), "{}", findings(&output));
}

/// A parser of Rust nests each operator in the one before it, and the layout follows the nesting.
#[test]
fn many_conditions() {
    let condition = |at: usize| format!("{{\"Variable\": \"$.n\", \"NumericEquals\": {at}}}");
    for operator in ["And", "Or"] {
        let conditions: Vec<String> = (0..10_000).map(condition).collect();
        let rule = format!("{{\"{operator}\": [{}], \"Next\": \"S1\"}}", conditions.join(","));
        let choice = format!("{{\"Type\": \"Choice\", \"Choices\": [{rule}], \"Default\": \"S1\"}}");
        let output = json(states([choice, "{\"Type\": \"Succeed\"}".to_owned()]));
        assert!(!output.is_refused(), "{}", findings(&output));
        assert!(pretty(&output).is_some_and(|code| code.contains("9999")));
    }
}

#[test]
fn many_ways() {
    let rule = |at: usize| format!("{{\"Variable\": \"$.n\", \"NumericEquals\": {at}, \"Next\": \"S{}\"}}", 1 + at % 3);
    let rules: Vec<String> = (0..2_000).map(rule).collect();
    let choice = format!("{{\"Type\": \"Choice\", \"Choices\": [{}], \"Default\": \"S1\"}}", rules.join(","));
    let end = || "{\"Type\": \"Succeed\"}".to_owned();
    let output = json(states([choice, end(), end(), end()]));
    assert!(!output.is_refused(), "{}", findings(&output));
    // Every state leads to every other state, and assigns a variable on the way.
    let all = |at: usize| {
        let rules: Vec<String> = (0..100)
            .map(|to| {
                format!(
                    "{{\"Variable\": \"$v{at}\", \"IsPresent\": true, \"Assign\": {{\"v{to}\": 1}}, \"Next\": \"S{to}\"}}"
                )
            })
            .collect();
        match at {
            99 => end(),
            _ => format!("{{\"Type\": \"Choice\", \"Choices\": [{}], \"Default\": \"S99\"}}", rules.join(",")),
        }
    };
    let output = json(states((0..100).map(all)));
    assert!(!output.is_refused(), "{}", findings(&output));
}

#[test]
fn many_variables() {
    let chain = |count: usize| {
        let assign = |at: usize| {
            format!(
                "{{\"Type\": \"Task\", \"Resource\": \"f\", \"Assign\": {{\"v{at}.$\": \"$.v\"}}, \"Next\": \"S{}\"}}",
                at + 1
            )
        };
        let reads: Vec<String> = (0..count).map(|at| format!("\"r{at}.$\": \"$v{at}\"")).collect();
        let last = format!("{{\"Type\": \"Pass\", \"Parameters\": {{{}}}, \"End\": true}}", reads.join(", "));
        states((0..count).map(assign).chain([last]))
    };
    assert!(!json(chain(200)).is_refused());
    // Every state would carry the variables that the last state reads. Code and snapshots would
    // grow quadratically.
    for count in [1_000, 10_000] {
        let output = json(chain(count));
        assert_eq!(refused(&output), "WF0113 1:1 the states have more than 100000 live variables in total");
    }
}

#[test]
fn deep_rules() {
    let nest = |levels: usize| {
        let test = "{\"Variable\": \"$.a\", \"IsNull\": true}".to_owned();
        let rule = (1..levels).fold(test, |inner, _| format!("{{\"Not\": {inner}}}"));
        let choice = format!("{{\"Not\": {rule}, \"Next\": \"S1\"}}");
        states([
            format!("{{\"Type\": \"Choice\", \"Choices\": [{choice}], \"Default\": \"S1\"}}"),
            "{\"Type\": \"Succeed\"}".to_owned(),
        ])
    };
    assert!(!json(nest(100)).is_refused());
    let output = json(nest(5_000));
    assert!(refused(&output).starts_with("WF0113"), "{}", findings(&output));
}

#[test]
fn long_and_deep_expressions() {
    let parameter = |expression: &str| json(pass(&format!("\"Parameters\": {{\"a.$\": \"{expression}\"}}")));
    for (expression, code) in [
        (format!("$.{}", vec!["a"; 10_000].join(".")), "WF0301"),
        (format!("${}", "[0]".repeat(100_000)), "WF0301"),
        (format!("${}", "..a".repeat(1_000)), "WF0301"),
        (format!("${}", "..a".repeat(100)), ""),
        (format!("$[{}]", vec!["0"; 50_000].join(",")), ""),
        (format!("$.a{}", "[?(@.b".repeat(10_000)), "WF0301"),
        (format!("$.a[?({}@.b)]", "!".repeat(10_000)), "WF0301"),
        (format!("$.a[?({}@.b{})]", "(".repeat(10_000), ")".repeat(10_000)), "WF0301"),
        (format!("$.a[?({})]", vec!["@.b"; 5_000].join(" && ")), ""),
        (format!("$.a[?(@.b =~ /{}/)]", "(".repeat(10_000)), "WF0304"),
        (format!("$.a[?(@.b =~ /{}a{}/)]", "(".repeat(5_000), ")".repeat(5_000)), "WF0304"),
        (format!("{}1{}", "States.Array(".repeat(1_000), ")".repeat(1_000)), "WF0310"),
        (format!("States.Array({})", vec!["1"; 20_000].join(", ")), ""),
        (format!("States.Format('{}'{})", "{}".repeat(5_000), ", 1".repeat(5_000)), ""),
        (format!("States.Format('{}", "\\\\'".repeat(10_000)), "WF0310"),
        ("(".repeat(100_000), "WF0310"),
        ("States.".repeat(100_000), "WF0310"),
    ] {
        let output = parameter(&expression);
        let shown: String = expression.chars().take(40).collect();
        match code {
            "" => assert!(!output.is_refused(), "{shown}…: {}", findings(&output)),
            code => assert!(refused(&output).starts_with(code), "{shown}…: {}", findings(&output)),
        }
    }
}

#[test]
fn long_names() {
    let name = |length: usize| "ab".repeat(length / 2);
    let text =
        |name: &str| format!("{{\"StartAt\": \"{name}\", \"States\": {{\"{name}\": {{\"Type\": \"Succeed\"}}}}}}");
    assert!(!json(text(&name(80))).is_refused());
    let output = json(text(&name(128)));
    assert_eq!(
        refused(&output),
        "WF0410 1:142 the name of a state has 128 characters, but the maximum is 80".replace("1:142", &place(&output))
    );
    let task = |name: &str| states([format!("{{\"Type\": \"Task\", \"Resource\": \"{name}\", \"End\": true}}")]);
    for resource in
        [name(128), name(1 << 20), "状".repeat(1000), "\u{301}".repeat(100), ":::::".repeat(1000), "é/".repeat(100)]
    {
        let output = json(task(&resource));
        assert!(!output.is_refused(), "{}", findings(&output));
    }
}

fn place(output: &Output) -> String {
    let place = output.sources.position(output.diagnostics[0].span);
    format!("{}:{}", place.line, place.column)
}

#[test]
fn names_of_all_kinds_become_identifiers() {
    let names = [
        "\u{0}",
        "\u{200b}",
        "\u{feff}",
        "ŉ",
        "ǰ",
        "İ",
        "ß",
        "ﬀ",
        "ℌ",
        "Å",
        "가",
        "\u{1100}\u{1161}",
        "नि",
        "١",
        "x١",
        "²",
        "Ⅷ",
        "_",
        "__",
        "-",
        "r#fn",
        "'a",
        "async",
        "gen",
        "Self",
        "crate",
        "\u{10ffff}",
        "a\u{301}",
        "\u{e9}",
        "𝒳",
        "🎉",
        "…",
        "$crate",
    ];
    let quoted = |name: &str| format!("{:?}", name).replace("\\u{0}", "\\u0000").replace("\\u{200b}", "\u{200b}");
    let mut text =
        String::from("{\"StartAt\": \"first\", \"States\": {\"first\": {\"Type\": \"Pass\", \"Next\": \"N0\"}");
    for (at, name) in names.iter().enumerate() {
        let key = serde_like(name);
        let (this, next) = (format!("\"N{at}\""), format!("N{}", at + 1));
        let _ = write!(
            text,
            ",\n{this}: {{\"Type\": \"Task\", \"Resource\": {key}, \"Next\": {key}}},\n{key}: {{\"Type\": \"Pass\", \"Next\": \"{next}\"}}"
        );
    }
    let _ = write!(text, ",\n\"N{}\": {{\"Type\": \"Succeed\"}}}}}}", names.len());
    let _ = quoted;
    let output = json(text);
    // Some of them share an identifier, which a diagnostic reports if they are tasks.
    assert!(output.diagnostics.iter().all(|found| matches!(found.code.id, "WF0601")), "{}", findings(&output));
}

/// Returns a string of JSON.
fn serde_like(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if (c as u32) < 0x20 => _ = write!(quoted, "\\u{:04x}", c as u32),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[test]
fn strange_characters() {
    for (fields, code) in [
        (r#""Result": "\ud800""#, "WF0109"),
        (r#""Result": "\udc00\ud800""#, "WF0109"),
        (r#""Result": {"\ud83d": 1}"#, "WF0109"),
        (r#""Result": "\u0000\u001f\uffff""#, ""),
        ("\"Result\": \"\u{0}\"", "WF0110"),
        ("\"Result\": \"\u{202e}\u{2066}\"", ""),
        ("\u{feff}\"Result\": 1", "WF01"),
        ("\"Comment\": \"*/ */ // /* \\r\\n ``` \\u2028 {} {{ }} \\\\ #\"", ""),
    ] {
        let output = json(pass(fields));
        match code {
            "" => assert!(!output.is_refused(), "{fields}: {}", findings(&output)),
            code => assert!(refused(&output).starts_with(code), "{fields}: {}", findings(&output)),
        }
    }
    // A byte order mark at the start of a file is not one of its characters.
    assert!(!json(format!("\u{feff}{}", pass("\"Result\": 1"))).is_refused());
}

#[test]
fn yaml_that_grows() {
    let mut bomb = String::from("StartAt: A\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..20 {
        let alias = format!("*a{}", level - 1);
        let _ = writeln!(bomb, "a{level}: &a{level} [{}]", vec![alias; 10].join(", "));
    }
    assert!(refused(&compiled("flow.asl.yaml", bomb)).starts_with("WF0113"));
    let mut merges = String::from("m0: &m0 {a0: 1, b0: 2}\n");
    for level in 1..40 {
        let before = format!("*m{}", level - 1);
        let _ = writeln!(merges, "m{level}: &m{level}\n  <<: [{before}, {before}]\n  a{level}: 1");
    }
    assert!(compiled("flow.asl.yaml", merges).is_refused());
    for cyclic in
        ["a: &a [*a]\n", "a: &a {b: *a}\n", "&a a: *a\n", "a: &a\n  <<: *a\n", "- &a\n- *a\n- &b [&c [*b, *c]]\n"]
    {
        let output = compiled("flow.asl.yaml", cyclic.to_owned());
        assert!(output.is_refused(), "{cyclic}");
    }
    assert!(refused(&compiled("flow.asl.yaml", "a: &a [*a]\n".to_owned())).starts_with("WF0122 1:8"));
    let output = compiled("flow.asl.yaml", "a:\n- ".repeat(50_000));
    assert!(output.is_refused());
    let output = compiled("flow.asl.yaml", "? ".repeat(50_000));
    assert!(output.is_refused());
    let output = compiled("flow.asl.yaml", "!".repeat(100_000) + &"&a ".repeat(10_000) + &"%".repeat(1000));
    assert!(output.is_refused());
}

/// Compiles a workflow whose input has this schema, and fails if that takes too long.
fn with_schema(schema: String) -> Output {
    let flow = r#"{ "id": "flow", "name": "flow", "dataInputSchema": "in.json", "states": [
        { "name": "Pay", "type": "inject", "data": { "a": 1 }, "start": { "kind": "default" }, "end": { "kind": "default" } } ] }"#;
    let files = Files::new(move |_| Ok(schema.clone().into_bytes()));
    compiled_source(Source::new("flow.serverless-workflow.json", flow).with_files(files))
}

/// Returns the codes of a compilation that is not refused.
fn codes_of(output: &Output) -> Vec<&'static str> {
    assert!(!output.is_refused(), "{}", findings(output));
    output.diagnostics.iter().map(|found| found.code.id).collect()
}

/// Returns a schema of `count` definitions, each of which `part` makes from its number and a
/// reference to the next.
fn schema_chain(count: usize, part: impl Fn(usize, &str) -> String) -> String {
    let parts: Vec<String> = (0..count)
        .map(|at| format!("\"a{at}\": {}", part(at, &format!("{{ \"$ref\": \"#/$defs/a{}\" }}", at + 1))))
        .collect();
    format!(
        "{{ \"type\": \"object\", \"properties\": {{ \"a\": {{ \"$ref\": \"#/$defs/a0\" }} }}, \"$defs\": {{ {}, \"a{count}\": {{}} }} }}",
        parts.join(", ")
    )
}

#[test]
fn schemas_that_multiply() {
    for key in ["anyOf", "oneOf"] {
        let of = |at: usize, name: &str| {
            format!("{{ \"properties\": {{ \"{name}{at}\": {{}} }}, \"required\": [\"{name}{at}\"] }}")
        };
        for count in [3, 6, 100] {
            let parts: Vec<String> =
                (0..count).map(|at| format!("{{ \"{key}\": [{}, {}] }}", of(at, "p"), of(at, "q"))).collect();
            let output = with_schema(format!("{{ \"type\": \"object\", \"allOf\": [{}] }}", parts.join(", ")));
            assert_eq!(codes_of(&output), ["WF1452"], "{key} {count}");
        }
    }
    for key in ["allOf", "anyOf", "oneOf"] {
        let output = with_schema(schema_chain(60, |_, next| format!("{{ \"{key}\": [{next}, {next}] }}")));
        assert!(refused(&output).starts_with("WF1406"), "{}", findings(&output));
    }
}

#[test]
fn long_chains_of_schemas() {
    let extended =
        |at: usize, next: &str| format!("{{ \"allOf\": [{next}, {{ \"properties\": {{ \"p{at}\": {{}} }} }}] }}");
    assert_eq!(codes_of(&with_schema(schema_chain(120, extended))), ["WF1452"]);
    for count in [500, 2_000] {
        let output = with_schema(schema_chain(count, extended));
        assert!(refused(&output).starts_with("WF1406"), "{}", findings(&output));
    }
    for count in [2_000, 6_000] {
        let output = with_schema(schema_chain(count, |_, next| next.to_owned()));
        assert!(refused(&output).starts_with("WF1406"), "{}", findings(&output));
    }
    let member = |_: usize, next: &str| format!("{{ \"type\": \"object\", \"properties\": {{ \"x\": {next} }} }}");
    assert_eq!(codes_of(&with_schema(schema_chain(900, member))), [""; 0]);
    assert_eq!(codes_of(&with_schema(schema_chain(4_000, member))), ["WF1452"]);
    // A reference by its anchor does not search the whole file each time.
    let anchors: Vec<String> = (0..4_000).map(|at| format!("\"a{at}\": {{ \"$anchor\": \"n{at}\" }}")).collect();
    let references: Vec<String> = (0..4_000).map(|at| format!("{{ \"$ref\": \"#n{at}\" }}")).collect();
    let output = with_schema(format!(
        "{{ \"prefixItems\": [{}], \"$defs\": {{ {} }} }}",
        references.join(", "),
        anchors.join(", ")
    ));
    assert_eq!(codes_of(&output), ["WF1452"]);
}

#[test]
fn large_schemas() {
    let properties = |count: usize| {
        let properties: Vec<String> = (0..count).map(|at| format!("\"p{at}\": {{ \"type\": \"string\" }}")).collect();
        format!("{{ \"type\": \"object\", \"properties\": {{ {} }} }}", properties.join(", "))
    };
    assert_eq!(codes_of(&with_schema(properties(1_900))), [""; 0]);
    assert_eq!(codes_of(&with_schema(properties(9_000))), ["WF1452"]);
    assert!(refused(&with_schema(properties(20_000))).starts_with("WF1406"));
    let values: Vec<String> = (0..100_000).map(|at| format!("\"v{at}\"")).collect();
    let output = with_schema(format!("{{ \"properties\": {{ \"a\": {{ \"enum\": [{}] }} }} }}", values.join(", ")));
    assert_eq!(codes_of(&output), ["WF1452"]);
}

#[test]
fn files_that_are_large_together() {
    let references: Vec<String> = (0..20).map(|at| format!("{{ \"$ref\": \"part{at}.json\" }}")).collect();
    let schema = format!("{{ \"oneOf\": [{}] }}", references.join(", "));
    let part = format!("{{ \"description\": \"{}\" }}", "x".repeat(15 << 20));
    let files =
        Files::new(move |path| Ok(if path.as_str() == "in.json" { schema.clone() } else { part.clone() }.into_bytes()));
    let flow = r#"{ "id": "flow", "name": "flow", "dataInputSchema": "in.json", "states": [
        { "name": "Pay", "type": "inject", "data": {}, "start": { "kind": "default" }, "end": { "kind": "default" } } ] }"#;
    let output = compile(Source::new("flow.serverless-workflow.json", flow).with_files(files), &Options::default());
    let found = refused(&output);
    assert!(
        found.starts_with("WF0420") && found.contains("the files have more than 67108864 bytes together"),
        "{found}"
    );
}
