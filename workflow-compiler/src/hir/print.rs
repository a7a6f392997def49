//! Printing of workflows as text for `dump` and golden tests. The output is deterministic, with
//! one line for each step.

use super::{
    Block, Body, CallTarget, CallWorkflow, Catcher, Deadline, DistributedMap, Expiry, ForEach, Label, Next, OnTimeout,
    Scope, Step, StepKind, Try, Workflow,
};
use crate::expr::{Expr, LocalId};
use crate::model::operation::Described;
use crate::model::{
    Active, AwaitedEvent, ErrorNames, EventId, Invoke, Jitter, Join, LocalKind, Publish, ReadCorrelation, Retrier,
    Schedule, ScopeId, Seconds, Wait, WorkflowId,
};
use std::fmt::{self, Display, Formatter};

impl Display for Workflow {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        writeln!(out, "workflow {:?} ({})", self.name, self.dialect)?;
        if let Some(WorkflowId { id, version, is_child }) = &self.id {
            let version = version.as_ref().map(|version| format!("@{version}")).unwrap_or_default();
            writeln!(out, "called {:?}{}", format!("{id}{version}"), if *is_child { ", a child" } else { "" })?;
        }
        if let Some(metadata) = &self.metadata {
            writeln!(out, "metadata {metadata}")?;
        }
        if let Some(timeout) = &self.timeout {
            writeln!(out, "timeout {} s", timeout.value)?;
        }
        match self.on_timeout {
            OnTimeout::Fail => {}
            OnTimeout::Null => writeln!(out, "on timeout null")?,
            OnTimeout::Continue { scope, .. } => writeln!(out, "on timeout [{}]", self.scope(scope).label)?,
        }
        for (at, event) in self.events.iter().enumerate() {
            let AwaitedEvent { name, subject, kind, source, attributes, correlation, .. } = event;
            write!(out, "event {at} {name:?}: {subject:?} {kind:?} {source:?} {attributes:?}")?;
            match correlation {
                Some(attribute) => writeln!(out, ", correlates by {attribute:?}")?,
                None => writeln!(out)?,
            }
        }
        if let Some(ReadCorrelation { value, path }) = &self.correlation.read {
            writeln!(out, "correlates by {path:?} of the input: {}", self.show(value))?;
        }
        if let Some(starts) = &self.starts_on {
            let numbers = |events: &[EventId]| events.iter().map(|event| event.0).collect::<Vec<_>>();
            write!(out, "starts on {:?}", numbers(&starts.events))?;
            match &starts.sequence[..] {
                [] if starts.all_of => writeln!(out, ", collects them")?,
                [] => writeln!(out)?,
                all => writeln!(out, ", waits for {:?}", numbers(all))?,
            }
        }
        if let Some(Schedule { written, active }) = &self.schedule {
            write!(out, "active {written:?}: ")?;
            match active {
                Active::Between { from, until } => writeln!(out, "from {from} until {until} us")?,
                Active::AfterDeployment(micros) => writeln!(out, "{micros} us from the deployment")?,
            }
        }
        for (local, name) in &self.settings {
            writeln!(out, "setting {name:?} -> {}", self.name_of(*local))?;
        }
        for (at, task) in self.tasks.iter().enumerate() {
            writeln!(out, "task {at} {:?} = {:?} of {:?}", task.key, task.resource, task.state)?;
            if let Some(operation) = &task.operation {
                writeln!(out, "    {}", Described(&**operation))?;
            }
        }
        for (at, script) in self.scripts.iter().enumerate() {
            writeln!(out, "script {at} of {:?}: {:?}", script.state, script.code.text())?;
        }
        self.scopes.iter().try_for_each(|scope| self.print_scope(scope, out))
    }
}

impl Workflow {
    /// Returns the shown name of a local. Variables have a `$`. Further locals of the same name
    /// have a number.
    fn name_of(&self, id: LocalId) -> String {
        let local = self.local(id);
        let mark = if local.kind == LocalKind::Variable { "$" } else { "" };
        let is_variable = local.kind == LocalKind::Variable;
        let first = self
            .locals
            .iter()
            .position(|other| other.name == local.name && (other.kind == LocalKind::Variable) == is_variable);
        match first {
            Some(first) if first != id.0 as usize => format!("{mark}{}#{}", local.name, id.0),
            _ => format!("{mark}{}", local.name),
        }
    }

