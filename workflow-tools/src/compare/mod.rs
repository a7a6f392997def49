//! Comparison of two versions of a definition: can executions of the old version continue with the
//! code of the new one?
//!
//! An execution waits in states. Each state of the old definition in which an execution can wait
//! gets a [`Verdict`]:
//!
//! * [`Verdict::Safe`]: the new code loads the execution, and continues it like the old code.
//!   Later states run as the new definition defines them. [`StateComparison::differs`] names the
//!   first of them that changed.
//! * [`Verdict::Migration`]: the new code waits there too, but for another task or with another
//!   payload. It refuses to load the execution, and leaves it unchanged. Keep the old version in
//!   the build until these executions have ended.
//! * [`Verdict::Breaking`]: the new code does not wait there, or awaits something else. It refuses
//!   to load the execution, and no change of its data would help.
//!
//! The comparison uses the machine (resume points and their payloads) and the meaning of states,
//! not the text.

mod fields;
mod json;
mod render;
mod shape;
mod similar;
#[cfg(test)]
mod tests;
mod version_index;

use shape::Aspect;
use similar::Added;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use version_index::{Awaits, Pairs, StateAt, StateKey, VersionIndex};
use workflow_compiler::Output;
use workflow_compiler::machine::{Origin, ResumePoint, ResumePointId};
use workflow_compiler::model::WorkflowId;

/// The maximum number of changed later states that a comparison names.
const MOST_DIFFERING: usize = 5;

/// The ability of an execution to continue with another version of its definition.
///
/// See the example of [`compare`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The execution can continue.
    Safe,
    /// The execution cannot continue, because the task or the payload of its resume point differs.
    Migration,
    /// The execution cannot continue, because its resume point does not exist or awaits something
    /// else.
    Breaking,
}

/// The result of a comparison.
///
/// See the example of [`compare`].
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The old version.
    pub old: Version,
    /// The new version.
    pub new: Version,
    /// Changes that concern executions in all states, the worst first.
    pub notes: Vec<Note>,
    /// The states of the old version in which an execution can wait: those with the worst verdict
    /// first, and in source order.
    pub states: Vec<StateComparison>,
}

/// A version of a definition.
///
/// See the example of [`compare`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// Its file.
    pub file: String,
    /// The name of the workflow.
    pub workflow: String,
    /// The hash of its meaning.
    pub hash: u64,
}

/// A change that concerns executions in all states.
///
/// See the example of [`compare`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The consequence for executions.
    pub verdict: Verdict,
    /// The description of the change.
    pub text: String,
}

/// The consequence for executions that wait in a state.
///
/// See the example of [`compare`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateComparison {
    /// The name of the state.
    pub state: String,
    /// The states around it, the outermost first.
    pub within: Vec<String>,
    /// Its line in the old file.
    pub line: u32,
    /// The worst verdict of its resume points.
    pub verdict: Verdict,
    /// The reasons for a verdict other than safe.
    pub reasons: Vec<String>,
    /// The first later states that changed, if the executions can continue.
    pub differs: Vec<Differing>,
    /// Remarks about executions that can continue.
    pub remarks: Vec<String>,
    /// The new name of a state that no longer exists, if it was renamed.
    pub renamed: Option<Renamed>,
    /// The resume points at which executions can wait in the state.
    pub points: Vec<PointComparison>,
}

/// A state that changed.
///
/// See the example of [`compare`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Differing {
    /// Its name.
    pub state: String,
    /// The changed aspects, such as `its retriers`. Empty if the state no longer exists.
    pub what: Vec<&'static str>,
}

/// A state of the new definition that does what a removed state of the old one did.
///
/// See the example of [`compare`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamed {
    /// Its name.
    pub state: String,
    /// Its line in the new file.
    pub line: u32,
}

/// The consequence for executions that wait at a resume point.
///
/// See the example of [`compare`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointComparison {
    /// The name of the resume point in snapshots.
    pub point: String,
    /// The verdict for this resume point.
    pub verdict: Verdict,
}

impl Comparison {
    /// Returns `true` if both versions have the same meaning.
    pub fn is_same(&self) -> bool {
        self.old.hash == self.new.hash && self.notes.is_empty()
    }

