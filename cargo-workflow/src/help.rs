//! The help texts. Suggestions for unknown options are taken from these texts.

/// `cargo workflow help`.
pub const ALL: &str = "\
Compiles workflow definitions to Rust

  cargo workflow check FILE…      reports errors and warnings in definitions
  cargo workflow fix FILE…        applies the certain fixes to definitions, or converts them to JSONata
  cargo workflow diff OLD NEW     shows which executions can continue after a change of their definition
  cargo workflow explain [CODE]   explains the code of a diagnostic, or lists all codes
  cargo workflow run FILE         runs a definition with its tasks bound to commands, endpoints or mocks
  cargo workflow succeed TOKEN    answers a task of a run that waits for its token; also `fail` and `heartbeat`
  cargo workflow test FILE        runs the test cases of a definition, or a single state
  cargo workflow graph FILE       draws a definition
  cargo workflow new FILE         generates a crate for a definition
  cargo workflow emit FILE        prints the generated Rust
  cargo workflow dump FILE        prints a definition as the compiler sees it after a pass
  cargo workflow types FILE       prints what is known of the data at each state
  cargo workflow executions …     lists and shows the executions in a database
  cargo workflow clean            removes the programs that `run` and `test` have generated and built

See `cargo workflow help COMMAND` for details. Topics: `help options` (options of all commands that read a definition),
`help toml` (workflow.toml), `help cases` (case.toml)
";

macro_rules! with_common {
    ($text:literal) => {
        concat!(
            $text,
            "
Options of all commands that read a definition (see `cargo workflow help options`): --dialect, --name, --substitute, --root, --allow,
--default-task-timeout, --payload-limit, --express, --config, --color
"
        )
    };
}

/// `help options`.
pub const OPTIONS: &str = "\
Options of all commands that read a definition

      --dialect NAME                  asl, composer, serverless-workflow, sm4c or workflow-dsl (default: detected)
      --name NAME                     the name of the workflow (default: the name of the file)
      --substitute NAME=VALUE         the value of a `${NAME}` in the definition
      --root FOLDER                   the folder that contains all files that the definition names, also through symbolic links
                                      (default: the folder of the definition)
      --allow CODE                    suppresses a warning or note; an error about a definition that AWS accepts and that fails in
                                      every run (WF0307, WF0312 to WF0314, WF1901 to WF1903) becomes a warning
      --default-task-timeout SECONDS  the time-out of tasks that do not set one (`none`: no time-out)
      --payload-limit BYTES           the maximum size of a state's output
      --express                       checks the restrictions of AWS's Express workflows (no effect on compositions)
      --config FILE                   replaces the `workflow.toml` in the folder of the definition
      --color WHEN                    auto, always or never
  -h, --help                          prints the help text of a command

`workflow.toml` holds most of them: see `cargo workflow help toml`.
";

