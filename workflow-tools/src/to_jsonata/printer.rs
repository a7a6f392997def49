//! Conversion of paths, intrinsic functions and payload templates to JSONata. The compiler's
//! parsers lower them to the common expression tree, and the printer writes that tree as JSONata.

use super::code::{self, Binding, Code, Kind};
use super::report::{Differences, Refusal, Refused};
use std::cell::RefCell;
use std::collections::BTreeSet;
use workflow_compiler::Span;
use workflow_compiler::diagnostics::{Diagnostic, Diagnostics};
use workflow_compiler::expr::intrinsics::{self, Dynamic};
use workflow_compiler::expr::jsonpath::{self, Mode, Roots};
use workflow_compiler::expr::{Expr, Literal, LocalId};
use workflow_compiler::syntax::limits::MAX_BYTES;
use workflow_compiler::syntax::{Entry, Node, Text, Tree};

/// The local that stands for the document. Variables have the numbers after it.
const DOCUMENT: LocalId = LocalId(0);

/// The most bytes that expressions repeat in a definition. A short text can ask for many
/// repetitions of a long one, and the compiler reads no longer definition.
const MOST_REPEATED: usize = MAX_BYTES;

/// The most levels of an expression. An evaluation has 100, of which a path takes some.
const MOST_LEVELS: usize = 96;

/// The facts of the definition that the text of an expression depends on, and the notes.
#[derive(Debug, Default)]
pub(super) struct Setting {
    /// The variables that the definition assigns.
    pub variables: BTreeSet<String>,
    /// The notes on differences.
    pub notes: Differences,
    /// The bytes that expressions have repeated.
    pub repeated: usize,
    /// The random values that expressions draw.
    pub draws: usize,
    /// The calls that draw a random value, in all expressions that are written.
    pub written_draws: usize,
}

impl Setting {
    /// Returns the string in a definition for an expression. Refuses an expression that fails
    /// whatever the data.
    pub fn written(&mut self, code: &Code, at: Span) -> Refused<String> {
        if code.text.contains("$lookup(") && self.variables.contains("lookup") {
            return Err(hidden("lookup", at));
        }
        if code::levels(&code.text) > MOST_LEVELS {
            return Err(Refusal::new(at, "the expression would be nested too deeply for JSONata"));
        }
        self.written_draws +=
            ["$uuid()", "$random()"].map(|call| code.text.matches(call).count()).iter().sum::<usize>();
        Ok(code.in_delimiters())
    }

    /// Counts the repetition of a text, and refuses one too many.
    pub fn repeat(&mut self, bytes: usize, at: Span) -> Refused<()> {
        self.repeated = self.repeated.saturating_add(bytes);
        match self.repeated {
            0..=MOST_REPEATED => Ok(()),
            _ => Err(Refusal::new(at, "the expressions would repeat a long text too often")),
        }
    }
}

/// The conversion of the expressions of one field.
pub(super) struct Printer<'s> {
    /// The expression for `$`.
    document: Code,
    /// The span that notes and refusals refer to.
    at: Span,
    setting: &'s mut Setting,
    /// `true` inside of the condition of a filter.
    pub(super) in_filter: bool,
    /// The variables that the expression reads, in the order of their locals.
    read: RefCell<Vec<String>>,
}

impl Roots for Printer<'_> {
    fn document(&self) -> Expr {
        Expr::Local(DOCUMENT)
    }

    fn variable(&self, name: &str, _span: Span, _diagnostics: &mut Diagnostics) -> Option<Expr> {
        let mut read = self.read.borrow_mut();
        let index = read.iter().position(|known| known == name).unwrap_or_else(|| {
            read.push(name.to_owned());
            read.len() - 1
        });
        Some(Expr::Local(LocalId(u32::try_from(index + 1).ok()?)))
    }
}

