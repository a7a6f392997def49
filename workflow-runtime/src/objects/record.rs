//! The record of a child execution, as result files have it.

use crate::value::{Object, Str, Value, object};

/// The record of a child execution. Where only its output is part of the results of a Map, it has
/// no names.
#[derive(Debug, Clone, PartialEq)]
pub struct ChildRecord {
    /// `ExecutionArn`
    pub execution_arn: Str,
    /// `Name`
    pub name: Str,
    /// `StateMachineArn`
    pub state_machine_arn: Str,
    /// The input. The record has its JSON text.
    pub input: Value,
    /// The outcome.
    pub outcome: ChildOutcome,
    /// `RedriveCount`
    pub redrive_count: u64,
    /// `RedriveStatus`, such as `NOT_REDRIVABLE`.
    pub redrive_status: Str,
    /// `RedriveStatusReason`
    pub redrive_status_reason: Option<Str>,
    /// `StartDate`, such as `2026-01-31T12:00:00.000Z`. None if it never started.
    pub start_date: Option<Str>,
    /// `StopDate`. None if it never stopped.
    pub stop_date: Option<Str>,
}

/// The outcome of a child execution.
#[derive(Debug, Clone, PartialEq)]
pub enum ChildOutcome {
    /// It succeeded.
    Succeeded {
        /// The output.
        output: Value,
    },
    /// It counts as failed.
    Failed {
        /// `FAILED`, `TIMED_OUT` or `ABORTED`.
        status: Str,
        /// The name of the error.
        error: Option<Str>,
        /// The cause.
        cause: Option<Str>,
    },
    /// It never started.
    Pending,
}

impl ChildOutcome {
    /// Returns `Status`.
    pub fn status(&self) -> Str {
        match self {
            ChildOutcome::Succeeded { .. } => Str::from_static("SUCCEEDED"),
            ChildOutcome::Failed { status, .. } => status.clone(),
            ChildOutcome::Pending => Str::from_static("PENDING"),
        }
    }

    /// Returns the outcome among the results of a Map: the output, or what became of a child
    /// execution that did not succeed.
    pub fn into_value(self) -> Value {
        let status = self.status();
        let (error, cause) = match self {
            ChildOutcome::Succeeded { output } => return output,
            ChildOutcome::Failed { error, cause, .. } => (error, cause),
            ChildOutcome::Pending => (None, None),
        };
        let mut members = Object::new();
        members.insert("Status", status);
        add(&mut members, "Error", error.as_ref());
        add(&mut members, "Cause", cause.as_ref());
        Value::from(members)
    }
}

fn add(members: &mut Object, key: &'static str, text: Option<&Str>) {
    if let Some(text) = text {
        members.insert(key, text.clone());
    }
}

impl ChildRecord {
    /// Returns the record. Members are sorted, as AWS has them.
    pub fn to_value(&self) -> Value {
        let mut members = Object::with_capacity(14);
        if let ChildOutcome::Failed { cause, .. } = &self.outcome {
            add(&mut members, "Cause", cause.as_ref());
        }
        if let ChildOutcome::Failed { error, .. } = &self.outcome {
            add(&mut members, "Error", error.as_ref());
        }
        members.insert("ExecutionArn", self.execution_arn.clone());
        members.insert("Input", self.input.to_string());
        members.insert("InputDetails", object([("Included", true.into())]));
        members.insert("Name", self.name.clone());
        if let ChildOutcome::Succeeded { output } = &self.outcome {
            members.insert("Output", output.to_string());
            members.insert("OutputDetails", object([("Included", true.into())]));
        }
        members.insert("RedriveCount", i64::try_from(self.redrive_count).unwrap_or(i64::MAX));
        members.insert("RedriveStatus", self.redrive_status.clone());
        add(&mut members, "RedriveStatusReason", self.redrive_status_reason.as_ref());
        add(&mut members, "StartDate", self.start_date.as_ref());
        members.insert("StateMachineArn", self.state_machine_arn.clone());
        members.insert("Status", self.outcome.status());
        add(&mut members, "StopDate", self.stop_date.as_ref());
        Value::from(members)
    }
}
