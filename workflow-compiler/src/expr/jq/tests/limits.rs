//! Tests of long, deep and growing texts. Nothing panics, and nothing overflows the stack of a
//! test's thread.

use super::super::{ResultMode, parse, read_text};
use super::try_read;

fn refused(source: &str) -> String {
    read_text(source, &[], ResultMode::Value).expect_err("it is refused")
}

#[test]
fn deep_texts_are_refused() {
    let deep = |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(2_000), close.repeat(2_000));
    for source in [
        deep("(", ".", ")"),
        deep("[", ".", "]"),
        deep("{a:", ".", "}"),
        deep("-", ".", ""),
        deep("try ", ".", ""),
        deep("if .", " then 1", " end"),
        deep("\"\\(", "1", ")\""),
        deep(". as $x|", ".", ""),
        deep("def f:", ".", ";.")[..8_000].to_owned(),
        format!(". as {}$x", "[".repeat(2_000)),
        format!(". as {}$x", "{a:".repeat(2_000)),
        deep("1+", "1", ""),
        deep(".a", "", ""),
        deep(".[", ".", "]"),
        deep(".//", ".", ""),
        deep("reduce ", ".", ""),
    ] {
        assert!(refused(&source).contains("nested"), "{}", &source[..40]);
    }
    assert!(refused(&".".repeat(20_000)).contains("16 KiB"));
}

#[test]
fn as_deep_as_allowed_is_translated() {
    for (open, close, times) in [("[", "]", 20), ("(1+", ")", 12), ("{a:", "}", 30), ("try (", ")", 10)] {
        let source = format!("{}.{}", open.repeat(times), close.repeat(times));
        assert!(read_text(&source, &[], ResultMode::Value).is_ok_and(|filter| filter.engine.is_none()), "{source}");
    }
    for (part, between) in [(".a", "|"), (".a", ","), (".", "+"), ("$value", "//")] {
        let source = vec![part; parse::MAX_NESTING - 3].join(between);
        let filter = read_text(&source, &["value"], ResultMode::Value).unwrap_or_else(|why| panic!("{between}: {why}"));
        assert_eq!(filter.engine, None, "{between}");
    }
}

#[test]
fn code_that_grows_without_measure_is_left_to_an_engine() {
    let doubled = vec!["(.[], .[])"; 16].join("|");
    let functions: String = (1..40).map(|n| format!("def f{n}: f{}, f{};", n - 1, n - 1)).collect();
    let nested: String = (1..60).map(|n| format!("def f{n}: f{} | .;", n - 1)).collect();
    for source in [doubled, format!("def f0: .; {functions} f39")] {
        let (filter, diagnostics) = try_read(&source, ResultMode::Value);
        let refused = filter.is_none_or(|filter| filter.engine.is_some());
        assert!(refused && !diagnostics.is_empty(), "{diagnostics:?}");
    }
    // A deep program parses, even if it cannot be translated.
    let (_, diagnostics) = try_read(&format!("def f0: .; {nested} f59"), ResultMode::Value);
    assert!(diagnostics.len() <= 1, "{diagnostics:?}");
}

#[test]
fn the_code_of_a_program_is_limited() {
    let engine = |source: &str| {
        let filter = read_text(source, &["value"], ResultMode::Value);
        filter.unwrap_or_else(|why| panic!("{}: {why}", &source[..40])).engine
    };
    let doubled = |times: usize| {
        let functions = (1..=times).map(|at| format!("def f{at}: [f{}, f{}]; ", at - 1, at - 1));
        format!("def f0: .a; {} f{times}", functions.collect::<String>())
    };
    let repeated = |text: &str, times: usize| format!("def f: \"{text}\"; [{}]", vec!["f"; times].join(","));
    let long = "x".repeat(8_000);
    for large in [
        doubled(12),
        "def a: (., .); def b: a|a; def c: b|b; def d: c|c; def e: d|d; [e|e]".to_owned(),
        repeated(&long, 500),
    ] {
        assert_eq!(engine(&large).as_deref(), Some("a program this large"), "{}", &large[..40]);
    }
    for small in [doubled(6), "def a: (., .); def b: a|a; [b|b]".to_owned(), repeated(&long, 4), repeated("x", 400)] {
        assert_eq!(engine(&small), None, "{}", &small[..20]);
    }
}