/// `check`.
pub const CHECK: &str = with_common!(
    "\
Reports errors, warnings and notes in definitions, each with its position and a fix

  cargo workflow check FILE…
  cargo workflow check --deny warnings flows/*.asl.json
  cargo workflow check --format json order.asl.json | jq .message

With several FILEs in the Workflow DSL, the command also checks that each sub-flow names a child workflow among them, in a version
that exists.
A FILE of - is standard input. Diagnostics are printed to standard error, or as JSON to standard output (one object per line).

      --format FORMAT                 text or json
      --deny WHAT                     fails on `warnings`, on `notes`, or on a code
Exit status: 0 if there are no errors and no denied diagnostics, 1 otherwise, 2 if a file cannot be read.
"
);

/// `fix`.
pub const FIX: &str = with_common!(
    "\
Fixes definitions: replaces tolerated notations with standard ones, and repairs mistakes in JSON and YAML if the fix is certain

  cargo workflow fix order.workflow-dsl.json
  cargo workflow fix --dry-run flows/*.workflow-dsl.json
  cargo workflow fix - < order.workflow-dsl.json > fixed.workflow-dsl.json
  cargo workflow fix --to-jsonata order.asl.json

In definitions of the Workflow DSL, the command fixes expressions without quotes, lists in braces, curly quotes, and members without
braces around them. In all definitions, it fixes missing and superfluous commas, words and keys without quotes or in quotes other than
those of JSON, and missing colons. Unmatched brackets, comments and misspelled names are reported and not changed. All other bytes of
the file are preserved. A file is not changed if the fixes lead to more errors.

Each fix is reported on a line of standard error. A FILE of - is standard input, and the text is printed to standard output.

With --to-jsonata, the command converts a definition in the Amazon States Language from JSONPath to JSONata instead: paths, payload
templates, intrinsic functions, and the rules of Choice states. A state that has no equal in JSONata keeps JSONPath, with a message
at the place, and the other states get a QueryLanguage of their own. If all states are converted, the state machine gets it.

An execution that succeeds gives the same output afterwards. Where the data decides, a note says so. An execution that JSONPath ends
with States.Runtime or States.ResultPathMatchFailure can go on in JSONata: where a path leads nowhere, or a value has the wrong type.
A condition then does not hold, and an operand of & is the empty text. Where it fails, the error is States.QueryEvaluationError, which
Retry and Catch handle. A definition with errors is not changed.

      --dry-run                       writes nothing, and prints the lines that would change
      --to-jsonata                    converts from JSONPath to JSONata
      --state NAME                    with --to-jsonata: converts only the states of this name, without those inside of them
Exit status: 0 if no errors remain, 1 if errors remain or a state could not be converted, 2 if a file cannot be read or written.
"
);

/// `diff`.
pub const DIFF: &str = with_common!(
    "\
Shows which executions of an old definition can continue with a new one, for each state where an execution can wait

  cargo workflow diff order.2025.asl.json order.asl.json
  git show HEAD:order.asl.json | cargo workflow diff - order.asl.json

  safe              the new code loads the execution and continues as the old code would have. If later states have changed,
                    the execution uses the new ones; the first of them are listed
  needs migration   the new code also waits here, but saves other data (a variable, the counters of a Retry) or waits for
                    another task. It rejects the execution and does not change it: keep the old version in the build
                    (`versions` of the macro or the build script) until all these executions have ended
  breaking          the new code does not wait here, or waits for something else: the state was removed, renamed or moved, or
                    has another type. The new code rejects the execution here, too

The command compares the meaning of the states and the data saved at them, not the text. It ignores the name of the old file.

      --format FORMAT                 text or json (one object per line: a summary, then each state)
      --deny migration                also fails if a state needs migration
Exit status: 0 if no state is breaking (or denied), 1 if one is, or if a definition has errors, 2 if a file cannot
be read.
"
);

/// `explain`.
pub const EXPLAIN: &str = "\
Explains the code of a diagnostic with examples, or lists all codes

  cargo workflow explain WF0201
  cargo workflow explain
";

/// `dump`.
pub const DUMP: &str = with_common!(
    "\
Prints a definition as the compiler sees it after a pass

  cargo workflow dump --pass hir order.asl.json
  cargo workflow dump --diff order.asl.json       what each pass changed

      --pass PASS                     tree, hir, infer_shapes, lower_machine, read_settings, thread_jumps, merge_blocks,
                                      limit_chains, compute_liveness, propagate_copies, coalesce_locals, sort_blocks,
                                      name_locals, name_functions, name_programs or mark_turns (default: all but tree)
      --diff                          prints only the changes of the pass
"
);

/// `types`.
pub const TYPES: &str = with_common!(
    "\
Prints the shapes of the data of a definition: for each state its input, its output, and the variables that more than one
state uses, if their shapes are known

  cargo workflow types order.asl.json
  cargo workflow types --state Charge --format json-schema order.asl.json

      --state NAME                    only the states of this name
      --format FORMAT                 text or json-schema (default: text)

A shape is written like a type: `{ id: integer, note?: string }` is an object with a member that may be missing, `…` stands
for members or elements that are not known, `|` is one or the other, and `any` is a value of which nothing is known.
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
Draws a definition: its states and transitions, with branches and iterations as boxes

  cargo workflow graph order.asl.json                     a state diagram for Mermaid
  cargo workflow graph order.asl.json --out order.svg     a picture

      --format FORMAT                 mermaid, dot or svg (default: by the extension of the file: .mmd, .mermaid, .dot, .gv or
                                      .svg; otherwise mermaid)
      --no-legend                     leaves out the legend, which explains the shapes and lines of a picture (svg)
  -o, --out FILE                      writes to a file

The sign and the colour of a state show its purpose: a cogwheel (blue) invokes a task, a key (blue) invokes a task and waits for
an answer with its token, a clock (purple) waits for a time, an envelope (teal) waits for events, a check mark (green) succeeds and
a cross (red) fails. Double sides (indigo) run another workflow, a hexagon (yellow) decides, and a white box computes. Mermaid and
Graphviz have distinct borders or shapes instead of signs. Boxes with a dotted border are branches and iterations. The dot is the
start, labelled with the events that start an execution. A ring is an end, a filled ring terminates the execution from inside a
branch or iteration, and a ring with a cross is a failure. Dashed red lines are transitions after an error; Mermaid's state diagrams
have no dashed lines and use the label `catch`. The label of a transition shows its condition and the events that it sends. Lines
with the same target, style and label come together at a dot.
"
);

/// `new`.
pub const NEW: &str = with_common!(
    "\
Generates a crate for a definition: the macro call, typed stubs of the tasks, a command line, tests, a README

  cargo workflow new order.asl.json --out order
  cd order && cargo test && cargo run -- run --input '{}'
  cargo run -- serve

The structs of a task have the members that the definition passes to it, and those that it reads of its output.
By default, executions are kept in the database `NAME.db` in the current folder; see `cargo run -- help`.

  -o, --out DIR                       the folder of the new crate; it must be empty or missing
      --runtime FROM                  the source of the runtime crates: the folder of a checkout, the address of a Git
                                      repository, or a version (default: the checkout that built this program)
      --docker                        adds a Dockerfile
"
);

/// `run`.
pub const RUN: &str = with_common!(
    "\
Runs a definition: generates a program in the user's cache folder, builds it there, and runs it in the current folder

  cargo workflow run order.asl.json --input '{\"id\": 7}' --task 'ChargeCard=./charge.py'
  cargo workflow run order.asl.json --input order.json --task 'Notify=https://example.org/notify'
  cargo workflow run order.asl.json --mock case.toml

A task is bound by its key, or by the name of the state that invokes it, on the command line or in `workflow.toml`:
  NAME=COMMAND            a shell command with JSON on standard input and output. An exit status other than 0 is the error
                          `ExitStatus.<n>` with the text on standard error as its cause; if that text is
                          {\"Error\": \"Name\", \"Cause\": …}, it names the error. The environment has WORKFLOW_TASK,
                          WORKFLOW_STATE, WORKFLOW_ATTEMPT, WORKFLOW_EXECUTION, WORKFLOW_CORRELATION,
                          WORKFLOW_IDEMPOTENCY_KEY, WORKFLOW_TASK_TOKEN, WORKFLOW_CALLBACK_URL
  NAME=https://…          an endpoint that receives JSON by POST. A status other than 2xx is the error `Http.StatusCode.<n>`
  NAME=mock:FILE[#RUN]    the replies for the task in a file: see `cargo workflow help cases`

A task that waits for a token (`.waitForTaskToken`) has no outcome when its command or request ends: the output is ignored, and
only an error fails the task. The run prints how to answer, and waits. Answer with `cargo workflow succeed TOKEN`, `fail TOKEN`
or `heartbeat TOKEN`, or by HTTP: a command has the token in WORKFLOW_TASK_TOKEN, and in WORKFLOW_CALLBACK_URL the address
before `/succeed`, `/fail` and `/heartbeat`. The replies of mocks are the outcomes themselves.

  -i, --input INPUT                   JSON, a file name, or - for standard input (default: {})
      --task NAME=TARGET              binds a task
      --mock FILE[#RUN]               binds all tasks without --task to mocks
      --openwhisk                     binds all other tasks to the OpenWhisk actions that they name. Host, key and namespace
                                      come from the environment of an action (__OW_API_HOST, __OW_API_KEY, __OW_NAMESPACE)
                                      or from the configuration of `wsk` (WHISK_APIHOST, WHISK_AUTH, WHISK_NAMESPACE,
                                      ~/.wskprops)
      --rest                          binds all other operations of OpenAPI documents to their services. For
                                      `bank.json#charge`, set WORKFLOW_REST_BANK_URL to the address of the service, and
                                      WORKFLOW_REST_BANK_TOKEN to the credentials for the security scheme `token`
      --http                          binds all other tasks that the definition writes as HTTP requests. Requests are only sent to
                                      URLs below an address in a variable WORKFLOW_REST_…_URL; for the address in
                                      WORKFLOW_REST_SHOP_URL, the secret `token` is in WORKFLOW_REST_SHOP_TOKEN
      --rpc                           binds all other gRPC methods to their services. For acme.Bank, set
                                      WORKFLOW_RPC_ACME_BANK_ADDRESS to the address and WORKFLOW_RPC_ACME_BANK_TOKEN to a
                                      token; WORKFLOW_RPC_ACME_BANK_PLAINTEXT=true allows another machine without TLS
      --set NAME=VALUE                the value of a setting
      --db FILE                       keeps the execution in this database. After an interruption or a crash, a run with the
                                      same --id or --key resumes it. Without --db, the execution is only in memory
      --id ID                         names the execution (also: --execution)
      --key KEY                       runs with the same key are the same execution; needs --db
      --history FILE                  writes the history as lines of JSON
      --callback-port PORT            the port of 127.0.0.1 that receives outcomes by token (default: 8066, or another if it is taken)
      --sink URL                      sends published events to this address as CloudEvents. --sink-token-env NAME or
                                      --sink-token-file FILE adds a bearer token. nats://HOST:PORT/PREFIX is the
                                      prefix of subjects of NATS JetStream; tls://HOST:PORT/PREFIX also requires TLS
      --store BUCKET=ADDRESS          the place of a bucket that distributed Maps read or write: folder:PATH, s3://BUCKET,
                                      gs://BUCKET or az://CONTAINER. Also in `[stores]` of workflow.toml
      --progress MODE                 auto, live, lines or none; auto is live on a terminal
      --release                       builds with optimisations
      --runtime FROM                  see `cargo workflow help new`
Exit status: 0 if the execution succeeded, 1 if it failed or the definition has errors, 2 if it could not be started,
130 if it was interrupted. The output of the execution goes to standard output, everything else to standard error.

See `cargo workflow help clean` for the cache folder.
"
);

/// `succeed`, `fail` and `heartbeat`.
pub const ANSWER: &str = "\
Answers a task that waits for an outcome by its token, in a run of this machine

  cargo workflow succeed TOKEN --output '{\"approved\": true}'
  cargo workflow fail TOKEN --error Refused --cause 'not this week'
  cargo workflow heartbeat TOKEN                  restarts the heartbeat time-out of the task

`cargo workflow run` prints the commands with the token and the port when a task begins to wait.

      --port PORT                     the port of the run (default: 8066). `serve` of a program without a token receives
                                      outcomes at its port, too
      --output OUTPUT                 for succeed: the output of the task, as JSON, a file name, or - for standard input
                                      (default: null)
      --error NAME                    for fail: the name of the error
      --cause TEXT                    for fail: its cause
Exit status: 0 if the answer was delivered, 2 otherwise.
";

/// `test`.
pub const TEST: &str = with_common!(
    "\
Runs the test cases of a definition with mocked tasks, in virtual time: `order.case.toml`, or `case.toml`

  cargo workflow test order.asl.json
  cargo workflow test order.asl.json --run 'card is declined'
  cargo workflow test order.asl.json --min-coverage 90 --format junit > order.xml

or runs a single state, and shows its data stage by stage, the changed variables, the next state and the effect of its retriers

  cargo workflow test order.asl.json --state ChargeCard --input '{\"id\": 7}' --result '{\"receipt\": 1}'
  cargo workflow test order.asl.json --state ChargeCard --input '{}' --error GatewayDown
  cargo workflow test order.asl.json --state ChargeCard --input '{}' --error GatewayDown --retries 2

      --cases FILE                    the file of cases
      --run NAME                      only the cases whose names contain NAME
      --min-coverage PERCENT          fails if the cases visit a smaller part of the states (default: `min_coverage` of the file)
      --format FORMAT                 text, json (one object per line: each case, then a summary) or junit (XML, for CI)
      --state NAME                    runs this state only
  -i, --input INPUT                   its input: JSON, a file name, or - for standard input
      --set NAME=VALUE                the value of a variable or setting that it reads, as JSON or text. In a composition
                                      also `saved`, the value that a Push put on the stack, or, if the compiler notes that
                                      the stack is checked at run time, the whole stack from the bottom:
                                      stack=[{\"let\": {\"n\": 1}}, {\"catch\": \"handler\"}, {\"params\": {\"id\": 7}}]
      --result JSON                   the output of its task; for a Parallel or Map state, of each task inside
      --error NAME                    the error name of its task, or of each task inside
      --cause TEXT                    the cause of the error
      --whole                         the result or error is that of the Parallel or Map state, whose branches or iterations do not run
      --items JSON                    the items that the ItemReader of a distributed Map finds: an array, or an object
                                      Map.Item.Source names `object` where the state names no object
      --failures N                    with --whole: tests the Map after N of its items have failed
      --retries N                     shows the attempt after N retries
      --context JSON                  the context object that it reads, in place of the actual one
      --task NAME=TARGET              binds its task, as `cargo workflow run` does; but the output of a task that waits for a
                                      token is its outcome
      --runtime FROM                  see `cargo workflow help new`
Exit status: 0 if all cases passed, 1 if one failed, they visit too few states or the definition has errors, 2 if they could not be
run.
"
);

/// `executions`.
pub const EXECUTIONS: &str = "\
Shows the executions in a database, also while a program runs them

  cargo workflow executions list DB               lists them, the newest first
  cargo workflow executions show DB ID            shows its current states and its outcome
  cargo workflow executions history DB ID         shows its history, one line per event

      --format FORMAT                 text or json
Options of list:
      --workflow NAME                 only executions of this workflow
      --status STATUS                 only executions with this status: queued, running, succeeded, failed, cancelled or parked
      --limit N                       the maximum number of executions (default: 50)
      --before ID                     only executions older than this one
Options of history:
      --no-payloads                   leaves out inputs, outputs, data and causes
      --state NAME                    only the events of this state; can be repeated
These commands change nothing. To cancel or redrive an execution or to deliver an outcome by token, use the program that has its
workflow: crates created by `cargo workflow new` have commands for this, and HTTP routes in `serve`.
";

/// `clean`.
pub const CLEAN: &str = "\
Removes all programs that `run` and `test` have generated, and what was built for them

  cargo workflow clean

The programs of all definitions are in one folder, and share the crates that they need: the folder `programs` in the cache folder.
The cache folder is $WORKFLOW_CACHE_DIR, or `cargo-workflow` in the cache folder of the user: $XDG_CACHE_HOME, or ~/.cache on Linux,
~/Library/Caches on macOS, %LOCALAPPDATA% on Windows. The command waits while another command builds a program.
";

/// `help toml`.
pub const TOML: &str = "\
workflow.toml holds the options of the definitions in its folder; options of the command line take precedence

dialect = \"asl\"                 # the dialect (default: detected)
name = \"order\"                  # the name of the workflow (default: the name of the file)
root = \"..\"                     # with `--config FILE`: the folder that contains all files that definitions name
allow = [\"WF0251\"]               # warnings and notes that are not reported; errors for `--allow` become warnings
default_task_timeout = 300      # seconds, for tasks that do not set one; or \"none\"
jsonata_limits = { depth = 50 } # the limits of an expression in JSONata (default: depth = 100 levels, bytes = 6990256)
payload_limit = 262144          # the maximum size of a state's output, in bytes (default: 64 MiB for data that leaves an execution)
express = true                  # the restrictions of AWS's Express workflows

[substitutions]                 # values of `${Name}` in definitions
Stage = \"prod\"

[schemas]                       # JSON Schemas of data; the paths are relative to this file
input = \"schemas/order.json\"                       # the workflow's input, and the same for `output`
ChargeCard = { output = \"schemas/receipt.json\" }   # a task's `input` and `output`, by key or by state

[settings]                      # values of settings, for `run` and `test --state`
Table = \"orders\"

[stores]                        # the places of buckets that distributed Maps read or write, for `run`
orders = \"folder:data/orders\"    # a folder; or s3://BUCKET, gs://BUCKET or az://CONTAINER

[tasks]                         # the bindings of tasks for `run` and `test --state`, by key or by state
ChargeCard = \"./charge.py\"                         # a shell command; it runs in the folder of this file
Pack = { command = \"./pack.sh\" }                   # the same
Notify = \"https://example.org/notify\"              # an endpoint
Refund = { http = \"https://example.org/refund\", headers = { Authorization = \"Bearer ${TOKEN}\" } }
Charge = { rest = \"https://bank.example.org/v1\", credentials = { token = \"${TOKEN}\" } }   # the operation of its OpenAPI document or of the definition
Book = { rest = true }                             # the same, with the address from the environment: see `help run`
Transfer = { rpc = \"bank.example.org:8443\", token = \"${TOKEN}\" }   # its gRPC method; `plaintext = true` allows http://… on another machine
Withdraw = { rpc = true }                          # the same, with the address from the environment
Ship = \"mock:case.toml#all goes well\"              # the replies of a run in a case file
Return = { mock = \"case.toml\", run = \"all goes well\" }   # the same; without `run`: the first run, or the table `[tasks]`
Audit = { ok = { done = true } }                   # always this result
Limit = { error = \"TooMany\", cause = \"try later\" }
";

/// `help cases`.
pub const CASES: &str = "\
case.toml, in the folder of a definition, holds runs and their expected results; `cargo workflow test` runs them

min_coverage = 80                         # the percentage of the states that the runs must visit (default: none)

[[run]]
name = \"a card that is declined\"
input = '{ \"id\": 7 }'                     # JSON text, or a table of TOML: input = { id = 7 }
settings = { Table = \"orders\" }           # if the definition has settings
correlate = \"order=17\"                    # receives events that correlate by `order` if they have this value (default: the
                                          # value of the first event that starts such executions)
expect = { error = \"Declined\", cause = \"no funds\" }
# or: expect = { fails = true }           # with any error
# or: expect = { output = { ok = true } }
visited = [\"Charge\", \"Refund\"]            # the entered states, in order
virtual_time = \"61s\"                      # the duration, including waits and retries
sent = [{ name = \"shipped\", data = { n = 1 } }]   # the published events, in order; other keys: subject, type, source,
                                          # attributes
started = [{ workflow = \"Refund\", input = { id = 7 } }]   # the started child executions, in order

[run.tasks]                               # the replies in order, by task key or by the state that invokes it
ChargeCard = [
    { error = \"Flaky\", cause = \"try again\", times = 2 },
    { ok = { receipt = 1 }, after = \"2s\" },
    { ok_json = 'null', to = { id = 7 } },  # only for this input
    { never = true },
]

[run.workflows]                           # the replies of child workflows, by name
Refund = [{ ok = \"done\" }]

[run.map.EachRow]                         # a distributed Map, by its state
items = [{ id = 1 }, { id = 2 }]          # the items that its ItemReader finds: a list, or a table with their keys
source = \"s3://shop/rows.csv\"             # what the context object shows as their source (default: as the state has it)
# or: error = \"States.ItemReaderFailed\", cause = \"…\"
written = [{ output = 1 }, { error = \"Bad\" }, { pending = true }]   # what its ResultWriter writes, in the order of the items
# or: write_error = \"States.ResultWriterFailed\", write_cause = \"…\"

[[run.events]]                            # external events
after = \"5s\"                              # after the start
name = \"paid\"                             # or `subject`, with the same meaning
type = \"payment.made\"                     # default: the name
source = \"/bank\"                          # default: `/case`
id = \"p-7\"                                # default: the number of the event in the list, from 1
data = { sum = 3 }
attributes = { tenant = \"a\" }             # other attributes

A run needs an expectation: `expect`, `visited`, `virtual_time`, `sent`, `started` or `written`. It also fails if the execution
fails without an `expect` that says so, or if a task or child workflow has no reply, or an ItemReader no items. A table
`[map.EachRow]` at the top of the file is for all runs without one of their own. TOML has no null: `input_json`, `output_json`,
`ok_json`, `cause_json`, `to_json`, `data_json` and `items_json` take JSON text, in place of the keys without `_json`. A file of
mocks has only the table `[tasks]`.
";