    /// Returns the worst verdict.
    pub fn verdict(&self) -> Verdict {
        let verdicts = self.states.iter().map(|state| state.verdict);
        verdicts.chain(self.notes.iter().map(|note| note.verdict)).max().unwrap_or(Verdict::Safe)
    }

    /// Returns the number of states with a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.states.iter().filter(|state| state.verdict == verdict).count()
    }
}

/// Compares two definitions. Returns `None` if one of them is refused.
///
/// ```
/// use workflow_compiler::{Options, Output, Source, compile};
/// use workflow_tools::compare::{Verdict, compare};
///
/// let version = |state: &str| -> Output {
///     let text = r#"{ "StartAt": "X", "States": {
///         "X": { "Type": "Wait", "Seconds": 9, "End": true } } }"#;
///     compile(Source::new("nap.asl.json", text.replace('X', state)), &Options::default())
/// };
/// let comparison = compare(&version("Nap"), &version("Rest")).expect("both are accepted");
/// assert_eq!(comparison.verdict(), Verdict::Breaking);
/// assert_eq!(comparison.states[0].renamed.as_ref().map(|new| new.state.as_str()), Some("Rest"));
/// assert!(comparison.to_string().starts_with("nap.asl.json:2: `Nap`: breaking"));
/// ```
pub fn compare(old: &Output, new: &Output) -> Option<Comparison> {
    let (old, new) = (VersionIndex::of(old)?, VersionIndex::of(new)?);
    let pairs = Pairs::of(&old, &new);
    let mut notes = notes(&old, &new);
    let comparer = Comparer {
        old: &old,
        new: &new,
        pairs: &pairs,
        changes: changes(&old, &new, &pairs),
        added: Added::of(&new, &pairs),
    };
    let mut states: Vec<StateComparison> = old.waiting().map(|(at, points)| comparer.state(at, &points)).collect();
    for state in &mut states {
        for note in notes.iter().filter(|note| note.verdict > Verdict::Safe) {
            state.verdict = state.verdict.max(note.verdict);
            state.reasons.insert(0, note.text.clone());
            state.points.iter_mut().for_each(|point| point.verdict = point.verdict.max(note.verdict));
        }
        if state.verdict > Verdict::Safe {
            state.differs.clear();
            state.remarks.clear();
        }
    }
    // Stable: states with the same verdict stay in source order.
    notes.sort_by_key(|note| Reverse(note.verdict));
    states.sort_by_key(|state| Reverse(state.verdict));
    Some(Comparison { old: old.version(), new: new.version(), notes, states })
}

fn notes(old: &VersionIndex<'_>, new: &VersionIndex<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut note = |verdict, text| notes.push(Note { verdict, text });
    let (before, after) = (old.workflow, new.workflow);
    if before.name != after.name {
        note(Verdict::Breaking, format!("the name of the workflow changed from `{}` to `{}`", before.name, after.name));
    }
    if before.dialect != after.dialect {
        note(Verdict::Safe, format!("the dialect changed from {} to {}", before.dialect, after.dialect));
    }
    if let (Some(was), Some(is)) = (&before.id, &after.id) {
        let name = |id: &WorkflowId| match &id.version {
            Some(version) => format!("`{}` {version}", id.id),
            None => format!("`{}`", id.id),
        };
        if name(was) != name(is) {
            note(
                Verdict::Safe,
                format!(
                    "the id of the workflow changed from {} to {}: other workflows start it by its id",
                    name(was),
                    name(is)
                ),
            );
        }
        match (was.is_child, is.is_child) {
            (true, false) => note(Verdict::Safe, "other workflows can no longer start this workflow".to_owned()),
            (false, true) => note(Verdict::Safe, "other workflows can now start this workflow".to_owned()),
            _ => {}
        }
    }
    let timeout = |version: &VersionIndex<'_>| version.workflow.timeout.as_ref().map(|timeout| timeout.value);
    if timeout(old) != timeout(new) {
        let text = amounts("time-out", timeout(old), timeout(new), "s");
        note(Verdict::Safe, format!("{text}, but running executions keep their deadline"));
    }
    let schedule = |version: &VersionIndex<'_>| {
        version.workflow.schedule.as_ref().map(|schedule| (schedule.written.clone(), schedule.active))
    };
    if schedule(old) != schedule(new) {
        let show = |version: &VersionIndex<'_>| {
            schedule(version).map_or("any time".to_owned(), |(written, _)| format!("`{written}`"))
        };
        let text = format!("the schedule changed from {} to {}: running executions continue", show(old), show(new));
        note(Verdict::Safe, text);
    }
    if old.data_limit != new.data_limit {
        let text = amounts("data limit", old.data_limit, new.data_limit, "bytes");
        note(Verdict::Safe, format!("{text}, but running executions keep their limit"));
    }
    for (_, name) in &after.settings {
        if before.settings.iter().all(|(_, known)| known != name) {
            note(Verdict::Safe, format!("new setting `{name}`: its value is null in running executions"));
        }
    }
    if new.machine.context && !old.machine.context {
        let text =
            "the new definition reads the context object, and `$$.Execution.Input` is null in running executions";
        note(Verdict::Safe, text.to_owned());
    }
    notes
}

