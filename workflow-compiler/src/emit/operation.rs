//! Emission of service operations, in the terms of the runtime's module `operation`.

use crate::model::operation::{
    Body, Decomposition, Http, Operation, Parameter, Piece, Rest, Rpc, Scheme, SchemeKind, SecretHeader,
};
use proc_macro2::{Literal as Token, TokenStream};
use quote::{format_ident, quote};
use std::fmt::Debug;

/// Emits the operation as a constant.
pub fn emit_operation(operation: &Operation) -> TokenStream {
    match operation {
        Operation::Rest(rest) => {
            let rest = emit_rest(rest);
            quote!(rt::Operation::Rest(#rest))
        }
        Operation::Http(http) => {
            let http = emit_http(http);
            quote!(rt::Operation::Http(#http))
        }
        Operation::Rpc(rpc) => {
            let Rpc { service, method, descriptors } = rpc;
            let descriptors = Token::byte_string(descriptors);
            quote!(rt::Operation::Rpc(operation::Rpc::new(#service, #method, #descriptors)))
        }
    }
}

fn emit_rest(rest: &Rest) -> TokenStream {
    let Rest { service, document, id, method, path, parameters, body, server, security } = rest;
    let path = path.iter().map(|piece| match piece {
        Piece::Text(text) => quote!(operation::Piece::Text(#text)),
        Piece::Parameter(at) => {
            let at = Token::usize_unsuffixed(*at);
            quote!(operation::Piece::Parameter(#at))
        }
    });
    let parameters = (!parameters.is_empty()).then(|| {
        let parameters = parameters.iter().map(emit_parameter);
        quote!(.parameters(&[#(#parameters),*]))
    });
    let body = body.as_ref().map(|body| {
        let body = emit_body(body);
        quote!(.body(#body))
    });
    let server = server.as_ref().map(|server| quote!(.server(#server)));
    let security = (!security.is_empty()).then(|| {
        let lists = security.iter().map(|schemes| {
            let schemes = schemes.iter().map(emit_scheme);
            quote!(&[#(#schemes),*])
        });
        quote!(.security(&[#(#lists),*]))
    });
    quote! {
        operation::Rest::new(#service, #document, #id, #method, &[#(#path),*]) #parameters #body #server #security
    }
}

fn emit_http(http: &Http) -> TokenStream {
    let Http { method, start, goes_on, secrets } = http;
    let goes_on = goes_on.then(|| quote!(.goes_on()));
    let secrets = (!secrets.is_empty()).then(|| {
        let secrets = secrets.iter().map(
            |SecretHeader { header, before, secret }| quote!(operation::SecretHeader::new(#header, #before, #secret)),
        );
        quote!(.secrets(&[#(#secrets),*]))
    });
    quote!(operation::Http::new(#method, #start) #goes_on #secrets)
}

fn emit_parameter(parameter: &Parameter) -> TokenStream {
    let Parameter { name, argument, place, style, explode, required, reserved, decomposition } = parameter;
    let argument = (argument != name).then(|| quote!(.argument(#argument)));
    let style = ((*style, *explode) != place.usual_style()).then(|| {
        let style = emit_variant("Style", style);
        quote!(.style(#style, #explode))
    });
    let required = required.then(|| quote!(.required()));
    let reserved = reserved.then(|| quote!(.reserved()));
    let decomposition = (*decomposition != Decomposition::Any).then(|| {
        let decomposition = emit_variant("Decomposition", decomposition);
        quote!(.decomposition(#decomposition))
    });
    let place = emit_variant("Place", place);
    quote!(operation::Parameter::new(#name, #place) #argument #style #decomposition #required #reserved)
}

/// Emits a variant without fields. `Debug` prints its name.
fn emit_variant(enumeration: &str, variant: impl Debug) -> TokenStream {
    let (enumeration, variant) = (format_ident!("{enumeration}"), format_ident!("{variant:?}"));
    quote!(operation::#enumeration::#variant)
}

fn emit_body(body: &Body) -> TokenStream {
    let Body { media, content_type, whole, members, required } = body;
    let media = emit_variant("Media", media);
    let whole = (!whole.is_empty()).then(|| quote!(.whole(&[#(#whole),*])));
    let members = members.then(|| quote!(.members()));
    let required = required.then(|| quote!(.required()));
    quote!(operation::Body::new(#media, #content_type) #whole #members #required)
}

fn emit_scheme(scheme: &Scheme) -> TokenStream {
    let name = &scheme.name;
    let kind = match &scheme.kind {
        SchemeKind::Basic | SchemeKind::Bearer => emit_variant("SchemeKind", &scheme.kind),
        SchemeKind::ApiKey(place, name) => {
            let place = emit_variant("Place", place);
            quote!(operation::SchemeKind::ApiKey(#place, #name))
        }
        SchemeKind::Other(kind) => quote!(operation::SchemeKind::Other(#kind)),
    };
    quote!(operation::Scheme::new(#name, #kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_that_is_written_out_is_a_constant() {
        let secret = SecretHeader {
            header: "Authorization".to_owned(),
            before: "Bearer ".to_owned(),
            secret: "token".to_owned(),
        };
        let (method, start) = ("GET".to_owned(), "https://api.example.com/".to_owned());
        let plain = Http { method, start, goes_on: false, secrets: Vec::new() };
        let with = Http { goes_on: true, secrets: vec![secret], ..plain.clone() };
        let new = r#"rt :: Operation :: Http (operation :: Http :: new ("GET" , "https://api.example.com/")"#;
        let more =
            r#" . goes_on () . secrets (& [operation :: SecretHeader :: new ("Authorization" , "Bearer " , "token")])"#;
        for (http, expected) in [(plain, format!("{new})")), (with, format!("{new}{more})"))] {
            assert_eq!(emit_operation(&Operation::Http(http)).to_string(), expected);
        }
    }
}
