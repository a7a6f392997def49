"""Compares random expressions in JSONata with the package jsonata 2.0.6 of npm: `python generate.py COUNT [SEED]` in this folder.

Needs Node.js. The variable `JSONATA` has the folder of the package. Without it, `npm install` puts the package below the target folder.
Differences are printed with what is needed to see them again; the exit status is 1 if there are any. `grammar.py` makes the expressions,
`known.py` lists the intended differences, and `reference.js` changes the package where AWS was measured to differ."""

import json
import os
import pathlib
import select
import subprocess
import sys
import time

from grammar import INPUTS, Grammar
from known import reason

HERE = pathlib.Path(__file__).parent
PATIENCE = 10
SLOW = 1


class Peer:
    """A process that answers each line with a line. It starts again after an expression that it does not survive."""

    def __init__(self, command):
        self.command, self.process = command, None

    def ask(self, question):
        if self.process is None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        began = time.monotonic()
        try:
            self.process.stdin.write(json.dumps(question).encode() + b"\n")
            self.process.stdin.flush()
            ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
            line = self.process.stdout.readline() if ready else b""
        except BrokenPipeError:
            ready, line = [True], b""
        if line:
            return json.loads(line, object_pairs_hook=pairs), time.monotonic() - began
        self.process.kill()
        self.process.wait()
        self.process = None
        return {"crash": "died" if ready else "no answer"}, time.monotonic() - began


def pairs(members):
    """Makes the objects of both peers alike: those of a result are lists of pairs."""
    names = [name for name, _ in members]
    if names and names[0] in ("value", "undefined", "function", "code", "crash"):
        return dict(members)
    if names == ["object"] and isinstance(members[0][1], list):
        return ("object", [tuple(pair) for pair in members[0][1]])
    return ("object", [tuple(pair) for pair in members])


def same(one, other):
    if isinstance(one, bool) or isinstance(other, bool) or one is None or other is None:
        return one is other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return one == other or abs(one - other) <= 1e-14 * max(abs(one), abs(other))
    if type(one) is not type(other):
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def agrees(ours, theirs):
    if "value" in ours and "value" in theirs:
        return same(ours["value"], theirs["value"])
    return any(key in ours and ours[key] == theirs.get(key) for key in ("undefined", "function", "code"))


def package():
    """Returns the file of the package."""
    folder = os.environ.get("JSONATA")
    if folder is None:
        below = HERE / "target" / "npm"
        folder = below / "node_modules" / "jsonata"
        if not folder.exists():
            below.mkdir(parents=True, exist_ok=True)
            subprocess.run(["npm", "install", "--prefix", str(below), "jsonata@2.0.6"], check=True, stdout=subprocess.DEVNULL)
    return str(pathlib.Path(folder) / "jsonata.js")


def program():
    """Builds the program with this project's evaluator, and returns its file."""
    manifest = ["--manifest-path", str(HERE / "Cargo.toml")]
    subprocess.run(["cargo", "build", "--quiet", *manifest], check=True)
    metadata = subprocess.run(["cargo", "metadata", "--format-version=1", "--no-deps", *manifest], check=True, capture_output=True)
    return os.path.join(json.loads(metadata.stdout)["target_directory"], "debug", "workflow-differential-jsonata")


def main():
    count = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
    ours, theirs = Peer([program()]), Peer(["node", str(HERE / "reference.js"), package()])
    grammar = Grammar(seed)
    kinds = dict.fromkeys(["value", "undefined", "function", "code", "crash"], 0)
    different = explained = slow = 0
    for number in range(count):
        at = grammar.random.randrange(len(INPUTS))
        question = {"expr": grammar.expression(), "input": INPUTS[at], "bindings": {"bound": [1, 2, {"a": "x"}]}}
        record, _ = theirs.ask(question)
        result, seconds = ours.ask(question)
        kinds[next(kind for kind in kinds if kind in record)] += 1
        if seconds > SLOW:
            slow += 1
            print(f"slow: {seconds:.1f} s: {question['expr']}\n  input {at}", flush=True)
        if result.get("crash") is None and ("crash" in record or agrees(result, record)):
            continue
        if result.get("crash") is None and reason(question["expr"], question["input"], result, record):
            explained += 1
            continue
        different += 1
        print(f"seed {seed}, {number}: {question['expr']}\n  input {at}\n  ours   {result}\n  theirs {record}", flush=True)
    kinds = ", ".join(f"{total} {kind}" for kind, total in kinds.items())
    print(f"{count} expressions ({kinds}), {different} different, {explained} explained, {slow} slow", file=sys.stderr)
    sys.exit(different + slow > 0)


if __name__ == "__main__":
    main()
