//! Division of raw trees into entries (items, statements, arms, elements), and roles of groups.

use super::read::{self, Raw, is_keyword};
use super::space;
use super::tree::{Attribute, Group, Kind, LayoutEntry, LayoutTree, Lead, Role};
use proc_macro2::{Delimiter, TokenStream};

/// The kind of entries of a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayoutContext {
    Items,
    Statements,
    Arms,
    /// Elements with commas between them.
    List,
    /// Lines of a table.
    Table,
}

/// Parses the entries of a sequence.
pub fn parse(raws: Vec<Raw>, context: LayoutContext) -> Vec<LayoutEntry> {
    let mut entries = Vec::new();
    let mut open = Open::default();
    let mut raws = raws.into_iter().peekable();
    while let Some(raw) = raws.next() {
        match raw {
            Raw::Op(op) if separates(op, context) => entries.push(open.take(op)),
            Raw::Group(delimiter, stream) => {
                open.push_group(delimiter, stream, context);
                if delimiter == Delimiter::Brace && open.is_complete(context, raws.peek()) {
                    entries.push(open.take(""));
                }
            }
            raw => open.push(raw, context, raws.peek()),
        }
    }
    if !open.is_empty() {
        entries.push(open.take(""));
    }
    entries
}

/// Returns `true` if an operator ends an entry.
fn separates(op: &str, context: LayoutContext) -> bool {
    match context {
        LayoutContext::Items | LayoutContext::Statements | LayoutContext::Table => op == ";",
        LayoutContext::Arms | LayoutContext::List => op == ",",
    }
}

/// An entry that is being parsed.
#[derive(Default)]
struct Open {
    attributes: Vec<Attribute>,
    trees: Vec<LayoutTree>,
    lead: Lead,
    /// The roles of the next braces, by the preceding keywords.
    waiting: Vec<Role>,
    /// `true` if more than `pub`, `async` and the like has been parsed.
    started: bool,
    /// The start of the body of an arm.
    body: Option<usize>,
}

impl Open {
    fn is_empty(&self) -> bool {
        self.trees.is_empty() && self.attributes.is_empty()
    }

    /// Completes the entry with `separator`, and starts the next one.
    fn take(&mut self, separator: &'static str) -> LayoutEntry {
        let Open { attributes, trees, lead, .. } = std::mem::take(self);
        LayoutEntry { attributes, lead, trees, separator }
    }

    fn push(&mut self, raw: Raw, context: LayoutContext, next: Option<&Raw>) {
        let kind = match raw {
            Raw::Attribute(attribute) if self.trees.is_empty() => return self.attributes.push(attribute),
            Raw::Attribute(attribute) => Kind::Attribute(attribute),
            Raw::Word(word) => {
                self.look_at(&word, context, next);
                Kind::Word(word)
            }
            Raw::Literal(literal) => {
                self.started |= !self.ends_in("extern");
                Kind::Literal(literal)
            }
            Raw::Op(op) => {
                // The statement follows the label.
                self.started = !(op == ":" && self.is_label());
                if op == "=>" && context == LayoutContext::Arms {
                    self.waiting.clear();
                    self.body = Some(self.trees.len() + 1);
                }
                Kind::Op(op, space::fix(op, &self.trees))
            }
            Raw::Folded(role, inner) => {
                self.started = true;
                Kind::Group(Group::new(role, parse(inner, LayoutContext::List)))
            }
            Raw::Group(delimiter, stream) => return self.push_group(delimiter, stream, context),
        };
        self.add(kind);
    }

    fn push_group(&mut self, delimiter: Delimiter, stream: TokenStream, context: LayoutContext) {
        let role = match delimiter {
            Delimiter::Parenthesis => Role::Parens,
            Delimiter::Bracket => Role::Brackets,
            Delimiter::Brace | Delimiter::None => self.braces(context),
        };
        self.started |= !self.ends_in("pub");
        let entries = parse(read::read(stream), inside(role));
        self.add(Kind::Group(Group::after(&self.trees, role, entries)));
    }

    /// Returns `true` if only the name of a label has been parsed.
    fn is_label(&self) -> bool {
        matches!(&self.trees[..], [LayoutTree { kind: Kind::Word(word), .. }] if word.starts_with('\''))
    }

    fn add(&mut self, kind: Kind) {
        let tree = LayoutTree::after(&self.trees, kind);
        self.trees.push(tree);
    }

    fn ends_in(&self, word: &str) -> bool {
        self.trees.last().is_some_and(|last| last.is_word(word))
    }

