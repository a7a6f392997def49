//! Emission of basic blocks: one function for each.

use super::command::emit_command;
use super::edited::{add_edited, edited_at_end};
use super::expr::{Site, emit_bool, emit_call, emit_call_on, emit_call_result, emit_call_with, emit_owned, emit_ref};
use super::local::{Binding, LocalType, binding, local_name};
use super::scripts;
use super::statics::Statics;
use crate::expr::{Arg, Call, Expr, Fallibility, Literal, LocalId, Type};
use crate::machine::{Block, BlockBody, BlockId, LocalIdents, Module, OnFault, Op, OpKind, ResumePointId, Terminator};
use crate::model::{ErrorMatch, LocalKind, Run};
use proc_macro2::{Ident, Literal as Token, TokenStream};
use quote::{ToTokens, quote};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The maximum length of an `else if` chain that is printed as one.
const LONGEST_CHAIN: usize = 16;

/// Context of the emission of a block.
pub struct EmitContext<'a> {
    /// The module, with the machine.
    pub module: &'a Module<'a>,
    /// The names of the locals of the block or resume point.
    pub names: &'a LocalIdents,
}

impl EmitContext<'_> {
    /// Returns the context with other names of locals.
    fn naming<'n>(&'n self, names: &'n LocalIdents) -> EmitContext<'n> {
        EmitContext { module: self.module, names }
    }
}

/// Emits the function of a block.
pub fn emit_block(block: &Block, cx: &EmitContext<'_>, statics: &mut Statics) -> TokenStream {
    let cx = &EmitContext { module: cx.module, names: &block.names };
    let name = statics.ident(&block.name);
    let doc = super::doc(&about(block, cx));
    // The awaited result is bound by the first operation, and is a parameter.
    let mut edited = edited_at_end(&block.body.terminator);
    let bound = usize::from(received(block).is_some());
    block.body.ops[bound..].iter().rev().for_each(|op| add_edited(op, &mut edited));
    let params = block.params.iter().map(|local| binding(*local, edited.contains(local), cx, statics));
    let params: Vec<Binding> = params.collect();
    let types = block.params.iter().map(|local| LocalType::of(*local, cx));
    let result = received(block).filter(|_| takes_result(block));
    let result = result.map(|(local, _)| binding(local, edited.contains(&local), cx, statics)).into_iter();
    let (statements, end) = emit_statements(&block.body, cx, statics);
    let turn = block.takes_turn.then(|| statics.ident("turn")).into_iter();
    quote! {
        #doc
        fn #name(#(#params: #types,)* #(#result: Value,)* #(#turn: &mut Turn)*) -> TurnResult { #statements #end }
    }
}

/// Returns the local that receives the awaited result of the block, and the handler of a fault in
/// its place.
fn received(block: &Block) -> Option<(LocalId, Option<BlockId>)> {
    match block.body.ops.first() {
        Some(op @ Op { kind: OpKind::Receive(local), .. }) => Some((*local, op.handler())),
        _ => None,
    }
}

/// Returns `true` if the function of a block takes the awaited result, because something reads it.
pub fn takes_result(block: &Block) -> bool {
    matches!(block.body.ops.first(), Some(Op { kind: OpKind::Receive(local), unread, .. }) if !unread.contains(local))
}

/// Returns the handler of a fault in place of the awaited result.
pub fn handler_of_result(block: &Block) -> Option<BlockId> {
    received(block).and_then(|(_, handler)| handler)
}

