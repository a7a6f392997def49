//! Emission of expressions.

use super::block::EmitContext;
use super::programs::emit_apply;
use super::statics::Statics;
use crate::expr::{Arg, Call, Expr, Fallibility, If, Literal, LocalId, Path, PathStep, Segment, Selector, Type};
use crate::machine::{LocalIdents, Machine};
use crate::model::LocalKind;
use proc_macro2::{Literal as Token, Punct, Spacing, TokenStream};
use quote::{ToTokens, quote};
use std::collections::BTreeSet;

/// The context of an expression: the locals that it may move, and the statics.
pub struct Site<'a> {
    /// The machine, for the kinds of locals.
    pub machine: &'a Machine,
    /// The names of the locals of the function.
    pub names: &'a LocalIdents,
    /// Locals that must not be moved.
    pub live_after: &'a BTreeSet<LocalId>,
    /// All locals that the operation reads, with repetitions. A local that is read twice is not
    /// moved.
    pub reads: Vec<LocalId>,
}

impl<'a> Site<'a> {
    /// Creates the site of an operation that reads `reads`.
    pub fn new(cx: &'a EmitContext<'_>, live_after: &'a BTreeSet<LocalId>, reads: Vec<LocalId>) -> Self {
        Site { machine: &cx.module.machine, names: cx.names, live_after, reads }
    }

    fn may_move(&self, local: LocalId) -> bool {
        !self.live_after.contains(&local) && self.reads.iter().filter(|read| **read == local).count() == 1
    }

    /// Returns the site of an expression that is evaluated several times. It moves nothing.
    fn repeated(&self) -> Site<'a> {
        Site { reads: Vec::new(), ..*self }
    }

    /// Returns the site of a branch of a conditional. Only one branch is evaluated, after the
    /// test, which moves nothing that a branch reads.
    fn branch(&self, choice: &If, branch: &Expr) -> Site<'a> {
        let mut reads = self.reads.clone();
        for read in [&choice.test, &choice.then, &choice.otherwise].into_iter().flat_map(Expr::locals) {
            match reads.iter().position(|known| *known == read) {
                Some(at) => _ = reads.swap_remove(at),
                // The site does not list its reads, because it moves nothing.
                None => return self.repeated(),
            }
        }
        reads.extend(branch.locals());
        Site { reads, ..*self }
    }
}

