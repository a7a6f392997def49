//! Checks of functions of the core, which run in debug builds after lowering and after each pass.

use super::live::LocalSet;
use super::visit::{Mention, Part};
use super::{
    Atom, Closure, Computation, CoreArgument, CoreBlock, CoreCall, CoreFunction, CoreLocalId, CoreStatement, CoreType,
    ErrorExit, LabelId, Takes, TryEnd,
};
use crate::index::{Id, IndexVec};

/// The names that are visible at a point of a function.
struct Verifier<'a> {
    function: &'a CoreFunction,
    /// The locals that are bound on every way to the point.
    visible: IndexVec<CoreLocalId, bool>,
    /// The locals that have been bound anywhere.
    bound: IndexVec<CoreLocalId, bool>,
    /// The labels of the enclosing blocks and loops, up to the innermost closure.
    labels: Vec<(LabelId, LabelKind)>,
    problems: Vec<String>,
}

/// The construct that a label names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LabelKind {
    Block,
    Loop,
    Attempt,
    /// A closure, which jumps to labels outside it leave.
    Try,
}

impl CoreFunction {
    /// Checks that every local is bound once and before its uses, that jumps and errors have
    /// enclosing destinations, and that calls have the arguments that their functions take.
    ///
    /// # Panics
    /// Panics with the function and what is wrong with it: a lowering or a pass has a defect.
    pub fn verify(&self) {
        let problems = self.problems();
        assert!(problems.is_empty(), "invalid core: {}\n{self}", problems.join("; "));
    }

    /// Returns what is wrong with the function.
    pub fn problems(&self) -> Vec<String> {
        let mut verifier = Verifier {
            function: self,
            visible: IndexVec::filled_like(&self.locals, false),
            bound: IndexVec::filled_like(&self.locals, false),
            labels: Vec::new(),
            problems: Vec::new(),
        };
        self.params.iter().for_each(|param| verifier.bind(*param));
        verifier.block(&self.body);
        if self.body.value.is_none() && !self.body.jumps() {
            verifier.problems.push("the function has no result".to_owned());
        }
        verifier.problems
    }
}

