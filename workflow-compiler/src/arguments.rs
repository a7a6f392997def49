//! Parser of the arguments of `include_workflow!`. It is hand-written, which keeps `syn` out of
//! users' builds.

use crate::passes::names::is_identifier;
use crate::{CorrelationBinding, DefaultTimeout, FunctionBinding, Options, RustCode, TaskBinding};
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use std::iter::Peekable;

/// The arguments of the macro.
#[derive(Debug)]
pub struct Arguments {
    /// The path of the definition, relative to the package.
    pub path: String,
    /// The span of the path.
    pub span: Span,
    /// The settings.
    pub options: Options,
    /// Older versions of the definition: path and module of each.
    pub versions: Vec<(String, String)>,
    /// Paths of definitions that sub-flows can name.
    pub subflows: Vec<String>,
    /// The root folder of the files that definitions can name, relative to the package. The
    /// default is the folder of each definition.
    pub root: Option<String>,
}

/// An error in the arguments.
#[derive(Debug)]
pub struct Error {
    /// The span of the error.
    pub span: Span,
    /// The message.
    pub message: String,
}

type Tokens = Peekable<proc_macro2::token_stream::IntoIter>;

/// Parses `"path", key: value, …`.
pub fn parse(input: TokenStream) -> Result<Arguments, Error> {
    let mut tokens = input.into_iter().peekable();
    let span = tokens.peek().map_or_else(Span::call_site, TokenTree::span);
    let path = string(&mut tokens, span, "the path of a workflow definition")?;
    let mut options = Options::default();
    let (mut versions, mut subflows, mut root) = (Vec::new(), Vec::new(), None);
    while tokens.peek().is_some() {
        punctuation(&mut tokens, ',')?;
        let Some(token) = tokens.next() else { break };
        let TokenTree::Ident(key) = &token else {
            return Err(error(token.span(), "expected a setting such as `tasks: { … }`"));
        };
        punctuation(&mut tokens, ':')?;
        match key.to_string().as_str() {
            "versions" => older(&mut tokens, key.span(), &mut versions)?,
            "subflows" => {
                let what = "a list of definitions: `[\"flows/visa.workflow-dsl.json\"]`";
                let mut paths = group(&mut tokens, key.span(), Delimiter::Bracket, what)?;
                while paths.peek().is_some() {
                    subflows.push(string(&mut paths, key.span(), "the path of a definition")?);
                    separator(&mut paths)?;
                }
            }
            "root" => root = Some(string(&mut tokens, key.span(), "the path of a folder")?),
            setting_key => setting(setting_key, key.span(), &mut tokens, &mut options)?,
        }
    }
    Ok(Arguments { path, span, options, versions, subflows, root })
}

/// Parses `{ "path" => module, … }`.
fn older(tokens: &mut Tokens, span: Span, versions: &mut Vec<(String, String)>) -> Result<(), Error> {
    let mut pairs = group(tokens, span, Delimiter::Brace, "`{ \"order.2025.asl.json\" => order_2025 }`")?;
    while pairs.peek().is_some() {
        let path = string(&mut pairs, span, "the path of an older version of the definition")?;
        arrow(&mut pairs, '=')?;
        let place = pairs.peek().map_or(span, TokenTree::span);
        let module = word(&mut pairs, span)?;
        if !is_identifier(&module) {
            return Err(error(place, &format!("`{module}` is no name of a module")));
        }
        if versions.iter().any(|(_, other)| *other == module) {
            return Err(error(place, &format!("two versions are to be the module `{module}`")));
        }
        versions.push((path, module));
        separator(&mut pairs)?;
    }
    Ok(())
}

const SETTINGS: &str = "`name`, `dialect`, `tasks`, `functions`, `input`, `output`, `substitutions`, `correlate`, `versions`, `subflows`, `root`, `allow`, `default_task_timeout`, `express`";

