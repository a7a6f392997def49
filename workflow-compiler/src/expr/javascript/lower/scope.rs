//! Declaration and use of locals.

use super::super::ir::{DeclarationKind, Expr, JsLocalId, Local, PlaceExpr, Type};
use super::{Lowering, Step, globals};
use oxc_ast::ast::{BindingIdentifier, IdentifierReference};
use oxc_semantic::{ScopeId, SymbolId};
use oxc_syntax::symbol::SymbolFlags;

/// The outermost scope.
pub(super) const OUTERMOST: usize = 0;

impl Lowering<'_> {
    /// Returns the parents of the scopes of the text.
    pub(super) fn scopes(&self) -> Vec<Option<usize>> {
        let all = (0..self.scoping.scopes_len()).map(ScopeId::from_usize);
        all.map(|scope| self.scoping.scope_parent_id(scope).map(|around| around.index())).collect()
    }

    /// Returns the local of a symbol. Creates it at the first mention, which may precede its
    /// declaration.
    pub(super) fn local(&mut self, symbol: SymbolId) -> JsLocalId {
        if let Some(known) = self.symbols.get(&symbol) {
            return *known;
        }
        let flags = self.scoping.symbol_flags(symbol);
        let kind = if flags.contains(SymbolFlags::ConstVariable) {
            DeclarationKind::Const
        } else if flags.contains(SymbolFlags::Function) {
            DeclarationKind::Function
        } else if flags.contains(SymbolFlags::BlockScopedVariable) {
            DeclarationKind::Let
        } else {
            DeclarationKind::Var
        };
        let scope = self.scoping.symbol_scope_id(symbol).index();
        let id = self.new_local(self.scoping.symbol_name(symbol).to_owned(), scope, kind);
        self.symbols.insert(symbol, id);
        id
    }

    /// Creates a local of the current function, declared in this scope.
    pub(super) fn new_local(&mut self, name: String, scope: usize, kind: DeclarationKind) -> JsLocalId {
        let function = self.frames.last().map_or(0, |frame| frame.id);
        self.locals.push(Local {
            name,
            scope,
            kind,
            function,
            assigned: false,
            captured: false,
            hoisted: false,
            declared: false,
            ty: Type::Any,
        });
        JsLocalId(self.locals.len() - 1)
    }

    /// Creates the locals that a scope declares, so that they belong to the current function.
    pub(super) fn enter_scope(&mut self, scope: Option<ScopeId>) {
        let Some(scope) = scope else { return };
        let mut symbols: Vec<SymbolId> = self.scoping.get_bindings(scope).iter().map(|(_, symbol)| *symbol).collect();
        symbols.sort_unstable();
        for symbol in symbols {
            self.local(symbol);
        }
    }

    /// Returns the local that a declaration declares, and marks it as declared.
    pub(super) fn declare(&mut self, name: &BindingIdentifier<'_>) -> JsLocalId {
        let id = self.local(name.symbol_id());
        self.pass_declaration(id);
        id
    }

    pub(super) fn pass_declaration(&mut self, id: JsLocalId) {
        self.locals[id.0].declared = true;
        let is_var = self.locals[id.0].kind == DeclarationKind::Var;
        if let Some(frame) = self.frames.last_mut() {
            let block = if is_var { frame.blocks.first_mut() } else { frame.blocks.last_mut() };
            if let Some(block) = block.filter(|block| !block.contains(&id)) {
                block.push(id);
            }
        }
    }

    /// Lowers a read of a name.
    pub(super) fn read(&mut self, name: &IdentifierReference<'_>) -> Step<Expr> {
        let Some(symbol) = self.resolved(name) else { return self.read_undeclared(name) };
        let id = self.local(symbol);
        if self.is_too_early(id) {
            return Ok(Expr::TooEarly(name.name.to_string()));
        }
        Ok(self.read_local(id))
    }

    pub(super) fn read_local(&mut self, id: JsLocalId) -> Expr {
        self.note_use(id);
        Expr::Local(id)
    }

    fn read_undeclared(&mut self, name: &IdentifierReference<'_>) -> Step<Expr> {
        let text = name.name.as_str();
        if let Some(variable) = self.variable(text) {
            return Ok(Expr::Variable(variable));
        }
        if text == "undefined" {
            return Ok(Expr::Undefined);
        }
        if let Some(number) = globals::constant(text) {
            return Ok(Expr::Number(number));
        }
        if let Some(params) = self.implicit_params(text) {
            return Ok(self.read_local(params));
        }
        match globals::is_known(text) {
            true => self.stop(format!("`{text}`"), name.span),
            false => Ok(Expr::Free(text.to_owned())),
        }
    }

    /// Lowers an assigned name. `reads` states that it is read before.
    pub(super) fn assigned(&mut self, name: &IdentifierReference<'_>, reads: bool) -> Step<PlaceExpr> {
        let text = name.name.as_str();
        let id = match self.resolved(name) {
            Some(symbol) => {
                let id = self.local(symbol);
                if self.is_too_early(id) {
                    return Ok(PlaceExpr::Free(text.to_owned()));
                }
                id
            }
            None => {
                if let Some(variable) = self.variable(text) {
                    return Ok(PlaceExpr::Variable(variable));
                }
                match self.implicit_params(text) {
                    Some(params) => params,
                    None if globals::is_known(text) => {
                        return self.stop(format!("an assignment to `{text}`"), name.span);
                    }
                    None => return Ok(PlaceExpr::Free(text.to_owned())),
                }
            }
        };
        if reads {
            self.read_local(id);
        }
        self.note_use(id);
        let local = &mut self.locals[id.0];
        if matches!(local.kind, DeclarationKind::Const | DeclarationKind::OwnName) {
            // Assigning a constant is an error, but a read before yields the constant.
            return Ok(PlaceExpr::Constant(id));
        }
        local.assigned = true;
        Ok(PlaceExpr::Local(id))
    }

    /// Returns the symbol of a name, or `None` for an undeclared name.
    pub(super) fn resolved(&self, name: &IdentifierReference<'_>) -> Option<SymbolId> {
        self.scoping.get_reference(name.reference_id()).symbol_id()
    }

    /// Returns `true` if a name refers to a built-in.
    pub(super) fn is_global(&self, name: &IdentifierReference<'_>) -> bool {
        self.resolved(name).is_none() && self.variable(name.name.as_str()).is_none()
    }

    /// Returns the index of a Let variable.
    pub(super) fn variable(&self, name: &str) -> Option<usize> {
        self.variables.iter().position(|variable| variable == name)
    }

    /// Returns the local of an undeclared `params`, which refers to the argument even if the
    /// function does not declare it as a parameter.
    fn implicit_params(&mut self, name: &str) -> Option<JsLocalId> {
        if name != "params" {
            return None;
        }
        if self.params.is_none() {
            let id = self.new_local("params".to_owned(), OUTERMOST, DeclarationKind::Param);
            let local = &mut self.locals[id.0];
            (local.function, local.declared) = (0, true);
            self.params = Some(id);
        }
        self.params
    }

    /// Returns `true` if a local is certainly used before its declaration, in the function that
    /// declares it.
    fn is_too_early(&self, id: JsLocalId) -> bool {
        let local = &self.locals[id.0];
        let here = self.frames.last().is_some_and(|frame| frame.id == local.function);
        here && !local.declared
            && !local.hoisted
            && matches!(local.kind, DeclarationKind::Let | DeclarationKind::Const | DeclarationKind::Param)
    }

    fn note_use(&mut self, id: JsLocalId) {
        let local = &mut self.locals[id.0];
        if !local.declared {
            local.hoisted = true;
        }
        let home = self.frames.iter().position(|frame| frame.id == local.function).unwrap_or(0);
        let inside = &mut self.frames[home..];
        if let [_, inner @ ..] = inside {
            local.captured |= !inner.is_empty();
            for frame in inner {
                if !frame.captures.contains(&id) {
                    frame.captures.push(id);
                }
            }
        }
    }
}
