//! Tests of the passes. A test of a pass on the machine compares the printed machine before and
//! after the pass, for a small definition. A test of a check compares its diagnostics.

#[cfg(all(feature = "json-schema", feature = "serverless-workflow"))]
mod bind_correlation;
#[cfg(feature = "json-schema")]
mod bind_schemas;
mod check_live_variables;
mod check_reachable;
mod check_size;
mod check_variables;
mod coalesce_locals;
mod collect_tables;
mod compute_liveness;
mod drop_unreachable;
mod infer_shapes;
mod infer_shapes_certainty;
mod infer_shapes_distributed;
mod infer_shapes_jsonata;
mod infer_tasks;
mod limit_chains;
mod lower_machine;
mod mark_turns;
mod merge_blocks;
mod name_functions;
mod name_locals;
mod name_programs;
mod name_tasks;
mod order;
mod propagate_copies;
mod read_settings;
mod resolve_targets;
mod sort_blocks;
mod thread_jumps;
mod typed_paths;
mod verify;

use super::{MACHINE_PASSES, Verified, lower};
use crate::diagnostics::{Diagnostics, render};
use crate::expr::{Arg, Expr, Fallibility, Function, Literal, LocalId, Type};
use crate::hir::{Body, Label, Next, State, Step, StepKind, Try, Workflow};
use crate::machine::Machine;
use crate::model::LocalKind;
use crate::{Files, Options, Output, Source, check_only};

/// An OpenAPI document with the operation `pay`, in `shop.json`.
const SHOP: &str = r#"{
    "openapi": "3.0.0", "info": { "title": "Shop", "version": "1" }, "servers": [{ "url": "https://shop.example.com" }],
    "paths": { "/pay": { "post": { "operationId": "pay", "responses": {} } } }
}"#;

/// Checks a definition in YAML. `dialect` is the ending of its file, such as `asl`. Every file
/// that the definition names is [`SHOP`].
fn checked(dialect: &str, text: &str, options: &Options) -> Output {
    let files = Files::new(|_| Ok(SHOP.as_bytes().to_vec()));
    check_only(Source::new(format!("flow.{dialect}.yaml"), dedented(text)).with_files(files), options)
}

/// Returns the workflow of a definition, which is accepted.
fn workflow(dialect: &str, text: &str) -> Workflow {
    let output = checked(dialect, text, &Options::default());
    output.workflow.unwrap_or_else(|| panic!("refused: {:?}", output.diagnostics))
}

/// Returns the workflow of a definition in the Amazon States Language.
fn asl(text: &str) -> Workflow {
    workflow("asl", text)
}

/// Returns the rendered diagnostics of a definition. The text is empty if there are none.
fn diagnostics(dialect: &str, text: &str) -> String {
    diagnostics_with(dialect, text, &Options::default())
}

fn diagnostics_with(dialect: &str, text: &str, options: &Options) -> String {
    let output = checked(dialect, text, options);
    let rendered = output.diagnostics.iter().map(|found| render::render(found, &output.sources, false));
    rendered.collect::<Vec<_>>().join("\n\n")
}

/// Returns the first line of each rendered diagnostic.
fn heads(rendered: &str) -> String {
    let is_head = |line: &&str| line.starts_with("error[") || line.starts_with("warning[");
    rendered.lines().filter(is_head).collect::<Vec<_>>().join("\n")
}

/// Returns the code and the message of each diagnostic.
fn messages(diagnostics: Diagnostics) -> Vec<String> {
    diagnostics.finish().into_iter().map(|found| format!("{} {}", found.code.id, found.message)).collect()
}

