//! HTTP requests described by OpenAPI documents: their parts, and the arguments that the parts are
//! made of.

use crate::{Static, Storage};

/// An HTTP request that is made of the members of an object, the arguments.
///
/// See the example of [`Operation`](super::Operation).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rest<S: Storage = Static> {
    /// The name that the service is configured by. For a document, its file name without folders
    /// and extensions: `bank` for `apis/bank.json`.
    pub service: S::Text,
    /// The path of the document that describes it.
    pub document: S::Text,
    /// Its id in the document.
    pub id: S::Text,
    /// The method: `GET`.
    pub method: S::Text,
    /// The path, relative to the service's address.
    pub path: S::List<Piece<S>>,
    /// The parameters.
    pub parameters: S::List<Parameter<S>>,
    /// The body, if the request has one.
    pub body: Option<Body<S>>,
    /// The server address in the document, for information. Requests go to the configured address.
    pub server: Option<S::Text>,
    /// The alternative security requirements. The request satisfies all schemes of one list: the
    /// first list for which there are credentials. Without any list the request is anonymous.
    pub security: S::List<S::List<Scheme<S>>>,
}

/// A piece of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<S: Storage = Static> {
    /// A literal text.
    Text(S::Text),
    /// The parameter of this index.
    Parameter(usize),
}

/// A parameter of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter<S: Storage = Static> {
    /// Its name in the request.
    pub name: S::Text,
    /// The argument that supplies its value.
    pub argument: S::Text,
    /// Its location in the request.
    pub place: Place,
    /// The serialisation style of arrays and objects.
    pub style: Style,
    /// Set if each item or member of the value is serialised separately.
    pub explode: bool,
    /// Set if the parameter is required.
    pub required: bool,
    /// Set if reserved characters of URIs are not encoded.
    pub reserved: bool,
    /// The decomposition that its schema permits.
    pub decomposition: Decomposition,
}

/// The decomposition of a parameter's value into items or members, as far as its schema determines
/// it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decomposition {
    /// Any: the schema does not say.
    Any,
    /// None: the value is neither an array nor an object.
    None,
    /// Items: the value is not an object.
    Items,
    /// Members: the value is not an array.
    Members,
}

/// The location of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The path.
    Path,
    /// The query.
    Query,
    /// A header.
    Header,
    /// The header `Cookie`.
    Cookie,
    /// The body, which is a form.
    Form,
}

/// The serialisation style of arrays and objects, as OpenAPI names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `simple`: items separated by commas.
    Simple,
    /// `label`: a period before them.
    Label,
    /// `matrix`: a semicolon and the name before them.
    Matrix,
    /// `form`: `name=` before them.
    Form,
    /// `spaceDelimited`: items separated by spaces.
    Spaces,
    /// `pipeDelimited`: items separated by `|`.
    Pipes,
    /// `tsv` of OpenAPI 2.0: items separated by tabs.
    Tabs,
    /// `deepObject`: `name[member]=` for each member.
    Deep,
    /// JSON.
    Json,
    /// By the type of the value: each item of an array by itself, an object as JSON.
    Typed,
}

/// The body of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body<S: Storage = Static> {
    /// The serialisation.
    pub media: Media,
    /// The `Content-Type`.
    pub content_type: S::Text,
    /// The arguments that can be the whole body. The first that is present is used.
    pub whole: S::List<S::Text>,
    /// Set if the arguments without another role become the members of the body, unless an
    /// argument is the whole body.
    pub members: bool,
    /// Set if the body is required.
    pub required: bool,
}

/// The serialisation of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    /// JSON.
    Json,
    /// A form: `a=1&b=2`.
    Form,
    /// Text, unchanged.
    Text,
}

/// A security scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scheme<S: Storage = Static> {
    /// The name that its credentials are configured by.
    pub name: S::Text,
    /// The kind of scheme.
    pub kind: SchemeKind<S>,
}

