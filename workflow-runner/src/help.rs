//! The help text of programs around a workflow.

use workflow_runtime::machine::Definition;

use crate::command_line::Kind;

/// Returns the help text of a program of this kind.
pub fn help(definition: &Definition, kind: Kind) -> String {
    let name = definition.name;
    let bind = if kind == Kind::Bound { BIND } else { "" };
    let mut tasks: Vec<&str> = definition.tasks.iter().map(|task| task.key).collect();
    tasks.dedup();
    let tasks = if tasks.is_empty() { "none".to_owned() } else { tasks.join(", ") };
    let settings = match definition.settings {
        [] => String::new(),
        names => format!("Settings: {}\n", names.join(", ")),
    };
    let (commands, keep) = match kind {
        #[cfg(feature = "durable")]
        Kind::Durable => {
            let commands = format!("{COMMANDS}{RESTATE}").replace("{name}", name);
            (commands, KEEP_BY_DEFAULT.replace("{name}", name))
        }
        #[cfg(feature = "durable")]
        Kind::Bound => (String::new(), KEEP.to_owned()),
        _ => (String::new(), String::new()),
    };
    format!(
        "\
The workflow `{name}` of {source}
Tasks: {tasks}
{settings}
  {name} run --input INPUT    runs an execution, and writes its output to standard output
  {name} test [FILE]          runs the cases of FILE (case.toml) with mocked tasks, in virtual time
  {name} graph                writes the graph of the states, for Mermaid
{commands}
Options of run:
  -i, --input INPUT       JSON, the name of a file, or - for standard input ({{}})
      --set NAME=VALUE    gives a setting of the definition its value
      --id ID             names the execution; its tasks are told (also: --name)
      --correlate ATTRIBUTE=VALUE   events are for it that have this value, where they correlate by the attribute;
                          its id, if nothing else is said
      --deployed-at TIME  when the program was deployed (2026-01-31T12:30:00Z): a schedule that is a duration begins then
      --history FILE      writes what happens as lines of JSON
      --progress MODE     auto, live, lines or none (auto: live on a terminal)
      --sink URL          sends events that executions publish to this address, as CloudEvents{built_in}
      --sink-token-env NAME, --sink-token-file FILE   with the bearer token in this variable, or this file
                          nats://HOST:PORT/PREFIX is a subject of NATS JetStream; a user is named by NATS_USER and
                          NATS_PASSWORD, credentials by NATS_CREDS{nats}
{keep}{bind}
Options of test:
      --run NAME          runs only the cases whose names hold NAME

Exit status: 0 if the execution succeeded, 1 if it or a test failed, 2 if it could not be started,
130 if it was interrupted.
",
        source = definition.source,
        nats = if cfg!(feature = "nats") { "" } else { WITHOUT_NATS },
        built_in = if cfg!(feature = "events") { "" } else { NOT_BUILT_IN },
    )
}

const NOT_BUILT_IN: &str = ";
                          takes the feature `events` of workflow-runner";

const WITHOUT_NATS: &str = ";
                          takes the feature `nats` of workflow-runner";

