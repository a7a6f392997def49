//! Tests that run expressions three ways: by the reference interpreter before and after the
//! passes, and by the evaluator of the runtime.

use super::super::lower;
use super::Fixed;
use crate::expr::core::interpret::jsonata::{Jsonata, JsonataContent, names};
use crate::expr::core::interpret::{Operand, interpret};
use crate::expr::core::{CoreFunction, CoreType};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};
use workflow_runtime::__private::jsonata::{
    self, JsonataEnvironment, JsonataLimits, JsonataOutcome, JsonataProgram, States,
};
use workflow_runtime::Value;

/// The folder of the random expressions. `differential/jsonata/grammar.py` makes them.
const DATA: &str = "../differential/jsonata/compiled/data";
/// The possible places of the official tests: beside the repository, or beside the folder of its
/// worktrees.
const PLACES: [&str; 2] = ["../../shared", "../../../shared"];
/// The value of `$bound`.
const BOUND: &str = r#"[1, 2, {"a": "x"}]"#;
/// The instant of every evaluation: 2026-01-02T03:04:05.678Z.
const NOW: i64 = 1_767_323_045_678;
/// The stack of a thread, in bytes. Expressions may be nested up to the limit of the evaluation.
const STACK: usize = 64 << 20;

/// An expression, and what it is run on.
struct Trial {
    source: &'static str,
    /// The names of the variables.
    variables: &'static [&'static str],
    /// Their values.
    values: Vec<Option<Value>>,
    /// The documents. `$states.input` is the document, too.
    documents: Vec<Value>,
    /// `false` if the expression sees no document.
    sees_document: bool,
}

impl Trial {
    fn environment<'a>(&'a self, document: &'a Value, random: &'a mut Fixed) -> JsonataEnvironment<'a> {
        JsonataEnvironment {
            states: States { input: Some(document), ..States::default() },
            values: &self.values,
            now: NOW,
            random,
            // Endless recursion and lists of 200,000 items end at this limit. With the default
            // they take minutes.
            limits: JsonataLimits { steps: 300_000, ..JsonataLimits::default() },
        }
    }

    fn evaluated(&self, program: &JsonataProgram, document: &Value) -> String {
        let mut random = Fixed(42);
        let environment = self.environment(document, &mut random);
        shown(match self.sees_document {
            true => program.evaluate_document(environment, document),
            false => program.evaluate(environment),
        })
    }

    fn interpreted(&self, function: &CoreFunction, document: &Value) -> String {
        let variable = |value: Option<&Value>| Operand::Other(JsonataContent::Variable(value.cloned()));
        let seen = 1 + usize::from(self.sees_document);
        let mut arguments: Vec<_> = std::iter::repeat_with(|| variable(Some(document))).take(seen).collect();
        arguments.extend(self.values.iter().map(|value| variable(value.as_ref())));
        let code = |run: &mut jsonata::Run<'_>| interpret::<Jsonata>(function, arguments, run);
        shown(jsonata::evaluate_translated(self.environment(document, &mut Fixed(42)), code))
    }

    /// Returns the differences between the three ways, or nothing if the expression is not
    /// translated.
    fn differences(&self) -> Option<Vec<String>> {
        let node = workflow_jsonata::parse(self.source).ok()?;
        let names: Vec<String> = ["states.input"].iter().chain(self.variables).map(|name| (*name).to_owned()).collect();
        let (lowered, _) = lower::function(&node, &names, self.sees_document, false).ok()?;
        let mut optimised = lowered.clone();
        optimised.optimise();
        let mut functions = vec![("before", lowered), ("after", optimised)];
        // A function that yields no `bool` is the same one.
        let (tested, _) = lower::function(&node, &names, self.sees_document, true).ok()?;
        if tested.returns == CoreType::Bool {
            let mut optimised = tested.clone();
            optimised.optimise();
            functions.extend([("before, as a test", tested), ("after, as a test", optimised)]);
        }
        let program = JsonataProgram::new(self.source, self.variables);
        let mut different = Vec::new();
        for document in &self.documents {
            let expected = self.evaluated(&program, document);
            for (stage, function) in &functions {
                let actual = self.interpreted(function, document);
                if actual != expected {
                    let source = self.source;
                    different.push(format!(
                        "{source}\n  on {document}\n  evaluated {expected}\n  {stage} the passes {actual}\n{function}"
                    ));
                }
            }
        }
        Some(different)
    }
}

