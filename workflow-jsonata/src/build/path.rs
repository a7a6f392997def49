//! The parts of paths: steps, predicates, groupings, orders, positions.

use std::ops::Range;
use std::sync::Arc;

use super::Builder;
use super::part::{Part, PartKind, Steps};
use crate::ast::{Group, NodeKind, SortTerm, Stage, Step, StepKind};
use crate::error::SyntaxError;
use crate::raw::Raw;

impl Builder {
    /// Returns the path of steps that dots divide.
    pub(super) fn dot(&mut self, at: Range<usize>, steps: Vec<Raw>) -> Result<Box<Part>, Box<SyntaxError>> {
        let mut raws = steps.into_iter();
        let first = raws.next().expect("a path with a dot has two steps");
        let first = self.part(first)?;
        let slot = first.slot();
        let mut path = first.into_path(false);
        path.at = at;
        path.seeking.extend(slot);
        for raw in raws {
            let rest = self.part(raw)?.into_path(true);
            let (PartKind::Path(steps), PartKind::Path(rest)) = (&mut path.kind, rest.kind) else {
                break;
            };
            let begin = if steps.is_dotted { steps.steps.len() } else { 0 };
            steps.is_dotted = true;
            steps.steps.extend(rest.steps);
            steps.seeking = rest.seeking;
            finish_steps(steps, begin)?;
            self.ancestry.resolve(steps, &mut path.seeking)?;
        }
        Ok(path)
    }

    /// Returns a part with one more predicate.
    pub(super) fn filter(
        &mut self,
        at: Range<usize>,
        base: Raw,
        predicate: Raw,
    ) -> Result<Box<Part>, Box<SyntaxError>> {
        let place = base.at.end..at.end;
        let mut part = self.part(base)?;
        part.at = at;
        let has_group = match &part.kind {
            PartKind::Plain(_) => part.group.is_some(),
            PartKind::Path(steps) => steps.steps.last().is_some_and(has_group),
        };
        if has_group {
            let message = "A predicate cannot follow a grouping expression in a step";
            return Err(SyntaxError::new("S0209", message, place));
        }
        let mut predicate = self.part(predicate)?;
        if !predicate.seeking.is_empty() {
            for slot in &predicate.seeking {
                self.ancestry.seek_from_predicate(&mut part, *slot)?;
            }
            match &mut part.kind {
                PartKind::Plain(_) => predicate.pass_slots(&mut part.seeking),
                PartKind::Path(steps) => predicate.pass_slots(&mut steps.seeking),
            }
        }
        let predicate = predicate.finish();
        match &mut part.kind {
            PartKind::Plain(_) => part.predicates.push(predicate),
            PartKind::Path(steps) => last(steps).stages.push(Stage::Filter(predicate)),
        }
        Ok(part)
    }

    /// Returns a part with a grouping.
    pub(super) fn group(
        &mut self,
        at: Range<usize>,
        base: Raw,
        members: Vec<(Raw, Raw)>,
    ) -> Result<Box<Part>, Box<SyntaxError>> {
        let place = base.at.end..at.end;
        let mut part = self.part(base)?;
        part.at = at;
        if part.group.is_some() {
            let message = "Each step can only have one grouping expression";
            return Err(SyntaxError::new("S0210", message, place));
        }
        let members = self.members(members, &mut Vec::new())?;
        part.group = Some(Group { at: place, members });
        Ok(part)
    }

    /// Returns a path with an order.
    pub(super) fn sort(
        &mut self,
        at: Range<usize>,
        base: Raw,
        terms: Vec<(bool, Raw)>,
    ) -> Result<Box<Part>, Box<SyntaxError>> {
        let mut path = self.part(base)?.into_path(false);
        path.at = at;
        let mut seeking = Vec::new();
        let mut sorted = Vec::with_capacity(terms.len());
        for (descending, by) in terms {
            sorted.push(SortTerm { descending, by: self.node(by, &mut seeking)? });
        }
        if let PartKind::Path(steps) = &mut path.kind {
            steps.steps.push(Step {
                kind: StepKind::Sort(sorted),
                stages: Vec::new(),
                focus: None,
                index: None,
                ancestors: Vec::new(),
                is_tuple: false,
                keeps_array: false,
                is_constructor: false,
            });
            steps.seeking = seeking;
            self.ancestry.resolve(steps, &mut path.seeking)?;
        }
        Ok(path)
    }

