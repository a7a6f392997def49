//! Lowering of statements.

use super::super::ir::{
    Block, DeclarationKind, Expr, JsLocalId, JumpId, Loop, LoopKind, Pattern, PlaceExpr, Statement, Switch, Try,
};
use super::{Lowering, Step, Target};
use oxc_ast::ast::{
    BlockStatement, ForStatement, ForStatementInit, ForStatementLeft, Statement as Parsed, SwitchStatement,
    TryStatement, VariableDeclaration, VariableDeclarationKind,
};
use oxc_semantic::ScopeId;
use oxc_span::GetSpan;

/// The per-iteration declarations, the pattern of an element, and the body of a loop over a list.
type Each = (Vec<JsLocalId>, Pattern, Block);

impl Lowering<'_> {
    /// Lowers the statements of a block. Functions are declared first (section 14.2.3 of
    /// ECMA-262).
    pub(super) fn statements(&mut self, statements: &[Parsed<'_>]) -> Step<Vec<Statement>> {
        let mut out = Vec::new();
        for statement in statements {
            let Parsed::FunctionDeclaration(function) = statement else { continue };
            let Some(name) = &function.id else { continue };
            if function.r#async && self.awaited.contains(&name.symbol_id()) {
                self.asyncs.insert(function.span.start);
            }
            let value = self.named_function_value(function, name.name.to_string())?;
            let id = self.local(name.symbol_id());
            out.push(if self.locals[id.0].declared {
                self.locals[id.0].assigned = true;
                Statement::Expr(Expr::Assign(PlaceExpr::Local(id), Box::new(value)))
            } else {
                self.pass_declaration(id);
                Statement::Declare(Pattern::Declare(id), Some(value))
            });
        }
        for statement in statements {
            self.statement(statement, &[], &mut out)?;
        }
        Ok(out)
    }

    /// Lowers a statement as a block.
    fn block_of(&mut self, statement: &Parsed<'_>) -> Step<Block> {
        match statement {
            Parsed::BlockStatement(block) => self.block(block),
            other => self.in_block(None, |cx, out| cx.statement(other, &[], out)),
        }
    }

    fn block(&mut self, block: &BlockStatement<'_>) -> Step<Block> {
        self.in_block(block.scope_id.get(), |cx, out| {
            out.extend(cx.statements(&block.body)?);
            Ok(())
        })
    }

    fn in_block(
        &mut self,
        scope: Option<ScopeId>,
        inside: impl FnOnce(&mut Self, &mut Vec<Statement>) -> Step<()>,
    ) -> Step<Block> {
        self.start_block(scope);
        let mut statements = Vec::new();
        inside(self, &mut statements)?;
        Ok(Block { declares: self.end_block(), statements })
    }

    fn statement(&mut self, statement: &Parsed<'_>, labels: &[String], out: &mut Vec<Statement>) -> Step<()> {
        self.nested(statement.span(), |cx| cx.statement_here(statement, labels, out))
    }

    fn statement_here(&mut self, statement: &Parsed<'_>, labels: &[String], out: &mut Vec<Statement>) -> Step<()> {
        match statement {
            Parsed::EmptyStatement(_) | Parsed::DebuggerStatement(_) | Parsed::FunctionDeclaration(_) => {}
            Parsed::ExpressionStatement(statement) => {
                let value = self.expr(&statement.expression)?;
                out.push(Statement::Expr(value));
            }
            Parsed::VariableDeclaration(declaration) => self.variables(declaration, out)?,
            Parsed::ReturnStatement(statement) => {
                let value = statement.argument.as_ref().map(|value| self.returned(value)).transpose()?;
                out.push(Statement::Return(value));
            }
            Parsed::ThrowStatement(statement) => {
                let value = self.expr(&statement.argument)?;
                out.push(Statement::Throw(value));
            }
            Parsed::IfStatement(statement) => {
                let test = self.expr(&statement.test)?;
                let yes = self.block_of(&statement.consequent)?;
                let no = statement.alternate.as_ref().map(|no| self.block_of(no)).transpose()?;
                out.push(Statement::If(test, yes, no));
            }
            Parsed::BlockStatement(block) if labels.is_empty() => {
                let block = self.block(block)?;
                out.push(Statement::Block(block));
            }
            Parsed::LabeledStatement(statement) => {
                let mut labels = labels.to_vec();
                labels.push(statement.label.name.to_string());
                self.statement(&statement.body, &labels, out)?;
            }
            Parsed::BreakStatement(statement) => {
                let label = statement.label.as_ref().map(|label| label.name.as_str());
                let target = self.target(|target| match label {
                    Some(label) => target.labels.iter().any(|known| known == label),
                    None => target.is_default,
                });
                out.extend(target.map(Statement::Break));
            }
            Parsed::ContinueStatement(statement) => {
                let label = statement.label.as_ref().map(|label| label.name.as_str());
                let target = self.target(|target| {
                    target.is_loop && label.is_none_or(|label| target.labels.iter().any(|known| known == label))
                });
                out.extend(target.map(Statement::Continue));
            }
            Parsed::WhileStatement(statement) => {
                let (id, (test, body)) = self.in_loop(labels, |cx| {
                    let test = cx.expr(&statement.test)?;
                    Ok((test, cx.block_of(&statement.body)?))
                })?;
                out.push(Statement::Loop(Box::new(Loop { id, kind: LoopKind::While(test), body })));
            }
            Parsed::DoWhileStatement(statement) => {
                let (id, (body, test)) = self.in_loop(labels, |cx| {
                    let body = cx.block_of(&statement.body)?;
                    Ok((body, cx.expr(&statement.test)?))
                })?;
                out.push(Statement::Loop(Box::new(Loop { id, kind: LoopKind::DoWhile(test), body })));
            }
            Parsed::ForStatement(statement) => {
                let done = self.for_loop(statement, labels)?;
                out.push(done);
            }
            Parsed::ForOfStatement(statement) if statement.r#await => {
                return self.stop("`for await`", statement.span);
            }
            Parsed::ForOfStatement(statement) => {
                let value = self.expr(&statement.right)?;
                let (id, (declares, target, body)) =
                    self.for_each(&statement.left, statement.scope_id.get(), &statement.body, labels)?;
                let kind = LoopKind::Of { declares, target, value };
                out.push(Statement::Loop(Box::new(Loop { id, kind, body })));
            }
            Parsed::ForInStatement(statement) => {
                let value = self.expr(&statement.right)?;
                let (id, (declares, target, body)) =
                    self.for_each(&statement.left, statement.scope_id.get(), &statement.body, labels)?;
                let kind = LoopKind::In { declares, target, value };
                out.push(Statement::Loop(Box::new(Loop { id, kind, body })));
            }
            Parsed::SwitchStatement(statement) => {
                let done = self.switch(statement, labels)?;
                out.push(done);
            }
            Parsed::TryStatement(statement) if labels.is_empty() => {
                let done = self.try_statement(statement)?;
                out.push(done);
            }
            Parsed::ClassDeclaration(class) => return self.stop("a class", class.span),
            other if !labels.is_empty() => {
                let id = self.jump();
                self.push_target(Target { id, labels: labels.to_vec(), is_loop: false, is_default: false });
                let block = self.block_of(other)?;
                self.pop_target();
                out.push(Statement::Labelled(id, block));
            }
            other => return self.stop_at("a statement", other.span()),
        }
        Ok(())
    }

    /// Lowers `let a = 1, b`.
    fn variables(&mut self, declaration: &VariableDeclaration<'_>, out: &mut Vec<Statement>) -> Step<()> {
        if matches!(declaration.kind, VariableDeclarationKind::Using | VariableDeclarationKind::AwaitUsing) {
            return self.stop("`using`", declaration.span);
        }
        let is_var = declaration.kind == VariableDeclarationKind::Var;
        for declarator in &declaration.declarations {
            let name = declarator.id.get_binding_identifier();
            if let (Some(name), Some(init)) = (name, &declarator.init) {
                self.record_awaited_name(name.symbol_id(), init);
            }
            let value = declarator.init.as_ref().map(|init| self.named(init, name)).transpose()?;
            if is_var {
                self.mark_vars(&declarator.id);
            }
            match (value, name) {
                // A repeated `var` keeps its value.
                (None, Some(name)) if is_var && self.is_declared(name.symbol_id()) => {}
                (value, _) => {
                    let pattern = self.binding(&declarator.id)?;
                    out.push(Statement::Declare(pattern, value));
                }
            }
        }
        Ok(())
    }

    /// Hoists the `var` declarations of blocks to the start of the function.
    fn mark_vars(&mut self, pattern: &oxc_ast::ast::BindingPattern<'_>) {
        let is_inside = self.frames.last().is_some_and(|frame| frame.blocks.len() > 1);
        for name in pattern.get_binding_identifiers() {
            let id = self.local(name.symbol_id());
            if is_inside && !self.locals[id.0].declared {
                self.locals[id.0].hoisted = true;
            }
        }
    }

    fn is_declared(&self, symbol: oxc_semantic::SymbolId) -> bool {
        self.symbols.get(&symbol).is_some_and(|id| self.locals[id.0].declared)
    }

    fn for_loop(&mut self, statement: &ForStatement<'_>, labels: &[String]) -> Step<Statement> {
        self.start_block(statement.scope_id.get());
        let mut before = Vec::new();
        match &statement.init {
            None => {}
            Some(ForStatementInit::VariableDeclaration(declaration)) => self.variables(declaration, &mut before)?,
            Some(init) => {
                let init = self.expr(init.to_expression())?;
                before.push(Statement::Expr(init));
            }
        }
        let (id, (test, update, body)) = self.in_loop(labels, |cx| {
            let test = statement.test.as_ref().map(|test| cx.expr(test)).transpose()?;
            let body = cx.block_of(&statement.body)?;
            let update = statement.update.as_ref().map(|update| cx.expr(update)).transpose()?;
            Ok((test, update, body))
        })?;
        let init = Block { declares: self.end_block(), statements: before };
        Ok(Statement::Loop(Box::new(Loop { id, kind: LoopKind::For { init, test, update }, body })))
    }

    fn for_each(
        &mut self,
        left: &ForStatementLeft<'_>,
        scope: Option<ScopeId>,
        body: &Parsed<'_>,
        labels: &[String],
    ) -> Step<(JumpId, Each)> {
        self.in_loop(labels, |cx| {
            cx.start_block(scope);
            let target = match left {
                ForStatementLeft::VariableDeclaration(declaration) => match &declaration.declarations[..] {
                    [only] if declaration.kind == VariableDeclarationKind::Var => {
                        cx.mark_vars(&only.id);
                        cx.binding(&only.id)?
                    }
                    [only] => cx.binding(&only.id)?,
                    _ => return cx.stop("a loop over several declarations", declaration.span),
                },
                other => cx.target_pattern(other.to_assignment_target())?,
            };
            let body = cx.block_of(body)?;
            Ok((cx.end_block(), target, body))
        })
    }

    fn switch(&mut self, statement: &SwitchStatement<'_>, labels: &[String]) -> Step<Statement> {
        let value = self.expr(&statement.discriminant)?;
        let id = self.jump();
        self.push_target(Target { id, labels: labels.to_vec(), is_loop: false, is_default: true });
        self.start_block(statement.scope_id.get());
        // A case may use a declaration of another case.
        if let Some(scope) = statement.scope_id.get() {
            let symbols: Vec<_> = self.scoping.get_bindings(scope).iter().map(|(_, symbol)| *symbol).collect();
            for symbol in symbols {
                let local = self.local(symbol);
                self.locals[local.0].hoisted = true;
            }
        }
        let mut cases = Vec::new();
        for case in &statement.cases {
            let test = case.test.as_ref().map(|test| self.expr(test)).transpose()?;
            cases.push((test, self.statements(&case.consequent)?));
        }
        let declares = self.end_block();
        self.pop_target();
        Ok(Statement::Switch(Box::new(Switch { id, value, declares, cases })))
    }

    fn try_statement(&mut self, statement: &TryStatement<'_>) -> Step<Statement> {
        let is_caught = usize::from(statement.handler.is_some());
        self.frames.iter_mut().last().into_iter().for_each(|frame| frame.try_depth += is_caught);
        let body = self.block(&statement.block)?;
        self.frames.iter_mut().last().into_iter().for_each(|frame| frame.try_depth -= is_caught);
        let handler = match &statement.handler {
            None => None,
            Some(handler) => {
                self.start_block(handler.scope_id.get());
                let pattern = match &handler.param {
                    Some(param) => {
                        for name in param.pattern.get_binding_identifiers() {
                            let id = self.local(name.symbol_id());
                            self.locals[id.0].kind = DeclarationKind::Let;
                        }
                        Some(self.binding(&param.pattern)?)
                    }
                    None => None,
                };
                let mut block = self.block(&handler.body)?;
                block.declares.extend(self.end_block());
                Some((pattern, block))
            }
        };
        let finalizer = statement.finalizer.as_ref().map(|block| self.block(block)).transpose()?;
        Ok(Statement::Try(Box::new(Try { body, handler, finalizer })))
    }

    fn in_loop<T>(&mut self, labels: &[String], inside: impl FnOnce(&mut Self) -> Step<T>) -> Step<(JumpId, T)> {
        let id = self.jump();
        self.push_target(Target { id, labels: labels.to_vec(), is_loop: true, is_default: true });
        let done = inside(self)?;
        self.pop_target();
        Ok((id, done))
    }

    fn jump(&mut self) -> JumpId {
        self.jumps += 1;
        JumpId(self.jumps)
    }

    fn push_target(&mut self, target: Target) {
        if let Some(frame) = self.frames.last_mut() {
            frame.targets.push(target);
        }
    }

    fn pop_target(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.targets.pop();
        }
    }

    /// Returns the innermost target that `is_meant` accepts.
    fn target(&self, is_meant: impl Fn(&Target) -> bool) -> Option<JumpId> {
        self.frames.last()?.targets.iter().rev().find(|target| is_meant(target)).map(|target| target.id)
    }
}
