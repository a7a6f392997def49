//! Lowering of deadlines: each becomes a local with the time at which it passes, and bounds the
//! commands of the steps in its body.

use super::nested::{Context, LabelBlocks};
use super::suspension::Suspension;
use super::{Cuts, Lowering, op};
use crate::expr::{Arg, Expr, Fallibility, Function, LocalId, Type};
use crate::hir::{Deadline, Expiry, Step};
use crate::machine::{Command, OpKind};
use crate::model::{Seconds, Wait};

/// Time in a number of seconds from now. Argument: `Float`.
static IN_SECONDS: Function = timed("deadline::in_seconds");

/// Earlier one of two times. Arguments: `Owned` and `Value`.
static EARLIER: Function = Function { turn: false, ..timed("deadline::earlier") };

/// Seconds until a time. Argument: `Value`.
static REMAINING: Function = timed("deadline::remaining");

/// Time that has not yet come. Arguments: `Owned` the time, `Str` the cause of the fault. Fails if
/// the time has come.
static IN_TIME: Function = Function { fallibility: Fallibility::Catchable, ..timed("deadline::in_time") };

/// Event that was received in time. Arguments: `Owned` the event or null, `Str` the cause of the
/// fault. Fails for null.
static RECEIVED: Function =
    Function { turn: false, fallibility: Fallibility::Catchable, ..timed("deadline::received") };

const fn timed(path: &'static str) -> Function {
    Function { path, returns: Type::Value, fallibility: Fallibility::Infallible, turn: true, context: false }
}

impl<'a> Lowering<'a> {
    /// Lowers a deadline. It passes no later than the deadline around it.
    pub(super) fn deadline(&mut self, step: &'a Step, deadline: &'a Deadline, context: Context<'a>, cuts: &mut Cuts) {
        let own = in_seconds(deadline.seconds);
        let value = match context.deadline {
            Some(outer) => {
                debug_assert_eq!(
                    outer.expiry == Expiry::Null,
                    deadline.expiry == Expiry::Null,
                    "one of them is ignored"
                );
                earlier(own, outer)
            }
            None => own,
        };
        cuts.ops.push(op(OpKind::Let { local: deadline.at, value }, None));
        let after = self.reserve_after(step, &deadline.body, deadline.label);
        self.labels.insert(deadline.label, LabelBlocks::new(after.as_ref(), None));
        self.nested(&deadline.body, after.map(|after| (after, "over")), context.inside(deadline), cuts);
        self.labels.remove(&deadline.label);
    }
}

/// Bounds a wait by a deadline. Returns the operation after the wait that raises the fault of the
/// deadline. Tasks and child executions raise it themselves.
pub(super) fn bound(deadline: &Deadline, suspension: &mut Suspension) -> Option<OpKind> {
    match (&mut suspension.command, &deadline.expiry) {
        (Command::Receive { receive, until }, expiry) => {
            *until = Some(Expr::Local(deadline.at));
            let Expiry::Fault(cause) = expiry else { return None };
            Some(check(&RECEIVED, receive.result, cause))
        }
        (Command::Wait(wait), Expiry::Fault(cause)) => {
            let time = match wait {
                Wait::For(Seconds::Fixed(seconds)) => in_seconds(*seconds),
                Wait::Until(time) => time.clone(),
                Wait::For(Seconds::Computed(_)) => return unbounded(),
            };
            *wait = Wait::Until(earlier(time, deadline));
            Some(check(&IN_TIME, deadline.at, cause))
        }
        (Command::Publish(_), Expiry::Fault(cause)) => Some(check(&IN_TIME, deadline.at, cause)),
        (Command::Invoke(invoke), Expiry::Fault(_)) => bound_seconds(&mut invoke.timeout, deadline),
        (Command::Call { timeout, .. }, Expiry::Fault(_)) => bound_seconds(timeout, deadline),
        (Command::Fork { .. } | Command::ForEach { .. }, _) | (_, Expiry::Null) => None,
    }
}

/// Sets a time-out to the time that is left.
fn bound_seconds(timeout: &mut Option<Seconds>, deadline: &Deadline) -> Option<OpKind> {
    if timeout.is_some() {
        return unbounded();
    }
    *timeout = Some(Seconds::Computed(Expr::call(&REMAINING, vec![Arg::Value(Expr::Local(deadline.at))])));
    None
}

/// Leaves a command as it is. A command that a deadline cannot bound is a defect of the dialect.
fn unbounded() -> Option<OpKind> {
    debug_assert!(false, "a deadline is around a step that it cannot bound");
    None
}

/// Returns the check of a local, which fails if the deadline has passed.
fn check(function: &'static Function, local: LocalId, cause: &str) -> OpKind {
    let args = vec![Arg::Owned(Expr::Local(local)), Arg::Str(cause.into())];
    OpKind::Let { local, value: Expr::call(function, args) }
}

fn in_seconds(seconds: f64) -> Expr {
    Expr::call(&IN_SECONDS, vec![Arg::Float(seconds)])
}

/// Returns the time of a deadline, or another time if that is earlier.
fn earlier(time: Expr, deadline: &Deadline) -> Expr {
    Expr::call(&EARLIER, vec![Arg::Owned(time), Arg::Value(Expr::Local(deadline.at))])
}
