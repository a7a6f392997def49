//! An evaluator of expressions for tests. It calls the runtime's functions, like generated code.

use crate::expr::{Arg, Call, Expr, Path, PathStep, Segment, Selector};
use workflow_runtime::__private::jsonpath::{self, Nodes, select};
use workflow_runtime::__private::{At, asl, spel};
use workflow_runtime::{Fault, Value};

/// The environment of an expression.
#[derive(Debug, Default)]
pub struct Env {
    /// The locals by index. [`None`] is an unassigned variable.
    pub locals: Vec<Option<Value>>,
    pub context: Value,
}

/// The result of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Yield {
    Value(Value),
    Nothing,
    Bool(bool),
}

impl Yield {
    pub fn value(self) -> Option<Value> {
        match self {
            Yield::Value(value) => Some(value),
            Yield::Nothing => None,
            Yield::Bool(value) => Some(value.into()),
        }
    }

    fn bool(self) -> bool {
        self == Yield::Bool(true)
    }
}

impl From<Option<Value>> for Yield {
    fn from(value: Option<Value>) -> Self {
        value.map_or(Yield::Nothing, Yield::Value)
    }
}

pub fn eval(expr: &Expr, env: &Env) -> Result<Yield, Fault> {
    eval_at(expr, env, None)
}

fn eval_at(expr: &Expr, env: &Env, current: Option<&Value>) -> Result<Yield, Fault> {
    Ok(match expr {
        Expr::Literal(value) => Yield::Value(Value::from_json(&value.to_string()).expect("a literal is JSON")),
        Expr::Local(id) => env.locals[id.0 as usize].clone().into(),
        Expr::Current => current.cloned().into(),
        Expr::Context => Yield::Value(env.context.clone()),
        Expr::Find(path) => {
            let base = eval_at(&path.base, env, current)?.value();
            let found = base.as_ref().and_then(|base| {
                path.segments.iter().try_fold(base, |value, segment| match &segment.selectors[..] {
                    [Selector::Name(name)] => value.get(name.as_str()),
                    [Selector::NameThroughSingleton(name)] => value.get(jsonpath::Through(name)),
                    [Selector::Index(index)] => value.get(*index),
                    other => panic!("not definite: {other:?}"),
                })
            });
            found.cloned().into()
        }
        Expr::Select(path) => {
            let base = eval_at(&path.base, env, current)?.value().unwrap_or_default();
            let nodes = walk(path, select(&base), env);
            if path.strict { nodes.found().into() } else { Yield::Value(nodes.collect()) }
        }
        Expr::Object(members) => {
            let member = |(key, member): &(String, Expr)| {
                let value = eval_at(member, env, current)?.value().expect("a member");
                Ok((key.as_str().into(), value))
            };
            let members: workflow_runtime::Object = members.iter().map(member).collect::<Result<_, Fault>>()?;
            Yield::Value(members.into())
        }
        Expr::Array(items) => Yield::Value(list(items, env, current)?.into()),
        Expr::Call(call) => function(call, env, current)?,
        Expr::Apply(apply) => panic!("a program: {}", apply.program.source()),
        Expr::And(terms) => {
            let mut all = true;
            for term in terms {
                all = all && eval_at(term, env, current)?.bool();
            }
            Yield::Bool(all)
        }
        Expr::Or(terms) => {
            let mut any = false;
            for term in terms {
                any = any || eval_at(term, env, current)?.bool();
            }
            Yield::Bool(any)
        }
        Expr::Not(inner) => Yield::Bool(!eval_at(inner, env, current)?.bool()),
        Expr::If(choice) if eval_at(&choice.test, env, current)?.bool() => eval_at(&choice.then, env, current)?,
        Expr::If(choice) => eval_at(&choice.otherwise, env, current)?,
    })
}

fn list(items: &[Expr], env: &Env, current: Option<&Value>) -> Result<Vec<Value>, Fault> {
    items.iter().map(|item| Ok(eval_at(item, env, current)?.value().expect("an element"))).collect()
}

