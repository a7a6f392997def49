//! Labels of calls of runtime functions, without their names: an operator, a few words, or the
//! function that the author wrote.

use super::labels::{argument, one_name, one_step};
use crate::expr::{Arg, Call, Expr, Type};
use crate::hir::Workflow;

/// The label of a call.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// The first operand alone.
    Operand,
    /// An operator between two operands, and its negation.
    Infix(&'static str, Option<&'static str>),
    /// An ordered comparison, and the same with exchanged operands.
    Ordered(&'static str, &'static str),
    /// Words behind the operand, and their negation.
    Behind(&'static str, &'static str),
    /// A sign before the operand.
    Before(&'static str),
    /// A function of the expression language, with all operands.
    Function(&'static str),
    /// A method of the first operand.
    Method(&'static str),
    /// A regular expression between slashes.
    Pattern,
    /// The members that the last argument names.
    Members,
    /// A text instead of the call.
    Text(&'static str),
}

use Form::*;

/// The labels, by the path of the function. Comparisons of values of different types do not hold,
/// so the negation of `<` is not `≥`.
#[rustfmt::skip]
const FORMS: [(&str, Form); 79] = [
    ("jsonpath::exists", Operand),
    ("jsonpath::holds", Operand),
    ("jsonpath::any", Operand),
    ("jsonpath::equal", Infix("==", Some("!="))),
    ("jsonpath::less", Ordered("<", ">")),
    ("jsonpath::less_or_equal", Ordered("<=", ">=")),
    ("jsonpath::length", Function("length")),
    ("jsonpath::count", Function("count")),
    ("jsonpath::count_one", Function("count")),
    ("jsonpath::value", Function("value")),
    ("jsonpath::matches", Function("match")),
    ("jsonpath::matches_value", Function("match")),
    ("jsonpath::searches", Function("search")),
    ("jsonpath::searches_value", Function("search")),
    ("jsonpath::jayway_equal", Infix("==", Some("!="))),
    ("jsonpath::jayway_less_or_equal", Ordered("<=", ">=")),
    ("jsonpath::jayway_matches", Pattern),
    ("jsonpath::jayway_in", Infix("in", Some("nin"))),
    ("jsonpath::jayway_subset_of", Infix("subsetof", None)),
    ("jsonpath::jayway_any_of", Infix("anyof", None)),
    ("jsonpath::jayway_none_of", Infix("noneof", None)),
    ("jsonpath::jayway_size", Infix("size", None)),
    ("jsonpath::jayway_empty", Infix("empty", None)),
    ("jsonpath::jayway_contains", Infix("contains", None)),
    ("jsonpath::jayway_length", Method("length()")),
    ("jsonpath::members", Members),
    ("jsonpath::members_of_each", Members),
    ("spel::is_true", Operand),
    ("spel::is_given", Behind("is given", "is not given")),
    ("spel::is_filled", Behind("is filled", "is not filled")),
    ("spel::equals", Infix("=", Some("≠"))),
    ("spel::less_than", Ordered("<", ">")),
    ("spel::less_than_equals", Ordered("≤", "≥")),
    ("spel::greater_than", Ordered(">", "<")),
    ("spel::greater_than_equals", Ordered("≥", "≤")),
    ("spel::matches", Infix("matches", Some("does not match"))),
    ("spel::matches_value", Infix("matches", Some("does not match"))),
    ("spel::add", Infix("+", None)),
    ("spel::subtract", Infix("-", None)),
    ("spel::multiply", Infix("*", None)),
    ("spel::divide", Infix("/", None)),
    ("spel::remainder", Infix("%", None)),
    ("spel::negate", Before("-")),
    ("spel::is_empty", Behind("is empty", "is not empty")),
    ("spel::size", Method("size()")),
    ("spel::contains", Infix("contains", Some("does not contain"))),
    ("spel::starts_with", Infix("starts with", Some("does not start with"))),
    ("spel::ends_with", Infix("ends with", Some("does not end with"))),
    ("spel::to_lower_case", Method("toLowerCase()")),
    ("spel::to_upper_case", Method("toUpperCase()")),
    ("spel::only", Operand),
    ("asl::array_contains", Function("States.ArrayContains")),
    ("asl::array_get_item", Function("States.ArrayGetItem")),
    ("asl::array_length", Function("States.ArrayLength")),
    ("asl::array_partition", Function("States.ArrayPartition")),
    ("asl::array_range", Function("States.ArrayRange")),
    ("asl::array_unique", Function("States.ArrayUnique")),
    ("asl::base64_decode", Function("States.Base64Decode")),
    ("asl::base64_encode", Function("States.Base64Encode")),
    ("asl::format", Function("States.Format")),
    ("asl::format_template", Function("States.Format")),
    ("asl::hash", Function("States.Hash")),
    ("asl::json_merge", Function("States.JsonMerge")),
    ("asl::json_to_string", Function("States.JsonToString")),
    ("asl::math_add", Function("States.MathAdd")),
    ("asl::math_random", Function("States.MathRandom")),
    ("asl::math_random_seeded", Function("States.MathRandom")),
    ("asl::string_split", Function("States.StringSplit")),
    ("asl::string_to_json", Function("States.StringToJson")),
    ("asl::uuid", Function("States.UUID")),
    ("serverless_workflow::or_null", Operand),
    ("serverless_workflow::only", Operand),
    ("serverless_workflow::one_or_more", Operand),
    ("serverless_workflow::some", Operand),
    ("serverless_workflow::filtered", Operand),
    ("serverless_workflow::is_between", Text("the time is in the active interval")),
    ("serverless_workflow::is_younger", Text("the execution is young enough")),
    ("serverless_workflow::is_violation", Text("the data violate their schema")),
    ("serverless_workflow::has_new_error", Text("there is a new error")),
];

/// Returns `true` for the name of a function of the table that is not a name in the language of
/// an author, too.
pub fn is_internal(name: &str) -> bool {
    name.contains('_') && FORMS.iter().any(|(path, _)| path.rsplit("::").next() == Some(name))
}

/// Returns the label of a call, or of its negation, if the table has its function.
pub fn known(call: &Call, negated: bool, workflow: &Workflow) -> Option<String> {
    let form = FORMS.iter().find(|(path, _)| *path == call.function.path)?.1;
    let shown: Vec<String> = call.args.iter().map(|arg| argument(arg, workflow)).collect();
    let not = |shown: String, is_one_word: bool| match (negated, is_one_word) {
        (false, _) => shown,
        (true, true) => format!("not {shown}"),
        (true, false) => format!("not ({shown})"),
    };
    Some(match (form, &shown[..]) {
        (Operand, [only, ..]) => not(only.clone(), true),
        (Infix(sign, None), [left, right, ..]) => not(format!("{left} {sign} {right}"), false),
        (Infix(sign, Some(contrary)), [left, right, ..]) => {
            format!("{left} {} {right}", if negated { contrary } else { sign })
        }
        (Ordered(sign, exchanged), [left, right, ..]) => not(
            match is_literal(&call.args[0]) && !is_literal(&call.args[1]) {
                true => format!("{right} {exchanged} {left}"),
                false => format!("{left} {sign} {right}"),
            },
            false,
        ),
        (Behind(words, contrary), [only, ..]) => format!("{only} {}", if negated { contrary } else { words }),
        (Before(sign), [only, ..]) => not(format!("{sign}{only}"), true),
        (Function(name), _) => not(format!("{name}({})", shown.join(", ")), true),
        (Method(name), [only, ..]) => not(format!("{only}.{name}"), true),
        (Pattern, [subject, ..]) => match call.args.last() {
            Some(Arg::Str(pattern)) => not(format!("{subject} =~ /{pattern}/"), false),
            _ => return None,
        },
        (Members, [from, ..]) => match call.args.last() {
            Some(Arg::Strs(names)) => {
                let names: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
                not(format!("{from}[{}]", names.join(",")), true)
            }
            _ => return None,
        },
        (Text(text), _) => not(text.to_owned(), false),
        _ => return None,
    })
}

fn is_literal(arg: &Arg) -> bool {
    matches!(arg, Arg::Value(Expr::Literal(_)) | Arg::Maybe(Expr::Literal(_)))
}

/// Returns the label of any other call. It hides the function: the author did not write it.
pub fn unknown(call: &Call, workflow: &Workflow) -> String {
    let name = call.function.path.rsplit("::").next().unwrap_or_default();
    let written = call.args.iter().find_map(|arg| match arg {
        Arg::Str(text) => Some(text),
        _ => None,
    });
    match (written, &call.args[..]) {
        // The check of a path is called as the path.
        (_, [Arg::Maybe(Expr::Call(selection)), ..]) if selection.function.returns == Type::Selection => {
            unknown(selection, workflow)
        }
        (Some(path), _) if path.starts_with('$') => path.to_string(),
        (Some(variable), _) if name == "variable" => format!("${variable}"),
        (_, [from @ (Arg::Value(_) | Arg::Maybe(_)), Arg::Steps(steps)]) => {
            argument(from, workflow) + &steps.iter().map(one_step).collect::<String>()
        }
        (_, [from @ (Arg::Value(_) | Arg::Maybe(_)), Arg::Strs(names)]) => {
            argument(from, workflow) + &names.iter().map(|name| one_name(name)).collect::<String>()
        }
        (_, args) => {
            let is_shown = |arg: &&Arg| matches!(arg, Arg::Value(_) | Arg::Owned(_) | Arg::Maybe(_) | Arg::Bool(_));
            let shown: Vec<String> = args.iter().filter(is_shown).map(|arg| argument(arg, workflow)).collect();
            let found = if call.function.returns == Type::Bool { "a condition" } else { "a value" };
            if shown.is_empty() { found.to_owned() } else { format!("{found} of {}", shown.join(" and ")) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Function as Runtime;
    use crate::expr::jsonpath::functions as jsonpath;
    use crate::graph::labels::label;
    use crate::graph::tests::plain_workflow;
    use std::sync::Arc;

    /// Returns the label of a call with the operands `$` and 2, and of its negation.
    fn labels(function: &'static Runtime) -> [String; 2] {
        let two = Expr::Literal(crate::expr::Literal::Int(2));
        let call = Expr::call(function, vec![Arg::Maybe(Expr::Context), Arg::Maybe(two)]);
        let negated = Expr::Not(Box::new(call.clone()));
        [call, negated].map(|expr| label(&expr, &plain_workflow()))
    }

    #[test]
    fn conditions_of_json_path_are_shown_as_written() {
        for (function, expected) in [
            (&jsonpath::EQUAL, ["$$ == 2", "$$ != 2"]),
            (&jsonpath::LESS, ["$$ < 2", "not ($$ < 2)"]),
            (&jsonpath::JAYWAY_EQUAL, ["$$ == 2", "$$ != 2"]),
            (&jsonpath::JAYWAY_IN, ["$$ in 2", "$$ nin 2"]),
            (&jsonpath::EXISTS, ["$$", "not $$"]),
            (&jsonpath::JAYWAY_SIZE, ["$$ size 2", "not ($$ size 2)"]),
        ] {
            assert_eq!(labels(function), expected);
        }
        let two = Arg::Maybe(Expr::Literal(crate::expr::Literal::Int(2)));
        let exchanged = Expr::call(&jsonpath::LESS, vec![two, Arg::Maybe(Expr::Current)]);
        assert_eq!(label(&exchanged, &plain_workflow()), "@ > 2");
        let pattern = vec![Arg::Maybe(Expr::Current), Arg::Str(Arc::from("x.*"))];
        assert_eq!(label(&Expr::call(&jsonpath::JAYWAY_MATCHES, pattern), &plain_workflow()), "@ =~ /x.*/");
    }

    /// Returns the paths of the functions that a file defines.
    fn paths(source: &str) -> Vec<&str> {
        let quoted =
            source.lines().filter(|line| line.contains("Function = ")).filter_map(|line| line.split('"').nth(1));
        quoted.collect()
    }

    #[test]
    fn every_function_of_expressions_has_a_label() {
        let sources = [include_str!("../expr/jsonpath/functions.rs"), include_str!("../expr/spel/functions.rs")];
        for source in sources {
            let paths = paths(source);
            assert!(paths.len() > 20, "{paths:?}");
            for path in paths {
                assert!(FORMS.iter().any(|(known, _)| *known == path), "{path}");
            }
        }
        let intrinsics = include_str!("../expr/intrinsics/functions.rs");
        for path in intrinsics.split("Lowering::Call(&fallible(\"").skip(1).filter_map(|part| part.split('"').next()) {
            assert!(FORMS.iter().any(|(known, _)| *known == path), "{path}");
        }
    }

    #[test]
    fn functions_without_a_label_are_hidden() {
        static ODD: Runtime = Runtime { path: "asl::odd_one", ..jsonpath::EXISTS };
        let call = Expr::call(&ODD, vec![Arg::Maybe(Expr::Context), Arg::Int(1)]);
        assert_eq!(label(&call, &plain_workflow()), "a condition of $$");
        assert_eq!(label(&Expr::call(&ODD, Vec::new()), &plain_workflow()), "a condition");
    }
}
