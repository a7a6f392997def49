//! Lowering of literals: texts, objects, arrays.

use super::super::ir::{Expr, Item, Member, MemberKey, TextPiece};
use super::super::parse::place;
use super::{Lowering, Promised, Step};
use oxc_ast::ast::{
    ArrayExpressionElement, BindingIdentifier, Expression, IdentifierName, ObjectExpression, ObjectPropertyKind,
    PropertyKind, TemplateLiteral,
};
use oxc_span::GetSpan;

/// The members that lead from values to shared prototypes and constructors.
const SHARED: &[&str] = &["__proto__", "constructor", "prototype"];

impl Lowering<'_> {
    pub(super) fn template(&mut self, template: &TemplateLiteral<'_>) -> Step<Expr> {
        let mut pieces = Vec::new();
        for (at, quasi) in template.quasis.iter().enumerate() {
            let Some(cooked) = &quasi.value.cooked else { return self.stop_at("a template", template.span) };
            let text = text_of(cooked, quasi.lone_surrogates);
            if !text.is_empty() {
                pieces.push(TextPiece::Text(text));
            }
            if let Some(value) = template.expressions.get(at) {
                pieces.push(match self.expr(value)? {
                    Expr::String(text) => TextPiece::Text(text),
                    value => TextPiece::Value(value),
                });
            }
        }
        Ok(match &mut pieces[..] {
            [] => Expr::String(String::new()),
            [TextPiece::Text(text)] => Expr::String(std::mem::take(text)),
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
                        MemberKey::Name(name, _)
                            if name == "__proto__" && !property.shorthand && !property.computed =>
                        {
                            return self.stop_at("a prototype", property.span);
                        }
                        MemberKey::Name(name, _) => name.clone(),
                        MemberKey::Computed(_) => String::new(),
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

    /// Lowers a value. An anonymous function takes the name of its target.
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

    /// Returns the key of a named member.
    pub(super) fn member_name(&self, name: &IdentifierName<'_>) -> Step<MemberKey> {
        let text = name.name.as_str();
        match SHARED.contains(&text) {
            true => self.stop(format!("`.{text}`"), name.span),
            false => Ok(MemberKey::Name(text.to_owned(), place(name.span, self.text))),
        }
    }

    /// Lowers a computed key. A key that is certainly a text becomes a name.
    pub(super) fn computed_key(&mut self, key: &Expression<'_>) -> Step<MemberKey> {
        Ok(match self.expr(key)? {
            Expr::String(name) if SHARED.contains(&&*name) => return self.stop_at("a member", key.span()),
            // A numeric index needs no conversion to text.
            Expr::String(name) => MemberKey::Name(name, place(key.span(), self.text)),
            other => MemberKey::Computed(Box::new(other)),
        })
    }
}

/// Returns the text of a literal. The parser represents an unpaired surrogate as `\u{FFFD}` and
/// four digits, because Rust cannot represent it ([Q14](docs/composer.md#q14)).
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
