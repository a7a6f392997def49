//! Calls, partial application, and the application of functions to values: `~>`.

use std::rc::Rc;
use std::sync::Arc;

use workflow_jsonata::{Call, Lambda, Node, NodeKind, Path, Signature, StepKind};

use super::error::{JsonataError, Result};
use super::evaluate::collapsed;
use super::function::{Argument, Closure, JsonataFunction, Native, Pair, Partial};
use super::item::Item;
use super::run::Evaluation;
use super::scope::{BINDING, Binding, BindingKey, VariableScope};
use super::{natives, signature};
use crate::value::Value;

/// The size of an argument of a function that is partially applied, in bytes.
const ARGUMENT: usize = size_of::<Argument>();

/// The function of a call.
enum Callee {
    Known(&'static natives::Known),
    Value(Option<Item>),
}

/// Returns the function that a call invokes.
fn invocable(value: Option<Item>) -> Result<Rc<JsonataFunction>> {
    match value {
        Some(Item::Function(function)) => Ok(function),
        _ => Err(JsonataError::new("T1006", "Attempted to invoke a non-function")),
    }
}

impl Evaluation<'_> {
    /// Evaluates a call.
    pub(super) fn call(
        &mut self,
        call: &Call,
        context: Option<&Item>,
        scope: &Rc<VariableScope>,
    ) -> Result<Option<Item>> {
        self.call_with(call, None, context, scope)
    }

    /// Evaluates a call, with the value before the arguments that `~>` applies the function to.
    fn call_with(
        &mut self,
        call: &Call,
        applied: Option<Option<Item>>,
        context: Option<&Item>,
        scope: &Rc<VariableScope>,
    ) -> Result<Option<Item>> {
        let (callee, args) = self.callee_with_args(call, applied, context, scope)?;
        let name = name_of(&call.callee);
        match callee {
            Callee::Known(known) => self.native(known.native, known.signature.as_ref(), &args, context, name),
            Callee::Value(value) => self.invoke(&*invocable(value)?, &args, context, name),
        }
    }

    /// Evaluates the function of a call and its arguments.
    fn callee_with_args(
        &mut self,
        call: &Call,
        applied: Option<Option<Item>>,
        context: Option<&Item>,
        scope: &Rc<VariableScope>,
    ) -> Result<(Callee, Vec<Option<Item>>)> {
        let callee = self.callee(&call.callee, "T1005", "invoke", context, scope)?;
        let mut args = Vec::with_capacity(call.args.len() + 1);
        args.extend(applied);
        for arg in &call.args {
            args.push(self.evaluate(arg, context, scope)?);
        }
        Ok((callee, args))
    }

    /// Evaluates the function of a call. A name of a function without `$` has an error of its
    /// own.
    fn callee(
        &mut self,
        node: &Node,
        code: &'static str,
        verb: &str,
        context: Option<&Item>,
        scope: &Rc<VariableScope>,
    ) -> Result<Callee> {
        if let NodeKind::Variable(name) = &node.kind
            && let Some(known) = self.unhidden(name, scope)?
        {
            self.enter()?;
            self.leave();
            return Ok(Callee::Known(known));
        }
        let value = self.evaluate(node, context, scope)?;
        if value.is_none()
            && let NodeKind::Path(path) = &node.kind
            && let Some(name) = first_name(path)
            && self.variable(name, scope)?.is_some()
        {
            return Err(JsonataError::new(code, format!("Attempted to {verb} a non-function. Did you mean ${name}?")));
        }
        Ok(Callee::Value(value))
    }

    /// Calls a function, and then what it calls in tail position. `name` is what errors call it.
    pub(super) fn invoke(
        &mut self,
        function: &JsonataFunction,
        args: &[Option<Item>],
        context: Option<&Item>,
        name: Option<&str>,
    ) -> Result<Option<Item>> {
        let mut result = self.invoke_once(function, args, context, name)?;
        while let Some(Item::Function(function)) = &result {
            let function = Rc::clone(function);
            let JsonataFunction::Lambda(Closure { lambda, site }) = &*function else { break };
            if !lambda.is_thunk {
                break;
            }
            result = match &lambda.body.kind {
                NodeKind::Call(call) => self.tail_call(call, site.context.as_ref(), &site.scope, context)?,
                _ => self.evaluate(&lambda.body, site.context.as_ref(), &site.scope)?,
            };
        }
        Ok(result)
    }