fn walk<'a>(path: &Path, nodes: Nodes<'a>, env: &Env) -> Nodes<'a> {
    path.segments.iter().fold(nodes, |nodes, segment| step(segment, nodes, env))
}

fn step<'a>(segment: &Segment, nodes: Nodes<'a>, env: &Env) -> Nodes<'a> {
    let nodes = if segment.descend { nodes.descend() } else { nodes };
    match &segment.selectors[..] {
        [one] => selected(one, nodes, env),
        many => nodes.union(|node| many.iter().map(|selector| selected(selector, node.clone(), env)).collect()),
    }
}

fn selected<'a>(selector: &Selector, nodes: Nodes<'a>, env: &Env) -> Nodes<'a> {
    let holds = |condition: &Expr, value: &Value| eval_at(condition, env, Some(value)).expect("no fault").bool();
    match selector {
        Selector::Name(name) => nodes.name(name),
        Selector::NameThroughSingleton(name) => nodes.through(name),
        Selector::Index(index) => nodes.index(*index),
        Selector::Slice { start, end, step } => nodes.slice(*start, *end, *step),
        Selector::Wildcard => nodes.wildcard(),
        Selector::Filter(condition) => nodes.filter(|value| holds(condition, value)),
        Selector::JaywayFilter(condition) => nodes.matching(|value| holds(condition, value)),
    }
}

/// An evaluated argument.
#[derive(Debug)]
enum EvaluatedArg {
    Value(Option<Value>),
    List(Vec<Value>),
    Str(&'static str),
    Strs(&'static [&'static str]),
    Steps(&'static [At]),
}

impl EvaluatedArg {
    fn maybe(&self) -> Option<&Value> {
        match self {
            EvaluatedArg::Value(value) => value.as_ref(),
            other => panic!("{other:?} is not a value"),
        }
    }

    fn value(&self) -> &Value {
        self.maybe().expect("a value")
    }

    fn str(&self) -> &'static str {
        match self {
            EvaluatedArg::Str(text) => text,
            other => panic!("{other:?} is not a string"),
        }
    }

    fn strs(&self) -> &'static [&'static str] {
        match self {
            EvaluatedArg::Strs(texts) => texts,
            other => panic!("{other:?} is not a list of strings"),
        }
    }

    fn list(&self) -> Vec<&Value> {
        match self {
            EvaluatedArg::List(items) => items.iter().collect(),
            other => panic!("{other:?} is not a list"),
        }
    }

    fn steps(&self) -> &'static [At] {
        match self {
            EvaluatedArg::Steps(steps) => steps,
            other => panic!("{other:?} are not steps"),
        }
    }
}

