//! Printing of expressions that may not fit on their line. The tail of an expression is the text
//! after it on its last line.

use super::print::Printer;
use super::tree::{self, Fix, Kind, LayoutTree, Role};
use super::{INDENT, MAX_WIDTH, chain};

/// The maximum width of `if … { … } else { … }` on one line.
const SHORT_IF: usize = 60;

impl Printer {
    /// Prints an expression, a statement, a field or a type: on one line if it fits, otherwise
    /// broken by its kind.
    pub fn expr(&mut self, trees: &[LayoutTree], tail: usize) {
        if self.fits(trees, tail) {
            return self.flat(trees);
        }
        let head = head_length(trees);
        if head > 0 {
            self.flat(&trees[..head]);
            self.gap(&trees[head..]);
            return self.expr(&trees[head..], tail);
        }
        if let Some(at) = assignment(trees) {
            self.flat(&trees[..=at]);
            return self.assigned(&trees[at + 1..], tail);
        }
        if let Some(operators) = binary(trees) {
            return self.binary(trees, &operators, tail);
        }
        let dots = chain::dots(trees);
        if !dots.is_empty() {
            return self.chain(trees, &dots, tail);
        }
        if is_control(trees) {
            return self.control(trees, tail);
        }
        self.grouped(trees, tail);
    }

    /// Prints the right side of a `=`, `:` or `=>`: on the same line, or on the next line if it
    /// fits there.
    pub fn assigned(&mut self, trees: &[LayoutTree], tail: usize) {
        if trees.is_empty() {
            return;
        }
        let (here, below) = (self.column + 1, self.indent + INDENT);
        let width = tree::width(trees);
        if is_short_if(trees) && width <= SHORT_IF && here + width + tail <= MAX_WIDTH {
            self.text(" ");
            return self.flat(trees);
        }
        let fits = |column: usize, width: usize| column + width <= MAX_WIDTH;
        let flat = !tree::breaks(trees);
        let moves = match opening(trees) {
            _ if flat && fits(here, width + tail) => false,
            _ if flat && fits(below, width + tail) => true,
            Some(opening) => !fits(here, opening) && fits(below, opening),
            None => false,
        };
        if moves {
            self.indented(|printer| {
                printer.line();
                printer.expr(trees, tail);
            });
        } else {
            self.text(" ");
            self.expr(trees, tail);
        }
    }

    /// Prints operands of one operator. Each operator starts a line.
    fn binary(&mut self, trees: &[LayoutTree], operators: &[usize], tail: usize) {
        let ends = operators.iter().copied().chain([trees.len()]);
        let mut start = 0;
        for end in ends {
            let last = if end == trees.len() { tail } else { 0 };
            if start == 0 {
                self.expr(&trees[..end], last);
            } else {
                let (operator, operand) = (&trees[start..=start], &trees[start + 1..end]);
                self.indented(|printer| {
                    // A lone closing bracket leaves room on its line.
                    match printer.column <= printer.indent {
                        true => printer.text(" "),
                        false => printer.line(),
                    }
                    printer.flat(operator);
                    printer.text(" ");
                    printer.expr(operand, last);
                });
            }
            start = end;
        }
    }

    /// Prints `if … { … } else { … }`, `match … { … }`, loops and blocks.
    fn control(&mut self, trees: &[LayoutTree], tail: usize) {
        let mut rest = trees;
        while let Some(block) = rest.iter().position(is_body) {
            let (head, after) = rest.split_at(block);
            let before = self.length();
            self.control_head(head);
            let head_text = self.since(before);
            let last_line = head_text.rsplit('\n').next().unwrap_or("");
            let closes = last_line.chars().skip(self.indent).all(|c| matches!(c, ')' | ']' | '?'));
            let Some((body, after)) = after.split_first() else { break };
            match head_text.contains('\n') && !closes {
                true => self.line(),
                false if body.space && !head.is_empty() => self.text(" "),
                false => {}
            }
            let next = if is_else(after) { 0 } else { tail + tree::width(after) };
            self.group_of(body, next);
            rest = after;
            self.gap(rest);
            if !is_else(rest) {
                break;
            }
        }
        self.flat(rest);
    }

