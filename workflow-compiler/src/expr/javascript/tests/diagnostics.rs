//! Tests of diagnostics.

use super::{read_site, read_text};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::{Source, Sources};
use crate::syntax;

/// Returns the code, the marked text and the message of each diagnostic for a function in a JSON
/// file.
fn diagnostics_of(json: &str, variables: &[&str]) -> Vec<(String, String, String)> {
    let mut sources = Sources::default();
    let file = sources.add(Source::new("function.json", json));
    let node = syntax::read(file, &sources, &mut Diagnostics::default());
    let (_, found) = read_site(node.as_text().unwrap(), variables);
    let summary =
        |found: &Diagnostic| (found.code.id.to_owned(), sources.text(found.span).to_owned(), found.message.clone());
    found.iter().map(summary).collect()
}

/// Returns the reason why a function needs an engine.
fn engine(text: &str) -> String {
    let (script, found) = read_text(text, &["v"]);
    script.unwrap_or_else(|| panic!("{text} is refused: {found:?}")).engine.unwrap_or_default()
}

#[test]
fn mistakes_have_places_inside_of_escaped_strings() {
    let found = diagnostics_of(r#""p => {\n  return \"\u00e9\" + + ;\n}""#, &[]);
    let [(code, at, message)] = &found[..] else { panic!("{found:?}") };
    assert_eq!((&**code, &**at), ("WF0330", ";"), "{message}");
    assert!(message.starts_with("invalid JavaScript: "), "{message}");
}

#[test]
fn a_semicolon_at_the_end_is_reported_as_such() {
    let message = "invalid JavaScript: the expression ends before the `;`";
    for (json, at) in [
        (r#""x => x;""#, ";"),
        (r#""function f(x) { return x; };""#, ";"),
        (r#""x => \"\u00e9\"; ;  ""#, "; ;"),
        (r#""x => x // the same;\n;""#, ";"),
    ] {
        let expected = [("WF0330".to_owned(), at.to_owned(), message.to_owned())];
        assert_eq!(diagnostics_of(json, &[]), expected, "{json}");
    }
    // Other errors take precedence.
    let found = diagnostics_of(r#""x => { return ] };""#, &[]);
    assert_eq!(found[0].1, "]", "{found:?}");
    assert_eq!(diagnostics_of(r#""x => x // ;""#, &[]), []);
}

#[test]
fn texts_are_one_function_and_strict() {
    for (text, code) in [
        ("p => p) + (p => p", "WF0330"),
        ("p => p;", "WF0330"),
        ("", "WF0330"),
        ("(a, a) => a", "WF0330"),
        ("function () { with (a) {} }", "WF0330"),
        ("p => { delete p }", "WF0330"),
        ("p => { const x = 1; let x }", "WF0330"),
        ("() => 010", "WF0330"),
        ("p => { break }", "WF0330"),
    ] {
        let (script, found) = read_text(text, &[]);
        assert!(script.is_none(), "{text}");
        assert_eq!(found[0].code.id, code, "{text}: {}", found[0].message);
        assert!(found[0].help.is_some());
    }
    // Calling a value that is not a function is an error at run time.
    for text in ["1 + 1", "({ value: 1 })", "'text'"] {
        let (script, found) = read_text(text, &[]);
        assert!(script.is_some_and(|script| script.engine.is_none()), "{text}");
        assert_eq!(found[0].code.id, "WF0381", "{text}: {}", found[0].message);
    }
    // An expression that may evaluate to a function is left to an engine.
    assert!(read_text("(() => p => p)()", &[]).0.is_some_and(|script| script.engine.is_some()));
    // A trailing comment changes nothing.
    assert!(read_text("p => p // the same", &[]).0.is_some());
}

#[test]
fn hostile_texts_cost_little() {
    for text in [
        "(".repeat(30_000),
        format!("p => {}p", "!".repeat(30_000)),
        "p => ".repeat(6_000) + "p",
        format!("p => p{}", ".a".repeat(10_000)),
        format!("p => p{}", " + p".repeat(8_000)),
        format!("p => {{ {} }}", "if (p) ".repeat(4_000) + ";"),
        format!("p => {}1", "p ? 1 : ".repeat(4_000)),
        " ".repeat(40_000),
    ] {
        let (script, found) = read_text(&text, &[]);
        let needs_engine = script.as_ref().is_some_and(|script| script.engine.is_some());
        assert!(needs_engine || !found.is_empty(), "{}", &text[..40]);
    }
    // Long concatenations are not nested.
    let (script, _) = read_text(&format!("p => 'a'{}", " + p".repeat(2_000)), &[]);
    assert_eq!(script.unwrap().engine, None);
}

#[test]
fn the_code_of_a_function_is_limited() {
    let array = |element: &str, count: usize| format!("p => [{}]", element.repeat(count));
    assert_eq!(engine(&array("-p,", 10_800)), "a function this large at column 1 of the function");
    assert_eq!(engine(&array("-p,", 5_000)), "");
    assert_eq!(engine(&array("p.a,", 8_000)), "");
    // Each function has a copy of what the functions inside of it read.
    let copies = |names: usize, levels: usize| {
        let names: Vec<String> = (0..names).map(|at| format!("a{at}")).collect();
        let names = names.join(",");
        engine(&format!("({{{names}}}) => {} [{names}]", "() =>".repeat(levels)))
    };
    assert_eq!(copies(1_500, 40), "a function this large at column 1 of the function");
    assert_eq!(copies(1_500, 2), "");
    assert_eq!(copies(100, 40), "");
    // A function is emitted once, however often it is called.
    let doubled = (1..=20).map(|at| format!("const f{at} = x => f{}(f{}(x)); ", at - 1, at - 1));
    let doubled = format!("p => {{ const f0 = x => [x, x]; {} return f20(p) }}", doubled.collect::<String>());
    assert_eq!(engine(&doubled), "");
}

#[test]
fn names_that_nothing_declares_are_warned_of() {
    let found = diagnostics_of(r#""p => \"Hello \" + nmae + nmae""#, &["name"]);
    let [(code, at, message)] = &found[..] else { panic!("{found:?}") };
    assert_eq!((&**code, &**at), ("WF0380", "nmae"));
    assert!(message.contains("`nmae`"));
    let (_, found) = read_text("() => nmae", &["name"]);
    assert_eq!(found[0].help.as_deref(), Some("did you mean `name`?"));
    for fine in [
        "() => typeof missing === 'undefined'",
        "() => params.a",
        "() => name + undefined + NaN",
        "x => Math.max(x, JSON.stringify(x))",
        "() => { try { return 1 } catch (e) { return e } }",
    ] {
        assert_eq!(read_text(fine, &["name"]).1, [], "{fine}");
    }
}

#[test]
fn variables_are_those_that_are_mentioned() {
    let of = |text| read_text(text, &["inner", "outer", "params"]).0.unwrap().variables;
    assert_eq!(of("() => outer + inner"), ["outer", "inner"]);
    assert_eq!(of("inner => inner"), [""; 0]);
    assert_eq!(of("() => params"), ["params"]);
    // The text passed to `eval` is unknown.
    assert_eq!(of("p => eval(p.text)"), ["inner", "outer", "params"]);
}

#[test]
fn what_is_not_translated_is_named() {
    for (text, why) in [
        ("p => /a+/.test(p)", "a regular expression, `/a+/`, at column 6 of the function"),
        ("p => {\n  class A {}\n}", "a class at line 2, column 3 of the function"),
        ("function* (p) { yield p }", "a generator at column 1 of the function"),
        ("p => new Map(p)", "`new Map` at column 6 of the function"),
        ("function () { return this.a }", "`this` at column 22 of the function"),
        ("() => 10n", "a BigInt, `10n`, at column 7 of the function"),
        ("p => p`x`", "a tagged template, `p`x``, at column 6 of the function"),
        ("() => ({ get a() { return 1 } })", "a getter, `get a() { return 1 }`, at column 10 of the function"),
        ("() => ({ set a(x) {} })", "a setter, `set a(x) {}`, at column 10 of the function"),
        ("() => ({ __proto__: null })", "a prototype, `__proto__: null`, at column 10 of the function"),
        ("() => [1, , 2]", "a hole in an array at column 11 of the function"),
        ("p => p.constructor", "`.constructor` at column 8 of the function"),
        ("p => eval(p)", "`eval` at column 6 of the function"),
        ("() => Symbol.iterator", "`Symbol.iterator` as a value at column 7 of the function"),
        ("() => Math", "`Math` at column 7 of the function"),
        (
            "p => [Promise.resolve(p)]",
            "a promise that is neither awaited nor returned, `Promise.resolve(p)`, at column 7 of the function",
        ),
        (
            "() => { try { return Promise.reject(1) } catch {} }",
            "a promise that is neither awaited nor returned, `Promise.reject(1)`, at column 22 of the function",
        ),
        ("p => p.map(async x => x)", "an async function whose calls are not all awaited at column 12 of the function"),
        (
            "async () => { const f = async () => 1; const g = f(); return await g }",
            "an async function whose calls are not all awaited at column 25 of the function",
        ),
        ("() => ({ a: new Number(1) })", "`new Number` at column 13 of the function"),
        ("async () => { const a = await new Number(1); return a }", "`new Number` at column 31 of the function"),
        ("() => import('a')", "an import, `import('a')`, at column 7 of the function"),
        ("function () { return arguments[0] }", "`arguments` at column 22 of the function"),
        ("function () { return new.target }", "an expression, `new.target`, at column 22 of the function"),
        ("() => isNaN === v", "`isNaN` at column 7 of the function"),
    ] {
        assert_eq!(engine(text), why, "{text}");
    }
}

#[test]
fn the_place_of_what_is_not_translated_is_known() {
    let (script, _) = read_text("p => /a+/.test(p)", &[]);
    let at = script.unwrap().engine_at.unwrap();
    assert_eq!((at.start, at.end), (5, 9));
}

#[test]
fn promises_are_awaited_where_they_are_returned() {
    for text in [
        "p => Promise.resolve(p)",
        "async p => await p.a",
        "p => { if (p) return Promise.resolve(1); return p ? Promise.resolve(2) : 3 }",
        "p => p.fine ? Promise.resolve(p) : Promise.reject(new Error('no'))",
        "p => Promise.all([p.a, Promise.resolve(p.b), ...p.c])",
        "async p => { const [a, b] = await Promise.all([p.a, p.b]); return a + b }",
        "async p => { const f = async n => n > 0 ? 1 + await f(n - 1) : 0; return await f(p.n) }",
        "async p => { async function f(n) { try { return await p[n] } catch { return Promise.reject(n) } } return { a: await f(1) } }",
        "p => { try { return Promise.resolve(p) } catch (e) { return Promise.reject(e) } }",
        "p => new String(p.a)",
    ] {
        assert_eq!(engine(text), "", "{text}");
    }
}
