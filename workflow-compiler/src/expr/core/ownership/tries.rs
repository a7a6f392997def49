//! Last uses in the blocks of `try`, references into assigned locals, and copies for closures.

use super::super::live::LocalSet;
use super::super::visit::Mention;
use super::super::{CoreArgument, CoreCall, CoreLocalId, Try, TryEnd};
use super::{Holds, Marker};

impl Marker<'_> {
    /// Marks the last uses in a block that is a closure. The closure takes nothing that is read
    /// after it on any way, or that it changes.
    pub(super) fn try_closure(&mut self, inner: &mut Try, mut live: LocalSet) -> LocalSet {
        let mut behind_jumps = LocalSet::default();
        inner.body.jumps_of(&mut |label| {
            if let Some(jump) = self.labels.get(&label) {
                behind_jumps.extend(&jump.after_break);
                behind_jumps.extend(&jump.after_continue);
            }
        });
        // The jumps continue behind the finalizer.
        if let TryEnd::Finally(_) = inner.end {
            live.extend(&behind_jumps);
        }
        let (TryEnd::Catch(_, end) | TryEnd::Finally(end)) = &mut inner.end;
        let mut after = self.block(end, live.clone());
        after.extend(&live);
        if let TryEnd::Catch(error, _) = inner.end {
            after.remove(error);
        }
        let outside = self.lent.clone();
        self.lent.extend(&after);
        self.lent.extend(&behind_jumps);
        inner.body.visit(&mut |mention| {
            if let Mention::Changed(local) = mention {
                self.lent.insert(local);
            }
        });
        let mut before = self.block(&mut inner.body, after.clone());
        self.lent = outside;
        before.extend(&after);
        before
    }

    /// Notes the references into a local that are read after an assignment of the local.
    pub(super) fn block_references_into(&mut self, assigned: CoreLocalId, live: &LocalSet) {
        for local in live.iter() {
            if matches!(&self.holds[local], Holds::Borrowed(bases) if bases.has(assigned)) {
                self.blocked.insert(local);
            }
        }
    }

    /// Counts the locals as read that closures copy.
    pub(super) fn read_captured(&self, call: &CoreCall, live: &mut LocalSet) {
        for arg in &call.args {
            if let CoreArgument::Closure(closure) = arg {
                closure.captures.iter().for_each(|(_, outer)| self.read(*outer, live));
            }
        }
    }
}
