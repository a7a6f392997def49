//! The help texts. Suggestions for unknown options are taken from these texts.

/// `cargo workflow help`.
pub const ALL: &str = "\
Compiles workflow definitions to Rust

  cargo workflow check FILE…      tells all that is wrong with definitions
  cargo workflow fix FILE…        mends what is certain of what is wrong with definitions
  cargo workflow diff OLD NEW     tells which executions of a definition can go on after a change of it
  cargo workflow explain [CODE]   tells what a code of a message means, or lists all
  cargo workflow run FILE         runs a definition, its tasks bound to commands, endpoints or mocks
  cargo workflow test FILE        runs the cases beside a definition, or a single state
  cargo workflow graph FILE       draws a definition
  cargo workflow new FILE         generates a crate around a definition
  cargo workflow emit FILE        prints the generated Rust
  cargo workflow dump FILE        prints a definition as the compiler sees it after a pass
  cargo workflow executions …     lists and shows executions that are kept in a database

`cargo workflow help COMMAND` tells more. Topics: `help toml` (workflow.toml), `help cases` (case.toml)
";

macro_rules! with_common {
    ($text:literal) => {
        concat!(
            $text,
            "
Options of all commands that read a definition:
      --dialect NAME                  the language it is written in, where it is not to be detected: asl, composer,
                                      serverless-workflow, sm4c, workflow-dsl
      --name NAME                     the name of the workflow, where it is not to be the file's
      --substitute NAME=VALUE         the value of a `${NAME}` in the definition
      --root FOLDER                   files that the definition names can be anywhere below it, and symbolic links lead as
                                      far; otherwise in the folder of the definition and below
      --allow CODE                    does not report a warning or note
      --default-task-timeout SECONDS  the time-out of tasks that state none (`none`: no time-out)
      --payload-limit BYTES           the largest output of a state
      --express                       checks the restrictions of AWS's Express workflows (of no effect on compositions)
      --config FILE                   in place of the `workflow.toml` beside the definition
      --color WHEN                    auto, always or never
  -h, --help                          this text
"
        )
    };
}

