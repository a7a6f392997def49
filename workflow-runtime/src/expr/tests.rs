//! Operations on values that share their parts: a few kilobytes of memory that represent 2^60
//! leaves, in all languages. The time of each operation is bounded by the distinct parts, or by
//! the turn.

use std::time::{Duration, Instant};

use crate::budget;
use crate::fault::{Fault, names};
#[cfg(feature = "jq")]
use crate::machine::FunctionLimits;
use crate::value::{EXCERPT, Value, object};

const LEVELS: usize = 60;

/// Returns an array that contains one array twice, which contains one array twice, and so on.
fn arrays(leaf: Value) -> Value {
    (0..LEVELS).fold(vec![leaf].into(), |inner, _| vec![inner.clone(), inner].into())
}

/// Returns an object that contains one object twice, which contains one object twice, and so on.
fn objects(leaf: Value) -> Value {
    (0..LEVELS).fold(object([("x", leaf)]), |inner, _| object([("a", inner.clone()), ("b", inner)]))
}

/// Runs an operation in a turn. Uncounted work of the operation must not take the turn much past
/// its limit.
fn ends(name: &str, operation: impl FnOnce()) {
    let ((), took) = budget::run(Duration::MAX, Duration::from_millis(100), || {
        operation();
        // The work of the operation since the last check of the clock.
        budget::spend(4096);
    });
    assert!(took < Duration::from_secs(20), "{name} took {took:?}");
}

/// An operation on two equal values that share no part.
type Operation<'a> = (&'a str, &'a dyn Fn(&Value, &Value));

