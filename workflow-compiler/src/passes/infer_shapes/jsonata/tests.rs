//! Tests that compare the results of expressions with their shapes.

use super::{JsonataOutcome, JsonataRemarkKind, MOST_WORK, evaluate, evaluate_in, has_quotients};
use crate::expr::jsonata::tests::Fixed;
use crate::expr::tests::shape::{admits, exact, views};
use crate::shapes::{Access, Shape};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};
use syn::visit::Visit;
use workflow_jsonata::parse;
use workflow_runtime::__private::jsonata::{
    JsonataEnvironment, JsonataLimits, JsonataOutcome as Yielded, JsonataProgram, States,
};
use workflow_runtime::{Object, Value};

/// The folder of the random expressions. `differential/jsonata/grammar.py` makes them.
const DATA: &str = "../differential/jsonata/compiled/data";
/// The folders of the tests of the evaluator and its functions.
const TESTS: [&str; 2] =
    ["../workflow-runtime/src/expr/jsonata/tests", "../workflow-runtime/src/expr/jsonata/functions/tests"];
/// The possible places of the official tests: beside the repository, or beside the folder of its
/// worktrees.
const PLACES: [&str; 2] = ["../../shared", "../../../shared"];
/// The variables with their values.
const VARIABLES: [(&str, &str); 2] = [("bound", r#"[1, 2, {"a": "x"}]"#), ("given", "7")];
/// The stack of a thread, in bytes. Expressions may be nested up to the limit of the evaluation.
const STACK: usize = 64 << 20;
/// A document for the expressions below.
const DOCUMENT: &str = r#"{
    "list": [{"id": 1, "tag": "a", "parts": [1, 2]}, {"id": 2}],
    "one": [{"id": 1, "parts": [7]}],
    "nested": [[{"id": 1}], [{"id": 2}, 3], []],
    "deep": [[{"id": [[1]]}], [{"id": [[2]]}]],
    "rows": [[{"id": [[1, 2], [3, 4]]}], [{"id": [[5, 6]]}]],
    "empty": [], "zero": 0, "big": 1e300, "text": "2026-01-02", "object": {"a": 1, "b": {"a": 2}}
}"#;
/// The number of expressions below whose result exceeds the largest number.
const OVERFLOWING: usize = 2;
/// Expressions whose results are easily thought to be others.
const EXPRESSIONS: &[&str] = &[
    "$range(1, 1, 1)",
    "$range(1, 3, 1)",
    "$range(3, 1, 1)",
    "$range(1, 3, 0)",
    "$range($states.input.zero, 2, 1)[0]",
    "$partition($states.input.empty, 2)",
    "$partition([1, 2, 3], 0)",
    "$partition([1, 2, 3], 2)",
    "$states.input.list.$partition([1, 2, 3], 2)",
    "$states.input.one.$partition([1, 2, 3], 2)",
    "($p := $partition([1, 2, 3], 2); $states.input.one.($p))",
    "($p := $partition([1, 2, 3], 2); $p.$)",
    "($p := $partition([1, 2, 3], 2); $p.$count($))",
    "[{\"x\": 1}, {\"x\": 2}][0].x",
    "[{\"x\": 1}].x",
    "[[{\"x\": 1}], 2][0].x",
    "([{\"x\": 1}])[0].x",
    "($states.input.zero = 0 ? [{\"x\": 1}] : 2)[0].x",
    "function($x)<a:o>{$type($x)}(1)",
    "function($x)<a:x>{$x}(1)",
    "function($x)<a<n>:x>{{\"v\": $x}}(1)",
    "'abc'.function($x)<s-:x>{$x}()",
    "'abc'.function($x, $y)<s-n:x>{$x}(1)",
    "$map([1], function($v)<a>{$v})",
    "$map(1, function($v, $i, $all) {$all})",
    "$map(1, function($v, $i, $all) {$type($all)})",
    "$map(1, function($v, $i, $all) {{\"v\": $all}})",
    "$filter(1, function($v, $i, $all) {$type($all) = \"array\"})",
    "$reduce(1, function($a, $v, $i, $all) {$all}, 2)",
    "$single(1, function($v, $i, $all) {$type($all) = \"array\"})",
    "$reduce([1, 2], function($a, $v) {$a}, $states.input.none)",
    "$reduce([1, 2], function($a, $v) {$a}, $states.input.list[id = 9].tag)",
    "$reduce([], function($a, $v) {$a}, $states.input.none)",
    "$reduce([1], function($a, $v) {\"x\"}, $states.input.none ? \"y\" : $states.input.none)",
    "$formatInteger(1, $states.input.none)",
    "$parseInteger(\"1\", $states.input.none)",
    "$formatNumber(1, $states.input.none)",
    "$hash(\"a\", $states.input.none)",
    "$contains(\"a\", $states.input.none)",
    "$toMillis(\"2026\", \"[Y]-[M]\")",
    "$toMillis($states.input.text, \"[Y]-[M]-[D]\")",
    "$toMillis($states.input.text, $states.input.none)",
    "$contains(\"a\")",
    "$split(\",\")",
    "$substringBefore(\"a\")",
    "$substringAfter(\"a\")",
    "$substring(1, 2)",
    "'abc'.$substring(1, 2)",
    "$pad(5)",
    "$pad(5, \"#\")",
    "'abc'.$pad(5, \"#\")",
    "$replace(\"a\", \"b\")",
    "'abc'.$replace(\"a\", \"x\")",
    "$power(2)",
    "$formatNumber(\"#\")",
    "$formatBase($states.input.none)",
    "$fromMillis(\"[Y]\")",
    "'1'.$split(1)",
    "$split(\",\", 1)",
    "$replace(\"a\", \"b\", 1)",
    "$formatNumber(\"#\", {})",
    "[1e16..1e16]",
    "[9007199254740993..9007199254740993]",
    "$round($states.input.none)",
    "$round(2.5, $states.input.none)",
    "$match(\"ab\", function($s, $at) {$s = \"ab\" ? {\"match\": \"a\", \"start\": \"x\", \"end\": 1, \"groups\": [], \
     \"next\": function() {$states.input.none}} : $states.input.none})",
    "1 / $states.input.zero",
    "{\"v\": $states.input.zero / $states.input.zero}",
    "[$states.input.none].x.y",
    "[$states.input.none].{\"x\": 1}",
    "{$states.input.none: 1 + \"a\"}",
    "{none: $uppercase(1)}",
    "[-1 / $states.input.zero]",
    "$states.input.big * $states.input.big",
    "$states.input.big * $states.input.big - $states.input.big",
    "$sum([$states.input.big * 1e8, $states.input.big * 1e8])",
    "5 % $states.input.zero",
    "$max([1 / $states.input.zero, 1])",
    "$sum([1 / $states.input.zero, 1])",
    "1 / $states.input.zero + 1",
    "$abs(-1 / $states.input.zero)",
    "$floor(1 / $states.input.zero)",
    "$number(1 / $states.input.zero)",
    "$round($states.input.big / 3, -1)",
    "($f := function($v) { 1 / $v }; $max([$f($states.input.zero)]))",
    "$parseInteger($states.input.text, \"I\")",
    "$map([\"abc\"], function($v) { $parseInteger($v, \"0\") })",
    "$states.input.nested.{\"ids\": id, \"all\": $}",
    "$states.input.nested.{\"v\": $count($)}",
    "$states.input.list.(id)[0]",
    "$states.input.list.parts[0]",
    "$states.input.list.parts[-1]",
    "$states.input.one.parts",
    "$states.input.one.parts[]",
    "$states.input.one.(parts[])",
    "$states.input.nested[0]",
    "$states.input.nested[1].id",
    "$states.input.nested.id[0]",
    "$states.input.deep.id",
    "($states.input.deep.id)[1]",
    "$states.input.rows.id",
    "($states.input.rows.id)[2]",
    "$toMillis('300000-01', '[Y]-[M]')",
    "$max([$toMillis('300000-01', '[Y]-[M]'), 1])",
    "$states.input.nested[[0..1]]",
    "$states.input.nested.*",
    "$states.input.list.[id, tag]",
    "$states.input.list.[id][0]",
    "$states.input.one.[id]",
    "$states.input.list.parts.[$]",
    "$states.input.list^(>id).id",
    "$states.input.one^(id)",
    "$states.input.list{$string(id): tag}",
    "$states.input.list.object",
    "$keys($states.input.object.b)",
    "$map([$states.input.object, {}], $keys)",
    "$map([{}], $keys)",
    "$map([1], function($v) {$keys({})})",
    "$map([1], function($v) {[]})",
    "$map([1], function($v) {[$v, $v]})",
    "$map($states.input.list, function($v) {$v.parts})",
    "$map([[1], [2]], $sum)",
    "$map([1, 2], $power)",
    "$map([1, 2], $string)",
    "$map([3, 4], $formatBase)",
    "$map([\"a\"], $contains)",
    "$map(5, $string)",
    "$filter($states.input.empty, function($v) {true})",
    "$single($states.input.one)",
    "$sort(5)",
    "$reverse(5)",
    "$distinct($states.input.list.tag)",
    "$zip([1, 2], $states.input.none)",
    "$zip([1], 2)",
    "$append($states.input.none, [1])",
    "$append($states.input.none, 1)",
    "$append(1, $states.input.none)",
    "$append($states.input.list.parts, $states.input.none)",
    "$lookup($states.input.list, \"parts\")",
    "$lookup($states.input.one, \"parts\")",
    "$lookup($states.input.nested, \"id\")",
    "$lookup($states.input.object, \"c\")",
    "$merge($states.input.list)",
    "$merge($states.input.object)",
    "$merge([])",
    "$merge($states.input.empty)",
    "$merge([$states.input.list, {\"id\": \"x\"}])",
    "$merge([$states.input.none, {\"id\": \"x\"}])",
    "$spread($states.input.object)",
    "$each($states.input.object, function($v) {$v})",
    "$each({}, function($v) {$v})",
    "$sift($states.input.object, function($v) {$v = 1})",
    "$type($states.input.none)",
    "$boolean($states.input.none)",
    "$sum($states.input.empty)",
    "$max($states.input.empty)",
    "$average($states.input.empty)",
    "$join($states.input.list.tag)",
    "$states.input.none + 1",
    "$states.input.none < 1",
    "$states.input.none = 1",
    "$states.input.none & 1",
    "-$states.input.none",
    "$not($states.input.none)",
    "[1..0]",
    "[$states.input.none, 1]",
    "[$states.input.list.id, 1]",
    "[$states.input.empty]",
    "[[]]",
    "[[1, 2][0]]",
    "[[[1], 2][0]]",
    "($x := 1; [1, 2].{\"v\": $x, \"w\": $x := \"a\"})",
    "($x := 1; $states.input.zero = 0 ? $x := \"a\" : 2; $x)",
    "($x := 1; [1, 2][($x := 2; true)]; $x)",
    "($x := 1; [1, 2][$x := true]; $x)",
    "($map := 1; $map)",
    "$states.input.list[0].parts[5]",
    "$states.input.list[-1].tag",
    "$states.input.list[0.9].id",
    "$states.input.list[id > 5]",
    "$states.input.text[0]",
    "$states.input.text[1]",
    "$states.input.object[0].a",
    "$states.input.object.*",
    "$states.input.object.**",
    "$states.input.zero ? 1",
    "$string($states.input.object) ~> $length",
    "$states.input.text ~> $split(\"-\") ~> $count",
    "$trim ~> $uppercase",
];

/// An expression, and the documents that it is run on.
struct Trial<'d> {
    source: String,
    variables: Vec<(String, Value)>,
    documents: &'d [Value],
    /// `false` for an expression that sees no document, but `$states.input`.
    sees_document: bool,
}