/// Emits the call of the function of a block with these arguments, and the turn if it takes it.
pub fn emit_block_call<A: ToTokens>(block: &Block, args: impl Iterator<Item = A>, statics: &Statics) -> TokenStream {
    let name = statics.ident(&block.name);
    let turn = block.takes_turn.then(|| statics.ident("turn"));
    quote!(#name(#(#args,)* #turn))
}

fn about(block: &Block, cx: &EmitContext<'_>) -> String {
    match &block.origin {
        Some(origin) if block.doc.is_empty() => format!(" `{}`, `{}`.", origin.state, cx.module.place(origin.span)),
        Some(origin) => format!(" `{}`, `{}`: {}", origin.state, cx.module.place(origin.span), block.doc.trim()),
        None => format!(" {}", block.doc),
    }
}

/// Emits statements, and the expression at their end.
fn emit_statements(body: &BlockBody, cx: &EmitContext<'_>, statics: &mut Statics) -> (TokenStream, TokenStream) {
    if let (Some((fresh, before)), Terminator::Goto { block, bounce: None }) = (fresh_retries(body), &body.terminator) {
        let (ops, names) = emit_ops(body, before.len(), cx, statics);
        let cx = &cx.naming(&names);
        let target = cx.module.machine.block(*block);
        let args = target.params.iter().map(|local| match *local == fresh {
            true => quote!(Retries::new()),
            false => local_name(*local, cx, statics).into_token_stream(),
        });
        return (ops, emit_block_call(target, args, statics));
    }
    let (ops, names) = emit_ops(body, body.ops.len(), cx, statics);
    let (statements, end) = emit_end(&body.terminator, &cx.naming(&names), statics);
    (quote!(#ops #statements), end)
}

/// Emits the first `count` operations of a body. Returns also the names of locals after them.
fn emit_ops<'a>(
    body: &BlockBody,
    count: usize,
    cx: &EmitContext<'a>,
    statics: &mut Statics,
) -> (TokenStream, Cow<'a, LocalIdents>) {
    let mut edited = edited_at_end(&body.terminator);
    let mut are_edited = Vec::with_capacity(body.ops.len());
    for op in body.ops.iter().rev() {
        are_edited.push(op.kind.sets().iter().any(|local| edited.contains(local)));
        add_edited(op, &mut edited);
    }
    let (mut ops, mut names) = (TokenStream::new(), Cow::Borrowed(cx.names));
    for (op, is_edited) in body.ops.iter().zip(are_edited.into_iter().rev()).take(count) {
        if let OpKind::Alias { to, from } = op.kind {
            let name = names[&from].clone();
            names.to_mut().insert(to, name);
        }
        ops.extend(emit_op(op, is_edited, &cx.naming(&names), statics));
    }
    (ops, names)
}

/// Returns the counters that the last operation creates, and the operations before it.
fn fresh_retries(body: &BlockBody) -> Option<(LocalId, &[Op])> {
    match body.ops.split_last() {
        Some((Op { kind: OpKind::NewRetries(local), .. }, before)) => Some((*local, before)),
        _ => None,
    }
}

/// Emits a block body as the body of an `if` or an `else`.
fn emit_body(body: &BlockBody, cx: &EmitContext<'_>, statics: &mut Statics) -> TokenStream {
    let (statements, end) = emit_statements(body, cx, statics);
    quote!(#statements #end)
}

/// Emits a block body that returns from the function.
fn emit_return(body: &BlockBody, cx: &EmitContext<'_>, statics: &mut Statics) -> TokenStream {
    let (statements, end) = emit_statements(body, cx, statics);
    quote!(#statements return #end;)
}

fn emit_op(op: &Op, is_edited: bool, cx: &EmitContext<'_>, statics: &mut Statics) -> TokenStream {
    let site = Site::new(cx, &op.live_after, op.kind.reads());
    debug_assert!(!(is_edited && matches!(op.kind, OpKind::Assign(_))), "no state edits the variables that it assigns");
    match &op.kind {
        OpKind::Enter { state, input } => {
            let input = emit_ref(&Expr::Local(*input), &site, statics);
            quote!(turn.enter(#state, #input);)
        }
        OpKind::Let { local, value } => emit_let(*local, value, op, is_edited, &site, cx, statics),
        OpKind::Assign(values) => emit_assign(values, op, &site, cx, statics),
        OpKind::Declare(local) => {
            let name = binding(*local, is_edited, cx, statics);
            quote!(let #name: Option<Value> = None;)
        }
        OpKind::NewRetries(local) => {
            let name = binding(*local, is_edited, cx, statics);
            quote!(let #name = Retries::new();)
        }
        OpKind::BeginRetryBlock { block_retries, inner } => {
            let name = binding(*block_retries, is_edited, cx, statics);
            let begin = if *inner { quote!(begin_nested_retry_block) } else { quote!(begin_retry_block) };
            quote!(let #name = turn.#begin();)
        }
        OpKind::RenumberCalls { block_retries, calls } => {
            let calls = Token::u32_unsuffixed(*calls);
            match block_retries.map(|block_retries| local_name(block_retries, cx, statics)) {
                Some(name) => quote!(turn.renumber_calls(&#name, #calls);),
                None => quote!(turn.renumber_branch_calls(#calls);),
            }
        }
        // The result is a parameter.
        OpKind::Receive(_) => TokenStream::new(),
        OpKind::Run(run) => emit_run(run, cx, statics),
        // Both locals have one name.
        OpKind::Alias { .. } | OpKind::PassFault { .. } => TokenStream::new(),
        OpKind::Locate(fault) => {
            let name = local_name(*fault, cx, statics);
            quote!(let #name = turn.locate(#name);)
        }
        OpKind::Inspect { stage, value } => {
            let value = emit_ref(value, &site, statics);
            quote!(turn.inspect(#stage, #value);)
        }
    }
}

/// Emits the run of a script, which edits the document and the variables in place.
fn emit_run(run: &Run, cx: &EmitContext<'_>, statics: &mut Statics) -> TokenStream {
    let document = local_name(run.document, cx, statics);
    let variables = run.variables.iter().map(|local| local_name(*local, cx, statics));
    let variables: Vec<Ident> = variables.collect();
    scripts::emit_run(run.script, &document, &variables, cx, statics)
}

fn emit_let(
    local: LocalId,
    value: &Expr,
    op: &Op,
    is_edited: bool,
    site: &Site<'_>,
    cx: &EmitContext<'_>,
    statics: &mut Statics,
) -> TokenStream {
    if let (Some(from), Expr::Call(call)) = (value.edited(), value) {
        return emit_edit(local, from, call, op, site, cx, statics);
    }
    if op.unread.contains(&local) {
        return emit_unread(value, op.on_fault.as_ref(), site, cx, statics);
    }
    let name = binding(local, is_edited, cx, statics);
    let value = emit_guarded(value, op.on_fault.as_ref(), site, cx, statics);
    match cx.module.machine.local(local).kind {
        LocalKind::Variable => quote!(let #name = Some(#value);),
        _ => quote!(let #name = #value;),
    }
}

/// Emits a call that edits its first argument: in place, or in a copy if the original is live.
fn emit_edit(
    local: LocalId,
    from: LocalId,
    call: &Call,
    op: &Op,
    site: &Site<'_>,
    cx: &EmitContext<'_>,
    statics: &mut Statics,
) -> TokenStream {
    let name = local_name(local, cx, statics);
    let copy = (local != from).then(|| {
        let from = emit_owned(&Expr::Local(from), site, statics);
        quote!(let mut #name = #from;)
    });
    // Reads of the local precede its edit.
    let reads = call.args.iter().skip(1).any(|arg| matches!(arg, Arg::Owned(value) if value.locals().contains(&from)));
    let bound = call.args.iter().skip(1).filter_map(|arg| match arg {
        Arg::Owned(value) if reads => Some(emit_owned(value, site, statics)),
        _ => None,
    });
    let bound: Vec<TokenStream> = bound.collect();
    let call = match bound.is_empty() {
        true => emit_call_on(quote!(&mut #name), call, site, statics),
        false => emit_call_with(quote!(&mut #name), quote!(value), call, site, statics),
    };
    let call = match &op.on_fault {
        Some(on_fault) => {
            let failure = emit_failure(on_fault, cx, statics);
            quote!(if let Err(fault) = #call { #failure })
        }
        None if call_fails(op) => quote!(#call?;),
        None => quote!(#call;),
    };
    match &bound[..] {
        [] => quote!(#copy #call),
        values => quote!(#copy { #(let value = #values;)* #call }),
    }
}

fn call_fails(op: &Op) -> bool {
    matches!(&op.kind, OpKind::Let { value: Expr::Call(call), .. } if call.function.fallibility > Fallibility::Infallible)
}

fn emit_assign(
    values: &[(LocalId, Expr)],
    op: &Op,
    site: &Site<'_>,
    cx: &EmitContext<'_>,
    statics: &mut Statics,
) -> TokenStream {
    let name = |local: &LocalId| match op.unread.contains(local) {
        true => quote!(_),
        false => local_name(*local, cx, statics).into_token_stream(),
    };
    if values.iter().all(|(local, _)| op.unread.contains(local)) {
        return values.iter().map(|(_, value)| emit_unread(value, op.on_fault.as_ref(), site, cx, statics)).collect();
    }
    let names: Vec<TokenStream> = values.iter().map(|(local, _)| name(local)).collect();
    let values: Vec<TokenStream> = values
        .iter()
        .map(|(local, value)| {
            let value = emit_guarded(value, op.on_fault.as_ref(), site, cx, statics);
            match cx.module.machine.local(*local).kind {
                LocalKind::Variable => quote!(Some(#value)),
                _ => value,
            }
        })
        .collect();
    match (&names[..], &values[..]) {
        ([name], [value]) => quote!(let #name = #value;),
        _ => quote!(let (#(#names),*) = (#(#values),*);),
    }
}

/// Emits a value. A fault goes to the handler, or out of the function.
pub fn emit_guarded(
    value: &Expr,
    on_fault: Option<&OnFault>,
    site: &Site<'_>,
    cx: &EmitContext<'_>,
    statics: &mut Statics,
) -> TokenStream {
    let Some(on_fault) = on_fault.filter(|_| value.fallibility() == Fallibility::Catchable) else {
        return emit_owned(value, site, statics);
    };
    let attempt = emit_attempt(value, site, statics);
    let failure = match on_fault {
        OnFault::Call(handler) => {
            let failed = emit_failed(*handler, cx, statics);
            quote!(return #failed,)
        }
        OnFault::Run(body) => {
            let body = emit_return(body, cx, statics);
            quote!({ #body })
        }
    };
    quote! { match #attempt { Ok(value) => value, Err(fault) => #failure } }
}

/// Emits the evaluation of a value that nothing reads, and that can fail.
fn emit_unread(
    value: &Expr,
    on_fault: Option<&OnFault>,
    site: &Site<'_>,
    cx: &EmitContext<'_>,
    statics: &mut Statics,
) -> TokenStream {
    let Some(on_fault) = on_fault.filter(|_| value.fallibility() == Fallibility::Catchable) else {
        let value = emit_owned(value, site, statics);
        return quote!(let _ = #value;);
    };
    let attempt = emit_attempt(value, site, statics);
    let failure = emit_failure(on_fault, cx, statics);
    quote!(if let Err(fault) = #attempt { #failure })
}

/// Emits a value as a `Result`.
fn emit_attempt(value: &Expr, site: &Site<'_>, statics: &mut Statics) -> TokenStream {
    match value {
        Expr::Call(call) if call.function.returns == Type::Value && !args_can_fail(call) => {
            emit_call_result(call, site, statics)
        }
        _ => {
            let value = emit_owned(value, site, statics);
            quote!(rt::attempt(|| Ok(#value)))
        }
    }
}

/// Returns `true` if an argument can fail, so that there is a `?` inside the call.
fn args_can_fail(call: &Call) -> bool {
    call.args.iter().any(|arg| match arg {
        Arg::Value(expr) | Arg::Owned(expr) | Arg::Maybe(expr) | Arg::Bool(expr) => expr.can_fail(),
        Arg::List(items) => items.iter().any(Expr::can_fail),
        _ => false,
    })
}

/// Emits the statements that handle the fault of an operation, which is in the local `fault`.
fn emit_failure(on_fault: &OnFault, cx: &EmitContext<'_>, statics: &mut Statics) -> TokenStream {
    match on_fault {
        OnFault::Run(body) => emit_return(body, cx, statics),
        OnFault::Call(handler) => {
            let failed = emit_failed(*handler, cx, statics);
            quote!(return #failed;)
        }
    }
}

/// Emits the call of a handler with the local `fault`.
fn emit_failed(handler: BlockId, cx: &EmitContext<'_>, statics: &Statics) -> TokenStream {
    let block = cx.module.machine.block(handler);
    let own = block.body.handled_fault();
    let args = block.params.iter().map(|local| match own {
        Some(fault) if fault == *local => statics.ident("fault"),
        _ => local_name(*local, cx, statics),
    });
    emit_block_call(block, args, statics)
}

fn emit_end(end: &Terminator, cx: &EmitContext<'_>, statics: &mut Statics) -> (TokenStream, TokenStream) {
    let nothing = BTreeSet::new();
    let only = |end| (TokenStream::new(), end);
    match end {
        Terminator::Goto { block, bounce: None } => {
            let block = cx.module.machine.block(*block);
            only(emit_block_call(block, block.params.iter().map(|local| local_name(*local, cx, statics)), statics))
        }
        Terminator::Goto { bounce: Some(point), .. } => {
            let point = emit_point(*point, cx, statics);
            only(quote!(rt::next(#point)))
        }
        Terminator::Wait { command, point, on_fault, live_after } => {
            let command = emit_command(command, on_fault.map(OnFault::Call).as_ref(), live_after, cx, statics);
            let point = emit_point(*point, cx, statics);
            (command, quote!(rt::wait(#point)))
        }
        Terminator::Done(output) => {
            let site = Site::new(cx, &nothing, output.locals());
            let output = emit_owned(output, &site, statics);
            only(quote!(rt::done(#output)))
        }
        Terminator::Terminate(output) => {
            let site = Site::new(cx, &nothing, output.locals());
            let output = emit_owned(output, &site, statics);
            only(quote!(rt::terminate(#output)))
        }
        Terminator::Fail {
            error: Some(Expr::Literal(Literal::String(error))),
            cause: Some(Expr::Literal(Literal::String(cause))),
        } => only(quote!(Err(Fault::new(#error, #cause)))),
        Terminator::Fail { error, cause } => {
            let reads: Vec<LocalId> = error.iter().chain(cause).flat_map(Expr::locals).collect();
            let site = Site::new(cx, &nothing, reads);
            let [error, cause] = [error, cause].map(|part| emit_fault_part(part.as_ref(), &site, statics));
            only(quote!(Err(Fault::from_parts(#error, #cause))))
        }
        Terminator::FailWith(fault) => {
            let site = Site::new(cx, &nothing, fault.locals());
            let fault = match fault {
                Expr::Call(call) => emit_call(call, &site, statics),
                other => emit_owned(other, &site, statics),
            };
            only(quote!(Err(#fault)))
        }
        Terminator::Raise { fault, handler: None } => {
            let name = local_name(*fault, cx, statics);
            only(quote!(Err(#name)))
        }
        Terminator::Raise { fault, handler: Some(handler) } => {
            let failed = emit_failed(*handler, cx, statics);
            debug_assert_eq!(cx.names[fault], "fault", "`emit_failed` passes the local of this name");
            only(failed)
        }
        Terminator::Choose { arms, otherwise, on_fault } => emit_choose(arms, otherwise, *on_fault, cx, statics),
        Terminator::Handle { fault, retry, catchers, otherwise } => {
            let name = local_name(*fault, cx, statics);
            let retry = retry.as_ref().map(|(retriers, counters, point)| {
                let retriers = statics.ident(&cx.module.machine.retriers[*retriers].0);
                let again = match cx.module.machine.local(*counters).kind {
                    LocalKind::BlockRetries => quote!(retry_block),
                    _ => quote!(retry),
                };
                let counters = local_name(*counters, cx, statics);
                let point = emit_point(*point, cx, statics);
                quote!(if turn.#again(#retriers, &mut #counters, &#name) { return rt::wait(#point); })
            });
            let catchers: Vec<TokenStream> = catchers
                .iter()
                .map(|(errors, body)| {
                    let body = emit_return(body, cx, statics);
                    let test = emit_match(&name, errors);
                    quote!(if #test { #body })
                })
                .collect();
            let (statements, end) = emit_statements(otherwise, cx, statics);
            (quote!(#retry #(#catchers)* #statements), end)
        }
    }
}

/// Emits the test whether any of these errors is the fault.
fn emit_match(fault: &Ident, errors: &[ErrorMatch]) -> TokenStream {
    let mut tests: Vec<TokenStream> = Vec::new();
    let mut names = Vec::new();
    for error in errors {
        match error {
            ErrorMatch::Any => tests.push(quote!(#fault.is_catchable())),
            ErrorMatch::AnyTask => tests.push(quote!(#fault.is_task_failure())),
            ErrorMatch::Timeout => tests.push(quote!(#fault.is_timeout())),
            ErrorMatch::Heartbeat => tests.push(quote!(#fault.is_missed_heartbeat())),
            ErrorMatch::Named(name) => names.push(name),
        }
    }
    if !names.is_empty() {
        tests.push(quote!(#fault.is(&[#(#names),*])));
    }
    quote!(#(#tests)||*)
}

/// Emits the error name or the cause as an `Option<Value>`.
fn emit_fault_part(part: Option<&Expr>, site: &Site<'_>, statics: &mut Statics) -> TokenStream {
    match part {
        None => quote!(None),
        Some(part) => {
            let part = emit_owned(part, site, statics);
            quote!(Some(#part))
        }
    }
}

fn emit_choose(
    arms: &[(Expr, BlockBody)],
    otherwise: &BlockBody,
    on_fault: Option<BlockId>,
    cx: &EmitContext<'_>,
    statics: &mut Statics,
) -> (TokenStream, TokenStream) {
    let nothing = BTreeSet::new();
    let tests: Vec<TokenStream> =
        arms.iter().map(|(condition, _)| emit_bool(condition, &Site::new(cx, &nothing, Vec::new()), statics)).collect();
    if arms.is_empty() {
        return emit_statements(otherwise, cx, statics);
    }
    if arms.len() > LONGEST_CHAIN || on_fault.is_some() {
        let arms = arms.iter().zip(tests).map(|((condition, body), test)| {
            let (statements, end) = emit_statements(body, cx, statics);
            let Some(handler) = on_fault.filter(|_| condition.fallibility() == Fallibility::Catchable) else {
                return quote!(if #test { #statements return #end; });
            };
            let failed = emit_failed(handler, cx, statics);
            let body = match statements.is_empty() {
                true => quote!(return #end,),
                false => quote!({ #statements return #end; }),
            };
            quote! {
                match rt::attempt(|| Ok(#test)) {
                    Ok(true) => #body
                    Ok(false) => {}
                    Err(fault) => return #failed,
                }
            }
        });
        let arms: Vec<TokenStream> = arms.collect();
        let (statements, end) = emit_statements(otherwise, cx, statics);
        return (quote!(#(#arms)* #statements), end);
    }
    let bodies: Vec<TokenStream> = arms.iter().map(|(_, body)| emit_body(body, cx, statics)).collect();
    let otherwise = emit_body(otherwise, cx, statics);
    (TokenStream::new(), quote!(#(if #tests { #bodies } else)* { #otherwise }))
}

/// Emits a resume point with its payload.
fn emit_point(point: ResumePointId, cx: &EmitContext<'_>, statics: &Statics) -> TokenStream {
    let point = cx.module.machine.point(point);
    let name = statics.ident(&point.name);
    let payload = point.payload.iter().map(|local| local_name(*local, cx, statics));
    match point.payload.is_empty() {
        true => quote!(State::#name),
        false => quote!(State::#name(#(#payload),*)),
    }
}
