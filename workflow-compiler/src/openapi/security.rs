//! Security requirements of operations. Credentials are configured outside of definitions.

use super::operation::{OpenApiVersion, OperationSource};
use super::reader::{NodeRef, Reader};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::suggest::did_you_mean;
use crate::model::operation::{Place, Scheme, SchemeKind};
use crate::openapi::codes::WF0904;
use crate::syntax::{Text, shown};

/// Reads the alternatives of an operation. A request satisfies all schemes of one alternative.
pub(super) fn read<'a>(source: OperationSource<'a>, reader: &mut Reader<'a>) -> Vec<Vec<Scheme>> {
    let requirements = source.operation.get("security").or_else(|| source.root.get("security"));
    let mut lists: Vec<Vec<Scheme>> = Vec::new();
    for list in requirements.into_iter().flat_map(NodeRef::items) {
        lists.push(list.members().filter_map(|(name, _)| scheme(name, source, reader)).collect());
    }
    // Empty alternatives mean that the operation is accessible without credentials.
    if lists.iter().all(Vec::is_empty) {
        lists.clear();
    }
    lists
}

fn scheme<'a>(name: &Text, source: OperationSource<'a>, reader: &mut Reader<'a>) -> Option<Scheme> {
    let (known, member) = match source.version {
        OpenApiVersion::V2 => (source.root.get("securityDefinitions"), "securityDefinitions"),
        OpenApiVersion::V3 => {
            (source.root.get("components").and_then(|parts| parts.get("securitySchemes")), "components/securitySchemes")
        }
    };
    let Some(at) = known.and_then(|known| known.get(&name.value)) else {
        let names = known.into_iter().flat_map(NodeRef::members).map(|(name, _)| name.value.as_str());
        let help = did_you_mean(&name.value, names).unwrap_or_else(|| format!("define it in `{member}`"));
        let message = format!("the security scheme `{}` is not defined", shown(&name.value));
        reader.push(Diagnostic::new(&WF0904, name.span, message).help(help));
        return None;
    };
    let at = reader.follow(at)?;
    let kind = match (at.text("type"), source.version) {
        (Some("basic"), OpenApiVersion::V2) => SchemeKind::Basic,
        (Some("oauth2"), _) | (Some("openIdConnect"), OpenApiVersion::V3) => SchemeKind::Bearer,
        (Some("http"), OpenApiVersion::V3) => match at.text("scheme").unwrap_or_default() {
            scheme if scheme.eq_ignore_ascii_case("basic") => SchemeKind::Basic,
            scheme if scheme.eq_ignore_ascii_case("bearer") => SchemeKind::Bearer,
            other => SchemeKind::Other(other.to_owned()),
        },
        (Some("mutualTLS"), OpenApiVersion::V3) => SchemeKind::Other("mutualTLS".to_owned()),
        (Some("apiKey"), _) => {
            let place = match at.text("in") {
                Some("header") => Some(Place::Header),
                Some("query") => Some(Place::Query),
                Some("cookie") if source.version == OpenApiVersion::V3 => Some(Place::Cookie),
                _ => None,
            };
            let key = at.text("name").filter(|name| !name.is_empty());
            match place.zip(key) {
                Some((place, key)) => SchemeKind::ApiKey(place, key.to_owned()),
                None => {
                    let message = format!("the security scheme `{}` has no valid `name` and `in`", shown(&name.value));
                    let help = "add `name`, and `in`: `header`, `query` or `cookie`";
                    reader.push(Diagnostic::new(&WF0904, at.node.span, message).help(help));
                    return None;
                }
            }
        }
        (kind, _) => {
            let message = format!("unknown security scheme type `{}`", shown(kind.unwrap_or_default()));
            let help = match source.version {
                OpenApiVersion::V2 => "use `basic`, `apiKey` or `oauth2`",
                OpenApiVersion::V3 => "use `apiKey`, `http`, `mutualTLS`, `oauth2` or `openIdConnect`",
            };
            let span = at.get("type").map_or(at.node.span, |node| node.node.span);
            reader.push(Diagnostic::new(&WF0904, span, message).help(help));
            return None;
        }
    };
    Some(Scheme { name: name.value.clone(), kind })
}