    fn show(&self, expr: &Expr) -> String {
        expr.show(&|local| self.name_of(local))
    }

    fn print_scope(&self, scope: &Scope, out: &mut Formatter<'_>) -> fmt::Result {
        writeln!(out, "\n{}, from {:?}", scope.label, scope.start.value)?;
        self.print_steps(&scope.entry, 1, out)?;
        for state in &scope.states {
            writeln!(out, "  {} {:?} ({})", state.kind, state.name.value, self.name_of(state.input))?;
            self.print_body(&state.body, 2, out)?;
        }
        Ok(())
    }

    /// Prints the body of a step. The transition to what follows the step is not shown.
    fn print_nested(&self, body: &Body, label: Label, depth: usize, out: &mut Formatter<'_>) -> fmt::Result {
        match body.next {
            Next::Leave(left) if left == label => self.print_steps(&body.steps, depth, out),
            _ => self.print_body(body, depth, out),
        }
    }

    fn print_body(&self, body: &Body, depth: usize, out: &mut Formatter<'_>) -> fmt::Result {
        self.print_steps(&body.steps, depth, out)?;
        indent(depth, out)?;
        match &body.next {
            Next::Goto(target) => writeln!(out, "goto {:?}", target.value),
            Next::End(output) => writeln!(out, "end {}", self.show(output)),
            Next::Terminate(output) => writeln!(out, "terminate {}", self.show(output)),
            Next::Fail { error, cause } => {
                let show = |part: &Option<Expr>| part.as_ref().map_or("none".to_owned(), |part| self.show(part));
                writeln!(out, "fail {} because {}", show(error), show(cause))
            }
            Next::Raise(fault) => writeln!(out, "raise {}", self.name_of(*fault)),
            Next::Leave(label) => writeln!(out, "leave {}", label.0),
            Next::Repeat(label) => writeln!(out, "repeat {}", label.0),
            Next::Never => writeln!(out, "never"),
            Next::Retry(retry) => {
                let (block_retries, fault) = (self.name_of(retry.block_retries), self.name_of(retry.fault));
                let retrier = show_retrier(&retry.retrier, &self.error_names);
                writeln!(out, "retry {} after {fault} ({block_retries}), {retrier}", retry.attempt.0)?;
                indent(depth, out)?;
                writeln!(out, "otherwise")?;
                self.print_body(&retry.otherwise, depth + 1, out)
            }
            Next::FailWith(fault) => writeln!(out, "fail with {}", self.show(fault)),
            Next::Choose { arms, otherwise } => {
                writeln!(out, "choose")?;
                for arm in arms {
                    indent(depth, out)?;
                    writeln!(out, "if {}", self.show(&arm.condition))?;
                    self.print_body(&arm.body, depth + 1, out)?;
                }
                indent(depth, out)?;
                writeln!(out, "otherwise")?;
                self.print_body(otherwise, depth + 1, out)
            }
        }
    }

    fn print_steps(&self, steps: &[Step], depth: usize, out: &mut Formatter<'_>) -> fmt::Result {
        steps.iter().try_for_each(|step| self.print_step(step, depth, out))
    }

