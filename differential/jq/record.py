"""Records what jq makes of the expressions: `pip install jq`, which has jq 1.8.2 in it, and `python record.py` in this folder.

`data/expressions.txt` and `data/serverless.txt` have one expression a line. Lines that jq does not accept are told, and left out of the record."""

import itertools
import json
import pathlib

import jq

DATA = pathlib.Path(__file__).parent / "data"
MOST = 200


def outputs(program, value):
    found = []
    try:
        for output in program.input_value(value):
            found.append(output)
            if len(found) > MOST:
                raise SystemExit(f"more than {MOST} outputs")
    except ValueError as error:
        return {"values": found, "error": str(error)}
    return {"values": found}


def main():
    inputs = json.loads((DATA / "inputs.json").read_text())
    lines = []
    lists = [(DATA / name).read_text().splitlines() for name in ("expressions.txt", "serverless.txt")]
    for expression in dict.fromkeys(itertools.chain(*lists)):
        try:
            program = jq.compile(expression, args={"value": 3})
        except ValueError as error:
            print(f"{expression}: {str(error).splitlines()[0]}")
            continue
        recorded = [outputs(program, value) for value in inputs]
        lines.append(json.dumps([expression, recorded], ensure_ascii=False, separators=(",", ":")))
    (DATA / "expected.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")
    print(f"{len(lines)} expressions, {len(inputs)} inputs")


main()
