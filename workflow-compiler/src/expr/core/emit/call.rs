//! Calls, with their arguments and closures, and handlers of errors.

use super::code::{Fragment, Precedence, Want, ident, number};
use super::language::ValueLanguage;
use super::{Enclosing, Printer};
use crate::expr::core::{
    Atom, Attempt, Closure, Computation, CoreArgument, CoreCall, CoreStatement, CoreType, ErrorExit, Form, Takes,
};
use proc_macro2::TokenStream;
use quote::quote;

impl Printer<'_> {
    /// Emits a call.
    pub(super) fn call(&mut self, call: &CoreCall, want: Want) -> Fragment {
        let mut tokens = self.call_tokens(call);
        let mut precedence = if call.callee.form == Form::Infix { Precedence::Block } else { Precedence::Primary };
        if call.callee.fails {
            match call.on_error {
                ErrorExit::Absent => {}
                ErrorExit::Attempt(label) if self.closures.last() != Some(&label) => {
                    let label = self.label_name(label);
                    tokens = quote!(match #tokens { Ok(value) => value, Err(error) => break #label Some(error) });
                    precedence = Precedence::Block;
                }
                ErrorExit::Return | ErrorExit::Attempt(_) => {
                    self.fails |= self.depth == 0;
                    tokens = quote!(#tokens?);
                }
            }
        }
        let form = match call.callee.returns {
            CoreType::Value if call.callee.borrows => Want::Ref,
            returns => Want::of(returns),
        };
        self.wanted(Fragment::new(tokens, form, precedence), want)
    }

    /// Emits a value as a `Result`.
    pub(super) fn result(&mut self, value: &Atom, want: Want) -> TokenStream {
        if let Atom::Inlined(computation) = value {
            match &**computation {
                Computation::Call(call)
                    if call.callee.fails
                        && !call.callee.borrows
                        && call.on_error == ErrorExit::Return
                        && Want::of(call.callee.returns) == want =>
                {
                    return self.call_tokens(call);
                }
                Computation::Object(members) if self.language == ValueLanguage::Maybe => return self.object(members),
                _ => {}
            }
        }
        let value = self.atom(value, want).into_tokens();
        quote!(Ok(#value))
    }

    /// Emits a call, whose result is a `Result` if it fails.
    fn call_tokens(&mut self, call: &CoreCall) -> TokenStream {
        let mut args = call.args.iter().zip(call.callee.takes);
        let name: TokenStream = call.callee.name.parse().unwrap_or_default();
        let receiver = match call.callee.form {
            Form::Function | Form::Constant => None,
            _ => args.next().map(|(arg, takes)| self.receiver(arg, *takes)),
        };
        let mut args: Vec<TokenStream> = args.map(|(arg, takes)| self.argument(arg, *takes)).collect();
        args.extend(call.callee.takes_run.then(|| quote!(run)));
        if call.callee.form == Form::Constant {
            self.constants.insert(call.callee.name);
        }
        match (call.callee.form, receiver) {
            (Form::Constant, _) => quote!(#name),
            (Form::Infix, Some(left)) => quote!(#left #name #(#args)*),
            (Form::Callback, Some(callback)) => quote!(#callback(#(#args),*)),
            (Form::Outcome, Some(outcome)) => outcome,
            (_, Some(receiver)) => quote!(#receiver.#name(#(#args),*)),
            (_, None) => quote!(#name(#(#args),*)),
        }
    }

    fn receiver(&mut self, arg: &CoreArgument, takes: Takes) -> TokenStream {
        match arg {
            CoreArgument::Atom(atom) => {
                let want = match takes {
                    Takes::Value => self.want_of(atom),
                    _ => Want::Raw,
                };
                self.atom(atom, want).operand(Precedence::Primary)
            }
            CoreArgument::Changed(local) => {
                let name = self.name(*local);
                quote!(#name)
            }
            _ => self.argument(arg, takes),
        }
    }

    fn argument(&mut self, arg: &CoreArgument, takes: Takes) -> TokenStream {
        match arg {
            CoreArgument::Atom(atom) => match takes {
                Takes::Ref => self.atom(atom, Want::Ref).into_tokens(),
                Takes::Value => {
                    let want = match self.type_of(atom) {
                        CoreType::Bool => Want::Value,
                        ty => Want::of(ty),
                    };
                    self.atom(atom, want).into_tokens()
                }
                _ => self.atom(atom, Want::Raw).into_tokens(),
            },
            CoreArgument::Changed(local) => {
                let name = self.name(*local);
                match self.function.locals[*local].ty {
                    CoreType::Place => quote!(#name),
                    _ => quote!(&mut #name),
                }
            }
            CoreArgument::Text(text) => quote!(#text),
            CoreArgument::Int(value) => number(*value),
            CoreArgument::Pattern(pattern, flags) => {
                let name = self.pattern_name(pattern, flags);
                quote!(&#name)
            }
            CoreArgument::Texts(texts) => quote!(&[#(#texts),*]),
            CoreArgument::Flags(flags) => quote!(&[#(#flags),*]),
            CoreArgument::Closure(closure) => self.closure(closure, takes),
        }
    }

    fn closure(&mut self, closure: &Closure, takes: Takes) -> TokenStream {
        let mut params: Vec<TokenStream> = closure.params.iter().map(|param| self.pattern(*param)).collect();
        params.extend((self.language == ValueLanguage::Maybe).then(|| quote!(run)));
        let enclosing = std::mem::take(&mut self.enclosing);
        let closures = std::mem::take(&mut self.closures);
        self.depth += 1;
        let statements = self.statements(&closure.body);
        let want = Want::of(closure.returns);
        let result = match (&closure.body.value, self.language) {
            (Some(value), ValueLanguage::Maybe) => self.result(value, want),
            (value, _) => {
                let value = value.as_ref().map(|value| self.atom(value, want).into_tokens());
                let value = value.unwrap_or_else(|| quote!(()));
                quote!(Ok(#value))
            }
        };
        self.depth -= 1;
        self.enclosing = enclosing;
        self.closures = closures;
        match takes {
            Takes::ClosureMut => quote!(&mut |#(#params),*| { #statements #result }),
            _ if statements.is_empty() => quote!(|#(#params),*| #result),
            _ => quote!(|#(#params),*| { #statements #result }),
        }
    }

    /// Emits an attempt without a value.
    pub(super) fn attempt_statement(&mut self, attempt: &Attempt) -> TokenStream {
        self.enclosing.push((attempt.label, Enclosing::Attempt));
        let body = self.inner(&attempt.body, Want::Unit);
        self.enclosing.pop();
        let end = (!attempt.body.statements.last().is_some_and(CoreStatement::jumps)).then(|| quote!(None));
        let label = self.label_name(attempt.label);
        let module = self.module.clone();
        let failed = ident(&self.scope.give("failed"));
        let error = self.pattern(attempt.error);
        let handler = self.inner(&attempt.handler, Want::Unit);
        quote! {
            let #failed: Option<#module::Error> = #label: { #body #end };
            if let Some(#error) = #failed { #handler }
        }
    }

    /// Emits an attempt with a value. Its body is a closure.
    pub(super) fn attempt_value(&mut self, attempt: &Attempt, want: Want) -> Fragment {
        let module = self.module.clone();
        let enclosing = std::mem::take(&mut self.enclosing);
        self.closures.push(attempt.label);
        self.depth += 1;
        let (statements, value) = self.block_parts(&attempt.body, want);
        self.depth -= 1;
        self.closures.pop();
        self.enclosing = enclosing;
        // A body that jumps away has no value.
        let result = value.map(Fragment::into_tokens).map(|value| quote!(Ok(#value)));
        let error = self.pattern(attempt.error);
        let handler = self.inner(&attempt.handler, want);
        let tokens = quote! {
            match #module::attempt(|| { #statements #result }) {
                Ok(value) => value,
                Err(#error) => { #handler }
            }
        };
        Fragment::new(tokens, want, Precedence::Block)
    }
}
