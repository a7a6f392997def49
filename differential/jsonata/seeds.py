"""Writes random expressions in JSONata to files, as seeds for the fuzzer: `python seeds.py FOLDER COUNT`."""

import pathlib
import sys

from grammar import Grammar

folder, grammar = pathlib.Path(sys.argv[1]), Grammar(1)
folder.mkdir(parents=True, exist_ok=True)
for number in range(int(sys.argv[2])):
    (folder / f"{number}.jsonata").write_text(grammar.expression())
