//! Building of functions of the core, statement by statement.

use super::{
    Atom, Closure, Computation, CoreArgument, CoreBlock, CoreCall, CoreFunction, CoreLocal, CoreLocalId, CoreStatement,
    CoreType, ErrorExit, LabelId, Primitive,
};
use crate::index::{Id, IndexVec};

/// A function in progress. Statements are added to the innermost open block.
#[derive(Debug)]
pub struct CoreBuilder {
    params: Vec<CoreLocalId>,
    locals: IndexVec<CoreLocalId, CoreLocal>,
    labels: IndexVec<LabelId, String>,
    /// The open blocks, outermost first.
    open: Vec<Vec<CoreStatement>>,
    /// The destination of the errors of added calls.
    on_error: ErrorExit,
    /// The number of closures around the current block.
    closures: usize,
}

impl Default for CoreBuilder {
    fn default() -> Self {
        CoreBuilder {
            params: Vec::new(),
            locals: IndexVec::new(),
            labels: IndexVec::new(),
            open: vec![Vec::new()],
            on_error: ErrorExit::Return,
            closures: 0,
        }
    }
}

impl CoreBuilder {
    /// Adds a parameter.
    pub fn param(&mut self, hint: &str, ty: CoreType) -> CoreLocalId {
        let local = self.local(hint, ty);
        self.params.push(local);
        local
    }

    /// Creates a local that a statement, a loop or a closure is going to bind.
    pub fn local(&mut self, hint: &str, ty: CoreType) -> CoreLocalId {
        self.locals.push(CoreLocal { hint: hint.to_owned(), ty, is_declared: false })
    }

    /// Creates a local that the author declares, under its final name.
    pub fn declared(&mut self, name: &str, ty: CoreType) -> CoreLocalId {
        self.locals.push(CoreLocal { hint: name.to_owned(), ty, is_declared: true })
    }

    /// Makes a local a parameter.
    pub fn as_param(&mut self, local: CoreLocalId) {
        self.params.push(local);
    }

    /// Creates a label.
    pub fn label(&mut self, hint: &str) -> LabelId {
        self.labels.push(hint.to_owned())
    }

    /// Returns the type of an atom.
    pub fn ty(&self, atom: &Atom) -> CoreType {
        atom.ty(&self.locals)
    }

    /// Returns the destination of the errors of added calls.
    pub fn on_error(&self) -> ErrorExit {
        self.on_error
    }

    /// Returns the number of closures around the current block.
    pub fn closures(&self) -> usize {
        self.closures
    }

    /// Returns the name that a local should have.
    pub fn hint(&self, local: CoreLocalId) -> &str {
        &self.locals[local].hint
    }

    /// Changes the name that a local should have.
    pub fn rename(&mut self, local: CoreLocalId, hint: &str) {
        self.locals[local].hint = hint.to_owned();
    }

    /// Makes a temporary of the innermost open block a declared local of this name. Returns
    /// `false` if it is none, or of another type.
    pub fn adopt(&mut self, local: CoreLocalId, name: &str, ty: CoreType) -> bool {
        let binds = |statement: &CoreStatement| matches!(statement, CoreStatement::Let(bound, _) if *bound == local);
        let known = &mut self.locals[local];
        let adopts =
            !known.is_declared && known.ty == ty && self.open.last().is_some_and(|block| block.iter().any(binds));
        if adopts {
            (known.hint, known.is_declared) = (name.to_owned(), true);
        }
        adopts
    }

    /// Returns the id that the next local gets.
    pub fn next_local(&self) -> CoreLocalId {
        CoreLocalId::at(self.locals.len())
    }

    /// Returns the number of open blocks.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Adds a statement, unless a jump precedes it in the block.
    pub fn push(&mut self, statement: CoreStatement) {
        match self.open.last_mut() {
            Some(block) if ends(block) => {}
            Some(block) => block.push(statement),
            None => self.open.push(vec![statement]),
        }
    }

