//! Detection of the dialect of a definition by its file name and its fields. The compiler never
//! tries several parsers in turn.

use super::{DIALECTS, Dialect, FrontEnd, published};
use crate::Options;
use crate::diagnostics::{Diagnostic, Diagnostics, codes::syntax as codes, suggest};
use crate::syntax::{Entry, Node, Tree};

/// Returns the dialect of `definition`, which was read from the file `name`. The suffix of the
/// file name decides, and without a known suffix the fields do. Returns `None` after reporting an
/// unknown or ambiguous dialect, or one that is not built in.
pub fn detect(definition: &Node, name: &str, diagnostics: &mut Diagnostics) -> Option<&'static str> {
    let Tree::Object(members) = &definition.tree else {
        report_no_object(definition, diagnostics);
        return None;
    };
    let by_fields: Vec<&Dialect> = DIALECTS.iter().copied().filter(|dialect| dialect.matches(members)).collect();
    let dialect = match (by_name(name), by_fields.as_slice()) {
        (Some(named), []) => named,
        (Some(named), fitting) if fitting.iter().any(|dialect| dialect.name == named.name) => named,
        (None, [only]) => only,
        // A part that could not be read may hold the fields that identify the dialect.
        (None, []) if diagnostics.has_errors() => return None,
        (None, []) => {
            report_unknown(definition, members, name, diagnostics);
            return None;
        }
        (named, fitting) => {
            report_ambiguous(definition, members, named, fitting, diagnostics);
            return None;
        }
    };
    if dialect.read.is_none() {
        report_not_built_in(definition, members, dialect, diagnostics);
        return None;
    }
    Some(dialect.name)
}

/// Returns `true` if the tolerant JSON reader may repair `definition`. The dialect is the one that
/// the options name, or else the one of the file name or of the fields.
pub fn is_lenient(definition: &Node, name: &str, options: &Options) -> bool {
    let members = definition.as_object().unwrap_or_default();
    let dialect = match &options.dialect {
        Some(dialect) => DIALECTS.iter().copied().find(|entry| entry.name == dialect),
        None => by_name(name).or_else(|| DIALECTS.iter().copied().find(|entry| entry.matches(members))),
    };
    dialect.is_some_and(|dialect| dialect.lenient)
}

fn by_name(name: &str) -> Option<&'static Dialect> {
    let lower = name.to_ascii_lowercase();
    DIALECTS.iter().copied().find(|dialect| dialect.suffixes.iter().any(|suffix| lower.ends_with(suffix)))
}

/// Returns the front end of the dialect `name`. Returns `None` after reporting that the dialect is
/// unknown or not built in. Warns of options that have no effect on the dialect.
pub fn front_end(name: &str, definition: &Node, options: &Options, diagnostics: &mut Diagnostics) -> Option<FrontEnd> {
    let Some(dialect) = DIALECTS.iter().copied().find(|dialect| dialect.name == name) else {
        let names: Vec<&str> = published().map(|dialect| dialect.name).collect();
        let help = match suggest::nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the dialects are `{}`", names.join("`, `")),
        };
        let message = format!("unknown dialect `{name}`");
        let diagnostic = Diagnostic::new(&codes::WF0133, definition.span.at_start(), message).help(help);
        diagnostics.push(diagnostic.argument("", "dialect"));
        return None;
    };
    if dialect.read.is_none() {
        let members = definition.as_object().unwrap_or_default();
        report_not_built_in(definition, members, dialect, diagnostics);
    } else if options.express && !dialect.has_express {
        let message = format!("`express` has no effect on {}", dialect.noun);
        let help = "remove `express`: only the Amazon States Language has Express workflows";
        diagnostics.push(
            Diagnostic::new(&codes::WF0180, definition.span.at_start(), message).help(help).argument("", "express"),
        );
    }
    dialect.read
}

fn report_no_object(definition: &Node, diagnostics: &mut Diagnostics) {
    if diagnostics.has_errors() {
        return;
    }
    let message = format!("a definition must be an object, found {}", definition.kind());
    diagnostics
        .push(Diagnostic::new(&codes::WF0130, definition.span, message).help("write the definition as an object"));
}

fn report_unknown(definition: &Node, members: &[Entry], name: &str, diagnostics: &mut Diagnostics) {
    let span = definition.span.at_start();
    let suffixes: Vec<String> =
        published().flat_map(|dialect| dialect.suffixes).map(|suffix| format!("`{suffix}`")).collect();
    let mut fields: Vec<String> = published().map(Dialect::fields).collect();
    fields.dedup();
    let file_name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let message = format!("cannot determine the dialect of `{file_name}` from its name or its fields");
    let label = format!("expected the suffix {}, or the fields {}", suffixes.join(", "), fields.join(", "));
    let mut diagnostic = Diagnostic::new(&codes::WF0130, span, message).label(label);
    let fields = published().flat_map(|dialect| dialect.fields).copied();
    let misspelled = members
        .iter()
        .filter(|entry| !published().any(|dialect| dialect.fields.contains(&entry.key.value.as_str())))
        .find_map(|entry| suggest::nearest(&entry.key.value, fields.clone()).map(|nearest| (entry, nearest)));
    diagnostic = match misspelled {
        Some((entry, nearest)) => {
            diagnostic.related(entry.key.span, "unknown field").help(format!("did you mean `{nearest}`?"))
        }
        None => diagnostic.help("set the dialect, as in `dialect = \"asl\"`, or rename the file"),
    };
    diagnostics.push(diagnostic);
}

fn report_ambiguous(
    definition: &Node,
    members: &[Entry],
    named: Option<&Dialect>,
    fitting: &[&Dialect],
    diagnostics: &mut Diagnostics,
) {
    let mut reasons = Vec::new();
    if let Some(named) = named {
        reasons.push(format!("{} (by its suffix)", named.title));
    }
    reasons.extend(fitting.iter().map(|dialect| format!("{} (by {})", dialect.title, dialect.marks())));
    let message = format!("ambiguous dialect: the file could be {}", reasons.join(" or "));
    let mut diagnostic = Diagnostic::new(&codes::WF0131, definition.span.at_start(), message);
    for dialect in fitting {
        if let Some(span) = dialect.evidence(members) {
            diagnostic = diagnostic.related(span, format!("this field is of {}", dialect.title));
        }
    }
    let name = named.or(fitting.first().copied()).map_or("asl", |dialect| dialect.name);
    diagnostics.push(diagnostic.help(format!("set the dialect, as in `dialect = \"{name}\"`")));
}

fn report_not_built_in(definition: &Node, members: &[Entry], dialect: &Dialect, diagnostics: &mut Diagnostics) {
    let built_in: Vec<&str> =
        published().filter(|dialect| dialect.read.is_some()).map(|dialect| dialect.title).collect();
    let span = dialect.evidence(members).unwrap_or(definition.span.at_start());
    let message = format!("the definition is in {}, but the compiler was built without this dialect", dialect.title);
    let help = match built_in.as_slice() {
        [] => "enable the feature of the dialect".to_owned(),
        titles => format!("the compiler was built with: {}", titles.join(", ")),
    };
    diagnostics.push(Diagnostic::new(&codes::WF0132, span, message).help(help));
}

#[cfg(test)]
mod tests;