fn amounts<N: ToString>(what: &str, old: Option<N>, new: Option<N>, unit: &str) -> String {
    let show = |amount: Option<N>| amount.map_or("none".to_owned(), |amount| format!("{} {unit}", amount.to_string()));
    format!("the {what} changed from {} to {}", show(old), show(new))
}

struct Comparer<'a> {
    old: &'a VersionIndex<'a>,
    new: &'a VersionIndex<'a>,
    pairs: &'a Pairs<'a>,
    /// The removed states and the changed states, with their changed aspects.
    changes: BTreeMap<StateKey, Vec<Aspect>>,
    added: Added<'a>,
}

/// Returns the removed states, without aspects, and the changed states, with their changed
/// aspects.
fn changes(old: &VersionIndex<'_>, new: &VersionIndex<'_>, pairs: &Pairs<'_>) -> BTreeMap<StateKey, Vec<Aspect>> {
    let mut changes = BTreeMap::new();
    for at in old.states() {
        match pairs.get(at).map(|pair| shape::differences(&old.shape(at), &new.shape(pair))) {
            Some(alike) if alike.is_empty() => {}
            what => _ = changes.insert(at.key(), what.unwrap_or_default()),
        }
    }
    changes
}

/// The verdict for a resume point, and its reason.
struct PointVerdict {
    verdict: Verdict,
    reason: Option<String>,
}

