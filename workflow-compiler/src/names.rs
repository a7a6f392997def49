//! Identifiers of generated code, made of authored names: readable, legal, and unique in their
//! scope.
//!
//! Authored text becomes an identifier in two steps. [`snake_case`], [`camel_case`] and
//! [`as_written`] spell it with the characters that Rust allows. A [`NameScope`] then reserves it,
//! with a number if the scope or a scope around it has the identifier already. Both steps work in
//! Unicode normal form C, in which rustc compares identifiers.

mod reserved;
mod spelling;
#[cfg(test)]
pub(crate) mod tests;

pub use reserved::is_method_of_all;
pub use spelling::{as_written, camel_case, is_identifier, method_name, normalized, short_name, snake_case};

use reserved::{
    CONSTANT_PREFIXES, IMPORTED_TYPES, JAVASCRIPT, JQ, JSONATA, LITERAL, MODULE_CONSTANTS, MODULE_LOCALS, MODULE_TYPES,
    OPERATION, SCHEMA, TEXT,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The reserved identifiers of one scope of generated code.
///
/// A scope never gives an identifier that a scope around it has. The scopes around it are complete
/// before an inner scope is opened. Sibling scopes may share identifiers.
#[derive(Debug, Clone, Default)]
pub struct NameScope {
    around: Option<Arc<NameScope>>,
    taken: Taken,
}

impl NameScope {
    /// Creates a scope with reserved identifiers.
    fn with<'a>(taken: impl IntoIterator<Item = &'a str>) -> NameScope {
        NameScope { around: None, taken: taken.into_iter().map(|name| (name.to_owned(), 1)).collect() }
    }

    /// Creates a scope inside another one.
    pub fn inside(around: &Arc<NameScope>) -> NameScope {
        NameScope { around: Some(Arc::clone(around)), taken: Taken::new() }
    }

    /// Creates the outermost scope of a translated JavaScript function, inside the constants of a
    /// module.
    pub fn of_javascript(constants: &Arc<NameScope>) -> NameScope {
        NameScope { around: Some(Arc::clone(constants)), ..NameScope::with(JAVASCRIPT.iter().copied()) }
    }

    /// Creates the scope of a translated jq function, inside the constants of a module.
    pub fn of_jq(constants: &Arc<NameScope>) -> NameScope {
        NameScope { around: Some(Arc::clone(constants)), ..NameScope::with(JQ.iter().copied()) }
    }

    /// Creates the scope of a translated JSONata function, inside the constants of a module.
    pub fn of_jsonata(constants: &Arc<NameScope>) -> NameScope {
        NameScope { around: Some(Arc::clone(constants)), ..NameScope::with(JSONATA.iter().copied()) }
    }

    /// Reserves and returns an identifier: the wanted one, or the wanted one with a number.
    pub fn give(&mut self, wanted: &str) -> String {
        let gap = if wanted.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
        self.give_numbered(wanted, gap)
    }

    /// Reserves and returns an identifier like [`NameScope::give`], with `_` before any number.
    pub fn give_with_underscore(&mut self, wanted: &str) -> String {
        self.give_numbered(wanted, "_")
    }

    fn give_numbered(&mut self, wanted: &str, gap: &str) -> String {
        let around = self.around.as_deref();
        numbered(&mut self.taken, normalized(wanted).into_owned(), gap, |name| {
            around.is_some_and(|around| around.has(name))
        })
    }

    /// Returns `true` if this scope or a scope around it has an identifier, which is in normal
    /// form.
    fn has(&self, name: &str) -> bool {
        std::iter::successors(Some(self), |scope| scope.around.as_deref()).any(|scope| scope.taken.contains_key(name))
    }
}

/// Reserved names, each with the last number that was appended to it.
type Taken = BTreeMap<String, usize>;

