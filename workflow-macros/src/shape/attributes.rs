//! Attributes of serde that decide what `Serialize` writes.

use super::case::Case;
use syn::meta::ParseNestedMeta;
use syn::parse::Parse;
use syn::{Attribute, Error, Expr, LitStr, Token, Type, parenthesized};

/// The attributes of a type, a variant or a field.
#[derive(Default)]
pub struct ShapeAttributes {
    /// The name in the JSON.
    pub rename: Option<String>,
    /// The convention for the names of fields or variants.
    pub rename_all: Case,
    /// The convention for the names of the fields of variants.
    pub rename_all_fields: Case,
    /// `true` if it is never written.
    pub is_skipped: bool,
    /// `true` if it is not always written.
    pub is_optional: bool,
    /// `true` if the members of the field become members of the object around it.
    pub is_flattened: bool,
    /// `true` for `#[shape(any)]`.
    pub is_any: bool,
    /// `true` if a function writes the value.
    pub is_opaque: bool,
    /// `true` for an attribute that may change what is written, including names.
    pub is_unknown: bool,
    /// The member with the name of the variant.
    pub tag: Option<String>,
    /// The member with the content of the variant.
    pub content: Option<String>,
    /// `true` if the content of a variant is written without its name.
    pub is_untagged: bool,
    /// `true` if the type is written as its field.
    pub is_transparent: bool,
    /// The type that is written in place of this one.
    pub into: Option<Type>,
}

impl ShapeAttributes {
    /// Reads the attributes of serde, and `#[shape(any)]`, whose mistakes are errors.
    pub fn of(attributes: &[Attribute]) -> Result<ShapeAttributes, Error> {
        let mut found = ShapeAttributes::default();
        for attribute in attributes {
            if attribute.path().is_ident("shape") {
                attribute.parse_nested_meta(|meta| match meta.path.is_ident("any") {
                    true => {
                        found.is_any = true;
                        Ok(())
                    }
                    false => Err(meta.error("expected `any`, as in `#[shape(any)]`")),
                })?;
            } else if attribute.path().is_ident("serde") {
                // serde's own derive reports the attributes that it refuses.
                if attribute.parse_nested_meta(|meta| found.read(&meta)).is_err() {
                    found.is_unknown = true;
                }
            }
        }
        Ok(found)
    }

    fn read(&mut self, meta: &ParseNestedMeta<'_>) -> Result<(), Error> {
        let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
        match &*name {
            "rename" => self.rename = written(meta)?.or(self.rename.take()),
            "rename_all" | "rename_all_fields" => {
                let Some(case) = written(meta)? else { return Ok(()) };
                let case = Case::named(&case).ok_or_else(|| meta.error("unknown convention"))?;
                *if name == "rename_all" { &mut self.rename_all } else { &mut self.rename_all_fields } = case;
            }
            "skip" | "skip_serializing" => self.is_skipped = true,
            "skip_serializing_if" => {
                self.is_optional = true;
                skip(meta)?;
            }
            "flatten" => self.is_flattened = true,
            "tag" => self.tag = Some(value::<LitStr>(meta)?.value()),
            "content" => self.content = Some(value::<LitStr>(meta)?.value()),
            "untagged" => self.is_untagged = true,
            "transparent" => self.is_transparent = true,
            "into" => self.into = Some(value::<LitStr>(meta)?.parse()?),
            // Attributes of `Deserialize`, and those that do not change what is written.
            "alias"
            | "borrow"
            | "bound"
            | "crate"
            | "default"
            | "deny_unknown_fields"
            | "deserialize_with"
            | "expecting"
            | "field_identifier"
            | "from"
            | "other"
            | "skip_deserializing"
            | "try_from"
            | "variant_identifier" => skip(meta)?,
            "with" | "serialize_with" | "getter" => {
                self.is_opaque = true;
                skip(meta)?;
            }
            // `remote`, and newer attributes.
            _ => {
                self.is_unknown = true;
                skip(meta)?;
            }
        }
        Ok(())
    }
}

fn value<T: Parse>(meta: &ParseNestedMeta<'_>) -> Result<T, Error> {
    meta.value()?.parse()
}

/// Reads the text of `name = "text"`, or of `name(serialize = "text")`.
fn written(meta: &ParseNestedMeta<'_>) -> Result<Option<String>, Error> {
    if meta.input.peek(Token![=]) {
        return Ok(Some(value::<LitStr>(meta)?.value()));
    }
    let mut text = None;
    meta.parse_nested_meta(|inner| {
        let read = value::<LitStr>(&inner)?.value();
        if inner.path.is_ident("serialize") {
            text = Some(read);
        }
        Ok(())
    })?;
    Ok(text)
}

/// Skips the value of an attribute.
fn skip(meta: &ParseNestedMeta<'_>) -> Result<(), Error> {
    if meta.input.peek(Token![=]) {
        value::<Expr>(meta)?;
    } else if meta.input.peek(syn::token::Paren) {
        let inside;
        parenthesized!(inside in meta.input);
        inside.parse::<proc_macro2::TokenStream>()?;
    }
    Ok(())
}
