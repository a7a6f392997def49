//! The reads of locals that may move the local, because no read follows on any path.

use super::ir::{Block, Expr, Function, JsLocalId, Local, LoopKind, PlaceExpr, Statement, Type, Unit};
use super::walk::{self, IrNode};
use std::collections::{BTreeMap, BTreeSet};

/// The last reads of a unit, by the addresses of their expressions.
#[derive(Default)]
pub(super) struct LastReads(BTreeSet<usize>);

impl LastReads {
    /// Finds the last reads of the locals that functions do not share.
    pub fn of(unit: &Unit) -> LastReads {
        let mut search = Search { locals: &unit.locals, parts: Vec::new(), tries: 0 };
        search.function(&unit.function);
        let mut last = LastReads::default();
        let mut read_later: BTreeSet<JsLocalId> = BTreeSet::new();
        for part in search.parts.iter().rev() {
            for (local, reads) in &part.reads {
                let is_last = part.may_move && (part.ends || !read_later.contains(local));
                if let (true, [Some(read)]) = (is_last, &reads[..]) {
                    last.0.insert(*read);
                }
            }
            read_later.extend(part.reads.keys());
        }
        last
    }

    /// Returns `true` if an expression of the unit is a last read.
    pub fn contains(&self, read: &Expr) -> bool {
        self.0.contains(&address(read))
    }
}

/// An expression or a simple statement.
struct Part {
    /// The addresses of its reads, by local. A read that must not move the local has no address,
    /// and an assignment counts as such a read.
    reads: BTreeMap<JsLocalId, Vec<Option<usize>>>,
    /// `true` if it is evaluated where it is written, and once.
    may_move: bool,
    /// `true` if no other part of the function follows.
    ends: bool,
}

/// The parts of functions, in the order of the text. Only loops evaluate a part after a later one.
struct Search<'u> {
    locals: &'u [Local],
    parts: Vec<Part>,
    /// The number of `try` statements around the current part, within its function.
    tries: usize,
}

impl Search<'_> {
    fn function(&mut self, function: &Function) {
        let tries = std::mem::take(&mut self.tries);
        function.params.iter().chain(&function.rest).for_each(|pattern| {
            self.part(false, false, &mut |visit| walk::pattern(pattern, visit));
        });
        self.block(&function.body);
        self.tries = tries;
    }

    fn block(&mut self, block: &Block) {
        self.statements(&block.statements);
    }

    fn statements(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Expr(_) | Statement::Declare(..) => {
                self.part(true, false, &mut |visit| walk::statement(statement, visit));
            }
            Statement::Return(_) | Statement::Throw(_) => {
                self.part(true, self.tries == 0, &mut |visit| walk::statement(statement, visit));
            }
            Statement::If(test, yes, no) => {
                self.part(true, false, &mut |visit| walk::expr(test, visit));
                self.block(yes);
                no.iter().for_each(|no| self.block(no));
            }
            Statement::Block(inner) | Statement::Labelled(_, inner) => self.block(inner),
            Statement::Loop(inner) => {
                match &inner.kind {
                    LoopKind::While(test) | LoopKind::DoWhile(test) => self.repeated(test),
                    LoopKind::For { init, test, update } => {
                        self.block(init);
                        test.iter().chain(update).for_each(|part| self.repeated(part));
                    }
                    LoopKind::Of { target, value, .. } | LoopKind::In { target, value, .. } => {
                        self.repeated(value);
                        self.part(false, false, &mut |visit| walk::pattern(target, visit));
                    }
                }
                self.block(&inner.body);
            }
            Statement::Switch(switch) => {
                self.repeated(&switch.value);
                for (test, body) in &switch.cases {
                    test.iter().for_each(|test| self.repeated(test));
                    self.statements(body);
                }
            }
            Statement::Try(inner) => {
                self.tries += 1;
                self.block(&inner.body);
                if let Some((caught, handler)) = &inner.handler {
                    caught.iter().for_each(|caught| {
                        self.part(false, false, &mut |visit| walk::pattern(caught, visit));
                    });
                    self.block(handler);
                }
                self.tries -= 1;
                inner.finalizer.iter().for_each(|finalizer| self.block(finalizer));
            }
            Statement::Break(_) | Statement::Continue(_) => {}
        }
    }

    /// Adds an expression that may be evaluated several times.
    fn repeated(&mut self, value: &Expr) {
        self.part(false, false, &mut |visit| walk::expr(value, visit));
    }

    /// Adds a part. The functions in it have parts of their own.
    fn part(&mut self, may_move: bool, ends: bool, walk: &mut dyn FnMut(walk::Visit<'_>)) {
        let mut reads: BTreeMap<JsLocalId, Vec<Option<usize>>> = BTreeMap::new();
        let (locals, in_try) = (self.locals, self.tries > 0);
        walk(&mut |node| {
            match node {
                IrNode::Expr(Expr::Function(inner) | Expr::Named(_, inner)) => {
                    self.function(inner);
                    return false;
                }
                IrNode::Expr(read @ Expr::Local(id)) => {
                    let movable = is_movable(&locals[id.0], in_try).then(|| address(read));
                    reads.entry(*id).or_default().push(movable);
                }
                IrNode::Place(PlaceExpr::Local(id)) => reads.entry(*id).or_default().push(None),
                _ => {}
            }
            true
        });
        self.parts.push(Part { reads, may_move, ends });
    }
}

/// Returns `true` if a local is an owned `Js` of one function. The closure of a `try` borrows a
/// local that it assigns.
fn is_movable(local: &Local, in_try: bool) -> bool {
    let may_be_borrowed = local.assigned && in_try;
    local.ty == Type::Any && !local.captured && !local.hoisted && !local.read_in_loop && !may_be_borrowed
}

fn address(read: &Expr) -> usize {
    std::ptr::from_ref(read) as usize
}
