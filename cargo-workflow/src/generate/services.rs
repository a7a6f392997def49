//! The connectors of a starter crate: its tasks that are service operations call services by them.
//! The environment configures the connectors.

use super::origin::Origin;
use std::collections::BTreeSet;
use workflow_compiler::hir::Workflow;
use workflow_compiler::model::Operation;
use workflow_compiler::model::operation::{Http, Rest, SchemeKind};

/// The imports that are items of serde.
const SERDE: [&str; 2] = ["Deserialize", "Serialize"];

/// The services of a workflow.
pub struct Services {
    /// `true` if all tasks are operations of services.
    pub are_all: bool,
    has_rest: bool,
    has_rpc: bool,
    /// The environment variables that configure the services.
    variables: BTreeSet<String>,
}

impl Services {
    /// Returns the services whose operations the tasks of a workflow are.
    pub fn of(workflow: &Workflow) -> Services {
        let mut services = Services { are_all: true, has_rest: false, has_rpc: false, variables: BTreeSet::new() };
        for task in &workflow.tasks {
            match task.operation.as_deref() {
                None => services.are_all = false,
                Some(Operation::Rest(rest)) => {
                    services.has_rest = true;
                    services.variables.extend(variables(rest));
                }
                Some(Operation::Http(http)) => {
                    services.has_rest = true;
                    services.variables.extend(variables_of_host(http));
                }
                Some(Operation::Rpc(rpc)) => {
                    services.has_rpc = true;
                    services.variables.insert(format!("WORKFLOW_RPC_{}_ADDRESS", folded(&rpc.service)));
                }
            }
        }
        services
    }

    /// Returns `true` if no task is the operation of a service.
    pub fn are_none(&self) -> bool {
        !self.has_rest && !self.has_rpc
    }

    /// Returns the names of the connectors' fields and types.
    fn connectors(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let all = [(self.has_rest, ("rest", "Rest")), (self.has_rpc, ("rpc", "Rpc"))];
        all.into_iter().filter(|(is_there, _)| *is_there).map(|(_, connector)| connector)
    }

    /// Returns the line of `[dependencies]` for the connectors; empty if the workflow needs none.
    pub fn dependency(&self, origin: &Origin) -> String {
        let features: Vec<&str> = self.connectors().map(|(field, _)| field).collect();
        if features.is_empty() { String::new() } else { origin.dependency("workflow-connectors", &features) }
    }

    /// Returns the `use` declarations of the module of tasks, whose types need these imports.
    pub fn uses(&self, workflow: &Workflow, imports: &BTreeSet<&'static str>) -> String {
        if workflow.tasks.is_empty() {
            return String::new();
        }
        let types: Vec<&str> = self.connectors().map(|(_, kind)| kind).collect();
        let (of_serde, own): (Vec<&str>, Vec<&str>) = imports.iter().copied().partition(|name| SERDE.contains(name));
        let serde = match &of_serde[..] {
            [] => String::new(),
            [only] => format!("use serde::{only};\n"),
            names => format!("use serde::{{{}}};\n", names.join(", ")),
        };
        let (connectors, value) = match self.are_none() {
            true => (String::new(), None),
            false => (format!("use workflow_connectors::{{ConfigError, {}}};\n", types.join(", ")), Some("Value")),
        };
        let names: BTreeSet<&str> = own.into_iter().chain(["Fault", "TaskContext"]).chain(value).collect();
        let names = Vec::from_iter(names).join(", ");
        format!("{serde}{connectors}use workflow_runtime::{{{names}}};\n\n")
    }

    /// Returns the declaration of the type `Tasks`. `module` is the name of the generated module.
    pub fn tasks_type(&self, module: &str) -> String {
        if self.are_none() {
            return "pub struct Tasks;\n".to_owned();
        }
        let each = |line: &dyn Fn(&str, &str) -> String| -> String {
            self.connectors().map(|(field, kind)| line(field, kind)).collect()
        };
        let variables: String = self.variables.iter().map(|name| format!("    /// * `{name}`\n")).collect();
        let fields = each(&|field, kind| format!("    {field}: {kind},\n"));
        let made = each(&|field, kind| format!("            {field}: {kind}::from_env()?.build()?,\n"));
        let checked = each(&|field, _| format!("        self.{field}.check(&{module}::DEFINITION)?;\n"));
        format!(
            "\
pub struct Tasks {{
{fields}}}

impl Tasks {{
    /// Returns tasks whose services and credentials the environment configures:
    ///
{variables}    pub fn from_env() -> Result<Tasks, ConfigError> {{
        Ok(Tasks {{
{made}        }})
    }}

    /// Returns an error if the address or a credential of a service is missing.
    pub fn check(&self) -> Result<(), ConfigError> {{
{checked}        Ok(())
    }}
}}
"
        )
    }

    /// Returns the function `main` for the workflow of this type, with the functions that it
    /// calls.
    pub fn main(&self, workflow: &str) -> String {
        if self.are_none() {
            return format!(
                "\
fn main() -> ExitCode {{
    Durable::<{workflow}>::new({workflow}::bind(Arc::new(Tasks))).main()
}}
"
            );
        }
        format!(
            "\
fn main() -> ExitCode {{
    match tasks() {{
        Ok(tasks) => Durable::<{workflow}>::new({workflow}::bind(Arc::new(tasks))).main(),
        Err(error) => {{
            eprintln!(\"error: {{error}}\");
            ExitCode::from(2)
        }}
    }}
}}

/// Returns the tasks. Only the commands that run executions need the services.
fn tasks() -> Result<Tasks, ConfigError> {{
    let tasks = Tasks::from_env()?;
    if matches!(std::env::args().nth(1).as_deref(), Some(\"run\" | \"serve\")) {{
        tasks.check()?;
    }}
    Ok(tasks)
}}
"
        )
    }

    /// Returns the `use` declaration that `main.rs` needs for the connectors.
    pub fn main_uses(&self) -> &'static str {
        if self.are_none() { "" } else { "use workflow_connectors::ConfigError;\n" }
    }
}

/// Returns the environment variables with the address of a service and with the credentials of an
/// operation.
fn variables(rest: &Rest) -> Vec<String> {
    let service = folded(&rest.service);
    let schemes = rest.security.iter().flatten().filter(|scheme| !matches!(scheme.kind, SchemeKind::Other(_)));
    let schemes = schemes.map(|scheme| format!("WORKFLOW_REST_{service}_{}", folded(&scheme.name)));
    [format!("WORKFLOW_REST_{service}_URL")].into_iter().chain(schemes).collect()
}

/// Returns the environment variables that allow the host of a request and hold the secrets that
/// are sent to it. The list is empty if the host depends on data: then it is unknown here.
fn variables_of_host(http: &Http) -> Vec<String> {
    let host = http.host().map(folded).map(|host| host.trim_matches('_').to_owned());
    let secrets = http.secrets.iter().map(|secret| folded(&secret.secret));
    let names = host.into_iter().flat_map(|host| {
        let names = ["URL".to_owned()].into_iter().chain(secrets.clone());
        names.map(|name| format!("WORKFLOW_REST_{host}_{name}")).collect::<Vec<String>>()
    });
    names.collect()
}

/// Returns a name in the spelling of environment variables: upper case, with `_` for other
/// characters.
fn folded(name: &str) -> String {
    name.chars().flat_map(char::to_uppercase).map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}
