//! Trees of the layout: tokens, groups of entries, and their widths on one line.

use super::space;

/// A token or a group, with its position if its sequence is on one line.
#[derive(Debug)]
pub struct LayoutTree {
    pub kind: Kind,
    /// `true` if a space precedes it.
    pub space: bool,
    /// The column of its start, relative to its sequence.
    pub start: usize,
    /// The column after it.
    pub end: usize,
    /// The number of trees, up to and including this one, that never fit on one line.
    breaks: usize,
}

#[derive(Debug)]
pub enum Kind {
    /// An identifier, a keyword, a lifetime.
    Word(String),
    Literal(String),
    Op(&'static str, Fix),
    Group(Group),
    /// An attribute within or before a sequence.
    Attribute(Attribute),
}

/// The position of an operator relative to its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fix {
    /// `&x`, `!x`, `?Sized`, the `::` of a path from the root.
    Prefix,
    /// `a && b`, `a = b`, `a => b`.
    Infix,
    /// `a?`, `a,`, `a:`.
    Postfix,
    /// `a.b`, `a::b`, `a..b`.
    Tight,
    /// The `!` of a macro.
    Bang,
    /// The `||` of a closure.
    Closure,
}

/// The contents of delimiters.
#[derive(Debug)]
pub struct Group {
    pub role: Role,
    pub entries: Vec<LayoutEntry>,
    /// The columns on one line.
    pub width: usize,
    /// `true` if it never fits on one line.
    pub breaks: bool,
    /// `true` if its last entry also ends in a comma when the entries have lines of their own.
    pub comma: bool,
}

/// The role of a group in the layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// `(a, b)`.
    Parens,
    /// `[a, b]`.
    Brackets,
    /// The fields of a struct literal.
    Fields,
    /// `{self, A, B}` of a `use`.
    Imports,
    /// `<A, B>`.
    Generics,
    /// `|a, b|`.
    Params,
    /// Statements.
    Block,
    /// The arms of a `match`.
    Arms,
    /// Fields or variants of a declaration.
    Members,
    /// The body of a module, a trait, an implementation.
    Items,
    /// The body of a macro that is a table.
    Table,
}

impl Role {
    pub fn open(self) -> &'static str {
        match self {
            Role::Parens => "(",
            Role::Brackets => "[",
            Role::Generics => "<",
            Role::Params => "|",
            _ => "{",
        }
    }

    pub fn close(self) -> &'static str {
        match self {
            Role::Parens => ")",
            Role::Brackets => "]",
            Role::Generics => ">",
            Role::Params => "|",
            _ => "}",
        }
    }

    /// Returns `true` if there are spaces inside its delimiters on one line.
    pub fn is_padded(self) -> bool {
        self.open() == "{" && self != Role::Imports
    }

    /// Returns `true` if its entries have lines of their own whatever their width.
    fn is_block(self) -> bool {
        matches!(self, Role::Block | Role::Arms | Role::Members | Role::Items | Role::Table)
    }

    /// Returns `true` if it can be broken at all.
    pub fn is_breakable(self) -> bool {
        !matches!(self, Role::Generics | Role::Params)
    }
}

/// An item, a statement, an arm, an element of a list.
#[derive(Debug)]
pub struct LayoutEntry {
    pub attributes: Vec<Attribute>,
    pub lead: Lead,
    pub trees: Vec<LayoutTree>,
    /// Its separator: `,`, `;`, or nothing.
    pub separator: &'static str,
}

/// The start of an entry, as far as the layout depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lead {
    /// `use`.
    Use,
    /// `static`, `const`, `type`: an item that is often one line.
    Line,
    Fn,
    /// Another item.
    Item,
    /// `if`, `match`, a block, …: a statement without `;`.
    BlockLike,
    #[default]
    Other,
}

/// `#[…]`.
#[derive(Debug)]
pub struct Attribute {
    /// The tokens on one line.
    pub text: String,
    /// The contents of the brackets.
    pub body: Vec<LayoutEntry>,
    /// The lines of an equivalent comment.
    pub doc: Option<Vec<String>>,
}

impl LayoutTree {
    /// Creates the tree of `kind` after `before`.
    pub fn after(before: &[LayoutTree], kind: Kind) -> LayoutTree {
        let space = space::is_spaced(before, &kind);
        let last = before.last();
        let start = last.map_or(0, |last| last.end) + usize::from(space);
        let (width, never) = match &kind {
            Kind::Word(text) | Kind::Literal(text) => (columns(text), false),
            Kind::Op(text, _) => (text.len(), false),
            Kind::Group(group) => (group.width, group.breaks),
            Kind::Attribute(attribute) => (columns(&attribute.text), false),
        };
        let breaks = last.map_or(0, |last| last.breaks) + usize::from(never);
        LayoutTree { kind, space, start, end: start + width, breaks }
    }

    pub fn is_word(&self, word: &str) -> bool {
        matches!(&self.kind, Kind::Word(text) if text == word)
    }

    pub fn is_op(&self, op: &str) -> bool {
        matches!(&self.kind, Kind::Op(text, _) if *text == op)
    }

    pub fn fix(&self) -> Option<Fix> {
        match self.kind {
            Kind::Op(_, fix) => Some(fix),
            _ => None,
        }
    }