const BIND: &str =
    "      --task NAME=TARGET  binds a task, by its key or by the state that invokes it, to a shell command,
                          to an endpoint (https://…), or to mocks (mock:FILE, mock:FILE#RUN)
";

#[cfg(feature = "durable")]
const KEEP: &str = "      --db FILE           keeps the execution in this database: it survives the program
      --key KEY           what is run with the same key again is the same execution, as with the same --id;
                          without --input it goes on with the input that it has
";

#[cfg(feature = "durable")]
const KEEP_BY_DEFAULT: &str = "      --db FILE           the database that keeps the execution ({name}.db)
      --memory            keeps it in memory only
      --engine NAME       sqlite, memory, or restate: see below
      --key KEY           what is run with the same key again is the same execution, as with the same --id;
                          without --input it goes on with the input that it has
";

#[cfg(feature = "durable")]
const COMMANDS: &str = "  {name} serve                starts, shows and changes executions over HTTP

  {name} list                 lists executions, the newest first
  {name} show ID              shows an execution: what it waits for, how it ended
  {name} history ID           shows what happened to it
  {name} cancel ID            ends it
  {name} redrive ID           takes it up from the state that it failed in, and runs it to its end
  {name} succeed TOKEN [JSON] the task of this token has succeeded, with this output (null)
  {name} fail TOKEN           the task of this token has failed
  {name} send ID              an event for it
  {name} publish              an event for all executions that wait for such, now or later
  {name} purge                removes executions that ended long ago

One program at a time has the database: while `serve` or `run` has it, `list`, `show` and `history` look at
it, and `serve` does the rest over HTTP. Every command has --db FILE ({name}.db).

Options of serve:
      --listen ADDRESS    127.0.0.1:8080, if nothing else is said
      --token-env NAME    asks for the bearer token in this variable of the environment
      --token-file FILE   asks for the bearer token in this file
      --callbacks-authorized   asks for it also where an outcome arrives by the token of its task
      --max-body SIZE     the largest body of a request (1MB)
      --max-answer SIZE   the largest answer (128MB): 507 for an execution whose documents have more
      --executions-at-once N  how many run at the same time (1024)
      --retain AGE        removes executions that ended so long ago: 30d; by default none are
      --grace TIME        how long tasks that are under way may take when it ends (10s)
      --set NAME=VALUE    gives a setting of the definition its value
      --sink URL, --sink-token-env NAME, --sink-token-file FILE   as of run; also --sink stdout, for one event on
                          each line of standard output
      --events-known-for TIME   how long an event that comes again is not delivered again (24h); also of send and
                          publish
      --deployed-at TIME  as of run; when the database was opened first, if nothing else is said
      --no-start-on-events    events start no executions; else one starts where the workflow begins with such, and
                          none waits for it there

Options of the others:
      --workflow NAME, --status STATUS, --limit N (50), --before ID, --format json   of list
      --format json       of show and history
      --cause TEXT        of cancel
      --detach            of redrive: leaves it to the next `run` or `serve`
      --sink URL, …       of redrive: as of run
      --error NAME, --cause TEXT   of fail
      --type TYPE, --source URI, --subject TEXT, --id ID, --data JSON, --data-file FILE   of send and publish: the
                          attributes and the data of the event; or --event JSON, all of it as a CloudEvent (@FILE)
      --older-than AGE    of purge: 30d; with --history, only the histories are removed
";

#[cfg(feature = "restate")]
const RESTATE: &str = "
On a Restate server (at https://… with the feature `restate-tls` of workflow-runner; what is served has no TLS):
  {name} serve --engine restate              serves the workflow to the server, and registers it there
  {name} run --engine restate --id ID        starts the execution, or attaches to it, and waits for its outcome
  {name} show ID --engine restate            also: cancel ID, succeed ID TOKEN [JSON], fail ID TOKEN,
                                             send ID, publish

      --start             of publish: the event starts an execution, too, if the workflow begins with such
      --ingress URL       the server's ingress (http://127.0.0.1:8080)
      --admin URL         of serve: its admin interface (http://127.0.0.1:9070)
      --listen ADDRESS    of serve: where the server calls this program (127.0.0.1:9080)
      --address URL       of serve: at which address it reaches that, if at another one
      --identity-key KEY  of serve: answers only what this server has signed; with more than one, each counts
      --replace           of serve: forgets what was registered at the address, if that was something else
      --grace TIME, --set NAME=VALUE, --sink URL, --events-known-for TIME, --deployed-at TIME   of serve: as above
";

#[cfg(all(feature = "durable", not(feature = "restate")))]
const RESTATE: &str = "
--engine restate, for executions on a Restate server, takes the feature `restate` of workflow-runner.
";
