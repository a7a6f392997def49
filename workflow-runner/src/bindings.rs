//! Bindings of tasks in options.

use std::collections::BTreeMap;

use workflow_runtime::{Fault, Str, Value};

use crate::tasks::Binding;

/// Reads the `NAME=TARGET` of `--task`.
pub fn parse(text: &str) -> Result<(String, Binding), String> {
    match text.split_once('=') {
        Some((name, target)) if !name.is_empty() && !target.is_empty() => Ok((name.to_owned(), target_of(target))),
        _ => {
            Err(format!("invalid `--task {text}`: write `--task 'NAME=COMMAND'`, `NAME=https://…` or `NAME=mock:FILE`"))
        }
    }
}

/// Returns the binding to a target: a shell command, the address of an endpoint, or a file of
/// mocks.
fn target_of(target: &str) -> Binding {
    if target.starts_with("http://") || target.starts_with("https://") {
        return Binding::Http { url: target.to_owned(), headers: Vec::new() };
    }
    match target.strip_prefix("mock:") {
        Some(mocks) => {
            let (file, run) = mocks.split_once('#').map_or((mocks, None), |(file, run)| (file, Some(run.to_owned())));
            Binding::Mock { file: file.to_owned(), run, optional: false }
        }
        None => Binding::Command { command: target.to_owned(), folder: String::new() },
    }
}

/// Reads the bindings that `cargo workflow` passes to generated programs: `{"ChargeCard":
/// {"command": "…", "folder": "…"}, …}`. Endpoints are `{"http": …, "headers": {…}}`, and
/// OpenWhisk actions `{"openwhisk": true}`. Service operations are `{"rest": true}` or `{"rest":
/// ADDRESS, "credentials": {…}}`, and methods of gRPC services `{"rpc": true}` or `{"rpc":
/// ADDRESS, "token": …, "plaintext": …}`. Mocks are `{"mock": …, "run": …, "optional": …}`, and
/// outcomes `{"ok": …}` or `{"error": …, "cause": …}`.
pub fn from_json(text: &str) -> Result<BTreeMap<String, Binding>, String> {
    let value = Value::from_json_strict(text).map_err(|error| format!("`--bindings` is not JSON: {error}"))?;
    let members = value.as_object().ok_or("`--bindings` must be an object")?;
    let binding = |(name, binding): (&Str, &Value)| {
        let part = |key: &str| binding.get(key).and_then(Value::as_str).map(str::to_owned);
        let texts = |key: &str| {
            let members = binding.get(key).and_then(Value::as_object);
            let text =
                |(name, value): (&Str, &Value)| (name.to_string(), value.as_str().unwrap_or_default().to_owned());
            members.into_iter().flat_map(|members| members.iter()).map(text).collect::<Vec<_>>()
        };
        let bound = if let Some(command) = part("command") {
            Binding::Command { command, folder: part("folder").unwrap_or_default() }
        } else if let Some(url) = part("http") {
            Binding::Http { url, headers: texts("headers") }
        } else if let Some(file) = part("mock") {
            let optional = binding.get("optional").and_then(Value::as_bool).unwrap_or_default();
            Binding::Mock { file, run: part("run"), optional }
        } else if binding.get("openwhisk").is_some() {
            Binding::OpenWhisk
        } else if binding.get("rest").is_some() {
            Binding::Rest { url: part("rest"), credentials: texts("credentials") }
        } else if binding.get("rpc").is_some() {
            let plaintext = binding.get("plaintext").and_then(Value::as_bool).unwrap_or_default();
            Binding::Rpc { address: part("rpc"), token: part("token"), plaintext }
        } else if let Some(output) = binding.get("ok") {
            Binding::Fixed(Ok(output.clone()))
        } else if let Some(error) = part("error") {
            let cause = binding.get("cause").filter(|cause| !cause.is_null()).cloned();
            Binding::Fixed(Err(Fault::from_parts(Some(error.into()), cause)))
        } else {
            return Err(format!("`--bindings`: unknown kind of binding for `{name}`"));
        };
        Ok((name.to_string(), bound))
    };
    members.iter().map(binding).collect()
}
