//! The help text of programs around a workflow.

use workflow_runtime::machine::Definition;

use crate::command_line::Kind;

/// The features of this crate that change the help text.
#[derive(Debug, Clone, Copy)]
struct Features {
    events: bool,
    nats: bool,
    stores: bool,
    #[cfg(feature = "durable")]
    restate: bool,
}

impl Features {
    fn built() -> Features {
        Features {
            events: cfg!(feature = "events"),
            nats: cfg!(feature = "nats"),
            stores: cfg!(feature = "stores"),
            #[cfg(feature = "durable")]
            restate: cfg!(feature = "restate"),
        }
    }
}

/// A command, for the overview and for its own page.
struct Command {
    name: &'static str,
    arguments: &'static str,
    /// A verb in the third person and its object.
    about: &'static str,
    /// Lines of options, besides those that depend on the kind of the program.
    options: &'static str,
    /// The arguments and more options with `--engine restate`, if the command supports it.
    #[cfg(feature = "durable")]
    restate: Option<(&'static str, &'static str)>,
}

impl Command {
    const fn new(name: &'static str, arguments: &'static str, about: &'static str, options: &'static str) -> Command {
        Command {
            name,
            arguments,
            about,
            options,
            #[cfg(feature = "durable")]
            restate: None,
        }
    }

    #[cfg(feature = "durable")]
    const fn on_restate(mut self, arguments: &'static str, options: &'static str) -> Command {
        self.restate = Some((arguments, options));
        self
    }

    /// Returns the name with the arguments.
    fn usage(&self, arguments: &str) -> String {
        format!("{} {arguments}", self.name).trim_end().to_owned()
    }
}

const RUN: Command = {
    let run = Command::new("run", "--input INPUT", "runs an execution and prints its output", "");
    #[cfg(feature = "durable")]
    let run = run.on_restate("--id ID [--input INPUT]", "");
    run
};

/// The commands of every program.
const ALWAYS: [Command; 3] = [
    RUN,
    Command::new("test", "[FILE]", "runs the test cases in FILE (case.toml) with mocked tasks, in virtual time", TEST),
    Command::new("graph", "", "prints the state diagram, for Mermaid", ""),
];

/// Returns the commands of a program of this kind. The second group is about executions that are
/// kept.
fn commands(kind: Kind) -> (Vec<&'static Command>, &'static [Command]) {
    match kind {
        #[cfg(feature = "durable")]
        Kind::Durable => (ALWAYS.iter().chain([&SERVE]).collect(), &ON_EXECUTIONS),
        _ => (ALWAYS.iter().collect(), &[]),
    }
}

/// Returns the help text of a program of this kind.
pub fn help(definition: &Definition, kind: Kind) -> String {
    overview(definition, kind, Features::built())
}

/// Returns the help text of one command; `None` if the program has no command of this name.
pub fn of_command(definition: &Definition, kind: Kind, name: &str) -> Option<String> {
    page(definition, kind, Features::built(), name)
}

fn overview(definition: &Definition, kind: Kind, features: Features) -> String {
    let name = definition.name;
    let mut tasks: Vec<&str> = definition.tasks.iter().map(|task| task.key).collect();
    tasks.dedup();
    let tasks = if tasks.is_empty() { "none".to_owned() } else { tasks.join(", ") };
    let settings = match definition.settings {
        [] => String::new(),
        names => format!("Settings: {}\n", names.join(", ")),
    };
    let line = |command: &Command| format!("  {name} {:20} {}\n", command.usage(command.arguments), command.about);
    let (first, on_executions) = commands(kind);
    let first: String = first.into_iter().map(line).collect();
    let more: String = on_executions.iter().map(line).collect();
    #[cfg(feature = "durable")]
    let more = match kind {
        Kind::Durable => {
            let restate = if features.restate { RESTATE } else { WITHOUT_RESTATE };
            format!("\n{more}\n{ONE_PROGRAM}{restate}").replace("{name}", name)
        }
        _ => more,
    };
    #[cfg(not(feature = "durable"))]
    let _ = features;
    format!(
        "\
The workflow `{name}` of {source}
Tasks: {tasks}
{settings}
{first}{more}
`{name} help COMMAND` shows the options of a command.

{EXIT_STATUS}",
        source = definition.source,
    )
}

