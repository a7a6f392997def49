//! Calls, with their arguments and closures, and handlers of errors.

use super::code::{Fragment, Precedence, Want, ident, number};
use super::jsonata::run_param;
use super::values::Values;
use super::{Enclosing, Printer};
use crate::expr::core::visit::Mentions;
use crate::expr::core::{
    Atom, Attempt, Closure, Computation, CoreArgument, CoreCall, CoreLocalId, CoreStatement, CoreType, ErrorExit, Form,
    Takes,
};
use proc_macro2::TokenStream;
use quote::quote;

impl Printer<'_> {
    /// Emits a call, without the way of its error, and the precedence of the code.
    pub(super) fn call_code(&mut self, call: &CoreCall) -> (TokenStream, Precedence) {
        let mut args = call.args.iter().zip(call.callee.takes);
        let name: TokenStream = call.callee.name.parse().unwrap_or_default();
        let precedence = match call.callee.form {
            Form::Infix => Precedence::of_operator(call.callee.name),
            Form::Prefix => Precedence::Unary,
            _ => Precedence::Primary,
        };
        let receiver = match call.callee.form {
            Form::Function | Form::Constant => None,
            Form::Infix | Form::Prefix => {
                let level = if precedence == Precedence::Compare { precedence.above() } else { precedence };
                args.next().map(|(arg, _)| self.operand(arg, level))
            }
            _ => args.next().map(|(arg, takes)| self.receiver(arg, *takes)),
        };
        let mut args: Vec<TokenStream> = match call.callee.form {
            Form::Infix => args.map(|(arg, _)| self.operand(arg, precedence.above())).collect(),
            _ => args.map(|(arg, takes)| self.argument(arg, *takes)).collect(),
        };
        args.extend(call.callee.takes_run.then(|| quote!(run)));
        if call.callee.form == Form::Constant {
            self.constants.insert(call.callee.name);
        }
        let tokens = match (call.callee.form, receiver) {
            (Form::Constant, _) => quote!(#name),
            (Form::Prefix, Some(operand)) => quote!(#name #operand),
            (Form::Infix, Some(left)) => quote!(#left #name #(#args)*),
            (Form::Callback, Some(callback)) => quote!(#callback(#(#args),*)),
            (Form::Outcome, Some(outcome)) => outcome,
            (_, Some(receiver)) => quote!(#receiver.#name(#(#args),*)),
            (_, None) => quote!(#name(#(#args),*)),
        };
        let captured: TokenStream = call.args.iter().map(|arg| self.captures(arg)).collect();
        match captured.is_empty() {
            true => (tokens, precedence),
            false => (quote!({ #captured #tokens }), Precedence::Block),
        }
    }

    /// Emits a call.
    pub(super) fn call(&mut self, call: &CoreCall, want: Want) -> Fragment {
        let (mut tokens, mut precedence) = self.call_code(call);
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
    pub(super) fn as_result(&mut self, value: &Atom, want: Want) -> TokenStream {
        if let Atom::Inlined(computation) = value {
            match &**computation {
                Computation::Call(call)
                    if call.callee.fails
                        && !call.callee.borrows
                        && call.on_error == ErrorExit::Return
                        && Want::of(call.callee.returns) == want =>
                {
                    return self.call_code(call).0;
                }
                Computation::Object(members) if self.values == Values::Jsonata => return self.object(members),
                _ => {}
            }
        }
        let value = self.atom(value, want).into_tokens();
        quote!(Ok(#value))
    }

    /// Emits the copies that a closure owns.
    fn captures(&self, arg: &CoreArgument) -> TokenStream {
        let CoreArgument::Closure(closure) = arg else { return TokenStream::new() };
        let is_read = |(inner, _): &&(CoreLocalId, CoreLocalId)| self.ownership.mentions[*inner] != Mentions::default();
        let copies = closure.captures.iter().filter(is_read).map(|(inner, outer)| {
            let (inner, outer) = (self.name(*inner), self.name(*outer));
            quote!(let #inner = #outer.clone();)
        });
        copies.collect()
    }

    /// Emits an operand of an operator.
    fn operand(&mut self, arg: &CoreArgument, of: Precedence) -> TokenStream {
        match arg {
            CoreArgument::Atom(atom) => {
                let want = self.want_of(atom);
                self.atom(atom, want).operand(of)
            }
            _ => self.argument(arg, Takes::Constant),
        }
    }

    /// Returns `true` if an assignment changes a number by an operator: `number += 1.0`.
    pub(super) fn is_in_place(&self, local: CoreLocalId, call: &CoreCall) -> bool {
        let is_operator = matches!(call.callee.name, "+" | "-" | "*" | "/" | "%");
        let is_first = matches!(call.args.first(), Some(CoreArgument::Atom(first)) if first.local() == Some(local));
        call.callee.form == Form::Infix && is_operator && is_first
    }

    /// Emits such an assignment.
    pub(super) fn in_place(&mut self, local: CoreLocalId, call: &CoreCall) -> TokenStream {
        let name = self.name(local);
        let sign: TokenStream = format!("{}=", call.callee.name).parse().unwrap_or_default();
        let value: TokenStream = call.args.iter().skip(1).map(|arg| self.operand(arg, Precedence::Block)).collect();
        quote!(#name #sign #value;)
    }

    fn receiver(&mut self, arg: &CoreArgument, takes: Takes) -> TokenStream {
        match arg {
            CoreArgument::Atom(atom) => {
                let want = match (takes, self.type_of(atom)) {
                    // A value that is known to be a scalar.
                    (Takes::Ref, CoreType::Bool | CoreType::Number) => Want::Value,
                    (Takes::Value, _) => self.want_of(atom),
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
                        CoreType::Bool | CoreType::Number => Want::Value,
                        ty => Want::of(ty),
                    };
                    self.atom(atom, want).into_tokens()
                }
                Takes::Scalar => {
                    let want = self.want_of(atom);
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
            CoreArgument::Signature(signature) => {
                let name = self.signature_name(signature);
                quote!(&#name)
            }
            CoreArgument::Texts(texts) => quote!(&[#(#texts),*]),
            CoreArgument::Flags(flags) => quote!(&[#(#flags),*]),
            CoreArgument::Closure(closure) => self.closure(closure, takes),
        }
    }

    fn closure(&mut self, closure: &Closure, takes: Takes) -> TokenStream {
        let mut params: Vec<TokenStream> = closure.params.iter().map(|param| self.pattern(*param)).collect();
        let enclosing = std::mem::take(&mut self.enclosing);
        let closures = std::mem::take(&mut self.closures);
        self.depth += 1;
        if takes == Takes::OwnedClosure {
            closure.captures.iter().for_each(|(inner, _)| _ = self.bind(*inner));
            let body = self.tail(&closure.body);
            self.depth -= 1;
            (self.enclosing, self.closures) = (enclosing, closures);
            return quote!(move |#(#params),*| { #body });
        }
        let visible = self.in_scope.len();
        let statements = self.statements(&closure.body);
        let want = Want::of(closure.returns);
        let result = match (&closure.body.value, self.values) {
            (Some(value), Values::Jsonata) => self.as_result(value, want),
            (value, _) => {
                let value = value.as_ref().map(|value| self.atom(value, want).into_tokens());
                let value = value.unwrap_or_else(|| quote!(()));
                quote!(Ok(#value))
            }
        };
        self.release(visible);
        self.depth -= 1;
        self.enclosing = enclosing;
        self.closures = closures;
        if self.values == Values::Jsonata {
            params.push(run_param(&closure.body));
        }
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
