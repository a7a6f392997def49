//! Pass that parses the input path to which a program binds the correlation key of executions, and
//! refuses paths that cannot be meant. After this pass the workflow has the expression that reads
//! the key.

use crate::diagnostics::codes::output::WF0606;
use crate::diagnostics::suggest::nearest;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::expr::Expr;
use crate::expr::jsonpath::codes::WF0306;
use crate::expr::jsonpath::{self, Mode, Roots};
use crate::hir::Workflow;
use crate::model::ReadCorrelation;
use crate::options::{CorrelationBinding, Options};
use crate::source::{Source, Sources, Span};
use crate::syntax::{Text, shown};

/// Path roots where the document is the input of an execution.
struct Input;

impl Roots for Input {
    fn document(&self) -> Expr {
        Expr::Current
    }

    fn variable(&self, name: &str, span: Span, diagnostics: &mut Diagnostics) -> Option<Expr> {
        let diagnostic = Diagnostic::new(&WF0306, span, format!("unknown variable `${name}`"));
        diagnostics.push(diagnostic.help(format!("paths into the input begin with `$.`: write `$.{name}`")));
        None
    }
}

/// Parses the binding, if there is one. The path becomes one of the sources, so that diagnostics
/// about it have a place.
pub fn bind_correlation(
    workflow: &mut Workflow,
    options: &Options,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) {
    let Some(binding) = options.correlate.first() else { return };
    let refused = |message: String, label: String| {
        let place = workflow.span.at_start();
        Diagnostic::new(&WF0606, place, message).label(label).argument("correlate", &*binding.attribute)
    };
    if let Some(other) = options.correlate.get(1) {
        let message = "an execution can have only one correlation key, found two".to_owned();
        let label = format!("`correlate` binds `{}` and `{}`", shown(&binding.attribute), shown(&other.attribute));
        diagnostics
            .push(refused(message, label).help("bind one attribute: an execution has the same key for all attributes"));
        return;
    }
    let attributes = &workflow.correlation.attributes;
    if !attributes.contains(&binding.attribute) {
        let near = nearest(&binding.attribute, attributes.iter().map(String::as_str));
        let help = match (near, &attributes[..]) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, []) => {
                "remove `correlate`: only events of Serverless Workflow with a `correlationToken` correlate".to_owned()
            }
            (None, all) => format!("use one of `{}`", all.join("`, `")),
        };
        let message = format!("no event of the definition correlates by `{}`", shown(&binding.attribute));
        let label = format!("`correlate` binds `{}` to `{}`", shown(&binding.attribute), shown(&binding.path));
        diagnostics.push(refused(message, label).help(help));
        return;
    }
    workflow.correlation.read = path(binding, workflow, sources, diagnostics);
}

/// Parses a path to exactly one value of the input.
fn path(
    binding: &CorrelationBinding,
    workflow: &Workflow,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Option<ReadCorrelation> {
    let CorrelationBinding { attribute, path: written } = binding;
    let file = sources.add(Source::new(format!("the path of `{attribute}` in `correlate`"), written.as_str()));
    let text = Text::verbatim(written, Span::new(file, 0, written.len()), 0);
    let path = jsonpath::parse(&text, Mode::ServerlessWorkflow, &Input, diagnostics)?;
    let refused = |message: String| Diagnostic::new(&WF0606, path.span, message);
    let steps = match (&path.steps, &path.expr) {
        (Some(steps), Expr::Find(_)) if !steps.is_empty() => steps,
        (_, Expr::Current) => {
            let message = "the correlation key must be a member of the input, not the whole input".to_owned();
            diagnostics.push(refused(message).help(format!("write the path of the member: `$.{attribute}`")));
            return None;
        }
        _ => {
            let message =
                format!("`{}` can select several values, but the correlation key must be one value", shown(written));
            diagnostics.push(refused(message).help("use only names and indexes: `$.patients[0].id`"));
            return None;
        }
    };
    if let Some(schema) = &workflow.input_schema
        && let Some(why) = schema.rules_out(steps, true)
    {
        let message = format!("`{}` never has a value: {why}", shown(written));
        diagnostics.push(refused(message).help(format!("the input conforms to the schema `{}`", schema.name())));
        return None;
    }
    Some(ReadCorrelation { value: path.expr.clone(), path: path.text.clone() })
}
