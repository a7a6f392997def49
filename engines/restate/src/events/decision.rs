//! Records of one correlation key as a store of the coordination core, and what it decides.

use std::convert::Infallible;
use std::sync::Arc;

use workflow_runtime::coordination::{
    Addressee, InboxLimits, Published, Recipient, RoutedEvent, RoutedKind, Sent, Started, Status, Store, publish_to,
    send,
};
use workflow_runtime::machine::{Definition, StartCondition, TriggerMatch};
use workflow_runtime::{CloudEvent, Str, Timestamp};

use super::members::{Member, Receipt};
use super::route::Reach;

/// Number of events after which an execution reports what it has seen.
pub(crate) const REPORT_EVERY: u64 = 1_000;

/// What may be done with an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// It goes to all that wait for it, and starts nothing.
    Publish,
    /// It starts an execution unless one accepts it in its start state.
    Post,
    /// As [`Mode::Post`], after those that had it have declined it: only executions in their start
    /// states receive it.
    PostAgain,
    /// It is offered as with [`Mode::Post`]. The caller starts an execution if none accepts it.
    Offer,
    /// As [`Mode::Offer`], after those that had it have declined it.
    OfferAgain,
    /// It starts an execution.
    Begin,
}

impl Mode {
    const ALL: [(Mode, &str); 6] = [
        (Mode::Publish, "publish"),
        (Mode::Post, "post"),
        (Mode::PostAgain, "post again"),
        (Mode::Offer, "offer"),
        (Mode::OfferAgain, "offer again"),
        (Mode::Begin, "begin"),
    ];

    pub fn name(self) -> &'static str {
        Mode::ALL.iter().find(|(mode, _)| *mode == self).map_or("", |(_, name)| name)
    }

    pub fn named(name: &str) -> Option<Mode> {
        Mode::ALL.iter().find(|(_, other)| *other == name).map(|(mode, _)| *mode)
    }

    pub fn is_again(self) -> bool {
        matches!(self, Mode::PostAgain | Mode::OfferAgain)
    }

    /// Returns `true` if another object decides whether the event starts an execution.
    pub fn is_decided_elsewhere(self) -> bool {
        matches!(self, Mode::Offer | Mode::OfferAgain)
    }
}

/// A delivery to send.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Delivery {
    /// Index of the execution.
    pub to: usize,
    /// Number of the event among those of the execution.
    pub number: u64,
    /// Set if the event is for the start state of the execution.
    pub is_claim: bool,
}

/// Decision about an event: the records before and after, and the deliveries.
pub(super) struct Decision<'a> {
    pub definition: &'static Definition,
    pub correlation: Str,
    pub members: &'a mut Vec<Member>,
    pub receipt: &'a mut Receipt,
    pub capacity: u32,
    pub now: Timestamp,
    pub mode: Mode,
    /// Identity of an execution that the event starts.
    pub new_id: u64,
    /// Set if the schedule admits a start.
    pub admits_start: bool,
    pub deliveries: Vec<Delivery>,
    /// Set if no execution can accept the event in its start state.
    pub has_no_taker: bool,
}

impl Decision<'_> {
    /// Offers an event to the executions.
    pub fn publish(&mut self, event: &Arc<CloudEvent>) -> Reach {
        let claims_before = self.receipt.claims.len();
        let routed = RoutedEvent::new(event.clone(), [self.definition]);
        let mut published = Published::default();
        if self.mode == Mode::Begin {
            self.begin(event);
            published.started = 1;
        } else {
            let may_start = self.mode != Mode::Publish;
            let Ok(()) = publish_to(self, &routed, self.definition.name, may_start, self.now, &mut published);
        }
        let is_undecided =
            self.mode != Mode::Publish && published.full > 0 && !self.receipt.is_taken && !self.has_no_taker;
        Reach {
            executions: published.executions as u64,
            started: published.started as u64,
            holders: u64::from(self.receipt.claims.len() > claims_before),
            blocked: u64::from(is_undecided),
            full: published.full as u64,
        }
    }

    /// Delivers an event to the execution of this index. Returns `false` if its inbox is full.
    pub fn send(&mut self, event: &Arc<CloudEvent>, to: usize) -> bool {
        let routed = [RoutedEvent::new(event.clone(), [self.definition])];
        let to = Addressee { execution: to, workflow: self.definition.name, status: Status::Running };
        let Ok(sent) = send(self, to, &routed);
        // The sender has compared the correlation keys.
        !matches!(sent, Sent::Full)
    }

    fn begin(&mut self, event: &Arc<CloudEvent>) {
        let condition = StartCondition::new(self.definition, self.correlation.clone());
        self.members.push(Member::new(self.new_id, "", condition.as_ref()));
        let to = self.members.len() - 1;
        self.receipt.to.push(self.new_id);
        self.receipt.is_taken = true;
        let Ok(()) = self.deliver(to, event);
    }

    fn condition(&self, of: usize) -> Option<StartCondition> {
        self.members[of].condition(self.definition, &self.correlation)
    }
}

