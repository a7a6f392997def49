//! Executions in memory that events start: whether one does, or an execution waits for it in its first state.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::task::{Context, Poll, Waker};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use super::hub::{Given, Hub, Listener, Listening, Live};
use crate::engine::driver::{Driver, Environment, Mailbox, Volatile};
use crate::event::CloudEvent;
use crate::machine::{Execution, First, Opening, Program, Start, StartsOn, WaitsFor};
use crate::task::Invoke;
use crate::time::Timestamp;
use crate::value::{Object, Str};

/// Whether an execution is in the first state of its workflow, which waits for the events that start it.
pub(in crate::engine) struct Stay {
    rule: StartsOn,
    /// Whether it has left that state.
    left: AtomicBool,
    /// Whether it has come back to it, and nobody has asked since.
    back: AtomicBool,
    /// Until when it waits there, in microseconds.
    until: AtomicI64,
}

impl Stay {
    /// Of an execution that has not begun, if events start such.
    pub fn of(execution: &dyn Execution) -> Option<Arc<Stay>> {
        execution.definition().starts_on.map(Stay::new)
    }

    fn new(rule: StartsOn) -> Arc<Stay> {
        Arc::new(Stay {
            rule,
            left: AtomicBool::new(false),
            back: AtomicBool::new(false),
            until: AtomicI64::new(i64::MAX),
        })
    }

    /// Looks at what the execution waits for.
    pub fn look(&self, execution: &dyn Execution) {
        let waiting = execution.describe();
        let until = waiting.iter().find_map(|one| match &one.waits_for {
            WaitsFor::Event(reception) if one.state == self.rule.state => Some(reception.until),
            _ => None,
        });
        match until {
            Some(until) => {
                self.until.store(until.map_or(i64::MAX, Timestamp::as_micros), Ordering::Relaxed);
                if self.left.swap(false, Ordering::Relaxed) {
                    self.back.store(true, Ordering::Relaxed);
                }
            }
            None => self.left.store(true, Ordering::Relaxed),
        }
    }

    fn is_over(&self) -> bool {
        self.left.load(Ordering::Relaxed)
    }

    fn until(&self) -> Timestamp {
        Timestamp::from_micros(self.until.load(Ordering::Relaxed))
    }
}

/// Runs what events start.
pub(super) struct Starting {
    environment: Environment,
    /// Those that are to begin.
    fresh: Vec<Fresh>,
    waker: Option<Waker>,
    /// The events that executions of workflows have taken in their first states, or that have started such.
    known: BTreeMap<&'static str, Given>,
}

/// An execution that is to begin.
struct Fresh {
    program: Program,
    tasks: Arc<dyn Invoke>,
    start: Start,
    mailbox: Mailbox,
    stay: Arc<Stay>,
    listening: Listening,
}

/// A workflow that an event starts.
struct Rule {
    program: Program,
    tasks: Arc<dyn Invoke>,
    rule: StartsOn,
    opening: Opening,
    /// Whether an execution has taken it before, or was started by it.
    known: bool,
    /// Whether an execution takes it in its first state.
    taken: bool,
}

impl Listener {
    /// Whether it takes an event in its first state, as far as is known.
    fn takes_first(&mut self, event: &CloudEvent, now: Timestamp) -> bool {
        let Some((first, stay)) = self.first.as_mut().filter(|(_, stay)| !stay.is_over()) else { return false };
        if stay.back.swap(false, Ordering::Relaxed)
            && let Some(again) = First::new(self.definition, self.correlation.clone())
        {
            *first = again;
        }
        first.set_until(Some(stay.until()));
        first.takes(event, now)
    }

    /// Notes an event that it is given.
    pub(super) fn note_first(&mut self, event: &CloudEvent) {
        if let Some((first, _)) = &mut self.first {
            first.note(event);
        }
    }
}

