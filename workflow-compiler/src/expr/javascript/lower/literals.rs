//! Literals: texts, objects, arrays.

use super::super::ir::{Expr, Item, Key, Member, Piece};
use super::{Lowering, Promised, Step};
use oxc_ast::ast::{
    ArrayExpressionElement, BindingIdentifier, Expression, IdentifierName, ObjectExpression, ObjectPropertyKind,
    PropertyKind, TemplateLiteral,
};
use oxc_span::GetSpan;

/// Members that lead from values to what built-in values share.
const SHARED: &[&str] = &["__proto__", "constructor", "prototype"];

impl Lowering<'_> {
    pub(super) fn template(&mut self, template: &TemplateLiteral<'_>) -> Step<Expr> {
        let mut pieces = Vec::new();
        for (at, quasi) in template.quasis.iter().enumerate() {
            let Some(cooked) = &quasi.value.cooked else { return self.stop_at("a template", template.span) };
            let text = text_of(cooked, quasi.lone_surrogates);
            if !text.is_empty() {
                pieces.push(Piece::Text(text));
            }
            if let Some(value) = template.expressions.get(at) {
                pieces.push(match self.expr(value)? {
                    Expr::String(text) => Piece::Text(text),
                    value => Piece::Value(value),
                });
            }
        }
        Ok(match &mut pieces[..] {
            [] => Expr::String(String::new()),
            [Piece::Text(text)] => Expr::String(std::mem::take(text)),
            _ => Expr::Template(pieces),
        })
    }

    pub(super) fn object(&mut self, object: &ObjectExpression<'_>) -> Step<Expr> {
        let mut members = Vec::new();
        for property in &object.properties {
            members.push(match property {
                ObjectPropertyKind::SpreadProperty(spread) => Member::Spread(self.expr(&spread.argument)?),
                ObjectPropertyKind::ObjectProperty(property) => {
                    match property.kind {
                        PropertyKind::Init => {}
                        PropertyKind::Get => return self.stop_at("a getter", property.span),
                        PropertyKind::Set => return self.stop_at("a setter", property.span),
                    }
                    let key = self.key(&property.key, property.computed)?;
                    let name = match &key {
                        Key::Name(name) if name == "__proto__" && !property.shorthand && !property.computed => {
                            return self.stop_at("a prototype", property.span);
                        }
                        Key::Name(name) => name.clone(),
                        Key::Computed(_) => String::new(),
                    };
                    Member::Value(key, self.named_by(&property.value, name)?)
                }
            });
        }
        Ok(Expr::Object(members))
    }

    pub(super) fn array(&mut self, elements: &[ArrayExpressionElement<'_>]) -> Step<Expr> {
        self.items(elements, Promised::Kept).map(Expr::Array)
    }

    pub(super) fn items(&mut self, elements: &[ArrayExpressionElement<'_>], promised: Promised) -> Step<Vec<Item>> {
        let mut items = Vec::new();
        for element in elements {
            items.push(match element {
                ArrayExpressionElement::SpreadElement(spread) => Item::Spread(self.expr(&spread.argument)?),
                ArrayExpressionElement::Elision(hole) => return self.stop("a hole in an array", hole.span),
                other => Item::Value(self.promised(other.to_expression(), promised)?),
            });
        }
        Ok(items)
    }

    /// A value that takes the name of what it is given to, if it is a function without one.
    pub(super) fn named(&mut self, value: &Expression<'_>, name: Option<&BindingIdentifier<'_>>) -> Step<Expr> {
        self.named_by(value, name.map_or_else(String::new, |name| name.name.to_string()))
    }

    pub(super) fn named_by(&mut self, value: &Expression<'_>, name: String) -> Step<Expr> {
        match value {
            Expression::ArrowFunctionExpression(arrow) => Ok(Expr::Function(Box::new(self.arrow(arrow, name)?))),
            Expression::FunctionExpression(function) if function.id.is_none() => {
                self.named_function_value(function, name)
            }
            other => self.expr(other),
        }
    }

    /// The name of a member.
    pub(super) fn member_name(&self, name: &IdentifierName<'_>) -> Step<Key> {
        let text = name.name.as_str();
        match SHARED.contains(&text) {
            true => self.stop(format!("`.{text}`"), name.span),
            false => Ok(Key::Name(text.to_owned())),
        }
    }

    /// A key that is an expression; a name where it is one for sure.
    pub(super) fn computed_key(&mut self, key: &Expression<'_>) -> Step<Key> {
        Ok(match self.expr(key)? {
            Expr::String(name) if SHARED.contains(&&*name) => return self.stop_at("a member", key.span()),
            // As an index, a number needs no text.
            Expr::String(name) => Key::Name(name),
            other => Key::Computed(Box::new(other)),
        })
    }
}

/// The text that the parser has, in which a surrogate without its other half is written `\u{FFFD}` and four digits:
/// there is no such text in Rust (ruling Q14).
pub(super) fn text_of(text: &str, lone_surrogates: bool) -> String {
    if !lone_surrogates {
        return text.to_owned();
    }
    let mut parts = text.split(char::REPLACEMENT_CHARACTER);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push(char::REPLACEMENT_CHARACTER);
        out.push_str(part.get(4..).unwrap_or_default());
    }
    out
}
