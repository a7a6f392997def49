//! Bundling of a schema with everything it refers to.

use super::files::{SchemaFiles, SchemaLocation, step, unescape};
use super::keywords::{KeywordContent, keyword};
use super::measure::{Excess, MAX_CHAIN, MAX_STEPS, find_excess};
use super::shape::KnownShape;
use super::{Draft, Schema, valid};
use crate::diagnostics::MAX_ERRORS;
use crate::diagnostics::suggest::nearest;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::files::Inputs;
use crate::fnv::Fnv;
use crate::literal::Literal;
use crate::schema::codes::{WF1402, WF1404, WF1406, WF1451};
use crate::source::Span;
use crate::syntax::{Node, Text, shown};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Unknown keywords shorter than this are not reported as misspelled.
const MIN_TYPO_LENGTH: usize = 4;
/// The maximum number of definitions that a schema refers to.
const MAX_DEFINITIONS: usize = 4096;

/// A schema that goes into the bundle.
struct Target {
    place: SchemaLocation,
    /// The name among the definitions. Empty for the root schema.
    name: String,
    /// The tree of the file that contains the schema.
    root: Rc<Node>,
}

struct Bundle<'a> {
    files: SchemaFiles<'a>,
    draft: Draft,
    targets: Vec<Target>,
    /// The indexes of the targets.
    known: BTreeMap<SchemaLocation, usize>,
    /// The names of definitions, folded for comparison, with the number of the next name like it.
    names: BTreeMap<String, usize>,
    /// The number of errors above which no reference is followed any more.
    most_errors: usize,
    /// Files whose draft has been checked, with the result.
    drafts: BTreeMap<String, bool>,
}

/// Reads the schema that a definition names by its file, optionally with a fragment after `#`.
/// Returns `None` after reporting errors.
pub fn read(text: &Text, inputs: &mut Inputs, diagnostics: &mut Diagnostics) -> Option<Schema> {
    let before = diagnostics.errors();
    let mut files = SchemaFiles::new(inputs, diagnostics);
    let place = files.resolve_name(text)?;
    let root = files.root(&place.file)?;
    let draft = match named_draft(&root) {
        None => Draft::Draft202012,
        Some((uri, draft)) => draft.or_else(|| {
            report_unknown_draft(uri, files.diagnostics);
            None
        })?,
    };
    let name = match place.pointer.is_empty() {
        true => place.file.clone(),
        false => format!("{}#{}", place.file, place.pointer),
    };
    let opening = files.node_at(&root, &place).unwrap_or(&root).span.opening();
    let reserved = ["input", "output"].map(|name| (name.to_owned(), 2));
    let mut bundle = Bundle {
        files,
        draft,
        targets: Vec::new(),
        known: BTreeMap::from([(place.clone(), 0)]),
        names: BTreeMap::from(reserved),
        most_errors: before + MAX_ERRORS,
        drafts: BTreeMap::new(),
    };
    bundle.targets.push(Target { place, name: String::new(), root });
    let mut schemas = Vec::new();
    // Copying a schema can add targets.
    while let Some(Target { place, root, .. }) = bundle.targets.get(schemas.len()) {
        let (place, root) = (place.clone(), root.clone());
        schemas.push(bundle.copy_target(&place, &root));
    }
    if bundle.files.diagnostics.errors() == before {
        bundle.check_limits(&schemas);
    }
    let tree = bundle.assemble(schemas);
    let text = without_annotations(&tree).to_string();
    if bundle.files.diagnostics.errors() == before
        && let Some(found) = valid::check_whole(&text, draft, |path| bundle.span_of(path))
    {
        bundle.files.diagnostics.push(found);
    }
    if bundle.files.diagnostics.errors() > before {
        return None;
    }
    let mut meaning = Fnv::new();
    without_annotations(&tree).hash_into(&mut meaning);
    meaning.write(draft.name().as_bytes());
    let meaning = meaning.finish();
    bundle.files.inputs.hash_meaning(&name, &meaning.to_le_bytes());
    Some(Schema { name, draft, text, tree, meaning, place: opening, shape: KnownShape::default() })
}

/// Returns the `$schema` of a file, and its draft if the draft is known.
fn named_draft(root: &Node) -> Option<(&Text, Option<Draft>)> {
    let uri = root.get("$schema")?.as_text()?;
    Some((uri, Draft::of(&uri.value)))
}

