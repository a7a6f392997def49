//! Finds what names stand for, and tells of those that stand for nothing.

use super::ast::{Definition, Kind, Pattern, Term};
use super::builtins::{self, Builtin};
use crate::diagnostics::codes::expressions::{E0341, E0342, E0343, E0344};
use crate::diagnostics::suggest;
use crate::expr::flaw::Flaw;
use std::ops::Range;

/// What is wrong with the names of a program; `variables` are those that it is given.
pub(super) fn check(program: &Term, text: &str, variables: &[&str]) -> Vec<Flaw> {
    let mut checker = Checker { text, flaws: Vec::new(), names: Vec::new() };
    checker.names.extend(variables.iter().map(|name| Name::Variable(name)));
    checker.term(program);
    checker.flaws
}

/// A name that is visible.
enum Name<'a> {
    Variable(&'a str),
    Label(&'a str),
    /// With the number of its parameters, and whether it is being defined.
    Function(&'a str, usize, bool),
}

struct Checker<'a> {
    text: &'a str,
    flaws: Vec<Flaw>,
    /// Innermost last.
    names: Vec<Name<'a>>,
}

impl<'a> Checker<'a> {
    fn term(&mut self, term: &'a Term) {
        let outside = self.names.len();
        match &term.kind {
            Kind::Bind(source, patterns, body) => {
                self.term(source);
                self.patterns(patterns);
                self.term(body);
            }
            Kind::Reduce(source, patterns, init, update) => {
                self.term(source);
                self.term(init);
                self.patterns(patterns);
                self.term(update);
            }
            Kind::Foreach(source, patterns, init, update, extract) => {
                self.term(source);
                self.term(init);
                self.patterns(patterns);
                self.term(update);
                extract.iter().for_each(|extract| self.term(extract));
            }
            Kind::Label(name, body) => {
                self.names.push(Name::Label(name));
                self.term(body);
            }
            Kind::Define(definition, body) => {
                self.definition(definition);
                self.names.push(Name::Function(&definition.name, definition.params.len(), false));
                self.term(body);
            }
            Kind::Variable(name) => self.variable(name, term),
            Kind::Break(name) => self.label(name, term),
            Kind::Format(name) | Kind::Text(Some(name), _) => {
                self.format(name, term.at.start..term.at.start + name.len());
                term.children(&mut |child| self.term(child));
            }
            Kind::Call(name, arguments) => {
                self.call(name, arguments, term);
                arguments.iter().for_each(|argument| self.term(argument));
            }
            _ => term.children(&mut |child| self.term(child)),
        }
        self.names.truncate(outside);
    }

    fn definition(&mut self, definition: &'a Definition) {
        let outside = self.names.len();
        self.names.push(Name::Function(&definition.name, definition.params.len(), true));
        for param in &definition.params {
            match param.strip_prefix('$') {
                Some(name) => self.names.extend([Name::Variable(name), Name::Function(name, 0, false)]),
                None => self.names.push(Name::Function(param, 0, false)),
            }
        }
        self.term(&definition.body);
        self.names.truncate(outside);
    }

    /// Looks at the keys of patterns, and binds their variables: all of them in every one.
    fn patterns(&mut self, patterns: &'a [Pattern]) {
        for pattern in patterns {
            self.names.extend(pattern.variables().into_iter().map(Name::Variable));
        }
        patterns.iter().for_each(|pattern| pattern.terms(&mut |key| self.term(key)));
    }

    fn variable(&mut self, name: &str, term: &Term) {
        let found = self.names.iter().any(|known| matches!(known, Name::Variable(known) if *known == name));
        if found {
            return;
        }
        if name == "ENV" || name == "__loc__" || name == "__prog_args" {
            let why = match name {
                "ENV" => "the environment of the program is no data of the workflow",
                "__prog_args" => "what the program is started with is no data of the workflow",
                _ => "the place of an expression in a file is not known to it",
            };
            return self
                .flaws
                .push(Flaw::new(&E0343, term.at.clone(), format!("`${name}` is not available")).help(why));
        }
        let known: Vec<&str> = self.visible(|known| match known {
            Name::Variable(name) => Some(*name),
            _ => None,
        });
        let flaw = Flaw::new(&E0342, term.at.clone(), format!("there is no variable `${name}`"));
        self.flaws.push(match suggest::nearest(name, known.iter().copied()) {
            Some(nearest) => flaw.help(format!("did you mean `${nearest}`?")),
            None if known.is_empty() => flaw.help("no variable is visible here; `… as $name | …` binds one"),
            None => {
                flaw.help(format!("the variables here are {}", list(known.iter().map(|name| format!("`${name}`")))))
            }
        });
    }

    /// What `pick` finds of the names that are visible, outermost first, each once.
    fn visible<'n>(&'n self, pick: impl Fn(&'n Name<'a>) -> Option<&'n str>) -> Vec<&'n str> {
        let mut found = Vec::new();
        for name in self.names.iter().filter_map(pick) {
            if !found.contains(&name) {
                found.push(name);
            }
        }
        found
    }

    fn label(&mut self, name: &str, term: &Term) {
        let labels = self.visible(|known| match known {
            Name::Label(name) => Some(*name),
            _ => None,
        });
        if labels.contains(&name) {
            return;
        }
        let help = suggest::nearest(name, labels).map(|nearest| format!("did you mean `${nearest}`?"));
        let flaw = Flaw::new(&E0342, term.at.clone(), format!("there is no label `${name}` around this `break`"));
        self.flaws
            .push(flaw.help(help.unwrap_or_else(|| format!("write `label ${name} | …` around what is to be left"))));
    }

    fn format(&mut self, name: &str, at: Range<usize>) {
        if builtins::FORMATS.contains(&name) {
            return;
        }
        let help = suggest::did_you_mean(name, builtins::FORMATS.iter().copied());
        let help = help
            .unwrap_or_else(|| format!("the formats are {}", list(builtins::FORMATS.iter().map(|f| format!("`{f}`")))));
        self.flaws.push(Flaw::new(&E0341, at, format!("there is no format `{name}`")).help(help));
    }

    fn call(&mut self, name: &'a str, arguments: &[Term], term: &Term) {
        let arity = arguments.len();
        let own = self.names.iter().rev().find_map(|known| match known {
            Name::Function(known, takes, open) if *known == name && *takes == arity => Some(*open),
            _ => None,
        });
        let at = term.at.start..term.at.start + name.len();
        match own {
            Some(false) => return,
            Some(true) => {
                let flaw = Flaw::new(&E0344, at, format!("`{name}` calls itself"));
                let help = "an expression must end: use `recurse`, `walk`, `until`, `while`, `reduce` or `foreach`";
                return self.flaws.push(flaw.help(help));
            }
            None => {}
        }
        if let Some(Builtin::Native(_) | Builtin::Special | Builtin::Defined(_)) = builtins::find(name, arity) {
            return;
        }
        if let Some(why) = builtins::refused(name) {
            return self.flaws.push(Flaw::new(&E0343, at, format!("`{name}` is not available")).help(why));
        }
        let arities = self.arities(name);
        let flaw = match &arities[..] {
            [] => self.unknown(name, arity, at),
            _ => {
                let takes = list_of(arities.iter().map(|arity| arity.to_string()), "or");
                let given = match arity {
                    0 => "none".to_owned(),
                    given => given.to_string(),
                };
                let message = format!("`{name}` takes {takes} arguments, and is given {given}");
                let flaw = Flaw::new(&E0341, term.at.clone(), message.replace("takes 1 arguments", "takes 1 argument"));
                match (arity, arities.iter().max()) {
                    (0, _) => flaw,
                    (given, Some(most)) if given > *most => flaw.help("leave out what is more than that"),
                    _ => flaw.help("arguments are separated by `;`, not by `,`"),
                }
            }
        };
        self.flaws.push(flaw);
    }

    /// The numbers of arguments that functions of this name take.
    fn arities(&self, name: &str) -> Vec<usize> {
        let own = self.names.iter().filter_map(|known| match known {
            Name::Function(known, takes, _) if *known == name => Some(*takes),
            _ => None,
        });
        let all = builtins::all().filter(|(known, _)| *known == name).map(|(_, takes)| takes);
        let mut arities: Vec<usize> = own.chain(all).collect();
        arities.sort_unstable();
        arities.dedup();
        arities
    }

    fn unknown(&self, name: &str, arity: usize, at: Range<usize>) -> Flaw {
        let whole = if arity == 0 { self.hyphenated(&at) } else { None };
        if let Some(whole) = whole {
            return Flaw::new(&E0341, at, format!("`{name}` is not defined")).help(format!("write `.\"{whole}\"`"));
        }
        let own = self.visible(|known| match known {
            Name::Function(name, ..) => Some(*name),
            _ => None,
        });
        let flaw = Flaw::new(&E0341, at, format!("there is no function `{name}`"));
        let nearest = suggest::nearest(name, own.into_iter().chain(builtins::all().map(|(known, _)| known)));
        match nearest {
            Some(nearest) => flaw.help(format!("did you mean `{nearest}`?")),
            None if arity == 0 => flaw.help(format!("write `.{name}` for the member, `\"{name}\"` for the text")),
            None => flaw,
        }
    }

    /// The name with hyphens that the function is a part of, such as `some-fruits` of `.some-fruits`.
    fn hyphenated(&self, at: &Range<usize>) -> Option<&str> {
        let in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let before = &self.text[..at.start];
        let start = before.rfind(|c| !in_name(c)).map_or(0, |at| at + 1);
        let end = at.end + self.text[at.end..].find(|c| !in_name(c)).unwrap_or(self.text.len() - at.end);
        let is_member = before[..start].ends_with('.') && !before[start..].is_empty() && before.ends_with('-');
        is_member.then(|| self.text[start..end].trim_end_matches('-'))
    }
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
