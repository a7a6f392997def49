//! Printing of machines as text, for `dump` and golden tests.

use super::{
    Block, BlockBody, BlockId, Callee, Command, LocalIdents, Machine, MapRow, OnFault, OpKind, ResumePointId,
    ResumePointKind, Terminator,
};
use crate::expr::{Expr, LocalId};
use crate::model::{ErrorNames, Join, Seconds, Wait};
use std::fmt::{self, Display, Write};

impl Display for Machine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "entry {}", self.point(self.entry).name)?;
        for point in &self.points {
            let shown = Shown { machine: self, names: &point.names };
            write!(out, "point {} {:?} ({})", point.name, point.tag, shown.list(&point.payload))?;
            match &point.kind {
                ResumePointKind::Enter(block) => writeln!(out, " enter {}", self.block(*block).name)?,
                ResumePointKind::Resume(block) => writeln!(out, " resume {}", self.block(*block).name)?,
                ResumePointKind::Elapsed(block) => writeln!(out, " elapsed {}", self.block(*block).name)?,
                ResumePointKind::Fork(block, children) => {
                    let children: Vec<&str> = children.iter().map(|child| &*self.point(*child).name).collect();
                    writeln!(out, " fork [{}] then {}", children.join(", "), self.block(*block).name)?;
                }
                ResumePointKind::ForEach { block, child, item } => {
                    let (child, item) = (&self.point(*child).name, shown.local(*item));
                    writeln!(out, " for each {item} {child} then {}", self.block(*block).name)?;
                }
            }
        }
        for (at, (point, input)) in self.entries.iter().enumerate() {
            writeln!(out, "entry {at} {} ({})", self.point(*point).name, self.local(*input).name)?;
        }
        for (at, map) in self.maps.iter().enumerate() {
            let MapRow { state, label, entry, selector, reader, has_writer } = map;
            write!(out, "map {at} {label:?} of {state:?}: entry {}", entry.0)?;
            if let Some(selector) = selector {
                write!(out, ", selector {}", selector.0)?;
            }
            if let Some(reader) = reader {
                write!(out, ", {reader:?}")?;
            }
            if *has_writer {
                write!(out, ", writer")?;
            }
            writeln!(out)?;
        }
        for (name, retriers) in &self.retriers {
            writeln!(out, "retriers {name}: {} of them", retriers.len())?;
        }
        self.blocks.iter().try_for_each(|block| Shown { machine: self, names: &block.names }.print_block(block, out))
    }
}

/// The printer of a block or resume point.
struct Shown<'a> {
    machine: &'a Machine,
    /// The names of its locals. Empty before the pass that names them.
    names: &'a LocalIdents,
}