    pub fn group(&self) -> Option<&Group> {
        match &self.kind {
            Kind::Group(group) => Some(group),
            _ => None,
        }
    }

    pub fn role(&self) -> Option<Role> {
        self.group().map(|group| group.role)
    }

    /// Returns `true` for a group whose entries can have lines of their own.
    pub fn is_breakable(&self) -> bool {
        self.group().is_some_and(|group| group.role.is_breakable() && !group.entries.is_empty())
    }
}

impl Group {
    /// Creates the group of `entries` after `before`.
    pub fn after(before: &[LayoutTree], role: Role, entries: Vec<LayoutEntry>) -> Group {
        let comma = takes_comma(before, role, &entries);
        Group { comma, ..Group::new(role, entries) }
    }

    pub fn new(role: Role, entries: Vec<LayoutEntry>) -> Group {
        let inner: usize = entries.iter().map(LayoutEntry::width).sum::<usize>() + entries.len().saturating_sub(1);
        let padding = if role.is_padded() && !entries.is_empty() { 2 } else { 0 };
        // A trailing comma requests lines of their own, as in rustfmt, except in a tuple of one.
        let asks = entries.last().is_some_and(|last| last.separator == ",")
            && role.is_breakable()
            && !(role == Role::Parens && entries.len() == 1);
        let breaks = !entries.is_empty()
            && (role.is_block() || asks || entries.iter().any(|entry| entry.breaks() || !entry.attributes.is_empty()));
        Group { role, entries, width: 2 + padding + inner, breaks, comma: false }
    }

    /// Returns the columns of the trailing comma on a line of its own.
    pub fn comma_width(&self) -> usize {
        usize::from(self.comma)
    }
}

/// Returns `true` if a comma can be added to a list without a change of meaning.
fn takes_comma(before: &[LayoutTree], role: Role, entries: &[LayoutEntry]) -> bool {
    let Some(last) = entries.last() else { return false };
    let is_rest = last.trees.first().is_some_and(|first| first.is_op(".."));
    if is_rest || !last.separator.is_empty() || last.trees.is_empty() {
        return false;
    }
    let callee = before.last().is_some_and(space::ends_operand);
    let is_macro = before.last().and_then(LayoutTree::fix) == Some(Fix::Bang);
    match role {
        // A comma would turn an expression in parentheses into a tuple.
        Role::Parens => !is_macro && (callee || entries.len() > 1),
        Role::Brackets => !is_macro && !callee && !last.trees.iter().any(|tree| tree.is_op(";")),
        Role::Fields | Role::Imports => true,
        // An arm that is a block needs no comma. A tree without arrow is not an arm, but the
        // scrutinee of a `match`.
        Role::Arms => match last.trees.iter().position(|tree| tree.is_op("=>")) {
            Some(arrow) => !matches!(&last.trees[arrow + 1..], [body] if body.role() == Some(Role::Block)),
            None => false,
        },
        _ => false,
    }
}

impl LayoutEntry {
    /// Returns the columns on one line, with the separator.
    pub fn width(&self) -> usize {
        let attributes: usize = self.attributes.iter().map(|attribute| columns(&attribute.text) + 1).sum();
        attributes + width(&self.trees) + self.separator.len()
    }

    pub fn breaks(&self) -> bool {
        breaks(&self.trees)
    }
}

/// Returns the columns of a part of a sequence on one line.
pub fn width(trees: &[LayoutTree]) -> usize {
    match (trees.first(), trees.last()) {
        (Some(first), Some(last)) => last.end - first.start,
        _ => 0,
    }
}

/// Returns `true` if a part of a sequence never fits on one line.
pub fn breaks(trees: &[LayoutTree]) -> bool {
    match (trees.first(), trees.last()) {
        (Some(first), Some(last)) => last.breaks > first.breaks || first.group().is_some_and(|group| group.breaks),
        _ => false,
    }
}

/// Returns the columns of a text. A literal of several lines counts as one line.
pub fn columns(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

/// Writes a group on one line.
pub fn write_group(group: &Group, out: &mut String) {
    let padding = if group.role.is_padded() && !group.entries.is_empty() { " " } else { "" };
    out.push_str(group.role.open());
    out.push_str(padding);
    for (at, entry) in group.entries.iter().enumerate() {
        if at > 0 {
            out.push(' ');
        }
        write_entry(entry, out);
    }
    out.push_str(padding);
    out.push_str(group.role.close());
}

/// Writes an entry on one line.
pub fn write_entry(entry: &LayoutEntry, out: &mut String) {
    for attribute in &entry.attributes {
        out.push_str(&attribute.text);
        out.push(' ');
    }
    write_trees(&entry.trees, out);
    out.push_str(entry.separator);
}

/// Writes a part of a sequence on one line, without leading space.
pub fn write_trees(trees: &[LayoutTree], out: &mut String) {
    for (at, tree) in trees.iter().enumerate() {
        if at > 0 && tree.space {
            out.push(' ');
        }
        match &tree.kind {
            Kind::Word(text) | Kind::Literal(text) => out.push_str(text),
            Kind::Op(text, _) => out.push_str(text),
            Kind::Group(group) => write_group(group, out),
            Kind::Attribute(attribute) => out.push_str(&attribute.text),
        }
    }
}