impl Verifier<'_> {
    fn problem(&mut self, text: String) {
        self.problems.push(text);
    }

    fn name(&self, local: CoreLocalId) -> String {
        match self.function.locals.find(local) {
            Some(known) => format!("`{}` ({})", known.hint, local.position()),
            None => format!("an unknown local ({})", local.position()),
        }
    }

    fn bind(&mut self, local: CoreLocalId) {
        if self.function.locals.find(local).is_none() || self.bound[local] {
            let name = self.name(local);
            return self.problem(format!("{name} is bound twice, or unknown"));
        }
        self.bound[local] = true;
        self.visible[local] = true;
    }

    fn mention(&mut self, local: CoreLocalId) {
        if self.visible.find(local) != Some(&true) {
            let name = self.name(local);
            self.problem(format!("{name} is used where it has no value"));
        }
    }

    /// Checks a block. Its locals are not visible after it.
    fn block(&mut self, block: &CoreBlock) {
        let outside = self.visible.clone();
        for statement in &block.statements {
            self.statement(statement);
        }
        if let Some(value) = &block.value {
            self.atom(value);
        }
        self.visible = outside;
    }

    fn labelled(&mut self, label: LabelId, kind: LabelKind, block: &CoreBlock) {
        self.labels.push((label, kind));
        self.block(block);
        self.labels.pop();
    }

    fn with_locals(&mut self, locals: &[CoreLocalId], check: impl FnOnce(&mut Self)) {
        let outside = self.visible.clone();
        locals.iter().for_each(|local| self.bind(*local));
        check(self);
        self.visible = outside;
    }

    fn statement(&mut self, statement: &CoreStatement) {
        match statement {
            CoreStatement::Let(local, computation) => {
                self.computation(computation);
                self.heap(*local, computation);
                self.bind(*local);
            }
            CoreStatement::Assign(local, computation) => {
                self.computation(computation);
                self.heap(*local, computation);
                self.mention(*local);
            }
            CoreStatement::Store(place, value) => {
                self.mention(*place);
                self.atom(value);
            }
            CoreStatement::Decrement(local) => self.mention(*local),
            CoreStatement::Do(computation) => self.computation(computation),
            CoreStatement::For { label, items, over, body } => {
                self.computation(over);
                self.with_locals(items, |verifier| verifier.labelled(*label, LabelKind::Loop, body));
            }
            CoreStatement::Loop { label, body } => self.labelled(*label, LabelKind::Loop, body),
            CoreStatement::Return(value) | CoreStatement::Fail(value) => self.atom(value),
            CoreStatement::Break(label, value) => {
                value.iter().for_each(|value| self.atom(value));
                if !self.labels.iter().any(|(known, kind)| known == label && *kind != LabelKind::Try) {
                    self.problem(format!("a jump leaves no enclosing block ('{})", label.position()));
                }
            }
            CoreStatement::Continue(label) => {
                if !self.labels.contains(&(*label, LabelKind::Loop)) {
                    self.problem(format!("a jump continues no enclosing loop ('{})", label.position()));
                }
            }
        }
    }

    /// Checks that variables on the heap, and no other locals, are bound to new ones.
    fn heap(&mut self, local: CoreLocalId, computation: &Computation) {
        let Computation::Call(call) = computation else { return };
        let is_shared = self.function.locals.find(local).is_some_and(|known| known.ty == CoreType::Shared);
        if is_shared != (call.callee.returns == CoreType::Shared) {
            let name = self.name(local);
            self.problem(format!("{name} and the result of `{}` differ in type", call.callee.name));
        }
    }

    fn computation(&mut self, computation: &Computation) {
        match computation {
            Computation::Call(call) => self.call(call, false),
            Computation::IfPresent { items, of, then, otherwise } => {
                match &**of {
                    Computation::Call(call) => self.call(call, true),
                    other => self.computation(other),
                }
                self.with_locals(items, |verifier| verifier.block(then));
                self.block(otherwise);
            }
            Computation::Labelled(label, body) => self.labelled(*label, LabelKind::Block, body),
            Computation::Attempt(attempt) => {
                self.labelled(attempt.label, LabelKind::Attempt, &attempt.body);
                self.with_locals(&[attempt.error], |verifier| verifier.block(&attempt.handler));
            }
            Computation::Try(inner) => {
                self.labelled(inner.label, LabelKind::Try, &inner.body);
                match &inner.end {
                    TryEnd::Catch(error, handler) => self.with_locals(&[*error], |verifier| verifier.block(handler)),
                    TryEnd::Finally(finalizer) => self.block(finalizer),
                }
            }
            _ => computation.parts().into_iter().for_each(|part| match part {
                Part::Operand(atom) => self.atom(atom),
                Part::Changed(local) => self.mention(local),
                Part::Inner(inner) => self.computation(inner),
                Part::Block(block) | Part::Closure(block) => self.block(block),
            }),
        }
    }

    fn call(&mut self, call: &CoreCall, may_be_absent: bool) {
        let name = call.callee.name;
        if call.args.len() != call.callee.takes.len() {
            let (passed, taken) = (call.args.len(), call.callee.takes.len());
            self.problem(format!("`{name}` takes {taken} arguments and has {passed}"));
        }
        for (arg, takes) in call.args.iter().zip(call.callee.takes) {
            let fits = match arg {
                CoreArgument::Atom(_) => {
                    matches!(takes, Takes::Ref | Takes::Value | Takes::Mut | Takes::Scalar)
                }
                CoreArgument::Changed(_) => *takes == Takes::Mut,
                CoreArgument::Text(_)
                | CoreArgument::Int(_)
                | CoreArgument::Texts(_)
                | CoreArgument::Flags(_)
                | CoreArgument::Pattern(..)
                | CoreArgument::Signature(_) => *takes == Takes::Constant,
                CoreArgument::Closure(_) => {
                    use Takes::{ClosureMut, FallibleClosure, FallibleClosureOfRef, OwnedClosure};
                    matches!(takes, FallibleClosure | FallibleClosureOfRef | ClosureMut | OwnedClosure)
                }
            };
            if !fits {
                self.problem(format!("`{name}` has an argument where it takes {takes:?}"));
            }
            match arg {
                CoreArgument::Atom(atom) => self.atom(atom),
                CoreArgument::Changed(local) => self.mention(*local),
                CoreArgument::Closure(closure) => {
                    if *takes == Takes::OwnedClosure {
                        self.owned(closure);
                    }
                    let labels = std::mem::take(&mut self.labels);
                    closure.captures.iter().for_each(|(_, outer)| self.mention(*outer));
                    let bound: Vec<_> = closure
                        .captures
                        .iter()
                        .map(|(inner, _)| *inner)
                        .chain(closure.params.iter().copied())
                        .collect();
                    self.with_locals(&bound, |verifier| verifier.block(&closure.body));
                    self.labels = labels;
                }
                CoreArgument::Text(_)
                | CoreArgument::Int(_)
                | CoreArgument::Texts(_)
                | CoreArgument::Flags(_)
                | CoreArgument::Pattern(..)
                | CoreArgument::Signature(_) => {}
            }
        }
        if !call.callee.fails {
            return;
        }
        match call.on_error {
            ErrorExit::Return => {}
            ErrorExit::Attempt(label) => {
                if !self.labels.contains(&(label, LabelKind::Attempt)) {
                    self.problem(format!("the error of `{name}` goes to no enclosing attempt"));
                }
            }
            ErrorExit::Absent if may_be_absent => {}
            ErrorExit::Absent => self.problem(format!("the error of `{name}` means absence, but nothing asks for it")),
        }
    }

    /// Checks that a closure copies the values from outside that it uses. It copies numbers by
    /// itself.
    fn owned(&mut self, closure: &Closure) {
        let (mut bound, mut outer) = (LocalSet::default(), LocalSet::default());
        let inner = closure.captures.iter().map(|(inner, _)| inner);
        inner.chain(&closure.params).for_each(|local| _ = bound.insert(*local));
        closure.body.visit(&mut |mention| {
            _ = match mention {
                Mention::Bound(local) => bound.insert(local),
                Mention::Read(local) | Mention::Changed(local) => outer.insert(local),
            }
        });
        for local in outer.iter().filter(|local| !bound.has(*local)) {
            let ty = self.function.locals.find(local).map(|known| known.ty);
            if !matches!(ty, Some(CoreType::Bool | CoreType::Number)) {
                let name = self.name(local);
                self.problem(format!("{name} is used in a closure that has no copy of it"));
            }
        }
    }

    fn atom(&mut self, atom: &Atom) {
        match atom {
            Atom::Literal(_) | Atom::Constant(_) => {}
            Atom::Local(local) | Atom::Last(local) => self.mention(*local),
            Atom::Inlined(computation) => self.computation(computation),
        }
    }
}