fn setting(key: &str, span: Span, tokens: &mut Tokens, options: &mut Options) -> Result<(), Error> {
    match key {
        "name" => options.name = Some(string(tokens, span, "a name")?),
        "dialect" => options.dialect = Some(string(tokens, span, "the name of a dialect")?),
        "input" => options.input = Some(rust_type(tokens, span)?),
        "output" => options.output = Some(rust_type(tokens, span)?),
        "allow" => {
            let mut codes = group(tokens, span, Delimiter::Bracket, "a list of codes: `[\"W0201\"]`")?;
            while codes.peek().is_some() {
                options.allow.push(string(&mut codes, span, "a code")?);
                separator(&mut codes)?;
            }
        }
        "substitutions" => {
            let mut pairs = group(tokens, span, Delimiter::Brace, "`{ \"Name\" => \"value\" }`")?;
            while pairs.peek().is_some() {
                let name = string(&mut pairs, span, "the name of a placeholder")?;
                arrow(&mut pairs, '=')?;
                options.substitutions.insert(name, string(&mut pairs, span, "its value")?);
                separator(&mut pairs)?;
            }
        }
        "correlate" => {
            let mut pairs = group(tokens, span, Delimiter::Brace, "`{ patient = \"$.patient.id\" }`")?;
            while pairs.peek().is_some() {
                let attribute = match pairs.peek() {
                    Some(TokenTree::Literal(_)) => string(&mut pairs, span, "the name of an attribute")?,
                    _ => word(&mut pairs, span)?,
                };
                punctuation(&mut pairs, '=')?;
                let path = string(&mut pairs, span, "a path of the input")?;
                options.correlate.push(CorrelationBinding { attribute, path });
                separator(&mut pairs)?;
            }
        }
        "tasks" => {
            let mut bindings = group(tokens, span, Delimiter::Brace, "`{ \"Task\" => method(Input) -> Output }`")?;
            while bindings.peek().is_some() {
                options.tasks.push(binding(&mut bindings, span)?);
                separator(&mut bindings)?;
            }
        }
        "functions" => {
            let what = "`{ \"State\" => path::to::function, \"Other\" => self.method }`";
            let mut bindings = group(tokens, span, Delimiter::Brace, what)?;
            while bindings.peek().is_some() {
                let state = string(&mut bindings, span, "the name of a state")?;
                arrow(&mut bindings, '=')?;
                options.functions.push(FunctionBinding { state, function: expression(&mut bindings, span)? });
            }
        }
        "express" => options.express = word(tokens, span)? == "true",
        "default_task_timeout" => {
            let seconds = word(tokens, span)?;
            options.default_task_timeout = match (seconds.as_str(), seconds.parse()) {
                ("none", _) => DefaultTimeout::Unlimited,
                (_, Ok(seconds)) => DefaultTimeout::Seconds(seconds),
                (_, Err(_)) => return Err(error(span, "expected a number of seconds, or `none`")),
            };
        }
        _ => return Err(error(span, &format!("unknown setting `{key}`: there are {SETTINGS}"))),
    }
    Ok(())
}

/// Parses `"Task" => method(Input) -> Output`. Both types are optional.
fn binding(tokens: &mut Tokens, span: Span) -> Result<TaskBinding, Error> {
    let task = string(tokens, span, "the key of a task, or the name of a state")?;
    arrow(tokens, '=')?;
    let method = word(tokens, span)?;
    let mut binding = TaskBinding { task, method, input: None, output: None };
    if let Some(TokenTree::Group(arguments)) = tokens.peek()
        && arguments.delimiter() == Delimiter::Parenthesis
    {
        let input = arguments.stream();
        tokens.next();
        binding.input = (!input.is_empty()).then(|| RustCode::from(input));
    }
    if matches!(tokens.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == '-') {
        arrow(tokens, '-')?;
        binding.output = Some(rust_type(tokens, span)?);
    }
    Ok(binding)
}

