//! Rust types for what schemas describe, made by `typify` as far as it can. Where it cannot, data stays untyped, which is told.
//!
//! Types are for programs; what data must be is checked against the whole schema in any case. So what types cannot say, or say
//! with other crates, is left out before: patterns, formats, limits, defaults.

use super::adapt::{adapt, declares};
use super::{Draft, Schema};
use crate::escape::documentation;
use crate::expr::Literal;
use proc_macro2::{TokenStream, fallback};
use schemars::schema::RootSchema;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::{Mutex, Once, PoisonError};
use std::thread::JoinHandle;
use typify_impl::{MapType, TypeSpace, TypeSpaceSettings};

/// How much stack the types are made on: schemas nest as deep as text can.
const STACK: usize = 32 << 20;

/// The items that declare the type `name`, and those that it is made of. Why there is none, where that is so.
pub fn types(schema: &Schema, name: &str) -> Result<TokenStream, String> {
    let tree = Simple::of(schema, name)?;
    let text = apart(move || quietly(|| generate(&tree)))?;
    let tokens = adapt(text.parse().map_err(|_| "what `typify` makes of it is not Rust")?);
    match declares(&tokens) {
        names if names.iter().collect::<BTreeSet<_>>().len() < names.len() => {
            Err("two of its types would have one name".to_owned())
        }
        names if names.iter().any(|declared| declared == name) => Ok(tokens),
        _ => Err("it describes no type of its own".to_owned()),
    }
}

/// Does work with tokens on a thread of its own, which has the stack for it. The compiler's own tokens are those of the thread of a
/// macro; here there are none of these for a while, on any thread.
fn apart(work: impl FnOnce() -> Result<String, String> + Send + 'static) -> Result<String, String> {
    static APART: Mutex<()> = Mutex::new(());
    let _one_at_a_time = APART.lock().unwrap_or_else(PoisonError::into_inner);
    fallback::force();
    let done = std::thread::Builder::new().stack_size(STACK).spawn(work).map(JoinHandle::join);
    fallback::unforce();
    done.map_err(|error| error.to_string())?.map_err(|_| "it was too much for `typify`")?
}

fn generate(tree: &str) -> Result<String, String> {
    let root: RootSchema = serde_json::from_str(tree).map_err(|error| error.to_string())?;
    let mut settings = TypeSpaceSettings::default();
    settings.with_derive("PartialEq".to_owned());
    settings.with_map_type(MapType::new("::std::collections::BTreeMap"));
    let mut space = TypeSpace::new(&settings);
    space.add_ref_types(root.definitions).map_err(|error| error.to_string())?;
    Ok(space.to_stream().to_string())
}

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Does what may panic, of which nothing is printed then: `typify` panics on some schemas.
pub(super) fn quietly(work: impl FnOnce() -> Result<String, String>) -> Result<String, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = take_hook();
        // Other threads are told of as ever.
        set_hook(Box::new(move |info| {
            if !QUIET.get() {
                before(info);
            }
        }));
    });
    QUIET.set(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    QUIET.set(false);
    done.unwrap_or_else(|panic| {
        let words =
            panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
        let first = words.and_then(|words| words.lines().next()).unwrap_or("no reason given");
        Err(format!("`typify` panicked: {}", first.chars().take(120).collect::<String>()))
    })
}

/// Makes a schema that types can be made of: one of draft 7, in which every part that may become a type has a name of its own.
struct Simple<'a> {
    schema: &'a Schema,
    names: BTreeSet<String>,
}