impl Hub {
    /// Has [`Hub::publish`] start executions of the workflows of this hub that begin with events, and runs them, as long as the
    /// future is polled; if it is dropped, so are they. An event starts one of each workflow that begins with such, unless an
    /// execution waits for it in its first state, or was just started by another event and has not begun: that one gets it
    /// instead. In its place it is not kept by executions that do not wait for such events but there. The same event starts
    /// nothing more, as long as it is among the last that the hub remembers.
    ///
    /// What is started has the input `{}`, and the id `event SOURCE ID`. How it ended, observers are told ([`Hub::observer`]).
    /// Outside of its schedule nothing of a workflow is started.
    pub async fn run_started(&self, environment: Environment) {
        struct Over(Hub);
        impl Drop for Over {
            fn drop(&mut self) {
                // What was to begin takes itself off the list: that needs the lock.
                let starting = self.0.live().starting.take();
                drop(starting);
            }
        }
        let environment = Environment { hub: Some(self.clone()), ..environment };
        self.live().starting =
            Some(Starting { environment: environment.clone(), fresh: Vec::new(), waker: None, known: BTreeMap::new() });
        let _over = Over(self.clone());
        let mut running = FuturesUnordered::new();
        std::future::poll_fn(|cx: &mut Context<'_>| {
            loop {
                let fresh = match &mut self.live().starting {
                    Some(starting) => {
                        starting.waker = Some(cx.waker().clone());
                        std::mem::take(&mut starting.fresh)
                    }
                    // Somebody else runs them.
                    None => return Poll::Ready(()),
                };
                running.extend(fresh.into_iter().map(|fresh| Box::pin(fresh.run(environment.clone()))));
                match Pin::new(&mut running).poll_next_unpin(cx) {
                    Poll::Ready(Some(())) => {}
                    Poll::Ready(None) | Poll::Pending => return Poll::Pending,
                }
            }
        })
        .await;
    }

    /// Lets an event from outside start executions. Where it is to be delivered, and who is to be woken then.
    pub(super) fn publish_and_start(&self, live: &mut Live, event: &CloudEvent) -> (Vec<Mailbox>, Option<Waker>) {
        let Some(starting) = &live.starting else { return (Vec::new(), None) };
        let now = starting.environment.clock.now();
        let mut rules = self.rules(starting, event);
        let mut mailboxes = Vec::new();
        for listener in live.executions.values_mut().filter(|listener| listener.waits_for(event)) {
            let rule = rules.iter_mut().find(|rule| std::ptr::eq(rule.program.definition, listener.definition));
            if let Some(rule) = rule {
                let takes = !rule.known && listener.takes_first(event, now);
                if !takes && !rule.opening.is_for_later() {
                    continue;
                }
                rule.taken |= takes;
            }
            listener.note_first(event);
            mailboxes.push(listener.mailbox.clone());
        }
        for rule in rules.into_iter().filter(|rule| !rule.known) {
            let name = rule.program.definition.name;
            if !rule.taken {
                let deployed = || self.deployed(now);
                let schedule = rule.program.definition.schedule;
                if schedule.is_some_and(|schedule| schedule.admits(name, now, deployed()).is_err()) {
                    continue;
                }
                mailboxes.push(self.begin(live, rule, event, now));
            }
            if let Some(starting) = &mut live.starting {
                starting.known.entry(name).or_default().note(event, self.remembered());
            }
        }
        (mailboxes, live.starting.as_mut().and_then(|starting| starting.waker.take()))
    }

    /// The workflows that an event starts.
    fn rules(&self, starting: &Starting, event: &CloudEvent) -> Vec<Rule> {
        let mut rules = Vec::new();
        for (program, tasks) in self.workflows() {
            let definition = program.definition;
            let Some((rule, opening)) = definition.starts_on.zip(Opening::of(definition, event)) else { continue };
            let known = starting.known.get(definition.name).is_some_and(|known| known.has(event));
            rules.push(Rule { program, tasks, rule, opening, known, taken: false });
        }
        rules
    }

    /// Lets an execution begin. Where its mail arrives.
    fn begin(&self, live: &mut Live, rule: Rule, event: &CloudEvent, now: Timestamp) -> Mailbox {
        let Rule { program, tasks, rule, opening, .. } = rule;
        let definition = program.definition;
        let correlation = opening.correlation(event);
        let id: Str = Opening::name(event).into();
        let mut start = Start::new(Object::new());
        start.name = Some(id.clone());
        start.correlation.clone_from(&correlation);
        start.time = Some(now);
        let (mailbox, stay) = (Mailbox::default(), Stay::new(rule));
        let correlation = correlation.unwrap_or_else(|| id.clone());
        let mut listener = Listener {
            first: First::new(definition, correlation.clone()).map(|first| (first, stay.clone())),
            correlation,
            id,
            definition,
            mailbox: mailbox.clone(),
            given: Given::default(),
        };
        listener.note_first(event);
        let listening = live.add(self, listener);
        if let Some(starting) = &mut live.starting {
            starting.fresh.push(Fresh { program, tasks, start, mailbox: mailbox.clone(), stay, listening });
        }
        mailbox
    }
}

impl Fresh {
    async fn run(self, environment: Environment) {
        let Fresh { program, tasks, mut start, mailbox, stay, listening } = self;
        start.observers = environment.hub.as_ref().map(Hub::observers).unwrap_or_default();
        let mut driver = Driver::new(program, program.start(start), environment, &*tasks, Volatile);
        driver.take_mail_from(mailbox);
        driver.watch_first(stay);
        // What it ended with, observers are told.
        let _outcome = driver.run().await;
        drop(listening);
        driver.settle().await;
    }
}
