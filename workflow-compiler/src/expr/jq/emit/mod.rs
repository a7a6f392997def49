//! Emission of a jq program as a Rust function.
//!
//! A filter with exactly one value becomes an expression on borrowed or owned values, or a `bool`.
//! A filter with any number of values becomes statements around a continuation: `.[]` a loop,
//! `select` an `if`, `empty` nothing, `first` a block that `break` leaves. Generated code uses no
//! iterators, and closures only as arguments of runtime functions.
//!
//! jq evaluates the right operand of an operator first, and the right one of nested generators is
//! the outer loop.

mod call;
mod cardinality;
mod code;
mod compare;
mod each;
mod fold;
mod object;
mod one;
mod path;
mod pattern;
mod regex;
mod scope;
mod special;
mod text;
mod update;

pub use cardinality::Cardinality;

use super::ResultMode;
use super::ast::{self, FunctionDef, Term};
use crate::expr::Literal;
use crate::expr::mentions::{self, parameter};
use crate::names::{NameScope, short_name};
use cardinality::Cardinality::One;
use code::{CodeKind, JqCode, LabelIdent, ident, with_mutable};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use scope::JqScope;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// The most terms that one program may emit, including those of inlined functions.
const MAX_TERMS: usize = 4_000;
/// The greatest nesting of emitted terms.
const MAX_NESTING: usize = 200;

/// The reason why a program cannot be translated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Untranslated(pub String);

type Res<T> = Result<T, Untranslated>;

fn untranslated<T>(what: impl Into<String>) -> Res<T> {
    Err(Untranslated(what.into()))
}

/// A continuation that takes a value.
type Then<'k, 'p> = &'k mut dyn FnMut(&mut Emitter<'p>, JqCode) -> Res<TokenStream>;

/// A program as a Rust function.
pub(super) struct EmittedFunction {
    /// `fn name(input: &Value, …) -> …`
    pub tokens: TokenStream,
    /// `true` if the function returns a `jq::Result`.
    pub fails: bool,
    /// `true` if the function has loops or creates values of any size, and so runs within the
    /// evaluation limits.
    pub loops: bool,
    /// `true` if the function takes the current time.
    pub now: bool,
    /// `true` if the function takes its input as a `Value`.
    pub takes_ownership: bool,
    /// The number of values that the program yields.
    pub cardinality: Cardinality,
}