/// Parses a type: everything up to the next comma outside of `<…>`.
fn rust_type(tokens: &mut Tokens, span: Span) -> Result<RustCode, Error> {
    let mut ty = TokenStream::new();
    let mut depth = 0i32;
    while let Some(token) = tokens.peek() {
        if let TokenTree::Punct(punct) = token {
            match punct.as_char() {
                ',' if depth == 0 => break,
                '<' => depth += 1,
                '>' => depth -= 1,
                _ => {}
            }
        }
        ty.extend(tokens.next());
    }
    if ty.is_empty() { Err(error(span, "expected a Rust type")) } else { Ok(RustCode::from(ty)) }
}

/// Parses an expression: everything up to a comma before the next binding, including that comma. A
/// closure contains commas of its own.
fn expression(tokens: &mut Tokens, span: Span) -> Result<RustCode, Error> {
    let mut found = TokenStream::new();
    while let Some(token) = tokens.next() {
        let is_comma = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ',');
        if is_comma && matches!(tokens.peek(), None | Some(TokenTree::Literal(_))) {
            break;
        }
        found.extend([token]);
    }
    if found.is_empty() { Err(error(span, "expected a function")) } else { Ok(RustCode::from(found)) }
}

fn string(tokens: &mut Tokens, span: Span, what: &str) -> Result<String, Error> {
    match tokens.next() {
        Some(TokenTree::Literal(literal)) => {
            let written = literal.to_string();
            let inner = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            match inner {
                Some(inner) if !inner.contains('\\') => Ok(inner.to_owned()),
                _ => Err(error(literal.span(), &format!("expected {what} as a plain string literal"))),
            }
        }
        // A macro_rules `$path:literal` arrives in an invisible group.
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::None => {
            string(&mut group.stream().into_iter().peekable(), span, what)
        }
        Some(other) => Err(error(other.span(), &format!("expected {what} as a string literal"))),
        None => Err(error(span, &format!("expected {what} as a string literal"))),
    }
}

fn word(tokens: &mut Tokens, span: Span) -> Result<String, Error> {
    match tokens.next() {
        Some(token @ (TokenTree::Ident(_) | TokenTree::Literal(_))) => Ok(token.to_string()),
        other => Err(error(other.map_or(span, |token| token.span()), "expected a name or a number")),
    }
}

fn group(tokens: &mut Tokens, span: Span, delimiter: Delimiter, what: &str) -> Result<Tokens, Error> {
    match tokens.next() {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Ok(inside(&group)),
        other => Err(error(other.map_or(span, |token| token.span()), &format!("expected {what}"))),
    }
}

fn inside(group: &Group) -> Tokens {
    group.stream().into_iter().peekable()
}

/// Parses `=>` or `->`.
fn arrow(tokens: &mut Tokens, first: char) -> Result<(), Error> {
    punctuation(tokens, first)?;
    punctuation(tokens, '>')
}

fn separator(tokens: &mut Tokens) -> Result<(), Error> {
    if tokens.peek().is_some() { punctuation(tokens, ',') } else { Ok(()) }
}

fn punctuation(tokens: &mut Tokens, expected: char) -> Result<(), Error> {
    match tokens.next() {
        Some(TokenTree::Punct(punct)) if punct.as_char() == expected => Ok(()),
        Some(other) => Err(error(other.span(), &format!("expected `{expected}`"))),
        None => Err(error(Span::call_site(), &format!("expected `{expected}`"))),
    }
}

