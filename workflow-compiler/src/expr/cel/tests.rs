//! Tests of accepted and rejected expressions: codes, spans and help.

use super::{CelCondition, read};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::expr::tests::shape::{admits, exact, views};
use crate::source::{FileId, Span};
use crate::syntax::Text;
use workflow_runtime::__private::cel::CelProgram;
use workflow_runtime::{FunctionLimits, Value};

fn try_read(source: &str) -> (Option<CelCondition>, Vec<Diagnostic>) {
    let text = Text::verbatim(source, Span::new(FileId(0), 0, source.len()), 0);
    let mut diagnostics = Diagnostics::default();
    let read = read(&text, &["workflowInput", "error", "name"], None, &mut diagnostics);
    (read, diagnostics.finish())
}

#[test]
fn what_cel_has_is_accepted_with_the_names_that_it_reads() {
    for (source, variables, reads) in [
        ("order.total > 100 && status == 'done'", "", "order status"),
        ("workflowInput.id == id", "workflowInput", "id"),
        ("items.all(i, i.price > limit && items.exists(j, j == i))", "", "items limit"),
        ("items.exists(name, name == 'a') || name == 'b'", "name", "items"),
        ("items.exists(name, .name == 'a')", "name", "items"),
        ("has(order.total) ? order.total > 0 : false", "", "order"),
        ("!has(workflowInput.order)", "workflowInput", ""),
        ("'a' in {'a': 1} && 1 in [1, 2] && 1u == 1", "", ""),
        ("type(a) == string && a.matches(r'\\d+') && matches(a, 'b')", "", "a string"),
        ("timestamp(at) - timestamp('2026-01-01T00:00:00Z') > duration('1h')", "", "at"),
        ("timestamp(at).getFullYear('Europe/Berlin') >= 2026", "", "at"),
        ("items.map(i, i * 2).filter(i, i > 2).size() == 1", "", "items"),
        ("items.map(i, i > 1, i * 2)[0] == size('é')", "", "items"),
        ("a.`b-c` == 1 && a['b-c'] == 1 // what is meant", "", "a"),
        ("double(size(a)) * 1.5 > 2.0 && 1 < 1.5", "", "a"),
        ("a ? b : c", "", "a b c"),
        ("open", "", "open"),
        ("error != null && error.name == \"Timeout\"", "error", ""),
        ("items.exists_one(i, i == 1) && items.existsOne(i, i == 2)", "", "items"),
    ] {
        let (read, found) = try_read(source);
        assert!(found.is_empty(), "{source}: {found:?}");
        let read = read.unwrap_or_else(|| panic!("{source} is refused"));
        assert_eq!(
            (read.variables.join(" "), read.reads.join(" ")),
            (variables.to_owned(), reads.to_owned()),
            "{source}"
        );
        assert_eq!(read.source, source);
    }
}