fn report_unknown_draft(uri: &Text, diagnostics: &mut Diagnostics) {
    let message = format!("unknown JSON Schema draft `{}`", shown(&uri.value));
    let uris: Vec<String> = Draft::ALL.iter().map(|draft| format!("`{}`", draft.uri())).collect();
    let help = format!("write one of {}", uris.join(", "));
    diagnostics.push(Diagnostic::new(&WF1402, uri.span, message).help(help));
}

impl Bundle<'_> {
    /// Copies one target, with references replaced by the names of definitions.
    fn copy_target(&mut self, place: &SchemaLocation, root: &Node) -> Literal {
        let is_of_draft = match self.drafts.get(&place.file) {
            Some(known) => *known,
            None => {
                let is_of_draft = self.is_of_draft(root);
                self.drafts.insert(place.file.clone(), is_of_draft);
                is_of_draft
            }
        };
        let node = self.files.node_at(root, place);
        match node.filter(|node| is_of_draft && valid::check_form(node, self.draft, self.files.diagnostics)) {
            Some(node) => self.copy(place, node, place.pointer.is_empty()),
            None => Literal::Bool(true),
        }
    }

    fn is_of_draft(&mut self, root: &Node) -> bool {
        match named_draft(root) {
            None => true,
            Some((_, Some(draft))) if draft == self.draft => true,
            Some((uri, Some(draft))) => {
                let (own, others) = (draft.name(), self.draft.name());
                let message = format!("this schema uses {own}, but a schema that refers to it uses {others}");
                let help = format!("use one draft for all of them, such as `\"$schema\": \"{}\"`", self.draft.uri());
                self.files.diagnostics.push(Diagnostic::new(&WF1402, uri.span, message).help(help));
                false
            }
            Some((uri, None)) => {
                report_unknown_draft(uri, self.files.diagnostics);
                false
            }
        }
    }

    fn copy(&mut self, place: &SchemaLocation, node: &Node, is_file: bool) -> Literal {
        let Some(entries) = node.as_object() else { return Literal::from(node) };
        let refers = node.get("$ref").is_some();
        let mut members = Vec::with_capacity(entries.len());
        for entry in entries {
            let (key, value) = (entry.key.value.as_str(), &entry.value);
            if key == "$ref" {
                if let Some(reference) = value.as_text()
                    && let Some(reference) = self.bundled_reference(place, reference)
                {
                    members.push((key.to_owned(), Literal::String(reference)));
                }
                continue;
            }
            let Some((holds, first, last)) = keyword(key) else {
                self.check_unknown(&entry.key, value, is_file);
                continue;
            };
            let help = if holds == KeywordContent::Annotation {
                None
            } else if refers && self.draft.refs_stand_alone() {
                Some("put both in an `allOf`".to_owned())
            } else if !(first..=last).contains(&self.draft) {
                let name = if self.draft < first { first } else { last };
                Some(format!("declare {} with `\"$schema\": \"{}\"`", name.name(), name.uri()))
            } else {
                None
            };
            if let Some(help) = help {
                let beside = if refers { " next to a `$ref`" } else { "" };
                let message = format!("`{key}` has no effect{beside} in {}", self.draft.name());
                self.files.diagnostics.push(Diagnostic::new(&WF1451, entry.key.span, message).help(help));
                continue;
            }
            members.push((key.to_owned(), self.copy_value(holds, place, value)));
        }
        Literal::Object(members)
    }

    /// Copies the value of a keyword.
    fn copy_value(&mut self, holds: KeywordContent, place: &SchemaLocation, value: &Node) -> Literal {
        match (holds, value.as_array(), value.as_object()) {
            (KeywordContent::List | KeywordContent::Either, Some(items), _) => {
                Literal::Array(items.iter().map(|item| self.copy(place, item, false)).collect())
            }
            (KeywordContent::Map, _, Some(entries)) => {
                let entries =
                    entries.iter().map(|entry| (entry.key.value.clone(), self.copy(place, &entry.value, false)));
                Literal::Object(entries.collect())
            }
            (KeywordContent::Schema | KeywordContent::Either, _, Some(_)) => self.copy(place, value, false),
            _ => Literal::from(value),
        }
    }

    /// Checks a keyword outside of the supported vocabulary: rejects unsupported ones and warns of
    /// misspelled ones.
    fn check_unknown(&mut self, key: &Text, value: &Node, is_file: bool) {
        let name = key.value.as_str();
        let diagnostic = match name {
            "$dynamicRef" | "$recursiveRef" => {
                let message = format!("`{name}` is not supported");
                Diagnostic::new(&WF1404, key.span, message).help("refer to the schema with `$ref`")
            }
            "$id" | "id" if !is_file && (name == "$id" || self.draft == Draft::Draft4) => {
                if value.as_text().is_none_or(|text| text.value.starts_with('#')) {
                    return;
                }
                let message = format!("`{name}` is not supported in a nested schema");
                Diagnostic::new(&WF1404, key.span, message).help("move it into its own file")
            }
            _ if name.starts_with(['$', 'x']) || name.len() < MIN_TYPO_LENGTH || name == "definitions" => return,
            _ => {
                let keywords = KEYWORDS.iter().copied().filter(|known| {
                    keyword(known).is_some_and(|(_, first, last)| (first..=last).contains(&self.draft))
                });
                let Some(meant) = nearest(name, keywords).filter(|meant| is_typo(name, meant)) else { return };
                let message = format!("unknown keyword `{}` has no effect", shown(name));
                let help = format!("did you mean `{meant}`?");
                Diagnostic::new(&WF1451, key.span, message).help(help).fix(key.span, format!("\"{meant}\""))
            }
        };
        self.files.diagnostics.push(diagnostic);
    }

    /// Returns a reference in the notation of the bundle. Adds its target to the bundle if it is
    /// new.
    fn bundled_reference(&mut self, place: &SchemaLocation, reference: &Text) -> Option<String> {
        if self.files.diagnostics.errors() >= self.most_errors {
            return None;
        }
        let target = self.files.resolve_reference(&place.file, reference)?;
        let at = match self.known.get(&target) {
            Some(at) => *at,
            None if self.targets.len() > MAX_DEFINITIONS => {
                let message = format!("the schema refers to more than {MAX_DEFINITIONS} definitions");
                let diagnostic = Diagnostic::new(&WF1406, reference.span, message);
                self.files.diagnostics.push(diagnostic.help("name the part of the schema that the workflow needs"));
                self.most_errors = 0;
                return None;
            }
            None => {
                let root = self.files.root(&target.file)?;
                let name = self.unique_name(&target);
                self.known.insert(target.clone(), self.targets.len());
                self.targets.push(Target { place: target, name, root });
                self.targets.len() - 1
            }
        };
        Some(self.reference_to(at))
    }

    /// Returns a reference to a target in the notation of the bundle.
    fn reference_to(&self, at: usize) -> String {
        match at {
            0 => "#".to_owned(),
            at => format!("#/{}/{}", self.draft.definitions(), self.targets[at].name),
        }
    }

    /// Reports a schema whose validation can take too many steps or too much stack.
    fn check_limits(&mut self, schemas: &[Literal]) {
        let named: Vec<_> = schemas.iter().enumerate().map(|(at, schema)| (self.reference_to(at), schema)).collect();
        let Some((at, excess)) = find_excess(&named) else { return };
        let (message, help) = match excess {
            Excess::Steps => (
                format!("the check of one value against this schema takes more than {MAX_STEPS} steps"),
                "every reference in `allOf`, `anyOf` or `oneOf` applies its schema once more: apply each schema once",
            ),
            Excess::Chain => (
                format!("this schema is at the end of more than {MAX_CHAIN} references, each in the target of another"),
                "refer to the last schema directly",
            ),
        };
        let Target { place, root, .. } = &self.targets[at];
        let span = valid::display_span(self.files.node_at(root, place).unwrap_or(root));
        self.files.diagnostics.push(Diagnostic::new(&WF1406, span, message).help(help));
    }

    /// Returns a unique name for a definition, derived from the last part of its pointer or from
    /// its file name. Names that would become equal type names count as equal.
    fn unique_name(&mut self, place: &SchemaLocation) -> String {
        let last = place.pointer.rsplit('/').next().map(unescape).unwrap_or_default();
        let name = match last.chars().any(char::is_alphabetic) {
            true => last,
            false => {
                let file = place.file.rsplit('/').next().unwrap_or_default();
                file.split('.').next().unwrap_or_default().to_owned()
            }
        };
        let plain = |c: char| if c.is_alphanumeric() { c } else { '_' };
        let mut name: String = name.chars().map(plain).collect();
        if !name.starts_with(char::is_alphabetic) {
            name.insert_str(0, "Part");
        }
        let folded = |name: &str| -> String {
            name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
        };
        // Names that are alike continue the numbers of each other.
        let mut number = self.names.get(&folded(&name)).copied();
        let mut unique = name.clone();
        while let Some(next) = number {
            unique = format!("{name}{next}");
            self.names.insert(folded(&name), next + 1);
            number = self.names.contains_key(&folded(&unique)).then_some(next + 1);
        }
        self.names.insert(folded(&unique), 2);
        unique
    }

    /// Assembles the bundle from the copied schemas.
    fn assemble(&self, schemas: Vec<Literal>) -> Literal {
        let mut schemas = schemas.into_iter();
        let first = schemas.next().unwrap_or(Literal::Bool(true));
        let definitions: Vec<(String, Literal)> =
            self.targets.iter().skip(1).map(|target| target.name.clone()).zip(schemas).collect();
        match first {
            Literal::Object(mut members) if !definitions.is_empty() => {
                members.push((self.draft.definitions().to_owned(), Literal::Object(definitions)));
                Literal::Object(members)
            }
            first => first,
        }
    }

    /// Returns the source span of the value at a pointer of the bundle.
    fn span_of(&self, pointer: &str) -> Span {
        let mut parts = pointer.split('/').skip(1).peekable();
        let mut target = &self.targets[0];
        if parts.peek() == Some(&self.draft.definitions()) {
            parts.next();
            let name = parts.next().unwrap_or_default();
            target = self.targets.iter().find(|target| target.name == name).unwrap_or(target);
        }
        let mut node = self.files.node_at(&target.root, &target.place).unwrap_or(&target.root);
        for part in parts {
            match step(node, &unescape(part)) {
                Some(next) => node = next,
                None => break,
            }
        }
        valid::display_span(node)
    }
}

