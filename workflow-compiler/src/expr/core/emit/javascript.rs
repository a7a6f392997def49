//! Emission of functions of JavaScript: their results, temporaries, texts and loops.

use super::code::{Fragment, Precedence, Want, ident};
use super::{Enclosing, Printer};
use crate::expr::Literal;
use crate::expr::core::{Atom, Computation, CoreBlock, CoreLocalId, CoreStatement, CoreType, ErrorExit, LabelId};
use proc_macro2::{Ident, Literal as Token, TokenStream};
use quote::quote;

impl<'a> Printer<'a> {
    /// Emits a function of JavaScript.
    pub(super) fn javascript(&mut self, name: &Ident) -> TokenStream {
        let function = self.function;
        let params: Vec<TokenStream> = function.params.iter().map(|param| self.pattern(*param)).collect();
        let body = self.tail(&function.body);
        let (run, rest) = params.split_first().map_or_else(|| (quote!(_), &[][..]), |(run, rest)| (quote!(#run), rest));
        let (argument, variables) =
            rest.split_first().map_or_else(|| (quote!(_), &[][..]), |(argument, rest)| (quote!(#argument), rest));
        let length = Token::usize_unsuffixed(variables.len());
        quote! {
            fn #name(#run: &js::Run, #argument: Js, [#(#variables),*]: [js::Var; #length]) -> js::Result { #body }
        }
    }

    /// Emits the statements of a function, the last of which yields its result.
    pub(super) fn tail(&mut self, block: &CoreBlock) -> TokenStream {
        let visible = self.in_scope.len();
        let mut code = TokenStream::new();
        let before = match (block.statements.split_last(), &block.value) {
            (Some((_, before)), None) => before,
            _ => &block.statements[..],
        };
        for statement in before {
            code.extend(self.statement(statement));
        }
        let last = block.statements.last();
        code.extend(match (&block.value, last) {
            (Some(value), _) => self.result(value),
            (None, Some(CoreStatement::Return(value))) => self.result(value),
            (None, Some(CoreStatement::Fail(error))) => {
                let error = self.atom(error, Want::Raw).into_tokens();
                quote!(Err(#error))
            }
            (None, Some(CoreStatement::Do(Computation::If { test, then, otherwise })))
                if then.jumps() && otherwise.jumps() =>
            {
                let test = self.atom(test, Want::Bool).into_tokens();
                let [then, otherwise] = [then, otherwise].map(|branch| self.tail(branch));
                quote!(if #test { #then } else { #otherwise })
            }
            (None, Some(last)) => self.statement(last),
            (None, None) => quote!(Ok(Js::Undefined)),
        });
        self.release(visible);
        code
    }

    /// Emits a `Result` of a value. A call that fails is one already.
    pub(super) fn result(&mut self, value: &Atom) -> TokenStream {
        if let Atom::Inlined(inlined) = value
            && let Computation::Call(call) = &**inlined
            && (call.callee.fails, call.callee.borrows, call.callee.returns) == (true, false, CoreType::Value)
            && call.on_error == ErrorExit::Return
        {
            return self.call_code(call).0;
        }
        let value = self.atom(value, Want::Value).into_tokens();
        quote!(Ok(#value))
    }

    /// Names a temporary. Its name ends in `_`, which that of no declared local does.
    pub(super) fn temporary(&mut self, hint: &'a str) -> Ident {
        let count = self.temporaries.entry(hint).or_default();
        *count += 1;
        self.in_scope.push(hint);
        match *count {
            1 => ident(&format!("{hint}_")),
            more => ident(&format!("{hint}_{more}_")),
        }
    }

    /// Frees the names of temporaries for the code after a block.
    pub(super) fn release(&mut self, visible: usize) {
        while self.in_scope.len() > visible {
            if let Some(count) = self.in_scope.pop().and_then(|hint| self.temporaries.get_mut(hint)) {
                *count -= 1;
            }
        }
    }

    /// Emits a `&str`.
    pub(super) fn text(&mut self, atom: &Atom) -> TokenStream {
        match atom {
            Atom::Literal(Literal::String(text)) => quote!(#text),
            _ => {
                let is_static = self.type_of(atom) == CoreType::StaticText;
                let code = self.atom(atom, Want::Raw);
                if is_static { code.into_tokens() } else { code.wanted(Want::Ref, self.values).into_tokens() }
            }
        }
    }

    /// Emits the negation of a `bool`.
    pub(super) fn negation(&mut self, test: &Atom) -> TokenStream {
        if let Atom::Inlined(inner) = test
            && let Computation::Not(test) = &**inner
        {
            return self.atom(test, Want::Bool).into_tokens();
        }
        let test = self.atom(test, Want::Bool).operand(Precedence::Unary);
        quote!(!#test)
    }

    /// Emits a choice between the code for a value and that for `undefined`.
    pub(super) fn if_defined(
        &mut self,
        items: &[CoreLocalId],
        of: &Computation,
        [then, otherwise]: [&CoreBlock; 2],
        want: Want,
    ) -> Fragment {
        let source = self.computation(of, Want::Raw).into_tokens();
        let visible = self.in_scope.len();
        let pattern = self.patterns(items, of);
        let then = self.arm(then, want);
        self.release(visible);
        let otherwise = self.arm(otherwise, want);
        let tokens = quote!(match #source { Js::Undefined => #otherwise, #pattern => #then });
        Fragment::new(tokens, want, Precedence::Block)
    }

    /// Emits a block as an arm of a `match`.
    fn arm(&mut self, block: &CoreBlock, want: Want) -> TokenStream {
        let code = self.inner(block, want);
        if block.statements.is_empty() && block.value.is_some() { code } else { quote!({ #code }) }
    }

    /// Emits a loop as `while`, if it begins with its test.
    pub(super) fn while_holds(&mut self, label: LabelId, body: &CoreBlock) -> Option<TokenStream> {
        let (first, rest) = body.statements.split_first()?;
        let CoreStatement::Do(Computation::If { test: Atom::Inlined(test), then, otherwise }) = first else {
            return None;
        };
        let Computation::Not(test) = &**test else { return None };
        let is_end = matches!((&then.statements[..], &then.value), ([CoreStatement::Break(left, None)], None)
            if *left == label);
        if !is_end || *otherwise != CoreBlock::default() {
            return None;
        }
        let test = self.atom(test, Want::Bool).into_tokens();
        let visible = self.in_scope.len();
        self.enclosing.push((label, Enclosing::Loop));
        let body: TokenStream = rest.iter().map(|statement| self.statement(statement)).collect();
        self.enclosing.pop();
        self.release(visible);
        let label = self.named(label);
        Some(quote!(#label while #test { #body }))
    }
}
