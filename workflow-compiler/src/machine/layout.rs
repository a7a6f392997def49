//! Layouts of resume points. The fingerprint of a layout decides whether a build can load what
//! another build saved: the fingerprints of the resume point must be equal.

use super::{Machine, ResumePoint, ResumePointKind};
use crate::expr::LocalId;
use crate::fnv::Fnv;
use crate::model::LocalKind;

impl Machine {
    /// Returns the fingerprint of what is saved at a resume point: the payload, the kind of what
    /// it awaits, the states around it, and its index among points of the same authored name.
    /// Names of generated code are not part of it, because changes elsewhere in the definition
    /// alter them.
    pub fn layout(&self, point: &ResumePoint) -> u64 {
        let mut hash = Fnv::new();
        for local in &point.payload {
            let local = self.local(*local);
            let kind = match local.kind {
                LocalKind::Value => "value",
                LocalKind::Variable => "variable",
                LocalKind::Fault => "fault",
                LocalKind::Retries => "retries",
                LocalKind::BlockRetries => "tries",
            };
            hash.write(kind.as_bytes());
            hash.write(local.authored.as_bytes());
        }
        let waits_for: &[u8] = match point.kind {
            // No execution is saved at an entry.
            ResumePointKind::Enter(_) => return hash.finish(),
            // The usual case: nothing is hashed.
            ResumePointKind::Resume(_) => b"",
            ResumePointKind::Elapsed(_) => b"time",
            ResumePointKind::Fork(..) => b"branches",
            ResumePointKind::ForEach { .. } => b"iterations",
        };
        if !waits_for.is_empty() {
            hash.write(waits_for);
        }
        if let (at, count @ 2..) = point.among {
            hash.write(format!("wait {at} of {count}").as_bytes());
        }
        for state in point.origin.iter().flat_map(|origin| &origin.within) {
            hash.write(b"in");
            hash.write(state.as_bytes());
        }
        hash.finish()
    }

    /// Sorts a payload into an order that does not depend on the needs of other states.
    pub fn sort_payload(&self, payload: &mut [LocalId]) {
        payload.sort_by(|left, right| {
            let key = |id: &LocalId| (self.local(*id).kind, &*self.local(*id).authored, *id);
            key(left).cmp(&key(right))
        });
    }
}