/// The numbers of comparisons.
#[derive(Default)]
struct Counts {
    all: AtomicUsize,
    /// Those with a shape of which something is known.
    known: AtomicUsize,
    /// Those left out, because a number exceeds the largest one.
    overflown: AtomicUsize,
}

impl Trial<'_> {
    /// Returns what contradicts the shapes of the expression.
    fn contradictions(&self, counts: &Counts) -> Vec<String> {
        let mut found = Vec::new();
        if parse(&self.source).is_err() {
            return found;
        }
        let names: Vec<&'static str> = self.variables.iter().map(|(name, _)| &*name.clone().leak()).collect();
        let program = JsonataProgram::new(self.source.clone().leak(), names.leak());
        let is_chosen = |number: usize| self.documents.len() < 4 || (number + self.source.len()).is_multiple_of(4);
        for (number, document) in self.documents.iter().enumerate().filter(|(number, _)| is_chosen(*number)) {
            // Nothing is inferred for an input document that is an array.
            let sees_document = self.sees_document && !matches!(document, Value::Array(_));
            let values: Vec<Option<Value>> = self.variables.iter().map(|(_, value)| Some(value.clone())).collect();
            let environment = JsonataEnvironment {
                states: States { input: Some(document), ..States::default() },
                values: &values,
                now: 1_767_323_045_678,
                random: &mut Fixed(42),
                limits: JsonataLimits { steps: 300_000, ..JsonataLimits::default() },
            };
            let yielded = match sees_document {
                true => program.evaluate_document(environment, document),
                false => program.evaluate(environment),
            };
            let yielded = match yielded {
                Ok(Yielded::Value(value)) => Some(value),
                Ok(Yielded::Nothing) => None,
                Ok(Yielded::Function) | Err(_) => continue,
            };
            let views = views(document, self.documents);
            let view = &views[(number + self.source.len()) % views.len()];
            found.extend(self.contradiction(&self.source, view, sees_document, yielded.as_ref(), counts));
            let member = Value::from(yielded.map(|value| ("v".into(), value)).into_iter().collect::<Object>());
            let wrapped = format!("{{\"v\": {}}}", self.source);
            found.extend(self.contradiction(&wrapped, view, sees_document, Some(&member), counts));
        }
        found
    }

    fn contradiction(
        &self,
        source: &str,
        view: &Shape,
        sees_document: bool,
        yielded: Option<&Value>,
        counts: &Counts,
    ) -> Option<String> {
        let node = parse(source).ok()?;
        let input = Access::present(view.clone());
        let variables = self.variables.iter().map(|(name, value)| (&**name, Access::present(exact(value))));
        let values = variables.chain([("states.input", input.clone())]).collect();
        let JsonataOutcome { access, remarks, .. } = match sees_document {
            true => evaluate_in(&node, source, &values, &input),
            false => evaluate(&node, source, &values),
        };
        counts.all.fetch_add(1, Ordering::Relaxed);
        counts.known.fetch_add(usize::from(!access.shape.is_any()), Ordering::Relaxed);
        let is_certain = remarks.iter().any(|remark| match remark.kind {
            JsonataRemarkKind::WrongKind { .. } => true,
            JsonataRemarkKind::NoMember { .. } => yielded.is_some(),
            JsonataRemarkKind::NeverEqual { .. } | JsonataRemarkKind::Unlisted { .. } => false,
        });
        let is_admitted = yielded.map_or(access.may_be_absent, |value| admits(&access.shape, value));
        // Without such a part, only a number that exceeds the largest one makes an infinity.
        if !is_certain
            && !is_admitted
            && !has_quotients(&node)
            && yielded.is_some_and(|value| admits(&access.shape, &with_finite_numbers(value)))
        {
            counts.overflown.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        (is_certain || !is_admitted).then(|| {
            let yields = yielded.map_or_else(|| "nothing".to_owned(), Value::to_string);
            let absent = if access.may_be_absent { " or nothing" } else { "" };
            let remarks: Vec<String> = remarks.iter().map(|remark| format!("{:.60?}", remark.kind)).collect();
            format!("{source}\n  with {view}\n  yields {yields}, not {}{absent} {remarks:?}", access.shape)
        })
    }
}