    /// Prints the head of a control expression, before its braces.
    fn control_head(&mut self, head: &[LayoutTree]) {
        let is_leading = |tree: &&LayoutTree| match &tree.kind {
            Kind::Word(word) => {
                matches!(&word[..], "else" | "if" | "match" | "while" | "loop" | "unsafe" | "async" | "move" | "for")
            }
            _ => false,
        };
        let label = head.len() - without_label(head).len();
        let keywords = match head.iter().position(|tree| tree.is_word("in")) {
            Some(at) if head.iter().take(label + 2).any(|tree| tree.is_word("for")) => at + 1,
            _ => label + head[label..].iter().take_while(is_leading).count(),
        };
        let (keywords, condition) = head.split_at(keywords);
        self.flat(keywords);
        self.gap(condition);
        match operators(condition, 1).or_else(|| operators(condition, 2)) {
            Some(operators) if !self.fits(condition, 2) => self.binary(condition, &operators, 2),
            _ => self.expr(condition, 2),
        }
    }

    /// Prints calls, literals and items: on one line except for the last group that can be broken.
    pub fn grouped(&mut self, trees: &[LayoutTree], tail: usize) {
        let mut rest = trees;
        while !rest.is_empty() && !self.fits(rest, tail) {
            let groups = (0..rest.len()).filter(|at| rest[*at].is_breakable());
            let reached = |at: &usize| *at == 0 || self.fits(&rest[..*at], 1);
            let Some(at) = groups.clone().rev().find(reached).or_else(|| groups.clone().next()) else { break };
            let (before, after) = rest.split_at(at);
            self.flat(before);
            if !before.is_empty() {
                self.gap(after);
            }
            let Some((group, after)) = after.split_first() else { break };
            match in_parens(group).filter(|_| before.is_empty()) {
                Some(inner) => {
                    self.text("(");
                    self.expr(inner, tail + tree::width(after) + 1);
                    self.text(")");
                }
                None => self.group_of(group, tail + tree::width(after)),
            }
            self.gap(after);
            rest = after;
        }
        self.flat(rest);
    }

    fn group_of(&mut self, tree: &LayoutTree, tail: usize) {
        match tree.group() {
            Some(group) => self.group(group, tail),
            None => self.flat(std::slice::from_ref(tree)),
        }
    }
}

/// Returns the number of trees before the expression proper that never leave its line: `return`,
/// `&mut`, `|a|`.
fn head_length(trees: &[LayoutTree]) -> usize {
    let leads = |tree: &&LayoutTree| match &tree.kind {
        Kind::Word(word) => matches!(&word[..], "return" | "break" | "mut") || word.starts_with('\''),
        Kind::Op(_, fix) => *fix == Fix::Prefix || *fix == Fix::Closure,
        Kind::Group(group) => group.role == Role::Params,
        Kind::Literal(_) | Kind::Attribute(_) => false,
    };
    let head = trees.iter().take_while(leads).count();
    let moved = trees.iter().skip(head).take_while(|tree| tree.is_word("move") || tree.is_word("async")).count();
    let closure = trees.get(head + moved).is_some_and(is_closure_head);
    let head = if closure { head + moved + 1 } else { head };
    if head < trees.len() { head } else { 0 }
}

fn is_closure_head(tree: &LayoutTree) -> bool {
    tree.role() == Some(Role::Params) || tree.fix() == Some(Fix::Closure)
}

/// Returns the position of the `=` of a binding or the `:` of a field.
fn assignment(trees: &[LayoutTree]) -> Option<usize> {
    if is_control(trees) {
        return None;
    }
    let is_assignment = |tree: &LayoutTree| match tree.kind {
        Kind::Op(op, Fix::Infix) => op.ends_with('=') && !matches!(op, "==" | "!=" | "<=" | ">="),
        _ => false,
    };
    let equals = trees.iter().position(is_assignment);
    equals.or_else(|| trees.iter().position(|tree| tree.is_op(":"))).filter(|at| at + 1 < trees.len())
}

/// Returns the positions of the operators with the lowest precedence, if there are binary
/// operators.
fn binary(trees: &[LayoutTree]) -> Option<Vec<usize>> {
    let least = trees.iter().filter_map(precedence).min()?;
    if is_control(trees) { None } else { operators(trees, least) }
}

/// Returns the positions of the operators of a precedence.
fn operators(trees: &[LayoutTree], wanted: u8) -> Option<Vec<usize>> {
    let found: Vec<usize> = (1..trees.len()).filter(|at| precedence(&trees[*at]) == Some(wanted)).collect();
    if found.is_empty() { None } else { Some(found) }
}

fn precedence(tree: &LayoutTree) -> Option<u8> {
    let Kind::Op(op, Fix::Infix) = tree.kind else { return None };
    match op {
        "||" => Some(1),
        "&&" => Some(2),
        "==" | "!=" | "<" | ">" | "<=" | ">=" => Some(3),
        "|" => Some(4),
        "^" => Some(5),
        "&" => Some(6),
        "+" | "-" => Some(7),
        "*" | "/" | "%" => Some(8),
        _ => None,
    }
}