impl Comparer<'_> {
    fn state(&self, at: StateAt<'_>, points: &[ResumePointId]) -> StateComparison {
        let judged: Vec<(ResumePointId, PointVerdict)> =
            points.iter().map(|point| (*point, self.point(at, *point))).collect();
        let mut reasons: Vec<String> = Vec::new();
        for (point, judged) in &judged {
            let Some(reason) = &judged.reason else { continue };
            // A removed state needs one reason only, whatever it awaits.
            let reason = match points.len() == 1 || self.pairs.get(at).is_none() {
                true => reason.clone(),
                false => format!("{}: {reason}", self.old.awaits(*point).phrase()),
            };
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        let mut verdict = judged.iter().map(|(_, judged)| judged.verdict).max().unwrap_or(Verdict::Safe);
        let (around, why) = self.around(at);
        if around > verdict || around == verdict && verdict > Verdict::Safe {
            reasons.extend(why);
        }
        let points = judged.iter().map(|(point, judged)| PointComparison {
            point: self.old.machine.points[*point].tag.clone(),
            verdict: judged.verdict,
        });
        verdict = verdict.max(around);
        StateComparison {
            state: at.state.name.value.to_string(),
            within: self.old.within(at.scope).iter().map(|state| state.to_string()).collect(),
            line: self.old.sources.line_of(at.state.name.span),
            verdict,
            reasons,
            differs: self.differs(at),
            remarks: self.remarks(at),
            renamed: if self.pairs.get(at).is_none() { self.added.like(at, self.old) } else { None },
            points: points.collect(),
        }
    }

    fn point(&self, at: StateAt<'_>, point: ResumePointId) -> PointVerdict {
        let old = &self.old.machine.points[point];
        let breaking = |reason: String| PointVerdict { verdict: Verdict::Breaking, reason: Some(reason) };
        let migration = |reason: String| PointVerdict { verdict: Verdict::Migration, reason: Some(reason) };
        let name = &at.state.name.value;
        let pair = self.pairs.get(at);
        let Some(found) = self.new.point(&old.tag) else {
            return breaking(match pair {
                None => format!("the new definition has no state `{name}` {}", self.place(at)),
                Some(_) if old.among != (1, 1) => namesakes(name),
                Some(_) => "the new definition does not wait here".to_owned(),
            });
        };
        let new = &self.new.machine.points[found];
        if !pair.is_some_and(|pair| is_in(new.origin.as_ref(), pair)) {
            if old.among != new.among {
                return breaking(namesakes(name));
            }
            let there = new.origin.as_ref().map(|origin| self.new.within(origin.scope)).unwrap_or_default();
            let there = there.last().map_or("at the top level".to_owned(), |state| format!("inside `{state}`"));
            return breaking(format!("the new definition has `{name}` {there} instead of {}", self.place(at)));
        }
        let (before, now) = (self.old.awaits(point), self.new.awaits(found));
        if !before.is_alike(&now) {
            return breaking(format!("the new definition waits {} here instead of {}", now.phrase(), before.phrase()));
        }
        if let Some(reason) = self.renumbered(at) {
            return breaking(reason.to_owned());
        }
        if old.among != new.among {
            return migration(namesakes(name));
        }
        if self.old.machine.layout(old) != self.new.machine.layout(new) {
            return migration(self.carried(old, new));
        }
        if let (Awaits::Task(before), Awaits::Task(now)) = (&before, &now)
            && before != now
            && !self.new.workflow.tasks.iter().any(|task| task.key == *before && *task.state == **name)
        {
            return migration(format!("its task changed from `{before}` to `{now}`"));
        }
        if let Awaits::Events(names) = &before {
            let known = |name: &str| self.new.workflow.events.iter().any(|event| event.name == name);
            if let Some(removed) = names.iter().find(|name| !known(name)) {
                let others = format!(
                    "the new definition waits {} here, and does not define the event `{removed}`",
                    now.phrase()
                );
                return migration(others);
            }
        }
        PointVerdict { verdict: Verdict::Safe, reason: None }
    }

    /// Returns a reason if stored runs of the distributed Map `at` belong to another one in the
    /// new definition: they refer to their Map and to its processor by numbers.
    fn renumbered(&self, at: StateAt<'_>) -> Option<&'static str> {
        let old = self.old.map_numbers(at)?;
        match self.new.map_numbers(self.pairs.get(at)?) {
            Some(new) if new == old => None,
            Some(_) => Some("the new definition numbers its distributed Maps otherwise"),
            None => Some("it is no distributed Map in the new definition"),
        }
    }

    fn place(&self, at: StateAt<'_>) -> String {
        self.old.within(at.scope).last().map_or("at the top level".to_owned(), |state| format!("inside `{state}`"))
    }

    /// Describes the difference between two payloads.
    fn carried(&self, old: &ResumePoint, new: &ResumePoint) -> String {
        let (before, now) = (fields::fields(old, self.old), fields::fields(new, self.new));
        let gained = fields::enumerate(&fields::missing_from(&now, &before));
        let lost = fields::enumerate(&fields::missing_from(&before, &now));
        match (gained.is_empty(), lost.is_empty()) {
            (true, true) => "the new definition saves the same data in another layout".to_owned(),
            (false, true) => format!("the new definition also saves {gained} here"),
            (true, false) => format!("the new definition no longer saves {lost} here"),
            (false, false) => format!("the new definition saves {gained} here instead of {lost}"),
        }
    }

    /// Returns the worst verdict of the states around a state, which wait for their branches or
    /// iterations meanwhile.
    fn around(&self, at: StateAt<'_>) -> (Verdict, Option<String>) {
        let mut worst = (Verdict::Safe, None);
        let mut scope = at.scope;
        while let Some(outer) = self.old.outer(scope) {
            // The executions of items do not wait in the Map state, but belong to its run.
            if let (Some(reason), true) = (self.renumbered(outer), worst.0 < Verdict::Breaking) {
                let reason = format!("the enclosing state `{}`: {reason}", outer.state.name.value);
                worst = (Verdict::Breaking, Some(reason));
            }
            for point in self.old.points_of(outer) {
                if !matches!(self.old.awaits(point), Awaits::Branches | Awaits::Iterations) {
                    continue;
                }
                let judged = self.point(outer, point);
                if judged.verdict > worst.0 {
                    let reason = judged.reason.unwrap_or_default();
                    worst =
                        (judged.verdict, Some(format!("the enclosing state `{}`: {reason}", outer.state.name.value)));
                }
            }
            scope = outer.scope;
        }
        worst
    }

    /// Returns the first changed states from a state on.
    fn differs(&self, at: StateAt<'_>) -> Vec<Differing> {
        let mut found = Vec::new();
        let mut seen = BTreeSet::from([at.key()]);
        let mut open = VecDeque::from([at]);
        while let Some(at) = open.pop_front() {
            let next = match self.changes.get(&at.key()) {
                None => self.old.successors(at),
                // Stop here: what follows comes after a change.
                Some(what) => {
                    let state = at.state.name.value.to_string();
                    let differing = Differing { state, what: what.iter().map(|aspect| aspect.phrase()).collect() };
                    if !found.contains(&differing) {
                        found.push(differing);
                    }
                    self.old.outer(at.scope).into_iter().collect()
                }
            };
            if found.len() == MOST_DIFFERING {
                break;
            }
            open.extend(next.into_iter().filter(|next| seen.insert(next.key())));
        }
        found
    }

    /// Returns differences between executions that wait inside of a state, or for its branches,
    /// and new executions.
    fn remarks(&self, at: StateAt<'_>) -> Vec<String> {
        let mut remarks = self.kept_waits(at);
        let mut next = Some(at);
        while let Some(at) = next {
            let Some(pair) = self.pairs.get(at) else { break };
            let (old, new) = (self.old.children(at), self.new.children(pair));
            let forks = |version: &VersionIndex<'_>, at| {
                version.points_of(at).iter().any(|point| matches!(version.awaits(*point), Awaits::Branches))
            };
            let order: Vec<Option<usize>> =
                old.iter().map(|scope| new.iter().position(|other| self.pairs.scope(*scope) == Some(*other))).collect();
            let name = &at.state.name.value;
            if forks(self.old, at) && forks(self.new, pair) {
                if old.len() != new.len() {
                    let branches = if new.len() == 1 { "branch" } else { "branches" };
                    remarks.push(format!(
                        "`{name}` now has {} {branches}: an execution that already waits in it yields the outputs of its {} branches",
                        new.len(),
                        old.len()
                    ));
                } else if order.iter().enumerate().any(|(at, place)| *place != Some(at)) {
                    remarks.push(format!(
                        "the branches of `{name}` changed their order: an execution that already waits in it yields their outputs in the old order"
                    ));
                }
            }
            next = self.old.outer(at.scope);
        }
        remarks
    }
}

