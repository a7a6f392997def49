//! The workflows of the suite.

use workflow_runtime::task::Invoke;
use workflow_runtime::{Workflow, include_workflow};

use crate::Desk;

include_workflow!("flows/steps.asl.json");
include_workflow!("flows/ask.asl.json");
include_workflow!("flows/parcel.sw.json");
include_workflow!("flows/gather.sw.json");
include_workflow!("flows/family.sw.json");
include_workflow!("flows/child.sw.json");
include_workflow!("flows/ending.sw.json");
include_workflow!("flows/outer.sw.json");
include_workflow!("flows/rows.asl.json");

/// The workflows of the suite with their tasks, to be registered with the engine under test.
///
/// ```
/// use workflow_engine_suite::{Registry, Workflows};
///
/// fn registered<R: Registry>(workflows: &Workflows, builder: R) -> R {
///     workflows.register(builder)
/// }
/// ```
#[derive(Clone, Default)]
pub struct Workflows {
    pub(crate) desk: Desk,
}

/// The builder of an engine, as the suite sees it.
///
/// ```
/// use workflow_engine_suite::Registry;
/// use workflow_runtime::task::Invoke;
/// use workflow_runtime::{MemoryEngineBuilder, Workflow};
///
/// struct Builder(MemoryEngineBuilder);
///
/// impl Registry for Builder {
///     fn workflow<W: Workflow>(self, tasks: impl Invoke + 'static) -> Self {
///         Builder(self.0.workflow::<W>(tasks))
///     }
/// }
/// ```
pub trait Registry: Sized {
    /// Registers the workflow `W` with its tasks.
    fn workflow<W: Workflow>(self, tasks: impl Invoke + 'static) -> Self;
}

impl Workflows {
    /// Registers all workflows.
    pub fn register<R: Registry>(&self, registry: R) -> R {
        registry
            .workflow::<steps::Steps>(self.desk.clone())
            .workflow::<ask::Ask>(self.desk.clone())
            .workflow::<parcel::Parcel>(self.desk.clone())
            .workflow::<gather::Gather>(self.desk.clone())
            .workflow::<family::Family>(self.desk.clone())
            .workflow::<child::Child>(self.desk.clone())
            .workflow::<ending::Ending>(self.desk.clone())
            .workflow::<outer::Outer>(self.desk.clone())
            .workflow::<rows::Rows>(self.desk.clone())
    }
}

/// The name of a workflow of the suite.
pub(crate) struct Names;

impl Names {
    pub const STEPS: &'static str = <steps::Steps as Workflow>::DEFINITION.name;
    pub const ASK: &'static str = <ask::Ask as Workflow>::DEFINITION.name;
    pub const PARCEL: &'static str = <parcel::Parcel as Workflow>::DEFINITION.name;
    pub const GATHER: &'static str = <gather::Gather as Workflow>::DEFINITION.name;
    pub const FAMILY: &'static str = <family::Family as Workflow>::DEFINITION.name;
    pub const CHILD: &'static str = <child::Child as Workflow>::DEFINITION.name;
    pub const ENDING: &'static str = <ending::Ending as Workflow>::DEFINITION.name;
    pub const OUTER: &'static str = <outer::Outer as Workflow>::DEFINITION.name;
    pub const ROWS: &'static str = <rows::Rows as Workflow>::DEFINITION.name;
}
