//! Tests of name clashes. A function with hostile names of locals has the same meaning as with
//! unique names.
//!
//! Each random function is printed twice as JavaScript: with a unique name for every symbol, and
//! with hostile names that JavaScript resolves to the same symbols. Both are translated, and every
//! name in Rust must have the same meaning.

use super::read_text;
use crate::names::tests::bindings::{Meaning, assert_same, meanings};
use crate::names::tests::{HOSTILE, Random};
use crate::names::{NameScope, Names};
use proc_macro2::{Ident, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

type Symbol = usize;
type Place = usize;

/// The number of Let variables around each function.
const VARIABLES: usize = 3;

/// Text with symbols in place of names.
#[derive(Debug, Clone)]
enum Piece {
    Text(&'static str),
    Number(usize),
    Symbol(Symbol),
    Variable(usize),
}

/// A function of random statements, with the referents of its names.
struct Program {
    random: Random,
    pieces: Vec<Piece>,
    /// The parents of the scopes.
    scopes: Vec<Option<Place>>,
    /// The symbols, each with its declaring scope and a flag that permits assignment.
    symbols: Vec<(Place, bool)>,
    /// The mentions of symbols.
    mentions: Vec<(Symbol, Place)>,
    /// The mentions of Let variables, and of the undeclared `params`.
    outside: Vec<(Outside, Place)>,
    /// The scopes of the enclosing functions.
    functions: Vec<Place>,
    size: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outside {
    Variable(usize),
    Params,
}

impl Program {
    fn new(seed: u64) -> Program {
        let mut program = Program {
            random: Random::new(seed),
            pieces: Vec::new(),
            scopes: Vec::new(),
            symbols: Vec::new(),
            mentions: Vec::new(),
            outside: Vec::new(),
            functions: Vec::new(),
            size: 60,
        };
        program.function(None);
        program
    }

    fn text(&mut self, text: &'static str) {
        self.pieces.push(Piece::Text(text));
    }

    fn one_of<const N: usize>(&mut self, texts: [&'static str; N]) {
        let text = *self.random.one_of(&texts);
        self.text(text);
    }

    fn scope(&mut self, around: Option<Place>) -> Place {
        self.scopes.push(around);
        self.scopes.len() - 1
    }

    fn chance(&mut self, of: usize) -> bool {
        self.random.below(of) == 0
    }

    /// Mentions a symbol.
    fn mention(&mut self, symbol: Symbol, place: Place) {
        self.mentions.push((symbol, place));
        self.pieces.push(Piece::Symbol(symbol));
    }

    /// Creates a symbol that `scope` declares, at its declaration.
    fn declare(&mut self, scope: Place, place: Place, assignable: bool) -> Symbol {
        self.symbols.push((scope, assignable));
        let symbol = self.symbols.len() - 1;
        self.mention(symbol, place);
        symbol
    }

    fn path(&self, place: Place) -> impl Iterator<Item = Place> {
        std::iter::successors(Some(place), |place| self.scopes[*place])
    }

    /// Returns a visible symbol, assignable if required.
    fn visible(&mut self, place: Place, assigned: bool) -> Option<Symbol> {
        let around: BTreeSet<Place> = self.path(place).collect();
        let fits =
            |symbol: &Symbol| around.contains(&self.symbols[*symbol].0) && (!assigned || self.symbols[*symbol].1);
        let found: Vec<Symbol> = (0..self.symbols.len()).filter(fits).collect();
        (!found.is_empty()).then(|| *self.random.one_of(&found))
    }

    /// Creates a pattern whose symbols `scope` declares.
    fn pattern(&mut self, scope: Place, place: Place, assignable: bool) {
        match self.random.below(8) {
            0 => {
                self.text("{ a: ");
                self.declare(scope, place, assignable);
                self.text(" = ");
                self.expr(place);
                self.text(", ...");
                self.declare(scope, place, assignable);
                self.text(" }");
            }
            1 => {
                self.text("[");
                self.declare(scope, place, assignable);
                self.text(", { b: ");
                self.declare(scope, place, assignable);
                self.text(" }]");
            }
            _ => _ = self.declare(scope, place, assignable),
        }
    }

    /// Creates a function: an arrow function, or an expression or the rest of a declaration after
    /// `function`.
    fn function(&mut self, around: Option<Place>) {
        let scope = self.scope(around);
        self.functions.push(scope);
        self.text("(");
        for at in 0..self.random.below(3) {
            if at > 0 {
                self.text(", ");
            }
            self.pattern(scope, scope, true);
            if self.chance(6) {
                // A default sees the preceding parameters.
                self.text(" = ");
                self.expr(scope);
            }
        }
        self.text(") => {\n");
        self.statements(scope);
        self.text("return ");
        self.expr(scope);
        self.text("\n}");
        self.functions.pop();
    }

    fn block(&mut self, around: Place) {
        let scope = self.scope(Some(around));
        self.text("{\n");
        self.statements(scope);
        self.text("}\n");
    }

    fn statements(&mut self, scope: Place) {
        for _ in 0..=self.random.below(4) {
            if self.size == 0 {
                return;
            }
            self.size -= 1;
            self.statement(scope);
        }
    }

    fn statement(&mut self, scope: Place) {
        match self.random.below(14) {
            0..=2 => {
                let assignable = self.chance(2);
                self.text(if assignable { "let " } else { "const " });
                self.pattern(scope, scope, assignable);
                self.text(" = ");
                self.expr(scope);
                self.text(";\n");
            }
            3 => {
                let home = self.functions.last().copied().unwrap_or(scope);
                self.text("var ");
                self.declare(home, scope, true);
                self.text(" = ");
                self.expr(scope);
                self.text(";\n");
            }
            4 | 5 => {
                if let Some(symbol) = self.visible(scope, true) {
                    self.mention(symbol, scope);
                    self.one_of([" = ", " += ", " ??= "]);
                    self.expr(scope);
                    self.text(";\n");
                }
            }
            6 => {
                self.text("if (");
                self.expr(scope);
                self.text(") ");
                self.block(scope);
                self.text("else ");
                self.block(scope);
            }
            7 => self.block(scope),
            8 => {
                let inside = self.scope(Some(scope));
                self.text("for (let ");
                let symbol = self.declare(inside, inside, true);
                self.text(" = 0; ");
                self.mention(symbol, inside);
                self.text(" < 3; ");
                self.mention(symbol, inside);
                self.text("++) ");
                self.block(inside);
            }
            9 => {
                let inside = self.scope(Some(scope));
                self.text("for (const ");
                self.pattern(inside, inside, false);
                self.text(" of ");
                // The names of an element are in scope already, without a value.
                self.expr(inside);
                self.text(") ");
                self.block(inside);
            }
            10 => {
                self.text("try ");
                self.block(scope);
                let inside = self.scope(Some(scope));
                self.text("catch (");
                self.pattern(inside, inside, true);
                self.text(") {\n");
                self.statements(inside);
                self.text("}\n");
            }
            11 => {
                self.text("switch (");
                self.expr(scope);
                self.text(") {\n");
                let inside = self.scope(Some(scope));
                for _ in 0..2 {
                    self.text("case ");
                    self.expr(inside);
                    self.text(":\n");
                    self.statements(inside);
                    self.one_of(["", "break;\n", "break;\n"]);
                }
                self.text("}\n");
            }
            12 => {
                self.text("const ");
                self.declare(scope, scope, false);
                self.text(" = ");
                self.function(Some(scope));
                self.text(";\n");
            }
            _ => {
                self.expr(scope);
                self.text(";\n");
            }
        }
    }

    fn expr(&mut self, place: Place) {
        self.size = self.size.saturating_sub(1);
        let choice = if self.size == 0 { self.random.below(5) } else { self.random.below(13) };
        match choice {
            0 => {
                let number = self.random.below(10);
                self.pieces.push(Piece::Number(number));
            }
            1 => {
                let variable = self.random.below(VARIABLES);
                self.outside.push((Outside::Variable(variable), place));
                self.pieces.push(Piece::Variable(variable));
            }
            2 => {
                self.outside.push((Outside::Params, place));
                self.text("params");
            }
            3..=6 => match self.visible(place, false) {
                Some(symbol) => self.mention(symbol, place),
                None => self.text("null"),
            },
            7 => {
                self.text("(");
                self.expr(place);
                self.one_of([" + ", " - ", " || ", " === "]);
                self.expr(place);
                self.text(")");
            }
            8 => {
                self.text("[");
                self.expr(place);
                self.text(", ...[");
                self.expr(place);
                self.text("]]");
            }
            9 => {
                self.text("({ a: ");
                self.expr(place);
                self.text(", [");
                self.expr(place);
                self.text("]: 1 })");
            }
            10 => {
                self.text("(");
                self.function(Some(place));
                self.text(")");
                self.text("(");
                self.expr(place);
                self.text(")");
            }
            11 => {
                // The function sees its own name, in the scope around its parameters.
                let own = self.scope(Some(place));
                self.text("(function ");
                let symbol = self.declare(own, own, false);
                let inside = self.scope(Some(own));
                self.functions.push(inside);
                self.text("(");
                self.declare(inside, inside, true);
                self.text(") {\n");
                self.statements(inside);
                self.text("return ");
                if self.chance(2) {
                    self.mention(symbol, inside);
                } else {
                    self.expr(inside);
                }
                self.text("\n})");
                self.functions.pop();
            }
            _ => {
                self.text("(");
                self.expr(place);
                self.text(")?.a[");
                self.expr(place);
                self.text("]");
            }
        }
    }

    /// Returns unique names.
    fn plain(&self) -> (Vec<String>, Vec<String>) {
        let names = (0..self.symbols.len()).map(|at| format!("local{at}x")).collect();
        (names, (0..VARIABLES).map(|at| format!("variable{at}x")).collect())
    }

    /// Returns hostile names that JavaScript resolves to the same symbols.
    fn hostile(&mut self, seed: u64) -> (Vec<String>, Vec<String>) {
        let random = &mut Random::new(seed);
        let is_name = |name: &&&str| {
            let mut chars = name.chars();
            let begins = chars.next().is_some_and(|c| c == '$' || c == '_' || unicode_ident::is_xid_start(c));
            let goes_on = |c: char| c == '$' || c == '\u{200c}' || unicode_ident::is_xid_continue(c);
            begins && chars.all(goes_on) && **name != "new"
        };
        // A small set, so that names clash often.
        let all: Vec<&str> = HOSTILE.iter().filter(is_name).copied().collect();
        let few: Vec<&str> = (0..4 + random.below(10)).map(|_| *random.one_of(&all)).collect();
        let (mut names, mut variables) = self.plain();
        for at in 0..VARIABLES {
            let name = *random.one_of(&few);
            if name != "params" && !variables.iter().any(|known| known == name) {
                variables[at] = name.to_owned();
            }
        }
        for symbol in 0..self.symbols.len() {
            for _ in 0..6 {
                let name = *random.one_of(&few);
                if self.resolves(symbol, name, &names, &variables) {
                    names[symbol] = name.to_owned();
                    break;
                }
            }
        }
        (names, variables)
    }

    /// Returns `true` if all names keep their meaning when a symbol gets this name.
    fn resolves(&self, symbol: Symbol, name: &str, names: &[String], variables: &[String]) -> bool {
        let home = self.symbols[symbol].0;
        let is_called = |other: &Symbol| *other != symbol && names[*other] == name;
        let others = || (0..self.symbols.len()).filter(is_called);
        // No scope up to the declaring one declares another symbol of this name.
        let is_hidden = |mentioned: Symbol, place: Place, by: Symbol| {
            let end = self.symbols[mentioned].0;
            self.path(place).take_while(|scope| *scope != end).any(|scope| scope == self.symbols[by].0)
        };
        let mentions = || self.mentions.iter();
        others().all(|other| self.symbols[other].0 != home)
            && mentions().filter(|(other, _)| is_called(other)).all(|(other, place)| !is_hidden(*other, *place, symbol))
            && mentions()
                .filter(|(own, _)| *own == symbol)
                .all(|(_, place)| others().all(|other| !is_hidden(symbol, *place, other)))
            && self.outside.iter().all(|(outside, place)| {
                let called = match outside {
                    Outside::Variable(at) => &*variables[*at],
                    Outside::Params => "params",
                };
                called != name || self.path(*place).all(|scope| scope != home)
            })
    }

    fn print(&self, names: &[String], variables: &[String]) -> String {
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Number(number) => write!(out, "{number}").expect("a string"),
                Piece::Symbol(symbol) => out.push_str(&names[*symbol]),
                Piece::Variable(at) => out.push_str(&variables[*at]),
            }
        }
        out
    }
}

/// Returns the constants of a module, with hostile names.
fn constants() -> (Arc<NameScope>, BTreeSet<String>) {
    let mut names = Names::new("Self");
    let mut constants: BTreeSet<String> = HOSTILE.iter().map(|name| names.constant(name)).collect();
    constants.insert("Self_".to_owned());
    (names.constants(), constants)
}

/// Returns the meaning of the names of the Rust function, or `None` if the function is not
/// translated.
fn translated(text: &str, variables: &[String]) -> Option<(Vec<Meaning>, String)> {
    let visible: Vec<&str> = variables.iter().map(String::as_str).collect();
    let (script, found) = read_text(text, &visible);
    let script = script.unwrap_or_else(|| panic!("{text}\nis refused: {found:?}"));
    let (scope, items) = constants();
    let tokens = script.emit(&Ident::new("state", Span::call_site()), &scope)?;
    let function = syn::parse2(tokens.clone()).unwrap_or_else(|error| panic!("{error}: {tokens}"));
    Some((meanings(&function, &items), crate::pretty::layout(tokens)))
}

/// `syn` without optimisation needs more stack than a thread of a test has.
#[test]
fn hostile_names_mean_the_same() {
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(compare_hostile_names);
    thread.expect("a thread").join().expect("no difference");
}

fn compare_hostile_names() {
    let mut compared = 0;
    for seed in 0..400 {
        let mut program = Program::new(seed);
        let (names, variables) = program.plain();
        let plain = program.print(&names, &variables);
        let Some((expected, plain_code)) = translated(&plain, &variables) else { continue };
        for naming in 0..4 {
            let (names, variables) = program.hostile(seed * 10 + naming);
            let hostile = program.print(&names, &variables);
            let (found, code) = translated(&hostile, &variables).expect("it is translated, as the other is");
            let both = std::panic::catch_unwind(|| assert_same(&expected, &found, &mut BTreeMap::new()));
            assert!(both.is_ok(), "seed {seed}, naming {naming}\n{plain}\n{hostile}\n{plain_code}\n{code}");
            compared += 1;
        }
    }
    assert!(compared > 1_000, "only {compared} were compared");
}

/// Checks that no two locals share a Rust variable: there are as many declarations as in
/// JavaScript, and each is read.
#[track_caller]
fn assert_distinct(hostile: &str, plain: &str) {
    let (expected, found) = (translated(plain, &[]), translated(hostile, &[]));
    let (Some((expected, _)), Some((found, code))) = (expected, found) else { panic!("{plain} is not translated") };
    println!("{code}");
    assert_same(&expected, &found, &mut BTreeMap::new());
}

#[test]
fn names_that_would_coincide_are_distinguished() {
    for (hostile, plain) in [
        ("p => { let $ = 1; let dollar = 2; p.r = [$, dollar] }", "p => { let a = 1; let b = 2; p.r = [a, b] }"),
        (
            "p => { const f = ($, dollar) => $ - dollar; p.r = f(10, 1) }",
            "p => { const f = (a, b) => a - b; p.r = f(10, 1) }",
        ),
        (
            "p => { let x = 1; { let x = 2; let x_2 = 3; p.r = [x, x_2] } }",
            "p => { let a = 1; { let b = 2; let c = 3; p.r = [b, c] } }",
        ),
        ("p => { let é = 1; let e\u{301} = 2; p.r = [é, e\u{301}] }", "p => { let a = 1; let b = 2; p.r = [a, b] }"),
        ("p => { let K = 1; let \u{212a} = 2; p.r = [K, \u{212a}] }", "p => { let a = 1; let b = 2; p.r = [a, b] }"),
        (
            "p => { p.r = (($) => { const dollar = 5; return $ + dollar })(1) }",
            "p => { p.r = ((a) => { const b = 5; return a + b })(1) }",
        ),
        (
            "(x) => { const g = (x) => { let x_2 = 7; return x * 10 + x_2 }; return g(2) + x }",
            "(a) => { const g = (b) => { let c = 7; return b * 10 + c }; return g(2) + a }",
        ),
        (
            "({ a }) => { f(); var params = 1; function f() { return params } return [a, params] }",
            "({ a }) => { f(); var b = 1; function f() { return b } return [a, b] }",
        ),
    ] {
        assert_distinct(hostile, plain);
    }
}
