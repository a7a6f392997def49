//! Small scripted workflows, and the definitions that the core sees of them.

use workflow_runtime::machine::{Definition, EventInfo, StartsOn};

/// A workflow as a script.
pub struct Script {
    pub definition: &'static Definition,
    pub steps: &'static [Step],
}

impl Script {
    /// Returns `true` if the first step takes all events of its kinds until it is complete.
    pub fn is_collecting(&self) -> bool {
        matches!(self.steps.first(), Some(Step::Receive(receive)) if receive.mode == Mode::All)
    }
}

/// A step of a script. It begins and ends in one transaction, unless it waits.
#[derive(Clone, Copy)]
pub enum Step {
    /// Waits for events. The first step of a workflow with a start condition is its start state.
    Receive(Receive),
    /// Does something that must not be repeated.
    Work,
    /// Starts a child of the script with this number.
    Call { script: u8, awaited: bool },
    /// Fails, unless the execution was redriven.
    FailOnce,
    /// Returns to the first step, once.
    Again,
}

/// A wait for events of some kinds, which are indexes into the definition's events.
#[derive(Clone, Copy)]
pub struct Receive {
    pub kinds: &'static [u32],
    pub mode: Mode,
    /// Set if the wait ends when the time passes.
    pub has_timeout: bool,
}

/// The condition that completes a wait.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    One,
    All,
    Sequence,
}

/// The kinds of events. `B` is correlated.
pub const A: u32 = 0;
pub const B: u32 = 1;

const EVENTS: &[EventInfo] = &[EventInfo::new("a").kind("a"), EventInfo::new("b").kind("b").correlation("key")];

const fn definition(name: &'static str, rule: Option<StartsOn>) -> Definition {
    Definition {
        name,
        dialect: "none",
        source: "script.json",
        hash: 1,
        events: EVENTS,
        starts_on: rule,
        ..Definition::VERSION_0_1_0
    }
}

const fn wait(kinds: &'static [u32], mode: Mode) -> Step {
    Step::Receive(Receive { kinds, mode, has_timeout: false })
}

const START: &str = "Start";

static ONE: Definition = definition("one", Some(StartsOn::new(START, &[A])));
static LATER: Definition = definition("later", Some(StartsOn::new(START, &[A]).also_awaited_later(&[A])));
static SET: Definition = definition("set", Some(StartsOn::new(START, &[A, B]).all_of()));
static ROW: Definition = definition("row", Some(StartsOn::new(START, &[A, B]).sequence(&[A, B])));
static TIMED: Definition = definition("timed", Some(StartsOn::new(START, &[A])));
static AGAIN: Definition = definition("again", Some(StartsOn::new(START, &[A])));
static WAITER: Definition = definition("waiter", None);
static PARENT: Definition = definition("parent", None);
static FAMILY: Definition = definition("family", None);
static FAILING: Definition = definition("failing", None);

/// Numbers of scripts.
pub const STARTS_ON_ONE: u8 = 0;
pub const AWAITS_LATER: u8 = 1;
pub const COLLECTS: u8 = 2;
pub const IN_ORDER: u8 = 3;
pub const TIMES_OUT: u8 = 4;
pub const ENTERS_AGAIN: u8 = 5;
pub const WAITS: u8 = 6;
pub const CALLS: u8 = 7;
pub const CALLS_A_CALLER: u8 = 8;
pub const FAILS: u8 = 9;

pub static SCRIPTS: [Script; 10] = [
    Script { definition: &ONE, steps: &[wait(&[A], Mode::One), Step::Work] },
    Script { definition: &LATER, steps: &[wait(&[A], Mode::One), Step::Work, wait(&[A, B], Mode::One)] },
    Script { definition: &SET, steps: &[wait(&[A, B], Mode::All), Step::Work] },
    Script { definition: &ROW, steps: &[wait(&[A, B], Mode::Sequence), Step::Work] },
    Script {
        definition: &TIMED,
        steps: &[Step::Receive(Receive { kinds: &[A], mode: Mode::One, has_timeout: true }), Step::Work],
    },
    Script { definition: &AGAIN, steps: &[wait(&[A], Mode::One), Step::Work, Step::Again] },
    Script { definition: &WAITER, steps: &[wait(&[A], Mode::One), Step::Work, wait(&[B], Mode::One)] },
    Script {
        definition: &PARENT,
        steps: &[
            Step::Call { script: STARTS_ON_ONE, awaited: true },
            Step::Call { script: WAITS, awaited: false },
            Step::Work,
        ],
    },
    Script { definition: &FAMILY, steps: &[Step::Call { script: CALLS, awaited: true }, Step::Work] },
    Script { definition: &FAILING, steps: &[Step::Work, Step::FailOnce, wait(&[A], Mode::One), Step::Work] },
];

/// Returns the script of an execution or a workflow.
pub fn script(number: u8) -> &'static Script {
    &SCRIPTS[usize::from(number)]
}

/// Returns the number of the script with this name.
pub fn named(workflow: &str) -> u8 {
    let found = SCRIPTS.iter().position(|script| script.definition.name == workflow);
    found.and_then(|number| u8::try_from(number).ok()).expect("the core names scripts of this list")
}
