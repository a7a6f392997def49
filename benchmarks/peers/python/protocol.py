"""The protocol between a peer and `cargo xtask bench peers`.

The bench writes `output` or `sample` to the standard input. The peer answers with lines of an
engine, a measurement and a text, separated by tabs, and with the line `end`."""

import json
import sys
import time

# The least time of a sample in memory, in seconds.
SAMPLE = 0.3


def serve(engine, measures):
    """Answers until the input ends. `measures` maps names to functions that return the output of
    an execution, and to functions that return a sample."""
    for line in sys.stdin:
        for name, (output, sample) in measures.items():
            text = json.dumps(output()) if line.strip() == "output" else str(sample())
            print(engine, name, text, sep="\t")
        print("end", flush=True)


def timed(run):
    """Returns a function that returns the nanoseconds of an execution."""

    def sample():
        count, began = 0, time.perf_counter()
        while True:
            run()
            count += 1
            spent = time.perf_counter() - began
            if spent >= SAMPLE:
                return spent / count * 1e9

    return sample


def read(path):
    """Reads a file of JSON."""
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def answer(order, name, data):
    """Returns the answer of a task."""
    match name:
        case "Fetch":
            return order
        case "Enrich" | "Right":
            return data
        case "Price":
            return 42
    raise ValueError(f"there is no task {name}")