fn leak(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn evaluate(arg: &Arg, env: &Env, current: Option<&Value>) -> Result<EvaluatedArg, Fault> {
    Ok(match arg {
        Arg::Value(expr) | Arg::Owned(expr) | Arg::Maybe(expr) => {
            EvaluatedArg::Value(eval_at(expr, env, current)?.value())
        }
        Arg::List(items) => EvaluatedArg::List(list(items, env, current)?),
        Arg::Edit(local) => EvaluatedArg::Value(eval_at(&Expr::Local(*local), env, current)?.value()),
        Arg::Str(text) => EvaluatedArg::Str(leak(text)),
        Arg::Strs(texts) => EvaluatedArg::Strs(Vec::leak(texts.iter().map(|text| leak(text)).collect())),
        Arg::Steps(steps) => EvaluatedArg::Steps(Vec::leak(
            steps
                .iter()
                .map(|step| match step {
                    PathStep::Key(key) => At::Key(leak(key)),
                    PathStep::Index(index) => At::Index(*index),
                })
                .collect(),
        )),
        other => panic!("no function here takes {other:?}"),
    })
}

fn function(call: &Call, env: &Env, current: Option<&Value>) -> Result<Yield, Fault> {
    let evaluated: Vec<EvaluatedArg> =
        call.args.iter().map(|arg| evaluate(arg, env, current)).collect::<Result<_, _>>()?;
    let g = &evaluated[..];
    let test = |holds: fn(Option<&Value>, Option<&Value>) -> bool| Yield::Bool(holds(g[0].maybe(), g[1].maybe()));
    if call.function.path == "asl::context_field" {
        let found = g[0].strs().iter().try_fold(&env.context, |value, name| value.get(*name));
        return Ok(Yield::Value(asl::require_field(found, g[1].value(), "$$", g[2].str()).cloned()?));
    }
    if let Some(name) = call.function.path.strip_prefix("spel::") {
        return spel_function(name, g);
    }
    Ok(match call.function.path {
        "jsonpath::holds" => Yield::Bool(jsonpath::holds(g[0].maybe())),
        "jsonpath::exists" => Yield::Bool(jsonpath::exists(g[0].maybe())),
        "jsonpath::any" => Yield::Bool(jsonpath::any(g[0].value())),
        "jsonpath::equal" => test(jsonpath::equal),
        "jsonpath::less" => test(jsonpath::less),
        "jsonpath::less_or_equal" => test(jsonpath::less_or_equal),
        "jsonpath::length" => jsonpath::length(g[0].maybe()).into(),
        "jsonpath::count" => Yield::Value(jsonpath::count(g[0].value())),
        "jsonpath::count_one" => Yield::Value(jsonpath::count_one(g[0].maybe())),
        "jsonpath::value" => jsonpath::value(g[0].value()).into(),
        "jsonpath::matches" => Yield::Bool(jsonpath::matches(g[0].maybe(), g[1].str())),
        "jsonpath::searches" => Yield::Bool(jsonpath::searches(g[0].maybe(), g[1].str())),
        "jsonpath::matches_value" => test(jsonpath::matches_value),
        "jsonpath::searches_value" => test(jsonpath::searches_value),
        "jsonpath::jayway_equal" => test(jsonpath::jayway_equal),
        "jsonpath::jayway_less_or_equal" => test(jsonpath::jayway_less_or_equal),
        "jsonpath::jayway_matches" => Yield::Bool(jsonpath::jayway_matches(g[0].maybe(), g[1].str())),
        "jsonpath::jayway_in" => test(jsonpath::jayway_in),
        "jsonpath::jayway_subset_of" => test(jsonpath::jayway_subset_of),
        "jsonpath::jayway_any_of" => test(jsonpath::jayway_any_of),
        "jsonpath::jayway_none_of" => test(jsonpath::jayway_none_of),
        "jsonpath::jayway_size" => test(jsonpath::jayway_size),
        "jsonpath::jayway_empty" => test(jsonpath::jayway_empty),
        "jsonpath::jayway_contains" => test(jsonpath::jayway_contains),
        "jsonpath::jayway_length" => jsonpath::jayway_length(g[0].maybe()).into(),
        "jsonpath::members" => jsonpath::members(g[0].maybe(), g[1].strs()).into(),
        "jsonpath::members_of_each" => jsonpath::members_of_each(g[0].maybe(), g[1].strs()).into(),
        path => Yield::Value(asl_function(path, g)?),
    })
}

fn spel_function(name: &str, g: &[EvaluatedArg]) -> Result<Yield, Fault> {
    let one = || g[0].maybe();
    let two = || (g[0].maybe(), g[1].maybe());
    let test =
        |test: fn(Option<&Value>, Option<&Value>) -> Result<bool, Fault>| Ok(Yield::Bool(test(two().0, two().1)?));
    let made =
        |make: fn(Option<&Value>, Option<&Value>) -> Result<Value, Fault>| Ok(Yield::Value(make(two().0, two().1)?));
    match name {
        "equals" => Ok(Yield::Bool(spel::equals(two().0, two().1))),
        "less_than" => test(spel::less_than),
        "less_than_equals" => test(spel::less_than_equals),
        "greater_than" => test(spel::greater_than),
        "greater_than_equals" => test(spel::greater_than_equals),
        "contains" => test(spel::contains),
        "starts_with" => test(spel::starts_with),
        "ends_with" => test(spel::ends_with),
        "matches_value" => test(spel::matches_value),
        "matches" => Ok(Yield::Bool(spel::matches(one(), g[1].str())?)),
        "is_true" => Ok(Yield::Bool(spel::is_true(one())?)),
        "is_given" => Ok(Yield::Bool(spel::is_given(one()))),
        "is_filled" => Ok(Yield::Bool(spel::is_filled(one()))),
        "is_empty" => Ok(Yield::Bool(spel::is_empty(one())?)),
        "add" => made(spel::add),
        "subtract" => made(spel::subtract),
        "multiply" => made(spel::multiply),
        "divide" => made(spel::divide),
        "remainder" => made(spel::remainder),
        "negate" => Ok(Yield::Value(spel::negate(one())?)),
        "size" => Ok(Yield::Value(spel::size(one(), g[1].str())?)),
        "to_lower_case" => Ok(Yield::Value(spel::to_lower_case(one())?)),
        "to_upper_case" => Ok(Yield::Value(spel::to_upper_case(one())?)),
        "only" => Ok(Yield::Value(spel::only(one()))),
        other => panic!("{other} is not known here"),
    }
}

fn asl_function(path: &str, g: &[EvaluatedArg]) -> Result<Value, Fault> {
    match path {
        "asl::require_field" => asl::require_field(g[0].maybe(), g[1].value(), g[2].str(), g[3].str()).cloned(),
        "asl::field_at" => asl::field_at(g[0].value(), g[1].steps(), g[2].str()).cloned(),
        "asl::argument" => asl::argument(g[0].value(), g[1].strs(), g[2].str()).cloned(),
        "asl::field" => asl::field(g[0].value(), g[1].strs(), g[2].str()).cloned(),
        "asl::require_argument" => asl::require_argument(g[0].maybe(), g[1].value(), g[2].str(), g[3].str()).cloned(),
        "asl::require_path" => asl::require_path(g[0].maybe(), g[1].value(), g[2].str(), g[3].steps()).cloned(),
        "asl::path" => asl::path(g[0].value(), g[1].strs()).cloned(),
        "asl::path_at" => asl::path_at(g[0].value(), g[1].steps()).cloned(),
        "asl::variable" => asl::variable(g[0].maybe(), g[1].str()).cloned(),
        "asl::array_contains" => asl::array_contains(g[0].value(), g[1].value(), g[2].str()),
        "asl::array_get_item" => asl::array_get_item(g[0].value(), g[1].value(), g[2].str()),
        "asl::array_length" => asl::array_length(g[0].value(), g[1].str()),
        "asl::array_partition" => asl::array_partition(g[0].value(), g[1].value(), g[2].str()),
        "asl::array_range" => asl::array_range(g[0].value(), g[1].value(), g[2].value(), g[3].str()),
        "asl::array_unique" => asl::array_unique(g[0].value(), g[1].str()),
        "asl::base64_decode" => asl::base64_decode(g[0].value(), g[1].str()),
        "asl::base64_encode" => asl::base64_encode(g[0].value(), g[1].str()),
        "asl::format" => Ok(asl::format(g[0].strs(), &g[1].list())),
        "asl::format_template" => asl::format_template(g[0].value(), &g[1].list(), g[2].str()),
        "asl::hash" => asl::hash(g[0].value(), g[1].value(), g[2].str()),
        "asl::json_merge" => asl::json_merge(g[0].value(), g[1].value(), g[2].value(), g[3].str()),
        "asl::json_to_string" => asl::json_to_string(g[0].value(), g[1].str()),
        "asl::math_add" => asl::math_add(g[0].value(), g[1].value(), g[2].str()),
        "asl::math_random_seeded" => asl::math_random_seeded(g[0].value(), g[1].value(), g[2].value(), g[3].str()),
        "asl::string_split" => asl::string_split(g[0].value(), g[1].value(), g[2].str()),
        "asl::string_to_json" => asl::string_to_json(g[0].value(), g[1].str()),
        "asl::wrong_arguments" => asl::wrong_arguments(g[0].str()),
        other => panic!("{other} is not known here"),
    }
}
