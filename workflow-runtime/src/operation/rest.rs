//! Requests of HTTP: which parts they have, and which arguments these are made of. Where they are sent, and as whom, is
//! nothing that a definition says.

/// A request of HTTP that is made of the members of an object, the arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rest {
    /// What the service is configured by: of a document, its name without folders and endings, `bank` for `apis/bank.json`.
    pub service: &'static str,
    /// Where it is described: the path of a document.
    pub document: &'static str,
    /// What it is called there.
    pub id: &'static str,
    /// The method: `GET`.
    pub method: &'static str,
    /// The path, which follows that of the service's address.
    pub path: &'static [Piece],
    /// The parameters.
    pub parameters: &'static [Parameter],
    /// The body, if it has one.
    pub body: Option<Body>,
    /// The address that the document gives for the service. Nothing is sent there for that reason.
    pub server: Option<&'static str>,
    /// As whom it is sent: all schemes of one of these lists, the first for which there are credentials. Nobody in particular,
    /// where there is no list.
    pub security: &'static [&'static [Scheme]],
}

/// A piece of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    /// A text, as it is.
    Text(&'static str),
    /// The parameter of this number among those of the operation.
    Parameter(usize),
}

/// A parameter of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parameter {
    /// What it is called in the request.
    pub name: &'static str,
    /// The argument that it is given.
    pub argument: &'static str,
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
    /// Whatever it has: nothing is said.
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
    /// Into the header `Cookie`.
    Cookie,
    /// Into a body that is a form.
    Form,
}

/// How a value that is an array or an object becomes text, in the words of OpenAPI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `simple`: items between commas.
    Simple,
    /// `label`: a period before them.
    Label,
    /// `matrix`: a semicolon and the name before them.
    Matrix,
    /// `form`: `name=` before them.
    Form,
    /// `spaceDelimited`: blanks between items.
    Spaces,
    /// `pipeDelimited`: `|` between items.
    Pipes,
    /// `tsv` of OpenAPI 2.0: tabs between items.
    Tabs,
    /// `deepObject`: `name[member]=` for each member.
    Deep,
    /// As JSON.
    Json,
    /// As the type of the value has it: each item of an array by itself, an object as JSON.
    Typed,
}

/// The body of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Body {
    /// How it is written.
    pub media: Media,
    /// Its `Content-Type`.
    pub content_type: &'static str,
    /// The arguments that are the whole body. The first that is given counts.
    pub whole: &'static [&'static str],
    /// Whether the arguments that are nothing else are its members, where none is the whole body.
    pub members: bool,
    /// Whether there must be one.
    pub required: bool,
}

/// How a body is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    /// As JSON.
    Json,
    /// As a form: `a=1&b=2`.
    Form,
    /// A text, as it is.
    Text,
}

/// A way to tell a service who sends a request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scheme {
    /// What its credentials are configured by.
    pub name: &'static str,
    /// Which way it is.
    pub kind: SchemeKind,
}

/// The kinds of schemes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemeKind {
    /// A user and a password, in the header `Authorization`.
    Basic,
    /// A token in the header `Authorization`, wherever it comes from.
    Bearer,
    /// A key, in a parameter of this place and name.
    ApiKey(Place, &'static str),
    /// Another one, which the document calls so.
    Other(&'static str),
}

impl Rest {
    /// A request without parameters and body, as generated code lists it.
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

    /// Sets the address that the document gives for the service.
    pub const fn server(mut self, server: &'static str) -> Rest {
        self.server = Some(server);
        self
    }

    /// Sets as whom it is sent.
    pub const fn security(mut self, security: &'static [&'static [Scheme]]) -> Rest {
        self.security = security;
        self
    }
}

impl Parameter {
    /// A parameter that need not be given, of an argument of the same name, in the style that is usual at its place.
    pub const fn new(name: &'static str, place: Place) -> Parameter {
        let is_form = matches!(place, Place::Query | Place::Cookie | Place::Form);
        let style = if is_form { Style::Form } else { Style::Simple };
        Parameter {
            name,
            argument: name,
            place,
            style,
            explode: is_form,
            required: false,
            reserved: false,
            parts: Parts::Any,
        }
    }

    /// Sets the argument that it is given.
    pub const fn argument(mut self, argument: &'static str) -> Parameter {
        self.argument = argument;
        self
    }

    /// Sets how its value becomes text.
    pub const fn style(mut self, style: Style, explode: bool) -> Parameter {
        (self.style, self.explode) = (style, explode);
        self
    }

    /// Sets what its value may be taken apart into.
    pub const fn parts(mut self, parts: Parts) -> Parameter {
        self.parts = parts;
        self
    }

    /// Makes it one that must be given.
    pub const fn required(mut self) -> Parameter {
        self.required = true;
        self
    }

    /// Lets characters stay as they are that have a meaning in addresses.
    pub const fn reserved(mut self) -> Parameter {
        self.reserved = true;
        self
    }
}

impl Body {
    /// A body that need not be there, and is made of no arguments so far.
    pub const fn new(media: Media, content_type: &'static str) -> Body {
        Body { media, content_type, whole: &[], members: false, required: false }
    }

    /// Sets the arguments that are the whole body.
    pub const fn whole(mut self, whole: &'static [&'static str]) -> Body {
        self.whole = whole;
        self
    }

    /// Makes the arguments that are nothing else its members.
    pub const fn members(mut self) -> Body {
        self.members = true;
        self
    }

    /// Makes it one that must be there.
    pub const fn required(mut self) -> Body {
        self.required = true;
        self
    }
}

impl Scheme {
    /// A scheme, as generated code lists it.
    pub const fn new(name: &'static str, kind: SchemeKind) -> Scheme {
        Scheme { name, kind }
    }
}