fn error(span: Span, message: &str) -> Error {
    Error { span, message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subflows_are_a_list_of_paths() {
        let parsed = |text: &str| {
            let tokens: TokenStream = text.parse().map_err(|_| "no tokens".to_owned())?;
            parse(tokens).map(|arguments| arguments.subflows).map_err(|error| error.message)
        };
        assert_eq!(parsed(r#""a.json", subflows: ["b.json", "c.json",]"#), Ok(vec!["b.json".into(), "c.json".into()]));
        assert_eq!(parsed(r#""a.json", subflows: [], name: "x""#), Ok(Vec::new()));
        let list = "expected a list of definitions: `[\"flows/visa.workflow-dsl.json\"]`";
        assert_eq!(parsed(r#""a.json", subflows: "b.json""#), Err(list.to_owned()));
        assert!(parsed(r#""a.json", subflows: [b]"#).is_err());
    }

    #[test]
    fn the_root_is_a_path() {
        let parsed = |text: &str| {
            let tokens: TokenStream = text.parse().map_err(|_| "no tokens".to_owned())?;
            parse(tokens).map(|arguments| arguments.root).map_err(|error| error.message)
        };
        assert_eq!(parsed(r#""flows/a.json", root: "flows", name: "x""#), Ok(Some("flows".into())));
        assert_eq!(parsed(r#""flows/a.json""#), Ok(None));
        let expected = "expected the path of a folder as a string literal";
        assert_eq!(parsed(r#""flows/a.json", root: flows"#), Err(expected.to_owned()));
    }

    #[test]
    fn a_correlation_value_is_bound_to_a_path() {
        let parsed = |text: &str| {
            let tokens: TokenStream =
                format!(r#""a.json", correlate: {text}"#).parse().map_err(|_| "no tokens".to_owned())?;
            let bindings = parse(tokens).map(|arguments| arguments.options.correlate).map_err(|error| error.message)?;
            Ok::<_, String>(bindings.into_iter().map(|binding| (binding.attribute, binding.path)).collect::<Vec<_>>())
        };
        let bound = |attribute: &str, path: &str| Ok(vec![(attribute.to_owned(), path.to_owned())]);
        assert_eq!(parsed(r#"{ patient = "$.patient.id" }"#), bound("patient", "$.patient.id"));
        assert_eq!(parsed(r#"{ "patient id" = "$['patient id']", }"#), bound("patient id", "$['patient id']"));
        assert_eq!(parsed("{}"), Ok(Vec::new()));
        for (text, problem) in [
            (r#""$.patient""#, r#"expected `{ patient = "$.patient.id" }`"#),
            (r#"{ patient => "$.patient" }"#, "expected a path of the input as a string literal"),
            ("{ patient }", "expected `=`"),
            ("{ patient = $ }", "expected a path of the input as a string literal"),
            (r#"{ patient = "$.a" order = "$.b" }"#, "expected `,`"),
        ] {
            assert_eq!(parsed(text), Err(problem.to_owned()), "{text}");
        }
    }

    #[test]
    fn versions_have_modules_of_their_own() {
        let parsed = |text: &str| {
            let tokens: TokenStream = text.parse().map_err(|_| "no tokens".to_owned())?;
            parse(tokens).map(|arguments| arguments.versions).map_err(|error| error.message)
        };
        let pair = |path: &str, module: &str| (path.to_owned(), module.to_owned());
        assert_eq!(
            parsed(r#""a.json", versions: { "b.json" => b, "c.json" => c_2025, }, name: "x""#),
            Ok(vec![pair("b.json", "b"), pair("c.json", "c_2025")])
        );
        assert_eq!(parsed(r#""a.json""#), Ok(Vec::new()));
        for (versions, problem) in [
            (r#"{ "b.json" => fn }"#, "`fn` is no name of a module"),
            (r#"{ "b.json" => 7 }"#, "`7` is no name of a module"),
            (r#"{ "b.json" => b, "c.json" => b }"#, "two versions are to be the module `b`"),
            (r#"["b.json"]"#, r#"expected `{ "order.2025.asl.json" => order_2025 }`"#),
            ("{ b }", "expected the path of an older version of the definition as a string literal"),
        ] {
            assert_eq!(parsed(&format!(r#""a.json", versions: {versions}"#)), Err(problem.to_owned()), "{versions}");
        }
    }
}
