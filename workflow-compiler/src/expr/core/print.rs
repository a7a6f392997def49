//! Text of the core, for tests and messages of failed checks.

use super::{
    Atom, Computation, Constant, CoreArgument, CoreBlock, CoreCall, CoreFunction, CoreLocalId, CoreStatement,
    ErrorExit, Form, LabelId, TryEnd,
};
use std::fmt::{self, Display, Formatter, Write};

impl Display for CoreFunction {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        let mut printer = Printer { function: self, text: &mut text, depth: 0 };
        printer.function();
        f.write_str(&text)
    }
}

struct Printer<'a> {
    function: &'a CoreFunction,
    text: &'a mut String,
    depth: usize,
}

impl Printer<'_> {
    fn function(&mut self) {
        let params: Vec<String> = self.function.params.iter().map(|param| self.local(*param)).collect();
        let _ = write!(self.text, "fn ({}) ", params.join(", "));
        self.block(&self.function.body);
        self.text.push('\n');
    }

    /// Returns the name of a local: its hint, with its number if an earlier local has the same.
    fn local(&self, id: CoreLocalId) -> String {
        let hint = &self.function.locals[id].hint;
        let is_taken =
            self.function.locals.entries().take_while(|(other, _)| *other < id).any(|(_, it)| it.hint == *hint);
        if is_taken { format!("{hint}_{}", id.0) } else { hint.clone() }
    }

    fn locals(&self, ids: &[CoreLocalId]) -> String {
        let names: Vec<String> = ids.iter().map(|id| self.local(*id)).collect();
        names.join(", ")
    }

    fn label(&self, id: LabelId) -> String {
        format!("'{}_{}", self.function.labels[id], id.0)
    }

    fn line(&mut self) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n("    ", self.depth));
    }

    fn block(&mut self, block: &CoreBlock) {
        if block.statements.is_empty() && block.value.is_none() {
            self.text.push_str("{}");
            return;
        }
        self.text.push('{');
        self.depth += 1;
        for statement in &block.statements {
            self.line();
            self.statement(statement);
        }
        if let Some(value) = &block.value {
            self.line();
            self.atom(value);
        }
        self.depth -= 1;
        self.line();
        self.text.push('}');
    }

    fn statement(&mut self, statement: &CoreStatement) {
        match statement {
            CoreStatement::Let(local, computation) => {
                let _ = write!(self.text, "let {} = ", self.local(*local));
                self.computation(computation);
            }
            CoreStatement::Assign(local, computation) => {
                let _ = write!(self.text, "{} = ", self.local(*local));
                self.computation(computation);
            }
            CoreStatement::Store(place, value) => {
                let _ = write!(self.text, "*{} = ", self.local(*place));
                self.atom(value);
            }
            CoreStatement::Decrement(local) => {
                let _ = write!(self.text, "{} -= 1", self.local(*local));
            }
            CoreStatement::Do(computation) => {
                self.text.push_str("do ");
                self.computation(computation);
            }
            CoreStatement::For { label, items, over, body } => {
                let _ = write!(self.text, "{}: for {} in ", self.label(*label), self.locals(items));
                self.computation(over);
                self.text.push(' ');
                self.block(body);
            }
            CoreStatement::Loop { label, body } => {
                let _ = write!(self.text, "{}: loop ", self.label(*label));
                self.block(body);
            }
            CoreStatement::Break(label, value) => {
                let _ = write!(self.text, "break {}", self.label(*label));
                if let Some(value) = value {
                    self.text.push(' ');
                    self.atom(value);
                }
            }
            CoreStatement::Return(value) => {
                self.text.push_str("return ");
                self.atom(value);
            }
            CoreStatement::Fail(error) => {
                self.text.push_str("fail ");
                self.atom(error);
            }
            CoreStatement::Continue(label) => {
                let _ = write!(self.text, "continue {}", self.label(*label));
            }
        }
    }

    fn computation(&mut self, computation: &Computation) {
        match computation {
            Computation::Atom(atom) => self.atom(atom),
            Computation::Call(call) => self.call(call),
            Computation::Not(atom) => {
                self.text.push('!');
                self.atom(atom);
            }
            Computation::Logic { is_and, left, right } => {
                self.atom(left);
                self.text.push_str(if *is_and { " && " } else { " || " });
                self.block(right);
            }
            Computation::If { test, then, otherwise } => {
                self.text.push_str("if ");
                self.atom(test);
                self.text.push(' ');
                self.branches(then, otherwise);
            }
            Computation::IfPresent { items, of, then, otherwise } => {
                let _ = write!(self.text, "if present {} = ", self.locals(items));
                self.computation(of);
                self.text.push(' ');
                self.branches(then, otherwise);
            }
            Computation::Array(items) => {
                self.text.push('[');
                self.list(items);
                self.text.push(']');
            }
            Computation::List(items) => {
                self.text.push_str("list [");
                self.list(items);
                self.text.push(']');
            }
            Computation::Texts(items) => {
                self.text.push_str("texts [");
                self.list(items);
                self.text.push(']');
            }
            Computation::Object(members) => {
                self.text.push('{');
                for (position, (name, value)) in members.iter().enumerate() {
                    let _ = write!(self.text, "{}{name:?}: ", if position > 0 { ", " } else { "" });
                    self.atom(value);
                }
                self.text.push('}');
            }
            Computation::Maybe(None) => self.text.push_str("none"),
            Computation::Maybe(Some(values)) => {
                self.text.push_str("some(");
                self.list(values);
                self.text.push(')');
            }
            Computation::Labelled(label, body) => {
                let _ = write!(self.text, "{}: ", self.label(*label));
                self.block(body);
            }
            Computation::Attempt(attempt) => {
                let _ = write!(self.text, "{}: attempt ", self.label(attempt.label));
                self.block(&attempt.body);
                let _ = write!(self.text, " catch {} ", self.local(attempt.error));
                self.block(&attempt.handler);
            }
            Computation::Try(inner) => {
                let _ = write!(self.text, "{}: try ", self.label(inner.label));
                self.block(&inner.body);
                let (TryEnd::Catch(_, end) | TryEnd::Finally(end)) = &inner.end;
                match &inner.end {
                    TryEnd::Catch(error, _) => _ = write!(self.text, " catch {} ", self.local(*error)),
                    TryEnd::Finally(_) => self.text.push_str(" finally "),
                }
                self.block(end);
            }
        }
    }

    fn branches(&mut self, then: &CoreBlock, otherwise: &CoreBlock) {
        self.block(then);
        if !otherwise.statements.is_empty() || otherwise.value.is_some() {
            self.text.push_str(" else ");
            self.block(otherwise);
        }
    }

    fn call(&mut self, call: &CoreCall) {
        let mut args = call.args.iter();
        if !matches!(call.callee.form, Form::Function | Form::Prefix | Form::Constant) {
            args.by_ref().take(1).for_each(|receiver| self.argument(receiver));
        }
        match call.callee.form {
            Form::Method => self.text.push('.'),
            Form::Infix => self.text.push(' '),
            Form::Function | Form::Prefix | Form::Constant | Form::Callback | Form::Outcome => {}
        }
        self.text.push_str(call.callee.name);
        if !matches!(call.callee.form, Form::Constant | Form::Outcome) {
            self.text.push('(');
            for (position, arg) in args.enumerate() {
                if position > 0 {
                    self.text.push_str(", ");
                }
                self.argument(arg);
            }
            self.text.push(')');
        }
        if call.callee.fails {
            match call.on_error {
                ErrorExit::Return => self.text.push('?'),
                ErrorExit::Attempt(label) => {
                    let _ = write!(self.text, "?{}", self.label(label));
                }
                ErrorExit::Absent => {}
            }
        }
    }

    fn argument(&mut self, argument: &CoreArgument) {
        match argument {
            CoreArgument::Atom(atom) => self.atom(atom),
            CoreArgument::Changed(local) => {
                let _ = write!(self.text, "&mut {}", self.local(*local));
            }
            CoreArgument::Text(text) => {
                let _ = write!(self.text, "{text:?}");
            }
            CoreArgument::Int(value) => {
                let _ = write!(self.text, "{value}");
            }
            CoreArgument::Texts(texts) => {
                let _ = write!(self.text, "{texts:?}");
            }
            CoreArgument::Flags(flags) => {
                let _ = write!(self.text, "{flags:?}");
            }
            CoreArgument::Pattern(pattern, flags) => {
                let _ = write!(self.text, "/{pattern}/{flags}");
            }
            CoreArgument::Signature(signature) => {
                let _ = write!(self.text, "<{signature}>");
            }
            CoreArgument::Closure(closure) => {
                for (inner, outer) in &closure.captures {
                    let _ = write!(self.text, "{} = {}; ", self.local(*inner), self.local(*outer));
                }
                let _ = write!(self.text, "|{}| ", self.locals(&closure.params));
                self.block(&closure.body);
            }
        }
    }

    fn list(&mut self, atoms: &[Atom]) {
        for (position, atom) in atoms.iter().enumerate() {
            if position > 0 {
                self.text.push_str(", ");
            }
            self.atom(atom);
        }
    }

    fn atom(&mut self, atom: &Atom) {
        match atom {
            Atom::Literal(literal) => {
                let _ = write!(self.text, "{literal}");
            }
            Atom::Constant(Constant::Undefined) => self.text.push_str("undefined"),
            Atom::Constant(Constant::Null) => self.text.push_str("null"),
            Atom::Constant(Constant::Number(value)) => {
                let _ = write!(self.text, "{value:?}");
            }
            Atom::Constant(Constant::Count(value)) => {
                let _ = write!(self.text, "{value}");
            }
            Atom::Local(local) => self.text.push_str(&self.local(*local)),
            Atom::Last(local) => {
                let _ = write!(self.text, "{}^", self.local(*local));
            }
            Atom::Inlined(computation) => {
                self.text.push('(');
                self.computation(computation);
                self.text.push(')');
            }
        }
    }
}