#[test]
fn what_is_wrong_is_reported_at_its_place() {
    // Expression, code, marked part, part of the message, part of the help.
    for (source, code, marked, message, help) in [
        ("order.total > ", "WF1601", "", "unexpected end of the expression", "values and operators"),
        ("$.order.total > 1", "WF1601", "$", "no `$`", "order.total"),
        ("#error == null", "WF1601", "#", "no `#`", "workflowInput"),
        ("a = 1", "WF1601", "=", "single `=`", "`==`"),
        ("a & b", "WF1601", "&", "single `&`", "`&&`"),
        ("a | b", "WF1601", "|", "single `|`", "`||`"),
        ("a == 1 and b", "WF1601", "and", "unexpected `and`", "`&&`"),
        ("a eq 1", "WF1601", "eq", "unexpected `eq`", "`==`"),
        ("not a", "WF1601", "not", "no `not`", "`!`"),
        ("(a", "WF1601", "", "missing `)`", "bracket"),
        ("a == 'é' && )", "WF1601", ")", "unexpected `)`", "values"),
        ("a ==\n  b c", "WF1601", "c", "unexpected `c`", "values"),
        ("a == 'b", "WF1601", "'b", "unclosed string", "quote"),
        ("if == 1", "WF1601", "if", "`if` is a reserved word", "stateOutputData[\"if\"]"),
        ("has(order)", "WF1601", "order", "must be a member", "has(stateOutputData.order)"),
        ("'éé' == b && has(order)", "WF1601", "order", "must be a member", ""),
        ("'éé' == b ||\n'ü' == c && has(order)", "WF1601", "order", "must be a member", ""),
        ("'éé' == b && a.all(1, true)", "WF1601", "1", "a simple name", ""),
        ("'éé' == b && 99999999999999999999 > a", "WF1601", "99999999999999999999", "out of range", ""),
        ("'éé' == b && if", "WF1601", "if", "`if` is a reserved word", ""),
        ("a.all(1, true)", "WF1601", "1", "a simple name", "list.all"),
        ("99999999999999999999 > a", "WF1601", "99999999999999999999", "out of range", "64 bits"),
        ("a.?b", "WF1601", "", "", ""),
        ("a.trim() == 'b'", "WF1602", "trim", "unknown function `trim`", "startsWith"),
        ("a.startWith('b')", "WF1602", "startWith", "unknown function", "did you mean `startsWith`?"),
        ("é == 'b'", "WF1601", "é", "no `é`", "values"),
        ("'é' == fo(a)", "WF1602", "fo", "unknown function", "the functions include"),
        ("_foo(a) == 1", "WF1602", "_foo", "unknown function", "the functions include"),
        (".foo(a) == 1", "WF1602", "", "unknown function", "the functions include"),
        ("contains(a, 'b')", "WF1602", "contains", "is a method, not a function", "value.contains(argument)"),
        ("a.string() == 'b'", "WF1602", "string", "is a function, not a method", "string(value)"),
        ("a.contains('b', 'c')", "WF1602", "contains", "expected 1, found 2", "write `value.contains(…)`"),
        ("a.exists(x)", "WF1602", "exists", "invalid use of the macro `exists`", "list.exists(x, x > 0)"),
        ("Order{total: 1}.total > 0", "WF1602", "Order", "unknown type `Order`", "in quotes"),
        ("optional.of(1).hasValue()", "WF1602", "of", "unknown function", ""),
        ("size(a)", "WF0326", "size(a)", "must be a boolean, found an int", "compare the value"),
        ("'done'", "WF0326", "'done'", "found a string", "compare"),
        ("a && b.size()", "WF0326", "b.size()", "an operand of `&&`", "compare"),
        ("!'a'", "WF0326", "'a'", "the operand of `!`", "compare"),
        ("1 ? a : b", "WF0326", "1", "before `?`", "compare"),
        ("a.map(x, x)", "WF0326", "", "found a list", "compare"),
        ("size(a) == '3'", "WF0326", "size(a) == '3'", "an int and a string are never equal", "convert"),
        ("size(a) > '3'", "WF0326", "size(a) > '3'", "cannot be ordered", "two numbers"),
        ("size(a) * 1.5 > 2.0", "WF0326", "size(a) * 1.5", "an int and a double", "double(size"),
        ("'abc'.exists(x, true)", "WF0326", "'abc'", "found a string", "list.all"),
        ("a.matches('[A-')", "WF0304", "'[A-'", "not valid", "without look-around"),
        ("a.matches('(?=b)')", "WF0304", "'(?=b)'", "not valid", "without look-around"),
        ("matches(a, '(\\\\w{100}){100}')", "WF0304", "'(\\\\w{100}){100}'", "too large", "repetitions"),
    ] {
        let (read, found) = try_read(source);
        assert_eq!(read, None, "{source}");
        let first = &found[0];
        let context = format!("{source}: {} {} | {:?}", first.code.id, first.message, first.help);
        assert_eq!(first.code.id, code, "{context}");
        if !marked.is_empty() || first.span.start == first.span.end {
            assert_eq!(&source[first.span.start as usize..first.span.end as usize], marked, "{context}");
        }
        assert!(first.message.contains(message), "{context}");
        assert!(first.help.as_deref().is_some_and(|text| !text.is_empty() && text.contains(help)), "{context}");
    }
}