/// Returns `true` if the names differ by one letter added, removed or replaced, or only in the
/// order of letters. Other unknown names may be extensions, so no warning is due.
fn is_typo(name: &str, meant: &str) -> bool {
    let letters = |text: &str| {
        let mut letters: Vec<char> = text.to_lowercase().chars().collect();
        letters.sort_unstable();
        letters
    };
    let (name, mut meant) = (letters(name), letters(meant));
    let others = name.iter().filter(|letter| match meant.iter().position(|other| other == *letter) {
        Some(at) => {
            meant.remove(at);
            false
        }
        None => true,
    });
    let others = others.count();
    others <= 1 && meant.len() <= 1
}

/// The candidates for a misspelled keyword.
const KEYWORDS: [&str; 42] = [
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contains",
    "default",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "description",
    "else",
    "enum",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "items",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "required",
    "then",
    "type",
    "unevaluatedItems",
    "unevaluatedProperties",
    "uniqueItems",
];

/// Returns a schema without annotations such as titles and descriptions.
fn without_annotations(schema: &Literal) -> Literal {
    let Literal::Object(members) = schema else { return schema.clone() };
    let kept = members.iter().filter_map(|(key, value)| {
        let holds = match keyword(key) {
            Some((KeywordContent::Annotation, ..)) => return None,
            Some((holds, ..)) => holds,
            None if key == "definitions" || key == "$defs" => KeywordContent::Map,
            None => KeywordContent::Data,
        };
        let value = match (holds, value) {
            (KeywordContent::List | KeywordContent::Either, Literal::Array(items)) => {
                Literal::Array(items.iter().map(without_annotations).collect())
            }
            (KeywordContent::Map, Literal::Object(entries)) => Literal::Object(
                entries.iter().map(|(name, schema)| (name.clone(), without_annotations(schema))).collect(),
            ),
            (KeywordContent::Schema | KeywordContent::Either, schema) => without_annotations(schema),
            (_, data) => data.clone(),
        };
        Some((key.clone(), value))
    });
    Literal::Object(kept.collect())
}