    fn print_step(&self, step: &Step, depth: usize, out: &mut Formatter<'_>) -> fmt::Result {
        indent(depth, out)?;
        match &step.kind {
            StepKind::Let { local, value } => writeln!(out, "{} = {}", self.name_of(*local), self.show(value)),
            StepKind::Assign(values) => {
                let show =
                    |(local, value): &(LocalId, Expr)| format!("{} = {}", self.name_of(*local), self.show(value));
                writeln!(out, "assign {}", values.iter().map(show).collect::<Vec<_>>().join("; "))
            }
            StepKind::Inspect { stage, value } => writeln!(out, "inspect {stage} {}", self.show(value)),
            StepKind::Block(block) => self.print_block(block, depth, out),
            StepKind::Try(step) => self.print_try(step, depth, out),
            StepKind::Deadline(deadline) => self.print_deadline(deadline, depth, out),
            StepKind::Invoke(invoke) => self.print_invoke(invoke, out),
            StepKind::Run(run) => {
                let variables: Vec<String> = run.variables.iter().map(|local| self.name_of(*local)).collect();
                writeln!(
                    out,
                    "run script {} on {} [{}]",
                    run.script.0,
                    self.name_of(run.document),
                    variables.join(", ")
                )
            }
            StepKind::Wait(Wait::For(time)) => writeln!(out, "wait {}", self.show_seconds(time)),
            StepKind::Wait(Wait::Until(time)) => writeln!(out, "wait until {}", self.show(time)),
            StepKind::Fork { branches, join, result } => {
                let label = |branch: &ScopeId| self.scope(*branch).label.clone();
                let branches = branches.iter().map(label).collect::<Vec<_>>().join(", ");
                let join = match join {
                    Join::All => String::new(),
                    Join::NOf(count) => format!("{count} of "),
                };
                writeln!(out, "{} = fork {join}[{branches}]", self.name_of(*result))
            }
            StepKind::ForEach(each) => self.print_each(each, out),
            StepKind::DistributedMap(map) => self.print_map(map, out),
            StepKind::Receive(receive) => {
                let name = |event: &EventId| self.events[*event].name.clone();
                let names = receive.events.iter().map(name).collect::<Vec<_>>().join(", ");
                write!(out, "{} = receive [{names}]", self.name_of(receive.result))?;
                if let Some(collected) = &receive.collected {
                    write!(out, " after {}", self.show(collected))?;
                }
                writeln!(out, "{}", if receive.discards_unmatched { ", others are lost" } else { "" })
            }
            StepKind::Publish(publish) => {
                let Publish { kind, source, subject, attributes, correlation, data, result } = &**publish;
                let (result, data) = (self.name_of(*result), self.show(data));
                write!(out, "{result} = publish {kind:?} from {source:?} about {subject:?} {attributes:?}")?;
                if let Some(attribute) = correlation {
                    write!(out, ", correlates by {attribute:?}")?;
                }
                writeln!(out, ": {data}")
            }
            StepKind::Call(call) => self.print_call(call, out),
        }
    }

    fn print_block(&self, block: &Block, depth: usize, out: &mut Formatter<'_>) -> fmt::Result {
        match block.repeated {
            Some(role) => writeln!(out, "block {}, repeated as {role:?}", block.label.0)?,
            None => writeln!(out, "block {}", block.label.0)?,
        }
        self.print_nested(&block.body, block.label, depth + 1, out)?;
        for exit in &block.exits {
            indent(depth, out)?;
            writeln!(out, "exit {} ({})", exit.label.0, exit.role)?;
            self.print_body(&exit.body, depth + 1, out)?;
        }
        indent(depth, out)?;
        writeln!(out, "after {} ({})", block.label.0, block.after)
    }

    fn print_try(&self, step: &Try, depth: usize, out: &mut Formatter<'_>) -> fmt::Result {
        let retries: Vec<String> =
            step.retries.iter().chain(&step.block_retries).map(|local| self.name_of(*local)).collect();
        match retries.is_empty() {
            true => writeln!(out, "try {}", step.label.0)?,
            false => writeln!(out, "try {} ({})", step.label.0, retries.join(", "))?,
        }
        self.print_nested(&step.body, step.label, depth + 1, out)?;
        for retrier in &step.retriers {
            indent(depth, out)?;
            writeln!(out, "{}", show_retrier(retrier, &self.error_names))?;
        }
        self.print_catchers(&step.catchers, step.fault, depth, out)
    }

    fn print_deadline(&self, deadline: &Deadline, depth: usize, out: &mut Formatter<'_>) -> fmt::Result {
        let Deadline { label, seconds, at, expiry, body } = deadline;
        write!(out, "deadline {} of {seconds} s ({}), then ", label.0, self.name_of(*at))?;
        match expiry {
            Expiry::Null => writeln!(out, "null")?,
            Expiry::Fault(cause) => writeln!(out, "fault {cause:?}")?,
        }
        self.print_nested(body, *label, depth + 1, out)
    }

