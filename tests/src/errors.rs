//! Definitions that provoke diagnostics: `cases/<dialect>/errors/<CODE>-<name>.…`, with the golden
//! of the diagnostics beside each.

use crate::{definitions, package};
use std::path::PathBuf;
use workflow_compiler::Files;
use workflow_compiler::source::Source;
use workflow_compiler::{CorrelationBinding, FunctionBinding, Options, Output, RustCode, TaskBinding};

/// A definition with a code that has to be reported, among others if need be.
#[derive(Debug, Clone)]
pub struct Erroneous {
    /// The code.
    pub code: String,
    /// The definition.
    pub file: PathBuf,
}

/// A function that changes the options of a compilation.
type Change = fn(&mut Options);

/// Changes of the options for some definitions, by the start of their names.
const OPTIONS: &[(&str, Change)] = &[
    ("WF0133", |options| options.dialect = Some("ASL".to_owned())),
    ("WF0134", |options| {
        options.allow = ["wf0251", "W0202", "WF0203", "WF0252x", "no_way_to_an_ent"].map(str::to_owned).into();
    }),
    ("WF0419-express", |options| options.express = true),
    ("WF0602", |options| options.tasks = vec![bind("charge_card", "charge", None), bind("Charge", "charge", None)]),
    ("WF0603", |options| {
        options.tasks = vec![bind("charge-card", "card", Some("Order")), bind("refund-card", "card", Some("Refund"))];
    }),
    ("WF0605-unknown", |options| {
        options.functions = vec![replace("discont", "crate::discount")];
    }),
    ("WF0327", |options| options.engine = Some(false)),
    ("WF0375", |options| options.engine = Some(true)),
    ("WF0180", |options| options.express = true),
    ("WF0601-function", |options| {
        options.functions = vec![replace("price", "self.price"), replace("charge", "self.price")]
    }),
    ("WF0603-function", |options| {
        options.functions = vec![replace("price", "self.price")];
        options.tasks = vec![bind("price", "priced", None)];
    }),
    ("WF0604-function", |options| {
        let written = ["self.shop.price", "self", "self.0", "self.type", "self.price()"];
        options.functions = written.map(|written| replace("price", written)).into();
    }),
    ("WF0605-method", |options| {
        options.functions = vec![replace("prise", "self.price"), replace("charge", "self.charge")];
    }),
    ("WF0604-borrows", |options| {
        options.tasks = vec![bind("charge-card", "charge", Some("&str"))];
        options.output = Some(RustCode::from("&[u8]"));
    }),
    ("WF0606-several", |options| options.correlate = vec![correlate("orderId", "$.orders[*].id")]),
    ("WF0606-attribute", |options| options.correlate = vec![correlate("orderid", "$.order.id")]),
    ("WF0604-no-rust", |options| {
        options.tasks =
            vec![bind("charge-card", "charge-card", None), bind("refund-card", "refund", Some("Vec<(Order>"))];
    }),
    ("WF0651", |options| {
        let values = [("Stage", "prod"), ("Stag", "prod"), ("Region", "eu"), ("Shared", "1")];
        options.substitutions = values.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        options.shared_substitutions = ["Shared".to_owned()].into();
    }),
    ("WF1107", |options| options.subflows = subflows()),
    ("WF1154", |options| options.subflows = subflows()),
];

/// Returns the definitions that sub-flows name.
fn subflows() -> Vec<Source> {
    let folder = package().join("cases/workflow-dsl/errors");
    let names = ["visa.workflow-dsl.json", "mail.workflow-dsl.yaml", "audit.workflow-dsl.json"];
    // A file that cannot be read changes the diagnostics, so that the golden differs.
    let read = |name| definitions::read(&folder.join("flows").join(name)).unwrap_or_default();
    names.map(|name| Source::new(format!("flows/{name}"), read(name))).into()
}

fn bind(task: &str, method: &str, input: Option<&str>) -> TaskBinding {
    TaskBinding { task: task.to_owned(), method: method.to_owned(), input: input.map(RustCode::from), output: None }
}

fn correlate(attribute: &str, path: &str) -> CorrelationBinding {
    CorrelationBinding { attribute: attribute.to_owned(), path: path.to_owned() }
}

fn replace(state: &str, function: &str) -> FunctionBinding {
    FunctionBinding { state: state.to_owned(), function: RustCode::from(function) }
}

/// Returns all of these definitions, by code.
pub fn all() -> Result<Vec<Erroneous>, String> {
    let mut files = Vec::new();
    for dialect in definitions::folders(package())? {
        files.extend(definitions::list(&dialect.join("errors"))?);
    }
    // Folders hold files that the definitions name.
    files.retain(|file| file.is_file() && file.extension().is_none_or(|end| end != "snap" && end != "new"));
    let files = files.into_iter();
    Ok(files
        .map(|file| Erroneous { code: name(&file).split('-').next().unwrap_or_default().to_owned(), file })
        .collect())
}

fn name(file: &std::path::Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

impl Erroneous {
    /// Returns the name of the file.
    pub fn name(&self) -> String {
        name(&self.file)
    }

    /// Compiles the definition.
    pub fn compile(&self) -> Result<Output, String> {
        let name = self.name();
        let mut options = Options::default();
        OPTIONS.iter().filter(|(start, _)| name.starts_with(start)).for_each(|(_, set)| set(&mut options));
        let source = Source::new(name, definitions::read(&self.file)?);
        let files = Files::in_folder(self.file.parent().unwrap_or(std::path::Path::new("")));
        Ok(workflow_compiler::compile(source.with_files(files), &options))
    }

    /// Returns the name of the golden in the folder of the definition, without its extension.
    pub fn golden(&self) -> String {
        name(&self.file).split('.').next().unwrap_or_default().to_owned()
    }
}
