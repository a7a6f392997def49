//! Locations inside the values of locals.

use super::{Interpreter, Jq, Res, leaked};
use crate::expr::core::CoreLocalId;
use workflow_runtime::__private::jq;
use workflow_runtime::Value;

/// A location inside the value of a local: generated code has a reference, and this is the way to
/// it.
#[derive(Clone)]
pub struct ValuePlace {
    local: CoreLocalId,
    steps: Vec<PlaceStep>,
}

/// A step to a part of a value.
#[derive(Clone)]
pub enum PlaceStep {
    /// The member of a name.
    Name(&'static str),
    /// The element at a position.
    At(i64),
    /// The part of a key.
    Key(Value),
    /// The part that an iteration comes to after so many others.
    Nth(usize),
}

impl PlaceStep {
    /// Returns the step to a member.
    pub fn name(name: &str) -> PlaceStep {
        PlaceStep::Name(leaked(name))
    }

    fn follow<'v>(&self, value: &'v mut Value) -> Res<&'v mut Value> {
        match self {
            PlaceStep::Name(name) => jq::get_mut(value, name),
            PlaceStep::At(position) => jq::at_mut(value, *position),
            PlaceStep::Key(key) => jq::index_mut(value, key),
            PlaceStep::Nth(position) => Ok(jq::iter_mut(value)?.nth(*position).expect("the value has such a part")),
        }
    }
}

impl ValuePlace {
    /// Returns the place of the value of a local.
    pub fn whole(local: CoreLocalId) -> ValuePlace {
        ValuePlace { local, steps: Vec::new() }
    }

    /// Changes the value at the place.
    pub fn change<T>(&self, interpreter: &Interpreter<'_, Jq>, change: impl FnOnce(&mut Value) -> T) -> T {
        interpreter.change(self.local, |value| {
            let follow =
                |value, step: &PlaceStep| step.follow(value).unwrap_or_else(|error| panic!("a place: {error}"));
            change(self.steps.iter().fold(value, follow))
        })
    }

    /// Returns the place of a part, which is made if it is missing.
    ///
    /// # Errors
    /// Fails if the value cannot have such a part.
    pub fn part(mut self, interpreter: &Interpreter<'_, Jq>, step: PlaceStep) -> Res<ValuePlace> {
        self.change(interpreter, |value| step.follow(value).map(|_| ()))?;
        self.steps.push(step);
        Ok(self)
    }

    /// Returns the places of all elements or members.
    ///
    /// # Errors
    /// Fails if the value has neither.
    pub fn parts(self, interpreter: &Interpreter<'_, Jq>) -> Res<Vec<ValuePlace>> {
        let count = self.change(interpreter, |value| jq::iter_mut(value).map(Iterator::count))?;
        let part = |position| {
            let mut place = self.clone();
            place.steps.push(PlaceStep::Nth(position));
            place
        };
        Ok((0..count).map(part).collect())
    }
}