/// Returns trials of these expressions on these documents.
fn trials<const N: usize>(sources: [&'static str; N], documents: &[Value]) -> Vec<Trial> {
    let documents = documents.to_vec();
    sources
        .map(|source| Trial {
            source,
            variables: &[],
            values: Vec::new(),
            documents: documents.clone(),
            sees_document: true,
        })
        .into()
}

/// Returns an outcome as a text. Equal texts are equal outcomes, with the members in one order.
fn shown(result: jsonata::Result<JsonataOutcome>) -> String {
    match result {
        Ok(JsonataOutcome::Value(value)) => value.to_string(),
        Ok(JsonataOutcome::Nothing) => "undefined".to_owned(),
        Ok(JsonataOutcome::Function) => "a function".to_owned(),
        Err(error) => format!("{}: {}", error.code(), error.message()),
    }
}

/// Names the expression whose run panics.
struct Current(&'static str);

impl Drop for Current {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("the expression is {}", self.0);
        }
    }
}

/// Runs trials on all cores, and returns how many expressions are translated.
///
/// # Panics
/// Panics if one has a difference.
#[track_caller]
fn check(trials: &[Trial]) -> usize {
    let (next, translated, different) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(trial) = trials.get(next.fetch_add(1, Ordering::Relaxed)) {
            let _current = Current(trial.source);
            if let Some(found) = trial.differences() {
                translated.fetch_add(1, Ordering::Relaxed);
                different.lock().expect("no holder of the lock panics").extend(found);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("there are threads");
        }
    });
    let different = different.into_inner().expect("no holder of the lock panics");
    assert!(
        different.is_empty(),
        "{} different:\n{}",
        different.len(),
        different[..different.len().min(10)].join("\n")
    );
    translated.into_inner()
}

fn text(path: &Path) -> &'static str {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).leak()
}

fn json(text: &str) -> Value {
    Value::from_json(text).expect("the text is JSON")
}

#[test]
fn random_expressions_have_one_result_before_and_after_the_passes_and_in_the_evaluator() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join(DATA);
    // The variable may name another list, with one expression a line.
    let list = env::var_os("JSONATA_EXPRESSIONS").map_or_else(|| data.join("expressions.txt"), PathBuf::from);
    let documents = json(text(&data.join("inputs.json"))).as_array().expect("a list of documents").to_vec();
    let trials: Vec<Trial> = text(&list)
        .lines()
        .map(|source| Trial {
            source,
            variables: &["bound"],
            values: vec![Some(json(BOUND))],
            documents: documents.clone(),
            sees_document: true,
        })
        .collect();
    let translated = check(&trials);
    println!("{translated} of {} expressions are translated", trials.len());
    assert!((trials.len() >= 20_000 && translated >= 15_000) || env::var_os("JSONATA_EXPRESSIONS").is_some());
}

