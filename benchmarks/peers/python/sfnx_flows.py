"""Runs definitions in the interpreter of sfnx, which evaluates JSONata only. Its time includes its
check of the definition, which is a part of each run.

Arguments: the input, and pairs of a name and a definition."""

import sys

from sfnx import testing

from protocol import answer, read, serve, timed

document = read(sys.argv[1])


def program(path):
    definition = read(path)

    def task(call):
        return answer(document["order"], call.resource.rsplit(":", 1)[-1], call.arguments)

    def run():
        return testing.run(definition, document, task).output

    return run, timed(run)


serve("sfnx", {name: program(path) for name, path in zip(sys.argv[2::2], sys.argv[3::2])})
