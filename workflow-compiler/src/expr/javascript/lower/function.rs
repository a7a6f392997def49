//! Lowering of functions.

use super::super::ir::{Block, DeclarationKind, Expr, Function, Item, JsLocalId, Pattern, Statement};
use super::scope::OUTERMOST;
use super::{Frame, Lowering, Step};
use oxc_ast::ast::{
    ArrowFunctionBody, ArrowFunctionExpression, Expression, FormalParameters, Function as Parsed, FunctionBody,
    Statement as ParsedStatement,
};
use oxc_semantic::{ScopeId, SymbolId};

impl Lowering<'_> {
    /// Lowers the function of a definition.
    pub(super) fn unit(&mut self, function: &Expression<'_>) -> Step<Function> {
        match function {
            Expression::ArrowFunctionExpression(arrow) => self.arrow(arrow, String::new()),
            Expression::FunctionExpression(function) if self.calls_itself(function) => self.calling(function),
            Expression::FunctionExpression(function) => self.function(function, String::new()),
            other => self.stop_at("an expression that is not a function", oxc_span::GetSpan::span(other)),
        }
    }

    fn calls_itself(&self, function: &Parsed<'_>) -> bool {
        let own = function.id.as_ref();
        own.is_some_and(|own| !self.scoping.get_resolved_reference_ids(own.symbol_id()).is_empty())
    }

    /// Builds a function that passes its argument to a recursive function.
    fn calling(&mut self, function: &Parsed<'_>) -> Step<Function> {
        self.enter(false, false);
        let argument = self.new_local("argument".to_owned(), OUTERMOST, DeclarationKind::Param);
        self.pass_declaration(argument);
        let callee = self.function_value(function)?;
        let args = vec![Item::Value(self.read_local(argument))];
        let name = function.id.as_ref().map_or_else(String::new, |own| own.name.to_string());
        let call = Expr::Call { callee: Box::new(callee), text: name, args };
        let body = Block { declares: Vec::new(), statements: vec![Statement::Return(Some(call))] };
        let frame = self.leave();
        Ok(Function {
            name: String::new(),
            length: 1,
            params: vec![Pattern::Declare(argument)],
            rest: None,
            body,
            is_arrow: false,
            uses_this: frame.uses_this,
            captures: frame.captures,
        })
    }

    /// Lowers a function expression to a value. A local around the function holds its own name,
    /// which only the function sees.
    pub(super) fn function_value(&mut self, function: &Parsed<'_>) -> Step<Expr> {
        let name = function.id.as_ref().map_or_else(String::new, |own| own.name.to_string());
        self.named_function_value(function, name)
    }

    /// Lowers a function expression like [`Lowering::function_value`], with the given name.
    pub(super) fn named_function_value(&mut self, function: &Parsed<'_>, name: String) -> Step<Expr> {
        if !function.is_expression() || !self.calls_itself(function) {
            return Ok(Expr::Function(Box::new(self.function(function, name)?)));
        }
        let own = function.id.as_ref().map(|own| self.local(own.symbol_id()));
        if let Some(own) = own {
            self.locals[own.0].kind = DeclarationKind::OwnName;
        }
        let inner = Box::new(self.function(function, name)?);
        Ok(match own {
            Some(own) => Expr::Named(own, inner),
            None => Expr::Function(inner),
        })
    }

    /// Lowers a function other than an arrow function.
    pub(super) fn function(&mut self, function: &Parsed<'_>, name: String) -> Step<Function> {
        if function.generator {
            return self.stop("a generator", function.span);
        }
        if function.r#async && !self.frames.is_empty() && !self.asyncs.contains(&function.span.start) {
            return self.stop("an async function whose calls are not all awaited", function.span);
        }
        self.nested(function.span, |cx| {
            cx.enter(false, function.r#async);
            let (params, rest) = cx.params(&function.params, function.scope_id.get())?;
            let body = cx.body(function.body.as_deref())?;
            cx.finish(name, &function.params, params, rest, body)
        })
    }

    /// Lowers an arrow function.
    pub(super) fn arrow(&mut self, arrow: &ArrowFunctionExpression<'_>, name: String) -> Step<Function> {
        if arrow.r#async && !self.frames.is_empty() && !self.asyncs.contains(&arrow.span.start) {
            return self.stop("an async function whose calls are not all awaited", arrow.span);
        }
        self.nested(arrow.span, |cx| {
            cx.enter(true, arrow.r#async);
            let (params, rest) = cx.params(&arrow.params, arrow.scope_id.get())?;
            let body = match &arrow.body {
                ArrowFunctionBody::FunctionBody(body) => cx.body(Some(body))?,
                other => {
                    let value = cx.returned(other.to_expression())?;
                    Block { declares: Vec::new(), statements: vec![Statement::Return(Some(value))] }
                }
            };
            cx.finish(name, &arrow.params, params, rest, body)
        })
    }

    fn finish(
        &mut self,
        name: String,
        written: &FormalParameters<'_>,
        params: Vec<Pattern>,
        rest: Option<Pattern>,
        mut body: Block,
    ) -> Step<Function> {
        let length = written.items.iter().take_while(|item| item.initializer.is_none()).count();
        let frame = self.leave();
        // The declarations of the function itself: those of `var`, and the top-level ones.
        for id in frame.blocks.iter().flatten().copied() {
            if !body.declares.contains(&id) {
                body.declares.push(id);
            }
        }
        let Frame { is_arrow, uses_this, captures, .. } = frame;
        Ok(Function { name, length, params, rest, body, is_arrow, uses_this, captures })
    }

    fn params(
        &mut self,
        params: &FormalParameters<'_>,
        scope: Option<ScopeId>,
    ) -> Step<(Vec<Pattern>, Option<Pattern>)> {
        self.enter_scope(scope);
        let mut patterns = Vec::new();
        for item in &params.items {
            self.mark_params(&item.pattern);
        }
        if let Some(rest) = &params.rest {
            self.mark_params(&rest.rest.argument);
        }
        for item in &params.items {
            let default = item.initializer.as_deref();
            // A default is evaluated before the names of its pattern are declared.
            let default =
                default.map(|default| self.named(default, item.pattern.get_binding_identifier())).transpose()?;
            let pattern = self.binding(&item.pattern)?;
            patterns.push(match default {
                Some(default) => Pattern::Default(Box::new(pattern), default),
                None => pattern,
            });
        }
        let rest = params.rest.as_ref().map(|rest| self.binding(&rest.rest.argument)).transpose()?;
        Ok((patterns, rest))
    }

    fn mark_params(&mut self, pattern: &oxc_ast::ast::BindingPattern<'_>) {
        for name in pattern.get_binding_identifiers() {
            let id = self.local(name.symbol_id());
            self.locals[id.0].kind = DeclarationKind::Param;
        }
    }

    fn body(&mut self, body: Option<&FunctionBody<'_>>) -> Step<Block> {
        let none = [];
        let statements: &[ParsedStatement<'_>] = body.map_or(&none, |body| &body.statements);
        let statements = self.statements(statements)?;
        Ok(Block { declares: Vec::new(), statements })
    }

    /// Records `f` in `await f()`, if `f` is an async function expression.
    pub(super) fn record_awaited(&mut self, callee: &Expression<'_>) {
        let at = match callee {
            Expression::ArrowFunctionExpression(arrow) if arrow.r#async => arrow.span,
            Expression::FunctionExpression(function) if function.r#async && !self.calls_itself(function) => {
                function.span
            }
            _ => return,
        };
        self.asyncs.insert(at.start);
    }

    /// Records an async function that is called by its name only with `await`.
    pub(super) fn record_awaited_name(&mut self, symbol: SymbolId, value: &Expression<'_>) {
        if self.awaited.contains(&symbol) {
            self.record_awaited(value);
        }
    }

    fn enter(&mut self, is_arrow: bool, is_async: bool) {
        let id = self.functions;
        // The state awaits the result of the outermost function, even if it is not async. Inside
        // the wrapper of `calling`, the authored function is an inner one.
        let is_awaited = is_async || self.frames.is_empty();
        self.functions += 1;
        self.frames.push(Frame {
            id,
            is_arrow,
            is_awaited,
            try_depth: 0,
            uses_this: false,
            captures: Vec::new(),
            blocks: vec![Vec::new()],
            targets: Vec::new(),
        });
    }

    fn leave(&mut self) -> Frame {
        let frame = self.frames.pop();
        frame.unwrap_or_else(|| Frame {
            id: 0,
            is_arrow: false,
            is_awaited: false,
            try_depth: 0,
            uses_this: false,
            captures: Vec::new(),
            blocks: Vec::new(),
            targets: Vec::new(),
        })
    }

    /// Lowers `this` of the innermost function that has one.
    pub(super) fn this(&mut self, span: oxc_span::Span) -> Step<Expr> {
        let home = self.frames.iter().rposition(|frame| !frame.is_arrow).filter(|home| *home > 0);
        let Some(home) = home else { return self.stop("`this`", span) };
        for frame in &mut self.frames[home..] {
            frame.uses_this = true;
        }
        Ok(Expr::This)
    }

    /// Ends a block and returns its declarations.
    pub(super) fn end_block(&mut self) -> Vec<JsLocalId> {
        self.frames.last_mut().and_then(|frame| frame.blocks.pop()).unwrap_or_default()
    }

    pub(super) fn start_block(&mut self, scope: Option<ScopeId>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.blocks.push(Vec::new());
        }
        self.enter_scope(scope);
    }
}
