//! Operations of services, in the words of the runtime's module `operation`: what a task sends, and which of its arguments that
//! is made of. Whatever describes a request becomes one, a document or a definition itself.

mod http;
mod rpc;

use std::fmt;
use std::sync::Arc;

pub use http::{Http, SecretHeader};
pub use rpc::Rpc;

/// An operation of a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// A request of HTTP that a document describes.
    Rest(Arc<Rest>),
    /// A request of HTTP that the definition writes out.
    Http(Arc<Http>),
    /// A method of a gRPC service.
    Rpc(Arc<Rpc>),
}

/// A request of HTTP that is made of the members of an object, the arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rest {
    /// What the service is configured by.
    pub service: String,
    /// Where it is described.
    pub document: String,
    /// What it is called there.
    pub id: String,
    /// The method, in capitals.
    pub method: String,
    /// The path below the address of the service.
    pub path: Vec<Piece>,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The body, if it has one.
    pub body: Option<Body>,
    /// The address that the document gives for the service. It makes no difference.
    pub server: Option<String>,
    /// As whom it is sent: all schemes of one of these lists.
    pub security: Vec<Vec<Scheme>>,
}

/// A piece of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// A text, percent-encoded where it must be.
    Text(String),
    /// The parameter of this number.
    Parameter(usize),
}

/// A parameter of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// What it is called in the request.
    pub name: String,
    /// The argument that it is given.
    pub argument: String,
    /// Where it is put.
    pub place: Place,
    /// How its value becomes text.
    pub style: Style,
    /// Whether every item or member of its value is written by itself.
    pub explode: bool,
    /// Whether it must be given.
    pub required: bool,
    /// Whether characters stay as they are that have a meaning in addresses.
    pub reserved: bool,
    /// What its value may be taken apart into.
    pub parts: Parts,
}

/// What the value of a parameter may be taken apart into, as far as its schema tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    /// Whatever it has.
    Any,
    /// Nothing: it is neither an array nor an object.
    None,
    /// Items: it is no object.
    Items,
    /// Members: it is no array.
    Members,
}

/// Where a parameter is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Into the path.
    Path,
    /// Behind the path.
    Query,
    /// Into a header.
    Header,
    /// Into a cookie.
    Cookie,
    /// Into a body that is a form.
    Form,
}

/// How a value that is an array or an object becomes text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `simple`.
    Simple,
    /// `label`.
    Label,
    /// `matrix`.
    Matrix,
    /// `form`.
    Form,
    /// `spaceDelimited`.
    Spaces,
    /// `pipeDelimited`.
    Pipes,
    /// `tsv`.
    Tabs,
    /// `deepObject`.
    Deep,
    /// As JSON.
    Json,
    /// As the type of the value has it: each item of an array by itself, an object as JSON.
    Typed,
}

/// The body of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// How it is written.
    pub media: Media,
    /// Its `Content-Type`.
    pub content_type: String,
    /// The arguments that are the whole body.
    pub whole: Vec<String>,
    /// Whether the arguments that are nothing else are its members.
    pub members: bool,
    /// Whether there must be one.
    pub required: bool,
}

/// How a body is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    /// As JSON.
    Json,
    /// As a form.
    Form,
    /// A text, as it is.
    Text,
}

/// A way to tell a service who sends a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scheme {
    /// What its credentials are configured by.
    pub name: String,
    /// Which way it is.
    pub kind: SchemeKind,
}

/// The kinds of schemes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemeKind {
    /// A user and a password.
    Basic,
    /// A token.
    Bearer,
    /// A key in a parameter of this place and name.
    ApiKey(Place, String),
    /// Another one.
    Other(String),
}

impl Rest {
    /// The path with the names of its parameters: `/accounts/{account}/charges`.
    pub fn template(&self) -> String {
        let pieces = self.path.iter().map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Parameter(at) => format!("{{{}}}", self.parameters[*at].name),
        });
        pieces.collect()
    }
}

impl Parameter {
    /// Whether style and `explode` are those that are usual at its place.
    pub fn has_usual_style(&self) -> bool {
        let is_form = matches!(self.place, Place::Query | Place::Cookie | Place::Form);
        (self.style, self.explode) == (if is_form { Style::Form } else { Style::Simple }, is_form)
    }
}

/// All of it that makes a difference, in one line.
impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operation::Rest(rest) => rest.fmt(f),
            Operation::Http(http) => http.fmt(f),
            Operation::Rpc(rpc) => rpc.fmt(f),
        }
    }
}

impl fmt::Display for Rest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.service, self.method, self.template())?;
        for parameter in &self.parameters {
            let Parameter { name, argument, place, style, explode, required, reserved, parts } = parameter;
            write!(f, "; {place:?} {name:?} of {argument:?} {style:?}")?;
            f.write_str(match parts {
                Parts::Any => "",
                Parts::None => " whole",
                Parts::Items => " of items",
                Parts::Members => " of members",
            })?;
            for (is, word) in [(explode, " exploded"), (required, " required"), (reserved, " reserved")] {
                f.write_str(if *is { word } else { "" })?;
            }
        }
        if let Some(Body { media, content_type, whole, members, required }) = &self.body {
            write!(f, "; body {media:?} {content_type:?} of {whole:?}")?;
            for (is, word) in [(members, " members"), (required, " required")] {
                f.write_str(if *is { word } else { "" })?;
            }
        }
        for (at, schemes) in self.security.iter().enumerate() {
            f.write_str(if at == 0 { "; as " } else { " or " })?;
            let schemes: Vec<String> =
                schemes.iter().map(|scheme| format!("{:?} {:?}", scheme.name, scheme.kind)).collect();
            f.write_str(&if schemes.is_empty() { "nobody".to_owned() } else { schemes.join(" and ") })?;
        }
        Ok(())
    }
}
