//! The tree that is laid out: tokens, groups of entries, and what they measure on one line.

use super::space;

/// A token or a group, and where it stands when its sequence is on one line.
#[derive(Debug)]
pub struct Tree {
    pub kind: Kind,
    /// Whether a space stands before it.
    pub space: bool,
    /// The column at which it starts, its sequence starting at 0.
    pub start: usize,
    /// The column after it.
    pub end: usize,
    /// How many trees of its sequence, up to and with this one, never stand on one line.
    breaks: usize,
}

#[derive(Debug)]
pub enum Kind {
    /// An identifier, a keyword, a lifetime.
    Word(String),
    Literal(String),
    Op(&'static str, Fix),
    Group(Group),
    /// An attribute that stands within a sequence, or before it.
    Attribute(Attribute),
}

/// How an operator stands between its neighbours.
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

/// What stands between delimiters.
#[derive(Debug)]
pub struct Group {
    pub role: Role,
    pub entries: Vec<Entry>,
    /// The columns on one line.
    pub width: usize,
    /// Whether it never stands on one line.
    pub breaks: bool,
    /// Whether its last entry ends in a comma, too, where lines end in commas.
    pub comma: bool,
}

/// What a group is to the layout.
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

    /// Whether spaces stand inside its delimiters on one line.
    pub fn is_padded(self) -> bool {
        self.open() == "{" && self != Role::Imports
    }

    /// Whether its entries have lines of their own whatever their width.
    fn is_block(self) -> bool {
        matches!(self, Role::Block | Role::Arms | Role::Members | Role::Items | Role::Table)
    }

    /// Whether it can be broken at all.
    pub fn is_breakable(self) -> bool {
        !matches!(self, Role::Generics | Role::Params)
    }
}

/// An item, a statement, an arm, an element of a list.
#[derive(Debug)]
pub struct Entry {
    pub attributes: Vec<Attribute>,
    pub lead: Lead,
    pub trees: Vec<Tree>,
    /// What ends it: `,`, `;`, or nothing.
    pub separator: &'static str,
}

/// What an entry starts with, as far as layout asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lead {
    /// `use`.
    Use,
    /// `static`, `const`, `type`: an item that is often one line.
    Line,
    Fn,
    /// Another item.
    Item,
    /// `if`, `match`, a block, …: a statement that needs no `;`.
    BlockLike,
    #[default]
    Other,
}

/// `#[…]`.
#[derive(Debug)]
pub struct Attribute {
    /// As tokens on one line.
    pub text: String,
    /// What stands in the brackets.
    pub body: Vec<Entry>,
    /// The lines of a comment that says the same.
    pub doc: Option<Vec<String>>,
}

impl Tree {
    /// `kind` after `before`.
    pub fn after(before: &[Tree], kind: Kind) -> Tree {
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
        Tree { kind, space, start, end: start + width, breaks }
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

    /// Whether it is a group with entries that can stand on lines of their own.
    pub fn is_breakable(&self) -> bool {
        self.group().is_some_and(|group| group.role.is_breakable() && !group.entries.is_empty())
    }
}

impl Group {
    /// The group of `entries` that stands after `before`.
    pub fn after(before: &[Tree], role: Role, entries: Vec<Entry>) -> Group {
        let comma = takes_comma(before, role, &entries);
        Group { comma, ..Group::new(role, entries) }
    }

    pub fn new(role: Role, entries: Vec<Entry>) -> Group {
        let inner: usize = entries.iter().map(Entry::width).sum::<usize>() + entries.len().saturating_sub(1);
        let padding = if role.is_padded() && !entries.is_empty() { 2 } else { 0 };
        // A list that ends in a comma asks for lines, as it does where people write; but not a tuple of one.
        let asks = entries.last().is_some_and(|last| last.separator == ",")
            && role.is_breakable()
            && !(role == Role::Parens && entries.len() == 1);
        let breaks = !entries.is_empty()
            && (role.is_block() || asks || entries.iter().any(|entry| entry.breaks() || !entry.attributes.is_empty()));
        Group { role, entries, width: 2 + padding + inner, breaks, comma: false }
    }

    /// The columns of the comma that its last entry takes where it has a line of its own.
    pub fn comma_width(&self) -> usize {
        usize::from(self.comma)
    }
}

/// Whether a comma can be added to a list without a change of what it means.
fn takes_comma(before: &[Tree], role: Role, entries: &[Entry]) -> bool {
    let Some(last) = entries.last() else { return false };
    let is_rest = last.trees.first().is_some_and(|first| first.is_op(".."));
    if is_rest || !last.separator.is_empty() || last.trees.is_empty() {
        return false;
    }
    let callee = before.last().is_some_and(space::ends_operand);
    let is_macro = before.last().and_then(Tree::fix) == Some(Fix::Bang);
    match role {
        // A comma would make a tuple of an expression in parentheses.
        Role::Parens => !is_macro && (callee || entries.len() > 1),
        Role::Brackets => !is_macro && !callee && !last.trees.iter().any(|tree| tree.is_op(";")),
        Role::Fields | Role::Imports => true,
        // An arm that is a block ends by itself. What has no arrow is no arm, but what a `match` looks at.
        Role::Arms => match last.trees.iter().position(|tree| tree.is_op("=>")) {
            Some(arrow) => !matches!(&last.trees[arrow + 1..], [body] if body.role() == Some(Role::Block)),
            None => false,
        },
        _ => false,
    }
}

impl Entry {
    /// The columns on one line, with what ends it.
    pub fn width(&self) -> usize {
        let attributes: usize = self.attributes.iter().map(|attribute| columns(&attribute.text) + 1).sum();
        attributes + width(&self.trees) + self.separator.len()
    }

    pub fn breaks(&self) -> bool {
        breaks(&self.trees)
    }
}

/// The columns of a part of a sequence on one line.
pub fn width(trees: &[Tree]) -> usize {
    match (trees.first(), trees.last()) {
        (Some(first), Some(last)) => last.end - first.start,
        _ => 0,
    }
}

/// Whether a part of a sequence never stands on one line.
pub fn breaks(trees: &[Tree]) -> bool {
    match (trees.first(), trees.last()) {
        (Some(first), Some(last)) => last.breaks > first.breaks || first.group().is_some_and(|group| group.breaks),
        _ => false,
    }
}

/// The columns of a text; a literal of several lines counts as one.
pub fn columns(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

/// A group's text on one line.
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

/// An entry's text on one line.
pub fn write_entry(entry: &Entry, out: &mut String) {
    for attribute in &entry.attributes {
        out.push_str(&attribute.text);
        out.push(' ');
    }
    write_trees(&entry.trees, out);
    out.push_str(entry.separator);
}

/// The text of a part of a sequence on one line, without a space before it.
pub fn write_trees(trees: &[Tree], out: &mut String) {
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