    /// Updates the lead of the entry and the role of the next braces for a word.
    fn look_at(&mut self, word: &str, context: LayoutContext, next: Option<&Raw>) {
        let is_statement = matches!(context, LayoutContext::Items | LayoutContext::Statements);
        if !std::mem::replace(&mut self.started, true) && is_statement {
            let more = matches!(next, Some(Raw::Word(_) | Raw::Literal(_)));
            let (lead, waits) = match word {
                "pub" => {
                    self.started = false;
                    return;
                }
                "async" | "unsafe" | "extern" | "default" if more => {
                    self.started = false;
                    return;
                }
                "const" if matches!(next, Some(Raw::Word(word)) if word == "fn") => {
                    self.started = false;
                    return;
                }
                "use" => (Lead::Use, Some(Role::Imports)),
                "static" | "const" | "type" => (Lead::Line, None),
                "fn" => (Lead::Fn, Some(Role::Block)),
                "impl" | "trait" | "mod" | "extern" => (Lead::Item, Some(Role::Items)),
                "struct" | "enum" | "union" if more => (Lead::Item, Some(Role::Members)),
                "if" | "while" | "for" => (Lead::BlockLike, Some(Role::Block)),
                "match" => (Lead::BlockLike, Some(Role::Arms)),
                "loop" | "unsafe" => (Lead::BlockLike, None),
                label if label.starts_with('\'') => (Lead::BlockLike, None),
                _ => (Lead::Other, None),
            };
            self.lead = lead;
            self.waiting.extend(waits);
            return;
        }
        match word {
            _ if self.trees.last().is_some_and(|last| last.is_op(".")) => {}
            "match" => self.waiting.push(Role::Arms),
            "if" | "while" => self.waiting.push(Role::Block),
            "for" if self.lead != Lead::Item && !matches!(next, Some(Raw::Folded(..))) => {
                self.waiting.push(Role::Block);
            }
            _ => {}
        }
    }

    /// Returns the role of braces after the parsed trees.
    fn braces(&mut self, context: LayoutContext) -> Role {
        if self.lead == Lead::Use {
            return Role::Imports;
        }
        if let Some(role) = self.waiting.pop() {
            return role;
        }
        match &self.trees[..] {
            [.., name, bang] if bang.is_op("!") => match name.is_word("machine") || name.is_word("definition") {
                true => Role::Table,
                false => Role::Block,
            },
            [.., last] => match &last.kind {
                Kind::Word(word) if !is_keyword(word) => Role::Fields,
                Kind::Group(group) if group.role == Role::Generics => Role::Fields,
                _ => Role::Block,
            },
            // A pattern of a table, or a block.
            [] if context == LayoutContext::Table => Role::Fields,
            [] => Role::Block,
        }
    }

    /// Returns `true` if braces end the entry without a separator.
    fn is_complete(&self, context: LayoutContext, next: Option<&Raw>) -> bool {
        if !self.waiting.is_empty() {
            return false;
        }
        let ends = match context {
            LayoutContext::Items | LayoutContext::Statements => match self.lead {
                Lead::Fn | Lead::Item | Lead::BlockLike => true,
                Lead::Use | Lead::Line => false,
                Lead::Other => self.trees.len() == 1 || self.is_macro(),
            },
            LayoutContext::Arms => self.body.and_then(|at| self.trees.get(at)).is_some_and(is_block_like),
            LayoutContext::List | LayoutContext::Table => false,
        };
        ends && !match next {
            Some(Raw::Word(word)) => word == "else",
            Some(Raw::Op(op)) => matches!(*op, "." | "?" | ";" | ","),
            _ => false,
        }
    }

    /// Returns `true` if only a macro with braces has been parsed.
    fn is_macro(&self) -> bool {
        let [path @ .., bang, _] = &self.trees[..] else { return false };
        bang.is_op("!") && path.iter().all(|tree| tree.is_op("::") || matches!(tree.kind, Kind::Word(_)))
    }
}

/// Returns the kind of entries in a group of a role.
fn inside(role: Role) -> LayoutContext {
    match role {
        Role::Block => LayoutContext::Statements,
        Role::Arms => LayoutContext::Arms,
        Role::Items => LayoutContext::Items,
        Role::Table => LayoutContext::Table,
        Role::Parens
        | Role::Brackets
        | Role::Fields
        | Role::Imports
        | Role::Generics
        | Role::Params
        | Role::Members => LayoutContext::List,
    }
}

/// Returns `true` if an expression that starts with `tree` ends with its braces.
fn is_block_like(tree: &LayoutTree) -> bool {
    match &tree.kind {
        Kind::Word(word) => matches!(&word[..], "if" | "match" | "for" | "while" | "loop" | "unsafe"),
        Kind::Group(group) => group.role == Role::Block,
        _ => false,
    }
}
