//! Name resolution by Rust's scoping rules, for every name in a function.

use crate::names::normalized;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};

/// The meaning of a name in value position.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Meaning {
    /// Declares a local, numbered in the order of the text.
    Declares(usize),
    /// Refers to the local with this number.
    Local(usize),
    /// Refers to an item outside of the function.
    Free(String),
}

/// Returns the meanings of all names of a function in the order of the text. `constants` are the
/// items that a pattern would refer to.
pub(crate) fn meanings(function: &syn::ItemFn, constants: &BTreeSet<String>) -> Vec<Meaning> {
    let mut resolver = Resolver { scopes: vec![BTreeMap::new()], declared: 0, found: Vec::new(), constants };
    for input in &function.sig.inputs {
        if let syn::FnArg::Typed(typed) = input {
            resolver.visit_pat(&typed.pat);
        }
    }
    resolver.visit_block(&function.block);
    resolver.found
}

struct Resolver<'c> {
    scopes: Vec<BTreeMap<String, usize>>,
    declared: usize,
    found: Vec<Meaning>,
    constants: &'c BTreeSet<String>,
}

impl Resolver<'_> {
    fn within(&mut self, inside: impl FnOnce(&mut Self)) {
        self.scopes.push(BTreeMap::new());
        inside(self);
        self.scopes.pop();
    }
}

impl<'a> Visit<'a> for Resolver<'_> {
    fn visit_block(&mut self, block: &'a syn::Block) {
        self.within(|cx| visit::visit_block(cx, block));
    }

    fn visit_local(&mut self, local: &'a syn::Local) {
        // A declared local is not in scope in its own initializer.
        if let Some(init) = &local.init {
            self.visit_expr(&init.expr);
            assert!(init.diverge.is_none(), "no `let … else` is printed");
        }
        self.visit_pat(&local.pat);
    }

    fn visit_pat_ident(&mut self, pattern: &'a syn::PatIdent) {
        let name = normalized(&pattern.ident.to_string()).into_owned();
        assert!(!self.constants.contains(&name), "the pattern `{name}` means a constant");
        self.found.push(Meaning::Declares(self.declared));
        let scope = self.scopes.last_mut().expect("there is a scope");
        scope.insert(name, self.declared);
        self.declared += 1;
    }

    fn visit_expr_path(&mut self, path: &'a syn::ExprPath) {
        let Some(name) = path.path.get_ident() else { return };
        let name = normalized(&name.to_string()).into_owned();
        let known = self.scopes.iter().rev().find_map(|scope| scope.get(&name));
        self.found.push(known.map_or_else(|| Meaning::Free(name.clone()), |local| Meaning::Local(*local)));
    }

    fn visit_expr_if(&mut self, choice: &'a syn::ExprIf) {
        self.within(|cx| {
            cx.visit_expr(&choice.cond);
            cx.visit_block(&choice.then_branch);
        });
        if let Some((_, otherwise)) = &choice.else_branch {
            self.visit_expr(otherwise);
        }
    }

    fn visit_expr_let(&mut self, test: &'a syn::ExprLet) {
        self.visit_expr(&test.expr);
        self.visit_pat(&test.pat);
    }

    fn visit_arm(&mut self, arm: &'a syn::Arm) {
        self.within(|cx| visit::visit_arm(cx, arm));
    }

    fn visit_expr_for_loop(&mut self, each: &'a syn::ExprForLoop) {
        self.visit_expr(&each.expr);
        self.within(|cx| {
            cx.visit_pat(&each.pat);
            cx.visit_block(&each.body);
        });
    }

    fn visit_expr_closure(&mut self, closure: &'a syn::ExprClosure) {
        self.within(|cx| visit::visit_expr_closure(cx, closure));
    }

    fn visit_expr_macro(&mut self, inner: &'a syn::ExprMacro) {
        // `vec![…]`, of expressions.
        let parse = syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        let items = inner.mac.parse_body_with(parse).expect("a list of expressions");
        items.iter().for_each(|item| self.visit_expr(item));
    }

    fn visit_type(&mut self, _: &'a syn::Type) {}
}

/// Asserts that two functions have the same structure of names. `free` collects the free names of
/// one by the free names of the other.
#[track_caller]
pub(crate) fn assert_same(plain: &[Meaning], renamed: &[Meaning], free: &mut BTreeMap<String, String>) {
    assert_eq!(plain.len(), renamed.len(), "the functions differ in more than names");
    for (at, (plain, renamed)) in plain.iter().zip(renamed).enumerate() {
        match (plain, renamed) {
            (Meaning::Free(plain), Meaning::Free(renamed)) => {
                let known = free.entry(plain.clone()).or_insert_with(|| renamed.clone());
                assert_eq!(known, renamed, "name {at} of the function: `{plain}` is two items");
            }
            _ => assert_eq!(plain, renamed, "name {at} of the function"),
        }
    }
    let items: BTreeSet<&String> = free.values().collect();
    assert_eq!(items.len(), free.len(), "two items have one name: {free:?}");
}

#[test]
fn names_mean_what_is_declared_last_around_them() {
    let function: syn::ItemFn = syn::parse_str(
        "fn f(a: A) { let b = a; { let b = b; g(b) } b; |a| a; if let Err(a) = b { a } match b { c if c => c, _ => a } X }",
    )
    .expect("it is Rust");
    use Meaning::{Declares as D, Free as F, Local as L};
    let expected = [
        D(0),
        L(0),
        D(1),
        L(1),
        D(2),
        F("g".into()),
        L(2),
        L(1),
        D(3),
        L(3),
        L(1),
        D(4),
        L(4),
        L(1),
        D(5),
        L(5),
        L(5),
        L(0),
        F("X".into()),
    ];
    assert_eq!(meanings(&function, &BTreeSet::new()), expected);
}
