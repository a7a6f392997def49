//! Parser of states.

use super::super::ast::{EventDeadline, Formula, JoinBranch, Leg, LegForm, Name, Work};
use super::super::codes as own;
use super::{BatonParseCx, all};
use crate::diagnostics::suggest::{listed, nearest};
use crate::diagnostics::{Diagnostic, codes::fields as codes};
use crate::dialects::names::NameTable;
use crate::dialects::object::Object;
use crate::dialects::object::any_case::word;
use crate::expr::jq::ResultMode;
use crate::source::{Span, Spanned};
use crate::syntax::{Entry, Node, Text, Tree, shown};

/// Form of a state: the member that names it, the noun phrase for messages, and the other members.
struct Form {
    name: &'static str,
    owner: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
}

const FORMS: [Form; 7] = [
    Form {
        name: "task",
        owner: "a `task` state",
        required: &["task", "next"],
        optional: &["with", "within", "keep", "retry", "catch"],
    },
    Form { name: "wait", owner: "a `wait` state", required: &["wait", "next"], optional: &[] },
    Form { name: "choose", owner: "a `choose` state", required: &["choose", "else"], optional: &[] },
    Form {
        name: "event",
        owner: "an `event` state",
        required: &["event", "next"],
        optional: &["within", "late", "keep"],
    },
    Form {
        name: "join",
        owner: "a `join` state",
        required: &["join", "branches", "next"],
        optional: &["keep", "retry", "catch"],
    },
    Form { name: "end", owner: "an `end` state", required: &["end"], optional: &[] },
    Form { name: "fail", owner: "a `fail` state", required: &["fail"], optional: &["because"] },
];

/// Program that tests whether no event arrived.
const HAS_PASSED: &str = ". == null";
/// Program that makes an object of the outputs of all branches.
const COLLECT_ALL: &str = "[to_entries[] | {($names[.key]): .value}] | add";
/// Program that makes an object of the indices and outputs of the branches that ended.
const COLLECT_FIRST: &str = "[.[] | {($names[.[0]]): .[1]}] | add";

