//! Emission of expressions.

use super::code::{JsCode, Level};
use super::{Emitter, number};
use crate::expr::javascript::ir::{Expr, Item, Logical, Member, MemberKey, TextPiece, Type, Unary};
use proc_macro2::TokenStream;
use quote::quote;

impl Emitter<'_> {
    /// Emits a `Js`.
    pub(super) fn owned(&mut self, value: &Expr) -> JsCode {
        match value {
            Expr::String(text) => JsCode::atom(quote!(Js::text(#text))),
            Expr::Bool(value) => JsCode::atom(quote!(Js::Bool(#value))),
            Expr::Number(value) => {
                let value = number(*value);
                JsCode::atom(quote!(Js::Number(#value)))
            }
            Expr::Unary(Unary::TypeOf, _) => {
                let code = self.native(value).tokens;
                JsCode::atom(quote!(Js::text(#code)))
            }
            _ => {
                let code = self.native(value);
                match self.held(value) {
                    Type::Any => code,
                    _ => from(code),
                }
            }
        }
    }

    /// Emits the value of [`Emitter::native`], with texts as `Js`. A `Str` is used only in
    /// concatenations.
    fn held(&self, value: &Expr) -> Type {
        match (self.ty(value), value) {
            (Type::String, Expr::Template(_)) => Type::String,
            (Type::String, _) => Type::Any,
            (ty, _) => ty,
        }
    }

    /// Emits a `&Js`.
    pub(super) fn reference(&mut self, value: &Expr) -> TokenStream {
        match value {
            Expr::Local(id) if self.is_plain(*id) => {
                let name = self.name(*id);
                if self.assigned_later.contains(id) { quote!(&#name.clone()) } else { quote!(&#name) }
            }
            Expr::Temporary(name) => {
                let name = super::ident(name);
                quote!(&#name)
            }
            Expr::This if !self.this_is_owned => quote!(this),
            Expr::This => quote!(&this),
            _ => {
                let code = self.owned(value).at(Level::Block);
                quote!(&#code)
            }
        }
    }

    /// Emits an `f64`.
    pub(super) fn number(&mut self, value: &Expr) -> JsCode {
        match (self.ty(value), value) {
            (Type::Number, _) => self.native(value),
            (Type::Bool, _) => {
                let code = self.native(value).at(Level::Block);
                JsCode::atom(quote!(f64::from(#code)))
            }
            _ => {
                let reference = self.reference(value);
                JsCode::atom(quote!(js::number(#reference)?))
            }
        }
    }

    /// Emits a `bool`.
    pub(super) fn truth(&mut self, value: &Expr) -> JsCode {
        match value {
            Expr::Logical(op @ (Logical::And | Logical::Or), left, right) => {
                let (sign, level) = match op {
                    Logical::And => (quote!(&&), Level::And),
                    _ => (quote!(||), Level::Or),
                };
                let left = self.truth(left);
                let right = self.truth(right);
                JsCode::infix(left, sign, right, level)
            }
            _ if self.ty(value) == Type::Bool => self.native(value),
            _ => {
                let reference = self.reference(value);
                JsCode::atom(quote!(js::truthy(#reference)))
            }
        }
    }

    /// Emits the negation of [`Emitter::truth`].
    pub(super) fn untruth(&mut self, value: &Expr) -> JsCode {
        if let Expr::Unary(Unary::Not, inner) = value {
            return self.truth(inner);
        }
        let code = self.truth(value).at(Level::Unary);
        JsCode::unary(quote!(!#code))
    }

    /// Emits a `&str` for a concatenation.
    fn piece(&mut self, piece: &TextPiece) -> TokenStream {
        match piece {
            TextPiece::Text(text) => quote!(#text),
            TextPiece::Value(Expr::String(text)) | TextPiece::Added(Expr::String(text)) => quote!(#text),
            TextPiece::Value(value) | TextPiece::Added(value) => {
                let added = matches!(piece, TextPiece::Added(_));
                match self.held(value) {
                    _ if matches!(value, Expr::Unary(Unary::TypeOf, _)) => self.native(value).tokens,
                    Type::String => {
                        let code = self.native(value).at(Level::Unary);
                        quote!(&#code)
                    }
                    Type::Number => {
                        let code = self.native(value).at(Level::Block);
                        quote!(&js::number_text(#code))
                    }
                    _ => {
                        let reference = self.reference(value);
                        if added { quote!(&js::added(#reference)?) } else { quote!(&js::string(#reference)?) }
                    }
                }
            }
        }
    }

    /// Emits the Rust value for the type of the expression: a `Js`, an `f64`, a `bool`, or a `Str`
    /// (see [`Emitter::held`]).
    pub(super) fn native(&mut self, value: &Expr) -> JsCode {
        match value {
            Expr::Undefined => JsCode::atom(quote!(Js::Undefined)),
            Expr::Null => JsCode::atom(quote!(Js::Null)),
            Expr::Bool(value) => JsCode::atom(quote!(#value)),
            Expr::Number(value) if value.is_sign_negative() => JsCode::unary(number(*value)),
            Expr::Number(value) => JsCode::atom(number(*value)),
            Expr::String(text) => JsCode::atom(quote!(Js::text(#text))),
            Expr::Template(pieces) => {
                let mut parts = Vec::new();
                for (at, piece) in pieces.iter().enumerate() {
                    let later = pieces[at + 1..].iter().filter_map(|piece| match piece {
                        TextPiece::Text(_) => None,
                        TextPiece::Value(value) | TextPiece::Added(value) => Some(value),
                    });
                    parts.push(self.before(later, |cx| cx.piece(piece)));
                }
                JsCode::atom(quote!(js::concat(&[#(#parts),*])?))
            }
            Expr::Local(id) => {
                let name = self.name(*id);
                let local = &self.locals[id.0];
                if local.is_shared() {
                    JsCode::atom(quote!(#name.get()))
                } else if local.ty != Type::Any || local.moves() || self.last_reads.contains(value) {
                    JsCode::atom(quote!(#name))
                } else {
                    JsCode::atom(quote!(#name.clone()))
                }
            }
            Expr::Variable(variable) => {
                let name = self.variable(*variable);
                JsCode::atom(quote!(#name.get()))
            }
            Expr::Free(name) | Expr::TooEarly(name) => JsCode::atom(quote!(js::undeclared(#name)?)),
            Expr::This => JsCode::atom(quote!(this.clone())),
            Expr::Temporary(name) => {
                let name = super::ident(name);
                JsCode::atom(quote!(#name.clone()))
            }
            Expr::Object(members) => self.object(members),
            Expr::Array(items) => self.array(items),
            Expr::Function(function) => self.function_value(function),
            Expr::Named(own, function) => self.named_function(*own, function),
            Expr::Builtin(builtin) => {
                let (name, function) = (builtin.name, super::ident(builtin.function.trim_start_matches("js::builtin::")));
                let name = name.rsplit('.').next().unwrap_or(name);
                let length = proc_macro2::Literal::usize_unsuffixed(builtin.length);
                JsCode::atom(
                    quote!(js::function(#name, #length, |run, _, arguments| js::builtin::#function(run, arguments))),
                )
            }
            Expr::Unary(op, inner) => self.unary(*op, inner),
            Expr::Binary(op, left, right) => self.binary(*op, left, right),
            Expr::Logical(op, left, right) => self.logical(*op, left, right),
            Expr::Conditional(test, yes, no) => {
                let test = self.truth(test).tokens;
                let ty = self.ty(value);
                let [yes, no] = [yes, no].map(|branch| self.of_type(branch, ty).inner());
                JsCode::block(quote!(if #test { #yes } else { #no }))
            }
            Expr::Member(object, key) => self.member(object, key),
            Expr::Chain(inner) => self.chain(inner),
            Expr::Optional(inner) => self.owned(inner),
            Expr::Call { callee, text, args } => self.call(callee, text, args),
            Expr::Method { object, key, text, args } => self.method(object, key, text, args),
            Expr::OptionalMethod { .. } => self.chain(value),
            Expr::CallOf { callee, this, text, args } => self.call_of(callee, this, text, args),
            Expr::ConstructorName(inner) => {
                let inner = self.reference(inner);
                JsCode::atom(quote!(js::constructor_name(#inner)?))
            }
            Expr::Static(builtin, args) => self.builtin(builtin, args),
            Expr::Construct(constructor, args) => {
                let (name, args) = (constructor.name, self.arguments(args));
                JsCode::atom(quote!(js::construct(run, #name, #args)?))
            }
            Expr::InstanceOf(inner, class) => {
                let inner = self.reference(inner);
                JsCode::atom(quote!(js::instance_of(#inner, #class)))
            }
            Expr::Assign(place, inner) => self.assign(place, inner),
            Expr::Compound(place, op, inner) => self.compound(place, *op, inner),
            Expr::LogicalAssign(place, op, inner) => self.logical_assign(place, *op, inner),
            Expr::Update { place, up, prefix } => self.update(place, *up, *prefix),
            Expr::Destructure(pattern, inner) => self.destructure(pattern, inner),
            Expr::Delete(object, key) => {
                let reference = self.before(key.value(), |cx| cx.reference(object));
                match key {
                    MemberKey::Name(name) => JsCode::atom(quote!(js::delete(#reference, #name)?)),
                    MemberKey::Computed(key) => {
                        let key = self.reference(key);
                        JsCode::atom(quote!(js::delete_at(#reference, #key)?))
                    }
                }
            }
            Expr::Sequence(values) => {
                let Some((last, before)) = values.split_last() else { return JsCode::atom(quote!(Js::Undefined)) };
                let before: Vec<TokenStream> = before.iter().map(|value| self.discard(value)).collect();
                let last = self.of_type(last, self.ty(last)).tokens;
                JsCode::block(quote!({ #(#before)* #last }))
            }
        }
    }

    /// Emits the expression with the Rust type for `ty`, which is its own type or a wider one.
    pub(super) fn of_type(&mut self, value: &Expr, ty: Type) -> JsCode {
        match ty {
            Type::Number | Type::Bool => self.native(value),
            Type::Any | Type::String => self.owned(value),
        }
    }

    fn member(&mut self, object: &Expr, key: &MemberKey) -> JsCode {
        let reference = self.before(key.value(), |cx| cx.reference(object));
        match key {
            MemberKey::Name(name) => JsCode::atom(quote!(js::get(#reference, #name)?)),
            MemberKey::Computed(key) => {
                let key = self.reference(key);
                JsCode::atom(quote!(js::get_at(#reference, #key)?))
            }
        }
    }

    fn object(&mut self, members: &[Member]) -> JsCode {
        let values: Vec<&Expr> = members.iter().flat_map(Member::values).collect();
        let is_constant = |member: &Member| matches!(member, Member::Value(MemberKey::Name(_), _));
        let first = members.iter().take_while(|member| is_constant(member)).count();
        let mut later = &values[..];
        let mut pairs = Vec::new();
        for member in &members[..first] {
            later = &later[1..];
            if let Member::Value(MemberKey::Name(name), value) = member {
                let value = self.before(later.iter().copied(), |cx| cx.owned(value)).tokens;
                pairs.push(quote!((#name, #value)));
            }
        }
        let start = quote!(js::object([#(#pairs),*]));
        if first == members.len() {
            return JsCode::atom(start);
        }
        let rest: Vec<TokenStream> = members[first..]
            .iter()
            .map(|member| match member {
                Member::Value(MemberKey::Name(name), value) => {
                    let value = self.owned(value).tokens;
                    quote!(js::set(&object_, #name, #value)?;)
                }
                Member::Value(MemberKey::Computed(key), value) => {
                    let key = self.before([value], |cx| cx.reference(key));
                    let value = self.owned(value).tokens;
                    quote!(js::set_at(&object_, #key, #value)?;)
                }
                Member::Spread(value) => {
                    let value = self.reference(value);
                    quote!(js::spread_object(&object_, #value)?;)
                }
            })
            .collect();
        JsCode::block(quote!({ let object_ = #start; #(#rest)* object_ }))
    }

    pub(super) fn array(&mut self, items: &[Item]) -> JsCode {
        let first = items.iter().take_while(|item| matches!(item, Item::Value(_))).count();
        let mut values = Vec::new();
        for (at, item) in items[..first].iter().enumerate() {
            let later = items[at + 1..].iter().map(Item::value);
            values.push(self.before(later, |cx| cx.owned(item.value())).tokens);
        }
        let start = quote!(js::array([#(#values),*]));
        if first == items.len() {
            return JsCode::atom(start);
        }
        let rest: Vec<TokenStream> = items[first..]
            .iter()
            .map(|item| match item {
                Item::Value(value) => {
                    let value = self.owned(value).tokens;
                    quote!(js::spread_array(&items_, &js::array([#value]))?;)
                }
                Item::Spread(value) => {
                    let value = self.reference(value);
                    quote!(js::spread_array(&items_, #value)?;)
                }
            })
            .collect();
        JsCode::block(quote!({ let items_ = #start; #(#rest)* items_ }))
    }

    /// Emits an expression statement.
    pub(super) fn discard(&mut self, value: &Expr) -> TokenStream {
        match value {
            Expr::Assign(place, inner) => self.assign_only(place, inner),
            Expr::Compound(place, op, inner) => self.compound_only(place, *op, inner),
            Expr::LogicalAssign(place, op, inner) => self.logical_assign_only(place, *op, inner),
            Expr::Update { place, up, .. } => self.update_only(place, *up),
            Expr::Destructure(pattern, inner) => self.destructure_only(pattern, inner),
            Expr::Unary(Unary::Void, inner) => self.discard(inner),
            Expr::Sequence(values) => values.iter().map(|value| self.discard(value)).collect(),
            Expr::Conditional(test, yes, no) => {
                let test = self.truth(test).tokens;
                let [yes, no] = [yes, no].map(|branch| self.discard(branch));
                quote!(if #test { #yes } else { #no })
            }
            Expr::Logical(Logical::And, left, right) => {
                let (left, right) = (self.truth(left).tokens, self.discard(right));
                quote!(if #left { #right })
            }
            Expr::Logical(Logical::Or, left, right) => {
                let (left, right) = (self.untruth(left).tokens, self.discard(right));
                quote!(if #left { #right })
            }
            // An expression without effects is omitted.
            _ if value.is_simple() => TokenStream::new(),
            _ => match self.native(value) {
                JsCode { tokens, level: Level::Block } => quote!(let _ = #tokens;),
                JsCode { tokens, .. } => quote!(#tokens;),
            },
        }
    }
}

/// Converts a Rust value to a `Js`.
pub(super) fn from(code: JsCode) -> JsCode {
    let tokens = code.tokens;
    JsCode::atom(quote!(Js::from(#tokens)))
}