/// Runs all operations on arrays and on objects, of equal and of different values.
fn check(operations: &[Operation<'_>]) {
    for (name, operation) in operations {
        for leaf in [1, 2] {
            ends(name, || operation(&arrays(1.into()), &arrays(leaf.into())));
            ends(name, || operation(&objects(1.into()), &objects(leaf.into())));
        }
    }
}

#[test]
fn equality_takes_time_for_distinct_parts() {
    let start = Instant::now();
    for make in [arrays, objects] {
        assert!(make(1.into()) == make(1.into()) && make(1.into()) != make(2.into()));
    }
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn causes_are_bounded() {
    let long = "x".repeat(100 << 20);
    let start = Instant::now();
    for cause in [Value::from(long), arrays(1.into()), objects(1.into())] {
        let fault = Fault::evaluation(names::QUERY_EVALUATION_ERROR, cause).located("State", 1);
        let texts = [fault.to_string(), format!("{fault:?}"), fault.to_error().to_string()];
        assert!(texts.iter().all(|text| text.len() < 2 * EXCERPT), "{:?}", texts.map(|text| text.len()));
    }
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn data_made_of_shared_parts_end_with_the_turn() {
    check(&[("deserialize_into", &|one, _| _ = one.deserialize_into::<serde_json::Value>())]);
}

#[test]
fn paths_end_with_the_turn() {
    use super::jsonpath::{equal, jayway_any_of, jayway_in, jayway_subset_of, select};
    check(&[
        ("equal", &|one, other| _ = equal(Some(one), Some(other))),
        ("descend", &|one, _| _ = select(one).descend().name("x").collect()),
        ("descend, descend", &|one, _| _ = select(one).descend().descend().index(0).found()),
        ("filter", &|one, other| {
            _ = select(one).descend().filter(|inner| equal(Some(inner), Some(other))).collect();
        }),
        ("in", &|one, other| _ = jayway_in(Some(one), Some(&vec![other.clone(); 3].into()))),
        ("subsetof", &|one, other| _ = jayway_subset_of(Some(one), Some(other))),
        ("anyof", &|one, other| _ = jayway_any_of(Some(&vec![one.clone(); 1_000].into()), Some(other))),
    ]);
}

#[test]
fn a_path_reaches_a_bounded_number_of_values() {
    let one = arrays(1.into());
    let (is_spent, took) = budget::run(Duration::MAX, Duration::from_secs(600), || {
        drop(super::jsonpath::select(&one).descend());
        budget::is_spent()
    });
    assert!(is_spent && took < Duration::from_secs(60), "{took:?}");
}

#[cfg(feature = "asl")]
#[test]
fn intrinsic_functions_end_with_the_turn() {
    use super::asl;
    let number = Value::Int;
    check(&[
        ("ArrayContains", &|one, other| _ = asl::array_contains(&vec![one.clone(); 9].into(), other, "States.X()")),
        ("ArrayUnique", &|one, other| {
            _ = asl::array_unique(&vec![one.clone(), other.clone(), one.clone()].into(), "States.X()");
        }),
        ("ArrayPartition", &|one, _| _ = asl::array_partition(one, &number(1), "States.X()")),
        ("JsonMerge", &|one, other| _ = asl::json_merge(one, other, &true.into(), "States.X()")),
        ("JsonToString", &|one, _| _ = asl::json_to_string(one, "States.JsonToString")),
        ("Hash", &|one, _| _ = asl::hash(one, &"MD5".into(), "States.X()")),
        ("Format", &|one, other| _ = asl::format(&["", "-", ""], &[one, other])),
        ("Format of data", &|one, other| {
            _ = asl::format_template(&"{}{}".into(), &[one, other], "States.X()");
        }),
        ("require_field", &|one, _| _ = asl::require_field(None, one, "$.a", "x")),
        ("put", &|one, _| _ = asl::put_at(&mut one.clone(), &[asl::At::Index(9)], Value::Null)),
    ]);
    // Both sides share their parts.
    let merged = asl::json_merge(&objects(1.into()), &objects(2.into()), &true.into(), "States.X()");
    assert_eq!(merged, Ok(objects(2.into())));
}

#[cfg(feature = "asl")]
#[test]
fn long_texts_are_counted() {
    use super::asl;
    let (text, again) = (Value::from("äx".repeat(100_000)), Value::from("äx".repeat(100_000)));
    let operations: [(&str, &dyn Fn()); 5] = [
        ("StringLessThanPath", &|| _ = asl::string_less_than_path(&text, &again)),
        ("StringMatches", &|| _ = asl::string_matches(&text, "*x*y*")),
        ("IsTimestamp", &|| _ = asl::is_timestamp(&text)),
        ("StringSplit", &|| _ = asl::string_split(&text, &"-".into(), "States.X()")),
        ("equality", &|| _ = text == again),
    ];
    for (name, operation) in operations {
        // An operation that counts nothing is called again and again.
        let (times, _) = budget::run(Duration::MAX, Duration::from_millis(50), || {
            (0..1_000_000).take_while(|_| !budget::is_spent()).inspect(|_| operation()).count()
        });
        assert!(times < 1_000_000, "{name}");
    }
    assert!(asl::string_matches(&"axxb".into(), "a*b") && !asl::string_matches(&"axxb".into(), "a*c"));
}

#[cfg(feature = "serverless-workflow")]
#[test]
fn operators_of_serverless_workflow_end_with_the_turn() {
    use super::{merge, serverless_workflow as sw, spel};
    check(&[
        ("eq", &|one, other| _ = spel::equals(Some(one), Some(other))),
        ("contains", &|one, other| _ = spel::contains(Some(&vec![one.clone(); 9].into()), Some(other))),
        ("+", &|one, _| _ = spel::add(Some(one), Some(&"x".into()))),
        ("merge", &|one, other| _ = merge::merge(one.clone(), other.clone())),
        ("with_branches", &|one, other| {
            _ = sw::with_branches(one.clone(), &vec![other.clone(), one.clone()].into(), &["a", "b"]);
        }),
        ("refuse_results", &|one, _| _ = sw::refuse_results(one, "State")),
        ("compares", &|one, _| _ = sw::compares(Some(one), "equals", "[[[1]]]")),
    ]);
    assert!(sw::compares(Some(&crate::value!([[1]])), "equals", "[[1]]"));
    assert!(!sw::compares(Some(&crate::value!([[1, 2]])), "equals", "[[1…"));
    assert_eq!(merge::merge(objects(1.into()), objects(2.into())), objects(2.into()));
    assert_eq!(sw::with_branches(objects(1.into()), &vec![objects(2.into())].into(), &["a"]), objects(2.into()));
}

#[cfg(feature = "workflow-dsl")]
#[test]
fn texts_of_the_workflow_dsl_end_with_the_turn() {
    use super::workflow_dsl as dsl;
    check(&[
        ("text", &|one, other| _ = dsl::text(&[one, other])),
        ("address", &|one, other| _ = dsl::address(&[one, other], "vv")),
    ]);
}

#[cfg(feature = "sm4c")]
#[test]
fn errors_of_sm4c_end_with_the_turn() {
    check(&[("error", &|one, _| _ = super::sm4c::error(object([("Error", "E".into()), ("Cause", one.clone())])))]);
}

/// Evaluates with the default limits, except for the time: tests without optimization need more.
#[cfg(feature = "jq")]
fn evaluated<T: super::jq::Finish>(expression: impl FnOnce() -> super::jq::Result<T>) -> Result<T, Fault> {
    super::jq::run(FunctionLimits { time: Duration::from_secs(10), ..FunctionLimits::default() }, expression)
}

#[cfg(feature = "jq")]
#[test]
fn jq_compares_by_distinct_parts() {
    use super::jq;
    let start = Instant::now();
    for make in [arrays, objects] {
        let (one, same, more) = (make(1.into()), make(1.into()), make(2.into()));
        assert_eq!(evaluated(|| Ok(jq::eq(&one, &same))), Ok(true));
        assert_eq!(evaluated(|| Ok(jq::eq(&one, &more))), Ok(false));
        assert_eq!(evaluated(|| Ok(jq::lt(&one, &same) || jq::gt(&one, &same))), Ok(false));
        assert_eq!(evaluated(|| Ok(jq::lt(&one, &more) && jq::gt(&more, &one))), Ok(true));
        let all = Value::from(vec![more.clone(), one.clone(), same.clone()]);
        let sorted = evaluated(|| jq::sort(&all)).expect("an array");
        assert!(sorted == Value::from(vec![one.clone(), same.clone(), more.clone()]));
        assert!(evaluated(|| jq::unique(&all)).expect("an array") == Value::from(vec![one.clone(), more.clone()]));
        assert!(evaluated(|| jq::group_by(&all, |item| Ok(item.clone()))).expect("groups").get(1).is_some());
        assert!(evaluated(|| jq::max(&all)).expect("a value") == more);
        assert_eq!(evaluated(|| jq::indices(&all, &vec![same.clone()].into())), Ok(crate::value!([1, 2])));
        assert_eq!(evaluated(|| jq::sub(all.clone(), &vec![same.clone()].into())), Ok(vec![more.clone()].into()));
    }
    // A value that is not equal to itself stays unequal, however often it is compared.
    let nan = |leaf| (0..LEVELS).fold(leaf, |inner: Value, _| vec![inner.clone(), inner].into());
    let (one, same) = (nan(jq::nan()), nan(jq::nan()));
    assert_eq!(evaluated(|| Ok(jq::eq(&one, &same))), Ok(false));
    assert_eq!(evaluated(|| Ok(jq::lt(&one, &one) && jq::eq(&one, &one))), Ok(true));
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[cfg(feature = "jq")]
#[test]
fn what_leaves_jq_is_made_finite_by_distinct_parts() {
    use super::jq;
    let start = Instant::now();
    let finite = |leaf: fn() -> Value| evaluated(|| Ok(objects(leaf()))).expect("a value");
    assert!(finite(jq::nan) == objects(Value::Null));
    assert!(finite(jq::infinite) == objects(f64::MAX.into()));
    let parts = evaluated(|| Ok(crate::value!({"a": [1, (jq::nan()), {}], "b": "x"})));
    assert_eq!(parts, Ok(crate::value!({"a": [1, null, {}], "b": "x"})));
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[cfg(feature = "jq")]
#[test]
fn all_that_jq_does_ends() {
    use super::jq;
    let ignored: jq::Out = &mut |_| Ok(());
    let limits = FunctionLimits { steps: 300_000, time: Duration::from_secs(10), memory: 8 << 20 };
    let start = Instant::now();
    for make in [arrays, objects] {
        let (one, other) = (make(1.into()), make(1.into()));
        assert!(jq::run(limits, || jq::tojson(&one)).is_err());
        assert!(jq::run(limits, || jq::paths(&one, ignored).map(|()| true)).is_err());
        assert!(jq::run(limits, || jq::tostream(&one, ignored).map(|()| true)).is_err());
        assert!(jq::run(limits, || jq::recurse_all(&one, ignored).map(|()| true)).is_err());
        assert!(jq::run(limits, || Ok(jq::descend(&one).count() > 0)).is_err());
        assert!(
            jq::run(limits, || Ok(jq::descend_paths(&Value::from(Vec::<Value>::new()), &one).count() > 0)).is_err()
        );
        assert!(jq::run(limits, || jq::walk(one.clone(), Ok)).is_err());
        assert!(jq::run(limits, || jq::contains(&one, &other)).is_err());
        assert!(jq::run(limits, || jq::mul(objects(1.into()), &objects(1.into()))).is_err());
        // A message contains the beginning of the value.
        assert!(jq::run(limits, || jq::sub(one.clone(), &Value::Null)).is_err());
        assert!(jq::run(limits, || Err::<Value, _>(jq::Error::raised(one.clone()))).is_err());
    }
    assert!(jq::run(limits, || jq::flatten(&arrays(1.into()))).is_err());
    assert!(start.elapsed() < Duration::from_secs(120), "{:?}", start.elapsed());
}

#[cfg(feature = "jq")]
#[test]
fn a_comparison_that_uses_up_the_budget_ends_the_evaluation() {
    use super::jq;
    let flat = || (0..300_000).collect::<Vec<i64>>().into_iter().collect::<Value>();
    let (one, same) = (flat(), flat());
    let limits = FunctionLimits { steps: 100_000, ..FunctionLimits::default() };
    let cause = |outcome: Result<bool, Fault>| outcome.expect_err("a limit").to_string();
    for compare in [jq::eq, jq::lt, |one: &Value, other: &Value| jq::cmp(one, other).is_eq()] {
        let message = cause(jq::run(limits, || Ok(compare(&one, &same))));
        assert!(message.ends_with("the expression used up its budget of steps"), "{message}");
        assert!(jq::run(FunctionLimits::default(), || Ok(compare(&one, &same))).is_ok());
    }
    let text = |last: &str| Value::from("x".repeat(10_000_000) + last);
    let (one, same) = (text("a"), text("a"));
    assert!(cause(jq::run(limits, || Ok(jq::eq(&one, &same)))).ends_with("steps"));
    assert_eq!(jq::run(limits, || Ok(jq::eq(&one, &text("ab")))), Ok(false));
    // The program cannot catch the error, and a sort whose comparison fails ends.
    let long: Value = (0..300).map(|at| (0..2_000).chain([at]).collect::<Value>()).collect();
    let message = cause(jq::run(limits, || Ok(jq::sort(&long).is_err() || jq::sort(&long).is_ok())));
    assert!(message.ends_with("steps"), "{message}");
}

#[cfg(feature = "jq")]
#[test]
fn messages_of_jq_are_bounded() {
    use super::jq;
    let start = Instant::now();
    let raised = || jq::mul("x".into(), &Value::Float(1e8)).and_then(jq::raise);
    let fault = evaluated(raised).expect_err("an error");
    let cause = fault.cause().and_then(Value::as_str).map_or(0, str::len);
    assert!(cause > 0 && cause <= EXCERPT + 3, "{cause}");
    assert!(start.elapsed() < Duration::from_secs(10));
    // A program that catches the error gets the whole value.
    let caught = evaluated(|| {
        Ok(Value::from(raised().map_err(|error| error.caught()).expect_err("an error")?.as_str().map_or(0, str::len)))
    });
    assert_eq!(caught, Ok(Value::Int(100_000_000)));
}

#[cfg(feature = "jq")]
#[test]
fn an_evaluation_ends_with_the_turn() {
    use super::jq;
    let limits = FunctionLimits { steps: u64::MAX, time: Duration::MAX, ..FunctionLimits::default() };
    let (cause, took) = budget::run(Duration::MAX, Duration::from_millis(50), || {
        let endless = jq::run(limits, || jq::repeat(&Value::Null, &mut |_, _| Ok(()), &mut |_| Ok(())).map(|()| true));
        endless.expect_err("a limit").to_string()
    });
    assert!(cause.ends_with("the expression used up its budget of time"), "{cause}");
    assert!(took < Duration::from_secs(10));
    // The turn also limits expressions without limits of their own.
    check(&[("tojson", &|one, _| _ = jq::tojson(one)), ("eq", &|one, other| _ = jq::eq(one, other))]);
}

#[cfg(feature = "jq-engine")]
#[test]
fn the_engine_of_jq_compares_by_distinct_parts() {
    use super::jq::engine::JqProgram;
    const LEFT: &str = "(reduce range(60) as $i ([1]; [.,.])) as $a | (reduce range(60) as $i ([1]; [.,.])) as $b | ";
    let start = Instant::now();
    for (comparison, expected) in [("$a == $b", true), ("$a < $b", false), ("[$a, $b] | unique | length == 1", true)] {
        let program = JqProgram::new(format!("{LEFT}{comparison}").leak(), &[]);
        let outputs = program.outputs(FunctionLimits::default(), 0.0, &Value::Null, &[]);
        assert_eq!(outputs.expect("an answer"), [Value::Bool(expected)], "{comparison}");
    }
    let limits = FunctionLimits { steps: u64::MAX, time: Duration::MAX, ..FunctionLimits::default() };
    let (outcome, took) = budget::run(Duration::MAX, Duration::from_millis(50), || {
        JqProgram::new("[limit(3; repeat(empty))]", &[]).outputs(limits, 0.0, &Value::Null, &[]).is_err()
    });
    assert!(outcome && took < Duration::from_secs(10));
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[cfg(feature = "cel")]
#[test]
fn cel_ends() {
    use super::cel::CelProgram;
    let (one, other) = (arrays(1.into()), arrays(1.into()));
    let start = Instant::now();
    let data = object([("a", one), ("b", other)]);
    assert!(CelProgram::new("a == b", &[]).holds(FunctionLimits::default(), &data, &[]).is_err());
    assert!(start.elapsed() < Duration::from_secs(20));
}