#[test]
fn nesting_and_length_are_limited_before_the_stack_is() {
    let nested = |open: &str, close: &str, times: usize| format!("{}a{} == 1", open.repeat(times), close.repeat(times));
    for (open, close) in
        [("(", ")"), ("[", "][0]"), ("{1: ", "}[1]"), ("size(", ")"), ("!(", ")"), ("-(", ")"), ("1 + (", ")")]
    {
        for times in [1_000, 1_500] {
            let (read, found) = try_read(&nested(open, close, times));
            assert_eq!((read, found[0].code.id), (None, "WF1601"), "{open}");
        }
        let (_, found) = try_read(&nested(open, close, 20));
        assert!(found.iter().all(|found| found.code.id != "WF1601"), "{open}: {found:?}");
    }
    for chain in [
        vec!["a"; 4_000].join("+"),
        format!("a{} == 1", ".b".repeat(3_000)),
        format!("{}a", "!".repeat(8_000)),
        format!("{}a == 1", "-".repeat(8_000)),
        "true ? a : ".repeat(700) + "b",
        format!("a{} == 1", "[0]".repeat(2_000)),
        format!("{}true", "[1].all(x, ".repeat(600)) + &")".repeat(600),
        "(".repeat(8_192),
        "a".repeat(8_193),
        "[".repeat(60) + &"{".repeat(60),
    ] {
        let (read, found) = try_read(&chain);
        let beginning: String = chain.chars().take(20).collect();
        // An even number of `!` or `-` cancels out, and parses.
        assert!(read.is_some() || found[0].code.id == "WF1601", "{beginning}: {found:?}");
        assert!(read.is_none() || beginning.starts_with(['!', '-']), "{beginning}");
    }
    // A wide expression is not nested.
    let (read, found) = try_read(&format!("a in [{}1]", "1, ".repeat(2_000)));
    assert!(read.is_some(), "{found:?}");
    let (read, found) = try_read(&vec!["a"; 2_000].join("&&"));
    assert!(read.is_some(), "{found:?}");
}

/// Combines fragments of expressions in any order. Nothing panics, and each diagnostic has a span
/// and a help.
#[test]
fn any_text_is_read_or_refused() {
    const WORDS: &[&str] = &[
        "a",
        ".b",
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        "'",
        "\"",
        "'c'",
        "1",
        "2.5",
        "1u",
        "&&",
        "||",
        "!",
        "==",
        "<",
        "in",
        "+",
        "-",
        "?",
        ":",
        ",",
        "has(",
        "all(",
        ".map(x,",
        "x",
        "é",
        "\u{0}",
        "\\",
        "//",
        "\n",
        " ",
        "$",
        "`",
        "b'",
        "r\"",
        "null",
        "true",
        "\u{1F600}",
        "...",
        "1e",
        "0x",
    ];
    let mut seed = 1_u64;
    for _ in 0..1_500 {
        let mut text = String::new();
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        for at in 0..seed >> 59 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(at | 1);
            text.push_str(WORDS[(seed >> 33) as usize % WORDS.len()]);
        }
        let (read, found) = try_read(&text);
        assert_eq!(read.is_none(), !found.is_empty(), "{text:?}: {found:?}");
        for found in found {
            let place = text.get(found.span.start as usize..found.span.end as usize);
            assert!(place.is_some() && found.help.is_some(), "{text:?}: {found:?}");
        }
    }
}

/// The examples in the explanations of codes have the diagnostics they document.
#[test]
fn examples_of_explanations_are_what_they_are_said_to_be() {
    for code in crate::expr::cel::codes::ALL {
        let (bad, good) =
            code.explanation.split_once("Bad: ").and_then(|(_, rest)| rest.split_once("Good: ")).expect("examples");
        for example in bad.split('`').skip(1).step_by(2) {
            let (read, found) = try_read(example);
            assert!(read.is_none() && found[0].code == *code, "{}: {example}: {found:?}", code.id);
        }
        for example in good.split('`').skip(1).step_by(2) {
            let (read, found) = try_read(example);
            assert!(read.is_some(), "{}: {example}: {found:?}", code.id);
        }
    }
}

