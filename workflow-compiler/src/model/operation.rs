//! Operations of services, in the terms of the runtime's module `operation`: the request that a
//! task sends, and the arguments that it is made of. OpenAPI documents, gRPC descriptors and
//! requests in the definition itself all lower to this model.

mod http;
mod rpc;

use std::fmt;
use std::sync::Arc;

pub use http::{Http, SecretHeader};
pub use rpc::Rpc;

/// An operation of a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// An HTTP request that an OpenAPI document describes.
    Rest(Arc<Rest>),
    /// An HTTP request that the definition writes out.
    Http(Arc<Http>),
    /// A method of a gRPC service.
    Rpc(Arc<Rpc>),
}

/// An HTTP request whose arguments are the members of the input object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rest {
    /// The name by which the program configures the service.
    pub service: String,
    /// Path of the document that describes the operation.
    pub document: String,
    /// The `operationId` in the document.
    pub id: String,
    /// The method, in capitals.
    pub method: String,
    /// The path below the base address of the service.
    pub path: Vec<Piece>,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The body, if the request has one.
    pub body: Option<Body>,
    /// The base address of the service in the document. It is not printed, and not part of
    /// fingerprints.
    pub server: Option<String>,
    /// Alternative security requirements. A request satisfies all schemes of one list.
    pub security: Vec<Vec<Scheme>>,
}

/// A piece of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Constant text, percent-encoded.
    Text(String),
    /// Index of the parameter that is inserted here.
    Parameter(usize),
}

/// A parameter of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The name in the request.
    pub name: String,
    /// The name of the argument that supplies the value.
    pub argument: String,
    /// The location in the request.
    pub place: Place,
    /// The serialization of its value.
    pub style: Style,
    /// `true` if each item or member of the value is serialized separately (`explode`).
    pub explode: bool,
    /// `true` if the argument must be present.
    pub required: bool,
    /// `true` if reserved characters are not percent-encoded (`allowReserved`).
    pub reserved: bool,
    /// The collections that its value may be.
    pub decomposition: Decomposition,
}

/// The collections that the value of a parameter may be, as far as its schema determines them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decomposition {
    /// Arrays and objects.
    Any,
    /// Neither arrays nor objects.
    None,
    /// Arrays only.
    Items,
    /// Objects only.
    Members,
}

/// The location of a parameter in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A segment of the path.
    Path,
    /// The query.
    Query,
    /// A header.
    Header,
    /// A cookie.
    Cookie,
    /// A field of a form body.
    Form,
}

/// The serialization of arrays and objects, by the names of OpenAPI.
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
    /// JSON.
    Json,
    /// By the type of the value: array items separately, objects as JSON.
    Typed,
}

/// The body of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// The encoding.
    pub media: Media,
    /// Its `Content-Type`.
    pub content_type: String,
    /// The names of arguments that are the whole body.
    pub whole: Vec<String>,
    /// `true` if arguments without another use become members of the body.
    pub members: bool,
    /// `true` if the body must be present.
    pub required: bool,
}

/// The encoding of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    /// JSON.
    Json,
    /// A form.
    Form,
    /// Plain text.
    Text,
}

/// A security scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scheme {
    /// The name by which the program configures the credentials.
    pub name: String,
    /// The kind of the scheme.
    pub kind: SchemeKind,
}

/// The kinds of security schemes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemeKind {
    /// User name and password.
    Basic,
    /// A bearer token.
    Bearer,
    /// An API key in the parameter with this location and name.
    ApiKey(Place, String),
    /// A scheme of another type.
    Other(String),
}

impl Rest {
    /// Returns the path with the names of its parameters, such as `/accounts/{account}/charges`.
    pub fn template(&self) -> String {
        let pieces = self.path.iter().map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Parameter(at) => format!("{{{}}}", self.parameters[*at].name),
        });
        pieces.collect()
    }
}

impl Parameter {
    /// Returns `true` if `style` and `explode` are the defaults for the location.
    pub fn has_usual_style(&self) -> bool {
        let is_form = matches!(self.place, Place::Query | Place::Cookie | Place::Form);
        (self.style, self.explode) == (if is_form { Style::Form } else { Style::Simple }, is_form)
    }
}

/// Prints everything that distinguishes operations, in one line.
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
            let Parameter { name, argument, place, style, explode, required, reserved, decomposition } = parameter;
            write!(f, "; {place:?} {name:?} of {argument:?} {style:?}")?;
            f.write_str(match decomposition {
                Decomposition::Any => "",
                Decomposition::None => " whole",
                Decomposition::Items => " of items",
                Decomposition::Members => " of members",
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
