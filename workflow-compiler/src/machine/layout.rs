//! What a saved execution says of a point, and the fingerprint of it: of two builds, one can load what the other has saved at a
//! point where both have the same.

use super::{Machine, Point, PointKind};
use crate::emit::Fnv;
use crate::expr::LocalId;
use crate::hir::LocalKind;

impl Machine {
    /// A fingerprint of what is saved at a point: what it carries, for what it waits, the states around it, and which one it is
    /// of those with the same name. Names of the
    /// generated code are no part of it: those of the rest of the definition change them.
    pub fn layout(&self, point: &Point) -> u64 {
        let mut hash = Fnv::new();
        for local in &point.payload {
            let local = self.local(*local);
            let kind = match local.kind {
                LocalKind::Value => "value",
                LocalKind::Variable => "variable",
                LocalKind::Fault => "fault",
                LocalKind::Retries => "retries",
                LocalKind::Tries => "tries",
            };
            hash.write(kind.as_bytes());
            hash.write(local.authored.as_bytes());
        }
        let waits_for: &[u8] = match point.kind {
            // No execution is saved where it only passes through.
            PointKind::Enter(_) => return hash.finish(),
            // The most points by far.
            PointKind::Resume(_) => b"",
            PointKind::Elapsed(_) => b"time",
            PointKind::Fork(..) => b"branches",
            PointKind::ForEach { .. } => b"iterations",
        };
        if !waits_for.is_empty() {
            hash.write(waits_for);
        }
        if let (at, count @ 2..) = point.among {
            hash.write(format!("{at} of {count}").as_bytes());
        }
        for state in point.origin.iter().flat_map(|origin| &origin.within) {
            hash.write(b"in");
            hash.write(state.as_bytes());
        }
        hash.finish()
    }

    /// Brings what a point carries into an order that does not depend on what other states need.
    pub fn sort_payload(&self, payload: &mut [LocalId]) {
        payload.sort_by(|left, right| {
            let key = |id: &LocalId| (self.local(*id).kind, &*self.local(*id).authored, *id);
            key(left).cmp(&key(right))
        });
    }
}
