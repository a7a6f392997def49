//! The names of a run and of its children, as AWS has them.

use super::MapRun;
use crate::machine::core::Core;
use crate::machine::random::Stream;
use crate::value::Str;

/// Returns the name of an execution that a Map run has started: a UUID that depends on the id of
/// the execution only.
pub(in crate::machine) fn shown_name(id: &str) -> Str {
    Stream::of_text(id).uuid().into()
}

/// Returns the ARN of a resource of this kind.
fn arn(core: &Core, kind: &str, label: &str, name: Option<&str>) -> Str {
    let identity = core.header.identity();
    let (region, account, machine) = (&identity.region, &identity.account, &identity.machine);
    let arn = format!("arn:aws:states:{region}:{account}:{kind}:{machine}/{label}");
    match name {
        None => arn.into(),
        Some(name) => format!("{arn}:{name}").into(),
    }
}

impl MapRun {
    /// Returns the name of the run. It depends on the run's seed, too: the results are written
    /// into a folder of this name, which another run with the same id must not replace.
    pub(super) fn name(&self) -> Str {
        self.core.header.random_copy().named(&self.core.header.name).uuid().into()
    }

    /// Returns the ARN of the run.
    pub(super) fn map_run_arn(&self) -> Str {
        arn(&self.core, "mapRun", self.map.label, Some(&self.name()))
    }

    /// Returns the name of a child, and its ARN.
    pub(super) fn child_name(&self, number: u64, redrives: u32) -> (Str, Str) {
        // As `Call::execution_id` has it.
        let first = format!("{}.{}-0", self.core.header.name, number + 1);
        let name = match redrives {
            0 => shown_name(&first),
            _ => shown_name(&format!("{first}.{}", u64::from(redrives) + 1)),
        };
        let arn = arn(&self.core, "execution", self.map.label, Some(&name));
        (name, arn)
    }

    /// Returns the ARN of the state machine that the children run.
    pub(super) fn child_machine(&self) -> Str {
        arn(&self.core, "stateMachine", self.map.label, None)
    }
}
