//! Prints a jq program as a Rust function.
//!
//! What yields exactly one value becomes an expression on borrowed or owned values, or a `bool`. What yields any number of
//! them becomes statements around a continuation: `.[]` a loop, `select` an `if`, `empty` nothing, `first` a block that is
//! left. No iterators, and closures only where a function of the runtime takes one.
//!
//! Of two operands jq evaluates the right one first, and of nested generators the right one is the outer loop.

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

use super::Mode;
use super::ast::{self, Definition, Term};
use crate::expr::Literal;
use crate::passes::names::{Scope as Identifiers, short_name};
use cardinality::Cardinality::One;
use code::{Code, Kind, Label, ident};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use scope::Scope;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// How much code one program may become: terms that are written out, those of the functions that are called included.
const LARGEST: usize = 4_000;
/// How many terms may be written out inside of each other.
const DEEPEST: usize = 200;

/// Why a program does not become Rust.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Untranslated(pub String);

type Res<T> = Result<T, Untranslated>;

fn untranslated<T>(what: impl Into<String>) -> Res<T> {
    Err(Untranslated(what.into()))
}

/// What comes after a value is known.
type Then<'k, 'p> = &'k mut dyn FnMut(&mut Emitter<'p>, Code) -> Res<TokenStream>;

/// A program as a function.
pub(super) struct Function {
    /// `fn name(input: &Value, …) -> …`
    pub tokens: TokenStream,
    /// Whether it returns a `jq::Result`.
    pub fails: bool,
    /// Whether it has loops or makes values of any size, so that it is to be run within limits.
    pub loops: bool,
    /// Whether it takes the time.
    pub now: bool,
    /// Whether it takes its input as a `Value`.
    pub takes: bool,
    /// How many values the program yields.
    pub cardinality: Cardinality,
}

