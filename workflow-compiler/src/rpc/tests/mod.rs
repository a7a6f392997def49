//! Tests that look up methods and check calls.

mod lookup;
mod request;

use super::{MethodIndex, MethodPath, RpcArgument, RpcCall, RpcMethod};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::files::Inputs;
use crate::source::Files;
use crate::source::{FileId, Source, Sources, Span, Spanned};
use crate::syntax;
use std::collections::BTreeMap;

/// Files in the folder of a definition.
type Folder = BTreeMap<String, Vec<u8>>;

fn folder<T: AsRef<[u8]>>(files: &[(&str, T)]) -> Folder {
    files.iter().map(|(name, content)| ((*name).to_owned(), content.as_ref().to_vec())).collect()
}

/// The result of looking up methods.
struct Found {
    methods: Vec<Option<RpcMethod>>,
    sources: Sources,
    inputs: Vec<String>,
    hash: Option<u64>,
    diagnostics: Vec<Diagnostic>,
}

impl Found {
    fn method(&self) -> &RpcMethod {
        assert!(self.diagnostics.is_empty(), "{:?}", self.diagnostics());
        self.methods[0].as_ref().expect("nothing is wrong")
    }

    /// Returns the diagnostics as `place text: message | help`, with the source text at the place.
    fn diagnostics(&self) -> Vec<String> {
        let show = |found: &Diagnostic| {
            let (place, text) = (self.sources.exact_place(found.span), self.sources.text(found.span));
            let help = found.help.as_deref().expect("there is help");
            format!("{} {place} {text}: {} | {help}", found.code.id, found.message)
        };
        self.diagnostics.iter().map(show).collect()
    }
}

/// Looks up methods, each written as `file#service/method`.
fn find(folder: &Folder, operations: &[&str]) -> Found {
    let mut sources = Sources::default();
    let files = folder.clone();
    let files = Files::new(move |path| files.get(path.as_str()).cloned().ok_or_else(|| "does not exist".to_owned()))
        .with_levels_up(2);
    let text = operations.join("\n");
    let definition = sources.add(Source::new("flow.json", &*text).with_files(files));
    let mut inputs = Inputs::new(sources, definition);
    let (mut diagnostics, mut methods, mut at) = (Diagnostics::default(), MethodIndex::default(), 0);
    let mut part = |text: &str, more: usize| {
        let spanned = Spanned::new(text.to_owned(), Span::new(definition, at, at + text.len()));
        at += text.len() + more;
        spanned
    };
    let found = operations.iter().map(|operation| {
        let (file, rest) = operation.split_once('#').expect("it has a file");
        let (service, method) = rest.split_once('/').expect("it has a method");
        let (file, service, method) = (part(file, 1), part(service, 1), part(method, 1));
        let named = MethodPath { file: &file, service: &service, method: &method };
        methods.find(named, &mut inputs, &mut diagnostics)
    });
    let methods = found.collect();
    let hash = inputs.hash();
    let (sources, inputs) = inputs.finish();
    let inputs = inputs.into_iter().map(|input| input.path.to_string()).collect();
    Found { methods, sources, inputs, hash, diagnostics: diagnostics.finish() }
}

/// Returns the diagnostics of a call with these arguments, as `text: message | help`. The value
/// `"?"` stands for an unknown value.
fn call(method: &RpcMethod, arguments: &str) -> Vec<String> {
    let mut sources = Sources::default();
    let file = sources.add(Source::new("arguments.json", arguments));
    let mut diagnostics = Diagnostics::default();
    let tree = syntax::read(file, &sources, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "the arguments of the test are broken: {arguments}");
    let is_known = |value: &syntax::Node| value.as_text().is_none_or(|text| text.value != "?");
    let members = tree.as_object().expect("they are an object").iter();
    let arguments: Vec<RpcArgument<'_>> = members
        .map(|member| RpcArgument { name: &member.key, value: Some(&member.value).filter(|value| is_known(value)) })
        .collect();
    method.check(RpcCall { arguments: &arguments, span: Span::new(FileId(0), 0, 1) }, &mut diagnostics);
    let show = |found: Diagnostic| {
        assert_eq!(found.code.id, "WF1004");
        format!("{}: {} | {}", sources.text(found.span), found.message, found.help.expect("there is help"))
    };
    diagnostics.finish().into_iter().map(show).collect()
}
