//! A configuration of the model: executions, events, and what the outside does.

use std::sync::Arc;

use workflow_runtime::CloudEvent;
use workflow_runtime::coordination::{InboxLimits, RoutedEvent};

use crate::faults::Fault;
use crate::programs::{Step, script};
use crate::world::{Execution, World};

/// The correlation keys.
pub const KEYS: [&str; 2] = ["k", "l"];

/// A configuration.
pub struct Configuration {
    pub name: &'static str,
    /// The scripts of the first executions, with the index of their correlation key.
    pub executions: &'static [(u8, u8)],
    /// The events: their types, with the index of the correlation key.
    pub events: &'static [(&'static str, u8)],
    /// The events that are published, in any order.
    pub publications: &'static [u8],
    pub commands: &'static [Command],
    pub crashes: u8,
    /// The limits of inboxes: the capacity, and the overflow.
    pub limits: (usize, usize),
}

/// An act of an operator or a client, or an event inside of an execution beside its script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    Cancel(u8),
    Redrive(u8),
    /// A branch of the execution fails.
    Fail(u8),
    /// A branch of the execution terminates it.
    Terminate(u8),
    /// The execution has crashed the process repeatedly.
    Park(u8),
    /// The execution is removed with all its records.
    Kill(u8),
    Send(u8, u8),
    /// An execution publishes an event.
    PublishFromInside(u8),
    /// The time of time-outs comes.
    PassTime,
}

/// A configuration with everything that is computed once.
pub struct Model {
    pub configuration: &'static Configuration,
    pub events: Vec<RoutedEvent>,
    pub limits: InboxLimits,
    /// A deliberate fault of the store or of a rule.
    pub fault: Option<Fault>,
}

impl Model {
    pub fn new(configuration: &'static Configuration, fault: Option<Fault>) -> Model {
        let scripts = scripts(configuration);
        let of = |(number, (kind, key)): (usize, &(&'static str, u8))| {
            let event = CloudEvent::new(number.to_string(), "/model", *kind);
            let event = event.extension("key", KEYS[usize::from(*key)]);
            let definitions = scripts.iter().map(|number| script(*number).definition);
            let mut routed = RoutedEvent::new(Arc::new(event), definitions);
            if fault == Some(Fault::KeysAreIgnored) {
                routed.workflows.values_mut().flatten().for_each(|kind| kind.correlation = None);
            }
            routed
        };
        let (capacity, overflow) = configuration.limits;
        Model {
            configuration,
            events: configuration.events.iter().enumerate().map(of).collect(),
            limits: InboxLimits { capacity, overflow },
            fault,
        }
    }

    pub fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    /// Returns the number of an event of the core.
    pub fn number(event: &CloudEvent) -> u8 {
        event.id.parse().expect("events of the model have numbers as ids")
    }

    /// Returns the state in which nothing has happened.
    pub fn beginning(&self) -> World {
        let configuration = self.configuration;
        let mut world = World {
            publications: (0..).take(configuration.publications.len()).collect(),
            commands: (0..).take(configuration.commands.len()).collect(),
            crashes: configuration.crashes,
            ..World::default()
        };
        for (script, key) in configuration.executions {
            world.add(Execution::new(*script, *key, None));
        }
        world
    }
}

/// Returns the scripts of the executions of a configuration, and of their children.
fn scripts(configuration: &Configuration) -> Vec<u8> {
    let mut found: Vec<u8> = configuration.executions.iter().map(|(script, _)| *script).collect();
    let mut at = 0;
    while let Some(number) = found.get(at) {
        let calls = script(*number).steps.iter().filter_map(|step| match step {
            Step::Call { script, .. } => Some(*script),
            _ => None,
        });
        found.extend(calls.collect::<Vec<u8>>());
        at += 1;
    }
    found.sort_unstable();
    found.dedup();
    found
}