    /// Evaluates a call in tail position, up to the next one.
    fn tail_call(
        &mut self,
        call: &Call,
        context: Option<&Item>,
        scope: &Rc<VariableScope>,
        caller: Option<&Item>,
    ) -> Result<Option<Item>> {
        self.steps(1)?;
        let (callee, args) = self.callee_with_args(call, None, context, scope)?;
        let name = name_of(&call.callee);
        match callee {
            Callee::Known(known) => self.native(known.native, known.signature.as_ref(), &args, caller, name),
            Callee::Value(value) => self.invoke_once(&*invocable(value)?, &args, caller, name),
        }
    }

    /// Calls a function. The result can be a call in tail position.
    fn invoke_once(
        &mut self,
        function: &JsonataFunction,
        args: &[Option<Item>],
        context: Option<&Item>,
        name: Option<&str>,
    ) -> Result<Option<Item>> {
        self.steps(1)?;
        match function {
            JsonataFunction::Native(native) => {
                self.native(native, natives::signature_of(native), args, context, name.or(Some(native.name)))
            }
            JsonataFunction::Lambda(closure) => match &closure.lambda.signature {
                Some(signature) => {
                    let args = signature::validated(self, signature, args, context, name)?;
                    self.run_lambda(closure, &args)
                }
                None => self.run_lambda(closure, args),
            },
            JsonataFunction::Partial(partial) => self.invoke_partial(partial, args, name),
            JsonataFunction::Composed(pair) => self.invoke_composed(pair, args),
            JsonataFunction::Transform(transform, site) => {
                let args = match natives::transform_signature() {
                    Some(signature) => signature::validated(self, signature, args, context, name)?,
                    None => args.to_vec(),
                };
                self.transform(transform, args.into_iter().next().flatten(), &site.scope)
            }
            JsonataFunction::Regex(regex) => self.first_match(regex, args.first()),
            JsonataFunction::NextMatch(next) => next.call(self),
        }
    }

    /// Calls a function of the language.
    pub(super) fn native(
        &mut self,
        native: &'static Native,
        signature: Option<&Signature>,
        args: &[Option<Item>],
        context: Option<&Item>,
        name: Option<&str>,
    ) -> Result<Option<Item>> {
        match signature {
            Some(signature) if !native.shape.takes(self, args) => {
                let args = signature::validated(self, signature, args, context, name)?;
                (native.code)(self, &args)
            }
            _ => (native.code)(self, args),
        }
    }

    /// Evaluates the body of a function of the expression.
    fn run_lambda(&mut self, closure: &Closure, args: &[Option<Item>]) -> Result<Option<Item>> {
        let lambda = &closure.lambda;
        self.reserve(lambda.params.len().saturating_add(1), BINDING)?;
        let bindings = bound(lambda, args.iter().cloned());
        let scope = VariableScope::inside(&closure.site.scope, bindings);
        self.evaluate(&lambda.body, closure.site.context.as_ref(), &scope)
    }

    /// Calls a function some of whose arguments are bound.
    fn invoke_partial(&mut self, partial: &Partial, args: &[Option<Item>], name: Option<&str>) -> Result<Option<Item>> {
        self.reserve(partial.args.len(), ARGUMENT)?;
        let mut open = args.iter().cloned();
        let mut all: Vec<Option<Item>> = partial
            .args
            .iter()
            .map(|argument| match argument {
                Argument::Bound(value) => value.clone(),
                Argument::Open => open.next().flatten(),
            })
            .collect();
        self.enter_call()?;
        let result = match &*partial.function {
            // A partial application has no signature.
            JsonataFunction::Lambda(closure) => self.run_lambda(closure, &all)?,
            function => {
                // Missing arguments that no parameter needs are left out, because some functions
                // refuse them.
                let signature =
                    if let JsonataFunction::Native(native) = function { natives::signature_of(native) } else { None };
                let needed = signature.map_or(0, Signature::needed);
                while all.len() > needed && all.last().is_some_and(Option::is_none) {
                    all.pop();
                }
                self.invoke_once(function, &all, None, name)?
            }
        };
        self.leave_call();
        Ok(result)
    }