/// Returns a value with a number in the place of each infinity and NaN.
fn with_finite_numbers(value: &Value) -> Value {
    match value {
        Value::String(text) if matches!(&**text, "Infinity" | "-Infinity" | "NaN") => Value::Float(1.5),
        Value::Array(items) => items.iter().map(with_finite_numbers).collect(),
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| (name.clone(), with_finite_numbers(value)));
            Value::from(members.collect::<Object>())
        }
        other => other.clone(),
    }
}

/// Compares the results of expressions with their shapes. Returns the number of comparisons, of
/// those with a shape of which something is known, and of those left out, because a number exceeds
/// the largest one.
#[track_caller]
fn check(trials: &[Trial<'_>]) -> (usize, usize, usize) {
    let (next, counts, wrong) = (AtomicUsize::new(0), Counts::default(), Mutex::new(Vec::new()));
    let work = || {
        while let Some(trial) = trials.get(next.fetch_add(1, Ordering::Relaxed)) {
            let found = trial.contradictions(&counts);
            if !found.is_empty() {
                wrong.lock().expect("no holder of the lock panics").push(found[0].clone());
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("there are threads");
        }
    });
    let mut wrong = wrong.into_inner().expect("no holder of the lock panics");
    wrong.sort_by_key(String::len);
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
    (counts.all.into_inner(), counts.known.into_inner(), counts.overflown.into_inner())
}

fn json(text: &str) -> Value {
    Value::from_json(text).expect("the text is JSON")
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn variables() -> Vec<(String, Value)> {
    VARIABLES.iter().map(|(name, value)| ((*name).to_owned(), json(value))).collect()
}

#[test]
fn shapes_admit_results_that_are_easily_thought_to_be_others() {
    let documents = [json(DOCUMENT)];
    let trials: Vec<Trial<'_>> = EXPRESSIONS
        .iter()
        .flat_map(|source| {
            let trial = |sees_document| Trial {
                source: (*source).to_owned(),
                variables: variables(),
                documents: &documents,
                sees_document,
            };
            [trial(false), trial(true)]
        })
        .collect();
    for trial in &trials {
        assert!(parse(&trial.source).is_ok(), "{}", trial.source);
    }
    let (all, known, overflown) = check(&trials);
    assert!(all >= 500 && known >= 300, "{known} of {all}");
    // Each of them alone and as a member, with a document and without.
    assert_eq!(overflown, 4 * OVERFLOWING);
}

/// The pairs of texts in a file of tests: an expression, and what it yields.
#[derive(Default)]
struct Pairs(Vec<String>);

impl Visit<'_> for Pairs {
    fn visit_expr_tuple(&mut self, tuple: &syn::ExprTuple) {
        let texts = tuple.elems.iter().filter_map(|element| match element {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        });
        self.0.extend(texts.take(1));
        syn::visit::visit_expr_tuple(self, tuple);
    }
}

#[test]
fn shapes_admit_the_results_of_the_tests_of_functions() {
    let mut pairs = Pairs::default();
    for folder in TESTS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for entry in fs::read_dir(folder).expect("the folder exists") {
            let file = syn::parse_file(&text(&entry.expect("the folder can be read").path()));
            pairs.visit_file(&file.expect("the file is Rust"));
        }
    }
    let inputs = json(&text(&Path::new(env!("CARGO_MANIFEST_DIR")).join(DATA).join("inputs.json")));
    let mut documents = vec![json(DOCUMENT)];
    documents.extend(inputs.as_array().into_iter().flat_map(|inputs| inputs.iter().cloned()));
    let variables = variables();
    let trials: Vec<Trial<'_>> = pairs
        .0
        .into_iter()
        .map(|source| Trial { source, variables: variables.clone(), documents: &documents, sees_document: true })
        .collect();
    assert!(trials.len() >= 800, "{}", trials.len());
    let (all, known, overflown) = check(&trials);
    println!("{known} of {all}, {overflown} left out");
    assert!(all >= 2_000 && known >= 1_000 && overflown == 0, "{known} of {all}, {overflown} left out");
}

