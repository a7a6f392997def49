//! Rust code of functions of the core.

mod atom;
mod call;
mod code;
mod exit;
mod javascript;
pub mod jsonata;
mod values;

use super::ownership::{Holds, Ownership};
use super::{Atom, Computation, CoreBlock, CoreFunction, CoreLocalId, CoreStatement, CoreType, ErrorExit, LabelId};
use crate::index::IndexVec;
use crate::names::{NameScope, short_name};
use code::{Fragment, Precedence, Want, ident, label};
use exit::Way;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use std::collections::{BTreeMap, BTreeSet};
use values::Values;

/// Emits a function under a name. `module` is the runtime module of the language, with `Result`,
/// `Error` and `attempt`. Locals avoid the names of the scope.
pub fn emit(
    function: &CoreFunction,
    ownership: &Ownership,
    module: &str,
    name: &Ident,
    scope: NameScope,
) -> TokenStream {
    let mut printer = Printer::new(function, ownership, Values::Json, module, scope);
    printer.function(name)
}

/// Emits a function of JavaScript under a name. Its parameters are the run, the argument and the
/// variables.
pub fn emit_javascript(function: &CoreFunction, ownership: &Ownership, name: &Ident) -> TokenStream {
    let mut printer = Printer::new(function, ownership, Values::JavaScript, "js", NameScope::default());
    // No label has the name of a variable of the author.
    for local in function.locals.iter().filter(|local| local.is_declared) {
        printer.labels.give(&local.hint);
    }
    printer.javascript(name)
}

/// The kind of an enclosing loop or block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Enclosing {
    Loop,
    /// A block with a value of this form.
    Block(Want),
    /// A block of type `Option<Error>`.
    Attempt,
    /// A closure whose result states how it is left.
    Try(Way),
}

struct Printer<'a> {
    function: &'a CoreFunction,
    ownership: &'a Ownership,
    module: Ident,
    values: Values,
    /// The names of locals, given where they are bound.
    names: IndexVec<CoreLocalId, Option<Ident>>,
    scope: NameScope,
    /// The temporaries of JavaScript that are visible, by hint. Blocks that are left may share
    /// their names.
    temporaries: BTreeMap<&'a str, usize>,
    /// The hints of the visible temporaries, in the order of their bindings.
    in_scope: Vec<&'a str>,
    labels: NameScope,
    label_names: BTreeMap<LabelId, Ident>,
    /// The labels that jumps need to name.
    mentioned: BTreeSet<LabelId>,
    /// The constants by text.
    statics: BTreeMap<String, Ident>,
    /// The regular expressions with their flags.
    patterns: Vec<(String, &'static str)>,
    /// The signatures of functions of JSONata.
    signatures: Vec<String>,
    /// The enclosing loops and blocks, innermost last.
    enclosing: Vec<(LabelId, Enclosing)>,
    /// The attempts around the current code that are closures, whose errors leave by `?`.
    closures: Vec<LabelId>,
    /// The number of closures around the current code.
    depth: usize,
    /// `true` if an error leaves the function.
    fails: bool,
    /// The constants that the function takes as parameters of type `f64`, after the others.
    constants: BTreeSet<&'static str>,
}

