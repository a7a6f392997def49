//! Emission of filters that yield exactly one value, as expressions.

use super::code::{CodeKind, JqCode};
use super::scope::JqScope;
use super::{Emitter, Input, Res, untranslated};
use crate::expr::Literal;
use crate::expr::jq::ast::{Binary, Term, TermKind};
use crate::names::snake_case;
use proc_macro2::TokenStream;
use quote::quote;

impl<'p> Emitter<'p> {
    /// Emits the value of a filter that yields exactly one. `before` receives the statements that
    /// it needs.
    pub(super) fn one(
        &mut self,
        term: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        self.nest(|emitter| emitter.one_here(term, scope, input, before))
    }

    fn one_here(
        &mut self,
        term: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        match &term.kind {
            TermKind::Identity => Ok(input.read()),
            TermKind::Number(digits) => Ok(JqCode::literal(number(digits))),
            TermKind::Variable(name) => match scope.find_variable(name) {
                Some(code) => Ok(code),
                None => untranslated(format!("the variable `${name}`")),
            },
            TermKind::Text(format, pieces) => self.text(format.as_deref(), pieces, scope, input, before),
            TermKind::Format(format) => self.format(format, input.read()),
            TermKind::Array(inner) => self.array(inner.as_deref(), scope, input, before),
            TermKind::Object(members) => self.object(members, scope, input, before),
            TermKind::Negate(inner) => self.negate(inner, scope, input, before),
            TermKind::Pipe(parts) => self.pipe(parts, scope, input, before),
            TermKind::Binary(Binary::And | Binary::Or, left, right) => {
                self.logic(term, left, right, scope, input, before)
            }
            TermKind::Binary(Binary::Alternative, left, right) => self.alternative(left, right, scope, input, before),
            TermKind::Binary(operator, left, right) => self.binary(*operator, left, right, scope, input, before),
            TermKind::Update(update, path, value) => self.update(*update, path, value, scope, input, before),
            TermKind::Bind(source, patterns, body) => self.bound(source, patterns, body, scope, input, before),
            TermKind::Reduce(source, patterns, init, update) => {
                self.reduce(source, patterns, init, update, scope, input, before)
            }
            TermKind::If(test, then, otherwise) => {
                self.condition(test, then, otherwise.as_deref(), scope, input, before)
            }
            TermKind::Try(body, Some(handler)) => self.caught(body, handler, scope, input, before),
            // No `break` leaves the label.
            TermKind::Label(_, body) => self.one(body, scope, input, before),
            TermKind::Define(definition, body) => {
                let inner = self.defining(definition, scope);
                self.one(body, &inner, input, before)
            }
            TermKind::Index(base, key, false) => self.index(base, key, scope, input, before),
            TermKind::Slice(base, from, to, false) => {
                self.slice(base, from.as_deref(), to.as_deref(), scope, input, before)
            }
            TermKind::Call(name, arguments) => self.call(name, arguments, scope, input, before),
            _ => untranslated("a filter whose number of results is unknown"),
        }
    }

    /// Returns the input of the next filter in a pipe.
    pub(super) fn next_input(&mut self, code: JqCode, from: &Term, to: &Term, before: &mut TokenStream) -> Input {
        match code.kind {
            CodeKind::Ref if reads_once(to) => Input::new(code),
            CodeKind::Owned | CodeKind::Bool | CodeKind::And | CodeKind::Or if consumes(to) => Input::new(code),
            // The value may be a variable, which is read again.
            CodeKind::Local => Input { code, last: false },
            _ => {
                let bound = self.bind(code, &hint(from), before);
                Input::new(bound)
            }
        }
    }

    fn pipe(&mut self, parts: &'p [Term], scope: &JqScope<'p>, input: &Input, before: &mut TokenStream) -> Res<JqCode> {
        let mut input = input.clone();
        let Some((last, first)) = parts.split_last() else { return Ok(input.read()) };
        for (at, part) in first.iter().enumerate() {
            let code = self.one(part, scope, &input, before)?;
            input = self.next_input(code, part, &parts[at + 1], before);
        }
        self.one(last, scope, &input, before)
    }