fn numbered(taken: &mut Taken, name: String, gap: &str, is_taken_around: impl Fn(&str) -> bool) -> String {
    let known = taken.get(&name).copied();
    if known.is_none() && !is_taken_around(&name) {
        taken.insert(name.clone(), 1);
        return name;
    }
    let mut count = known.unwrap_or(1);
    // The `_` after a keyword is not part of the name any more.
    let (stem, gap) = name.strip_suffix('_').map_or((&*name, gap), |stem| (stem, "_"));
    let candidate = loop {
        count += 1;
        let candidate = format!("{stem}{gap}{count}");
        if !taken.contains_key(&candidate) && !is_taken_around(&candidate) {
            break candidate;
        }
    };
    taken.insert(name, count);
    taken.insert(candidate.clone(), 1);
    candidate
}

/// The identifiers of a module.
#[derive(Debug, Clone)]
pub struct Names {
    /// Functions, locals and constants share a namespace.
    values: NameScope,
    /// The names in `values` that a `let` cannot shadow: constants, and the type that stands for
    /// the workflow.
    constants: NameScope,
    points: NameScope,
    tags: Taken,
}

impl Names {
    /// Creates the identifiers of a module. Reserves the names that generated code uses itself,
    /// and the type that stands for the workflow.
    pub fn new(workflow: &str) -> Self {
        let own = type_name(workflow);
        let constants = || MODULE_CONSTANTS.iter().copied().chain([&*own]);
        Names {
            values: NameScope::with(MODULE_LOCALS.iter().copied().chain(constants())),
            constants: NameScope::with(constants()),
            // A variant named like a type would make the type look used.
            points: NameScope::with(IMPORTED_TYPES.iter().copied()),
            tags: Taken::new(),
        }
    }

    /// Reserves the name of a local.
    pub fn local(&mut self, authored: &str) -> String {
        self.values.give(&snake_case(authored))
    }

    /// Reserves the name of a function.
    pub fn function(&mut self, authored: &str) -> String {
        self.values.give(&snake_case(authored))
    }

    /// Reserves the name of a constant.
    pub fn constant(&mut self, authored: &str) -> String {
        let mut name = spelling::upper_case(authored);
        if CONSTANT_PREFIXES.iter().any(|own| name.starts_with(own)) {
            name.insert(0, '_');
        }
        let name = self.values.give(&name);
        self.constants.give(&name)
    }

    /// Reserves the variant of a resume point. Returns it with the name of the point in snapshots.
    pub fn point(&mut self, authored: &str) -> (String, String) {
        let name = self.points.give(&camel_case(authored));
        (name, numbered(&mut self.tags, authored.to_owned(), " #", |_| false))
    }

    /// Returns the identifiers that locals must not have. In a pattern they would mean the
    /// constant. Called once all module items are named.
    pub fn constants(self) -> Arc<NameScope> {
        Arc::new(self.constants)
    }
}

/// Returns the type that stands for the workflow of this name.
pub fn type_name(workflow: &str) -> String {
    let name = camel_case(workflow);
    let is_taken = MODULE_TYPES.iter().chain(MODULE_CONSTANTS).any(|own| *own == name);
    if is_taken { format!("{name}Workflow") } else { name }
}

/// Returns `true` if the name of a program's type means something else in a generated module.
pub fn means_own_item(name: &str) -> bool {
    reserved::hides_from_programs(name)
}

/// Returns `true` if generated code has this name for a local of its own, so that no authored
/// local can have it.
pub fn is_own_local(name: &str) -> bool {
    MODULE_LOCALS.contains(&name)
}

/// Returns the constant that holds the literal with this number.
pub fn literal_name(number: usize) -> String {
    format!("{LITERAL}{number}")
}

/// Returns the constant that holds the service operation with this number.
pub fn operation_name(number: usize) -> String {
    format!("{OPERATION}{number}")
}

/// Returns the constant that holds the long text with this number.
pub fn text_name(number: usize) -> String {
    format!("{TEXT}{number}")
}

/// Returns the constant that holds the schema with this number.
pub fn schema_name(number: usize) -> String {
    format!("{SCHEMA}{number}")
}