    fn print_catchers(
        &self,
        catchers: &[Catcher],
        fault: LocalId,
        depth: usize,
        out: &mut Formatter<'_>,
    ) -> fmt::Result {
        for Catcher { errors, body, .. } in catchers {
            indent(depth, out)?;
            writeln!(out, "catch [{}] as {}", self.error_names.list(errors), self.name_of(fault))?;
            self.print_body(body, depth + 1, out)?;
        }
        Ok(())
    }

    fn print_invoke(&self, invoke: &Invoke, out: &mut Formatter<'_>) -> fmt::Result {
        let callback = if invoke.callback { " by token" } else { "" };
        let (result, task, input) = (self.name_of(invoke.result), invoke.task.0, self.show(&invoke.input));
        write!(out, "{result} = invoke task {task}{callback} with {input}")?;
        if let Some(time) = &invoke.timeout {
            write!(out, " timeout {}", self.show_seconds(time))?;
        }
        if let Some(time) = &invoke.heartbeat {
            write!(out, " heartbeat {}", self.show_seconds(time))?;
        }
        if let Some(credentials) = &invoke.credentials {
            write!(out, " as {}", self.show(credentials))?;
        }
        writeln!(out)
    }

    fn print_each(&self, each: &ForEach, out: &mut Formatter<'_>) -> fmt::Result {
        let (result, item, items) = (self.name_of(each.result), self.name_of(each.item), self.name_of(each.items));
        write!(out, "{result} = for each {item} of {items} [{}]", self.scope(each.body).label)?;
        let limits =
            [("limit", &each.limit), ("tolerate", &each.tolerated_count), ("tolerate %", &each.tolerated_percentage)];
        for (word, limit) in limits {
            if let Some(limit) = limit {
                write!(out, " {word} {}", self.show(limit))?;
            }
        }
        if let Some(delay) = &each.delay {
            write!(out, " every {}", self.show_seconds(delay))?;
        }
        writeln!(out)
    }

    fn print_map(&self, map: &DistributedMap, out: &mut Formatter<'_>) -> fmt::Result {
        let (result, body) = (self.name_of(map.result), &self.scope(map.body).label);
        write!(out, "{result} = run {:?} [{body}]", map.label)?;
        if let Some(reader) = map.reader {
            write!(out, " over {reader:?}")?;
        }
        if let Some(selection) = &map.selection {
            write!(out, " selected by [{}]", self.scope(selection.scope).label)?;
        }
        writeln!(out, " with {}", self.show(&map.settings))
    }

    fn print_call(&self, call: &CallWorkflow, out: &mut Formatter<'_>) -> fmt::Result {
        let what = match &call.target {
            CallTarget::Workflow(name) => format!("{name:?}"),
            CallTarget::Scope { scope, .. } => format!("[{}]", self.scope(*scope).label),
        };
        let how = if call.detached { "start" } else { "call" };
        write!(out, "{} = {how} {what} with {}", self.name_of(call.result), self.show(&call.input))?;
        if let Some(time) = &call.timeout {
            write!(out, " timeout {}", self.show_seconds(time))?;
        }
        writeln!(out)
    }

    fn show_seconds(&self, time: &Seconds) -> String {
        match time {
            Seconds::Fixed(seconds) => format!("{seconds} s"),
            Seconds::Computed(expr) => format!("{} s", self.show(expr)),
        }
    }
}

fn show_retrier(retrier: &Retrier, names: &ErrorNames) -> String {
    let Retrier { errors, interval_seconds, max_attempts, backoff_rate, max_delay_seconds, increment_seconds, jitter } =
        retrier;
    let errors = names.list(errors);
    let mut shown = format!("retry [{errors}] {max_attempts} times after {interval_seconds} s, rate {backoff_rate}");
    if let Some(most) = max_delay_seconds {
        shown.push_str(&format!(", at most {most} s"));
    }
    if *increment_seconds != 0.0 {
        shown.push_str(&format!(", {increment_seconds} s more each time"));
    }
    match jitter {
        Jitter::None => {}
        Jitter::Full => shown.push_str(", with jitter"),
        Jitter::Share(share) => shown.push_str(&format!(", give or take {share} of it")),
        Jitter::Seconds(seconds) => shown.push_str(&format!(", give or take {seconds} s")),
    }
    shown
}

fn indent(depth: usize, out: &mut Formatter<'_>) -> fmt::Result {
    (0..depth).try_for_each(|_| out.write_str("  "))
}