/// Returns `true` if an expression starts with a keyword that ends in braces.
fn is_control(trees: &[LayoutTree]) -> bool {
    let starts = match without_label(trees) {
        [first, ..] => match &first.kind {
            Kind::Word(word) => {
                matches!(&word[..], "if" | "match" | "while" | "for" | "loop" | "unsafe" | "async")
            }
            Kind::Group(group) => group.role == Role::Block,
            _ => false,
        },
        [] => false,
    };
    starts && trees.iter().any(is_body)
}

/// Returns the trees after the label of a loop or a block, or all of them.
fn without_label(trees: &[LayoutTree]) -> &[LayoutTree] {
    match trees {
        [label, colon, rest @ ..] if is_label(label) && colon.is_op(":") => rest,
        _ => trees,
    }
}

fn is_label(tree: &LayoutTree) -> bool {
    matches!(&tree.kind, Kind::Word(word) if word.starts_with('\''))
}

fn is_body(tree: &LayoutTree) -> bool {
    matches!(tree.role(), Some(Role::Block | Role::Arms))
}

fn is_else(trees: &[LayoutTree]) -> bool {
    trees.first().is_some_and(|first| first.is_word("else"))
}

/// Returns `true` for an `if` with one expression in every branch.
fn is_short_if(trees: &[LayoutTree]) -> bool {
    let Some((first, rest)) = trees.split_first() else { return false };
    let is_short = |tree: &LayoutTree| match tree.group() {
        Some(group) if group.role == Role::Block => match &group.entries[..] {
            [only] => !only.breaks() && only.separator.is_empty() && only.attributes.is_empty(),
            _ => false,
        },
        Some(group) => !group.breaks,
        None => true,
    };
    first.is_word("if") && rest.iter().any(|tree| tree.is_word("else")) && rest.iter().all(is_short)
}

/// Returns the columns up to the delimiter at which an expression that ends in a group is broken
/// first.
pub fn opening(trees: &[LayoutTree]) -> Option<usize> {
    let at = match is_control(trees) {
        true => trees.iter().position(is_body)?,
        false => trees.iter().rposition(|tree| !tree.is_op("?"))?,
    };
    let first = trees.first()?;
    let before = &trees[..at];
    let group = trees.get(at).filter(|tree| tree.is_breakable() && !tree::breaks(before))?;
    let operand = without_label(&trees[..=at]);
    let operand = &operand[head_length(operand).min(operand.len() - 1)..];
    (assignment(operand).is_none() && binary(operand).is_none()).then(|| group.start - first.start + 1)
}

/// Returns the expression in parentheses that hold nothing else.
fn in_parens(tree: &LayoutTree) -> Option<&[LayoutTree]> {
    let group = tree.group().filter(|group| group.role == Role::Parens)?;
    match &group.entries[..] {
        [only] if only.separator.is_empty() && only.attributes.is_empty() => Some(&only.trees),
        _ => None,
    }
}

/// The layout of an argument in a call whose arguments do not fit on the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// The argument has lines of its own.
    OwnLines,
    /// The call may be broken within the argument, if it is the only one.
    Only,
    /// The call may be broken within the argument, if it is the last one: a closure or a block.
    Last,
    /// A list of that many elements, otherwise like `Last`.
    List(usize),
}

/// Returns the layout of an argument.
pub fn argument(trees: &[LayoutTree]) -> Argument {
    if opening(trees).is_none() {
        return Argument::OwnLines;
    }
    let head = head_length(trees);
    let Some(first) = trees.get(head) else { return Argument::OwnLines };
    if trees.iter().take(head).any(is_closure_head) || is_body(first) || first.is_word("async") {
        return Argument::Last;
    }
    if is_control(trees) {
        return Argument::Only;
    }
    elements(trees).map_or(Argument::Only, Argument::List)
}

/// Returns the number of elements of the list or literal that an expression consists of, apart
/// from calls around it.
fn elements(trees: &[LayoutTree]) -> Option<usize> {
    if trees.iter().any(|tree| tree.is_op(".")) {
        return None;
    }
    let at = trees.iter().rposition(|tree| !tree.is_op("?"))?;
    let group = trees[at].group()?;
    match (group.role, &group.entries[..]) {
        (Role::Parens, [only]) => elements(&only.trees),
        (Role::Brackets, _) if at > 0 && !matches!(trees[at - 1].fix(), Some(Fix::Prefix | Fix::Bang)) => None,
        (Role::Brackets | Role::Fields, entries) => Some(entries.len()),
        _ => None,
    }
}
