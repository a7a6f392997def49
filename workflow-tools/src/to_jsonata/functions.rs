//! Conversion of intrinsic functions, and of the calls that read a path.

use super::code::{self, Binding, Code, Kind};
use super::filters::value_of;
use super::printer::Printer;
use super::report::Refused;
use workflow_compiler::expr::{Arg, Call, Expr, Literal, PathStep};

impl Printer<'_> {
    /// Converts a call of a runtime function.
    pub(super) fn call(&mut self, call: &Call) -> Refused<Code> {
        let operands: Vec<&Expr> = call.args.iter().filter_map(value_of).collect();
        let name = call.function.path;
        match (name, &operands[..]) {
            ("asl::require_field" | "asl::require_argument", [found, ..]) => self.expr(found),
            ("asl::field" | "asl::argument" | "asl::context_field" | "asl::field_at", _) => self.reading(call),
            ("asl::format", _) => self.format(call),
            ("asl::format_template", _) => {
                Err(self.refusal("`States.Format` with a computed template has no equal in JSONata"))
            }
            ("asl::math_random_seeded", _) => {
                Err(self.refusal("JSONata has no function that yields the number of `States.MathRandom` with a seed"))
            }
            ("asl::uuid", _) => {
                self.draw();
                self.calling("uuid", "", Kind::String)
            }
            ("asl::json_merge", [first, second, deep]) => self.merge(first, second, deep),
            ("asl::string_split", [text, separators]) => self.split(text, separators),
            ("jsonpath::members", [from]) => {
                let from = self.expr(from)?;
                let names =
                    call.args.iter().find_map(|arg| if let Arg::Strs(names) = arg { Some(names) } else { None });
                let members = names.into_iter().flatten().map(|name| (name.clone(), from.member(name)));
                Ok(Code::object(members.collect()))
            }
            ("jsonpath::jayway_length", [of]) => {
                let of = self.expr(of)?;
                self.note(
                    "a value other than an array counts as 1, where `.length()` counts the members of an object and \
                     yields null for other values",
                );
                self.calling("count", &of.text, Kind::Scalar)
            }
            (_, operands) if name.starts_with("asl::") => {
                let values = operands.iter().map(|operand| self.expr(operand)).collect::<Refused<Vec<Code>>>()?;
                self.intrinsic(name, operands, &values)
            }
            ("jsonpath::members_of_each", [Expr::Select(from)]) => {
                let from = self.existence(&Expr::Select(from.clone()))?;
                let names =
                    call.args.iter().find_map(|arg| if let Arg::Strs(names) = arg { Some(names) } else { None });
                let item = Code::path("$");
                let members = names.into_iter().flatten().map(|name| (name.clone(), item.member(name)));
                let members = Code::object(members.collect());
                // Values that are no objects have no members.
                let objects = from.predicate(&format!("{}($) = 'object'", self.function("type")?));
                Ok(Code::constructor(&format!("{}.{}", objects.text, members.text)))
            }
            _ => {
                let name = name.rsplit("::").next().unwrap_or(name).trim_start_matches("jayway_");
                Err(self.refusal(format!("`{name}` of a path has no equal in JSONata")))
            }
        }
    }

    /// Converts the reading of a definite path from the document or the context object.
    fn reading(&mut self, call: &Call) -> Refused<Code> {
        let is_context = call.function.path == "asl::context_field";
        let base = match call.args.first().and_then(value_of) {
            Some(document) if !is_context => self.expr(document)?,
            _ => self.expr(&Expr::Context)?,
        };
        let steps = call.args.iter().find_map(|arg| match arg {
            Arg::Strs(names) => Some(names.iter().cloned().map(PathStep::Key).collect::<Vec<_>>()),
            Arg::Steps(steps) => Some(steps.clone()),
            _ => None,
        });
        Ok(steps.into_iter().flatten().fold(base, |code, step| match step {
            PathStep::Key(name) => code.member(&name),
            PathStep::Index(index) => code.predicate(&index.to_string()),
        }))
    }

    /// Converts `States.Format` to a chain of `&`.
    fn format(&mut self, call: &Call) -> Refused<Code> {
        let (mut pieces, mut values): (&[String], &[Expr]) = (&[], &[]);
        for argument in &call.args {
            match argument {
                Arg::Strs(texts) => pieces = texts,
                Arg::List(list) => values = list,
                _ => {}
            }
        }
        let mut operands = Vec::new();
        let mut values = values.iter();
        for piece in pieces {
            if !piece.is_empty() {
                let piece = code::literal(&Literal::String(piece.clone())).map_err(|message| self.refusal(message))?;
                operands.push(piece);
            }
            let Some(operand) = values.next() else { continue };
            let value = self.expr(operand)?;
            if matches!(value.kind, Kind::Any | Kind::Object | Kind::Array | Kind::Constructor) {
                self.note(
                    "an array or object in a text is written as JSON, and a number with 15 digits at most, and without \
                     `.0`",
                );
            } else {
                self.digits(operand, &value);
            }
            // The operators of this level group from the left: `'n: ' & (1 + 2)`.
            let is_loose = value.binding <= Binding::Add;
            operands.push(if is_loose { Code::path(format!("({})", value.text)) } else { value });
        }
        match &operands[..] {
            [one] => self.calling("string", &one.text, Kind::String),
            many => Ok(Code::new(code::chain(many, "&", Binding::Add).text, Binding::Add, Kind::String)),
        }
    }

    /// Notes the difference between numbers in a text, unless a value is none, or has few digits.
    fn digits(&mut self, operand: &Expr, value: &Code) {
        const GREATEST: u64 = 999_999_999_999_999;
        let is_short = match operand {
            Expr::Literal(Literal::Null | Literal::Bool(_)) => true,
            Expr::Literal(Literal::Int(number)) => number.unsigned_abs() <= GREATEST,
            Expr::Literal(Literal::Float(number)) => {
                let text = number.to_string();
                text.contains('.') && text.len() <= 15
            }
            Expr::Call(call) => {
                matches!(call.function.path, "asl::array_length" | "jsonpath::jayway_length" | "asl::array_contains")
            }
            _ => false,
        };
        if value.kind != Kind::String && !is_short {
            self.note("a number is written with 15 digits at most, and without `.0`");
        }
    }

    fn merge(&mut self, first: &Expr, second: &Expr, deep: &Expr) -> Refused<Code> {
        if *deep != Expr::Literal(Literal::Bool(false)) {
            return Err(
                self.refusal("JSONata merges objects only at the top level, not as `States.JsonMerge` with `true`")
            );
        }
        let [first, second] = [self.expr(first)?, self.expr(second)?];
        self.calling("merge", &format!("[{}, {}]", first.text, second.text), Kind::Object)
    }

    /// Converts `States.StringSplit`, which splits at each character of its second argument and
    /// omits empty parts.
    fn split(&mut self, text: &Expr, separators: &Expr) -> Refused<Code> {
        let separator = match separators {
            Expr::Literal(Literal::String(separators)) => match separators.chars().count() {
                1 => code::quoted(separators),
                0 => return Err(self.refusal("`States.StringSplit` without a separator has no equal in JSONata")),
                _ => format!("/[{}]/", separators.chars().map(in_class).collect::<String>()),
            },
            computed => {
                self.note("a separator of several characters is one, where `States.StringSplit` splits at each");
                self.expr(computed)?.text
            }
        };
        let text = self.expr(text)?;
        let parts = self.calling("split", &format!("{}, {separator}", text.text), Kind::Array)?;
        Ok(Code::constructor(&parts.predicate("$ != ''").text))
    }

    /// Converts an intrinsic function of ordinary arguments.
    fn intrinsic(&mut self, name: &str, operands: &[&Expr], values: &[Code]) -> Refused<Code> {
        let texts: Vec<&str> = values.iter().map(|value| value.text.as_str()).collect();
        match (name, &texts[..], values) {
            ("asl::array_contains", _, [list, wanted]) => {
                if matches!(wanted.kind, Kind::Any | Kind::Object | Kind::Array | Kind::Constructor) {
                    self.note("`in` finds no arrays and objects, which `States.ArrayContains` compares");
                }
                let text = format!("{} in {}", wanted.operand(Binding::Add), list.operand(Binding::Add));
                Ok(Code::condition(text, Binding::Compare))
            }
            ("asl::array_get_item", [_, index], [list, _]) => {
                self.note("an element of an empty array is an error, where `States.ArrayGetItem` yields null");
                Ok(list.predicate(index))
            }
            ("asl::array_length", [list], _) => self.calling("count", list, Kind::Scalar),
            ("asl::array_unique", [list], _) => self.calling("distinct", list, Kind::Array),
            // The constructor keeps an array of one element and an empty one.
            ("asl::array_partition", [..], _) => {
                let parts = self.calling("partition", &texts.join(", "), Kind::Any)?;
                Ok(Code::constructor(&parts.text))
            }
            ("asl::array_range", [..], _) => {
                let range = self.calling("range", &texts.join(", "), Kind::Any)?;
                Ok(Code::constructor(&range.text))
            }
            ("asl::base64_encode", [text], _) => self.calling("base64encode", text, Kind::String),
            ("asl::base64_decode", [text], _) => self.calling("base64decode", text, Kind::String),
            ("asl::hash", [text, algorithm], [data, _]) => {
                self.digits(operands[0], data);
                let text = match data.kind {
                    Kind::String => (*text).to_owned(),
                    _ => self.calling("string", text, Kind::String)?.text,
                };
                self.calling("hash", &format!("{text}, {algorithm}"), Kind::String)
            }
            ("asl::json_to_string", [text], [value]) => {
                if matches!(value.kind, Kind::Any | Kind::String) {
                    self.note("a string stays as it is, where `States.JsonToString` puts it in quotes");
                }
                self.digits(operands[0], value);
                self.calling("string", text, Kind::String)
            }
            ("asl::string_to_json", [text], _) => {
                self.note("an empty text is an error, where `States.StringToJson` yields null");
                self.calling("parse", text, Kind::Any)
            }
            ("asl::math_add", _, [left, right]) => self.add(operands, left, right),
            ("asl::math_random", _, [start, end]) => self.random(operands, start, end),
            _ => {
                let name = name.trim_start_matches("asl::");
                Err(self.refusal(format!("the intrinsic function `{name}` fails with these arguments")))
            }
        }
    }

    fn add(&mut self, operands: &[&Expr], left: &Code, right: &Code) -> Refused<Code> {
        if operands.iter().any(|operand| whole(operand).is_none() && !is_sum(operand)) {
            self.note("fractions are added as they are, where `States.MathAdd` rounds its arguments");
        }
        let text = match operands.last().and_then(|last| whole(last)) {
            Some(number @ ..0) => format!("{} - {}", left.text, number.unsigned_abs()),
            _ if right.binding <= Binding::Add => format!("{} + ({})", left.text, right.text),
            _ => format!("{} + {}", left.text, right.text),
        };
        Ok(Code::new(text, Binding::Add, Kind::Scalar))
    }

    fn random(&mut self, operands: &[&Expr], start: &Code, end: &Code) -> Refused<Code> {
        let [random, floor] = [self.function("random")?, self.function("floor")?];
        self.draw();
        let limits = [operands.first(), operands.last()].map(|operand| operand.and_then(|operand| truncated(operand)));
        if operands.iter().any(|operand| truncated(operand).is_none() && !is_sum(operand)) {
            self.note("limits keep their fractions, which `States.MathRandom` drops");
        }
        let constant = |limit: Option<i64>, code: &Code| match limit {
            Some(number) => code::literal(&Literal::Int(number)).map_err(|message| self.refusal(message)),
            None => Ok(code.clone()),
        };
        let (start, end) = (constant(limits[0], start)?, constant(limits[1], end)?);
        let span = match (limits[0], limits[1]) {
            (Some(start), Some(end)) => end.saturating_sub(start).to_string(),
            (Some(0), None) => end.operand(Binding::Literal),
            _ => format!("({} - {})", end.text, start.operand(Binding::Literal)),
        };
        let start = start.operand(Binding::Literal);
        let offset = if start == "0" { String::new() } else { format!(" + {start}") };
        Ok(Code::new(format!("{floor}({random}() * {span}){offset}"), Binding::Add, Kind::Scalar))
    }
}