/// Emits a `Value`.
pub fn emit_owned(expr: &Expr, site: &Site<'_>, statics: &mut Statics) -> TokenStream {
    match expr {
        Expr::Literal(literal) => emit_literal(literal, statics),
        Expr::Local(local) => {
            let name = statics.ident(&site.names[local]);
            match site.machine.local(*local).kind {
                LocalKind::Value if site.may_move(*local) => quote!(#name),
                LocalKind::Value => quote!(#name.clone()),
                LocalKind::Variable => quote!(#name.clone().unwrap_or_default()),
                LocalKind::Fault => quote!(#name.output()),
                LocalKind::Retries | LocalKind::BlockRetries => quote!(Value::Null),
            }
        }
        Expr::Current => quote!(current.clone()),
        Expr::Context => quote!(turn.context()),
        Expr::Find(path) => {
            let found = emit_find(path, site, statics);
            quote!(#found.cloned().unwrap_or_default())
        }
        Expr::Select(path) => {
            let nodes = emit_select(path, site, statics);
            if path.strict { quote!(#nodes.found().unwrap_or_default()) } else { quote!(#nodes.collect()) }
        }
        Expr::Object(members) => {
            let members = members.iter().map(|(key, member)| {
                let member = emit_owned(member, site, statics);
                quote!((#key, #member))
            });
            let members: Vec<TokenStream> = members.collect();
            quote!(rt::object([#(#members),*]))
        }
        Expr::Array(items) => {
            let items: Vec<TokenStream> = items.iter().map(|item| emit_owned(item, site, statics)).collect();
            quote!(rt::array([#(#items),*]))
        }
        Expr::Call(call) => {
            let value = emit_call(call, site, statics);
            match call.function.returns {
                // A selection is only an argument of a check.
                Type::Value | Type::Selection => value,
                Type::Ref => quote!(#value.clone()),
                Type::Maybe => quote!(#value.cloned().unwrap_or_default()),
                Type::MaybeValue => quote!(#value.unwrap_or_default()),
                Type::Bool => quote!(Value::Bool(#value)),
                Type::Fault => quote!(#value.output()),
            }
        }
        Expr::Apply(apply) => {
            let value = emit_apply(apply, site, statics);
            match apply.program.signature().returns {
                Type::Bool => quote!(Value::Bool(#value)),
                _ => value,
            }
        }
        Expr::And(_) | Expr::Or(_) | Expr::Not(_) => {
            let test = emit_bool(expr, site, statics);
            quote!(Value::Bool(#test))
        }
        Expr::If(choice) => emit_if(choice, emit_owned, site, statics),
    }
}

/// Emits a conditional, with both branches emitted by `emit`.
fn emit_if(
    choice: &If,
    emit: fn(&Expr, &Site<'_>, &mut Statics) -> TokenStream,
    site: &Site<'_>,
    statics: &mut Statics,
) -> TokenStream {
    let test = emit_bool(&choice.test, site, statics);
    let then = emit(&choice.then, &site.branch(choice, &choice.then), statics);
    let otherwise = emit(&choice.otherwise, &site.branch(choice, &choice.otherwise), statics);
    quote!(if #test { #then } else { #otherwise })
}

/// Emits a `&Value`, possibly of a temporary that lives as long as the statement.
pub fn emit_ref(expr: &Expr, site: &Site<'_>, statics: &mut Statics) -> TokenStream {
    match expr {
        Expr::Literal(literal @ (Literal::Array(_) | Literal::Object(_))) => {
            let name = statics.literal(literal);
            quote!(&#name)
        }
        Expr::Local(local) => {
            let name = statics.ident(&site.names[local]);
            match site.machine.local(*local).kind {
                LocalKind::Value => quote!(&#name),
                LocalKind::Variable => quote!(#name.as_ref().unwrap_or(&rt::NULL)),
                LocalKind::Fault | LocalKind::Retries | LocalKind::BlockRetries => {
                    let value = emit_owned(expr, site, statics);
                    quote!(&#value)
                }
            }
        }
        Expr::Current => quote!(current),
        Expr::Call(call) if call.function.returns == Type::Ref => emit_call(call, site, statics),
        _ => {
            let value = emit_owned(expr, site, statics);
            quote!(&#value)
        }
    }
}

/// Emits an `Option<&Value>`.
pub fn emit_maybe(expr: &Expr, site: &Site<'_>, statics: &mut Statics) -> TokenStream {
    match expr {
        Expr::Find(path) => emit_find(path, site, statics),
        Expr::Select(path) if path.strict => {
            let nodes = emit_select(path, site, statics);
            quote!(#nodes.found().as_ref())
        }
        Expr::Call(call) if matches!(call.function.returns, Type::Maybe | Type::Selection) => {
            emit_call(call, site, statics)
        }
        Expr::Call(call) if call.function.returns == Type::MaybeValue => {
            let value = emit_call(call, site, statics);
            quote!(#value.as_ref())
        }
        Expr::Local(local) if site.machine.local(*local).kind == LocalKind::Variable => {
            let name = statics.ident(&site.names[local]);
            quote!(#name.as_ref())
        }
        _ => {
            let value = emit_ref(expr, site, statics);
            quote!(Some(#value))
        }
    }
}

/// Emits a `bool`.
pub fn emit_bool(expr: &Expr, site: &Site<'_>, statics: &mut Statics) -> TokenStream {
    match expr {
        Expr::Literal(Literal::Bool(value)) => quote!(#value),
        Expr::And(parts) => emit_joined(parts, "&&", quote!(true), site, statics),
        Expr::Or(parts) => emit_joined(parts, "||", quote!(false), site, statics),
        Expr::Not(inner) => {
            let test = emit_operand(inner, site, statics);
            quote!(!#test)
        }
        Expr::If(choice) if expr.ty() == Type::Bool => emit_if(choice, emit_bool, site, statics),
        Expr::Call(call) if call.function.returns == Type::Bool => emit_call(call, site, statics),
        Expr::Apply(apply) if apply.program.signature().returns == Type::Bool => emit_apply(apply, site, statics),
        _ => {
            let value = emit_ref(expr, site, statics);
            quote!(rt::is_true(#value))
        }
    }
}

/// The greatest number of operands in a row. More are grouped by brackets: parsers of Rust nest an
/// operator in the one before it.
const MOST_OPERANDS: usize = 64;

fn emit_joined(
    parts: &[Expr],
    operator: &str,
    empty: TokenStream,
    site: &Site<'_>,
    statics: &mut Statics,
) -> TokenStream {
    let mut operands: Vec<TokenStream> = parts.iter().map(|part| emit_operand(part, site, statics)).collect();
    while operands.len() > MOST_OPERANDS {
        let groups = operands.chunks(MOST_OPERANDS).map(|group| {
            let group = join(group, operator);
            quote!((#group))
        });
        operands = groups.collect();
    }
    if parts.is_empty() { empty } else { join(&operands, operator) }
}

fn join(operands: &[TokenStream], operator: &str) -> TokenStream {
    let mut joined = TokenStream::new();
    for (at, operand) in operands.iter().enumerate() {
        if at > 0 {
            let mut chars = operator.chars();
            joined.extend(chars.next().map(|c| Punct::new(c, Spacing::Joint).into_token_stream()));
            joined.extend(chars.next().map(|c| Punct::new(c, Spacing::Alone).into_token_stream()));
        }
        joined.extend(operand.clone());
    }
    joined
}

/// Emits a `bool` that can be an operand.
fn emit_operand(expr: &Expr, site: &Site<'_>, statics: &mut Statics) -> TokenStream {
    let test = emit_bool(expr, site, statics);
    match expr {
        Expr::And(parts) | Expr::Or(parts) if parts.len() > 1 => quote!((#test)),
        Expr::If(_) => quote!((#test)),
        _ => test,
    }
}

/// Emits a call, with `?` if the function can fail.
pub fn emit_call(call: &Call, site: &Site<'_>, statics: &mut Statics) -> TokenStream {
    let fallible = emit_call_result(call, site, statics);
    if call.function.fallibility > Fallibility::Infallible { quote!(#fallible?) } else { fallible }
}

/// Emits a call without `?`. It yields a `Result` if the function can fail.
pub fn emit_call_result(call: &Call, site: &Site<'_>, statics: &mut Statics) -> TokenStream {
    let args: Vec<TokenStream> = call.args.iter().map(|arg| emit_arg(arg, site, statics)).collect();
    emit_function(call, args, statics)
}

/// Emits a call with the given first argument.
pub fn emit_call_on(first: TokenStream, call: &Call, site: &Site<'_>, statics: &mut Statics) -> TokenStream {
    let rest = call.args.iter().skip(1).map(|arg| emit_arg(arg, site, statics));
    let args: Vec<TokenStream> = std::iter::once(first).chain(rest).collect();
    emit_function(call, args, statics)
}

/// Emits a call with the given first argument, and the given owned argument.
pub fn emit_call_with(
    first: TokenStream,
    owned: TokenStream,
    call: &Call,
    site: &Site<'_>,
    statics: &mut Statics,
) -> TokenStream {
    let rest = call.args.iter().skip(1).map(|arg| match arg {
        Arg::Owned(_) => owned.clone(),
        _ => emit_arg(arg, site, statics),
    });
    let args: Vec<TokenStream> = std::iter::once(first).chain(rest).collect();
    emit_function(call, args, statics)
}

fn emit_function(call: &Call, mut args: Vec<TokenStream>, statics: &mut Statics) -> TokenStream {
    // Functions of the turn are called as methods.
    let Some((module, name)) = call.function.path.split_once("::") else {
        let method = statics.ident(call.function.path);
        return quote!(turn.#method(#(#args),*));
    };
    if call.function.turn {
        args.push(quote!(turn));
    }
    let (module, name) = (statics.import(module), statics.ident(name));
    quote!(#module::#name(#(#args),*))
}

fn emit_arg(arg: &Arg, site: &Site<'_>, statics: &mut Statics) -> TokenStream {
    match arg {
        Arg::Value(expr) => emit_ref(expr, site, statics),
        Arg::Owned(expr) => emit_owned(expr, site, statics),
        Arg::Maybe(expr) => emit_maybe(expr, site, statics),
        Arg::Bool(expr) => emit_bool(expr, site, statics),
        Arg::List(items) => {
            let items: Vec<TokenStream> = items.iter().map(|item| emit_ref(item, site, statics)).collect();
            quote!(&[#(#items),*])
        }
        Arg::Str(text) => statics.text(text),
        Arg::Int(value) => Token::i64_unsuffixed(*value).into_token_stream(),
        Arg::Float(value) => Token::f64_unsuffixed(*value).into_token_stream(),
        Arg::Flag(value) => quote!(#value),
        Arg::Strs(texts) => quote!(&[#(#texts),*]),
        Arg::Schema(schema) => {
            let name = statics.schema(schema);
            quote!(&#name)
        }
        // An edit is the first argument of an operation of its own, which the block emits.
        Arg::Edit(local) => {
            let name = statics.ident(&site.names[local]);
            quote!(&mut #name)
        }
        Arg::Steps(steps) => {
            let at = statics.import("At");
            let steps = steps.iter().map(|step| match step {
                PathStep::Key(key) => quote!(#at::Key(#key)),
                PathStep::Index(index) => {
                    let index = Token::i64_unsuffixed(*index);
                    quote!(#at::Index(#index))
                }
            });
            quote!(&[#(#steps),*])
        }
    }
}

/// Emits the value of a definite path: `d.get("order").get(0)`.
fn emit_find(path: &Path, site: &Site<'_>, statics: &mut Statics) -> TokenStream {
    let keys: Option<Vec<TokenStream>> = path
        .segments
        .iter()
        .map(|segment| match &segment.selectors[..] {
            [Selector::Name(name)] if !segment.descend => Some(quote!(.get(#name))),
            [Selector::NameThroughSingleton(name)] if !segment.descend => {
                let module = statics.import("jsonpath");
                Some(quote!(.get(#module::Through(#name))))
            }
            [Selector::Index(index)] if !segment.descend => {
                let index = Token::i64_unsuffixed(*index);
                Some(quote!(.get(#index)))
            }
            _ => None,
        })
        .collect();
    let Some(keys) = keys else {
        let nodes = emit_select(path, site, statics);
        return quote!(Some(&#nodes.collect()));
    };
    if keys.is_empty() {
        return emit_maybe(&path.base, site, statics);
    }
    let is_variable = matches!(*path.base, Expr::Local(local) if site.machine.local(local).kind == LocalKind::Variable);
    statics.chains_get |= keys.len() > 1 || is_variable;
    let base = match &*path.base {
        Expr::Local(local) if site.machine.local(*local).kind == LocalKind::Value => {
            let name = statics.ident(&site.names[local]);
            quote!(#name)
        }
        Expr::Local(local) if site.machine.local(*local).kind == LocalKind::Variable => {
            let name = statics.ident(&site.names[local]);
            quote!(#name.as_ref())
        }
        Expr::Context => quote!(turn.context()),
        Expr::Current => quote!(current),
        base => {
            let base = emit_ref(base, site, statics);
            quote!((#base))
        }
    };
    quote!(#base #(#keys)*)
}

/// Emits all values that a path selects: a chain of steps on nodes.
fn emit_select(path: &Path, site: &Site<'_>, statics: &mut Statics) -> TokenStream {
    let base = emit_ref(&path.base, site, statics);
    let steps: Vec<TokenStream> = path.segments.iter().map(|segment| emit_segment(segment, site, statics)).collect();
    let module = statics.import("jsonpath");
    quote!(#module::select(#base) #(#steps)*)
}

fn emit_segment(segment: &Segment, site: &Site<'_>, statics: &mut Statics) -> TokenStream {
    let descend = segment.descend.then(|| quote!(.descend()));
    let selectors: Vec<TokenStream> =
        segment.selectors.iter().map(|selector| emit_selector(selector, site, statics)).collect();
    match &selectors[..] {
        [only] => quote!(#descend #only),
        many => quote!(#descend.union(|node| ::std::vec![#(node #many),*])),
    }
}

fn emit_selector(selector: &Selector, site: &Site<'_>, statics: &mut Statics) -> TokenStream {
    match selector {
        Selector::Name(name) => quote!(.name(#name)),
        Selector::NameThroughSingleton(name) => quote!(.through(#name)),
        Selector::Index(index) => {
            let index = Token::i64_unsuffixed(*index);
            quote!(.index(#index))
        }
        Selector::Slice { start, end, step } => {
            let [start, end] = [start, end].map(|bound| match bound {
                Some(bound) => {
                    let bound = Token::i64_unsuffixed(*bound);
                    quote!(Some(#bound))
                }
                None => quote!(None),
            });
            let step = Token::i64_unsuffixed(*step);
            quote!(.slice(#start, #end, #step))
        }
        Selector::Wildcard => quote!(.wildcard()),
        Selector::Filter(test) => {
            let test = emit_bool(test, &site.repeated(), statics);
            quote!(.filter(|current| #test))
        }
        Selector::JaywayFilter(test) => {
            let test = emit_bool(test, &site.repeated(), statics);
            quote!(.matching(|current| #test))
        }
    }
}

/// Emits a constant as a `Value`.
fn emit_literal(literal: &Literal, statics: &mut Statics) -> TokenStream {
    literal.scalar_tokens().unwrap_or_else(|| {
        let name = statics.literal(literal);
        quote!(#name.clone())
    })
}

#[cfg(test)]
mod tests;
