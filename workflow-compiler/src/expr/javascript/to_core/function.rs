//! Lowering of functions: that of a definition, and inner ones.

use super::{ToCore, UNDEFINED, callees, text};
use crate::expr::core::{Atom, Closure, Computation, CoreArgument, CoreFunction, CoreLocalId, CoreStatement, CoreType};
use crate::expr::javascript::globals::Builtin;
use crate::expr::javascript::ir::{Function, JsLocalId, Pattern, Type, Unit};
use crate::expr::javascript::walk;

impl ToCore<'_> {
    /// Lowers the function of a definition.
    pub(super) fn unit(mut self, unit: &Unit) -> CoreFunction {
        let function = &unit.function;
        let argument = self.core.declared(&self.names.argument, CoreType::Value);
        self.core.as_param(argument);
        for name in &self.names.variables {
            let variable = self.core.declared(name, CoreType::Shared);
            self.core.as_param(variable);
            self.variables.push(variable);
        }
        let argument_is = self.names.argument_is;
        if let Some(id) = argument_is {
            self.know(id, argument, self.local(id).assigned);
        }
        self.hoisted(&function.body.declares);
        let argument = Atom::Local(argument);
        if let Some(params) = unit.params.filter(|params| argument_is != Some(*params)) {
            self.declare(params, Computation::Atom(argument.clone()));
        }
        match function.params.first() {
            Some(Pattern::Declare(id)) if argument_is == Some(*id) => {}
            Some(pattern) => self.bind(pattern, Computation::Atom(argument.clone())),
            None => {}
        }
        // Only the first parameter has an argument.
        for pattern in function.params.iter().skip(1) {
            self.bind(pattern, Computation::Atom(UNDEFINED));
        }
        if let Some(rest) = &function.rest {
            let items = if function.params.is_empty() { vec![argument] } else { Vec::new() };
            self.bind(rest, Computation::Array(items));
        }
        self.statements(&function.body.statements);
        self.core.finish(UNDEFINED, CoreType::Value)
    }

    /// Lowers a function to a value.
    pub(super) fn function_value(&mut self, function: &Function) -> Atom {
        let closure = self.closure(function);
        // A length is a count of parameters in a text of limited size.
        let length = i64::try_from(function.length).unwrap_or(i64::MAX);
        let args = vec![text(&function.name), CoreArgument::Int(length), CoreArgument::Closure(closure)];
        self.core.call("function", callees::FUNCTION, args)
    }

    /// Lowers a function expression that uses its own name.
    pub(super) fn named_function(&mut self, own: JsLocalId, function: &Function) -> Atom {
        // Names may repeat: a later variable of the same name hides this one, which nothing reads
        // any more.
        let variable = self.core.declared(&self.names.locals[own.0], CoreType::Shared);
        self.know(own, variable, false);
        let empty = self.core.call_of(callees::NEW_VARIABLE, vec![CoreArgument::Atom(UNDEFINED)]);
        self.core.push(CoreStatement::Let(variable, empty));
        let value = self.function_value(function);
        let variable = Atom::Local(variable);
        self.run(callees::SET_VARIABLE, &[&variable, &value]);
        self.call("function", callees::VALUE_OF, &[&variable])
    }

    /// Lowers a built-in function that is used as a value.
    pub(super) fn builtin_value(&mut self, known: &Builtin) -> Atom {
        let params = self.params();
        let outside = self.core.begin_closure();
        let [run, _, arguments] = params.map(Atom::Local);
        let result = self.call("result", callees::builtin(known.function), &[&run, &arguments]);
        self.core.push(CoreStatement::Return(result));
        let closure = self.core.end_closure(outside, params.to_vec(), CoreType::Value, None);
        let name = known.name.rsplit('.').next().unwrap_or(known.name);
        let length = i64::try_from(known.length).unwrap_or(i64::MAX);
        let args = vec![text(name), CoreArgument::Int(length), CoreArgument::Closure(closure)];
        self.core.call("function", callees::FUNCTION, args)
    }

    /// Creates the parameters of a closure: the run, `this`, and the arguments.
    fn params(&mut self) -> [CoreLocalId; 3] {
        let run = self.core.declared("run", CoreType::Context);
        let this = self.core.declared("this", CoreType::Value);
        [run, this, self.core.declared("arguments", CoreType::Context)]
    }

    fn closure(&mut self, function: &Function) -> Closure {
        let mut captures = Vec::new();
        let known = self.known.clone();
        let variables = self.variables.clone();
        for id in &function.captures {
            let local = self.local(*id);
            // Numbers are copied by the closure itself.
            let is_copied = !local.is_shared() && local.ty != Type::Any;
            if let (Some(outer), false) = (self.known[id.0], is_copied) {
                captures.push((self.declared(*id), outer));
            }
        }
        for variable in walk::variables_of(function) {
            let outer = self.variables[variable];
            let inner = self.core.declared(&self.names.variables[variable], CoreType::Shared);
            captures.push((inner, outer));
            self.variables[variable] = inner;
        }
        let params = self.params();
        let [run, this, arguments] = params;
        let around = (self.run, self.this);
        self.run = run;
        match self.this {
            Some(outer) if function.captures_this() => {
                let inner = self.core.declared("this", CoreType::Value);
                captures.push((inner, outer));
                self.this = Some(inner);
            }
            _ => self.this = Some(this),
        }
        let targets = std::mem::take(&mut self.targets);
        let ends = std::mem::take(&mut self.ends);
        let outside = self.core.begin_closure();
        self.hoisted(&function.body.declares);
        let arguments = CoreArgument::Atom(Atom::Local(arguments));
        for (at, pattern) in (0..).zip(&function.params) {
            let value = self.core.call_of(callees::ARGUMENT, vec![arguments.clone(), CoreArgument::Int(at)]);
            self.bind(pattern, value);
        }
        if let Some(rest) = &function.rest {
            let from = i64::try_from(function.params.len()).unwrap_or(i64::MAX);
            let value = self.core.call_of(callees::REST_ARGUMENTS, vec![arguments, CoreArgument::Int(from)]);
            self.bind(rest, value);
        }
        self.statements(&function.body.statements);
        let mut closure = self.core.end_closure(outside, params.to_vec(), CoreType::Value, Some(UNDEFINED));
        closure.captures = captures;
        (self.run, self.this) = around;
        (self.known, self.variables, self.targets, self.ends) = (known, variables, targets, ends);
        closure
    }
}