impl Comparer<'_> {
    /// Describes waits that continue unchanged, although the state now awaits other events or
    /// executions.
    fn kept_waits(&self, at: StateAt<'_>) -> Vec<String> {
        let points = self.old.points_of(at).into_iter();
        let changed = points.filter_map(|point| {
            let new = self.new.point(&self.old.machine.points[point].tag)?;
            let (before, now) = (self.old.awaits(point), self.new.awaits(new));
            let is_kept = before.is_external() && now.is_external();
            let name = &at.state.name.value;
            let (before, now) = (before.phrase(), now.phrase());
            (is_kept && before != now).then(|| {
                format!("an execution that already waits in `{name}` keeps waiting {before}; one that enters it later waits {now}")
            })
        });
        changed.collect()
    }
}

fn namesakes(name: &str) -> String {
    format!(
        "several sibling branches have a state `{name}`, and their number or order changed: the states cannot be matched"
    )
}

fn is_in(origin: Option<&Origin>, at: StateAt<'_>) -> bool {
    origin.is_some_and(|origin| origin.scope == at.scope && *origin.state == *at.state.name.value)
}

impl Verdict {
    /// Returns the verdict as reports show it.
    pub fn phrase(self) -> &'static str {
        match self {
            Verdict::Safe => "safe",
            Verdict::Migration => "needs migration",
            Verdict::Breaking => "breaking",
        }
    }
}
