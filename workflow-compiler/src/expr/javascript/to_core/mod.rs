//! Lowering of functions to the expression core.
//!
//! Values that are known to be numbers or booleans have such types in the core as well. Every
//! intermediate result is bound in the order of evaluation of JavaScript. A local that a later
//! operand assigns is copied before. Names of temporaries end in `_`, names of locals do not.

mod assign;
mod call;
mod callees;
mod expr;
mod function;
mod literal;
mod loops;
mod operator;
mod pattern;
mod statement;

use super::ir::{Expr, JsLocalId, JumpId, Local, Type, Unit};
use super::names::LocalNames;
use super::walk;
use crate::expr::Literal;
use crate::expr::core::builder::CoreBuilder;
use crate::expr::core::{
    Atom, Computation, Constant, CoreArgument, CoreBlock, CoreFunction, CoreLocalId, CoreStatement, CoreType, LabelId,
    Primitive,
};
use crate::names::NameScope;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Lowers a function of a definition. Its locals avoid the names of the module's constants.
pub(super) fn function(unit: &Unit, variables: &[String], constants: &Arc<NameScope>) -> CoreFunction {
    let mut core = CoreBuilder::default();
    let run = core.declared("run", CoreType::Context);
    core.as_param(run);
    let cx = ToCore {
        locals: &unit.locals,
        names: LocalNames::of(unit, variables, constants),
        core,
        known: vec![None; unit.locals.len()],
        assigned: BTreeMap::new(),
        variables: Vec::new(),
        run,
        this: None,
        targets: Vec::new(),
        ends: Vec::new(),
    };
    cx.unit(unit)
}

/// The state of lowering.
struct ToCore<'a> {
    locals: &'a [Local],
    names: LocalNames,
    core: CoreBuilder,
    /// The locals of the core for those of the unit, within the current function.
    known: Vec<Option<CoreLocalId>>,
    /// The locals that are assigned after their declaration and hold their values themselves.
    assigned: BTreeMap<CoreLocalId, JsLocalId>,
    /// The Let variables, within the current function.
    variables: Vec<CoreLocalId>,
    /// The state of the run, within the current function.
    run: CoreLocalId,
    this: Option<CoreLocalId>,
    /// The statements of the current function that jumps can leave, outermost first.
    targets: Vec<Target>,
    /// The tests that end the current optional chain. The code after each is in an open block.
    ends: Vec<Atom>,
}

/// A statement that jumps can leave.
struct Target {
    id: JumpId,
    /// The label of the loop or block.
    out: LabelId,
    /// The destination of `continue`.
    next: Next,
}

/// The destination of `continue`.
#[derive(Clone, Copy)]
enum Next {
    /// The next turn of the loop of the core.
    Turn,
    /// The code behind the block with this label, which ends the turn.
    Behind(LabelId),
}

const UNDEFINED: Atom = Atom::Constant(Constant::Undefined);

fn number(value: f64) -> Atom {
    Atom::Constant(Constant::Number(value))
}

fn text(text: &str) -> CoreArgument {
    CoreArgument::Text(text.to_owned())
}

impl ToCore<'_> {
    fn local(&self, id: JsLocalId) -> &Local {
        &self.locals[id.0]
    }

    /// Calls a function of the runtime.
    fn call(&mut self, hint: &str, callee: Primitive, args: &[&Atom]) -> Atom {
        self.core.call(hint, callee, args.iter().map(|arg| CoreArgument::Atom((*arg).clone())).collect())
    }

    /// Calls a function of the runtime for its effect.
    fn run(&mut self, callee: Primitive, args: &[&Atom]) {
        self.core.run(callee, args.iter().map(|arg| CoreArgument::Atom((*arg).clone())).collect());
    }

    /// Lowers code to a block of its own.
    fn inside(&mut self, lower: impl FnOnce(&mut Self)) -> CoreBlock {
        self.core.begin();
        lower(self);
        self.core.end(None)
    }

    /// Lowers code to a block with a value.
    fn valued(&mut self, lower: impl FnOnce(&mut Self) -> Atom) -> CoreBlock {
        self.core.begin();
        let value = lower(self);
        self.core.end(Some(value))
    }

    /// Binds a conditional.
    fn choose(&mut self, hint: &str, ty: CoreType, test: Atom, then: CoreBlock, otherwise: CoreBlock) -> Atom {
        Atom::Local(self.core.bind(hint, ty, Computation::If { test, then, otherwise }))
    }

    /// Adds a conditional without a value.
    fn when(&mut self, test: Atom, then: CoreBlock, otherwise: CoreBlock) {
        self.core.push(CoreStatement::Do(Computation::If { test, then, otherwise }));
    }

    fn not(&mut self, atom: Atom) -> Atom {
        match atom {
            Atom::Literal(Literal::Bool(value)) => Atom::Literal(Literal::Bool(!value)),
            atom => Atom::Local(self.core.bind("is_not", CoreType::Bool, Computation::Not(atom))),
        }
    }

    /// Lowers an operand that is evaluated before `later`. Its value is that of this moment.
    fn operand<'e>(&mut self, value: &Expr, later: impl IntoIterator<Item = &'e Expr>) -> Atom {
        let atom = self.atom(value);
        let Some(id) = atom.local().and_then(|local| self.assigned.get(&local)).copied() else { return atom };
        let mut changed = Vec::new();
        later.into_iter().for_each(|value| walk::assigned_in(value, &mut changed));
        if changed.contains(&id) { self.copied(atom) } else { atom }
    }

    /// Copies the value of a local that is assigned next.
    fn copied(&mut self, atom: Atom) -> Atom {
        match self.core.ty(&atom) {
            CoreType::Value => self.call("old", callees::COPY, &[&atom]),
            ty => Atom::Local(self.core.bind("old", ty, Computation::Atom(atom))),
        }
    }

    /// Returns the type of the core for values of a type.
    fn core_type(ty: Type) -> CoreType {
        match ty {
            Type::Number => CoreType::Number,
            Type::Bool => CoreType::Bool,
            Type::Any | Type::String => CoreType::Value,
        }
    }

    /// Creates the local of the core for a local that is declared here.
    fn declared(&mut self, id: JsLocalId) -> CoreLocalId {
        let local = self.local(id);
        let ty = if local.is_shared() { CoreType::Shared } else { ToCore::core_type(local.ty) };
        let is_assigned = (local.assigned || local.hoisted) && !local.is_shared();
        let core = self.core.declared(&self.names.locals[id.0], ty);
        self.know(id, core, is_assigned);
        core
    }

    /// Makes the temporary of a number the local that is declared with it: the one of `n++` in
    /// `const before = n++`.
    fn adopt(&mut self, id: JsLocalId, number: CoreLocalId) -> bool {
        let (ty, is_assigned) = (self.local(id).ty, self.local(id).assigned);
        let name = &self.names.locals[id.0];
        let adopted = ty == Type::Number && self.core.adopt(number, name, CoreType::Number);
        if adopted {
            self.know(id, number, is_assigned);
        }
        adopted
    }

    fn know(&mut self, id: JsLocalId, core: CoreLocalId, is_assigned: bool) {
        self.known[id.0] = Some(core);
        if is_assigned {
            self.assigned.insert(core, id);
        }
    }
}