/// Emits a program. `variables` are its parameters besides the input, and `constants` the names
/// that locals must avoid.
pub(super) fn function(
    program: &Term,
    variables: &[String],
    mode: ResultMode,
    name: &Ident,
    constants: &Arc<NameScope>,
) -> Res<EmittedFunction> {
    let mut emitter = Emitter { names: NameScope::of_jq(constants), ..Emitter::default() };
    let input = emitter.fresh("input");
    let mut scope = JqScope::default();
    let mut parameters = Vec::new();
    for variable in variables {
        let name = emitter.fresh(variable);
        scope = scope.variable(variable, JqCode::reference(quote!(#name)));
        parameters.push((name, quote!(&Value)));
    }
    let cardinality = emitter.cardinality(program, &scope);
    // A program that changes its input takes it by value.
    let takes_ownership = mode != ResultMode::Test && cardinality == One && update::changes_input(program);
    let input_code = match takes_ownership {
        true => Input { code: JqCode::local(&input), last: true },
        false => Input { code: JqCode::reference(quote!(#input)), last: false },
    };
    if takes_ownership {
        emitter.changeable.insert(input.clone());
    }
    let (body, result) = emitter.body(program, &scope, &input_code, mode, cardinality)?;
    let ty = match mode {
        ResultMode::Test => quote!(bool),
        ResultMode::Value | ResultMode::All => quote!(Value),
    };
    // Results computed within limits are checked there.
    let result = match emitter.computes && !emitter.loops && mode != ResultMode::Test {
        true => quote!(jq::finished(#result)),
        false => result,
    };
    let fails = emitter.fails;
    let (ty, result) = match fails {
        true => (quote!(jq::Result<#ty>), quote!(Ok(#result))),
        false => (ty, result),
    };
    if emitter.now {
        parameters.push((ident("now"), quote!(f64)));
    }
    let input_ty = if takes_ownership { quote!(Value) } else { quote!(&Value) };
    let names = emitter.statics.values().map(ToString::to_string).collect();
    let mentioned = mentions::mentioned(names, [&body, &result]);
    let used = emitter.statics.iter().filter(|(_, name)| mentioned.contains(&name.to_string()));
    let statics = used.map(|(text, name)| quote!(static #name: rt::Literal = rt::Literal::new(#text);));
    let statics: Vec<TokenStream> = statics.collect();
    let body = quote!(#(#statics)* #body #result);
    let mutable = emitter.changed.contains(&input).then(|| quote!(mut));
    let body = with_mutable(body, &emitter.changed);
    let input = parameter(&input, &[&body]);
    let parameters = parameters.iter().map(|(name, ty)| {
        let name = parameter(name, &[&body]);
        quote!(#name: #ty)
    });
    let tokens = quote!(fn #name(#mutable #input: #input_ty #(, #parameters)*) -> #ty { #body });
    Ok(EmittedFunction { tokens, fails, loops: emitter.loops, now: emitter.now, takes_ownership, cardinality })
}

/// The value of `.`.
#[derive(Debug, Clone)]
struct Input {
    code: JqCode,
    /// `true` if this is the last read, so that the value may be moved.
    last: bool,
}

impl Input {
    fn new(code: JqCode) -> Input {
        Input { code, last: true }
    }

    /// Returns the input for a read that is not the last.
    fn shared(&self) -> Input {
        Input { code: self.code.clone(), last: false }
    }

    /// Returns the expression of `.`.
    fn read(&self) -> JqCode {
        match self.code.kind {
            CodeKind::Local if self.last => JqCode { kind: CodeKind::Owned, fails: true, ..self.code.clone() },
            _ => self.code.clone(),
        }
    }
}

#[derive(Default)]
struct Emitter<'p> {
    /// The identifiers in use.
    names: NameScope,
    /// The constants by text.
    statics: BTreeMap<String, Ident>,
    /// The locals of type `Value` that a last read may change in place.
    changeable: BTreeSet<Ident>,
    /// The locals that are changed in place. Their bindings are mutable.
    changed: BTreeSet<Ident>,
    known: HashMap<(usize, usize), (Cardinality, JqScope<'p>)>,
    size: usize,
    depth: usize,
    /// The destination of errors: the caller of the function or closure, or the end of this block.
    attempt: Option<LabelIdent>,
    /// The number of closures around the current code.
    closures: usize,
    fails: bool,
    loops: bool,
    /// `true` if the program computes numbers, which may not be finite.
    computes: bool,
    /// The number of enclosing blocks that a failure leaves and that an alternative on the same
    /// input follows.
    alternatives: usize,
    now: bool,
}

impl<'p> Emitter<'p> {
    /// Emits the statements and the result of the function.
    fn body(
        &mut self,
        program: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        mode: ResultMode,
        cardinality: Cardinality,
    ) -> Res<(TokenStream, TokenStream)> {
        if cardinality == One {
            let mut before = TokenStream::new();
            let value = match &program.kind {
                ast::TermKind::If(test, then, otherwise) => {
                    self.choice((test, then, otherwise.as_deref()), scope, input, &mut before)?
                }
                _ => self.one(program, scope, input, &mut before)?,
            };
            let result = match mode {
                ResultMode::All => {
                    let value = value.into_value();
                    quote!(rt::array([#value]))
                }
                ResultMode::Test if value.is_bool() => value.tokens,
                ResultMode::Test => {
                    let value = value.as_ref();
                    quote!(rt::is_true(#value))
                }
                _ => value.into_value(),
            };
            return Ok((before, result));
        }
        let values = self.fresh("values");
        let body = self.each(program, scope, input, &mut |emitter, value| emitter.push(&values, value))?;
        let result = match mode {
            ResultMode::All => quote!(Value::from(#values)),
            ResultMode::Value => quote!(jq::one_or_all(#values)),
            ResultMode::Test => quote!(jq::only_true(&#values)),
        };
        Ok((quote!(let mut #values = jq::Values::new(); #body), result))
    }

    /// Returns a name that is unique within the function.
    fn fresh(&mut self, hint: &str) -> Ident {
        ident(&self.names.give(&short_name(hint)))
    }

    fn fresh_label(&mut self, hint: &str) -> LabelIdent {
        LabelIdent(self.fresh(hint))
    }

    /// Counts a term against the budget, and one level of nesting.
    fn nest<T>(&mut self, write: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        self.size += 1;
        if self.size > MAX_TERMS {
            return untranslated("a program this large");
        }
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return untranslated("such deep nesting of functions");
        }
        let result = write(self);
        self.depth -= 1;
        result
    }

    /// Returns the `Ok` value of an expression of type `jq::Result<_>`, and propagates its error.
    fn check(&mut self, tokens: &TokenStream) -> TokenStream {
        match &self.attempt {
            Some(label) => quote!(match #tokens { Ok(value) => value, Err(error) => break #label Some(error) }),
            None => {
                self.fails |= self.closures == 0;
                quote!(#tokens?)
            }
        }
    }

    /// Emits a call that can fail.
    fn checked(&mut self, tokens: TokenStream) -> JqCode {
        JqCode::owned(self.check(&tokens)).failing(true)
    }

    /// Emits the head of a loop.
    fn tick(&mut self) -> TokenStream {
        self.loops = true;
        let tick = self.check(&quote!(jq::tick()));
        quote!(#tick;)
    }

    /// Emits code that appends a value to a list.
    fn push(&mut self, list: &Ident, value: JqCode) -> Res<TokenStream> {
        let value = value.into_value();
        Ok(quote!(#list.push(#value);))
    }

    /// Binds a value to a name, unless it is a local already.
    fn bind(&mut self, code: JqCode, hint: &str, before: &mut TokenStream) -> JqCode {
        if code.is_plain() {
            return code;
        }
        if let (CodeKind::Owned, Some(name)) = (code.kind, code.name()) {
            return JqCode { literal: code.literal, ..JqCode::local(&name) };
        }
        let name = self.fresh(hint);
        let tokens = &code.tokens;
        before.extend(quote!(let #name = #tokens;));
        match code.kind {
            CodeKind::Owned | CodeKind::Local => {
                self.changeable.insert(name.clone());
                JqCode { literal: code.literal, ..JqCode::local(&name) }
            }
            CodeKind::Ref => JqCode::reference(quote!(#name)),
            _ => JqCode::bool(quote!(#name)),
        }
    }

    /// Returns a `&Value` that lives as long as the block.
    fn lasting(&mut self, code: JqCode, hint: &str, before: &mut TokenStream) -> JqCode {
        match code.kind {
            CodeKind::Ref => code,
            CodeKind::Local => {
                let tokens = code.as_ref();
                JqCode { literal: code.literal, ..JqCode::reference(tokens) }
            }
            _ if code.literal == Some(Literal::Null) => JqCode::reference(quote!(&rt::NULL)),
            _ => {
                let value = code.into_value();
                let name = self.fresh(hint);
                before.extend(quote!(let #name = #value;));
                JqCode::reference(quote!(&#name))
            }
        }
    }

    /// Sequences parts in evaluation order, each with its preceding statements. A fallible part is
    /// bound if statements of a later part precede it.
    fn in_order(&mut self, parts: Vec<(JqCode, TokenStream, &str)>, before: &mut TokenStream) -> Vec<JqCode> {
        let mut done: Vec<(JqCode, &str)> = Vec::new();
        for (code, own, hint) in parts {
            if !own.is_empty() {
                for (earlier, hint) in &mut done {
                    if earlier.fails {
                        *earlier = self.bind(earlier.clone(), hint, before);
                    }
                }
            }
            before.extend(own);
            done.push((code, hint));
        }
        done.into_iter().map(|(code, _)| code).collect()
    }

    /// Returns the constant that holds an array or object.
    fn constant(&mut self, literal: Literal) -> JqCode {
        let text = literal.to_string();
        let name = match self.statics.get(&text) {
            Some(name) => name.clone(),
            None => {
                let name = ident(&format!("VALUE_{}", self.statics.len() + 1));
                self.statics.insert(text, name.clone());
                name
            }
        };
        JqCode::constant(&name, literal)
    }

    /// Emits code inside a closure. Only errors may leave it.
    fn in_closure<T>(&mut self, write: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let attempt = self.attempt.take();
        self.closures += 1;
        let result = write(self);
        self.closures -= 1;
        self.attempt = attempt;
        result
    }

    /// Emits code outside of the block that encloses it.
    fn outside<T>(&mut self, attempt: &Option<LabelIdent>, write: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let inner = std::mem::replace(&mut self.attempt, attempt.clone());
        let result = write(self);
        self.attempt = inner;
        result
    }

    /// Returns the scope after a definition.
    fn defining(&self, definition: &'p FunctionDef, scope: &JqScope<'p>) -> JqScope<'p> {
        scope.function(definition)
    }

    /// Returns the scope of the body of a called function. Value parameters are bound where the
    /// code is emitted.
    fn calling(
        &self,
        definition: &'p FunctionDef,
        arguments: &'p [Term],
        outer: &JqScope<'p>,
        scope: &JqScope<'p>,
    ) -> JqScope<'p> {
        let mut inner = outer.clone();
        for (param, argument) in definition.params.iter().zip(arguments) {
            let name = param.strip_prefix('$').unwrap_or(param);
            inner = inner.argument(name, argument, scope.clone());
        }
        inner
    }
}
