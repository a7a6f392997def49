//! Printing of programs, with parentheses that make precedence explicit.

use super::ast::{Member, Pattern, PatternMember, StringPiece, Term, TermKind, Update};
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
            TermKind::Object(members) => write!(out, "{{{}}}", Joined(members, ", ")),
            TermKind::Negate(inner) => write!(out, "(-({inner}))"),
            TermKind::Pipe(parts) => write!(out, "(({}))", Joined(parts, ") | (")),
            TermKind::Comma(parts) => write!(out, "(({}))", Joined(parts, "), (")),
            TermKind::Binary(operator, left, right) => write!(out, "(({left}) {} ({right}))", operator.sign()),
            TermKind::Update(update, path, value) => match update {
                Update::Assign => write!(out, "(({path}) = ({value}))"),
                Update::Modify => write!(out, "(({path}) |= ({value}))"),
                Update::Default => write!(out, "(({path}) //= ({value}))"),
                Update::Math(operator) => write!(out, "(({path}) {}= ({value}))", operator.sign),
            },
            TermKind::Bind(source, patterns, body) => {
                write!(out, "(({source}) as {} | {body})", Joined(patterns, " ?// "))
            }
            TermKind::Reduce(source, patterns, init, update) => {
                write!(out, "reduce ({source}) as {} ({init}; {update})", Joined(patterns, " ?// "))
            }
            TermKind::Foreach(source, patterns, init, update, extract) => {
                write!(out, "foreach ({source}) as {} ({init}; {update}", Joined(patterns, " ?// "))?;
                extract.iter().try_for_each(|extract| write!(out, "; {extract}"))?;
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
            TermKind::Call(name, arguments) if arguments.is_empty() => out.write_str(name),
            TermKind::Call(name, arguments) => write!(out, "{name}({})", Joined(arguments, "; ")),
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

/// Parts with a text between each two.
struct Joined<'a, T>(&'a [T], &'a str);

impl<T: Display> Display for Joined<'_, T> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Joined(parts, between) = self;
        for (at, part) in parts.iter().enumerate() {
            write!(out, "{}{part}", if at > 0 { between } else { "" })?;
        }
        Ok(())
    }
}

impl Display for Member {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => write!(out, "({}): ({value})", self.key),
            None => write!(out, "{}", self.key),
        }
    }
}

impl Display for Pattern {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Variable(name) => write!(out, "${name}"),
            Pattern::Array(members) => {
                let items: Vec<&Pattern> = members.iter().filter_map(|member| member.value.as_ref()).collect();
                write!(out, "[{}]", Joined(&items, ", "))
            }
            Pattern::Object(members) => write!(out, "{{{}}}", Joined(members, ", ")),
        }
    }
}

impl Display for PatternMember {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match &self.variable {
            Some(name) => write!(out, "${name}")?,
            None => write!(out, "({})", self.key)?,
        }
        self.value.iter().try_for_each(|value| write!(out, ": {value}"))
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