/// `check`.
pub const CHECK: &str = with_common!(
    "\
Tells all that is wrong with definitions: errors, warnings and notes, each with its place and a way to mend it

  cargo workflow check FILE…
  cargo workflow check --deny warnings flows/*.asl.json
  cargo workflow check --format json order.asl.json | jq .message

Of several FILEs in the Workflow DSL it is also looked at whether sub-flows of the one name others that can be called, in a version
that there is.
A FILE of - is standard input. Findings go to standard error, as JSON to standard output (one object a line).

      --format FORMAT                 text or json
      --deny WHAT                     fails on `warnings`, on `notes`, or on a code
Exit status: 0 if no definition is refused and nothing denied was found, 1 otherwise, 2 if a file cannot be read.
"
);

/// `fix`.
pub const FIX: &str = with_common!(
    "\
Mends definitions: writes each file as what it is read as, and mistakes of JSON and YAML as what was meant, where that is certain

  cargo workflow fix order.workflow-dsl.json
  cargo workflow fix --dry-run flows/*.workflow-dsl.json
  cargo workflow fix - < order.workflow-dsl.json > mended.workflow-dsl.json

In definitions of the Workflow DSL: expressions without quotes, lists in braces, curly quotes, members without braces around
them. In all definitions: commas that are missing or too many, words and keys without quotes or in others than JSON's, missing
colons. Brackets that do not match, comments and misspelled names are told and left as they are. Every byte that needs no repair
stays as it is. A file whose repair would lead to more errors is not touched.

What was mended goes to standard error, a line each. A FILE of - is standard input, and the text goes to standard output.

      --dry-run                       writes nothing, and prints the lines that would change
Exit status: 0 if no error is left, 1 if one is, 2 if a file cannot be read or written.
"
);

/// `diff`.
pub const DIFF: &str = with_common!(
    "\
Tells which executions of an old definition can go on with a new one, for each state at which one can wait

  cargo workflow diff order.2025.asl.json order.asl.json
  git show HEAD:order.asl.json | cargo workflow diff - order.asl.json

  safe              the new code loads the execution, and goes on as the old code would have. Where states that follow have
                    changed, it goes on with them as they are now: the first of them are named
  needs migration   the new code waits here, too, but keeps other things (a variable, the counts of a Retry) or waits for
                    another task. It refuses the execution and leaves it as it is: keep the old version in the build
                    (`versions` of the macro or the build script) until such executions have ended
  breaking          the new code does not wait here, or for something else: the state is gone, renamed, of another type, or
                    in another place. Refused as well

What is compared is what states mean and what is saved at them, not the text. The name of the old file does not matter.

      --format FORMAT                 text or json (one object a line: first of the whole, then of each state)
      --deny migration                fails where something needs migration, too
Exit status: 0 if nothing is breaking (or denied), 1 if something is, or if a definition is refused, 2 if a file cannot
be read.
"
);

/// `explain`.
pub const EXPLAIN: &str = "\
Tells what a code of a message means, with examples; without a code, lists all

  cargo workflow explain E0201
  cargo workflow explain
";

/// `dump`.
pub const DUMP: &str = with_common!(
    "\
Prints a definition as the compiler sees it after a pass

  cargo workflow dump --pass hir order.asl.json
  cargo workflow dump --diff order.asl.json       what each pass changed

      --pass PASS                     tree, hir, lower_machine, read_settings, thread_jumps, limit_chains, compute_liveness,
                                      propagate_copies or name_programs; all but tree where none is named
      --diff                          what the pass changed, in place of the whole
"
);

/// `emit`.
pub const EMIT: &str = with_common!(
    "\
Prints the generated Rust, as the file of a module: `mod order;`

  cargo workflow emit order.asl.json
  cargo workflow emit order.asl.json --out src/order.rs

  -o, --out FILE                      writes to a file
"
);

/// `graph`.
pub const GRAPH: &str = with_common!(
    "\
Draws a definition: its states, where they lead and why, branches and iterations as boxes

  cargo workflow graph order.asl.json                     a state diagram for Mermaid
  cargo workflow graph order.asl.json --out order.svg     a picture

      --format FORMAT                 mermaid, dot or svg; by default what the name of the file tells (.mmd, .mermaid,
                                      .dot, .gv, .svg), or mermaid
  -o, --out FILE                      writes to a file

States are coloured by what they do: blue ones invoke tasks, indigo ones run other workflows, teal ones wait for events,
purple ones wait for a time, yellow ones decide, green ones end well, red ones fail, white ones compute. Boxes with a dotted
rim are branches and iterations. The dot is the start, with the events that start an execution; the ring is an end, the
filled one the end of the whole execution from inside of a branch or iteration, the red one a failure. Dashed red lines are
taken after an error; Mermaid's state diagrams have no dashed lines, and say `catch`. Lines say when they are taken, and
which events are sent on the way.
"
);

/// `new`.
pub const NEW: &str = with_common!(
    "\
Generates a crate around a definition: the generated module, tasks to be filled in, a command line, tests

  cargo workflow new order.asl.json --out order
  cd order && cargo test && cargo run -- run --input '{}'
  cargo run -- serve

Its executions are kept in the database `NAME.db` in the current folder, if nothing else is said: `cargo run -- help`.

  -o, --out DIR                       the folder to make; it must be empty or missing
      --runtime FROM                  where the crates of the runtime come from: the folder of a checkout, the address
                                      of a Git repository, or a version
"
);

/// `run`.
pub const RUN: &str = with_common!(
    "\
Runs a definition: generates a program under `target/`, builds it, and runs it

  cargo workflow run order.asl.json --input '{\"id\": 7}' --task 'ChargeCard=./charge.py'
  cargo workflow run order.asl.json --input order.json --task 'Notify=https://example.org/notify'
  cargo workflow run order.asl.json --mock case.toml

A task is bound by its key, or by the name of the state that invokes it, on the command line or in `workflow.toml`:
  NAME=COMMAND            a shell command: JSON on standard input and output. Another exit status than 0 is the error
                          `ExitStatus.<n>`, its cause what the command wrote to standard error; that can be
                          {\"Error\": \"Name\", \"Cause\": …} to name the error. Its environment has WORKFLOW_TASK,
                          WORKFLOW_STATE, WORKFLOW_ATTEMPT, WORKFLOW_EXECUTION, WORKFLOW_IDEMPOTENCY_KEY,
                          WORKFLOW_TASK_TOKEN
  NAME=https://…          an endpoint: JSON is posted to it. Another status than 2xx is the error `Http.StatusCode.<n>`
  NAME=mock:FILE[#RUN]    the replies that a file has for it: see `cargo workflow help cases`

  -i, --input INPUT                   JSON, the name of a file, or - for standard input; {} by default
      --task NAME=TARGET              binds a task
      --mock FILE[#RUN]               binds all tasks that have no --task to mocks
      --openwhisk                     binds all tasks that nothing else binds to the actions of OpenWhisk that they name.
                                      Host, key and namespace are those of an action's environment (__OW_API_HOST,
                                      __OW_API_KEY, __OW_NAMESPACE) or of `wsk` (WHISK_APIHOST, WHISK_AUTH,
                                      WHISK_NAMESPACE, ~/.wskprops)
      --rest                          binds all operations of OpenAPI documents that nothing else binds to their services. For
                                      `bank.json#charge` the environment has the address of the service in
                                      WORKFLOW_REST_BANK_URL, and the credentials for the security scheme `token` in
                                      WORKFLOW_REST_BANK_TOKEN
      --http                          binds all requests of HTTP that the definition writes out and that nothing else binds. They are
                                      sent to what is below an address in a variable WORKFLOW_REST_…_URL only; for that in
                                      WORKFLOW_REST_SHOP_URL, the secret `token` is in WORKFLOW_REST_SHOP_TOKEN
      --rpc                           binds all methods of gRPC that nothing else binds to their services. For acme.Bank the
                                      environment has the address in WORKFLOW_RPC_ACME_BANK_ADDRESS, a token in
                                      WORKFLOW_RPC_ACME_BANK_TOKEN, and `true` in WORKFLOW_RPC_ACME_BANK_PLAINTEXT where it is
                                      that of another machine without TLS
      --set NAME=VALUE                the value of a setting
      --db FILE                       keeps the execution in this database: interrupted or crashed, it goes on when it is run
                                      again with the same --id or --key. Without it, the execution is in memory only
      --id ID                         names the execution (also: --execution)
      --key KEY                       what is run with the same key again is the same execution; needs --db
      --history FILE                  writes what happens as lines of JSON
      --sink URL                      sends events that executions publish to this address, as CloudEvents. With
                                      --sink-token-env NAME or --sink-token-file FILE it is sent a bearer token.
                                      nats://HOST:PORT/PREFIX is a subject of NATS JetStream
      --progress MODE                 auto, live, lines or none; auto is live on a terminal
      --release                       builds with optimisations
      --runtime FROM                  see `cargo workflow help new`
Exit status: 0 if the execution succeeded, 1 if it failed or the definition was refused, 2 if it could not be started,
130 if it was interrupted. The output goes to standard output, everything else to standard error.
"
);

/// `test`.
pub const TEST: &str = with_common!(
    "\
Runs the cases beside a definition with mocked tasks, in virtual time: `order.case.toml`, or `case.toml`

  cargo workflow test order.asl.json
  cargo workflow test order.asl.json --run 'card is declined'

or runs a single state, and shows its data stage by stage, the variables it changed, where it leads, and what its retriers do

  cargo workflow test order.asl.json --state ChargeCard --input '{\"id\": 7}' --result '{\"receipt\": 1}'
  cargo workflow test order.asl.json --state ChargeCard --input '{}' --error GatewayDown

      --cases FILE                    the file of cases
      --run NAME                      only the cases whose names hold NAME
      --state NAME                    runs this state only
  -i, --input INPUT                   its input: JSON, the name of a file, or - for standard input
      --set NAME=VALUE                the value of a variable or setting that it reads, as JSON or text. In a composition
                                      also `saved`, what a Push put on the stack, or, where the compiler notes that the
                                      stack is checked at run time, the whole of it, from the bottom:
                                      stack=[{\"let\": {\"n\": 1}}, {\"catch\": \"handler\"}, {\"params\": {\"id\": 7}}]
      --result JSON                   what its task yields
      --error NAME                    how its task fails
      --cause TEXT                    the cause of that
      --task NAME=TARGET              binds its task, as `cargo workflow run` does
      --runtime FROM                  see `cargo workflow help new`
Exit status: 0 if all cases passed, 1 if one failed or the definition was refused, 2 if they could not be run.
"
);

/// `executions`.
pub const EXECUTIONS: &str = "\
Looks at executions that are kept in a database, also while a program runs them

  cargo workflow executions list DB               lists them, the newest first
  cargo workflow executions show DB ID            what one does or waits for, and how it ended
  cargo workflow executions history DB ID         what happened to it, a line for each event

      --format FORMAT                 text or json
Options of list:
      --workflow NAME                 only those of this workflow
      --status STATUS                 only those that are queued, running, succeeded, failed, cancelled or parked
      --limit N                       at most so many; 50 by default
      --before ID                     only those that are older than this one
Nothing is changed. To cancel an execution, to deliver an outcome by token, or to take a failed one up again takes the program
that has its workflow: these are commands of the crates that `cargo workflow new` makes, and calls of their `serve`.
";

/// `help toml`.
pub const TOML: &str = "\
workflow.toml, beside definitions, holds their options; those of the command line win

dialect = \"asl\"                 # the language, where it is not to be detected
name = \"order\"                  # the name of the workflow, where it is not to be the file's
root = \"..\"                     # with `--config FILE`: files that definitions name can be anywhere below this folder
allow = [\"W0201\"]               # warnings and notes that are not reported
default_task_timeout = 300      # seconds, for tasks that state none; or \"none\"
payload_limit = 262144          # the largest output of a state, in bytes; without it, 64 MiB for what leaves an execution
express = true                  # the restrictions of AWS's Express workflows

[substitutions]                 # values of `${Name}` in definitions
Stage = \"prod\"

[settings]                      # values of what is left open, for `run` and `test --state`
Table = \"orders\"

[tasks]                         # what `run` binds tasks to, by key or by state
ChargeCard = \"./charge.py\"                         # a shell command; it runs in the folder of this file
Notify = \"https://example.org/notify\"              # an endpoint
Refund = { http = \"https://example.org/refund\", headers = { Authorization = \"Bearer ${TOKEN}\" } }
Charge = { rest = \"https://bank.example.org/v1\", credentials = { token = \"${TOKEN}\" } }   # what its OpenAPI document or the definition says
Book = { rest = true }                             # the same; the environment has the address: see `help run`
Transfer = { rpc = \"bank.example.org:8443\", token = \"${TOKEN}\" }   # its method of gRPC; `plaintext = true` does without TLS
Withdraw = { rpc = true }                          # the same; the environment has the address
Ship = \"mock:case.toml#all goes well\"              # the replies of a run of a file of cases
Audit = { ok = { done = true } }                   # always this result
Limit = { error = \"TooMany\", cause = \"try later\" }
";

/// `help cases`.
pub const CASES: &str = "\
case.toml, beside a definition, holds runs and what is expected of them; `cargo workflow test` runs them

[[run]]
name = \"a card that is declined\"
input = '{ \"id\": 7 }'                     # JSON text, or a table of TOML: input = { id = 7 }
settings = { Table = \"orders\" }           # where the definition has settings
correlate = \"order=17\"                    # events that correlate by `order` are for it if they have this value; without it
                                          # the value is that of the first event that starts such executions
expect = { error = \"Declined\", cause = \"no funds\" }
# or: expect = { output = { ok = true } }; output_json = '…' takes JSON text
visited = [\"Charge\", \"Refund\"]            # the states entered, in order
virtual_time = \"61s\"                      # how long it takes, waits and retries included

[run.tasks]                               # by task key, or by the state that invokes it: the replies, in order
ChargeCard = [
    { error = \"Flaky\", cause = \"try again\", times = 2 },
    { ok = { receipt = 1 }, after = \"2s\" },
    { ok_json = 'null', to = { id = 7 } },  # only to this input
    { never = true },
]

[run.workflows]                           # the replies of workflows that it starts, by name
Refund = [{ ok = \"done\" }]

[[run.events]]                            # events from outside
after = \"5s\"                              # after the start
name = \"paid\"                             # or `subject`, which is the same
type = \"payment.made\"                     # by default the name
source = \"/bank\"                          # by default `/case`
data = { sum = 3 }                        # data_json = '…' takes JSON text
attributes = { tenant = \"a\" }             # others

What is not expected is not checked. TOML has no null: the keys that end in `_json` take JSON text.
A file of mocks has the table `[tasks]` alone.
";