impl<'a> Printer<'a> {
    fn new(
        function: &'a CoreFunction,
        ownership: &'a Ownership,
        values: Values,
        module: &str,
        scope: NameScope,
    ) -> Printer<'a> {
        Printer {
            function,
            ownership,
            module: ident(module),
            values,
            names: IndexVec::filled_like(&function.locals, None),
            scope,
            temporaries: BTreeMap::new(),
            in_scope: Vec::new(),
            labels: NameScope::default(),
            label_names: BTreeMap::new(),
            mentioned: BTreeSet::new(),
            statics: BTreeMap::new(),
            patterns: Vec::new(),
            signatures: Vec::new(),
            enclosing: Vec::new(),
            closures: Vec::new(),
            depth: 0,
            fails: false,
            constants: BTreeSet::new(),
        }
    }

    fn function(&mut self, name: &Ident) -> TokenStream {
        let function = self.function;
        let params: Vec<Ident> = function.params.iter().map(|param| self.bind(*param)).collect();
        let want = Want::of(function.returns);
        let (statements, value) = self.block_parts(&function.body, want);
        let value = value.map(Fragment::into_tokens);
        let mut ty = if function.returns == CoreType::Bool { quote!(bool) } else { quote!(Value) };
        let mut result = quote!(#value);
        if self.fails {
            let module = &self.module;
            ty = quote!(#module::Result<#ty>);
            result = quote!(Ok(#result));
        }
        let params = function.params.iter().zip(&params).map(|(param, name)| {
            let mentions = self.ownership.mentions[*param];
            let is_read = mentions.reads > 0 || mentions.changes;
            let name = if is_read { quote!(#name) } else { quote!(_) };
            let mutable = mentions.changes.then(|| quote!(mut));
            match &self.ownership.holds[*param] {
                Holds::Owned => quote!(#mutable #name: Value),
                Holds::Borrowed(_) => quote!(#name: &Value),
            }
        });
        let constants = self.constants.iter().map(|name| {
            let name = ident(name);
            quote!(#name: f64)
        });
        let params: Vec<TokenStream> = params.chain(constants).collect();
        let statics =
            self.statics.iter().map(|(text, name)| quote!(static #name: rt::Literal = rt::Literal::new(#text);));
        quote!(fn #name(#(#params),*) -> #ty { #(#statics)* #statements #result })
    }

    /// Names a local where it is bound.
    fn bind(&mut self, local: CoreLocalId) -> Ident {
        let known = &self.function.locals[local];
        let name = match self.values {
            _ if known.is_declared => ident(&known.hint),
            Values::Json | Values::Jsonata => ident(&self.scope.give(&short_name(&known.hint))),
            Values::JavaScript => self.temporary(&known.hint),
        };
        self.names[local] = Some(name.clone());
        name
    }

    /// Names a local where it is bound, with `mut` if it is changed, or `_` if nothing reads it.
    fn pattern(&mut self, local: CoreLocalId) -> TokenStream {
        let mentions = self.ownership.mentions[local];
        if mentions.reads == 0 && !mentions.changes {
            return quote!(_);
        }
        let name = self.bind(local);
        let is_reference = self.function.locals[local].ty == CoreType::Place;
        if mentions.changes && !is_reference { quote!(mut #name) } else { quote!(#name) }
    }

    /// Names the items of a loop or a test.
    fn patterns(&mut self, items: &[CoreLocalId], of: &Computation) -> TokenStream {
        let mut names = Vec::new();
        for item in items {
            // The copy is what changes.
            let is_copied = items.last() == Some(item) && self.is_copied(*item, of);
            names.push(if is_copied { self.bind(*item).to_token_stream() } else { self.pattern(*item) });
        }
        match &names[..] {
            [name] => quote!(#name),
            _ => quote!((#(#names),*)),
        }
    }

    fn name(&self, local: CoreLocalId) -> Ident {
        // The verifier has found every local to be bound before its uses.
        self.names[local].clone().unwrap_or_else(|| ident("unbound"))
    }

    fn label_name(&mut self, id: LabelId) -> TokenStream {
        self.mentioned.insert(id);
        if !self.label_names.contains_key(&id) {
            let name = ident(&self.labels.give(&short_name(&self.function.labels[id])));
            self.label_names.insert(id, name);
        }
        label(&self.label_names[&id])
    }

    fn statements(&mut self, block: &CoreBlock) -> TokenStream {
        let mut code = TokenStream::new();
        for statement in &block.statements {
            let outside = self.values.reuses_names(statement).then(|| self.scope.clone());
            code.extend(self.statement(statement));
            if let Some(outside) = outside {
                self.scope = outside;
            }
        }
        code
    }

    /// Emits the statements of a block, and its value.
    fn block_parts(&mut self, block: &CoreBlock, want: Want) -> (TokenStream, Option<Fragment>) {
        let visible = self.in_scope.len();
        let statements = self.statements(block);
        let value = block.value.as_ref().map(|value| self.atom(value, want));
        self.release(visible);
        (statements, value)
    }

    /// Emits a block without its braces.
    fn inner(&mut self, block: &CoreBlock, want: Want) -> TokenStream {
        let (statements, value) = self.block_parts(block, want);
        let value = value.map(Fragment::into_tokens);
        quote!(#statements #value)
    }

    fn want(&self, local: CoreLocalId) -> Want {
        match (self.function.locals[local].ty, &self.ownership.holds[local]) {
            (CoreType::Value, Holds::Borrowed(_)) => Want::Ref,
            (ty, _) => Want::of(ty),
        }
    }

    fn statement(&mut self, statement: &CoreStatement) -> TokenStream {
        match statement {
            CoreStatement::Let(local, computation) => {
                let want = self.want(*local);
                let value = self.computation(computation, want).into_tokens();
                let pattern = self.pattern(*local);
                quote!(let #pattern = #value;)
            }
            CoreStatement::Assign(local, Computation::Call(call)) if self.is_in_place(*local, call) => {
                self.in_place(*local, call)
            }
            CoreStatement::Assign(local, computation) => {
                let want = self.want(*local);
                let value = self.computation(computation, want).into_tokens();
                let name = self.name(*local);
                quote!(#name = #value;)
            }
            CoreStatement::Store(place, value) => {
                let value = self.atom(value, Want::Value).into_tokens();
                let place = self.name(*place);
                quote!(*#place = #value;)
            }
            CoreStatement::Decrement(local) => {
                let name = self.name(*local);
                quote!(#name -= 1;)
            }
            CoreStatement::Do(computation) => self.effect(computation),
            CoreStatement::For { label, items, over, body } => {
                let source = self.computation(over, Want::Raw).into_tokens();
                let pattern = self.patterns(items, over);
                let copied = self.copied(items, over);
                let body = self.looped(*label, body);
                let label = self.named(*label);
                quote!(#label for #pattern in #source { #copied #body })
            }
            CoreStatement::Loop { label, body } => self.endless(*label, body),
            CoreStatement::Break(label, value) => self.leave(*label, value.as_ref()),
            CoreStatement::Return(value) => self.return_atom(value),
            CoreStatement::Fail(error) => {
                let error = self.atom(error, Want::Raw).into_tokens();
                quote!(return Err(#error);)
            }
            CoreStatement::Continue(label) if self.leaves_try(*label) => self.jump_out(*label, true),
            CoreStatement::Continue(label) => match self.enclosing.last() {
                Some((innermost, Enclosing::Loop)) if innermost == label => quote!(continue;),
                _ => {
                    let label = self.label_name(*label);
                    quote!(continue #label;)
                }
            },
        }
    }

    /// Copies the item of a loop or a test that is held as a value although it is a reference.
    fn copied(&self, items: &[CoreLocalId], of: &Computation) -> TokenStream {
        match items.last() {
            Some(item) if self.is_copied(*item, of) => {
                let name = self.name(*item);
                let mutable = self.ownership.mentions[*item].changes.then(|| quote!(mut));
                quote!(let #mutable #name = #name.clone();)
            }
            _ => TokenStream::new(),
        }
    }

    fn is_copied(&self, item: CoreLocalId, of: &Computation) -> bool {
        self.lends(of)
            && self.function.locals[item].ty == CoreType::Value
            && self.ownership.mentions[item].reads > 0
            && !self.ownership.is_borrowed(item)
    }

    /// Returns `true` if a computation yields references.
    fn lends(&self, computation: &Computation) -> bool {
        match computation {
            Computation::Call(call) => call.callee.borrows,
            Computation::Atom(Atom::Inlined(inner)) => self.lends(inner),
            // Items that are bound come from a function that lends them.
            Computation::Atom(Atom::Local(local) | Atom::Last(local)) => {
                self.ownership.is_borrowed(*local) || self.function.locals[*local].ty == CoreType::Items
            }
            _ => false,
        }
    }

    fn looped(&mut self, label: LabelId, body: &CoreBlock) -> TokenStream {
        self.enclosing.push((label, Enclosing::Loop));
        let body = self.inner(body, Want::Unit);
        self.enclosing.pop();
        body
    }

    /// Returns the label of a loop with its colon, if a jump names it.
    fn named(&mut self, id: LabelId) -> TokenStream {
        if !self.mentioned.contains(&id) {
            return TokenStream::new();
        }
        let label = self.label_name(id);
        quote!(#label:)
    }

    fn endless(&mut self, label: LabelId, body: &CoreBlock) -> TokenStream {
        if let ([CoreStatement::Do(Computation::IfPresent { items, of, then, otherwise })], None) =
            (&body.statements[..], &body.value)
            && let ([CoreStatement::Break(left, None)], None) = (&otherwise.statements[..], &otherwise.value)
            && *left == label
        {
            let source = self.computation(of, Want::Raw).into_tokens();
            let items = self.patterns(items, of);
            let body = self.looped(label, then);
            let label = self.named(label);
            return quote!(#label while let Some(#items) = #source { #body });
        }
        if let Some(code) = self.while_holds(label, body) {
            return code;
        }
        let body = self.looped(label, body);
        let label = self.named(label);
        quote!(#label loop { #body })
    }

    fn leave(&mut self, id: LabelId, value: Option<&Atom>) -> TokenStream {
        if self.leaves_try(id) {
            return self.jump_out(id, false);
        }
        let target = self.enclosing.iter().find(|(label, _)| *label == id).map(|(_, kind)| *kind);
        let value = value.map(|value| {
            let want = match target {
                Some(Enclosing::Block(want)) => want,
                _ => self.want_of(value),
            };
            self.atom(value, want).into_tokens()
        });
        if self.closures.last() == Some(&id) {
            return quote!(return Err(#value););
        }
        let value = if target == Some(Enclosing::Attempt) { quote!(Some(#value)) } else { quote!(#value) };
        match self.enclosing.last() {
            Some((innermost, Enclosing::Loop)) if *innermost == id => quote!(break;),
            _ => {
                let label = self.label_name(id);
                quote!(break #label #value;)
            }
        }
    }

    fn want_of(&self, atom: &Atom) -> Want {
        Want::of(self.type_of(atom))
    }

    fn type_of(&self, atom: &Atom) -> CoreType {
        atom.ty(&self.function.locals)
    }

    /// Emits a computation as a statement.
    fn effect(&mut self, computation: &Computation) -> TokenStream {
        match computation {
            Computation::Call(call) => {
                let code = self.call(call, Want::Raw).into_tokens();
                let is_statement = call.callee.returns == CoreType::Unit || self.values == Values::JavaScript;
                if is_statement { quote!(#code;) } else { quote!(let _ = #code;) }
            }
            Computation::If { .. } | Computation::IfPresent { .. } | Computation::Labelled(..) => {
                self.computation(computation, Want::Unit).into_tokens()
            }
            Computation::Attempt(attempt) => self.attempt_statement(attempt),
            Computation::Try(inner) => self.try_statement(inner),
            _ => {
                let code = self.computation(computation, Want::Raw).into_tokens();
                quote!(let _ = #code;)
            }
        }
    }

    fn computation(&mut self, computation: &Computation, want: Want) -> Fragment {
        match computation {
            Computation::Atom(atom) => self.atom(atom, want),
            Computation::Call(call) => self.call(call, want),
            Computation::Not(atom) => {
                let operand = self.atom(atom, Want::Bool).operand(Precedence::Unary);
                self.wanted(Fragment::new(quote!(!#operand), Want::Bool, Precedence::Unary), want)
            }
            Computation::Logic { is_and, left, right } => {
                let precedence = if *is_and { Precedence::And } else { Precedence::Or };
                let left = self.atom(left, Want::Bool).operand(precedence);
                let (statements, value) = self.block_parts(right, Want::Bool);
                let right = match value {
                    Some(value) if statements.is_empty() => value.operand(precedence),
                    value => {
                        let value = value.map(Fragment::into_tokens);
                        quote!({ #statements #value })
                    }
                };
                let tokens = if *is_and { quote!(#left && #right) } else { quote!(#left || #right) };
                self.wanted(Fragment::new(tokens, Want::Bool, precedence), want)
            }
            Computation::If { test, then, otherwise } if want == Want::Unit && then == &CoreBlock::default() => {
                let test = self.negation(test);
                let otherwise = self.inner(otherwise, want);
                Fragment::new(quote!(if #test { #otherwise }), want, Precedence::Block)
            }
            Computation::If { test, then, otherwise } => {
                let test = self.atom(test, Want::Bool).into_tokens();
                let then = self.inner(then, want);
                let otherwise = self.otherwise(otherwise, want);
                Fragment::new(quote!(if #test { #then } #otherwise), want, Precedence::Block)
            }
            Computation::IfPresent { items, of, then, otherwise } => self.if_present(items, of, then, otherwise, want),
            Computation::Array(items) => {
                let items = self.values(items);
                let array = self.values.array(&items);
                self.wanted(Fragment::new(array, Want::Value, Precedence::Primary), want)
            }
            Computation::List(items) => {
                let items = self.values(items);
                self.wanted(Fragment::new(quote!([#(#items),*]), Want::Raw, Precedence::Primary), want)
            }
            Computation::Texts(items) => {
                let items: Vec<TokenStream> = items.iter().map(|item| self.text(item)).collect();
                self.wanted(Fragment::new(quote!([#(#items),*]), Want::Raw, Precedence::Primary), want)
            }
            Computation::Object(members) => {
                let object = self.object(members);
                let tokens = if self.values == Values::Jsonata { quote!(#object?) } else { object };
                self.wanted(Fragment::new(tokens, Want::Value, Precedence::Primary), want)
            }
            Computation::Maybe(None) => Fragment::new(quote!(None), want, Precedence::Primary),
            Computation::Maybe(Some(values)) => {
                let values = self.values(values);
                let tokens = match &values[..] {
                    [value] => quote!(Some(#value)),
                    _ => quote!(Some((#(#values),*))),
                };
                Fragment::new(tokens, want, Precedence::Primary)
            }
            Computation::Labelled(label, body) => {
                self.enclosing.push((*label, Enclosing::Block(want)));
                let body = self.inner(body, want);
                self.enclosing.pop();
                let label = self.named(*label);
                Fragment::new(quote!(#label { #body }), want, Precedence::Block)
            }
            Computation::Attempt(attempt) => self.attempt_value(attempt, want),
            Computation::Try(inner) => Fragment::new(self.try_statement(inner), want, Precedence::Block),
        }
    }

    fn object(&mut self, members: &[(String, Atom)]) -> TokenStream {
        let members: Vec<TokenStream> = members
            .iter()
            .map(|(name, value)| {
                let value = self.atom(value, Want::Value).into_tokens();
                quote!((#name, #value))
            })
            .collect();
        self.values.object(&members)
    }

    fn values(&mut self, atoms: &[Atom]) -> Vec<TokenStream> {
        atoms.iter().map(|atom| self.atom(atom, Want::Value).into_tokens()).collect()
    }

    /// Emits `else` with its block, or nothing for an empty one.
    fn otherwise(&mut self, block: &CoreBlock, want: Want) -> TokenStream {
        match (&block.statements[..], &block.value) {
            ([], None) => TokenStream::new(),
            ([CoreStatement::Do(Computation::If { .. })], None) => {
                let inner = self.inner(block, want);
                quote!(else #inner)
            }
            ([], Some(Atom::Inlined(inlined))) if matches!(**inlined, Computation::If { .. }) => {
                let inner = self.inner(block, want);
                quote!(else #inner)
            }
            _ => {
                let inner = self.inner(block, want);
                quote!(else { #inner })
            }
        }
    }

    fn if_present(
        &mut self,
        items: &[CoreLocalId],
        of: &Computation,
        then: &CoreBlock,
        otherwise: &CoreBlock,
        want: Want,
    ) -> Fragment {
        let is_result =
            matches!(of, Computation::Call(call) if call.callee.fails && call.on_error == ErrorExit::Absent);
        if !is_result && of.ty(&self.function.locals) == CoreType::Value {
            return self.if_defined(items, of, [then, otherwise], want);
        }
        let source = self.computation(of, Want::Raw).into_tokens();
        let pattern = self.patterns(items, of);
        let copied = self.copied(items, of);
        let (found, missing) = match is_result {
            true => (quote!(Ok(#pattern)), quote!(Err(_))),
            false => (quote!(Some(#pattern)), quote!(None)),
        };
        let then = self.inner(then, want);
        let then = quote!(#copied #then);
        let tokens = match want {
            Want::Unit => {
                let otherwise = self.otherwise(otherwise, want);
                quote!(if let #found = #source { #then } #otherwise)
            }
            _ => {
                let otherwise = self.inner(otherwise, want);
                quote!(match #source { #found => { #then } #missing => { #otherwise } })
            }
        };
        Fragment::new(tokens, want, Precedence::Block)
    }
}
