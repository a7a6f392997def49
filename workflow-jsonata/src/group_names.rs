//! Names of the groups of a regular expression.

use std::collections::BTreeSet;
use std::mem::take;

/// The names of the groups that a pattern has so far. Two groups have the same name only if they
/// are in different alternatives, of which at most one matches.
#[derive(Default)]
pub struct GroupNames {
    /// The alternatives at the top level.
    outermost: Alternatives,
    /// The alternatives in each open group.
    open: Vec<Alternatives>,
}

/// The names in the alternatives of a group.
#[derive(Default)]
struct Alternatives {
    ended: BTreeSet<String>,
    last: BTreeSet<String>,
}

impl GroupNames {
    /// Begins a group.
    pub fn open(&mut self) {
        self.open.push(Alternatives::default());
    }

    /// Ends the group that was begun last. The group around it has all of its names.
    pub fn close(&mut self) {
        let Some(Alternatives { mut ended, mut last }) = self.open.pop() else { return };
        last.append(&mut ended);
        self.innermost().last.append(&mut last);
    }

    /// Begins another alternative.
    pub fn alternative(&mut self) {
        let Alternatives { ended, last } = self.innermost();
        ended.append(&mut take(last));
    }

    /// Adds a name. Returns `false` if a group that can match together with this one has it.
    pub fn add(&mut self, name: String) -> bool {
        let is_new = self.open.iter().chain([&self.outermost]).all(|group| !group.last.contains(&name));
        self.innermost().last.insert(name);
        is_new
    }

    fn innermost(&mut self) -> &mut Alternatives {
        self.open.last_mut().unwrap_or(&mut self.outermost)
    }
}

/// Returns `true` if a name of a group can begin with this character.
pub fn begins_name(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '_' | '$')
}

/// Returns `true` if a name of a group can have this character after the first one.
pub fn continues_name(c: char) -> bool {
    begins_name(c) || c.is_numeric() || matches!(c, '\u{200c}' | '\u{200d}')
}
