//! Emission of assignments.

use super::Emitter;
use super::code::JsCode;
use super::expr::from;
use crate::expr::javascript::ir::{Binary, Expr, JsLocalId, Logical, MemberKey, Pattern, PlaceExpr, Type};
use proc_macro2::TokenStream;
use quote::quote;

impl Emitter<'_> {
    /// Emits `place = value` as a statement.
    pub(super) fn assign_only(&mut self, place: &PlaceExpr, value: &Expr) -> TokenStream {
        match place {
            PlaceExpr::Local(id) => {
                let value = self.of_type(value, self.locals[id.0].ty);
                self.store(*id, value)
            }
            PlaceExpr::Variable(variable) => {
                let (name, value) = (self.variable(*variable), self.owned(value).tokens);
                quote!(#name.set(#value);)
            }
            PlaceExpr::Free(_) | PlaceExpr::Constant(_) => {
                let (value, refusal) = (self.discard(value), self.refusal(place));
                quote!(#value #refusal)
            }
            PlaceExpr::Member(object, MemberKey::Name(name)) => {
                let object = self.before([value], |cx| cx.reference(object));
                let value = self.owned(value).tokens;
                quote!(js::set(#object, #name, #value)?;)
            }
            PlaceExpr::Member(object, MemberKey::Computed(key)) => {
                let object = self.before([&**key, value], |cx| cx.reference(object));
                let key = self.before([value], |cx| cx.reference(key));
                let value = self.owned(value).tokens;
                quote!(js::set_at(#object, #key, #value)?;)
            }
        }
    }

    /// Emits an assignment of a local as a statement.
    fn store(&self, id: JsLocalId, value: JsCode) -> TokenStream {
        let (name, value) = (self.name(id), value.tokens);
        match self.is_shared(id) {
            true => quote!(#name.set(#value);),
            false => quote!(#name = #value;),
        }
    }

    /// Emits the error of a forbidden assignment.
    fn refusal(&self, place: &PlaceExpr) -> TokenStream {
        match place {
            PlaceExpr::Constant(id) => {
                let name = &self.locals[id.0].name;
                quote!(return Err(js::constant_assignment(#name));)
            }
            PlaceExpr::Free(name) => quote!(return Err(js::reference_error(#name));),
            _ => TokenStream::new(),
        }
    }

    /// Emits `place = value` as a value.
    pub(super) fn assign(&mut self, place: &PlaceExpr, value: &Expr) -> JsCode {
        let ty = self.ty(value);
        match place {
            PlaceExpr::Local(id) if !self.is_shared(*id) => {
                let local = self.locals[id.0].ty;
                if local == Type::Any && matches!(ty, Type::Number | Type::Bool) {
                    let (name, value) = (self.name(*id), self.native(value).tokens);
                    return JsCode::block(quote!({ let value_ = #value; #name = Js::from(value_); value_ }));
                }
                let done = self.assign_only(place, value);
                let name = self.name(*id);
                let read = if local == Type::Any { quote!(#name.clone()) } else { quote!(#name) };
                JsCode::block(quote!({ #done #read }))
            }
            PlaceExpr::Free(_) | PlaceExpr::Constant(_) => {
                let done = self.assign_only(place, value);
                JsCode::block(quote!({ #done }))
            }
            PlaceExpr::Member(object, key) => {
                let (before, object) = self.held_object(object, key, Some(value));
                let value = self.of_type(value, ty).tokens;
                let stored = self.copy_of_value(ty);
                let set = self.set(&object, key, stored);
                JsCode::block(quote!({ #before let value_ = #value; #set value_ }))
            }
            PlaceExpr::Local(_) | PlaceExpr::Variable(_) => {
                let value = self.of_type(value, ty).tokens;
                let stored = self.copy_of_value(ty);
                let done = self.put(place, stored);
                JsCode::block(quote!({ let value_ = #value; #done value_ }))
            }
        }
    }

    /// Emits `value_` as a `Js` that is read again.
    fn copy_of_value(&self, ty: Type) -> TokenStream {
        match ty {
            Type::Number | Type::Bool => quote!(Js::from(value_)),
            Type::Any | Type::String => quote!(value_.clone()),
        }
    }

    /// Emits an assignment of a `Js` to a shared local or a Let variable.
    fn put(&self, place: &PlaceExpr, value: TokenStream) -> TokenStream {
        let name = match place {
            PlaceExpr::Local(id) => self.name(*id),
            PlaceExpr::Variable(variable) => self.variable(*variable),
            _ => return TokenStream::new(),
        };
        quote!(#name.set(#value);)
    }

    /// Emits statements that evaluate the object and the key of a member once. Returns them with
    /// the object as an expression: itself or a temporary. A computed key is in `key_` afterwards.
    pub(super) fn held_object(&mut self, object: &Expr, key: &MemberKey, value: Option<&Expr>) -> (TokenStream, Expr) {
        let mut later = Vec::new();
        for value in key.value().into_iter().chain(value) {
            crate::expr::javascript::walk::assigned_in(value, &mut later);
        }
        let is_stable = match object {
            Expr::Local(id) => self.is_plain(*id) && !self.locals[id.0].moves() && !later.contains(id),
            Expr::This | Expr::Temporary(_) => true,
            _ => false,
        };
        let (mut before, held) = match is_stable {
            true => (TokenStream::new(), object.clone()),
            false => {
                let object = self.owned(object).tokens;
                (quote!(let object_ = #object;), Expr::Temporary("object_"))
            }
        };
        if let MemberKey::Computed(key) = key {
            let key = self.owned(key).tokens;
            before.extend(quote!(let key_ = #key;));
        }
        (before, held)
    }

    pub(super) fn get(&mut self, object: &Expr, key: &MemberKey) -> TokenStream {
        let object = self.reference(object);
        match key {
            MemberKey::Name(name) => quote!(js::get(#object, #name)?),
            MemberKey::Computed(_) => quote!(js::get_at(#object, &key_)?),
        }
    }

    fn set(&mut self, object: &Expr, key: &MemberKey, value: TokenStream) -> TokenStream {
        let object = self.reference(object);
        match key {
            MemberKey::Name(name) => quote!(js::set(#object, #name, #value)?;),
            MemberKey::Computed(_) => quote!(js::set_at(#object, &key_, #value)?;),
        }
    }

    /// Returns the value of a place as an expression, or `None` for a member.
    fn content(&self, place: &PlaceExpr) -> Option<Expr> {
        match place {
            PlaceExpr::Local(id) | PlaceExpr::Constant(id) => Some(Expr::Local(*id)),
            PlaceExpr::Variable(variable) => Some(Expr::Variable(*variable)),
            PlaceExpr::Free(name) => Some(Expr::Free(name.clone())),
            PlaceExpr::Member(..) => None,
        }
    }

    /// Emits `place op= value` as a statement.
    pub(super) fn compound_only(&mut self, place: &PlaceExpr, op: Binary, value: &Expr) -> TokenStream {
        if let Some(content) = self.content(place) {
            if let Some(done) = self.in_place(place, op, value) {
                return done;
            }
            let result = Expr::Binary(op, Box::new(content), Box::new(value.clone()));
            return self.assign_only(place, &result);
        }
        let PlaceExpr::Member(object, key) = place else { return TokenStream::new() };
        let (before, object) = self.held_object(object, key, Some(value));
        if before.is_empty() {
            let old = Expr::Member(Box::new(object.clone()), key.clone());
            let result = self.owned(&Expr::Binary(op, Box::new(old), Box::new(value.clone()))).tokens;
            return self.set(&object, key, result);
        }
        let result = Expr::Binary(op, Box::new(Expr::Temporary("old_")), Box::new(value.clone()));
        let result = self.owned(&result).tokens;
        let (get, set) = (self.get(&object, key), self.set(&object, key, result));
        quote!({ #before let old_ = #get; #set })
    }

    /// Emits `i += 1.0` for a numeric local.
    fn in_place(&mut self, place: &PlaceExpr, op: Binary, value: &Expr) -> Option<TokenStream> {
        let PlaceExpr::Local(id) = place else { return None };
        let sign = match op {
            Binary::Add => quote!(+=),
            Binary::Subtract => quote!(-=),
            Binary::Multiply => quote!(*=),
            Binary::Divide => quote!(/=),
            Binary::Remainder => quote!(%=),
            _ => return None,
        };
        // Rust reads the local after evaluating the value.
        let is_number = self.locals[id.0].ty == Type::Number && !self.is_shared(*id);
        if !is_number || !matches!(self.ty(value), Type::Number | Type::Bool) || !value.is_simple() {
            return None;
        }
        let (name, value) = (self.name(*id), self.number(value).tokens);
        Some(quote!(#name #sign #value;))
    }

    /// Emits `place op= value` as a value.
    pub(super) fn compound(&mut self, place: &PlaceExpr, op: Binary, value: &Expr) -> JsCode {
        if let Some(content) = self.content(place) {
            return self.assign(place, &Expr::Binary(op, Box::new(content), Box::new(value.clone())));
        }
        let PlaceExpr::Member(object, key) = place else { return JsCode::atom(quote!(Js::Undefined)) };
        let ty = op.ty(Type::Any, self.ty(value));
        let (before, object) = self.held_object(object, key, Some(value));
        let result = Expr::Binary(op, Box::new(Expr::Temporary("old_")), Box::new(value.clone()));
        let result = self.of_type(&result, ty).tokens;
        let stored = self.copy_of_value(ty);
        let (get, set) = (self.get(&object, key), self.set(&object, key, stored));
        JsCode::block(quote!({ #before let old_ = #get; let value_ = #result; #set value_ }))
    }

    /// Emits `place op= value` for a logical operator, as a statement.
    pub(super) fn logical_assign_only(&mut self, place: &PlaceExpr, op: Logical, value: &Expr) -> TokenStream {
        if let Some(content) = self.content(place) {
            let test = self.is_assigned(op, &content);
            let done = self.assign_only(place, value);
            return quote!(if #test { #done });
        }
        let PlaceExpr::Member(object, key) = place else { return TokenStream::new() };
        let (before, object) = self.held_object(object, key, Some(value));
        let test = self.is_assigned(op, &Expr::Temporary("old_"));
        let value = self.owned(value).tokens;
        let (get, set) = (self.get(&object, key), self.set(&object, key, value));
        quote!({ #before let old_ = #get; if #test { #set } })
    }

    /// Emits the assignment of [`Emitter::logical_assign_only`] as a value.
    pub(super) fn logical_assign(&mut self, place: &PlaceExpr, op: Logical, value: &Expr) -> JsCode {
        if let Some(content) = self.content(place) {
            let old = self.owned(&content).tokens;
            let test = self.is_assigned(op, &Expr::Temporary("old_"));
            let value = {
                let code = self.assign(place, value);
                match self.ty(value) {
                    Type::Number | Type::Bool => from(code).tokens,
                    _ => code.tokens,
                }
            };
            return JsCode::block(quote!({ let old_ = #old; if #test { #value } else { old_ } }));
        }
        let PlaceExpr::Member(object, key) = place else { return JsCode::atom(quote!(Js::Undefined)) };
        let (before, object) = self.held_object(object, key, Some(value));
        let test = self.is_assigned(op, &Expr::Temporary("old_"));
        let value = self.owned(value).tokens;
        let (get, set) = (self.get(&object, key), self.set(&object, key, quote!(value_.clone())));
        JsCode::block(quote!({ #before let old_ = #get; if #test { let value_ = #value; #set value_ } else { old_ } }))
    }

    /// Emits the condition under which a logical operator evaluates its right operand.
    fn is_assigned(&mut self, op: Logical, content: &Expr) -> TokenStream {
        match op {
            Logical::And => self.truth(content).tokens,
            Logical::Or => self.untruth(content).tokens,
            Logical::Coalesce => self.is_nullish(content).tokens,
        }
    }

    /// Emits `++` and `--` as a statement.
    pub(super) fn update_only(&mut self, place: &PlaceExpr, up: bool) -> TokenStream {
        let (op, one) = (if up { Binary::Add } else { Binary::Subtract }, Expr::Number(1.0));
        if let Some(content) = self.content(place) {
            if let Some(done) = self.in_place(place, op, &one) {
                return done;
            }
            return self.assign_only(place, &sum(op, content));
        }
        let PlaceExpr::Member(object, key) = place else { return TokenStream::new() };
        let (before, object) = self.held_object(object, key, None);
        let old = self.get(&object, key);
        let sign = if up { quote!(+) } else { quote!(-) };
        let set = self.set(&object, key, quote!(Js::from(js::number(&#old)? #sign 1.0)));
        if before.is_empty() { set } else { quote!({ #before #set }) }
    }

    /// Emits `++` and `--` as a value: the number before or after.
    pub(super) fn update(&mut self, place: &PlaceExpr, up: bool, prefix: bool) -> JsCode {
        let op = if up { Binary::Add } else { Binary::Subtract };
        if prefix {
            return match self.content(place) {
                Some(content) => self.assign(place, &sum(op, content)),
                None => self.update_member(place, up, true),
            };
        }
        let Some(content) = self.content(place) else { return self.update_member(place, up, false) };
        let function = if up { quote!(js::post_increment) } else { quote!(js::post_decrement) };
        match place {
            PlaceExpr::Variable(_) => {
                let name = self.place_name(place);
                JsCode::atom(quote!(#function(#name)?))
            }
            PlaceExpr::Local(id) if self.is_shared(*id) => {
                let name = self.place_name(place);
                JsCode::atom(quote!(#function(#name)?))
            }
            _ => {
                let old = self.number(&content).tokens;
                let sign = if up { quote!(+) } else { quote!(-) };
                let done = match place {
                    PlaceExpr::Local(id) if self.locals[id.0].ty == Type::Number => {
                        let name = self.name(*id);
                        quote!(#name = old_ #sign 1.0;)
                    }
                    PlaceExpr::Local(id) => {
                        let name = self.name(*id);
                        quote!(#name = Js::from(old_ #sign 1.0);)
                    }
                    _ => self.refusal(place),
                };
                JsCode::block(quote!({ let old_ = #old; #done old_ }))
            }
        }
    }

    fn place_name(&self, place: &PlaceExpr) -> TokenStream {
        match place {
            PlaceExpr::Local(id) => {
                let name = self.name(*id);
                quote!(&#name)
            }
            PlaceExpr::Variable(variable) => {
                let name = self.variable(*variable);
                quote!(&#name)
            }
            _ => TokenStream::new(),
        }
    }

    fn update_member(&mut self, place: &PlaceExpr, up: bool, prefix: bool) -> JsCode {
        let PlaceExpr::Member(object, key) = place else { return JsCode::atom(quote!(f64::NAN)) };
        let (before, object) = self.held_object(object, key, None);
        let old = self.get(&object, key);
        let sign = if up { quote!(+) } else { quote!(-) };
        if prefix {
            let set = self.set(&object, key, quote!(Js::from(value_)));
            return JsCode::block(quote!({ #before let value_ = js::number(&#old)? #sign 1.0; #set value_ }));
        }
        let set = self.set(&object, key, quote!(Js::from(old_ #sign 1.0)));
        JsCode::block(quote!({ #before let old_ = js::number(&#old)?; #set old_ }))
    }

    /// Emits `{a, b} = value` as a statement.
    pub(super) fn destructure_only(&mut self, pattern: &Pattern, value: &Expr) -> TokenStream {
        let done = self.bind_value(pattern, value);
        quote!({ #done })
    }

    /// Emits the assignment of [`Emitter::destructure_only`] as a value.
    pub(super) fn destructure(&mut self, pattern: &Pattern, value: &Expr) -> JsCode {
        let value = self.owned(value).tokens;
        let done = self.bind(pattern, JsCode::atom(quote!(value_.clone())));
        JsCode::block(quote!({ let value_ = #value; #done value_ }))
    }
}

/// Returns the number plus or minus one, for `++` and `--`.
fn sum(op: Binary, content: Expr) -> Expr {
    use crate::expr::javascript::ir::Unary;
    let content = Box::new(Expr::Unary(Unary::Plus, Box::new(content)));
    Expr::Binary(op, content, Box::new(Expr::Number(1.0)))
}
