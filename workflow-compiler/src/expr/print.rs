//! Prints expressions as text, for `dump` and golden tests.

use super::{Arg, Expr, LocalId, Path, PathStep, Selector};

impl Expr {
    /// Returns the expression in a compact notation. `name` maps locals to their names.
    pub fn show(&self, name: &dyn Fn(LocalId) -> String) -> String {
        let list = |items: &[Expr]| items.iter().map(|item| item.show(name)).collect::<Vec<_>>();
        match self {
            Expr::Literal(literal) => literal.to_string(),
            Expr::Local(local) => name(*local),
            Expr::Current => "@".to_owned(),
            Expr::Context => "$$".to_owned(),
            Expr::Find(path) => path.show(name),
            Expr::Select(path) => format!("all {}", path.show(name)),
            Expr::Object(members) => {
                let members = members.iter().map(|(key, member)| format!("{key:?}: {}", member.show(name)));
                format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
            }
            Expr::Array(items) => format!("[{}]", list(items).join(", ")),
            Expr::Call(call) => {
                let args: Vec<String> = call.args.iter().map(|arg| arg.show(name)).collect();
                format!("{}({})", call.function.path, args.join(", "))
            }
            Expr::Apply(apply) => {
                let variables = apply.program.variables().iter().zip(&apply.variables);
                let variables = variables.map(|(variable, value)| format!("${variable} = {}", value.show(name)));
                let input = apply.program.takes_input().then(|| apply.input.show(name));
                let values: Vec<String> = input.into_iter().chain(variables).collect();
                format!("{{{}}}({})", apply.program.source(), values.join(", "))
            }
            Expr::And(parts) => format!("({})", list(parts).join(" and ")),
            Expr::Or(parts) => format!("({})", list(parts).join(" or ")),
            Expr::Not(inner) => format!("not {}", inner.show(name)),
            Expr::If(choice) => {
                let [test, then, otherwise] =
                    [&choice.test, &choice.then, &choice.otherwise].map(|part| part.show(name));
                format!("(if {test} then {then} else {otherwise})")
            }
        }
    }
}

impl Path {
    fn show(&self, name: &dyn Fn(LocalId) -> String) -> String {
        let mut shown = self.base.show(name);
        for segment in &self.segments {
            let selectors: Vec<String> = segment.selectors.iter().map(|selector| selector.show(name)).collect();
            shown.push_str(if segment.descend { ".." } else { "" });
            shown.push_str(&format!("[{}]", selectors.join(", ")));
        }
        shown
    }
}

impl Selector {
    fn show(&self, name: &dyn Fn(LocalId) -> String) -> String {
        match self {
            Selector::Name(key) => format!("{key:?}"),
            Selector::NameThroughSingleton(key) => format!("through {key:?}"),
            Selector::Index(index) => index.to_string(),
            Selector::Slice { start, end, step } => {
                let bound = |bound: &Option<i64>| bound.map(|bound| bound.to_string()).unwrap_or_default();
                format!("{}:{}:{step}", bound(start), bound(end))
            }
            Selector::Wildcard => "*".to_owned(),
            Selector::Filter(test) | Selector::JaywayFilter(test) => format!("?{}", test.show(name)),
        }
    }
}

impl Arg {
    fn show(&self, name: &dyn Fn(LocalId) -> String) -> String {
        match self {
            Arg::Value(expr) | Arg::Owned(expr) | Arg::Maybe(expr) | Arg::Bool(expr) => expr.show(name),
            Arg::List(items) => {
                format!("[{}]", items.iter().map(|item| item.show(name)).collect::<Vec<_>>().join(", "))
            }
            Arg::Str(text) => format!("{text:?}"),
            Arg::Int(value) => value.to_string(),
            Arg::Float(value) => format!("{value:?}"),
            Arg::Flag(value) => value.to_string(),
            Arg::Strs(texts) => format!("{texts:?}"),
            Arg::Edit(local) => format!("mut {}", name(*local)),
            Arg::Steps(steps) => steps.iter().map(PathStep::show).collect(),
            Arg::Schema(schema) => format!("schema {:?}", schema.name()),
        }
    }
}

impl PathStep {
    fn show(&self) -> String {
        match self {
            PathStep::Key(key) => format!("[{key:?}]"),
            PathStep::Index(index) => format!("[{index}]"),
        }
    }
}