    /// Returns the last statement of the innermost open block.
    pub fn last_mut(&mut self) -> Option<&mut CoreStatement> {
        self.open.last_mut()?.last_mut()
    }

    /// Returns the number of statements of the innermost open block.
    pub fn position(&self) -> usize {
        self.open.last().map_or(0, Vec::len)
    }

    /// Returns the position of the last statement of the innermost open block, if that binds a
    /// local, and otherwise the end of the block.
    pub fn position_before(&self, local: Option<CoreLocalId>) -> usize {
        let last = self.open.last().and_then(|block| block.last());
        let binds = matches!(last, Some(CoreStatement::Let(bound, _)) if Some(*bound) == local);
        self.position() - usize::from(binds)
    }

    /// Adds a statement at a position of the innermost open block, which the statements after it
    /// must not change.
    pub fn push_at(&mut self, position: usize, statement: CoreStatement) {
        if let Some(block) = self.open.last_mut() {
            block.insert(position.min(block.len()), statement);
        }
    }

    /// Binds a computation to a new local, and returns the local.
    pub fn bind(&mut self, hint: &str, ty: CoreType, computation: Computation) -> CoreLocalId {
        let local = self.local(hint, ty);
        self.push(CoreStatement::Let(local, computation));
        local
    }

    /// Returns a call, whose error goes to the current destination.
    pub fn call_of(&self, callee: Primitive, args: Vec<CoreArgument>) -> Computation {
        Computation::Call(CoreCall { callee, args, on_error: self.on_error })
    }

    /// Binds the result of a call to a new local.
    pub fn call(&mut self, hint: &str, callee: Primitive, args: Vec<CoreArgument>) -> Atom {
        let computation = self.call_of(callee, args);
        Atom::Local(self.bind(hint, callee.returns, computation))
    }

    /// Calls a function for its effect.
    pub fn run(&mut self, callee: Primitive, args: Vec<CoreArgument>) {
        let computation = self.call_of(callee, args);
        self.push(CoreStatement::Do(computation));
    }

    /// Opens a block. Statements are added to it until [`CoreBuilder::end`].
    pub fn begin(&mut self) {
        self.open.push(Vec::new());
    }

    /// Closes the innermost open block, and returns it with its value. A block that ends in a jump
    /// has none.
    pub fn end(&mut self, value: Option<Atom>) -> CoreBlock {
        let statements = self.open.pop().unwrap_or_default();
        let value = value.filter(|_| !ends(&statements));
        CoreBlock { statements, value }
    }

    /// Opens the block of a closure. Errors inside it leave the closure. Returns the destination
    /// of errors outside, for [`CoreBuilder::end_closure`].
    pub fn begin_closure(&mut self) -> ErrorExit {
        self.begin();
        self.closures += 1;
        std::mem::replace(&mut self.on_error, ErrorExit::Return)
    }

    /// Closes the block of a closure, and returns the closure.
    pub fn end_closure(
        &mut self,
        outside: ErrorExit,
        params: Vec<CoreLocalId>,
        returns: CoreType,
        value: Option<Atom>,
    ) -> Closure {
        self.on_error = outside;
        self.closures -= 1;
        Closure { params, returns, captures: Vec::new(), body: self.end(value) }
    }

    /// Sends the errors of calls added from now on to a destination. Returns the one before.
    pub fn redirect_errors(&mut self, to: ErrorExit) -> ErrorExit {
        std::mem::replace(&mut self.on_error, to)
    }

    /// Returns the finished function.
    pub fn finish(mut self, value: Atom, returns: CoreType) -> CoreFunction {
        let body = self.end(Some(value));
        debug_assert!(self.open.is_empty(), "a block is still open");
        let function = CoreFunction { params: self.params, locals: self.locals, labels: self.labels, body, returns };
        #[cfg(debug_assertions)]
        function.verify();
        function
    }
}

/// Returns `true` if statements end in a jump.
fn ends(statements: &[CoreStatement]) -> bool {
    statements.last().is_some_and(CoreStatement::jumps)
}
