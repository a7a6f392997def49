//! Executions in memory that events start: whether one does, or an execution waits for it in its first state.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use super::hub::{Given, Hub, Listener, Listening, Live};
use crate::engine::driver::{Driver, Environment, Mailbox, Volatile};
use crate::event::CloudEvent;
use crate::machine::{Execution, First, Opening, Program, Start};
use crate::task::Invoke;
use crate::time::Timestamp;
use crate::value::{Object, Str};

/// Whether an execution is in the first state of its workflow, which waits for the events that start it.
#[derive(Default)]
pub(in crate::engine) struct Stay {
    /// Whether it has left that state.
    left: AtomicBool,
    /// Which of its entries into states it was when it was there last; 0 before that is known.
    visit: AtomicU64,
    /// What it waits for if it has come back to that state, and nobody has asked since.
    back: Mutex<Option<First>>,
    /// Until when it waits there, in microseconds; before that is known, 0.
    until: AtomicI64,
}

impl Stay {
    /// Of an execution that has not begun, if events start such.
    pub fn of(execution: &dyn Execution) -> Option<Arc<Stay>> {
        execution.definition().starts_on.map(|_| Arc::default())
    }

    /// Looks at what the execution waits for.
    pub fn look(&self, execution: &dyn Execution) {
        let Some(here) = First::here(execution) else { return self.left.store(true, Ordering::Relaxed) };
        let until = here.first.until().map_or(i64::MAX, Timestamp::as_micros);
        self.until.store(until, Ordering::Relaxed);
        // It may have gone through other states at once.
        let before = self.visit.swap(here.visit, Ordering::Relaxed);
        let has_left = self.left.swap(false, Ordering::Relaxed);
        if has_left || before != 0 && before != here.visit {
            *self.back() = Some(here.first);
        }
    }

    fn back(&self) -> MutexGuard<'_, Option<First>> {
        self.back.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        self.left.load(Ordering::Relaxed)
    }

    fn until(&self) -> Timestamp {
        Timestamp::from_micros(match self.visit.load(Ordering::Relaxed) {
            0 => i64::MAX,
            _ => self.until.load(Ordering::Relaxed),
        })
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
    opening: Opening,
    /// Whether an execution has taken it before, or was started by it.
    known: bool,
    /// Whether an execution takes it in its first state.
    taken: bool,
}

impl Listener {
    /// Whether it takes an event in its first state, as far as is known.
    fn takes_first(&mut self, event: &CloudEvent, now: Timestamp) -> bool {
        let Some((first, stay)) = self.first_now().filter(|(_, stay)| !stay.is_over()) else { return false };
        first.set_until(Some(stay.until()));
        first.takes(event, now)
    }

    /// Notes an event that it is given.
    pub(super) fn note_first(&mut self, event: &CloudEvent) {
        if let Some((first, _)) = self.first_now() {
            first.note(event);
        }
    }

    /// What it waits for in its first state, as it is since it has come back to that.
    fn first_now(&mut self) -> Option<&mut (First, Arc<Stay>)> {
        let (first, stay) = self.first.as_mut()?;
        if let Some(again) = stay.back().take() {
            *first = again;
        }
        self.first.as_mut()
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
        let turns = environment.turns.off_runtime();
        let environment = Environment { hub: Some(self.clone()), turns, ..environment };
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
            let Some(opening) = Opening::of(definition, event) else { continue };
            let known = starting.known.get(definition.name).is_some_and(|known| known.has(event));
            rules.push(Rule { program, tasks, opening, known, taken: false });
        }
        rules
    }

    /// Lets an execution begin. Where its mail arrives.
    fn begin(&self, live: &mut Live, rule: Rule, event: &CloudEvent, now: Timestamp) -> Mailbox {
        let Rule { program, tasks, opening, .. } = rule;
        let definition = program.definition;
        let correlation = opening.correlation(event);
        let id: Str = Opening::name(event).into();
        let mut start = Start::new(Object::new());
        start.name = Some(id.clone());
        start.correlation.clone_from(&correlation);
        start.time = Some(now);
        let (mailbox, stay) = (Mailbox::default(), Arc::<Stay>::default());
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
        let mut driver = Driver::new(program, program.begin(start), environment, &*tasks, Volatile);
        driver.take_mail_from(mailbox);
        driver.watch_first(stay);
        // What it ended with, observers are told.
        let _outcome = driver.run().await;
        drop(listening);
        driver.settle().await;
    }
}