fn page(definition: &Definition, kind: Kind, features: Features, command: &str) -> Option<String> {
    let (first, on_executions) = commands(kind);
    let command = first.into_iter().chain(on_executions).find(|one| one.name == command)?;
    let mut about = command.about.to_owned();
    about[..1].make_ascii_uppercase();
    let mut text = format!("{about}\n\n  {{name}} {}\n", command.usage(command.arguments));
    let options = if command.name == "run" { run_options(kind, features) } else { command.options.to_owned() };
    if !options.is_empty() {
        text.push_str(&format!("\n{options}"));
    }
    #[cfg(feature = "durable")]
    if kind == Kind::Durable {
        if !["run", "test", "graph"].contains(&command.name) {
            text.push_str(if options.is_empty() { "\n" } else { "" });
            text.push_str("      --db FILE           the database ({name}.db)\n");
            if crate::durable::HAVE_A_SERVER.contains(&command.name) {
                text.push_str(SERVER_TOKEN);
            }
        }
        match command.restate {
            Some((arguments, options)) if features.restate => {
                let usage = command.usage(arguments);
                text.push_str(&format!("\nOn a Restate server:\n  {{name}} {usage} --engine restate\n\n{options}"));
                text.push_str("      --ingress URL       the server's ingress (http://127.0.0.1:8080)\n");
            }
            Some(_) => text.push_str(WITHOUT_RESTATE),
            None => {}
        }
    }
    if ["run", "test"].contains(&command.name) {
        text.push_str(&format!("\n{EXIT_STATUS}"));
    }
    Some(text.replace("{name}", definition.name))
}

fn run_options(kind: Kind, features: Features) -> String {
    let bind = if kind == Kind::Bound { BIND } else { "" };
    let keep = match kind {
        #[cfg(feature = "durable")]
        Kind::Durable => KEEP_BY_DEFAULT,
        #[cfg(feature = "durable")]
        Kind::Bound => KEEP,
        _ => "",
    };
    format!(
        "  -i, --input INPUT       JSON, a file name, or - for standard input (default: {{}})
      --set NAME=VALUE    sets a setting of the definition
      --id ID             names the execution; tasks receive this id (also: --name)
      --correlate ATTRIBUTE=VALUE   receives events with this value if they correlate by the attribute
                          (default: the id)
      --deployed-at TIME  the time of deployment (2026-01-31T12:30:00Z), from which a schedule that is a duration is counted
      --history FILE      writes the history as lines of JSON
      --progress MODE     auto, live, lines or none (default: auto, which is live on a terminal)
      --sink URL          sends published events to this address, as CloudEvents{built_in}
      --sink-token-env NAME, --sink-token-file FILE   adds the bearer token in this variable or file.
                          nats://HOST:PORT/PREFIX is the prefix of subjects of NATS JetStream, and
                          tls://HOST:PORT/PREFIX also requires TLS. Without a token, the user is in NATS_USER and
                          NATS_PASSWORD, or the credentials are in the file NATS_CREDS{nats}
      --store BUCKET=ADDRESS   the place of a bucket that distributed Maps read or write: folder:PATH, s3://BUCKET,
                          gs://BUCKET or az://CONTAINER; can be repeated{stores}
{keep}{bind}",
        nats = if features.nats { "" } else { WITHOUT_NATS },
        stores = if features.stores { "" } else { WITHOUT_STORES },
        built_in = if features.events { "" } else { NOT_BUILT_IN },
    )
}

const TEST: &str = "      --run NAME          runs only the cases whose names contain NAME
      --min-coverage PERCENT   fails if the cases visit a smaller part of the states (default: `min_coverage` of the file)
      --format FORMAT     text, json (one object per line: each case, then a summary) or junit (XML)
