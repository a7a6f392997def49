//! A workflow with distributed Maps, as the compiler could have generated it. Each child invokes a
//! task with its input, except those of the nested Map: each runs a Map of its own.

use workflow_runtime::machine::{
    Definition, DistributedMap, FrameAction, Machine, Outcome, ReaderKind, StateInfo, SuspensionPoint, Turn,
    TurnResult, Workflow,
};
use workflow_runtime::value::codec::{LoadError, Reader, Writer};
use workflow_runtime::{Fault, Task, Value};

/// A workflow with distributed Maps. Its input has the index of the Map and the settings.
pub struct Flow;

static WORK: Task = Task::new(0, "work", "work", "Work", 2);

/// The states: the Map, and the task of each child.
#[derive(Debug, Clone, PartialEq)]
pub enum State {
    Start(Value),
    Mapping,
    Child(Value),
    Working,
}

static MAPPING: SuspensionPoint = SuspensionPoint::new("Each", "Each", 1);
static WORKING: SuspensionPoint = SuspensionPoint::new("Work", "Work", 2);

impl Machine for State {
    const POINTS: &'static [SuspensionPoint] = &[];

    fn start(input: Value) -> State {
        State::Start(input)
    }

    fn entry(number: u32, input: &Value) -> Option<State> {
        match number {
            0 => Some(State::Child(input.clone())),
            1 => Some(State::Start(input.clone())),
            _ => None,
        }
    }

    fn enter(self, turn: &mut Turn<State>) -> TurnResult<State> {
        match self {
            State::Start(input) => {
                turn.enter("Each", &input);
                let map = input.get("map").and_then(Value::as_i64).unwrap_or_default();
                turn.call_map(map as u32, input.get("settings").cloned().unwrap_or_default());
                Ok(FrameAction::Wait(State::Mapping))
            }
            State::Child(input) => {
                turn.enter("Work", &input);
                turn.invoke(&WORK, input);
                Ok(FrameAction::Wait(State::Working))
            }
            State::Mapping | State::Working => Err(Fault::runtime("it waits")),
        }
    }

    fn resume(self, done: Outcome, _: &mut Turn<State>) -> TurnResult<State> {
        done.map(FrameAction::Done)
    }

    fn point(&self) -> &'static SuspensionPoint {
        match self {
            State::Start(_) | State::Mapping => &MAPPING,
            State::Child(_) | State::Working => &WORKING,
        }
    }

    fn save(&self, _: &mut Writer) {}

    fn load(point: &str, _: &mut Reader<'_>) -> Result<State, LoadError> {
        match point {
            "Each" => Ok(State::Mapping),
            "Work" => Ok(State::Working),
            other => Err(LoadError::unknown_point(other)),
        }
    }
}

impl Workflow for Flow {
    type State = State;
    const DEFINITION: &'static Definition = &Definition {
        name: "flow",
        dialect: "asl",
        source: "flow.asl.json",
        states: &[StateInfo::new("Each", "Map", 1, &[]), StateInfo::new("Work", "Task", 2, &[])],
        tasks: &[&WORK],
        points: &[SuspensionPoint::new("Each", "Each", 1), SuspensionPoint::new("Work", "Work", 2)],
        maps: &[
            DistributedMap::new("Each", "data", 0),
            DistributedMap::new("Each", "get", 0).reader(ReaderKind::GetObject),
            DistributedMap::new("Each", "list", 0).reader(ReaderKind::ListObjects),
            DistributedMap::new("Each", "nested", 1),
        ],
        ..Definition::VERSION_0_1_0
    };
}
