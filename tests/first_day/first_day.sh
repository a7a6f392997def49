#!/bin/sh
# The first day of a new user, in ten steps: install, new crate, typed task, wrong type, run, test, serve, token by HTTP,
# kill and history, publish dry run.
#
# usage: first_day.sh CHECKOUT FOLDER
#
# FOLDER is empty. CARGO_TARGET_DIR names the folder of the builds. `cargo-workflow` is on the PATH: an installation builds for minutes, so the caller chooses the program.
# The program is called by its own name, because a checkout has an alias `cargo workflow`.
set -eu

checkout=$1
here=$checkout/tests/first_day
cd "$2"

step() {
    printf '%s\n' "== $*"
}

# Fails unless a file contains a text.
has() {
    grep -qF -- "$2" "$1" || {
        printf '%s\n' "$1 does not contain: $2" >&2
        cat "$1" >&2
        exit 1
    }
}

# Starts the server, and waits until it prints its address.
serve() {
    : > serve.log
    "$program" serve --listen 127.0.0.1:0 2> serve.log &
    server=$!
    tries=0
    until grep -q 'http://' serve.log; do
        tries=$((tries + 1))
        if [ "$tries" -gt 300 ]; then
            cat serve.log >&2
            exit 1
        fi
        sleep 0.1
    done
    url=$(sed -n 's/.* on \(http:[^ ]*\).*/\1/p' serve.log | head -n 1)
}

# Ends the server with the script.
server=
trap '[ -z "$server" ] || kill -9 "$server" 2> /dev/null || true' EXIT

step 1: install
cargo-workflow workflow help > help.txt
has help.txt 'cargo workflow new FILE'

step 2: make a crate
cp "$here/order.asl.json" .
cargo-workflow workflow new order.asl.json --out shop 2> new.txt
has new.txt 'created the crate `order` in `shop`'
cd shop
cargo test --quiet > test.txt 2>&1 || { cat test.txt >&2; exit 1; }
has test.txt 'ignored'
if grep -q '[1-9][0-9]* passed' test.txt; then
    echo 'a test of an unfinished crate has passed' >&2
    exit 1
fi

step 3: fill in a task with the wrong type
sed 's/#\[derive(Debug, Serialize)\]/#[derive(Debug)]/' "$here/tasks.rs" > src/tasks.rs
if cargo build --quiet 2> wrong.txt; then
    echo 'rustc has accepted an output that is not serializable' >&2
    exit 1
fi
has wrong.txt '`tasks::QuoteOutput` cannot be the output of the task `Quote`'
has wrong.txt 'src/lib.rs'

step 4: fill in the tasks
cp "$here/tasks.rs" src/tasks.rs
cargo build --quiet 2> warnings.txt
[ ! -s warnings.txt ]
program=$CARGO_TARGET_DIR/debug/order

step 5: run
"$program" run --memory --progress none --input '{"pieces": "4"}' > output.json
has output.json '{"pieces":"4","quote":{"price":10.0}}'
if "$program" run --memory --progress none --input '{"pieces": "many"}' 2> failed.txt; then exit 1; fi
has failed.txt 'the execution failed: NoNumber: '

step 6: test
cp "$here/case.toml" flows
sed -i.bak '/^#\[ignore/d' tests/cases.rs
cargo test --quiet --test cases > test.txt 2>&1 || { cat test.txt >&2; exit 1; }
has test.txt '1 passed'

step 7: serve
serve
curl -sS "$url/order?id=small&wait=10s" -d '{"pieces": "4"}' > small.json
has small.json '"status":"succeeded"'
curl -sS "$url/order?id=large&wait=1s" -d '{"pieces": "400"}' > large.json
has large.json '"status":"running"'

step 8: kill the server, and answer by token
kill -9 "$server"
wait "$server" || true
serve
curl -sS "$url/callbacks/$(cat large.token)/succeed" -d '"yes"'
curl -sS "$url/executions/large/result?wait=10s" > large.json
has large.json '"status":"succeeded"'
has large.json '"answer":"yes"'

step 9: look at the history
"$program" history large > history.txt
has history.txt 'TaskScheduled        Ask'
has history.txt 'ExecutionResumed'
has history.txt 'ExecutionSucceeded'
kill "$server"
wait "$server"
server=

step 10: publish, without an upload
cd "$checkout"
for manifest in ./*/Cargo.toml engines/*/Cargo.toml; do
    if ! grep -q '^publish = false$' "$manifest"; then
        packages="${packages-} --package $(sed -n 's/^name = "\(.*\)"$/\1/p' "$manifest" | head -n 1)"
    fi
done
# shellcheck disable=SC2086
cargo package --quiet --no-verify --allow-dirty $packages
