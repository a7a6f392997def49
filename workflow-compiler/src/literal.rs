//! Constants of a definition.

use crate::fnv::Fnv;
use crate::syntax::{Node, Tree};
use proc_macro2::{Literal as Token, TokenStream};
use quote::quote;
use std::fmt::{self, Write};

/// A constant JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number; always finite.
    Float(f64),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Literal>),
    /// An object, in source order.
    Object(Vec<(String, Literal)>),
}

impl Literal {
    /// Returns the constant as a Rust expression of type `Value`, unless it is an array or object.
    pub fn scalar_tokens(&self) -> Option<TokenStream> {
        Some(match self {
            Literal::Null => quote!(Value::Null),
            Literal::Bool(value) => quote!(Value::Bool(#value)),
            Literal::Int(value) => {
                let value = Token::i64_unsuffixed(*value);
                quote!(Value::Int(#value))
            }
            Literal::Float(value) => {
                let value = Token::f64_unsuffixed(*value);
                quote!(Value::Float(#value))
            }
            Literal::String(text) => quote!(rt::string(#text)),
            Literal::Array(_) | Literal::Object(_) => return None,
        })
    }

    /// Adds the value to a hash. The order of an object's members does not affect the hash.
    pub fn hash_into(&self, hash: &mut Fnv) {
        match self {
            Literal::Array(items) => {
                hash.write(b"[");
                items.iter().for_each(|item| item.hash_into(hash));
                hash.write(b"]");
            }
            Literal::Object(members) => {
                let mut members: Vec<&(String, Literal)> = members.iter().collect();
                members.sort_by(|left, right| left.0.cmp(&right.0));
                hash.write(b"{");
                for (key, member) in members {
                    hash.write(key.as_bytes());
                    member.hash_into(hash);
                }
                hash.write(b"}");
            }
            scalar => hash.write(scalar.to_string().as_bytes()),
        }
    }
}

impl From<&Node> for Literal {
    fn from(node: &Node) -> Self {
        match &node.tree {
            Tree::Null => Literal::Null,
            Tree::Bool(value) => Literal::Bool(*value),
            Tree::Int(value) => Literal::Int(*value),
            Tree::Float(value) => Literal::Float(*value),
            Tree::String(text) => Literal::String(text.value.clone()),
            Tree::Array(items) => Literal::Array(items.iter().map(Literal::from).collect()),
            Tree::Object(entries) => Literal::Object(
                entries.iter().map(|entry| (entry.key.value.clone(), Literal::from(&entry.value))).collect(),
            ),
        }
    }
}

impl From<&str> for Literal {
    fn from(text: &str) -> Self {
        Literal::String(text.to_owned())
    }
}

/// Compact JSON.
impl fmt::Display for Literal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Null => out.write_str("null"),
            Literal::Bool(value) => write!(out, "{value}"),
            Literal::Int(value) => write!(out, "{value}"),
            Literal::Float(value) => write!(out, "{value:?}"),
            Literal::String(text) => write_string(out, text),
            Literal::Array(items) => {
                out.write_char('[')?;
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.write_char(',')?;
                    }
                    write!(out, "{item}")?;
                }
                out.write_char(']')
            }
            Literal::Object(members) => {
                out.write_char('{')?;
                for (at, (key, member)) in members.iter().enumerate() {
                    if at > 0 {
                        out.write_char(',')?;
                    }
                    write_string(out, key)?;
                    write!(out, ":{member}")?;
                }
                out.write_char('}')
            }
        }
    }
}

fn write_string(out: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    out.write_char('"')?;
    let mut written = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= b' ' && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.write_str(&text[written..at])?;
        written = at + 1;
        match byte {
            b'"' => out.write_str("\\\"")?,
            b'\\' => out.write_str("\\\\")?,
            b'\n' => out.write_str("\\n")?,
            b'\r' => out.write_str("\\r")?,
            b'\t' => out.write_str("\\t")?,
            control => write!(out, "\\u{control:04x}")?,
        }
    }
    out.write_str(&text[written..])?;
    out.write_char('"')
}

/// One step of a reference path, which identifies exactly one location in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathStep {
    /// The member of this name.
    Key(String),
    /// The element at this index. Negative indexes count from the end.
    Index(i64),
}
