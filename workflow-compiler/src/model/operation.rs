//! Operations of services: the request that a task sends, and the arguments that it is made of.
//! OpenAPI documents, gRPC descriptors and requests in the definition itself all lower to this
//! model.

use crate::fnv::Fnv;
use std::fmt;
use workflow_model::{Owned, operation};

pub use workflow_model::operation::{Decomposition, Media, Place, Style};

/// An operation of a service.
pub type Operation = operation::Operation<Owned>;
/// An HTTP request whose arguments are the members of the input object.
pub type Rest = operation::Rest<Owned>;
/// A piece of a path.
pub type Piece = operation::Piece<Owned>;
/// A parameter of a request.
pub type Parameter = operation::Parameter<Owned>;
/// The body of a request.
pub type Body = operation::Body<Owned>;
/// A security scheme.
pub type Scheme = operation::Scheme<Owned>;
/// The kinds of security schemes.
pub type SchemeKind = operation::SchemeKind<Owned>;
/// An HTTP request whose address the definition contains.
pub type Http = operation::Http<Owned>;
/// A header whose value is a secret of the program, or ends with one.
pub type SecretHeader = operation::SecretHeader<Owned>;
/// A unary gRPC method.
pub type Rpc = operation::Rpc<Owned>;

/// The meaning of an operation in one line, for fingerprints. The document with its server and its
/// name of the operation are not part of it.
pub struct Described<'a, T>(pub &'a T);

impl fmt::Display for Described<'_, Operation> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Operation::Rest(rest) => Described(rest).fmt(f),
            Operation::Http(http) => {
                write!(f, "{http}")?;
                http.secrets.iter().try_for_each(|SecretHeader { header, before, secret }| {
                    write!(f, "; Header {header:?} of {before:?} and the secret {secret:?}")
                })
            }
            Operation::Rpc(Rpc { service, method, descriptors }) => {
                let mut hash = Fnv::default();
                hash.write(descriptors);
                write!(f, "{service}/{method} of {:016x}", hash.finish())
            }
        }
    }
}

impl fmt::Display for Described<'_, Rest> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rest { service, document: _, id: _, method, path: _, parameters, body, server: _, security } = self.0;
        write!(f, "{service} {method} {}", self.0.template())?;
        for parameter in parameters {
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
        if let Some(Body { media, content_type, whole, members, required }) = body {
            write!(f, "; body {media:?} {content_type:?} of {whole:?}")?;
            for (is, word) in [(members, " members"), (required, " required")] {
                f.write_str(if *is { word } else { "" })?;
            }
        }
        for (at, schemes) in security.iter().enumerate() {
            f.write_str(if at == 0 { "; as " } else { " or " })?;
            let schemes: Vec<String> =
                schemes.iter().map(|scheme| format!("{:?} {:?}", scheme.name, scheme.kind)).collect();
            f.write_str(&if schemes.is_empty() { "nobody".to_owned() } else { schemes.join(" and ") })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_distinguishes_requests_is_printed() {
        let [method, start] = ["GET", "https://a.example/"].map(str::to_owned);
        let [header, before, secret] = ["X-Key", "Key ", "key"].map(str::to_owned);
        let plain = Http { method, start, goes_on: false, secrets: Vec::new() };
        let with = Http { goes_on: true, secrets: vec![SecretHeader { header, before, secret }], ..plain.clone() };
        let printed = "GET https://a.example/…; Header \"X-Key\" of \"Key \" and the secret \"key\"";
        assert_eq!(Described(&Operation::Http(with)).to_string(), printed);
        assert_eq!(Described(&Operation::Http(plain)).to_string(), "GET https://a.example/");
    }
}