#[test]
fn shapes_admit_the_results_of_random_expressions() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join(DATA);
    let inputs = json(&text(&data.join("inputs.json")));
    let documents: Vec<Value> = inputs.as_array().expect("a list of documents").to_vec();
    let variables = variables();
    let trials: Vec<Trial<'_>> = text(&data.join("expressions.txt"))
        .lines()
        .map(|source| Trial {
            source: source.to_owned(),
            variables: variables.clone(),
            documents: &documents,
            sees_document: true,
        })
        .collect();
    let (all, known, overflown) = check(&trials);
    println!("{known} of {all}, {overflown} left out");
    assert!(all >= 40_000 && known >= 20_000 && overflown == 0, "{known} of {all}, {overflown} left out");
}

#[test]
fn shapes_admit_the_results_of_the_official_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = |place: &&str| root.join(place).join("corpus/asl2/jsonata_suite.json");
    let Some(path) = PLACES.iter().map(file).find(|path| path.is_file()) else {
        println!("the official tests are in none of the places {PLACES:?}");
        return;
    };
    let suite = json(&text(&path));
    let datasets = json(&text(&path.with_file_name("jsonata_datasets.json")));
    let cases: Vec<_> = suite
        .get("cases")
        .and_then(Value::as_array)
        .expect("the suite has cases")
        .iter()
        .map(|case| {
            let document = match case.get("dataset").and_then(Value::as_str) {
                Some(name) => datasets.get("datasets").and_then(|all| all.get(name)).cloned(),
                None => case.get("data").cloned(),
            };
            let bindings = case.get("bindings").and_then(Value::as_object).into_iter();
            let bindings = bindings.flat_map(|all| all.iter().map(|(name, value)| (name.to_string(), value.clone())));
            let source = case.get("expr").and_then(Value::as_str).expect("a case has an expression").to_owned();
            (source, bindings.collect::<Vec<_>>(), document.map(|document| [document]))
        })
        .collect();
    let none = [Value::Null];
    let trials: Vec<Trial<'_>> = cases
        .iter()
        .map(|(source, variables, document)| Trial {
            source: source.clone(),
            variables: variables.clone(),
            documents: document.as_ref().map_or(&none, |document| document),
            sees_document: document.is_some(),
        })
        .collect();
    let (all, known, overflown) = check(&trials);
    println!("{known} of {all}, {overflown} left out");
    assert!(all >= 1_000 && known >= 400 && overflown == 0, "{known} of {all}, {overflown} left out");
}

