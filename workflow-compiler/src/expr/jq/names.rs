//! Name resolution of jq programs.

use super::ast::{FunctionDef, Pattern, Term, TermKind};
use super::builtins;
use crate::diagnostics::suggest;
use crate::expr::error::ExprError;
use crate::expr::jq::codes::{WF0341, WF0342, WF0343, WF0344};
use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

/// Returns the errors in the names of a program. `variables` are the available variables.
pub(super) fn check(program: &Term, text: &str, variables: &[&str]) -> Vec<ExprError> {
    let mut checker = Checker { text, errors: Vec::new(), names: Vec::new(), variables: None };
    checker.bind(variables.iter().map(|name| (*name, Kind::Variable)));
    checker.term(program);
    checker.errors
}

/// Variables of jq that expressions do not have, each with the reason.
const UNAVAILABLE: [(&str, &str); 3] = [
    ("ENV", "the environment of the program is not part of the data"),
    ("__loc__", "an expression has no position in a file"),
    ("__prog_args", "the arguments of the program are not part of the data"),
];

/// The kind of a name in scope.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Variable,
    Label,
    /// A function, with the number of its parameters and a flag that is set inside its own
    /// definition.
    Function(usize, bool),
}

struct Checker<'a> {
    text: &'a str,
    errors: Vec<ExprError>,
    /// The names in scope, innermost last.
    names: Vec<(&'a str, Kind)>,
    /// The variables in scope, if they were listed after the last change of the names.
    variables: Option<Rc<[&'a str]>>,
}

impl<'a> Checker<'a> {
    fn term(&mut self, term: &'a Term) {
        let outside = self.names.len();
        match &term.kind {
            TermKind::Bind(source, patterns, body) => {
                self.term(source);
                self.patterns(patterns);
                self.term(body);
            }
            TermKind::Reduce(source, patterns, init, update) => {
                self.term(source);
                self.term(init);
                self.patterns(patterns);
                self.term(update);
            }
            TermKind::Foreach(source, patterns, init, update, extract) => {
                self.term(source);
                self.term(init);
                self.patterns(patterns);
                self.term(update);
                extract.iter().for_each(|extract| self.term(extract));
            }
            TermKind::Label(name, body) => {
                self.bind([(&**name, Kind::Label)]);
                self.term(body);
            }
            TermKind::Define(definition, body) => {
                self.definition(definition);
                self.bind([(&*definition.name, Kind::Function(definition.params.len(), false))]);
                self.term(body);
            }
            TermKind::Variable(name) => self.variable(name, term),
            TermKind::Break(name) => self.label(name, term),
            TermKind::Format(name) | TermKind::Text(Some(name), _) => {
                self.format(name, term.at.start..term.at.start + name.len());
                term.children(&mut |child| self.term(child));
            }
            TermKind::Call(name, arguments) => {
                self.call(name, arguments, term);
                arguments.iter().for_each(|argument| self.term(argument));
            }
            _ => term.children(&mut |child| self.term(child)),
        }
        self.leave(outside);
    }

    /// Adds names to the scope.
    fn bind(&mut self, names: impl IntoIterator<Item = (&'a str, Kind)>) {
        self.names.extend(names);
        self.variables = None;
    }

    /// Removes all names from the scope but the first ones.
    fn leave(&mut self, outside: usize) {
        if self.names.len() > outside {
            self.names.truncate(outside);
            self.variables = None;
        }
    }

    fn definition(&mut self, definition: &'a FunctionDef) {
        let outside = self.names.len();
        self.bind([(&*definition.name, Kind::Function(definition.params.len(), true))]);
        for param in &definition.params {
            match param.strip_prefix('$') {
                Some(name) => self.bind([(name, Kind::Variable), (name, Kind::Function(0, false))]),
                None => self.bind([(&**param, Kind::Function(0, false))]),
            }
        }
        self.term(&definition.body);
        self.leave(outside);
    }

    /// Checks the keys of patterns and binds their variables. All patterns bind all variables.
    fn patterns(&mut self, patterns: &'a [Pattern]) {
        for pattern in patterns {
            self.bind(pattern.variables().into_iter().map(|name| (name, Kind::Variable)));
        }
        patterns.iter().for_each(|pattern| pattern.terms(&mut |key| self.term(key)));
    }

    fn variable(&mut self, name: &str, term: &Term) {
        if self.is_visible(name, Kind::Variable) {
            return;
        }
        if let Some((_, why)) = UNAVAILABLE.iter().find(|(known, _)| *known == name) {
            let error = ExprError::new(&WF0343, term.at.clone(), format!("`${name}` is not available"));
            return self.errors.push(error.help(*why));
        }
        let known = self.variables();
        let error = ExprError::new(&WF0342, term.at.clone(), format!("unknown variable `${name}`"));
        self.errors.push(match suggest::nearest(name, known.iter().copied()) {
            Some(nearest) => error.help(format!("did you mean `${nearest}`?")),
            None if known.is_empty() => error.help("no variable is in scope: bind one with `… as $name | …`"),
            None => error.help(format!("the variables in scope are {}", listed_variables(&known))),
        });
    }

    /// Returns the variables in scope. They are listed once for all unknown names of a scope.
    fn variables(&mut self) -> Rc<[&'a str]> {
        let known = self.variables.take().unwrap_or_else(|| self.visible(|kind| kind == Kind::Variable).into());
        self.variables.insert(known).clone()
    }

    fn is_visible(&self, name: &str, kind: Kind) -> bool {
        self.names.contains(&(name, kind))
    }

    /// Returns the names in scope of some kinds, outermost first and without duplicates.
    fn visible(&self, is_wanted: impl Fn(Kind) -> bool) -> Vec<&'a str> {
        let mut seen = HashSet::new();
        let wanted = self.names.iter().filter(|(_, kind)| is_wanted(*kind)).map(|(name, _)| *name);
        wanted.filter(|name| seen.insert(*name)).collect()
    }

    fn label(&mut self, name: &str, term: &Term) {
        if self.is_visible(name, Kind::Label) {
            return;
        }
        let help = suggest::nearest(name, self.visible(|kind| kind == Kind::Label))
            .map(|nearest| format!("did you mean `${nearest}`?"));
        let error = ExprError::new(&WF0342, term.at.clone(), format!("unknown label `${name}`"));
        self.errors.push(
            error.help(help.unwrap_or_else(|| format!("write `label ${name} | …` around the expression to leave"))),
        );
    }

    fn format(&mut self, name: &str, at: Range<usize>) {
        let formats = builtins::FORMATS.iter().map(|(format, _)| *format);
        if formats.clone().any(|known| known == name) {
            return;
        }
        let help = suggest::did_you_mean(name, formats.clone());
        let help = help.unwrap_or_else(|| format!("the formats are {}", list(formats.map(|f| format!("`{f}`")))));
        self.errors.push(ExprError::new(&WF0341, at, format!("unknown format `{name}`")).help(help));
    }

    fn call(&mut self, name: &'a str, arguments: &[Term], term: &Term) {
        let arity = arguments.len();
        let own = self.names.iter().rev().find_map(|known| match *known {
            (known, Kind::Function(takes, open)) if known == name && takes == arity => Some(open),
            _ => None,
        });
        let at = term.at.start..term.at.start + name.len();
        match own {
            Some(false) => return,
            Some(true) => {
                let error = ExprError::new(&WF0344, at, format!("`{name}` calls itself"));
                let help = "recursion is not supported: use `recurse`, `walk`, `until`, `while`, `reduce` or `foreach`";
                return self.errors.push(error.help(help));
            }
            None => {}
        }
        if builtins::find(name, arity).is_some() {
            return;
        }
        if let Some(why) = builtins::refused(name) {
            return self.errors.push(ExprError::new(&WF0343, at, format!("`{name}` is not available")).help(why));
        }
        let arities = self.arities(name);
        let Some(most) = arities.iter().max() else {
            return self.errors.push(self.unknown_function(name, arity, at));
        };
        let takes = list_of(arities.iter().map(|arity| arity.to_string()), "or");
        let plural = if takes == "1" { "" } else { "s" };
        let found = if arity == 0 { "none".to_owned() } else { arity.to_string() };
        let message = format!("`{name}` takes {takes} argument{plural}, found {found}");
        let error = ExprError::new(&WF0341, term.at.clone(), message);
        self.errors.push(match arity {
            0 => error,
            found if found > *most => error.help("remove the extra arguments"),
            _ => error.help("separate arguments with `;`, not with `,`"),
        });
    }

    /// Returns the arities of the functions of this name.
    fn arities(&self, name: &str) -> Vec<usize> {
        let own = self.names.iter().filter_map(|known| match *known {
            (known, Kind::Function(takes, _)) if known == name => Some(takes),
            _ => None,
        });
        let all = builtins::all().filter(|(known, _)| *known == name).map(|(_, takes)| takes);
        let mut arities: Vec<usize> = own.chain(all).collect();
        arities.sort_unstable();
        arities.dedup();
        arities
    }

    fn unknown_function(&self, name: &str, arity: usize, at: Range<usize>) -> ExprError {
        let whole = if arity == 0 { self.hyphenated(&at) } else { None };
        if let Some(whole) = whole {
            return ExprError::new(&WF0341, at, format!("`{name}` is not defined"))
                .help(format!("write `.\"{whole}\"`"));
        }
        let own = self.visible(|kind| matches!(kind, Kind::Function(..)));
        let error = ExprError::new(&WF0341, at, format!("unknown function `{name}`"));
        let all: Vec<&str> = own.into_iter().chain(builtins::all().map(|(known, _)| known)).collect();
        let nearest = suggest::likely(name, all.iter().copied());
        match nearest {
            Some(nearest) => error.help(format!("did you mean `{nearest}`?")),
            None if arity == 0 => error.help(format!("write `.{name}` for the member, or `\"{name}\"` for the string")),
            None => error,
        }
    }

    /// Returns the hyphenated name that contains the function's name, such as `some-fruits` in
    /// `.some-fruits`.
    fn hyphenated(&self, at: &Range<usize>) -> Option<&str> {
        let in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let before = &self.text[..at.start];
        let start = before.rfind(|c| !in_name(c)).map_or(0, |at| at + 1);
        let end = at.end + self.text[at.end..].find(|c| !in_name(c)).unwrap_or(self.text.len() - at.end);
        let is_member = before[..start].ends_with('.') && !before[start..].is_empty() && before.ends_with('-');
        is_member.then(|| self.text[start..end].trim_end_matches('-'))
    }
}

/// Lists the first variables, and the number of the others.
fn listed_variables(names: &[&str]) -> String {
    const MOST: usize = 8;
    let others = names.len().saturating_sub(MOST);
    let first = names.iter().take(MOST).map(|name| format!("`${name}`"));
    list(first.chain((others > 0).then(|| format!("{others} more"))))
}

fn list(items: impl Iterator<Item = String>) -> String {
    list_of(items, "and")
}

fn list_of(items: impl Iterator<Item = String>, last: &str) -> String {
    let items: Vec<String> = items.collect();
    match &items[..] {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}