/// Returns a constant whole number.
fn whole(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Literal(Literal::Int(number)) => Some(*number),
        _ => None,
    }
}

/// Returns a constant number without its fraction.
fn truncated(expr: &Expr) -> Option<i64> {
    match expr {
        // The range has no number that the cast would change.
        Expr::Literal(Literal::Float(number)) if number.abs() < 9e15 => Some(number.trunc() as i64),
        _ => whole(expr),
    }
}

/// Returns `true` for a call whose result is a whole number.
fn is_sum(expr: &Expr) -> bool {
    let is_whole = |path: &str| matches!(path, "asl::math_add" | "asl::math_random" | "asl::array_length");
    matches!(expr, Expr::Call(call) if is_whole(call.function.path))
}

/// Returns a character as itself in a regular expression.
pub(super) fn escaped(c: char) -> String {
    match c {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        // JSONata takes a bracket after `\\` for an escaped one.
        '\\' => "\\x5C".to_owned(),
        c if c.is_control() => format!("\\u{:04x}", u32::from(c)),
        c if "^$.*+?()[]{}|/".contains(c) => format!("\\{c}"),
        c => c.to_string(),
    }
}

/// Returns a character as itself in a class of a regular expression.
fn in_class(c: char) -> String {
    if c == '-' { "\\-".to_owned() } else { escaped(c) }
}
