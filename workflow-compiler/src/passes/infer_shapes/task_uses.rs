//! The data of tasks: the inputs that a definition passes to them, and what it reads of their
//! outputs.

use crate::hir::Workflow;
use crate::index::IndexVec;
use crate::model::{TaskId, TaskShapes};
use crate::shapes::{Field, KindSet, RecordShape, RustRead, RustStep, Shape};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The data of the tasks of a workflow.
#[derive(Debug, Clone, Default)]
pub struct TaskUses {
    /// The inputs of each task.
    inputs: BTreeMap<TaskId, Shape>,
    /// The reads of the output of each task, by the number of its type.
    outputs: BTreeMap<usize, ReadTree>,
}

/// The reads of a value.
#[derive(Debug, Clone, Default)]
struct ReadTree {
    members: BTreeMap<Arc<str>, MemberReads>,
    /// The kinds that its readers take, if they agree.
    kinds: Option<KindSet>,
    /// The reads of the elements of an array.
    elements: Option<Box<ReadTree>>,
}

/// The reads of a member.
#[derive(Debug, Clone, Default)]
struct MemberReads {
    is_required: bool,
    value: ReadTree,
}

impl TaskUses {
    /// Adds an input of a task.
    pub fn invoke(&mut self, task: TaskId, input: &Shape) {
        let known = self.inputs.entry(task).or_insert_with(Shape::never);
        *known = known.join(input);
    }

    /// Adds reads of outputs.
    pub fn read(&mut self, reads: Vec<RustRead>) {
        'reads: for RustRead { place, is_required, kinds } in reads {
            let mut at = self.outputs.entry(place.ty).or_default();
            for step in &place.steps {
                at = match step {
                    RustStep::Member(name) | RustStep::Mapped(name) => {
                        let member = at.members.entry(Arc::clone(name)).or_default();
                        member.is_required |= is_required;
                        &mut member.value
                    }
                    RustStep::Elements | RustStep::Children => at.elements.get_or_insert_default(),
                    RustStep::NotNull => at,
                    RustStep::AnyMember => continue 'reads,
                };
            }
            let known = at.kinds.unwrap_or(KindSet::ALL);
            at.kinds = Some(known.complement().or(kinds.complement()).complement());
        }
    }

    /// Returns the shapes of the tasks. An output of which nothing is read is an object without
    /// members, so that no member is required in its union with other outputs of the task.
    pub fn shapes(&self, workflow: &Workflow) -> IndexVec<TaskId, TaskShapes> {
        let nothing = || Shape::record::<Arc<str>>([]);
        let tasks = workflow.tasks.ids().zip(&workflow.tasks).map(|(id, task)| {
            let read = || self.outputs.get(&(id.0 as usize)).filter(|read| !read.is_empty()).map(ReadTree::shape);
            let passed = self.inputs.get(&id);
            let wanted = passed.map_or(&task.shapes.input, |passed| task.shapes.wanted(passed)).clone();
            TaskShapes {
                input: Some(wanted).filter(is_described).or_else(|| passed.cloned()).unwrap_or_else(Shape::never),
                output: Some(task.shapes.output.clone()).filter(is_described).or_else(read).unwrap_or_else(nothing),
                ..TaskShapes::default()
            }
        });
        tasks.collect()
    }
}

/// Returns `true` if a schema describes a value.
fn is_described(shape: &Shape) -> bool {
    !shape.is_any() && !shape.is_never()
}

impl ReadTree {
    fn is_empty(&self) -> bool {
        let is_any = self.kinds.is_none_or(|kinds| kinds == KindSet::ALL || kinds.is_empty());
        self.members.is_empty() && self.elements.is_none() && is_any
    }

    /// Returns the least shape with all that is read.
    fn shape(&self) -> Shape {
        match &self.elements {
            None if self.members.is_empty() => match self.kinds {
                Some(kinds) if !kinds.is_empty() => Shape::any().only(kinds),
                _ => Shape::any(),
            },
            None => {
                let fields = self.members.iter().map(|(name, member)| {
                    (Arc::clone(name), Field { shape: member.value.shape(), required: member.is_required })
                });
                Shape::object(RecordShape { fields: fields.collect(), rest: Shape::never() })
            }
            Some(elements) if self.members.is_empty() => Shape::list(elements.shape()),
            // The value is read as an object and as an array.
            Some(_) => Shape::any(),
        }
    }
}