/// Prints a program; `variables` are its parameters beside the input, and `constants` what no local may be called.
pub(super) fn function(
    program: &Term,
    variables: &[String],
    mode: Mode,
    name: &Ident,
    constants: &Arc<Identifiers>,
) -> Res<Function> {
    let mut emitter = Emitter { names: Identifiers::of_jq(constants), ..Emitter::default() };
    let input = emitter.fresh("input");
    let mut scope = Scope::default();
    let mut parameters = Vec::new();
    for variable in variables {
        let name = emitter.fresh(variable);
        scope = scope.variable(variable, Code::reference(quote!(#name)));
        parameters.push(quote!(#name: &Value));
    }
    let cardinality = emitter.cardinality(program, &scope);
    // What changes its input is best given it.
    let takes = mode != Mode::Test && cardinality == One && update::changes_input(program);
    let given = match takes {
        true => Input { code: Code::local(&input), last: true },
        false => Input { code: Code::reference(quote!(#input)), last: false },
    };
    let (body, result) = emitter.body(program, &scope, &given, mode, cardinality)?;
    let ty = match mode {
        Mode::Test => quote!(bool),
        Mode::Value | Mode::All => quote!(Value),
    };
    // What is run within limits is finished there.
    let result = match emitter.computes && !emitter.loops && mode != Mode::Test {
        true => quote!(jq::finished(#result)),
        false => result,
    };
    let fails = emitter.fails;
    let (ty, result) = match fails {
        true => (quote!(jq::Result<#ty>), quote!(Ok(#result))),
        false => (ty, result),
    };
    if emitter.now {
        parameters.push(quote!(now: f64));
    }
    let input_ty = if takes { quote!(Value) } else { quote!(&Value) };
    let statics =
        emitter.statics.iter().map(|(text, name)| quote!(static #name: rt::Literal = rt::Literal::new(#text);));
    let tokens = quote! {
        fn #name(#input: #input_ty #(, #parameters)*) -> #ty {
            #(#statics)*
            #body
            #result
        }
    };
    Ok(Function { tokens, fails, loops: emitter.loops, now: emitter.now, takes, cardinality })
}

/// The value that `.` stands for.
#[derive(Debug, Clone)]
struct Input {
    code: Code,
    /// Whether nobody reads it afterwards, so that it may be moved.
    last: bool,
}

impl Input {
    fn new(code: Code) -> Input {
        Input { code, last: true }
    }

    /// The same, for all but the last that read it.
    fn shared(&self) -> Input {
        Input { code: self.code.clone(), last: false }
    }

    /// What `.` is.
    fn read(&self) -> Code {
        match self.code.kind {
            Kind::Local if self.last => Code { kind: Kind::Owned, fails: true, ..self.code.clone() },
            _ => self.code.clone(),
        }
    }
}

#[derive(Default)]
struct Emitter<'p> {
    /// The identifiers that are taken.
    names: Identifiers,
    /// Constants, by their text.
    statics: BTreeMap<String, Ident>,
    known: HashMap<(usize, usize), (Cardinality, Scope<'p>)>,
    size: usize,
    depth: usize,
    /// Where an error goes: out of the function or closure, or to the end of this block.
    attempt: Option<Label>,
    /// In how many closures the code stands.
    closures: usize,
    fails: bool,
    loops: bool,
    /// Whether it makes numbers, so that they may not be finite.
    computes: bool,
    /// In how many blocks the code stands that are left where they fail, and that others follow then which begin with the same.
    alternatives: usize,
    now: bool,
}

impl<'p> Emitter<'p> {
    /// Statements, and the result of the function.
    fn body(
        &mut self,
        program: &'p Term,
        scope: &Scope<'p>,
        input: &Input,
        mode: Mode,
        cardinality: Cardinality,
    ) -> Res<(TokenStream, TokenStream)> {
        if cardinality == One {
            let mut before = TokenStream::new();
            let value = match &program.kind {
                ast::Kind::If(test, then, otherwise) => {
                    self.choice((test, then, otherwise.as_deref()), scope, input, &mut before)?
                }
                _ => self.one(program, scope, input, &mut before)?,
            };
            let result = match mode {
                Mode::All => {
                    let value = value.into_value();
                    quote!(rt::array([#value]))
                }
                Mode::Test if value.is_bool() => value.tokens,
                Mode::Test => {
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
            Mode::All => quote!(Value::from(#values)),
            Mode::Value => quote!(jq::one_or_all(#values)),
            Mode::Test => quote!(jq::only_true(&#values)),
        };
        Ok((quote!(let mut #values = jq::Values::new(); #body), result))
    }

    /// A name that is used nowhere else in the function.
    fn fresh(&mut self, hint: &str) -> Ident {
        ident(&self.names.give(&short_name(hint)))
    }

    fn fresh_label(&mut self, hint: &str) -> Label {
        Label(self.fresh(hint))
    }

    /// Counts a term against the budget, and one level more of nesting.
    fn nest<T>(&mut self, write: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        self.size += 1;
        if self.size > LARGEST {
            return untranslated("a program of this size");
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return untranslated("its depth: functions inside of functions");
        }
        let result = write(self);
        self.depth -= 1;
        result
    }

    /// An expression of type `jq::Result<_>`, of which what is `Ok` is left.
    fn check(&mut self, tokens: &TokenStream) -> TokenStream {
        match &self.attempt {
            Some(label) => quote!(match #tokens { Ok(value) => value, Err(error) => break #label Some(error) }),
            None => {
                self.fails |= self.closures == 0;
                quote!(#tokens?)
            }
        }
    }

    /// A call that can fail.
    fn checked(&mut self, tokens: TokenStream) -> Code {
        Code::owned(self.check(&tokens)).failing(true)
    }

    /// The head of a loop.
    fn tick(&mut self) -> TokenStream {
        self.loops = true;
        let tick = self.check(&quote!(jq::tick()));
        quote!(#tick;)
    }

    /// Appends a value to a list.
    fn push(&mut self, list: &Ident, value: Code) -> Res<TokenStream> {
        let value = value.into_value();
        Ok(quote!(#list.push(#value);))
    }

    /// Binds a value to a name, unless it is one.
    fn bind(&mut self, code: Code, hint: &str, before: &mut TokenStream) -> Code {
        if code.is_plain() {
            return code;
        }
        if let (Kind::Owned, Some(name)) = (code.kind, code.name()) {
            return Code { literal: code.literal, ..Code::local(&name) };
        }
        let name = self.fresh(hint);
        let tokens = &code.tokens;
        before.extend(quote!(let #name = #tokens;));
        match code.kind {
            Kind::Owned | Kind::Local => Code { literal: code.literal, ..Code::local(&name) },
            Kind::Ref => Code::reference(quote!(#name)),
            _ => Code::bool(quote!(#name)),
        }
    }

    /// A `&Value` that lives as long as the block.
    fn lasting(&mut self, code: Code, hint: &str, before: &mut TokenStream) -> Code {
        match code.kind {
            Kind::Ref => code,
            Kind::Local => {
                let tokens = code.as_ref();
                Code { literal: code.literal, ..Code::reference(tokens) }
            }
            _ if code.literal == Some(Literal::Null) => Code::reference(quote!(&rt::NULL)),
            _ => {
                let value = code.into_value();
                let name = self.fresh(hint);
                before.extend(quote!(let #name = #value;));
                Code::reference(quote!(&#name))
            }
        }
    }

    /// Parts that are evaluated in this order, each with what comes before it; what fails is bound, where something of a
    /// later one comes before.
    fn in_order(&mut self, parts: Vec<(Code, TokenStream, &str)>, before: &mut TokenStream) -> Vec<Code> {
        let mut done: Vec<(Code, &str)> = Vec::new();
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

    /// The constant that holds an array or object.
    fn constant(&mut self, literal: Literal) -> Code {
        let text = literal.to_string();
        let name = match self.statics.get(&text) {
            Some(name) => name.clone(),
            None => {
                let name = ident(&format!("VALUE_{}", self.statics.len() + 1));
                self.statics.insert(text, name.clone());
                name
            }
        };
        Code::constant(&name, literal)
    }

    /// Writes code that stands in a closure, from which errors and only errors lead out.
    fn in_closure<T>(&mut self, write: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let attempt = self.attempt.take();
        self.closures += 1;
        let result = write(self);
        self.closures -= 1;
        self.attempt = attempt;
        result
    }

    /// Writes code that stands outside of the block it is put into.
    fn outside<T>(&mut self, attempt: &Option<Label>, write: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let inner = std::mem::replace(&mut self.attempt, attempt.clone());
        let result = write(self);
        self.attempt = inner;
        result
    }

    /// The names that are visible behind a definition.
    fn defining(&self, definition: &'p Definition, scope: &Scope<'p>) -> Scope<'p> {
        scope.function(definition)
    }

    /// The names that are visible in the body of a function that is called; values are bound where the code is written.
    fn calling(
        &self,
        definition: &'p Definition,
        arguments: &'p [Term],
        outer: &Scope<'p>,
        scope: &Scope<'p>,
    ) -> Scope<'p> {
        let mut inner = outer.clone();
        for (param, argument) in definition.params.iter().zip(arguments) {
            let name = param.strip_prefix('$').unwrap_or(param);
            inner = inner.argument(name, argument, scope.clone());
        }
        inner
    }
}