/// Parts of conditions on the data of [`KNOWN`].
const OPERANDS: &[&str] = &[
    "count",
    "price",
    "status",
    "open",
    "nothing",
    "user",
    "user.title",
    "user.titel",
    "user['title']",
    "items",
    "items[0].id",
    "items[1].price",
    "items[9].id",
    "items.id",
    "tags",
    "tags[1]",
    "empty",
    "missing",
    "missing.more",
    "count.more",
    "1",
    "2.5",
    "'done'",
    "''",
    "'7'",
    "null",
    "true",
    "false",
    "[1, 2]",
    "[]",
    "{'a': 1}",
    "size(items)",
    "has(user.title)",
    "has(user.titel)",
    "has(count.more)",
    "string(count)",
    "int(price)",
    "double(count)",
    "status.size()",
    "dyn(count)",
    "items.map(i, i.price)",
    "items.filter(i, i.price > 10)",
    "tags.map(t, t + 'a')[0]",
    "timestamp('2026-01-01T00:00:00Z')",
    "duration('1h')",
    "1u",
    "b'a'",
    "workflowInput",
    "workflowInput.id",
    "'title' in user",
    "'name' in user && user.name == 'a'",
];
const OPERATORS: &[&str] =
    &["==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "&&", "||", "&&", "||", "in", "in"];
const CALLS: &[&str] = &[
    "size()",
    "contains('a')",
    "startsWith('d')",
    "endsWith('e')",
    "matches('[a-z]+')",
    "getFullYear()",
    "all(x, x != null)",
    "exists(x, x == 'x')",
    "exists_one(x, x > 1)",
    "all(x, x.price > 5)",
    "exists(x, x.prise > 5)",
    "map(x, x.id).size()",
    "filter(x, x).size()",
    "map(x, x.price > 5, x.id).size()",
    "all(x, tags.exists(y, y == x.id))",
];
/// The data of random conditions.
const KNOWN: &str = r#"{
    "status": "done", "count": 7, "price": 2.5, "open": true, "nothing": null, "user": {"title": "MANAGER"},
    "items": [{"id": "a-1", "price": 8}, {"id": "b-2", "price": 12}], "tags": ["x", "y"], "empty": []
}"#;

/// Other data, with other members and other kinds of values.
const OTHER: &str = r#"{
    "status": 1, "count": "x", "price": null, "open": true, "user": {"name": "a"}, "items": [{"price": "8"}], "one": 5,
    "tags": {}, "empty": [{"id": 1}], "more": true
}"#;

/// A small random number generator with a seed.
struct Dice(u64);

impl Dice {
    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.roll(list.len())]
    }

    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }
}

fn random(dice: &mut Dice, depth: usize) -> String {
    match dice.roll(if depth == 0 { 1 } else { 7 }) {
        0 | 1 => dice.of(OPERANDS).to_owned(),
        2 => format!("!({})", random(dice, depth - 1)),
        3 => format!("({}).{}", random(dice, depth - 1), dice.of(CALLS)),
        4 => {
            let [test, then, other] = [0; 3].map(|_| random(dice, depth - 1));
            format!("(({test}) ? ({then}) : ({other}))")
        }
        _ => {
            let [left, right] = [0; 2].map(|_| random(dice, depth - 1));
            format!("({left}) {} ({right})", dice.of(OPERATORS))
        }
    }
}

#[test]
fn shapes_admit_the_results_of_random_conditions() {
    let json = |text: &str| Value::from_json(text).expect("JSON");
    let (data, input) = (json(KNOWN), json(r#"{"id": 7}"#));
    let mut dice = Dice(0x2545_F491_4F6C_DD1D);
    let (mut ran, mut decided, mut failing, mut wrong) = (0, 0, 0, Vec::new());
    for _ in 0..3_000 {
        let source = random(&mut dice, 2);
        let (Some(condition), _) = try_read(&source) else { continue };
        let names: Vec<&'static str> = condition.variables.iter().map(|name| &*name.clone().leak()).collect();
        let program = CelProgram::new(source.clone().leak(), names.leak());
        let values: Vec<Value> = condition
            .variables
            .iter()
            .map(|name| if name == "workflowInput" { input.clone() } else { Value::Null })
            .collect();
        let result = program.holds(FunctionLimits::default(), &data, &values);
        for data in views(&data, &[json(OTHER)]) {
            let shapes: Vec<_> = values.iter().map(exact).collect();
            let outcome = condition.outcome(&data, &shapes);
            let shape = outcome.value;
            let is_certain = outcome.remarks.iter().any(|remark| remark.is_certain && remark.kind.fails());
            match &result {
                Ok(result) => {
                    ran += 1;
                    decided += usize::from(shape == crate::shapes::Shape::flag(*result));
                    if is_certain || !admits(&shape, &Value::from(*result)) {
                        wrong.push(format!("{source} is {result}, not {shape}"));
                    }
                }
                Err(_) => failing += usize::from(shape.is_never()),
            }
        }
    }
    println!("{ran} had a result, {decided} were decided, {failing} failures were foreseen");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong[..wrong.len().min(30)].join("\n"));
    assert!(ran > 400 && decided > 100 && failing > 500, "{ran}, {decided}, {failing}");
}