#[test]
fn functions_that_call_themselves_reach_the_limits_that_they_reach_in_the_evaluator() {
    let counts: Vec<Value> = (0..=120).map(Value::from).collect();
    let sources = [
        "($f := function($n) { $n < 1 ? 0 : 1 + $f($n - 1) }; $f($states.input))",
        "($f := function($n) { $n < 1 ? 0 : 1 + $f($n - 1) }; $g := function($n) { $f($n) }; \
            $h := function($n) { $g($n) }; $h($states.input))",
        "($f := function($n) { $n < 1 ? 0 : 1 + $f($n - 1) }; [{'a': $f($states.input)}, $f(3)])",
        "($f := function($n, $sum) { $n < 1 ? $sum : $f($n - 1, $sum + $n) }; $f($states.input, 0))",
        "($f := function($n) { $n = 1 ? true : $single([$n - 1], $f) }; $single([$states.input], $f))",
        "($f := function($n) { $n < 2 ? 1 : $sum($map([$n - 1], $f)) + 1 }; $f($states.input))",
        "($f := function($n) { $n < 2 ? 1 : $reduce([$n, $n - 1], function($a, $b) { $a + $f($b) }) }; $f($states.input))",
        "($f := function($n) { $n < 2 ? 1 : ($n - 1).$f($) + 1 }; $f($states.input))",
        "($f := function($n) { $n < 2 ? 1 : [$n - 1][$f($) > 0] + 1 }; $f($states.input))",
        "($f := function($n) { $n < 2 ? true : $g($n - 1) and true }; \
            $g := function($n) { $n < 2 ? false : $f($n - 1) }; $f($states.input))",
        "($c := $abs ~> $string; $f := function($n) { $n < 2 ? 1 : $length($c($n)) + $f($n - 1) }; $f($states.input))",
        "($p := $power(?, 2); $f := function($n) { $n < 2 ? 1 : $p(1) + $f($n - 1) }; $f($states.input))",
    ];
    assert_eq!(check(&trials(sources, &counts)), sources.len());
    let few: Vec<Value> = (0..20).chain([210]).map(Value::from).collect();
    let alternating = "($f := function($n) { $n < 2 ? 1 : $n % 2 = 1 ? $single([$n - 1], $f) : $f($f($n - 1)) }; \
        $f($states.input))";
    assert_eq!(check(&trials([alternating], &few)), 1);
    let mut trees = vec![json("{}")];
    for depth in 1..40 {
        trees.push(json(&format!(r#"{{"kids": [{}]}}"#, trees[depth - 1])));
    }
    let sources = [
        "($f := function($x) { $count($x.kids) = 0 ? 1 : 1 + $sum($x.kids.$f($)) }; $f($states.input))",
        "($f := function($x) { $count($x.kids) = 0 ? 1 : 1 + $count($x.kids[$f($) > 0]) }; $f($states.input))",
        "($f := function($x) { $x.kids ? $x.kids.{'a': $f($)} : 1 }; $f($states.input))",
    ];
    assert_eq!(check(&trials(sources, &trees)), sources.len());
}

#[test]
fn the_second_function_of_a_composition_ends_with_a_call_in_the_context_of_the_caller() {
    let sources = [
        "'abc'.($c := $trim ~> function($x) { $uppercase() }; $c(' x '))",
        "'abc'.($c := $trim ~> function($x) { $uppercase() }; $p := $c(?); $p(' x '))",
        "'abc'.($c := $trim ~> $trim ~> function($x) { $uppercase() }; $c(' x '))",
        "'abc'.($p := function($a, $b) { $uppercase() }(?, 1); $c := $trim ~> $p; $c(' x '))",
        "'abc'.($c := function($x) { $uppercase() } ~> $trim; $c(' x '))",
        "'abc'.($c := $trim ~> function($x) { ['d'].$uppercase() }; $c(' x '))",
        "'abc'.($t := function($x) { $uppercase() }; $c := $trim ~> function($x) { $t($x) }; $map([' x '], $c))",
    ];
    check(&trials(sources, &[Value::Null]));
}

#[test]
fn official_tests_have_one_result_before_and_after_the_passes_and_in_the_evaluator() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = |place: &&str| root.join(place).join("corpus/asl2/jsonata_suite.json");
    let Some(path) = PLACES.iter().map(file).find(|path| path.is_file()) else {
        println!("the official tests are in none of the places {PLACES:?}");
        return;
    };
    let suite = json(text(&path));
    let documents = json(text(&path.with_file_name("jsonata_datasets.json")));
    let cases = suite.get("cases").and_then(Value::as_array).expect("the suite has cases");
    let mut trials = Vec::new();
    for case in cases.iter() {
        let source = case.get("expr").and_then(Value::as_str).expect("a case has an expression").to_owned().leak();
        let document = match case.get("dataset").and_then(Value::as_str) {
            Some(name) => documents.get("datasets").and_then(|all| all.get(name)).cloned(),
            None => case.get("data").cloned(),
        };
        let bindings = case.get("bindings").and_then(Value::as_object);
        let bindings = bindings.into_iter().flat_map(|bindings| bindings.iter());
        let (variables, values): (Vec<&'static str>, _) =
            bindings.map(|(name, value)| (&*name.to_string().leak(), Some(value.clone()))).unzip();
        trials.push(Trial {
            source,
            variables: variables.leak(),
            values,
            sees_document: document.is_some(),
            documents: vec![document.unwrap_or_default()],
        });
    }
    let translated = check(&trials);
    println!("{translated} of {} official tests are translated", trials.len());
    assert!(translated >= 890);
}

#[test]
fn the_interpreter_has_the_functions_that_lowered_expressions_call_and_no_others() {
    let code = include_str!("../lower/callees.rs").lines().filter(|line| !line.trim_start().starts_with("//"));
    let called: BTreeSet<&str> = code.flat_map(|line| line.split('"').skip(1).step_by(2)).collect();
    let known: BTreeSet<&str> = names().filter(|name| !name.starts_with("jsonata::functions::")).collect();
    assert_eq!(called, known);
}