impl BatonParseCx<'_> {
    /// Parses a state.
    pub(super) fn leg(&mut self, entry: &Entry, names: &NameTable) -> Option<Leg> {
        let node = &entry.value;
        let form = self.form(&entry.key, node)?;
        let object = Object::any_case(node, form.owner, form.required, form.optional, self.diagnostics)?;
        let parsed = match form.name {
            "choose" => self.choose(&object, names),
            "end" => self.formula(&object, "end", None, ResultMode::Value).map(LegForm::End),
            "fail" => self.fail(&object),
            _ => self.work_form(form.name, &object, names),
        };
        Some(Leg { name: Name::new(entry.key.value.as_str().into(), entry.key.span), form: parsed?, span: node.span })
    }

    /// Returns the form of a state, which must have exactly one.
    fn form(&mut self, name: &Text, node: &Node) -> Option<&'static Form> {
        let entries = Object::of(node, "a state", self.diagnostics)?.entries;
        let form_of = |entry: &Entry| FORMS.iter().find(|form| form.name.eq_ignore_ascii_case(&entry.key.value));
        let mut forms = entries.iter().filter_map(|entry| Some((entry, form_of(entry)?)));
        let Some((entry, form)) = forms.next() else {
            self.report_no_form(name, entries, node.span);
            return None;
        };
        if let Some((other, second)) = forms.find(|(_, second)| second.name != form.name) {
            let message = format!("the state `{}` has both `{}` and `{}`", shown(&name.value), form.name, second.name);
            self.diagnostics.push(
                Diagnostic::new(&own::WF1701, other.key.span, message)
                    .related(entry.key.span, format!("`{}` is set here", form.name))
                    .help("make two states of it"),
            );
            return None;
        }
        Some(form)
    }

    fn report_no_form(&mut self, name: &Text, entries: &[Entry], span: Span) {
        let forms = || FORMS.iter().map(|form| form.name);
        let misspelt = entries
            .iter()
            .filter(|entry| !FORMS.iter().any(|form| is_member(form, &entry.key.value)))
            .find_map(|entry| nearest(&entry.key.value, forms()).map(|near| (entry, near)));
        let message = format!("the state `{}` has no form", shown(&name.value));
        let help = format!("add one of the members {}", listed(forms()));
        self.diagnostics.push(match misspelt {
            Some((entry, near)) => {
                Diagnostic::new(&own::WF1701, entry.key.span, message).help(format!("did you mean `{near}`?"))
            }
            None => Diagnostic::new(&own::WF1701, span.opening(), message).help(help),
        });
    }

    fn fail(&mut self, object: &Object<'_>) -> Option<LegForm> {
        let error = object.name("fail", self.diagnostics);
        let cause = object.string("because", self.diagnostics);
        let error = error?;
        Some(LegForm::Fail { error: Spanned::new(error.value.to_string(), error.span), cause })
    }

    /// Parses a state that does something and continues with the next state.
    fn work_form(&mut self, form: &str, object: &Object<'_>, names: &NameTable) -> Option<LegForm> {
        let work = match form {
            "task" => self.task(object),
            "wait" => object.duration("wait", self.diagnostics).map(Work::Wait),
            "event" => self.event(object, names),
            _ => self.join(object),
        };
        let keep = self.formula(object, "keep", Some("result"), ResultMode::Value);
        let retries = self.retries(object);
        let catches = self.catches(object, names);
        let next = self.target(object, "next", names);
        Some(LegForm::Work { work: work?, keep, retries: retries?, catches: catches?, next: next? })
    }

    fn task(&mut self, object: &Object<'_>) -> Option<Work> {
        let key = object.name("task", self.diagnostics);
        let input = self.formula(object, "with", None, ResultMode::Value);
        let limit = object.duration("within", self.diagnostics);
        Some(Work::Task { key: key?, input, limit })
    }

    fn event(&mut self, object: &Object<'_>, names: &NameTable) -> Option<Work> {
        let kind = object.name("event", self.diagnostics);
        let limit = object.duration("within", self.diagnostics);
        let late = self.target(object, "late", names);
        if let (Some(entry), None) | (None, Some(entry)) = (object.entry("within"), object.entry("late")) {
            let (has, lacks) = if object.has("late") { ("late", "within") } else { ("within", "late") };
            let message = format!("`{has}` has no effect without `{lacks}`");
            let help = format!("add `{lacks}`, or remove `{has}`");
            self.diagnostics.push(Diagnostic::new(&own::WF1704, entry.key.span, message).help(help));
        }
        let deadline = match limit.zip(late) {
            Some((limit, late)) => {
                let has_passed = self.own(HAS_PASSED, None, ResultMode::Test, limit.span)?;
                Some(EventDeadline { limit, late, has_passed })
            }
            None => None,
        };
        Some(Work::Event { kind: kind?, deadline })
    }

    fn join(&mut self, object: &Object<'_>) -> Option<Work> {
        let entries = self.entries(object, "branches");
        let first = object.get("join").and_then(|node| self.first(node, entries.map(<[Entry]>::len)));
        let branches = entries?.iter().map(|entry| {
            let name = Name::new(entry.key.value.as_str().into(), entry.key.span);
            Some(JoinBranch { name, course: self.branch(&entry.value)? })
        });
        let branches = all(branches.collect());
        let (first, span) = (first?, object.key_span("join"));
        let source = if first.is_none() { COLLECT_ALL } else { COLLECT_FIRST };
        let collect = self.own(source, Some("names"), ResultMode::Value, span);
        Some(Work::Join { first, branches: branches?, collect: collect? })
    }

    /// Parses `join`: the number of branches to await, or `None` for all.
    fn first(&mut self, node: &Node, branches: Option<usize>) -> Option<Option<u32>> {
        match node.tree {
            Tree::String(_) => match word(node, "join", &["all", "any"], self.diagnostics)? {
                "all" => Some(None),
                _ => Some(Some(1)),
            },
            Tree::Int(count) => {
                let branches = branches?;
                let first = u32::try_from(count).ok().filter(|first| (1..=branches).contains(&(*first as usize)));
                if first.is_none() {
                    let message = format!("`join` is {count}, but the number of branches is {branches}");
                    let help = format!("use a whole number from 1 to {branches}");
                    self.diagnostics.push(Diagnostic::new(&own::WF1702, node.span, message).help(help));
                }
                first.map(Some)
            }
            _ => {
                let message = format!("`join` must be `all`, `any` or a number of branches, found {}", node.kind());
                let help = "write `\"all\"`, `\"any\"` or a number";
                self.diagnostics.push(Diagnostic::new(&codes::WF0403, node.span, message).help(help));
                None
            }
        }
    }

    /// Compiles a program of the dialect itself for a member with this span.
    fn own(&mut self, source: &str, variable: Option<&str>, mode: ResultMode, span: Span) -> Option<Formula> {
        self.compile(&Text::verbatim(source, span, span.start as usize), variable, mode)
    }
}

fn is_member(form: &Form, name: &str) -> bool {
    form.required.iter().chain(form.optional).any(|member| member.eq_ignore_ascii_case(name))
}
