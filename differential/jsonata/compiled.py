"""Compares translated random expressions with the evaluator and with the package jsonata 2.0.6 of npm: `python compiled.py COUNT [SEED]`
in this folder. Needs Node.js, as `generate.py` does.

Expressions are made in batches, compiled to Rust, and run on all documents. `python compiled.py list COUNT SEED` writes the expressions and
documents of the test in `compiled/tests`, which needs only Rust."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter

from generate import HERE, Peer, agrees, package, pairs
from grammar import INPUTS, Grammar
from known import reason

BATCH = 1500
DATA = HERE / "compiled" / "data"
MANIFEST = HERE / "compiled" / "Cargo.toml"


class Stated(Grammar):
    """The grammar, with paths that begin at `$states.input`, which is the document."""

    def path(self, depth):
        text = super().path(depth)
        return f"$states.input.{text}" if re.match(r"[a-z]", text) and self.chance(0.5) else text


def made(grammar, count):
    """Returns distinct expressions, one a line."""
    expressions = {}
    while len(expressions) < count:
        expression = grammar.expression()
        if "\n" not in expression:
            expressions[expression] = None
    return list(expressions)


def run(expressions):
    """Yields for each expression the outcomes of the evaluator, and those of the translated code, or the reason why there is none."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as file:
        file.write("\n".join(expressions) + "\n")
    environment = dict(os.environ, JSONATA_EXPRESSIONS=file.name)
    command = ["cargo", "run", "--quiet", "--manifest-path", str(MANIFEST)]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True)
    if ended.returncode != 0:
        sys.exit(f"{file.name}: the program does not run\n{ended.stderr[-4000:]}")
    os.unlink(file.name)
    for line in ended.stdout.splitlines():
        texts = json.loads(line)
        yield line, texts, json.loads(line, object_pairs_hook=pairs)


def write_list(count, seed):
    DATA.mkdir(exist_ok=True)
    (DATA / "expressions.txt").write_text("\n".join(made(Stated(seed), count)) + "\n")
    lines = ",\n".join(json.dumps(document, ensure_ascii=False) for document in INPUTS)
    (DATA / "inputs.json").write_text(f"[\n{lines}\n]\n")


def main():
    if sys.argv[1] == "list":
        return write_list(int(sys.argv[2]), int(sys.argv[3]))
    count = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
    theirs, grammar = Peer(["node", str(HERE / "reference.js"), package()]), Stated(seed)
    total = translated = cases = different = explained = 0
    reasons = Counter()
    while total < count:
        expressions = made(grammar, min(BATCH, count - total))
        total += len(expressions)
        for expression, (_, texts, outcomes) in zip(expressions, run(expressions)):
            if isinstance(texts[1], str):
                reasons[texts[1]] += 1
                continue
            translated += 1
            for at, document in enumerate(INPUTS):
                cases += 1
                # The order of members counts.
                evaluated, ours = (json.dumps(side[at]) for side in texts)
                record, _ = theirs.ask({"expr": expression, "input": document, "bindings": {"bound": [1, 2, {"a": "x"}], "states": {"input": document}}})
                result = outcomes[1][at]
                if evaluated == ours and ("crash" in record or agrees(result, record)):
                    continue
                if evaluated == ours and reason(expression, document, result, record):
                    explained += 1
                    continue
                different += 1
                print(f"seed {seed}: {expression}\n  input {at}\n  translated {ours}\n  evaluated  {evaluated}\n  theirs     {record}", flush=True)
        print(f"{total} expressions, {translated} translated, {cases} cases, {different} different, {explained} explained", file=sys.stderr, flush=True)
    for text, number in reasons.most_common():
        print(f"{number:6} not translated: {text}", file=sys.stderr)
    sys.exit(different > 0)


if __name__ == "__main__":
    main()