impl<'s> Printer<'s> {
    /// Returns a printer of expressions in which `$` is `document`.
    pub fn new(document: &Code, setting: &'s mut Setting, at: Span) -> Printer<'s> {
        Printer { document: document.clone(), at, setting, in_filter: false, read: RefCell::default() }
    }

    /// Converts a path.
    pub fn path(&mut self, text: &Text) -> Refused<Code> {
        self.at = text.span;
        let mut diagnostics = Diagnostics::default();
        let path = jsonpath::parse(text, Mode::Jayway, self, &mut diagnostics);
        match path {
            Some(path) => self.expr(&path.expr),
            None => Err(unreadable(text.span, diagnostics)),
        }
    }

    /// Converts a path or an intrinsic function.
    pub fn dynamic(&mut self, text: &Text) -> Refused<Code> {
        self.at = text.span;
        let mut diagnostics = Diagnostics::default();
        match intrinsics::path_or_intrinsic(text, self, &mut diagnostics) {
            Some(Dynamic::Path(path)) => self.expr(&path.expr),
            Some(Dynamic::Intrinsic(expr)) => self.expr(&expr),
            None => Err(unreadable(text.span, diagnostics)),
        }
    }

    /// Converts a payload template to one expression.
    pub fn template(&mut self, node: &Node) -> Refused<Code> {
        match &node.tree {
            Tree::Object(entries) => {
                let mut members = Vec::with_capacity(entries.len());
                for Entry { key, value } in entries {
                    members.push(match (key.value.strip_suffix(".$"), value.as_text()) {
                        (Some(name), Some(text)) => (name.to_owned(), self.dynamic(text)?),
                        _ => (key.value.clone(), self.template(value)?),
                    });
                }
                Ok(Code::object(members))
            }
            Tree::Array(items) => {
                let items = items.iter().map(|item| Ok(self.template(item)?.text)).collect::<Refused<Vec<_>>>()?;
                Ok(Code::constructor(&items.join(", ")))
            }
            _ => {
                self.at = node.span;
                code::literal(&Literal::from(node)).map_err(|message| self.refusal(message))
            }
        }
    }

    /// Converts an expression.
    pub(super) fn expr(&mut self, expr: &Expr) -> Refused<Code> {
        match expr {
            Expr::Literal(value) => code::literal(value).map_err(|message| self.refusal(message)),
            Expr::Local(DOCUMENT) => {
                self.repeat(self.document.text.len())?;
                Ok(self.document.clone())
            }
            Expr::Local(local) => {
                let read = self.read.borrow();
                let name = read.get((local.0 as usize).saturating_sub(1)).map_or("", String::as_str);
                Ok(Code::path(format!("${name}")))
            }
            Expr::Current => Ok(Code::path("$")),
            Expr::Context => Ok(Code::path("$states.context")),
            Expr::Find(path) | Expr::Select(path) => self.selected(path),
            Expr::Object(members) => {
                let member = |(key, value): &(String, Expr)| Ok((key.clone(), self.expr(value)?));
                Ok(Code::object(members.iter().map(member).collect::<Refused<Vec<_>>>()?))
            }
            Expr::Array(items) => self.array(items),
            Expr::Call(call) => self.call(call),
            Expr::And(_) | Expr::Or(_) | Expr::Not(_) => self.condition(expr),
            Expr::Apply(_) | Expr::If(_) => Err(self.refusal("the expression has no equal in JSONata")),
        }
    }

    /// Converts an array. JSONata joins elements that are arrays, except for constructors.
    fn array(&mut self, items: &[Expr]) -> Refused<Code> {
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            let item = self.expr(item)?;
            match item.kind {
                Kind::Array => texts.push(format!("[{}]", item.text)),
                Kind::Any => {
                    self.note("an element that is an array is joined with the others, where `States.Array` nests it");
                    texts.push(item.text);
                }
                _ => texts.push(item.text),
            }
        }
        Ok(Code::constructor(&texts.join(", ")))
    }

    /// Returns the name of a function of JSONata with its `$`, unless a variable hides it.
    pub(super) fn function(&self, name: &str) -> Refused<String> {
        match self.setting.variables.contains(name) {
            false => Ok(format!("${name}")),
            true => Err(hidden(name, self.at)),
        }
    }

    /// Returns a call of a function of JSONata.
    pub(super) fn calling(&self, name: &str, arguments: &str, kind: Kind) -> Refused<Code> {
        let name = self.function(name)?;
        Ok(Code::new(format!("{name}({arguments})"), Binding::Path, kind))
    }

    /// Returns the name of a parameter, with its `$`, that no variable of the definition has.
    pub(super) fn parameter(&self, name: &str) -> String {
        let is_free = |name: &String| !self.setting.variables.contains(name);
        let numbered = (2_u64..).map(|number| format!("{name}{number}"));
        let free = std::iter::once(name.to_owned()).chain(numbered).find(is_free);
        format!("${}", free.unwrap_or_default())
    }

    /// Counts a call that draws a random value.
    pub(super) fn draw(&mut self) {
        self.setting.draws += 1;
    }

    /// Counts the repetition of a text.
    pub(super) fn repeat(&mut self, bytes: usize) -> Refused<()> {
        self.setting.repeat(bytes, self.at)
    }

    /// Records a difference of the meaning.
    pub(super) fn note(&mut self, text: &'static str) {
        self.setting.notes.add(self.at, text);
    }

    /// Returns a refusal at the field.
    pub(super) fn refusal(&self, message: impl Into<String>) -> Refusal {
        Refusal::new(self.at, message)
    }
}

/// Returns the refusal of a function that a variable hides.
fn hidden(name: &str, at: Span) -> Refusal {
    Refusal::new(at, format!("the variable `{name}` hides the function `${name}` of JSONata"))
        .help("rename the variable")
}

/// Returns the refusal of a text that the compiler does not read, because it has a placeholder.
fn unreadable(at: Span, found: Diagnostics) -> Refusal {
    let message = |found: &Diagnostic| Refusal::new(found.span, found.message.clone());
    found.finish().first().map_or_else(|| Refusal::new(at, "the expression cannot be read"), message)
}