    fn negate(&mut self, inner: &'p Term, scope: &JqScope<'p>, input: &Input, before: &mut TokenStream) -> Res<JqCode> {
        let value = self.one(inner, scope, input, before)?;
        Ok(match value.literal {
            Some(Literal::Int(value)) if value != 0 && value != i64::MIN => JqCode::literal(Literal::Int(-value)),
            Some(Literal::Float(value)) => JqCode::literal(Literal::Float(-value)),
            _ => {
                let value = value.into_value();
                self.checked(quote!(jq::neg(#value)))
            }
        })
    }

    fn logic(
        &mut self,
        term: &'p Term,
        left: &'p Term,
        right: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        let left = self.one(left, scope, &input.shared(), before)?.into_test();
        let mut own = TokenStream::new();
        // The right side may not be evaluated, so it must not move its input.
        let right = self.one(right, scope, &input.shared(), &mut own)?.into_test();
        let fails = left.fails || right.fails || !own.is_empty();
        let is_and = matches!(term.kind, TermKind::Binary(Binary::And, ..));
        let left = left.operand(!is_and);
        let right = match own.is_empty() {
            true => right.operand(!is_and),
            false => {
                let right = right.tokens;
                quote!({ #own #right })
            }
        };
        let mut code = match is_and {
            true => JqCode::bool(quote!(#left && #right)),
            false => JqCode::bool(quote!(#left || #right)),
        };
        code.kind = if is_and { CodeKind::And } else { CodeKind::Or };
        Ok(code.failing(fails))
    }

    fn binary(
        &mut self,
        operator: Binary,
        left: &'p Term,
        right: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        let mut right_before = TokenStream::new();
        let right_code = self.one(right, scope, &input.shared(), &mut right_before)?;
        let mut left_before = TokenStream::new();
        let left_code = self.one(left, scope, input, &mut left_before)?;
        // jq evaluates the right operand first, which is observable if both can fail. A local that
        // the left operand moves is read before.
        let moves = (!matches!(left_code.kind, CodeKind::Ref | CodeKind::Local) || !left_before.is_empty())
            && input.last
            && input.code.kind == CodeKind::Local
            && reads_input(left)
            && reads_input(right);
        before.extend(right_before);
        let right_code = match (right_code.fails && (left_code.fails || !left_before.is_empty())) || moves {
            true if moves && !right_code.is_bool() => {
                let value = right_code.into_value();
                let name = self.fresh(&hint(right));
                before.extend(quote!(let #name = #value;));
                JqCode::local(&name)
            }
            true => self.bind(right_code, &hint(right), before),
            false => right_code,
        };
        before.extend(left_before);
        Ok(self.operate(operator, left_code, &right_code))
    }

    /// Emits an operator on two values.
    pub(super) fn operate(&mut self, operator: Binary, left: JqCode, right: &JqCode) -> JqCode {
        let fails = left.fails || right.fails;
        let function = match operator {
            Binary::Add => quote!(jq::add),
            Binary::Subtract => quote!(jq::sub),
            Binary::Multiply => quote!(jq::mul),
            Binary::Divide => quote!(jq::div),
            Binary::Remainder => quote!(jq::rem),
            _ => return self.compare(operator, &left, right).failing(fails),
        };
        self.computes = true;
        let (left, right) = (left.into_value(), right.as_ref());
        self.checked(quote!(#function(#left, #right)))
    }

    /// Emits `left // right`, where the left side yields at most one value.
    fn alternative(
        &mut self,
        left: &'p Term,
        right: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        if !self.is_one(left, scope) {
            return self.alternative_of_found(left, right, scope, input, before);
        }
        let left = self.one(left, scope, &input.shared(), before)?;
        match &left.literal {
            Some(Literal::Null | Literal::Bool(false)) => return self.one(right, scope, input, before),
            Some(_) => return Ok(left),
            None => {}
        }
        let mut own = TokenStream::new();
        let right = self.one(right, scope, &input.shared(), &mut own)?;
        let fails = left.fails || right.fails || !own.is_empty();
        if left.is_bool() {
            let (left, right) = (left.tokens, right.into_value());
            return Ok(JqCode::owned(quote!(if #left { Value::Bool(true) } else { #own #right })).failing(fails));
        }
        let tokens = &left.tokens;
        if left.kind == CodeKind::Owned {
            let right = block(&own, right.into_value());
            return Ok(JqCode::owned(quote! {
                match #tokens { value if jq::truthy(&value) => value, _ => #right, }
            })
            .failing(fails));
        }
        let left = left.as_ref();
        if own.is_empty() && matches!(right.kind, CodeKind::Ref | CodeKind::Local) {
            let right = right.as_ref();
            let tokens = quote!(match #left { value if jq::truthy(value) => value, _ => #right, });
            return Ok(JqCode::reference(tokens).failing(fails));
        }
        let right = block(&own, right.into_value());
        let tokens = quote!(match #left { value if jq::truthy(value) => value.clone(), _ => #right, });
        Ok(JqCode::owned(tokens).failing(fails))
    }

    fn alternative_of_found(
        &mut self,
        left: &'p Term,
        right: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        let label = self.fresh_label("first");
        let found = self.each(left, scope, &input.shared(), &mut |emitter, code| {
            let mut own = TokenStream::new();
            let code = emitter.bind(code, &hint(left), &mut own);
            let test = code.clone().into_test().tokens;
            let value = code.into_value();
            Ok(quote!(#own if #test { break #label Some(#value); }))
        })?;
        let mut own = TokenStream::new();
        let right = self.one(right, scope, &input.shared(), &mut own)?.into_value();
        let right = block(&own, right);
        let name = self.fresh(&hint(left));
        before.extend(quote!(let #name: Option<Value> = #label: { #found None };));
        let tokens = quote!(match #name { Some(value) => value, None => #right, });
        Ok(JqCode::owned(tokens).failing(true))
    }

    fn condition(
        &mut self,
        test: &'p Term,
        then: &'p Term,
        otherwise: Option<&'p Term>,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        let code = self.choice((test, then, otherwise), scope, input, before)?;
        if code.is_plain() {
            return Ok(code);
        }
        // As an argument the expression would be hard to read.
        let bound = self.bind(code, "chosen", before);
        Ok(if bound.kind == CodeKind::Local { bound.moved() } else { bound })
    }

    /// Emits the alternative of a condition.
    fn otherwise(
        &mut self,
        otherwise: Option<&'p Term>,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        match otherwise {
            Some(Term { kind: TermKind::If(test, then, otherwise), .. }) => {
                let parts = (&**test, &**then, otherwise.as_deref());
                self.nest(|emitter| emitter.choice(parts, scope, input, before))
            }
            Some(otherwise) => self.one(otherwise, scope, input, before),
            None => Ok(input.read()),
        }
    }

    /// Emits a condition as one expression.
    pub(super) fn choice(
        &mut self,
        (test, then, otherwise): (&'p Term, &'p Term, Option<&'p Term>),
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        let test = self.one(test, scope, &input.shared(), before)?.into_test();
        // A branch that is never taken is not emitted.
        match &test.literal {
            Some(Literal::Bool(true)) => return self.one(then, scope, input, before),
            Some(_) => return self.otherwise(otherwise, scope, input, before),
            None => {}
        }
        let mut then_before = TokenStream::new();
        let then = self.one(then, scope, input, &mut then_before)?;
        let mut else_before = TokenStream::new();
        let otherwise = self.otherwise(otherwise, scope, input, &mut else_before)?;
        let test = test.tokens;
        let is_ref = |code: &JqCode| matches!(code.kind, CodeKind::Ref | CodeKind::Local);
        let make: fn(TokenStream) -> JqCode;
        let (then, otherwise) = if then.is_bool() && otherwise.is_bool() {
            make = JqCode::bool;
            (then.tokens, otherwise.tokens)
        } else if is_ref(&then) && is_ref(&otherwise) && then_before.is_empty() && else_before.is_empty() {
            make = JqCode::reference;
            (then.as_ref(), otherwise.as_ref())
        } else {
            make = JqCode::owned;
            (then.into_value(), otherwise.into_value())
        };
        // A chain of conditions becomes an `else if` chain.
        let starts_with_if = else_before.is_empty()
            && otherwise.clone().into_iter().next().is_some_and(|first| first.to_string() == "if");
        let otherwise = if starts_with_if { otherwise } else { quote!({ #else_before #otherwise }) };
        Ok(make(quote!(if #test { #then_before #then } else #otherwise)).failing(true))
    }

    /// Emits `try body catch handler`.
    fn caught(
        &mut self,
        body: &'p Term,
        handler: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        let (inner, value) = self.in_closure(|emitter| {
            let mut inner = TokenStream::new();
            let value = emitter.one(body, scope, &input.shared(), &mut inner)?;
            Ok((inner, value))
        })?;
        let is_bool = value.is_bool();
        let attempt = match is_bool {
            true => value.tokens,
            false => value.into_value(),
        };
        let error = self.fresh("raised");
        self.changeable.insert(error.clone());
        let caught = self.check(&quote!(error.caught()));
        let mut own = TokenStream::new();
        let handled = self.one(handler, scope, &Input::new(JqCode::local(&error)), &mut own)?.into_value();
        let value = if is_bool { quote!(Value::Bool(value)) } else { quote!(value) };
        let name = self.fresh("tried");
        before.extend(quote! {
            let #name = match jq::attempt(|| { #inner Ok(#attempt) }) {
                Ok(value) => #value,
                Err(error) => {
                    let #error = #caught;
                    #own
                    #handled
                }
            };
        });
        Ok(JqCode::local(&name).moved())
    }

    /// Emits `base.key` or `base[key]`.
    fn index(
        &mut self,
        base: &'p Term,
        key: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        let mut key_before = TokenStream::new();
        let key_code = self.one(key, scope, &input.shared(), &mut key_before)?;
        let mut base_before = TokenStream::new();
        let base_code = self.one(base, scope, &input.shared(), &mut base_before)?;
        before.extend(key_before);
        let key_code = match key_code.fails && (base_code.fails || !base_before.is_empty()) {
            true => self.bind(key_code, "key", before),
            false => key_code,
        };
        before.extend(base_before);
        let result = self.index_of(base_code, &key_code, &hint(base), before);
        let check = self.check(&result.tokens);
        Ok(JqCode { tokens: check, ..result }.failing(true))
    }

    /// Emits the member or element of a value, in a `Result`.
    pub(super) fn index_of(&mut self, base: JqCode, key: &JqCode, hint: &str, before: &mut TokenStream) -> JqCode {
        match &key.literal {
            Some(Literal::String(name)) => {
                let base = self.lasting(base, hint, before).tokens;
                JqCode::reference(quote!(jq::get(#base, #name)))
            }
            Some(Literal::Int(position)) => {
                let base = self.lasting(base, hint, before).tokens;
                let position = proc_macro2::Literal::i64_unsuffixed(*position);
                JqCode::reference(quote!(jq::at(#base, #position)))
            }
            _ => {
                let (base, key) = (base.as_ref(), key.as_ref());
                JqCode::owned(quote!(jq::index(#base, #key)))
            }
        }
    }

    fn slice(
        &mut self,
        base: &'p Term,
        from: Option<&'p Term>,
        to: Option<&'p Term>,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        let mut parts = Vec::new();
        for (term, hint) in [(from, "from"), (to, "to"), (Some(base), "base")] {
            let mut own = TokenStream::new();
            let code = match term {
                Some(term) => self.one(term, scope, &input.shared(), &mut own)?,
                None => JqCode::literal(Literal::Null),
            };
            parts.push((code, own, hint));
        }
        let parts = self.in_order(parts, before);
        let [from, to, base] = &parts[..] else { return untranslated("a slice") };
        let (from, to, base) = (from.as_ref(), to.as_ref(), base.as_ref());
        Ok(self.checked(quote!(jq::slice(#base, #from, #to))))
    }
}

impl JqCode {
    /// Returns the last read of a local.
    pub(super) fn moved(self) -> JqCode {
        JqCode { kind: CodeKind::Owned, ..self }
    }

    /// Returns a read of a local that others follow.
    pub(super) fn shared(self) -> JqCode {
        if self.kind == CodeKind::Owned && self.name().is_some() {
            return JqCode { kind: CodeKind::Local, ..self };
        }
        self
    }
}

/// Returns the literal of a number: an integer if it is one and fits.
fn number(digits: &str) -> Literal {
    let whole = digits.bytes().all(|byte| byte.is_ascii_digit());
    if let (true, Ok(value)) = (whole, digits.parse()) {
        return Literal::Int(value);
    }
    let value: f64 = digits.parse().unwrap_or(0.0);
    let value = value.clamp(f64::MIN, f64::MAX);
    if value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0 {
        Literal::Int(value as i64)
    } else {
        Literal::Float(value)
    }
}

/// Returns a name for the value of a term.
pub(super) fn hint(term: &Term) -> String {
    match &term.kind {
        TermKind::Index(base, key, _) => match key.as_str() {
            Some(key) if !key.is_empty() => snake_case(key),
            _ => singular(&hint(base)),
        },
        TermKind::Iterate(base, _) => singular(&hint(base)),
        TermKind::Variable(name) => snake_case(name),
        TermKind::Pipe(parts) => parts.last().map_or_else(|| "item".to_owned(), hint),
        TermKind::Call(name, _) if name == "select" || name.len() < 3 => "item".to_owned(),
        TermKind::Call(name, _) if name == "to_entries" => "entries".to_owned(),
        TermKind::Call(name, _) if name == "map" => "items".to_owned(),
        TermKind::Call(name, _) => snake_case(name),
        TermKind::Array(_) => "items".to_owned(),
        TermKind::Object(_) => "object".to_owned(),
        TermKind::Text(..) | TermKind::Format(_) => "text".to_owned(),
        TermKind::Binary(Binary::Add, ..) => "sum".to_owned(),
        TermKind::Update(..) => "changed".to_owned(),
        TermKind::Define(_, body) | TermKind::Bind(_, _, body) => hint(body),
        _ => "item".to_owned(),
    }
}

/// Returns the singular of a plural: `order` for `orders`.
fn singular(many: &str) -> String {
    match many.strip_suffix('s') {
        Some(one) if one.len() > 1 && !one.ends_with('s') => match one.strip_suffix("ie") {
            Some(stem) if stem.len() > 1 => format!("{stem}y"),
            _ => one.to_owned(),
        },
        _ => "item".to_owned(),
    }
}

/// Returns `true` if a filter reads its input once, first and unconditionally, so that the input
/// can be inlined.
fn reads_once(term: &Term) -> bool {
    match &term.kind {
        TermKind::Identity | TermKind::Format(_) => true,
        TermKind::Index(base, key, _) => key.as_str().is_some() && reads_once(base),
        TermKind::Iterate(base, _) => reads_once(base),
        TermKind::Call(name, arguments) => arguments.is_empty() && super::call::is_native(name),
        TermKind::Binary(operator, left, right) => {
            !matches!(operator, Binary::And | Binary::Or | Binary::Alternative)
                && (is_constant(right) && reads_once(left) || is_constant(left) && reads_once(right))
        }
        TermKind::Pipe(parts) => parts.first().is_some_and(reads_once),
        _ => false,
    }
}

/// Returns `true` if a filter consumes its input immediately, and reads it nowhere else.
fn consumes(term: &Term) -> bool {
    match &term.kind {
        TermKind::Identity | TermKind::Format(_) => true,
        TermKind::Call(name, arguments) => arguments.is_empty() && super::call::is_native(name),
        TermKind::Binary(operator, left, right) => {
            !matches!(operator, Binary::And | Binary::Or | Binary::Alternative)
                && (is_constant(right) && consumes(left) || is_constant(left) && consumes(right))
        }
        _ => false,
    }
}

fn is_constant(term: &Term) -> bool {
    matches!(&term.kind, TermKind::Number(_) | TermKind::Variable(_)) || term.as_str().is_some()
}

/// Returns `true` if a filter may read its input.
pub(super) fn reads_input(term: &Term) -> bool {
    match &term.kind {
        TermKind::Identity | TermKind::Descend | TermKind::Format(_) | TermKind::Call(..) | TermKind::Update(..) => {
            true
        }
        TermKind::Pipe(parts) => parts.first().is_some_and(reads_input),
        TermKind::Object(members) if members.iter().any(|member| member.value.is_none()) => true,
        _ => {
            let mut reads = false;
            term.children(&mut |child| reads |= reads_input(child));
            reads
        }
    }
}

/// Returns a name for the elements of the values of a term.
pub(super) fn hint_of_items(base: &Term) -> String {
    singular(&hint(base))
}

/// Returns a name for the elements of a value, derived from the name of the value.
pub(super) fn hint_of_elements(value: &JqCode, base: &Term) -> String {
    match (value.name(), &base.kind) {
        (Some(name), TermKind::Identity) => singular(&name.to_string()),
        _ => hint_of_items(base),
    }
}

/// Returns a block of statements and a value.
fn block(before: &TokenStream, value: TokenStream) -> TokenStream {
    if before.is_empty() { value } else { quote!({ #before #value }) }
}
