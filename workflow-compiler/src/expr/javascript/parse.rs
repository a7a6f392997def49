//! Parsing of functions with oxc.

use super::lower::{self, Lowered};
use oxc_allocator::Allocator;
use oxc_ast::ast::{Expression, Statement};
use oxc_parser::Parser;
use oxc_semantic::SemanticBuilder;
use oxc_span::{GetSpan, SourceType, Span};
use std::ops::Range;

/// The greatest length of a function, in bytes.
const MAX_BYTES: usize = 32 << 10;
/// The greatest nesting of brackets.
const MAX_NESTING: usize = 200;
/// The most trailing semicolons that get a message of their own.
const MAX_SEMICOLONS: usize = 4;
/// The stack of the recursive parser, in bytes. It suffices for any text of [`MAX_BYTES`] bytes.
const STACK: usize = 512 << 20;

/// The text before a function. Functions run in strict mode and have to be expressions.
const HEAD: &str = "\"use strict\";(";
/// The text after a function, which may end in a line comment.
const TAIL: &str = "\n)";

/// The reason why a text is not a usable function.
#[derive(Debug)]
pub(super) enum Refusal {
    Syntax {
        at: Range<usize>,
        message: String,
    },
    /// A semicolon follows the function, which makes it a statement.
    Semicolon {
        at: Range<usize>,
    },
    NotAFunction {
        at: Range<usize>,
    },
    /// The expression may evaluate to a function.
    Computed {
        at: Range<usize>,
    },
}

/// Parses and lowers a function.
pub(super) fn parse(text: &str, variables: &[String]) -> Result<Lowered, Refusal> {
    let refuse = |message: &str| Err(Refusal::Syntax { at: 0..text.len(), message: message.to_owned() });
    if text.len() > MAX_BYTES {
        return refuse("the function is longer than 32 KiB");
    }
    if nesting(text) > MAX_NESTING {
        return refuse("the brackets are nested too deeply");
    }
    let job = || parse_here(text, variables);
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, job);
        match thread.map(|thread| thread.join()) {
            Ok(Ok(result)) => result,
            _ => refuse("the parser failed"),
        }
    })
}

fn parse_here(text: &str, variables: &[String]) -> Result<Lowered, Refusal> {
    let whole = format!("{HEAD}{text}{TAIL}");
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, &whole, SourceType::script()).parse();
    if let Some(found) = parsed.diagnostics.errors().next() {
        if let Some(at) = semicolon(text) {
            return Err(Refusal::Semicolon { at });
        }
        return Err(syntax(
            found.labels.first().map(|label| (label.offset() as usize, label.len() as usize)),
            &found.message,
            text,
        ));
    }
    // A text such as `a) + (b` would combine with the surrounding text.
    let function = match &parsed.program.body[..] {
        [Statement::ExpressionStatement(only)] => match &only.expression {
            Expression::ParenthesizedExpression(parens) if parens.span.end as usize == whole.len() => {
                Some(&parens.expression)
            }
            _ => None,
        },
        _ => None,
    };
    let Some(function) = function else {
        return Err(Refusal::Syntax { at: 0..text.len(), message: "expected a single expression".to_owned() });
    };
    let analysed = SemanticBuilder::new().with_check_syntax_error(true).with_build_nodes(true).build(&parsed.program);
    if let Some(found) = analysed.diagnostics.errors().next() {
        return Err(syntax(
            found.labels.first().map(|label| (label.offset() as usize, label.len() as usize)),
            &found.message,
            text,
        ));
    }
    let function = function.get_inner_expression();
    if !matches!(function, Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_)) {
        let at = place(function.span(), text);
        return Err(if is_data(function) { Refusal::NotAFunction { at } } else { Refusal::Computed { at } });
    }
    Ok(lower::lower(function, &analysed.semantic, text, variables))
}

/// Returns the range of trailing semicolons, if the text parses without them.
fn semicolon(text: &str) -> Option<Range<usize>> {
    let until = text.trim_end().len();
    let mut at = until;
    for _ in 0..MAX_SEMICOLONS {
        at = text[..at].trim_end().strip_suffix(';')?.len();
        let whole = format!("{HEAD}{}{TAIL}", &text[..at]);
        let allocator = Allocator::default();
        let parsed = Parser::new(&allocator, &whole, SourceType::script()).parse();
        if parsed.diagnostics.errors().next().is_none() {
            return Some(at..until);
        }
    }
    None
}

/// Returns `true` if an expression certainly does not evaluate to a function.
fn is_data(expression: &Expression<'_>) -> bool {
    expression.is_literal()
        || matches!(
            expression,
            Expression::ArrayExpression(_)
                | Expression::ObjectExpression(_)
                | Expression::TemplateLiteral(_)
                | Expression::UnaryExpression(_)
                | Expression::BinaryExpression(_)
                | Expression::UpdateExpression(_)
        )
}

/// Returns the byte range in the function's text that corresponds to a span of the parser.
pub(super) fn place(span: Span, text: &str) -> Range<usize> {
    bytes(span.start as usize, span.end as usize, text)
}

fn bytes(start: usize, end: usize, text: &str) -> Range<usize> {
    let start = start.saturating_sub(HEAD.len()).min(text.len());
    start..end.saturating_sub(HEAD.len()).clamp(start, text.len())
}

fn syntax(label: Option<(usize, usize)>, message: &str, text: &str) -> Refusal {
    let at = label.map_or(0..text.len(), |(offset, len)| bytes(offset, offset + len, text));
    let message = message.trim_end_matches('.');
    let mut letters = message.chars();
    let message = letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect();
    Refusal::Syntax { at, message }
}

/// Returns the nesting of brackets. Brackets in strings and comments count as well, which only
/// makes the limit stricter.
fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}