/// Returns why a program runs on an engine, or `None` if it is translated.
fn engine_of(source: &str) -> Option<String> {
    let filter = read_text(source, &[], ResultMode::Value);
    filter.unwrap_or_else(|why| panic!("{}: {why}", source.chars().take(60).collect::<String>())).engine
}

#[test]
fn functions_that_call_others_twice_are_counted_within_a_budget() {
    let functions = |params: &str, arguments: &str, times: usize| {
        let call = |at: usize| format!("f{at}({arguments})");
        let doubled = |at: usize| format!("def f{at}({params}): {} + {}; ", call(at - 1), call(at - 1));
        let all: String = (1..=times).map(doubled).collect();
        format!("def f0({params}): g + 1; {all} f{times}({})", arguments.replace("$x", "1").replace('g', ".a"))
    };
    for (params, arguments) in [("g", "g"), ("$x; g", "$x; g"), ("g; h", "g; g")] {
        for times in [16, 20, 40] {
            let engine = engine_of(&functions(params, arguments, times));
            assert_eq!(engine.as_deref(), Some("a program this large"), "{params} {times}");
        }
        assert_eq!(engine_of(&functions(params, arguments, 6)), None, "{params}");
    }
}

#[test]
fn arguments_with_one_value_do_not_nest() {
    let list = |part: &str, times: usize| vec![part; times].join(",");
    let names: Vec<String> = (0..100).map(|at| format!("$v{at}")).collect();
    let pattern = format!("def f: . as [{}] | $v0; [{}]", names.join(","), list("f", 25));
    for source in [
        format!("[{}]", list("has(0)", 1_360)),
        format!("def f: {0}.{1}; def g: {0}f{1}; {0}g{1}", "pow(".repeat(35), ";2)".repeat(35)),
        pattern,
    ] {
        assert_eq!(engine_of(&source), None, "{}", &source[..40]);
    }
    assert!(engine_of(&format!("[{}]", list("has(0, 1)", 1_360))).is_some());
}

#[test]
fn many_variables_are_found_or_reported_in_linear_time() {
    let letters = || ('a'..='z').chain('A'..='Z');
    let names = |count: usize| {
        let names = letters().flat_map(|first| letters().map(move |second| format!("${first}{second}")));
        names.take(count).collect::<Vec<_>>()
    };
    let program = |count: usize, reference: &str, references: usize| {
        format!(". as [{}] | [{}]", names(count).join(","), vec![reference; references].join(","))
    };
    let last = names(2_600).pop().expect("a name");
    assert!(read_text(&program(2_600, &last, 1_300), &[], ResultMode::Value).is_ok());
    let (_, diagnostics) = try_read(&program(2_600, "$00", 1_300), ResultMode::Value);
    assert!(!diagnostics.is_empty());
    let help = refused(&program(10, "$zzzz", 1));
    assert!(help.ends_with("`$aa`, `$ab`, `$ac`, `$ad`, `$ae`, `$af`, `$ag`, `$ah` and 2 more"), "{help}");
}

#[test]
fn no_prefix_of_a_text_panics() {
    let source = r#"def f($a; g): [$a | g]; . as [$x, {b: $y, "c\(1)": [$z]}] ?// $x | label $out | reduce .[]? as $i
        ({"k": 1.5e3, (.a): @uri "é\u00e9\ud83d\ude00\(.b)"}; .[$i]? //= (try error("x") catch ., -1 % 2)) | .a.b[1:2][] |= f(1; .)
        | if . == null and true then break $out elif .c != 1 or (.d <= 2) then ..  else {a, $x} end # comment"#;
    for (end, _) in source.char_indices() {
        let _ = parse::parse(&source[..end]);
    }
    for (start, _) in source.char_indices() {
        let _ = parse::parse(&source[start..]);
    }
    assert!(parse::parse(source).is_ok());
}