/// Evaluates an expression whose input is this value.
fn outcome(source: &str, input: &Shape) -> JsonataOutcome {
    let values = BTreeMap::from([("states.input", Access::present(input.clone()))]);
    evaluate(&parse(source).expect("the expression is right"), source, &values)
}

#[test]
fn the_work_grows_with_the_length_of_a_path() {
    let input = exact(&json(r#"{"a": {"a": {}}}"#));
    let path = |part: &str, count: usize| format!("$states.input{}", part.repeat(count));
    let long = outcome(&path(".a", 100_000), &input);
    assert!(long.work < 1_000, "{}", long.work);
    let remark = long.remarks.first().expect("the path leads nowhere");
    assert!(matches!(&remark.kind, JsonataRemarkKind::NoMember { written, .. } if written == "$states.input.a.a"));
    // Each part has a missing member of its own, whose path is short in the remark.
    let part = ".{\"b\": 1}.c";
    let [one, ten] = [100, 1_000].map(|count| outcome(&path(part, count), &input).work);
    assert!(ten < 11 * one, "{one} for 100 parts, {ten} for 1,000");
    assert!(outcome(&path(part, 80_000), &input).work < 2 * MOST_WORK);
}

#[test]
fn the_work_of_joins_counts() {
    let members: Vec<String> = (0..200).map(|at| format!("\"a{at}\": [{at}, {{\"b{at}\": \"{at}\"}}]")).collect();
    let input = exact(&json(&format!("{{\"x\": [{{{}}}]}}", members.join(", "))));
    let size = input.size();
    let tower = |count: usize| format!("($x := $states.input.x; [{}])", vec!["$append($x, $x)"; count].join(", "));
    let few = outcome(&tower(10), &input);
    assert!(few.work > 10 * size && !few.access.shape.is_any(), "{} of {size}", few.work);
    // The parts of a merger count, too.
    let call = "$merge([$x, $x])";
    let merges = |count: usize| format!("($x := $states.input.x[0]; [{}])", vec![call; count].join(", "));
    assert!(outcome(&merges(10), &input).work > 10 * size);
    // An abandoned evaluation claims nothing.
    let many = outcome(&tower(20_000), &input);
    assert!(many.work < 2 * MOST_WORK, "{}", many.work);
    assert!(many.access.shape.is_any() && many.access.may_be_absent && many.remarks.is_empty());
}

#[test]
fn functions_with_constant_results_cost_nothing_for_large_arguments() {
    let members: Vec<String> = (0..200).map(|at| format!("\"a{at}\": [{at}, {{\"b{at}\": \"{at}\"}}]")).collect();
    let input = exact(&json(&format!("{{{}}}", members.join(", "))));
    for call in ["$count($x)", "$exists($x)", "$string($x)", "$type($x)", "$boolean($x)", "$keys($x)[0]"] {
        let found = outcome(&format!("($x := $states.input; [{}])", vec![call; 2_000].join(", ")), &input);
        assert!(2_000 * input.size() > MOST_WORK && found.work < 40_000, "{call}: {}", found.work);
        assert!(!found.access.shape.is_any(), "{call}");
    }
}
