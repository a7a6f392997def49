//! Lowering of paths, filters, and values whose strings are paths.

use super::super::ast::Template;
use super::super::functions::{FILTERED, ONE_OR_MORE, OR_NULL, SOME, WITH_SELECTED};
use super::Cx;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialects::body::BodyBuilder;
use crate::expr::LocalId;
use crate::expr::jsonpath::codes::{WF0302, WF0306};
use crate::expr::jsonpath::{self, JsonPath, Mode, Roots};
use crate::expr::{Arg, Expr, Literal, PathStep, Selector};
use crate::schema::codes::WF1253;
use crate::source::Span;
use crate::syntax::{Text, shown};

/// Root of a path.
struct From(Expr);

impl Roots for From {
    fn document(&self) -> Expr {
        self.0.clone()
    }

    fn variable(&self, name: &str, span: Span, diagnostics: &mut Diagnostics) -> Option<Expr> {
        let message = format!("unknown variable `${name}`");
        diagnostics.push(
            Diagnostic::new(&WF0306, span, message)
                .help(format!("paths into the data begin with `$.`: write `$.{name}`")),
        );
        None
    }
}

impl Cx<'_> {
    /// Compiles a path into a value.
    pub(super) fn path(&mut self, text: &Text, base: Expr) -> Option<JsonPath> {
        let is_data = base == Expr::Local(self.data);
        let path = jsonpath::parse(text, Mode::ServerlessWorkflow, &From(base), self.diagnostics)?;
        if let (Some(schema), true) = (self.known.as_ref().filter(|_| is_data), !path.is_indefinite())
            && let Some(why) = path.steps.as_deref().and_then(|steps| schema.rules_out(steps, true))
        {
            let message = format!("`{}` never has a value: {why}", shown(&path.text));
            let diagnostic = Diagnostic::new(&WF1253, path.span, message);
            self.diagnostics.push(diagnostic.help(format!("the schema of the data is `{}`", schema.name())));
        }
        Some(path)
    }

    /// Compiles a filter to its selection, which may be absent
    /// ([R1](docs/serverless-workflow.md#r1) and [R2](docs/serverless-workflow.md#r2)).
    pub(super) fn selection(&mut self, text: &Text, base: Expr) -> Option<Expr> {
        let path = self.path(text, base)?;
        Some(selected(&path))
    }

    /// Compiles a filter of data. A path that selects nothing filters nothing. Returns `None` for
    /// the path `$`, and after reporting an error.
    pub(super) fn filtered(&mut self, text: &Text, base: Expr) -> Option<Expr> {
        let path = self.path(text, base.clone())?;
        if path.expr == path.base {
            return None;
        }
        Some(Expr::call(&FILTERED, vec![Arg::Maybe(selected(&path)), Arg::Value(base)]))
    }

    /// Merges the selection of a filter into the data. The filter reads `view`. If it selects
    /// nothing, `whole` goes to its path ([R1](docs/serverless-workflow.md#r1)). The last name of
    /// the path is the member for a value that is not an object.
    pub(super) fn merge_selected(
        &mut self,
        filter: &Text,
        view: LocalId,
        whole: Expr,
        name: &str,
        steps: &mut BodyBuilder,
    ) -> Option<()> {
        let path = self.path(filter, Expr::Local(view))?;
        let keys = path.steps.as_deref().filter(|_| !path.is_indefinite()).unwrap_or_default();
        let place = jsonpath::names(keys).unwrap_or_default();
        let last = last_name(&path).unwrap_or_else(|| name.to_owned());
        let selection = selected_or_none(&path);
        let args = vec![
            Arg::Owned(Expr::Local(self.data)),
            Arg::Maybe(selection),
            Arg::Value(whole),
            Arg::Str(last.into()),
            Arg::Strs(place),
        ];
        self.set_data(Expr::call(&WITH_SELECTED, args), filter.span, steps);
        Some(())
    }

    /// Lowers a value with its paths. A path that selects nothing is null
    /// ([R25](docs/serverless-workflow.md#r25)).
    pub(super) fn template(&mut self, template: &Template, base: LocalId) -> Option<Expr> {
        Some(match template {
            Template::Constant(node) => Expr::Literal(Literal::from(node)),
            Template::Path(text) => {
                let path = self.path(text, Expr::Local(base))?;
                match path.can_be_absent() {
                    true => Expr::call(&OR_NULL, vec![Arg::Maybe(path.expr)]),
                    false => path.expr,
                }
            }
            Template::Array(items) => {
                // Every part is lowered, so that all errors are reported.
                let items: Vec<Option<Expr>> = items.iter().map(|item| self.template(item, base)).collect();
                Expr::Array(items.into_iter().collect::<Option<_>>()?)
            }
            Template::Object(members) => {
                let members: Vec<Option<(String, Expr)>> = members
                    .iter()
                    .map(|(name, value)| Some((name.value.clone(), self.template(value, base)?)))
                    .collect();
                Expr::Object(members.into_iter().collect::<Option<_>>()?)
            }
        })
    }

    /// Returns the names of a path to a member of the data.
    pub(super) fn place(&mut self, text: &Text, what: &str) -> Option<Vec<String>> {
        let steps = jsonpath::parse_target(text, self.diagnostics)?;
        let names = jsonpath::names(&steps).filter(|names| !names.is_empty());
        if names.is_none() {
            let message = format!("`{what}` must be the path of a member");
            self.diagnostics
                .push(Diagnostic::new(&WF0302, text.span, message).help("use only names, as in `$.order.item`"));
        }
        names
    }
}

/// Returns the selection of a path, which may be absent.
fn selected(path: &JsonPath) -> Expr {
    if !path.is_indefinite() {
        return path.expr.clone();
    }
    let function = if filters(&path.expr) { &ONE_OR_MORE } else { &SOME };
    Expr::call(function, vec![Arg::Maybe(path.expr.clone())])
}

/// Returns the selection of a path into a result. If the path can select several values and has no
/// filter `?()`, an empty selection is an empty array.
fn selected_or_none(path: &JsonPath) -> Expr {
    match path.is_indefinite() && !filters(&path.expr) {
        true => path.expr.clone(),
        false => selected(path),
    }
}

/// Returns `true` if a path contains a filter `?()`.
fn filters(path: &Expr) -> bool {
    let mut has_filter = false;
    path.walk(&mut |inner| {
        if let Expr::Select(path) = inner {
            let mut selectors = path.segments.iter().flat_map(|segment| &segment.selectors);
            has_filter |= selectors.any(|selector| matches!(selector, Selector::Filter(_) | Selector::JaywayFilter(_)));
        }
    });
    has_filter
}

/// Returns the last name of a path.
fn last_name(path: &JsonPath) -> Option<String> {
    let segments = match &path.expr {
        Expr::Find(path) | Expr::Select(path) => &path.segments,
        _ => {
            let last = path.steps.as_ref()?.iter().rev().find_map(|step| match step {
                PathStep::Key(name) => Some(name.clone()),
                PathStep::Index(_) => None,
            });
            return last;
        }
    };
    let mut selectors = segments.iter().rev().flat_map(|segment| &segment.selectors);
    selectors.find_map(|selector| match selector {
        Selector::Name(name) | Selector::NameThroughSingleton(name) => Some(name.clone()),
        _ => None,
    })
}
