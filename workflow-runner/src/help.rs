//! The help of generated programs.

use workflow_runtime::machine::Definition;

/// The whole text.
pub fn help(definition: &Definition, bound: bool) -> String {
    let name = definition.name;
    let bind = if bound { BIND } else { "" };
    let mut tasks: Vec<&str> = definition.tasks.iter().map(|task| task.key).collect();
    tasks.dedup();
    let tasks = if tasks.is_empty() { "none".to_owned() } else { tasks.join(", ") };
    let settings = match definition.settings {
        [] => String::new(),
        names => format!("Settings: {}\n", names.join(", ")),
    };
    format!(
        "\
The workflow `{name}` of {source}
Tasks: {tasks}
{settings}
  {name} run --input INPUT    runs an execution, and writes its output to standard output
  {name} test [FILE]          runs the cases of FILE (case.toml) with mocked tasks, in virtual time
  {name} graph                writes the graph of the states, for Mermaid

Options of run:
  -i, --input INPUT       JSON, the name of a file, or - for standard input ({{}})
      --set NAME=VALUE    gives a setting of the definition its value
      --name NAME         names the execution; its tasks are told
      --history FILE      writes what happens as lines of JSON
      --progress MODE     auto, live, lines or none (auto: live on a terminal)
{bind}
Options of test:
      --run NAME          runs only the cases whose names hold NAME

Exit status: 0 if the execution succeeded, 1 if it or a test failed, 2 if it could not be started,
130 if it was interrupted.
",
        source = definition.source,
    )
}

const BIND: &str =
    "      --task NAME=TARGET  binds a task, by its key or by the state that invokes it, to a shell command,
                          to an endpoint (https://…), or to mocks (mock:FILE, mock:FILE#RUN)
";
