//! Spaces between the tokens of one line.

use super::read::is_keyword;
use super::tree::{Fix, Kind, LayoutTree, Role};

/// Returns the position of an operator after `before`.
pub fn fix(op: &str, before: &[LayoutTree]) -> Fix {
    let operand = before.last().is_some_and(ends_operand);
    match op {
        "." => Fix::Tight,
        "::" | ".." | "..=" | "..." if operand => Fix::Tight,
        "," | ";" | ":" => Fix::Postfix,
        "?" if operand => Fix::Postfix,
        "!" if operand => Fix::Bang,
        "||" if !operand => Fix::Closure,
        "::" | ".." | "..=" | "..." | "?" | "#" | "$" | "~" | "'" => Fix::Prefix,
        "!" | "&" | "&&" | "*" | "-" if !operand => Fix::Prefix,
        _ => Fix::Infix,
    }
}

/// Returns `true` if an operand can end with `tree`.
pub fn ends_operand(tree: &LayoutTree) -> bool {
    match &tree.kind {
        Kind::Word(word) => !is_keyword(word),
        Kind::Literal(_) => true,
        Kind::Op(op, fix) => *op == "?" && *fix == Fix::Postfix,
        // The body of a closure follows its parameters. A statement can follow a block.
        Kind::Group(group) => group.role != Role::Params && group.role.open() != "{",
        Kind::Attribute(_) => false,
    }
}

/// Returns `true` if there is a space between `before` and `next`.
pub fn is_spaced(before: &[LayoutTree], next: &Kind) -> bool {
    let Some(last) = before.last() else { return false };
    match next {
        Kind::Op(_, Fix::Postfix | Fix::Bang | Fix::Tight) => false,
        Kind::Op(_, Fix::Infix) => true,
        Kind::Op(_, Fix::Prefix | Fix::Closure) => takes_space_after(last),
        Kind::Group(group) if group.role == Role::Generics => match &last.kind {
            Kind::Word(word) => is_keyword(word) && !matches!(&word[..], "impl" | "for" | "fn"),
            _ => takes_space_after(last),
        },
        Kind::Group(group) if matches!(group.role, Role::Parens | Role::Brackets) => match &last.kind {
            Kind::Word(word) => {
                // A word after parentheses is a keyword of Rust or of a table.
                let keyword =
                    is_keyword(word) || matches!(before, [.., group, _] if group.role() == Some(Role::Parens));
                keyword && !matches!(&word[..], "pub" | "fn") || word.starts_with('\'')
            }
            Kind::Op(_, Fix::Bang) => false,
            Kind::Op(_, Fix::Postfix) => last.is_op(",") || last.is_op(";") || last.is_op(":"),
            Kind::Group(group) => !matches!(group.role, Role::Parens | Role::Brackets | Role::Generics),
            _ => takes_space_after(last),
        },
        _ => takes_space_after(last),
    }
}

/// Returns `true` if an operand is separated from what precedes it.
fn takes_space_after(last: &LayoutTree) -> bool {
    !matches!(last.fix(), Some(Fix::Prefix | Fix::Tight))
}