";

const EXIT_STATUS: &str =
    "Exit status: 0 if the execution succeeded, 1 if it or a test failed, 2 if it could not be started,
130 if it was interrupted.
";

const NOT_BUILT_IN: &str = ";
                          needs the feature `events` of workflow-runner";

const WITHOUT_NATS: &str = ";
                          needs the feature `nats` of workflow-runner";

const WITHOUT_STORES: &str = ";
                          needs the feature `stores` of workflow-runner";

const BIND: &str =
    "      --task NAME=TARGET  binds a task, by its key or by the state that invokes it, to a shell command,
                          an endpoint (https://…) or mocks (mock:FILE, mock:FILE#RUN)
      --callback-port PORT    receives the outcomes of tasks that wait for a token at this port of 127.0.0.1, or at any
                          (auto); needs the feature `callbacks` of workflow-runner
";

#[cfg(feature = "durable")]
const KEEP: &str = "      --db FILE           keeps the execution in this database, so that it survives the program
      --key KEY           runs with the same key are the same execution, as with the same --id;
                          without --input, it continues with its original input
";

#[cfg(feature = "durable")]
const KEEP_BY_DEFAULT: &str = "      --db FILE           the database of the execution (default: {name}.db)
      --memory            keeps the execution only in memory
      --engine NAME       sqlite, memory, or restate
      --key KEY           runs with the same key are the same execution, as with the same --id;
                          without --input, it continues with its original input
      --callback-port PORT    receives the outcomes of tasks that wait for a token at this port of 127.0.0.1 (default:
                          8066, or any if it is taken); `run` prints how to answer
      --token-env NAME, --token-file FILE   the token of the server that uses the database, if it requires one.
                          The server then runs the execution
";

#[cfg(feature = "durable")]
const SERVE: Command = Command::new("serve", "", "starts, shows and changes executions over HTTP", SERVE_OPTIONS)
    .on_restate("", SERVE_ON_RESTATE);

#[cfg(feature = "durable")]
const SERVE_OPTIONS: &str = "      --listen ADDRESS    the address (default: 127.0.0.1:8080)
      --token-env NAME    requires the bearer token in this environment variable
      --token-file FILE   requires the bearer token in this file
      --callbacks-authorized   also requires the token for outcomes by task token
      --max-body SIZE     the maximum size of a request body (default: 1MB)
      --max-answer SIZE   the maximum size of a response (default: 128MB); 507 if an execution has larger documents
      --executions-at-once N  the maximum number of concurrent executions (default: 1024)
      --retain AGE        the retention of ended executions, such as 30d (default: forever)
      --grace TIME        how long a shutdown waits for running tasks (default: 10s)
      --log-format FORMAT text or json: the lines of the log on standard error (default: text). The environment
                          variable RUST_LOG sets its level: error, warn, info (the default), debug or off
      --set NAME=VALUE    sets a setting of the definition
      --sink URL, --sink-token-env NAME, --sink-token-file FILE   as for run; also --sink stdout, or --sink -,
                          for one event per line of standard output
      --store BUCKET=ADDRESS   as for run
      --events-known-for TIME   how long duplicate events are recognized (default: 24h)
      --deployed-at TIME  as for run (default: the time when the database was first opened)
      --no-start-on-events    events start no executions; by default an event starts an execution if the workflow
                          begins with it and no execution waits for it there
";

#[cfg(feature = "durable")]
const SERVE_ON_RESTATE: &str = "      --admin URL         the server's admin interface (default: http://127.0.0.1:9070)
      --listen ADDRESS    where the server calls this program (default: 127.0.0.1:9080)
      --address URL       the address of this program as seen by the server, if it differs
      --identity-key KEY  answers only requests signed with this key; can be repeated
      --replace           replaces another deployment that is registered at the address
      --listen-http ADDRESS   also serves HTTP at this address, with the routes and the options of `serve` on a
                          database: --token-env, --token-file, --callbacks-authorized, --max-body, --max-answer and
                          --no-start-on-events. What Restate cannot do is answered with 501
      --grace TIME, --log-format FORMAT, --set NAME=VALUE, --sink URL, --events-known-for TIME, --deployed-at TIME
                          as above
";

/// The commands that show and change executions.
#[cfg(feature = "durable")]
const ON_EXECUTIONS: [Command; 12] = [
    Command::new(
        "list",
        "",
        "lists executions, the newest first",
        "      --workflow NAME     only executions of this workflow
      --status STATUS     only executions with this status: queued, running, succeeded, failed, cancelled or parked
      --limit N           the maximum number of executions (default: 50)
      --before ID         only executions older than this one
      --format FORMAT     text or json (default: text)
",
    ),
    Command::new("show", "ID", "shows an execution: its current states and its outcome", FORMAT)
        .on_restate("ID", "      --format FORMAT     as above\n"),
    Command::new(
        "history",
        "ID",
        "shows the history of an execution",
        "      --no-payloads       leaves out inputs, outputs, data and causes
      --state NAME        only the events of this state; can be repeated
      --format FORMAT     text or json (default: text)
",
    ),
    Command::new("cancel", "ID", "cancels an execution", "      --cause TEXT        the cause of its failure\n")
        .on_restate("ID", ""),
    Command::new(
        "redrive",
        "ID",
        "continues a failed execution from the state that failed, and runs it to its end",
        "      --detach            does not run the execution; the next `run` or `serve` does
      --progress MODE     auto, live, lines or none (default: auto, which is live on a terminal)
      --sink URL, --sink-token-env NAME, --sink-token-file FILE   as for run
      --store BUCKET=ADDRESS   as for run
",
    )
    .on_restate("ID", ""),
    Command::new(
        "update",
        "ID",
        "changes a run of a distributed Map that has not ended, also while it runs",
        "      --max-concurrency N       the number of its children that run at once; 0 is 10,000
      --tolerated-failures N    the number of items that may fail; 0 removes this tolerance
      --tolerated-percentage P  the percentage of items that may fail; 0 removes this tolerance
",
    )
    .on_restate(
        "ID",
        "      --max-concurrency N, --tolerated-failures N, --tolerated-percentage P   as above;
                          at most 1,000 children run at once\n",
    ),
    Command::new("succeed", "TOKEN [JSON]", "completes the task of this token with this output (default: null)", "")
        .on_restate("ID TOKEN [JSON]", ""),
    Command::new("fail", "TOKEN", "fails the task of this token", FAIL)
        .on_restate("ID TOKEN", "      --error NAME, --cause TEXT   as above\n"),
    Command::new("heartbeat", "TOKEN", "keeps the task of this token alive; needs a running `serve`", "")
        .on_restate("ID TOKEN", ""),
    Command::new("send", "ID", "delivers an event to an execution", EVENT).on_restate("ID", EVENT_ON_RESTATE),
    Command::new("publish", "", "delivers an event to all executions that wait for it, now or later", EVENT)
        .on_restate("", START),
    Command::new(
        "purge",
        "",
        "removes executions that ended long ago",
        "      --older-than AGE    how long ago, such as 30d
      --history           removes only the histories
",
    ),
];

#[cfg(feature = "durable")]
const SERVER_TOKEN: &str =
    "      --token-env NAME, --token-file FILE   the token of the server that uses the database, if it requires one
";

#[cfg(feature = "durable")]
const FORMAT: &str = "      --format FORMAT     text or json (default: text)
";

#[cfg(feature = "durable")]
const FAIL: &str = "      --error NAME        the error name
      --cause TEXT        the cause: JSON, or any text
";

#[cfg(feature = "durable")]
const EVENT: &str = "      --type TYPE, --source URI, --subject TEXT, --id ID, --data JSON, --data-file FILE
                          the attributes and the data of the event
      --event JSON        a whole CloudEvent instead, or @FILE
      --events-known-for TIME   how long duplicate events are recognized (default: 24h)
";

#[cfg(feature = "durable")]
const EVENT_ON_RESTATE: &str = "      --type TYPE, …, --event JSON   as above
";

#[cfg(feature = "durable")]
const START: &str = "      --type TYPE, …, --event JSON   as above
      --start             the event also starts an execution if the workflow begins with it
";

#[cfg(feature = "durable")]
const ONE_PROGRAM: &str = "\
Only one program at a time can use the database. While `serve` uses the database, the other commands send
their requests to `serve`. While `run` uses the database, only `list`, `show` and `history` work. Every command has
--db FILE (default: {name}.db).
";

#[cfg(feature = "durable")]
const RESTATE: &str = "
With --engine restate, the commands run, serve, show, cancel, redrive, update, succeed, fail, heartbeat, send and
publish are for executions on a Restate server (https://… needs the feature `restate-tls` of workflow-runner; `serve`
itself has no TLS).
";

#[cfg(feature = "durable")]
const WITHOUT_RESTATE: &str = "
--engine restate, for executions on a Restate server, needs the feature `restate` of workflow-runner.
";

#[cfg(all(test, feature = "durable"))]
mod tests {
    use std::path::Path;

    use workflow_runtime::{Workflow, include_workflow};

    use super::*;

    include_workflow!("../examples/approval/flows/approval.asl.json");

    /// The beginning of the comment before a block of the page that shows a text.
    const ORIGIN: &str = "<!-- output of: cargo run -p approval --features restate -- help";

    const DEFINITION: &Definition = approval::Approval::DEFINITION;

    /// `cargo xtask generate` writes the texts into the page.
    #[test]
    fn the_reference_page_shows_the_texts() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference/cli.md");
        let page = std::fs::read_to_string(&file).expect("a page");
        let features = Features { events: false, nats: false, stores: false, restate: true };
        let (mut expected, mut lines, mut shown) = (String::new(), page.lines(), Vec::new());
        while let Some(line) = lines.next() {
            expected.push_str(&format!("{line}\n"));
            let Some(command) = line.strip_prefix(ORIGIN).and_then(|rest| rest.strip_suffix(" -->")) else { continue };
            let fence = lines.next().expect("a block");
            let _old = lines.by_ref().find(|line| *line == "```");
            let text = match command.trim() {
                "" => overview(DEFINITION, Kind::Durable, features),
                command => super::page(DEFINITION, Kind::Durable, features, command).expect("a command"),
            };
            // The path that the program itself has compiled.
            let text = text.replace("../examples/approval/", "");
            expected.push_str(&format!("{fence}\n{text}```\n"));
            shown.push(command.trim().to_owned());
        }
        assert!(page == expected, "docs/reference/cli.md is not up to date: run `cargo xtask generate`");
        let (first, on_executions) = commands(Kind::Durable);
        for command in first.into_iter().chain(on_executions) {
            assert!(shown.iter().any(|name| name == command.name), "docs/reference/cli.md has no `{}`", command.name);
        }
    }

    #[test]
    fn every_command_has_a_page_of_its_own() {
        let features = Features { events: true, nats: true, stores: true, restate: true };
        for name in ["run", "test", "graph"].into_iter().chain(crate::durable::COMMANDS) {
            let page = page(DEFINITION, Kind::Durable, features, name).expect("a page");
            assert!(page.contains(&format!("\n\n  approval {name}")) && page.lines().count() < 45, "{page}");
            let others = ["--older-than", "--no-payloads", "--callbacks-authorized", "--detach", "--deployed-at"];
            let shown = others.iter().filter(|option| page.contains(**option)).count();
            assert!(shown <= 1 || name == "serve" && shown == 2, "{page}");
        }
        assert_eq!(page(DEFINITION, Kind::Durable, features, "helb"), None);
        assert_eq!(page(DEFINITION, Kind::InMemory, features, "history"), None);
        let run = page(DEFINITION, Kind::Bound, features, "run").expect("a page");
        assert!(run.contains("--task NAME=TARGET") && !run.contains("--engine"), "{run}");
    }
}