impl<'a> Shown<'a> {
    fn local(&self, id: LocalId) -> &'a str {
        self.names.get(&id).map_or(&*self.machine.local(id).name, |name| name)
    }

    fn list(&self, locals: &[LocalId]) -> String {
        locals.iter().map(|local| self.local(*local)).collect::<Vec<_>>().join(", ")
    }

    fn block(&self, id: BlockId) -> &'a str {
        &self.machine.block(id).name
    }

    fn point(&self, id: ResumePointId) -> &'a str {
        &self.machine.point(id).name
    }

    fn print_block(&self, block: &Block, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turn = block.takes_turn.then_some("turn");
        let params: Vec<&str> = block.params.iter().map(|local| self.local(*local)).chain(turn).collect();
        writeln!(out, "\nblock {}({})", block.name, params.join(", "))?;
        self.print_body(&block.body, 1, out)
    }

    fn print_body(&self, body: &BlockBody, depth: usize, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for op in &body.ops {
            indent(depth, out)?;
            match &op.kind {
                OpKind::Enter { state, input } => write!(out, "enter {state:?} {}", self.local(*input))?,
                OpKind::Let { local, value } => write!(out, "{} = {}", self.local(*local), self.show(value))?,
                OpKind::Alias { to, from } => write!(out, "{} is {}", self.local(*to), self.local(*from))?,
                OpKind::Assign(values) => {
                    let values =
                        values.iter().map(|(local, value)| format!("{} = {}", self.local(*local), self.show(value)));
                    write!(out, "assign {}", values.collect::<Vec<_>>().join("; "))?;
                }
                OpKind::Declare(local) => write!(out, "declare {}", self.local(*local))?,
                OpKind::NewRetries(local) => write!(out, "{} = new retries", self.local(*local))?,
                OpKind::BeginRetryBlock { block_retries, inner } => {
                    let inner = if *inner { "inner " } else { "" };
                    write!(out, "{} = begin {inner}tries", self.local(*block_retries))?;
                }
                OpKind::RenumberCalls { block_retries: None, calls } => write!(out, "count {calls} calls")?,
                OpKind::RenumberCalls { block_retries: Some(block_retries), calls } => {
                    write!(out, "count {calls} calls since {}", self.local(*block_retries))?;
                }
                OpKind::Receive(local) => write!(out, "{} = received", self.local(*local))?,
                OpKind::Run(run) => {
                    let document = self.local(run.document);
                    write!(out, "run script {} on {document} [{}]", run.script.0, self.list(&run.variables))?;
                }
                OpKind::PassFault { to, from } => write!(out, "{} = {}", self.local(*to), self.local(*from))?,
                OpKind::Locate(fault) => write!(out, "locate {}", self.local(*fault))?,
                OpKind::Inspect { stage, value } => write!(out, "inspect {stage} {}", self.show(value))?,
            }
            match &op.on_fault {
                Some(OnFault::Call(handler)) => writeln!(out, " else {}", self.block(*handler))?,
                Some(OnFault::Run(body)) => {
                    writeln!(out, " else")?;
                    self.print_body(body, depth + 1, out)?;
                }
                None => writeln!(out)?,
            }
        }
        self.print_end(&body.terminator, depth, out)
    }

    fn print_end(&self, end: &Terminator, depth: usize, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        indent(depth, out)?;
        match end {
            Terminator::Goto { block, bounce: None } => writeln!(out, "goto {}", self.block(*block)),
            Terminator::Goto { block, bounce: Some(point) } => {
                writeln!(out, "goto {} through {}", self.block(*block), self.point(*point))
            }
            Terminator::Wait { command, point, on_fault, .. } => {
                write!(out, "{} at {}", self.show_command(command), self.point(*point))?;
                match on_fault {
                    Some(handler) => writeln!(out, " else {}", self.block(*handler)),
                    None => writeln!(out),
                }
            }
            Terminator::Done(output) => writeln!(out, "done {}", self.show(output)),
            Terminator::Terminate(output) => writeln!(out, "terminate {}", self.show(output)),
            Terminator::Fail { error, cause } => {
                let show = |part: &Option<Expr>| part.as_ref().map_or("none".to_owned(), |part| self.show(part));
                writeln!(out, "fail {} because {}", show(error), show(cause))
            }
            Terminator::FailWith(fault) => writeln!(out, "fail with {}", self.show(fault)),
            Terminator::Raise { fault, handler } => {
                write!(out, "raise {}", self.local(*fault))?;
                match handler {
                    Some(handler) => writeln!(out, " to {}", self.block(*handler)),
                    None => writeln!(out),
                }
            }
            Terminator::Choose { arms, otherwise, on_fault } => {
                match on_fault {
                    Some(handler) => writeln!(out, "choose else {}", self.block(*handler))?,
                    None => writeln!(out, "choose")?,
                }
                for (condition, body) in arms {
                    indent(depth, out)?;
                    writeln!(out, "if {}", self.show(condition))?;
                    self.print_body(body, depth + 1, out)?;
                }
                indent(depth, out)?;
                writeln!(out, "else")?;
                self.print_body(otherwise, depth + 1, out)
            }
            Terminator::Handle { fault, retry, catchers, otherwise } => {
                writeln!(out, "handle {}", self.local(*fault))?;
                if let Some((retriers, counters, point)) = retry {
                    indent(depth, out)?;
                    let (retriers, counters) = (&self.machine.retriers[*retriers].0, self.local(*counters));
                    writeln!(out, "retry {retriers} {counters} at {}", self.point(*point))?;
                }
                for (errors, body) in catchers {
                    indent(depth, out)?;
                    writeln!(out, "catch {}", ErrorNames::NEUTRAL.list(errors))?;
                    self.print_body(body, depth + 1, out)?;
                }
                indent(depth, out)?;
                writeln!(out, "otherwise")?;
                self.print_body(otherwise, depth + 1, out)
            }
        }
    }

    fn show_command(&self, command: &Command) -> String {
        match command {
            Command::Invoke(invoke) => {
                let mut shown = format!("invoke task {} with {}", invoke.task.0, self.show(&invoke.input));
                for (what, seconds) in [("timeout", &invoke.timeout), ("heartbeat", &invoke.heartbeat)] {
                    if let Some(seconds) = seconds {
                        _ = write!(shown, " {what} {}", self.show_seconds(seconds));
                    }
                }
                if invoke.callback {
                    shown.push_str(" callback");
                }
                shown
            }
            Command::Wait(Wait::For(seconds)) => format!("wait {}", self.show_seconds(seconds)),
            Command::Wait(Wait::Until(time)) => format!("wait until {}", self.show(time)),
            Command::Fork { branches, join: Join::All } => format!("fork {branches}"),
            Command::Fork { branches, join: Join::NOf(count) } => format!("fork {count} of {branches}"),
            Command::Receive { receive, until } => {
                let events: Vec<String> = receive.events.iter().map(|event| event.0.to_string()).collect();
                let mut shown = format!("receive [{}]", events.join(", "));
                if let Some(collected) = &receive.collected {
                    _ = write!(shown, " after {}", self.show(collected));
                }
                if let Some(until) = until {
                    _ = write!(shown, " until {}", self.show(until));
                }
                shown
            }
            Command::Publish(publish) => format!("publish {:?}: {}", publish.kind, self.show(&publish.data)),
            Command::Call { target, input, detached, timeout } => {
                let how = if *detached { "start" } else { "call" };
                let target = match target {
                    Callee::Workflow(name) => format!("workflow {name:?}"),
                    Callee::Entry(entry) => format!("entry {}", entry.0),
                    Callee::Map(map) => format!("map {}", map.0),
                };
                let mut shown = format!("{how} {target} with {}", self.show(input));
                if let Some(seconds) = timeout {
                    _ = write!(shown, " timeout {}", self.show_seconds(seconds));
                }
                shown
            }
            Command::ForEach { items, delay, .. } => {
                let mut shown = format!("for each of {}", self.local(*items));
                if let Some(delay) = delay {
                    _ = write!(shown, " every {}", self.show_seconds(delay));
                }
                shown
            }
        }
    }

    fn show_seconds(&self, seconds: &Seconds) -> String {
        match seconds {
            Seconds::Fixed(seconds) => format!("{seconds} s"),
            Seconds::Computed(value) => self.show(value),
        }
    }

    fn show(&self, expr: &Expr) -> String {
        let name = |local: LocalId| self.local(local).to_owned();
        expr.show(&name)
    }
}

fn indent(depth: usize, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    (0..depth).try_for_each(|_| out.write_str("  "))
}