    /// Calls the first of two functions, and the second one with its result.
    fn invoke_composed(&mut self, pair: &Pair, args: &[Option<Item>]) -> Result<Option<Item>> {
        let context = Item::Value(Value::Null);
        let (Some(first), Some(second)) = (&pair.first, &pair.second) else { return Ok(None) };
        let (mut first, mut second) = (Rc::clone(first), Rc::clone(second));
        let mut arg = collapsed(args.first().cloned().flatten());
        // A chain of compositions is as long as a loop makes it.
        loop {
            self.enter()?;
            arg = collapsed(self.invoke(&first, &[arg], Some(&context), None)?);
            self.leave();
            let next = match &*second {
                JsonataFunction::Composed(Pair { first: Some(first), second: Some(second) }) => {
                    (Rc::clone(first), Rc::clone(second))
                }
                function => {
                    self.enter_call()?;
                    let result = self.invoke_once(function, &[arg], Some(&context), None)?;
                    self.leave_call();
                    return Ok(result);
                }
            };
            (first, second) = next;
        }
    }

    /// Evaluates a partial application.
    pub(super) fn partial(
        &mut self,
        call: &Call,
        context: Option<&Item>,
        scope: &Rc<VariableScope>,
    ) -> Result<Option<Item>> {
        let mut args = Vec::with_capacity(call.args.len());
        for arg in &call.args {
            args.push(match arg.kind {
                NodeKind::Placeholder => Argument::Open,
                _ => Argument::Bound(self.evaluate(arg, context, scope)?),
            });
        }
        let callee = match self.callee(&call.callee, "T1007", "partially apply", context, scope)? {
            Callee::Known(known) => Rc::new(JsonataFunction::Native(known.native)),
            Callee::Value(Some(Item::Function(function))) => function,
            Callee::Value(_) => return Err(JsonataError::new("T1008", "Attempted to partially apply a non-function")),
        };
        let count = match &*callee {
            JsonataFunction::Partial(partial) => partial.args.len(),
            // One more than the arity: jsonata-js gives `$string` its second argument, too.
            JsonataFunction::Native(native) => {
                natives::signature_of(native).map_or(0, |signature| signature.params.len())
            }
            function => function.arity(),
        };
        self.reserve(count.max(call.args.len()), ARGUMENT)?;
        let mut args = args.into_iter();
        // An argument that is not written is nothing.
        let mut next = || args.next().unwrap_or(Argument::Bound(None));
        let partial = match &*callee {
            JsonataFunction::Partial(partial) => {
                let fill = |argument: &Argument| match argument {
                    Argument::Open => next(),
                    Argument::Bound(value) => Argument::Bound(value.clone()),
                };
                let args = partial.args.iter().map(fill).collect();
                Partial { function: Rc::clone(&partial.function), args }
            }
            _ => {
                let args = (0..count).map(|_| next()).collect();
                Partial { function: callee, args }
            }
        };
        self.function(JsonataFunction::Partial(partial)).map(Some)
    }

    /// Evaluates `left ~> right`.
    pub(super) fn application(
        &mut self,
        left: &Node,
        right: &Node,
        context: Option<&Item>,
        scope: &Rc<VariableScope>,
    ) -> Result<Option<Item>> {
        let value = self.evaluate(left, context, scope)?;
        // A predicate or grouping after the call has no effect in jsonata-js.
        if let NodeKind::Call(call) = &right.base().kind {
            return self.call_with(call, Some(value), context, scope);
        }
        let applied = match self.evaluate(right, context, scope)? {
            Some(Item::Function(function)) => function,
            _ => {
                let message = "The right side of the function application operator ~> must be a function";
                return Err(JsonataError::new("T2006", message));
            }
        };
        match value {
            Some(Item::Function(first)) => {
                let pair = Pair { first: Some(first), second: Some(applied) };
                self.function(JsonataFunction::Composed(pair)).map(Some)
            }
            value => self.apply(&applied, &[value]),
        }
    }
}

/// Returns the parameters of a function with their values.
fn bound(lambda: &Arc<Lambda>, args: impl Iterator<Item = Option<Item>>) -> Vec<Binding> {
    let mut args = args;
    let mut bindings: Vec<Binding> = Vec::with_capacity(lambda.params.len());
    for name in &lambda.params {
        let value = args.next().flatten();
        bindings.push(Binding { key: BindingKey::Name(name.clone()), value });
    }
    // Of two parameters of one name, the last one counts.
    bindings.reverse();
    bindings
}

/// Returns the name of a function in messages.
fn name_of(callee: &Node) -> Option<&str> {
    match &callee.kind {
        NodeKind::Variable(name) => Some(name),
        NodeKind::Path(path) => first_name(path),
        _ => None,
    }
}

/// Returns the name that a path begins with.
fn first_name(path: &Path) -> Option<&str> {
    match &path.steps.first()?.kind {
        StepKind::Node(Node { kind: NodeKind::Name(name), .. }) => Some(name),
        _ => None,
    }
}
