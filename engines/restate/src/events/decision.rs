//! Records of one correlation key as a store of the coordination core, and what it decides.

use std::convert::Infallible;
use std::sync::Arc;

use workflow_runtime::coordination::{
    Addressee, InboxLimits, Published, Recipient, RoutedEvent, RoutedKind, Sent, Started, Status, Store, publish_to,
    send,
};
use workflow_runtime::machine::{Definition, INBOX_CAPACITY, StartCondition, TriggerMatch};
use workflow_runtime::{CloudEvent, Str, Timestamp};

use super::members::{Member, Receipt};
use super::route::Reach;

/// Number of events after which an execution reports what it has seen.
pub(crate) const REPORT_EVERY: u64 = 1_000;

/// Purpose for which an event is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// It goes to all that wait for it, and starts nothing.
    Publish,
    /// As [`Mode::Publish`], after another execution has accepted it in its start state or was
    /// started by it: it goes to later states only.
    Taken,
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
    const ALL: [(Mode, &str); 7] = [
        (Mode::Publish, "publish"),
        (Mode::Taken, "taken"),
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

    /// Returns `true` if the event may start an execution, here or elsewhere.
    fn may_start(self) -> bool {
        !matches!(self, Mode::Publish | Mode::Taken)
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
    pub now: Timestamp,
    pub mode: Mode,
    /// Identity of an execution that the event starts.
    pub new_id: u64,
    /// Set if the schedule admits a start.
    pub admits_start: bool,
    pub deliveries: Vec<Delivery>,
    /// Set if executions with full inboxes are not asked.
    pub skips_full: bool,
}

impl Decision<'_> {
    /// Offers an event to the executions.
    pub fn publish(&mut self, event: &Arc<CloudEvent>) -> Reach {
        let was_taken = self.receipt.is_taken;
        let routed = RoutedEvent::new(event.clone(), [self.definition]);
        let mut published = Published::default();
        if self.mode == Mode::Begin {
            match self.receipt.is_taken {
                true => published.executions = 1,
                false => {
                    self.begin(event);
                    published.started = 1;
                }
            }
        } else {
            // The core counts one that has taken the event, also if it has ended. The caller
            // counts one that another object has.
            let counts_absent = self.mode == Mode::Taken && !self.receipt.is_taken && !self.is_with_a_subscriber(event);
            let may_start = self.mode.may_start();
            let Ok(()) = publish_to(self, &routed, self.definition.name, may_start, self.now, &mut published);
            if self.mode.is_again() && published.undecided.is_some() {
                // Nobody offers it once more, and its sender has an acknowledgement.
                self.skips_full = true;
                (published.executions, published.undecided) = (0, None);
                let Ok(()) = publish_to(self, &routed, self.definition.name, may_start, self.now, &mut published);
            }
            published.executions = published.executions.saturating_sub(usize::from(counts_absent));
        }
        Reach {
            executions: published.executions as u64,
            started: published.started as u64,
            holders: u64::from(!was_taken && self.receipt.is_taken),
            blocked: u64::from(published.undecided.is_some()),
            blocked_by: published.undecided.map(|of| self.members[of].key.clone()),
            full: published.full as u64,
            taken: u64::from(self.receipt.is_taken),
        }
    }

    /// Returns `true` if an execution that the core asks has received the event.
    fn is_with_a_subscriber(&self, event: &CloudEvent) -> bool {
        let is_later = TriggerMatch::of(self.definition, event).is_some_and(|trigger| trigger.is_awaited_later());
        let mut members = self.members.iter();
        members.any(|member| self.receipt.to.contains(&member.id) && (is_later || !member.unmatched.is_empty()))
    }

    /// Returns `true` if an execution is asked.
    fn asks(&self, of: usize) -> bool {
        !self.skips_full || self.members[of].full.is_none() && self.unseen(of) < self.members[of].capacity as usize
    }

    /// Returns the number of events that an execution may not have seen.
    fn unseen(&self, of: usize) -> usize {
        let member = &self.members[of];
        let unseen = member.next.saturating_sub(member.seen);
        // One with a full inbox reports each event that it has seen. Any other one reports at
        // times.
        let silent = if member.full.is_some() { 0 } else { 2 * REPORT_EVERY };
        usize::try_from(unseen.saturating_sub(silent)).unwrap_or(usize::MAX)
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
        Ok((0..self.members.len()).filter(is_asked).filter(|of| self.asks(*of)).collect())
    }

    fn in_start_state(&mut self, _: &TriggerMatch, _: &CloudEvent) -> Result<Vec<usize>, Infallible> {
        let is_there = |of: &usize| !self.members[*of].unmatched.is_empty();
        Ok((0..self.members.len()).filter(is_there).filter(|of| self.asks(*of)).collect())
    }

    fn correlation(&mut self, _: usize) -> Result<Str, Infallible> {
        Ok(self.correlation.clone())
    }

    fn start_condition(&mut self, of: usize, _: &TriggerMatch) -> Result<Option<StartCondition>, Infallible> {
        Ok(self.condition(of))
    }

    fn inbox_limits(&self) -> InboxLimits {
        // Each execution has a capacity of its own: `kept_events` has the difference.
        InboxLimits { capacity: INBOX_CAPACITY, ..InboxLimits::default() }
    }

    fn unseen_events(&mut self, of: usize) -> Result<usize, Infallible> {
        Ok(self.unseen(of))
    }

    fn kept_events(&mut self, of: usize) -> Result<usize, Infallible> {
        let member = &self.members[of];
        Ok(match member.full.is_some() {
            true => INBOX_CAPACITY,
            false => INBOX_CAPACITY.saturating_sub(member.capacity as usize),
        })
    }

    fn awaits(&mut self, of: usize, kinds: &[&str]) -> Result<bool, Infallible> {
        let awaited = self.members[of].full.as_deref().unwrap_or_default();
        Ok(awaited.iter().any(|name| kinds.contains(&name.as_str())))
    }

    fn was_delivered(&mut self, to: Recipient<'_, usize>, _: &CloudEvent) -> Result<bool, Infallible> {
        Ok(match to {
            Recipient::Execution(of) => self.receipt.to.contains(&self.members[of].id),
            Recipient::Workflow(_) => self.receipt.is_taken || self.mode == Mode::Taken,
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
            && self.mode.may_start()
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
        if self.mode.is_decided_elsewhere() || !self.admits_start {
            return Ok(Started::Declined);
        }
        let condition = StartCondition::new(self.definition, self.correlation.clone());
        self.members.push(Member::new(self.new_id, "", condition.as_ref()));
        Ok(Started::New(self.members.len() - 1))
    }
}

#[cfg(test)]
mod tests {
    use workflow_runtime::machine::{EventInfo, StartsOn};

    use super::*;

    const KINDS: &[EventInfo] = &[EventInfo::new("placed").kind("placed")];

    static SHOP: Definition = Definition {
        name: "shop",
        events: KINDS,
        starts_on: Some(StartsOn::new("Begin", &[0])),
        ..Definition::VERSION_0_1_0
    };

    /// Returns what an event reaches if an execution with a full inbox would accept it.
    fn reach_with_full_inbox(mode: Mode) -> Reach {
        let mut members =
            vec![Member { unmatched: vec![0], full: Some(Vec::new()), has_begun: true, ..Member::new(1, "one", None) }];
        let mut decision = Decision {
            definition: &SHOP,
            correlation: "one".into(),
            members: &mut members,
            receipt: &mut Receipt::default(),
            now: Timestamp::from_seconds(1),
            mode,
            new_id: 2,
            admits_start: true,
            deliveries: Vec::new(),
            skips_full: false,
        };
        decision.publish(&Arc::new(CloudEvent::new("1", "/shop", "placed")))
    }

    #[test]
    fn an_event_that_is_offered_again_passes_full_inboxes() {
        let reached = |mode| {
            let reach = reach_with_full_inbox(mode);
            (reach.started, reach.blocked_by)
        };
        let one = Some("one".to_owned());
        assert_eq!(reached(Mode::Post), (0, one.clone()));
        assert_eq!(reached(Mode::Offer), (0, one.clone()));
        assert_eq!(reached(Mode::Publish), (0, one));
        assert_eq!(reached(Mode::PostAgain), (1, None));
        // The object that asked starts one.
        assert_eq!(reached(Mode::OfferAgain), (0, None));
    }
}