impl Store for Decision<'_> {
    /// Index of the execution.
    type Execution = usize;
    type Error = Infallible;

    fn subscribers(&mut self, _: &str, _: &[RoutedKind]) -> Result<Vec<usize>, Infallible> {
        let is_asked = |of: &usize| !self.mode.is_again() || !self.members[*of].unmatched.is_empty();
        Ok((0..self.members.len()).filter(is_asked).collect())
    }

    fn in_start_state(&mut self, _: &TriggerMatch, _: &CloudEvent) -> Result<Vec<usize>, Infallible> {
        Ok((0..self.members.len()).filter(|of| !self.members[*of].unmatched.is_empty()).collect())
    }

    fn correlation(&mut self, _: usize) -> Result<Str, Infallible> {
        Ok(self.correlation.clone())
    }

    fn start_condition(&mut self, of: usize, _: &TriggerMatch) -> Result<Option<StartCondition>, Infallible> {
        Ok(self.condition(of))
    }

    fn inbox_limits(&self) -> InboxLimits {
        InboxLimits { capacity: self.capacity as usize, ..InboxLimits::default() }
    }

    fn unseen_events(&mut self, of: usize) -> Result<usize, Infallible> {
        let member = &self.members[of];
        // An execution with a full inbox has seen what fills it. Any other one reports at times.
        let unseen = member.next.saturating_sub(member.seen).saturating_sub(2 * REPORT_EVERY);
        Ok(if member.full.is_some() { 0 } else { usize::try_from(unseen).unwrap_or(usize::MAX) })
    }

    fn kept_events(&mut self, of: usize) -> Result<usize, Infallible> {
        Ok(if self.members[of].full.is_some() { self.capacity as usize } else { 0 })
    }

    fn awaits(&mut self, of: usize, kinds: &[&str]) -> Result<bool, Infallible> {
        let awaited = self.members[of].full.as_deref().unwrap_or_default();
        Ok(awaited.iter().any(|name| kinds.contains(&name.as_str())))
    }

    fn was_delivered(&mut self, to: Recipient<'_, usize>, _: &CloudEvent) -> Result<bool, Infallible> {
        Ok(match to {
            Recipient::Execution(of) => self.receipt.to.contains(&self.members[of].id),
            Recipient::Workflow(_) => self.receipt.is_taken,
        })
    }

    fn mark_delivered(&mut self, to: Recipient<'_, usize>, _: &CloudEvent) -> Result<(), Infallible> {
        match to {
            Recipient::Execution(of) => self.receipt.to.push(self.members[of].id),
            Recipient::Workflow(_) => self.receipt.is_taken = true,
        }
        Ok(())
    }

    fn deliver(&mut self, to: usize, event: &Arc<CloudEvent>) -> Result<(), Infallible> {
        let condition = self.condition(to);
        // The event that starts an execution belongs to it in any case.
        let is_first = self.members[to].next == 0 && !self.members[to].has_begun;
        let is_claim = !is_first
            && self.mode != Mode::Publish
            && condition.as_ref().is_some_and(|condition| condition.accepts(event, self.now));
        let member = &mut self.members[to];
        if let Some(mut condition) = condition {
            condition.record(event);
            member.unmatched = condition.unmatched().to_vec();
        }
        if is_claim {
            self.receipt.claims.push(member.id);
        }
        self.deliveries.push(Delivery { to, number: member.next, is_claim });
        member.next += 1;
        Ok(())
    }

    fn start(&mut self, _: &TriggerMatch, _: &Arc<CloudEvent>) -> Result<Started<usize>, Infallible> {
        self.has_no_taker = true;
        if self.mode.is_decided_elsewhere() || !self.admits_start {
            return Ok(Started::Declined);
        }
        let condition = StartCondition::new(self.definition, self.correlation.clone());
        self.members.push(Member::new(self.new_id, "", condition.as_ref()));
        Ok(Started::New(self.members.len() - 1))
    }
}