/// Removes the indentation that all lines share.
fn dedented(text: &str) -> String {
    let lines = text.lines().skip_while(|line| line.trim().is_empty());
    let margin = lines.clone().filter(|line| !line.trim().is_empty()).map(|line| line.len() - line.trim_start().len());
    let margin = margin.min().unwrap_or_default();
    lines.map(|line| line.get(margin..).unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Returns the machine before and after a pass.
fn around(workflow: &Workflow, pass: &str) -> [Machine; 2] {
    let at = MACHINE_PASSES.iter().position(|name| *name == pass).expect("the list has the pass");
    [after(workflow, MACHINE_PASSES[at - 1]), after(workflow, pass)]
}

/// Returns the machine after a pass.
fn after(workflow: &Workflow, pass: &str) -> Machine {
    let mut found = None;
    lower(workflow, Verified::EachPass, &mut |name, machine| {
        if name == pass {
            found = Some(machine.clone());
        }
    });
    found.expect("`lower` calls the pass")
}

/// Returns the changes of a pass to the printed machine.
fn changes(workflow: &Workflow, pass: &str) -> String {
    let [before, after] = around(workflow, pass);
    difference(&before.to_string(), &after.to_string())
}

/// Returns the difference of two printed machines: the removed lines with `-`, the added lines
/// with `+`, and the other lines of the blocks that changed.
fn difference(before: &str, after: &str) -> String {
    let mut shown = Vec::new();
    for part in compared(before, after).chunk_by(|_, (_, line)| line.starts_with(' ')) {
        if part.iter().any(|(mark, _)| *mark != ' ') {
            shown.extend(part.iter().map(|(mark, line)| format!("{mark} {line}")));
        }
    }
    shown.join("\n")
}

/// Returns the shortest edit script, by a table of longest common subsequences. Empty lines do not
/// count.
fn compared<'t>(before: &'t str, after: &'t str) -> Vec<(char, &'t str)> {
    let lines = |text: &'t str| text.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>();
    let (old, new) = (lines(before), lines(after));
    let mut common = vec![vec![0; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] = match old[i] == new[j] {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let (mut i, mut j, mut script) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            script.push((' ', old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || i < old.len() && common[i + 1][j] >= common[i][j + 1] {
            script.push(('-', old[i]));
            i += 1;
        } else {
            script.push(('+', new[j]));
            j += 1;
        }
    }
    script
}

/// Returns the difference of the lines in which `shown` prints the machine before and after a
/// pass, or the lines if they are equal.
fn listed(workflow: &Workflow, pass: &str, shown: impl Fn(&Machine) -> Vec<String>) -> String {
    let [before, after] = around(workflow, pass).map(|machine| shown(&machine).join("\n"));
    if before == after {
        return before;
    }
    let lines = compared(&before, &after).into_iter().map(|(mark, line)| format!("{mark} {line}"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the state of this name, to give it a construct that no text has.
fn state<'w>(workflow: &'w mut Workflow, name: &str) -> &'w mut State {
    let mut states = workflow.scopes.iter_mut().flat_map(|scope| &mut scope.states);
    states.find(|state| *state.name.value == *name).expect("the definition has the state")
}

/// Makes states synthetic: their first blocks notify no observer.
fn make_synthetic(workflow: &mut Workflow, names: &[&str]) {
    names.iter().for_each(|name| state(workflow, name).is_synthetic = true);
}

/// Adds steps to the end of a state, before its transition.
fn add_steps(workflow: &mut Workflow, name: &str, steps: Vec<StepKind>) {
    let span = workflow.span;
    state(workflow, name).body.steps.extend(steps.into_iter().map(|kind| Step { kind, span }));
}

/// Puts the steps of a state under a handler, which raises their faults again.
fn guard_steps(workflow: &mut Workflow, name: &str) {
    let fault = local(workflow, "fault", LocalKind::Fault);
    let span = workflow.span;
    let body = std::mem::take(&mut state(workflow, name).body.steps);
    let kind = StepKind::Try(Box::new(attempt(Label(100), body, fault)));
    state(workflow, name).body.steps = vec![Step { kind, span }];
}

/// Returns an attempt without retriers and catchers.
fn attempt(label: Label, steps: Vec<Step>, fault: LocalId) -> Try {
    let body = Body { steps, next: Next::Leave(label) };
    let (retriers, retries, block_retries, catchers) = (Vec::new(), None, Vec::new(), Vec::new());
    Try { label, body, retriers, retries, block_retries, catchers, fault, after: "goes on" }
}

/// Adds a local.
fn local(workflow: &mut Workflow, name: &str, kind: LocalKind) -> LocalId {
    let span = workflow.span;
    workflow.add_local(name, kind, span)
}

/// Returns the step that sets a local.
fn set(local: LocalId, value: Expr) -> StepKind {
    StepKind::Let { local, value }
}

/// Returns a constant.
fn text(value: &str) -> Expr {
    Expr::Literal(Literal::String(value.to_owned()))
}

/// Function that can fail with a fault that handlers catch. Argument: `Value`.
static CAUGHT: Function = Function {
    path: "test::caught",
    returns: Type::Value,
    fallibility: Fallibility::Catchable,
    turn: false,
    context: false,
};

/// Returns a call that can fail with a fault that handlers catch.
fn caught(value: Expr) -> Expr {
    Expr::call(&CAUGHT, vec![Arg::Value(value)])
}

#[test]
fn the_difference_has_the_blocks_that_changed() {
    let before = "entry A\npoint A\n\nblock a()\n  goto b\n\nblock b()\n  x = 1\n  goto c\n\nblock c()\n  done x\n";
    let after = "entry A\npoint A\n\nblock a()\n  goto b\n\nblock b()\n  x = 1\n  done x\n";
    insta::assert_snapshot!(difference(before, after), @r"
      block b()
        x = 1
    -   goto c
    - block c()
        done x
    ");
    assert_eq!(difference(before, before), "");
}
