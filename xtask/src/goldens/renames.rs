//! Finds locals that only rename another one: `let b = a;` where nothing mentions `a` afterwards.

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit;
use syn::{Expr, Ident, ItemFn, Local, Macro, Pat};

/// Returns the locals of a function that only rename another one, each with the other.
pub fn renames(function: &ItemFn) -> Vec<(String, String)> {
    let mut mentions = Mentions::default();
    mentions.visit_item_fn(function);
    let Mentions { idents, copies } = mentions;
    let is_local = |copy: &Copy| idents[..copy.end - 1].contains(&copy.from);
    let is_last = |copy: &Copy| !idents[copy.end..].contains(&copy.from);
    let renames = copies.into_iter().filter(|copy| is_local(copy) && is_last(copy));
    renames.map(|copy| (copy.to, copy.from)).collect()
}

/// A statement `let to = from;`.
struct Copy {
    to: String,
    from: String,
    /// The number of identifiers up to its end.
    end: usize,
}

/// The identifiers of a function in the order of the text, and the copies among its statements.
#[derive(Default)]
struct Mentions {
    idents: Vec<String>,
    copies: Vec<Copy>,
}

impl Mentions {
    fn add(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => self.idents.push(ident.to_string()),
                TokenTree::Group(group) => self.add(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

impl Visit<'_> for Mentions {
    fn visit_ident(&mut self, ident: &Ident) {
        self.idents.push(ident.to_string());
    }

    fn visit_macro(&mut self, invoked: &Macro) {
        self.add(invoked.tokens.clone());
    }

    fn visit_local(&mut self, local: &Local) {
        syn::visit::visit_local(self, local);
        if let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init)
            && let Expr::Path(value) = &*init.expr
            && let Some(from) = value.path.get_ident()
        {
            let (to, from, end) = (name.ident.to_string(), from.to_string(), self.idents.len());
            self.copies.push(Copy { to, from, end });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_of_a_local_that_is_mentioned_again_renames_nothing() {
        let function = syn::parse_str(
            "fn f(a: Value, b: Value) -> Value {
                let c = a;
                let mut d = b;
                if c.is_null() { b = d; }
                let limit = LIMIT;
                macro_call!(c, limit)
            }",
        );
        let pair = ("c".to_owned(), "a".to_owned());
        assert_eq!(renames(&function.expect("a function")), [pair]);
    }
}