/// The kinds of security schemes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemeKind<S: Storage = Static> {
    /// User and password in the header `Authorization`.
    Basic,
    /// A token in the header `Authorization`, from any source.
    Bearer,
    /// A key, in a parameter of this location and name.
    ApiKey(Place, S::Text),
    /// Another scheme, with its name in the document.
    Other(S::Text),
}

impl Rest {
    /// Creates a request without parameters and body, as generated code lists it.
    pub const fn new(
        service: &'static str,
        document: &'static str,
        id: &'static str,
        method: &'static str,
        path: &'static [Piece],
    ) -> Rest {
        Rest { service, document, id, method, path, parameters: &[], body: None, server: None, security: &[] }
    }

    /// Sets the parameters.
    pub const fn parameters(mut self, parameters: &'static [Parameter]) -> Rest {
        self.parameters = parameters;
        self
    }

    /// Sets the body.
    pub const fn body(mut self, body: Body) -> Rest {
        self.body = Some(body);
        self
    }

    /// Sets the server address of the document.
    pub const fn server(mut self, server: &'static str) -> Rest {
        self.server = Some(server);
        self
    }

    /// Sets the alternative security requirements.
    pub const fn security(mut self, security: &'static [&'static [Scheme]]) -> Rest {
        self.security = security;
        self
    }
}

impl<S: Storage> Rest<S> {
    /// Returns the path with the names of its parameters, such as `/accounts/{account}/charges`.
    pub fn template(&self) -> String {
        let pieces = self.path.iter().map(|piece| match piece {
            Piece::Text(text) => text.to_string(),
            Piece::Parameter(at) => {
                self.parameters.get(*at).map(|parameter| format!("{{{}}}", parameter.name)).unwrap_or_default()
            }
        });
        pieces.collect()
    }
}

impl Place {
    /// Returns the default style of the location, and whether it serialises items and members
    /// separately.
    pub const fn usual_style(self) -> (Style, bool) {
        match self {
            Place::Path | Place::Header => (Style::Simple, false),
            Place::Query | Place::Cookie | Place::Form => (Style::Form, true),
        }
    }
}

impl Parameter {
    /// Creates an optional parameter with an argument of the same name, in the default style of
    /// its location.
    pub const fn new(name: &'static str, place: Place) -> Parameter {
        let (style, explode) = place.usual_style();
        Parameter {
            name,
            argument: name,
            place,
            style,
            explode,
            required: false,
            reserved: false,
            decomposition: Decomposition::Any,
        }
    }

    /// Sets the argument that supplies the value.
    pub const fn argument(mut self, argument: &'static str) -> Parameter {
        self.argument = argument;
        self
    }

    /// Sets the serialisation style.
    pub const fn style(mut self, style: Style, explode: bool) -> Parameter {
        (self.style, self.explode) = (style, explode);
        self
    }

    /// Sets the decomposition that the schema permits.
    pub const fn decomposition(mut self, decomposition: Decomposition) -> Parameter {
        self.decomposition = decomposition;
        self
    }

    /// Makes the parameter required.
    pub const fn required(mut self) -> Parameter {
        self.required = true;
        self
    }

    /// Leaves reserved characters of URIs unencoded.
    pub const fn reserved(mut self) -> Parameter {
        self.reserved = true;
        self
    }
}

impl Body {
    /// Creates an optional body without arguments.
    pub const fn new(media: Media, content_type: &'static str) -> Body {
        Body { media, content_type, whole: &[], members: false, required: false }
    }

    /// Sets the arguments that can be the whole body.
    pub const fn whole(mut self, whole: &'static [&'static str]) -> Body {
        self.whole = whole;
        self
    }

    /// Makes the arguments without another role members of the body.
    pub const fn members(mut self) -> Body {
        self.members = true;
        self
    }

    /// Makes the body required.
    pub const fn required(mut self) -> Body {
        self.required = true;
        self
    }
}

impl Scheme {
    /// Creates a scheme, as generated code lists it.
    pub const fn new(name: &'static str, kind: SchemeKind) -> Scheme {
        Scheme { name, kind }
    }
}
