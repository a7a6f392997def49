//! Emission of commands.

use super::block::{EmitContext, emit_guarded};
use super::expr::{Site, emit_ref};
use super::statics::Statics;
use crate::expr::{Expr, Literal, LocalId};
use crate::machine::{Callee, Command, OnFault};
use crate::model::{Invoke, Join, Publish, Seconds, Wait};
use proc_macro2::{Literal as Token, TokenStream};
use quote::{ToTokens, quote};
use std::collections::BTreeSet;

/// Emits a command to the engine, after the bindings that it needs.
pub fn emit_command(
    command: &Command,
    on_fault: Option<&OnFault>,
    live_after: &BTreeSet<LocalId>,
    cx: &EmitContext<'_>,
    statics: &mut Statics,
) -> TokenStream {
    let site = Site::new(cx, live_after, command.locals());
    let mut values = Values { on_fault, site, cx, statics };
    match command {
        Command::Invoke(invoke) => values.invoke(invoke),
        Command::Wait(Wait::For(seconds)) => {
            let (bind, seconds) = values.seconds(seconds, "seconds");
            quote!(#bind turn.sleep_seconds(#seconds);)
        }
        Command::Wait(Wait::Until(time)) => {
            let (bind, time) = values.bound(time, "time");
            quote!(#bind turn.sleep_until(rt::timestamp(#time)?);)
        }
        Command::Fork { branches, join } => {
            let branches = Token::usize_unsuffixed(*branches);
            match join {
                Join::All => quote!(turn.fork(#branches);),
                Join::NOf(count) => {
                    let count = Token::u32_unsuffixed(*count);
                    quote!(turn.race(#branches, #count);)
                }
            }
        }
        Command::Receive { receive, until } => {
            let events = receive.events.iter().map(|event| Token::u32_unsuffixed(event.0));
            let (collected, beside) = match &receive.collected {
                Some(collected) => {
                    let (bind, collected) = values.bound(collected, "collected");
                    (bind, quote!(.except_collected(#collected)))
                }
                None => (TokenStream::new(), TokenStream::new()),
            };
            let drops = receive.discards_unmatched.then(|| quote!(.discard_unmatched()));
            let (bind, until) = match until {
                Some(until) => {
                    let (bind, time) = values.bound(until, "time");
                    (bind, quote!(.until(rt::timestamp(#time)?)))
                }
                None => (TokenStream::new(), TokenStream::new()),
            };
            quote!(#collected #bind turn.receive(&[#(#events),*]) #beside #until #drops;)
        }
        Command::Publish(publish) => {
            let Publish { kind, source, subject, attributes, correlation, data, result: _ } = &**publish;
            let (bind, data) = values.moved(data, "value");
            let subject = subject.as_ref().map(|subject| quote!(.subject(#subject)));
            let source = source.as_ref().map(|source| quote!(.source(#source)));
            let attributes = (!attributes.is_empty()).then(|| {
                let attributes = attributes.iter().map(|(name, value)| quote!((#name, #value)));
                quote!(.attributes(&[#(#attributes),*]))
            });
            let correlation = correlation.as_ref().map(|attribute| quote!(.correlation(#attribute)));
            quote! {
                #bind
                turn.send(const { &rt::EventInfo::new(#kind) #source #subject #attributes #correlation }, #data);
            }
        }
        Command::Call { target, input, detached, timeout } => {
            let (request, input) =
                values.moved(input, if let Callee::Map(_) = target { "settings" } else { "request" });
            let detach = detached.then(|| quote!(.detach()));
            let (bind, timeout) = match timeout {
                Some(seconds) => {
                    let (bind, seconds) = values.seconds(seconds, "timeout");
                    (bind, quote!(.timeout_seconds(#seconds)))
                }
                None => (TokenStream::new(), TokenStream::new()),
            };
            let call = match target {
                Callee::Workflow(name) => quote!(turn.call(#name, #input)),
                Callee::Entry(number) => {
                    let number = Token::u32_unsuffixed(number.0);
                    quote!(turn.call_entry(#number, #input))
                }
                Callee::Map(number) => {
                    let number = Token::u32_unsuffixed(number.0);
                    quote!(turn.call_map(#number, #input))
                }
            };
            quote!(#request #bind #call #detach #timeout;)
        }
        Command::ForEach {
            items,
            limit,
            delay,
            tolerated_count,
            tolerated_percentage,
            in_batches,
            completion_order,
        } => {
            let items = emit_ref(&Expr::Local(*items), &values.site, values.statics);
            let at_once = limit.as_ref().map(|limit| {
                let limit = values.limit(limit, "count");
                quote!(concurrency: #limit,)
            });
            let (bind, delay) = match delay {
                Some(seconds) => {
                    let (bind, seconds) = values.seconds(seconds, "delay");
                    (bind, Some(quote!(delay_seconds: #seconds,)))
                }
                None => (TokenStream::new(), None),
            };
            let count = tolerated_count.as_ref().map(|count| {
                let count = values.limit(count, "count");
                quote!(tolerated_count: Some(#count),)
            });
            let percentage = tolerated_percentage.as_ref().map(|percentage| {
                let percentage = values.limit(percentage, "percentage");
                quote!(tolerated_percentage: Some(#percentage),)
            });
            let batches = in_batches.then(|| quote!(in_batches: true,));
            let order = completion_order.then(|| quote!(completion_order: true,));
            match (&at_once, &delay, &count, &percentage, &order) {
                (None, None, None, None, None) => quote!(turn.for_each(#items, rt::Limits::default());),
                _ => quote! {
                    #bind
                    let limits = rt::Limits { #at_once #delay #batches #order #count #percentage ..rt::Limits::default() };
                    turn.for_each(#items, limits);
                },
            }
        }
    }
}

/// Emitter of the values of a command.
struct Values<'a> {
    on_fault: Option<&'a OnFault>,
    site: Site<'a>,
    cx: &'a EmitContext<'a>,
    statics: &'a mut Statics,
}

impl Values<'_> {
    /// Emits the invocation of a task.
    fn invoke(&mut self, invoke: &Invoke) -> TokenStream {
        let task = self.statics.ident(&self.cx.module.names_of(invoke.task).constant);
        let callback = invoke.callback.then(|| quote!(.callback()));
        // Values are bound first, in the order of evaluation: they may need the turn themselves.
        let mut binds = Vec::new();
        let mut options = Vec::new();
        let input = self.guarded(&invoke.input);
        for (option, name, seconds) in
            [("timeout_seconds", "timeout", &invoke.timeout), ("heartbeat_seconds", "heartbeat", &invoke.heartbeat)]
        {
            let Some(seconds) = seconds else { continue };
            let option = self.statics.ident(option);
            let (bind, seconds) = self.seconds(seconds, name);
            binds.push(bind);
            options.push(quote!(.#option(#seconds)));
        }
        if let Some(credentials) = &invoke.credentials {
            let credentials = self.guarded(credentials);
            binds.push(quote!(let credentials = #credentials;));
            options.push(quote!(.credentials(credentials)));
        }
        if matches!(invoke.input, Expr::Local(_) | Expr::Literal(_)) && binds.iter().all(TokenStream::is_empty) {
            return quote!(turn.invoke(&#task, #input) #callback #(#options)*;);
        }
        quote!(let request = #input; #(#binds)* turn.invoke(&#task, request) #callback #(#options)*;)
    }

    /// Emits a limit of a Map: a constant or a checked value.
    fn limit(&mut self, limit: &Expr, check: &str) -> TokenStream {
        match (limit, check) {
            (Expr::Literal(Literal::Int(number)), "count") if *number >= 0 => {
                Token::u64_unsuffixed(number.unsigned_abs()).into_token_stream()
            }
            (Expr::Literal(Literal::Int(number)), _) => Token::f64_unsuffixed(*number as f64).into_token_stream(),
            (Expr::Literal(Literal::Float(number)), "percentage") => Token::f64_unsuffixed(*number).into_token_stream(),
            _ => {
                let value = self.guarded(limit);
                let check = self.statics.ident(if check == "count" { "count" } else { "seconds" });
                quote!(rt::#check(&#value)?)
            }
        }
    }

    /// Emits seconds as an `f64`, and the bindings that they need.
    fn seconds(&mut self, seconds: &Seconds, name: &str) -> (TokenStream, TokenStream) {
        match seconds {
            Seconds::Fixed(seconds) => {
                let seconds = Token::f64_unsuffixed(*seconds);
                (TokenStream::new(), quote!(#seconds))
            }
            Seconds::Computed(value) => {
                let (bind, value) = self.bound(value, name);
                (bind, quote!(rt::seconds(#value)?))
            }
        }
    }

    /// Emits a value as `&Value`, and its binding. A local needs none.
    fn bound(&mut self, value: &Expr, name: &str) -> (TokenStream, TokenStream) {
        if matches!(value, Expr::Local(_)) {
            return (TokenStream::new(), emit_ref(value, &self.site, self.statics));
        }
        let name = self.statics.ident(name);
        let value = self.guarded(value);
        (quote!(let #name = #value;), quote!(&#name))
    }

    /// Emits a value as `Value`, and its binding. A local needs none.
    fn moved(&mut self, value: &Expr, name: &str) -> (TokenStream, TokenStream) {
        let emitted = self.guarded(value);
        if matches!(value, Expr::Local(_)) {
            return (TokenStream::new(), emitted);
        }
        let name = self.statics.ident(name);
        (quote!(let #name = #emitted;), quote!(#name))
    }

    /// Emits a value. A fault goes to the handler of the command.
    fn guarded(&mut self, value: &Expr) -> TokenStream {
        emit_guarded(value, self.on_fault, &self.site, self.cx, self.statics)
    }
}
