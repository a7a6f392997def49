//! Emission of statements.

use super::Emitter;
use super::code::Level;
use super::jump::{ClosureExit, JumpExit, JumpsOut};
use crate::expr::javascript::ir::{Block, Expr, Pattern, Statement, Switch, Try};
use proc_macro2::{Literal, TokenStream, TokenTree};
use quote::quote;

impl Emitter<'_> {
    pub(super) fn statements(&mut self, statements: &[Statement]) -> TokenStream {
        statements.iter().map(|statement| self.statement(statement)).collect()
    }

    /// Emits the statements of a block, without its braces.
    pub(super) fn block(&mut self, block: &Block) -> TokenStream {
        let hoisted = self.hoisted(&block.declares);
        let statements = self.statements(&block.statements);
        quote!(#hoisted #statements)
    }

    /// Emits the statements of a function, the last of which yields its result.
    pub(super) fn statements_to_end(&mut self, statements: &[Statement]) -> TokenStream {
        let Some((last, before)) = statements.split_last() else { return quote!(Ok(Js::Undefined)) };
        let before = self.statements(before);
        let last = match last {
            Statement::Return(None) => quote!(Ok(Js::Undefined)),
            Statement::Return(Some(value)) => {
                let value = self.returned(value);
                result_of(value)
            }
            Statement::Throw(value) => {
                let value = self.owned(value).tokens;
                quote!(Err(js::Throw::Value(#value)))
            }
            Statement::If(test, yes, Some(no)) if ends(&yes.statements) && ends(&no.statements) => {
                let test = self.truth(test).tokens;
                let [yes, no] = [yes, no].map(|branch| {
                    let hoisted = self.hoisted(&branch.declares);
                    let statements = self.statements_to_end(&branch.statements);
                    quote!(#hoisted #statements)
                });
                quote!(if #test { #yes } else { #no })
            }
            other => {
                let code = self.statement(other);
                match ends(std::slice::from_ref(other)) {
                    true => code,
                    false => quote!(#code Ok(Js::Undefined)),
                }
            }
        };
        quote!(#before #last)
    }

    fn statement(&mut self, statement: &Statement) -> TokenStream {
        match statement {
            Statement::Expr(value) => self.discard(value),
            Statement::Declare(Pattern::Declare(id), None) => self.declare_empty(*id),
            Statement::Declare(_, None) => TokenStream::new(),
            Statement::Declare(pattern, Some(value)) => self.bind_value(pattern, value),
            Statement::Return(value) => {
                let value = match value {
                    Some(value) => self.returned(value),
                    None => quote!(Js::Undefined),
                };
                self.return_code(value)
            }
            Statement::Throw(value) => {
                let value = self.owned(value).tokens;
                quote!(return Err(js::Throw::Value(#value));)
            }
            Statement::If(test, yes, no) => {
                let test = self.truth(test).tokens;
                let yes = self.block(yes);
                let no = no.as_ref().map(|no| self.otherwise(no));
                quote!(if #test { #yes } #no)
            }
            Statement::Block(block) => {
                let block = self.block(block);
                quote!({ #block })
            }
            Statement::Labelled(id, block) => {
                self.exits.push(JumpExit::Block(*id));
                let block = self.block(block);
                self.exits.pop();
                let label = self.used_label("out", *id);
                quote!(#label { #block })
            }
            Statement::Loop(inner) => self.loop_code(inner),
            Statement::Switch(switch) => self.switch(switch),
            Statement::Try(inner) => self.try_code(inner),
            Statement::Break(id) => self.break_code(*id),
            Statement::Continue(id) => self.continue_code(*id),
        }
    }

    fn otherwise(&mut self, no: &Block) -> TokenStream {
        let code = self.block(no);
        match &no.statements[..] {
            [Statement::If(..)] => quote!(else #code),
            _ => quote!(else { #code }),
        }
    }

    /// Emits a returned value. A returned local is moved, unless `try` still needs it.
    fn returned(&mut self, value: &Expr) -> TokenStream {
        match value {
            Expr::Local(id) if self.is_plain(*id) && self.closure_around().is_none() && !self.captured.contains(id) => {
                let name = self.name(*id);
                quote!(#name)
            }
            _ => self.owned(value).tokens,
        }
    }

    fn switch(&mut self, switch: &Switch) -> TokenStream {
        let hoisted = self.hoisted(&switch.declares);
        let is_repeatable = self.is_repeatable(&switch.value) && !changes(switch, &switch.value);
        let value = self.owned(&switch.value).tokens;
        let (before, value) = match is_repeatable {
            true => (TokenStream::new(), switch.value.clone()),
            false => (quote!(let switched_ = #value;), Expr::Temporary("switched_")),
        };
        self.exits.push(JumpExit::Block(switch.id));
        let code = match arms(switch) {
            Some(arms) => self.arms(&value, &arms),
            None => self.falling(&value, switch),
        };
        self.exits.pop();
        match self.used_label("out", switch.id) {
            Some(label) => quote!(#hoisted #label { #before #code }),
            None if before.is_empty() => quote!(#hoisted #code),
            None => quote!(#hoisted { #before #code }),
        }
    }

    fn is_case(&mut self, value: &Expr, test: &Expr) -> super::code::JsCode {
        let (left, right) = (Box::new(value.clone()), Box::new(test.clone()));
        self.truth(&Expr::Binary(crate::expr::javascript::ir::Binary::StrictEqual, left, right))
    }

    /// Emits cases without fall-through.
    fn arms(&mut self, value: &Expr, arms: &[Arm<'_>]) -> TokenStream {
        let mut out = TokenStream::new();
        for (at, arm) in arms.iter().enumerate() {
            let mut tests: Vec<super::code::JsCode> = Vec::new();
            for test in &arm.tests {
                tests.push(self.is_case(value, test));
            }
            let body = self.statements(arm.body);
            let test =
                tests.into_iter().reduce(|left, right| super::code::JsCode::infix(left, quote!(||), right, Level::Or));
            out.extend(match test {
                Some(test) => {
                    let (word, test) = (if at > 0 { quote!(else) } else { TokenStream::new() }, test.tokens);
                    quote!(#word if #test { #body })
                }
                None if at > 0 => quote!(else { #body }),
                None => quote!({ #body }),
            });
        }
        out
    }

    /// Emits cases with fall-through: the number of the first matching case, and all cases from it
    /// on.
    fn falling(&mut self, value: &Expr, switch: &Switch) -> TokenStream {
        let mut choice = TokenStream::new();
        for (at, (test, _)) in switch.cases.iter().enumerate() {
            let Some(test) = test else { continue };
            let (test, at) = (self.is_case(value, test).tokens, Literal::usize_unsuffixed(at));
            choice.extend(quote!(if #test { #at } else));
        }
        let default = switch.cases.iter().position(|(test, _)| test.is_none()).unwrap_or(switch.cases.len());
        let default = Literal::usize_unsuffixed(default);
        let bodies: Vec<TokenStream> = switch.cases.iter().map(|(_, body)| self.statements(body)).collect();
        let numbers = (0..bodies.len()).map(Literal::usize_unsuffixed);
        quote!(let case_ = #choice { #default }; #(if case_ <= #numbers { #bodies })*)
    }

    fn try_code(&mut self, inner: &Try) -> TokenStream {
        let Some(finalizer) = &inner.finalizer else { return self.try_catch(inner) };
        let handler = inner.handler.as_ref().map(|(_, handler)| handler);
        let ways = JumpsOut::of([&inner.body].into_iter().chain(handler));
        let way = ways.least();
        let ends_early = ends_try(inner);
        self.exits.push(JumpExit::Closure(way));
        let body = match inner.handler {
            Some(_) => self.try_catch(inner),
            None => self.block(&inner.body),
        };
        self.exits.pop();
        let end = (!ends_early).then(|| end_of(way));
        let finalizer = {
            let code = self.block(finalizer);
            quote!({ #code })
        };
        let after = self.after(&ways, way, quote!(Err(thrown_) => return Err(js::Throw::Value(thrown_)),));
        let kind = kind_of(way, ends_early);
        quote!(let tried_ = js::attempt #kind (|| { #body #end })?; #finalizer #after)
    }

    /// Emits the code after `tried_`.
    fn after(&mut self, ways: &JumpsOut, way: ClosureExit, caught: TokenStream) -> TokenStream {
        match way {
            ClosureExit::End => quote!(if let Err(thrown_) = tried_ {
                return Err(js::Throw::Value(thrown_));
            }),
            ClosureExit::Return => {
                let done = self.return_code(quote!(value_));
                quote!(match tried_ { Ok(Some(value_)) => { #done } Ok(None) => {} #caught })
            }
            ClosureExit::Any => {
                let arms = self.flow_arms(ways);
                quote!(match tried_ { #arms Ok(_) => {} #caught })
            }
        }
    }

    fn try_catch(&mut self, inner: &Try) -> TokenStream {
        let Some((caught, handler)) = &inner.handler else { return self.block(&inner.body) };
        let ways = JumpsOut::of([&inner.body]);
        let way = ways.least();
        self.exits.push(JumpExit::Closure(way));
        let body = self.block(&inner.body);
        self.exits.pop();
        let ends_early = ends(&inner.body.statements);
        let end = (!ends_early).then(|| end_of(way));
        let kind = kind_of(way, ends_early);
        let attempt = quote!(js::attempt #kind (|| { #body #end })?);
        let (name, bound) = match caught {
            None => (quote!(_), TokenStream::new()),
            Some(Pattern::Declare(id)) if self.locals[id.0].is_unused() => (quote!(_), TokenStream::new()),
            Some(Pattern::Declare(id)) if self.is_plain(*id) && !self.locals[id.0].hoisted => {
                let name = self.name(*id);
                let name = if self.locals[id.0].assigned { quote!(mut #name) } else { quote!(#name) };
                (name, TokenStream::new())
            }
            Some(pattern) => {
                let bound = self.bind(pattern, super::code::JsCode::atom(quote!(thrown_)));
                (quote!(thrown_), bound)
            }
        };
        let hoisted = self.hoisted(&handler.declares);
        let handled = self.statements(&handler.statements);
        let handled = quote!({ #hoisted #bound #handled });
        match way {
            ClosureExit::End if name.to_string() == "_" => quote!(if #attempt.is_err() #handled),
            ClosureExit::End => quote!(if let Err(#name) = #attempt #handled),
            ClosureExit::Return => {
                let done = self.return_code(quote!(value_));
                quote!(match #attempt { Ok(Some(value_)) => { #done } Ok(None) => {} Err(#name) => #handled })
            }
            ClosureExit::Any => {
                let arms = self.flow_arms(&ways);
                quote!(match #attempt { #arms Ok(_) => {} Err(#name) => #handled })
            }
        }
    }
}

/// Returns the type of a `try` whose block always throws, if nothing else determines it.
fn kind_of(way: ClosureExit, ends_early: bool) -> Option<TokenStream> {
    (ends_early && matches!(way, ClosureExit::End)).then(|| quote!(::<()>))
}

/// Returns a `Result` of a value. An expression with `?` is a `Result` without it.
pub(super) fn result_of(value: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = value.into_iter().collect();
    match tokens.last() {
        Some(TokenTree::Punct(last)) if last.as_char() == '?' => {
            tokens.pop();
            tokens.into_iter().collect()
        }
        _ => {
            let value: TokenStream = tokens.into_iter().collect();
            quote!(Ok(#value))
        }
    }
}

/// Returns the result of a closure that is left at its end.
fn end_of(way: ClosureExit) -> TokenStream {
    match way {
        ClosureExit::End => quote!(Ok(())),
        ClosureExit::Return => quote!(Ok(None)),
        ClosureExit::Any => quote!(Ok(js::Flow::Next)),
    }
}

/// One or more cases of a switch that share a body.
struct Arm<'s> {
    /// The tests. Empty for the default.
    tests: Vec<&'s Expr>,
    body: &'s [Statement],
}

/// Returns the cases as arms, if there is no fall-through and the default is last.
fn arms(switch: &Switch) -> Option<Vec<Arm<'_>>> {
    let mut arms = Vec::new();
    let mut tests = Vec::new();
    for (at, (test, body)) in switch.cases.iter().enumerate() {
        let is_last = at + 1 == switch.cases.len();
        match test {
            Some(test) => tests.push(test),
            None if is_last && tests.is_empty() => {}
            None => return None,
        }
        let body = match body.split_last() {
            None if !is_last => continue,
            Some((Statement::Break(id), before)) if *id == switch.id => before,
            _ if is_last || ends(body) => body,
            _ => return None,
        };
        arms.push(Arm { tests: std::mem::take(&mut tests), body });
    }
    Some(arms)
}

/// Returns `true` if a switch assigns its own operand, which later tests would observe.
fn changes(switch: &Switch, value: &Expr) -> bool {
    let mut assigned = Vec::new();
    for test in switch.cases.iter().filter_map(|(test, _)| test.as_ref()) {
        crate::expr::javascript::walk::assigned_in(test, &mut assigned);
    }
    matches!(value, Expr::Local(id) if assigned.contains(id))
}

/// Returns `true` if the end of the statements is unreachable.
fn ends(statements: &[Statement]) -> bool {
    statements.last().is_some_and(|last| match last {
        Statement::Return(_) | Statement::Throw(_) | Statement::Break(_) | Statement::Continue(_) => true,
        Statement::If(_, yes, Some(no)) => ends(&yes.statements) && ends(&no.statements),
        Statement::Block(inner) => ends(&inner.statements),
        _ => false,
    })
}

/// Does the same as [`ends`] for a `try` without its `finally`.
fn ends_try(inner: &Try) -> bool {
    inner.handler.is_none() && ends(&inner.body.statements)
}