impl Simple<'_> {
    /// The schema as JSON, among whose definitions it is itself, by this name.
    fn of(schema: &Schema, name: &str) -> Result<String, String> {
        let Literal::Object(members) = schema.tree() else { return Err("it says nothing of data".to_owned()) };
        let (definitions, own): (Vec<_>, Vec<_>) =
            members.iter().cloned().partition(|(key, _)| key == schema.draft().definitions());
        let mut parts = vec![(name.to_owned(), Literal::Object(own))];
        if let Some((_, Literal::Object(definitions))) = definitions.into_iter().next() {
            parts.extend(definitions);
        }
        if let Some(name) = endless(&parts, schema.draft()) {
            return Err(format!("`{name}` is made of itself"));
        }
        let mut simple = Simple { schema, names: parts.iter().map(|(name, _)| folded(name)).collect() };
        let parts = parts.iter().map(|(key, part)| (key.clone(), simple.part(part, key, name, true)));
        let root = Literal::Object(vec![("definitions".to_owned(), Literal::Object(parts.collect()))]);
        Ok(root.to_string())
    }

    /// A part, which a type of this name may be made of. `root` is what the whole is called.
    fn part(&mut self, part: &Literal, name: &str, root: &str, has_name: bool) -> Literal {
        let Literal::Object(members) = part else { return part.clone() };
        let get = |key: &str| members.iter().find(|(name, _)| name == key).map(|(_, value)| value);
        if let Some(Literal::String(reference)) = get("$ref")
            && (members.len() == 1 || self.schema.draft().refs_stand_alone())
        {
            return Literal::Object(vec![("$ref".to_owned(), Literal::String(target(reference, root)))]);
        }
        let is_open = get("patternProperties").is_some();
        let mut kept = Vec::new();
        if !has_name {
            kept.push(("title".to_owned(), Literal::String(self.unique(name))));
        }
        for (key, value) in members {
            let value = match (key.as_str(), value) {
                ("description", Literal::String(text)) => Literal::String(documentation(text)),
                ("type" | "required", value) => value.clone(),
                ("$ref", Literal::String(reference)) => {
                    // What stands beside a reference holds, too.
                    let to = vec![("$ref".to_owned(), Literal::String(target(reference, root)))];
                    kept.push(("allOf".to_owned(), Literal::Array(vec![Literal::Object(to)])));
                    continue;
                }
                ("const", Literal::String(only)) => {
                    kept.push(("enum".to_owned(), Literal::Array(vec![Literal::String(only.clone())])));
                    continue;
                }
                ("enum", Literal::Array(values)) if values.iter().all(|value| matches!(value, Literal::String(_))) => {
                    Literal::Array(values.clone())
                }
                ("properties", Literal::Object(entries)) => {
                    let entries = entries
                        .iter()
                        .map(|(key, part)| (key.clone(), self.part(part, &format!("{name}_{key}"), root, false)));
                    Literal::Object(entries.collect())
                }
                ("additionalProperties", value) if !is_open => self.part(value, &format!("{name}_value"), root, false),
                ("items", value @ Literal::Object(_)) => self.part(value, &format!("{name}_item"), root, false),
                ("allOf" | "anyOf" | "oneOf", Literal::Array(parts)) if get("$ref").is_none() || key != "allOf" => {
                    let parts = parts.iter().enumerate().map(|(at, part)| {
                        let own = title(part).map_or_else(|| format!("variant_{}", at + 1), str::to_owned);
                        self.part(part, &format!("{name}_{own}"), root, false)
                    });
                    Literal::Array(parts.collect())
                }
                _ => continue,
            };
            kept.push((key.clone(), value));
        }
        Literal::Object(kept)
    }

    /// A name that no other part has, as names of types go.
    fn unique(&mut self, name: &str) -> String {
        let mut unique = name.to_owned();
        let mut number = 2;
        while !self.names.insert(folded(&unique)) {
            unique = format!("{name}_{number}");
            number += 1;
        }
        unique
    }
}

fn title(part: &Literal) -> Option<&str> {
    let Literal::Object(members) = part else { return None };
    match members.iter().find(|(key, _)| key == "title") {
        Some((_, Literal::String(title))) => Some(title),
        _ => None,
    }
}

/// A name in the form in which types cannot differ.
fn folded(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// What a reference in the bundle is among the definitions.
fn target(reference: &str, root: &str) -> String {
    let name = reference.rsplit('/').next().filter(|_| reference.contains('/')).unwrap_or(root);
    format!("#/definitions/{name}")
}

/// A part that is, in the place where it stands, made of itself: no type is, and looking for one has no end.
fn endless(parts: &[(String, Literal)], draft: Draft) -> Option<&str> {
    let root = parts.first()?.0.as_str();
    let made_of: BTreeMap<&str, Vec<String>> = parts
        .iter()
        .map(|(name, part)| {
            let mut found = Vec::new();
            in_place(part, root, draft, &mut found);
            (name.as_str(), found)
        })
        .collect();
    made_of.keys().copied().find(|name| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![*name]);
        while let Some(part) = open.pop() {
            for next in made_of.get(part).into_iter().flatten() {
                if next == name {
                    return true;
                }
                if seen.insert(next.as_str()) {
                    open.push(next);
                }
            }
        }
        false
    })
}

/// The definitions that a value of a schema fits besides.
fn in_place(part: &Literal, root: &str, draft: Draft, found: &mut Vec<String>) {
    let Literal::Object(members) = part else { return };
    for (key, value) in members {
        match (key.as_str(), value) {
            ("$ref", Literal::String(reference)) => {
                found.extend(target(reference, root).rsplit('/').next().map(str::to_owned));
                if draft.refs_stand_alone() {
                    return;
                }
            }
            ("allOf" | "anyOf" | "oneOf", Literal::Array(parts)) => {
                parts.iter().for_each(|part| in_place(part, root, draft, found));
            }
            _ => {}
        }
    }
}
