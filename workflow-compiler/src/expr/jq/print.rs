//! Printing of programs, with parentheses that make precedence explicit.

use super::ast::{Binary, Pattern, StringPiece, Term, TermKind, Update};
use std::fmt::{self, Display, Formatter, Write};

impl Display for Term {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            TermKind::Identity => out.write_str("."),
            TermKind::Descend => out.write_str(".."),
            TermKind::Number(digits) => out.write_str(digits),
            TermKind::Variable(name) => write!(out, "${name}"),
            TermKind::Format(name) => out.write_str(name),
            TermKind::Text(format, pieces) => {
                if let Some(format) = format {
                    write!(out, "{format} ")?;
                }
                out.write_char('"')?;
                for piece in pieces {
                    match piece {
                        StringPiece::Text(text) => write_text(text, out)?,
                        StringPiece::Term(term) => write!(out, "\\({term})")?,
                    }
                }
                out.write_char('"')
            }
            TermKind::Array(None) => out.write_str("[]"),
            TermKind::Array(Some(inner)) => write!(out, "[{inner}]"),
            TermKind::Object(members) => {
                out.write_char('{')?;
                for (at, member) in members.iter().enumerate() {
                    out.write_str(if at > 0 { ", " } else { "" })?;
                    match (&member.key.kind, &member.value) {
                        (_, Some(value)) => write!(out, "({}): ({value})", member.key)?,
                        (_, None) => write!(out, "{}", member.key)?,
                    }
                }
                out.write_char('}')
            }
            TermKind::Negate(inner) => write!(out, "(-({inner}))"),
            TermKind::Pipe(parts) => joined(parts, " | ", out),
            TermKind::Comma(parts) => joined(parts, ", ", out),
            TermKind::Binary(operator, left, right) => write!(out, "(({left}) {} ({right}))", sign(*operator)),
            TermKind::Update(update, path, value) => match update {
                Update::Assign => write!(out, "(({path}) = ({value}))"),
                Update::Modify => write!(out, "(({path}) |= ({value}))"),
                Update::Default => write!(out, "(({path}) //= ({value}))"),
                Update::Math(operator) => write!(out, "(({path}) {}= ({value}))", sign(*operator)),
            },
            TermKind::Bind(source, shapes, body) => {
                write!(out, "(({source}) as ")?;
                patterns(shapes, out)?;
                write!(out, " | {body})")
            }
            TermKind::Reduce(source, shapes, init, update) => {
                write!(out, "reduce ({source}) as ")?;
                patterns(shapes, out)?;
                write!(out, " ({init}; {update})")
            }
            TermKind::Foreach(source, shapes, init, update, extract) => {
                write!(out, "foreach ({source}) as ")?;
                patterns(shapes, out)?;
                write!(out, " ({init}; {update}")?;
                if let Some(extract) = extract {
                    write!(out, "; {extract}")?;
                }
                out.write_char(')')
            }
            TermKind::If(test, then, None) => write!(out, "if {test} then {then} else . end"),
            TermKind::If(test, then, Some(otherwise)) => write!(out, "if {test} then {then} else {otherwise} end"),
            TermKind::Try(body, None) => write!(out, "(try ({body}))"),
            TermKind::Try(body, Some(handler)) => write!(out, "(try ({body}) catch ({handler}))"),
            TermKind::Label(name, body) => write!(out, "(label ${name} | {body})"),
            TermKind::Break(name) => write!(out, "(break ${name})"),
            TermKind::Define(definition, body) => {
                write!(out, "(def {}", definition.name)?;
                if !definition.params.is_empty() {
                    write!(out, "({})", definition.params.join("; "))?;
                }
                write!(out, ": {}; {body})", definition.body)
            }
            TermKind::Call(name, arguments) => {
                out.write_str(name)?;
                for (at, argument) in arguments.iter().enumerate() {
                    write!(out, "{}{argument}", if at > 0 { "; " } else { "(" })?;
                }
                out.write_str(if arguments.is_empty() { "" } else { ")" })
            }
            TermKind::Index(base, key, optional) => write!(out, "({base})[{key}]{}", mark(*optional)),
            TermKind::Slice(base, from, to, optional) => {
                write!(out, "({base})[")?;
                from.iter().try_for_each(|from| write!(out, "({from})"))?;
                out.write_char(':')?;
                to.iter().try_for_each(|to| write!(out, "({to})"))?;
                write!(out, "]{}", mark(*optional))
            }
            TermKind::Iterate(base, optional) => write!(out, "({base})[]{}", mark(*optional)),
        }
    }
}

fn mark(optional: bool) -> &'static str {
    if optional { "?" } else { "" }
}

fn joined(parts: &[Term], between: &str, out: &mut Formatter<'_>) -> fmt::Result {
    out.write_char('(')?;
    for (at, part) in parts.iter().enumerate() {
        write!(out, "{}({part})", if at > 0 { between } else { "" })?;
    }
    out.write_char(')')
}

fn patterns(patterns: &[Pattern], out: &mut Formatter<'_>) -> fmt::Result {
    for (at, pattern) in patterns.iter().enumerate() {
        out.write_str(if at > 0 { " ?// " } else { "" })?;
        write_pattern(pattern, out)?;
    }
    Ok(())
}

fn write_pattern(pattern: &Pattern, out: &mut Formatter<'_>) -> fmt::Result {
    match pattern {
        Pattern::Variable(name) => write!(out, "${name}"),
        Pattern::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                out.write_str(if at > 0 { ", " } else { "[" })?;
                write_pattern(item, out)?;
            }
            out.write_char(']')
        }
        Pattern::Object(members) => {
            for (at, member) in members.iter().enumerate() {
                out.write_str(if at > 0 { ", " } else { "{" })?;
                match &member.variable {
                    Some(name) => write!(out, "${name}")?,
                    None => write!(out, "({})", member.key)?,
                }
                if let Some(value) = &member.value {
                    out.write_str(": ")?;
                    write_pattern(value, out)?;
                }
            }
            out.write_char('}')
        }
    }
}

fn write_text(text: &str, out: &mut Formatter<'_>) -> fmt::Result {
    for c in text.chars() {
        match c {
            '"' => out.write_str("\\\"")?,
            '\\' => out.write_str("\\\\")?,
            c if c < ' ' => write!(out, "\\u{:04x}", c as u32)?,
            c => out.write_char(c)?,
        }
    }
    Ok(())
}

fn sign(operator: Binary) -> &'static str {
    match operator {
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Remainder => "%",
        Binary::Equal => "==",
        Binary::NotEqual => "!=",
        Binary::Less => "<",
        Binary::LessOrEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterOrEqual => ">=",
        Binary::And => "and",
        Binary::Or => "or",
        Binary::Alternative => "//",
    }
}
