//! Emission of expressions.

use super::code::{Code, Level};
use super::{Emitter, number};
use crate::expr::javascript::ir::{Expr, Item, Logical, Member, MemberKey, TextPiece, Type, Unary};
use proc_macro2::TokenStream;
use quote::quote;

impl Emitter<'_> {
    /// Emits a `Js`.
    pub(super) fn owned(&mut self, value: &Expr) -> Code {
        match value {
            Expr::String(text) => Code::atom(quote!(Js::text(#text))),
            Expr::Bool(value) => Code::atom(quote!(Js::Bool(#value))),
            Expr::Number(value) => {
                let value = number(*value);
                Code::atom(quote!(Js::Number(#value)))
            }
            Expr::Unary(Unary::TypeOf, _) => {
                let code = self.native(value).tokens;
                Code::atom(quote!(Js::text(#code)))
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
    pub(super) fn number(&mut self, value: &Expr) -> Code {
        match (self.ty(value), value) {
            (Type::Number, _) => self.native(value),
            (Type::Bool, _) => {
                let code = self.native(value).at(Level::Block);
                Code::atom(quote!(f64::from(#code)))
            }
            _ => {
                let reference = self.reference(value);
                Code::atom(quote!(js::number(#reference)?))
            }
        }
    }

    /// Emits a `bool`.
    pub(super) fn truth(&mut self, value: &Expr) -> Code {
        match value {
            Expr::Logical(op @ (Logical::And | Logical::Or), left, right) => {
                let (sign, level) = match op {
                    Logical::And => (quote!(&&), Level::And),
                    _ => (quote!(||), Level::Or),
                };
                let left = self.truth(left);
                let right = self.truth(right);
                Code::infix(left, sign, right, level)
            }
            _ if self.ty(value) == Type::Bool => self.native(value),
            _ => {
                let reference = self.reference(value);
                Code::atom(quote!(js::truthy(#reference)))
            }
        }
    }

    /// Emits the negation of [`Emitter::truth`].
    pub(super) fn untruth(&mut self, value: &Expr) -> Code {
        if let Expr::Unary(Unary::Not, inner) = value {
            return self.truth(inner);
        }
        let code = self.truth(value).at(Level::Unary);
        Code::unary(quote!(!#code))
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
    pub(super) fn native(&mut self, value: &Expr) -> Code {
        match value {
            Expr::Undefined => Code::atom(quote!(Js::Undefined)),
            Expr::Null => Code::atom(quote!(Js::Null)),
            Expr::Bool(value) => Code::atom(quote!(#value)),
            Expr::Number(value) if value.is_sign_negative() => Code::unary(number(*value)),
            Expr::Number(value) => Code::atom(number(*value)),
            Expr::String(text) => Code::atom(quote!(Js::text(#text))),
            Expr::Template(pieces) => {
                let mut parts = Vec::new();
                for (at, piece) in pieces.iter().enumerate() {
                    let later = pieces[at + 1..].iter().filter_map(|piece| match piece {
                        TextPiece::Text(_) => None,
                        TextPiece::Value(value) | TextPiece::Added(value) => Some(value),
                    });
                    parts.push(self.before(later, |cx| cx.piece(piece)));
                }
                Code::atom(quote!(js::concat(&[#(#parts),*])?))
            }
            Expr::Local(id) => {
                let name = self.name(*id);
                let local = &self.locals[id.0];
                if local.is_shared() {
                    Code::atom(quote!(#name.get()))
                } else if local.ty != Type::Any || local.moves() {
                    Code::atom(quote!(#name))
                } else {
                    Code::atom(quote!(#name.clone()))
                }
            }
            Expr::Variable(variable) => {
                let name = self.variable(*variable);
                Code::atom(quote!(#name.get()))
            }
            Expr::Free(name) | Expr::TooEarly(name) => Code::atom(quote!(js::undeclared(#name)?)),
            Expr::This => Code::atom(quote!(this.clone())),
            Expr::Temporary(name) => {
                let name = super::ident(name);
                Code::atom(quote!(#name.clone()))
            }
            Expr::Object(members) => self.object(members),
            Expr::Array(items) => self.array(items),
            Expr::Function(function) => self.function_value(function),
            Expr::Named(own, function) => self.named_function(*own, function),
            Expr::Builtin(builtin) => {
                let (name, function) = (builtin.name, super::ident(builtin.function));
                let name = name.rsplit('.').next().unwrap_or(name);
                let length = proc_macro2::Literal::usize_unsuffixed(builtin.length);
                Code::atom(
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
                Code::block(quote!(if #test { #yes } else { #no }))
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
                Code::atom(quote!(js::constructor_name(#inner)?))
            }
            Expr::Static(builtin, args) => self.builtin(builtin, args),
            Expr::Construct(constructor, args) => {
                let (name, args) = (constructor.name, self.arguments(args));
                Code::atom(quote!(js::construct(run, #name, #args)?))
            }
            Expr::InstanceOf(inner, class) => {
                let inner = self.reference(inner);
                Code::atom(quote!(js::instance_of(#inner, #class)))
            }
            Expr::Assign(place, inner) => self.assign(place, inner),
            Expr::Compound(place, op, inner) => self.compound(place, *op, inner),
            Expr::LogicalAssign(place, op, inner) => self.logical_assign(place, *op, inner),
            Expr::Update { place, up, prefix } => self.update(place, *up, *prefix),
            Expr::Destructure(pattern, inner) => self.destructure(pattern, inner),
            Expr::Delete(object, key) => {
                let reference = self.before(key.value(), |cx| cx.reference(object));
                match key {
                    MemberKey::Name(name) => Code::atom(quote!(js::delete(#reference, #name)?)),
                    MemberKey::Computed(key) => {
                        let key = self.reference(key);
                        Code::atom(quote!(js::delete_at(#reference, #key)?))
                    }
                }
            }
            Expr::Sequence(values) => {
                let Some((last, before)) = values.split_last() else { return Code::atom(quote!(Js::Undefined)) };
                let before: Vec<TokenStream> = before.iter().map(|value| self.discard(value)).collect();
                let last = self.of_type(last, self.ty(last)).tokens;
                Code::block(quote!({ #(#before)* #last }))
            }
        }
    }

    /// Emits the expression with the Rust type for `ty`, which is its own type or a wider one.
    pub(super) fn of_type(&mut self, value: &Expr, ty: Type) -> Code {
        match ty {
            Type::Number | Type::Bool => self.native(value),
            Type::Any | Type::String => self.owned(value),
        }
    }

    fn member(&mut self, object: &Expr, key: &MemberKey) -> Code {
        let reference = self.before(key.value(), |cx| cx.reference(object));
        match key {
            MemberKey::Name(name) => Code::atom(quote!(js::get(#reference, #name)?)),
            MemberKey::Computed(key) => {
                let key = self.reference(key);
                Code::atom(quote!(js::get_at(#reference, #key)?))
            }
        }
    }

    fn object(&mut self, members: &[Member]) -> Code {
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
            return Code::atom(start);
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
        Code::block(quote!({ let object_ = #start; #(#rest)* object_ }))
    }

    pub(super) fn array(&mut self, items: &[Item]) -> Code {
        let first = items.iter().take_while(|item| matches!(item, Item::Value(_))).count();
        let mut values = Vec::new();
        for (at, item) in items[..first].iter().enumerate() {
            let later = items[at + 1..].iter().map(Item::value);
            values.push(self.before(later, |cx| cx.owned(item.value())).tokens);
        }
        let start = quote!(js::array([#(#values),*]));
        if first == items.len() {
            return Code::atom(start);
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
        Code::block(quote!({ let items_ = #start; #(#rest)* items_ }))
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
                Code { tokens, level: Level::Block } => quote!(let _ = #tokens;),
                Code { tokens, .. } => quote!(#tokens;),
            },
        }
    }
}

/// Converts a Rust value to a `Js`.
pub(super) fn from(code: Code) -> Code {
    let tokens = code.tokens;
    Code::atom(quote!(Js::from(#tokens)))
}