    /// Returns a part with the variable of `@`.
    pub(super) fn focus(
        &mut self,
        at: Range<usize>,
        base: Raw,
        name: Arc<str>,
        keeps_array: bool,
    ) -> Result<Box<Part>, Box<SyntaxError>> {
        let place = base.at.end..at.end;
        let mut part = self.part(base)?;
        part.at = at;
        let (has_predicates, is_sort) = match &part.kind {
            PartKind::Plain(_) => (!part.predicates.is_empty(), false),
            PartKind::Path(steps) => {
                steps.steps.last().map_or((false, false), |step| (!step.stages.is_empty(), is_sort(step)))
            }
        };
        if has_predicates {
            let message = "A context variable binding must precede any predicates on a step";
            return Err(SyntaxError::new("S0215", message, place));
        }
        if is_sort {
            let message = "A context variable binding must precede the 'order-by' clause on a step";
            return Err(SyntaxError::new("S0216", message, place));
        }
        match &mut part.kind {
            PartKind::Plain(_) => {
                part.focus = Some(name);
                part.is_tuple = true;
            }
            PartKind::Path(steps) => {
                let step = last(steps);
                step.keeps_array |= keeps_array;
                step.focus = Some(name);
                step.is_tuple = true;
            }
        }
        Ok(part)
    }

    /// Returns a path with the variable of `#`.
    pub(super) fn index(&mut self, at: Range<usize>, base: Raw, name: Arc<str>) -> Result<Box<Part>, Box<SyntaxError>> {
        let mut path = self.part(base)?.into_path(true);
        path.at = at;
        if let PartKind::Path(steps) = &mut path.kind {
            let step = last(steps);
            step.is_tuple = true;
            if step.stages.is_empty() {
                step.index = Some(name);
            } else {
                step.stages.push(Stage::Index(name));
            }
        }
        Ok(path)
    }
}

/// Finishes the steps from one on after a dot: strings are names, numbers are refused, arrays are
/// kept.
fn finish_steps(steps: &mut Steps, begin: usize) -> Result<(), Box<SyntaxError>> {
    for step in &mut steps.steps[begin..] {
        steps.keeps_array |= step.keeps_array;
        let StepKind::Node(node) = &mut step.kind else {
            continue;
        };
        let base = match &mut node.kind {
            NodeKind::Suffixed(suffixed) => &mut suffixed.base,
            _ => node,
        };
        let value = match &base.kind {
            NodeKind::String(name) => {
                base.kind = NodeKind::Name(name.clone());
                continue;
            }
            NodeKind::Array(_) => {
                step.is_constructor = true;
                continue;
            }
            NodeKind::Number(number) => number.to_string(),
            NodeKind::Bool(value) => value.to_string(),
            NodeKind::Null => "null".to_owned(),
            _ => continue,
        };
        let message = format!("The literal value {value} cannot be used as a step within a path expression");
        return Err(SyntaxError::new("S0213", message, base.at.clone()));
    }
    Ok(())
}

/// Returns the last step.
fn last(steps: &mut Steps) -> &mut Step {
    steps.steps.last_mut().expect("a path has a step")
}

fn is_sort(step: &Step) -> bool {
    matches!(step.kind, StepKind::Sort(_))
}

fn has_group(step: &Step) -> bool {
    let StepKind::Node(node) = &step.kind else {
        return false;
    };
    matches!(&node.kind, NodeKind::Suffixed(suffixed) if suffixed.group.is_some())
}
