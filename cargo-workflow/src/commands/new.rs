//! `new`: generates a starter crate.

use crate::arguments::{Argument, Arguments};
use crate::failure::Failure;
use crate::generate::{Origin, Starter};
use crate::options::Common;
use crate::{output, source};
use std::path::{Path, PathBuf};
use workflow_compiler::compile;
use workflow_compiler::escape::shell_word;
use workflow_compiler::source::Source;

pub fn run(mut arguments: Arguments) -> Result<u8, Failure> {
    let mut common = Common::default();
    let (mut out, mut origin, mut docker) = (None, None, false);
    while let Some(argument) = arguments.next()? {
        match &argument {
            Argument::Option(name) if name == "out" => out = Some(PathBuf::from(arguments.value()?)),
            Argument::Option(name) if name == "runtime" => origin = Some(Origin::parse(&arguments.string()?)?),
            Argument::Option(name) if name == "docker" => docker = true,
            _ => common.take(argument, &mut arguments)?,
        }
    }
    let file = common.file("new")?;
    let Some(out) = out else {
        return Err(Failure::with_help("`cargo workflow new` needs an output folder", "add `--out DIR`"));
    };
    must_be_empty(&out)?;
    let mut definition = None;
    let (compiled, options) = source::accept(file, &common, |source, options| {
        // The generated crate has the definition in its folder `flows`.
        let name = source.name.rsplit(['/', '\\']).next().unwrap_or(&source.name);
        let source = Source::new(format!("flows/{name}"), source.text.clone()).with_files(source.files.clone());
        definition = Some(source.clone());
        compile(source, options)
    })?;
    let Some(definition) = definition else { return Err(Failure::new("the definition was not read")) };
    let config = common.config(file)?;
    let origin = origin.unwrap_or_else(Origin::of_this_program);
    std::fs::create_dir_all(&out).map_err(|error| Failure::file("create the folder", &out, &error))?;
    let (source, config) = (&definition, config.text());
    let starter = Starter { source, config, compiled: &compiled, options: &options, origin: &origin, docker };
    let package = starter.write(&out)?;
    let shown = out.display();
    output::complain(&format!(
        "created the crate `{package}` in `{shown}`: fill in `src/tasks.rs` and `flows/case.toml`"
    ));
    // An execution of a workflow that only events start is started by an event.
    let first = match compiled.workflow.as_ref().is_some_and(|workflow| workflow.starts_on.is_some()) {
        true => "serve",
        false => "run --input '{}'",
    };
    let folder = shell_word(&shown.to_string());
    output::complain(&format!("next: cd {folder} && cargo test && cargo run -- {first}"));
    Ok(0)
}

fn must_be_empty(folder: &Path) -> Result<(), Failure> {
    match std::fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) => Err(Failure::with_help(
                format!("the folder `{}` is not empty", folder.display()),
                "choose an empty or missing folder: `new` does not overwrite files",
            )),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Failure::file("use the folder", folder, &error)),
    }
}
