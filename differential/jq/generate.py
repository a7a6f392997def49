"""Compares random jq expressions with jq: `pip install jq`, which has jq 1.8.2 in it, and `python generate.py SECONDS [SEED]` in this
folder.

Expressions are made in batches, compiled to Rust, and run on the inputs of `data/inputs.json`. What differs is printed, with what is
needed to see it again; the exit status tells whether anything did. What `data/differences.txt` lists is not made. `python generate.py list
COUNT SEED` writes expressions for the tests of the compiler, and needs no package."""

import json
import multiprocessing
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
INPUTS = HERE / "data" / "inputs.json"
LIST = HERE / "data" / "random.txt"
BATCH = 400
MOST = 200
PATIENCE = 5

KEYS = ["a", "b", "c", "id", "total", "orders", "user", "name", "tags", "n", "order", "items", "price", "matrix", "customer", "x"]
NUMBERS = ["0", "1", "2", "3", "10", "-1", "0.5", "2.5", "100"]
TEXTS = ["a", "b", "", "Ada", "a, b", "total", "open", "x y", "é", "12", "a1"]
CONSTANTS = ["null", "true", "false", "[]", "{}", "[1,2,3]", '["b","a"]', '{"a":1}', '{"a":{"b":[1,null]},"c":"d"}', "[[1,2],[3]]"]
NULLARY = [
    "length", "keys", "values", "add", "any", "all", "flatten", "floor", "sqrt", "min", "max", "sort", "unique", "reverse", "tostring",
    "tonumber", "tojson", "type", "first", "last", "to_entries", "ascii_downcase", "ascii_upcase", "not", "abs", "ceil", "round", "fabs",
    "transpose", "paths", "leaf_paths", "explode", "trim", "ltrim", "rtrim", "isvalid(.a)", "arrays", "objects", "strings", "numbers",
    "booleans", "nulls", "scalars", "iterables", "recurse", "tostream", "utf8bytelength", "combinations", "toarray", "keys_unsorted",
    "have_decnum", "infinite", "isnan", "isnormal", "isinfinite", "to_entries[]", "map_values(.)", "fromjson", "implode", "todate",
    "fromdate", "min_by(.a)", "halves",
]
NULLARY = [name for name in NULLARY if name not in ("isvalid(.a)", "have_decnum", "halves", "infinite")]
UNARY = [
    "map({})", "map_values({})", "select({})", "[{}]", "first({})", "last({})", "any({})", "all({})", "sort_by({})", "group_by({})",
    "unique_by({})", "min_by({})", "max_by({})", "with_entries({})", "del({})", "paths({})", "add({})", "isempty({})", "walk({})",
    "recurse({})" , "pick({})", "path({})", "[{}] | length", "try error({})", "to_entries | map({})", "skip(1; {})", "try ({})", "({})?",
    "limit(2; {})", "nth(1; {})", "[limit(3; {})]", "until(true; {})", "[.[]? | {}]", "error({})?", "-({})", "getpath({})?", "tojson | {}",
    "IN({})", "has({})", "contains({})", "inside({})", "index({})", "indices({})", "rindex({})", "startswith({})", "endswith({})",
    "ltrimstr({})", "rtrimstr({})", "join({})", "split({})", "flatten({})", "test({})", "splits({})", "ascii", "range({})", "tojson, {}",
    "delpaths([{}])", "in({})", "trimstr({})", "have_literal_numbers, {}", "ltrimstr({}) | length", "@text \"<\\({})>\"", "@json \"v\\({})\"",
    "@csv \"\\([{}])\"", "@html \"\\({})\"", "@uri \"\\({})\"", "@base64 \"\\({})\"", "@sh \"\\({})\"", "@tsv \"\\([{}])\"",
]
UNARY = [form for form in UNARY if form not in ("recurse({})", "ascii", "have_literal_numbers, {}")]
BINARY = [
    "({}) + ({})", "({}) - ({})", "({}) * ({})", "({}) / ({})", "({}) % ({})", "({}) == ({})", "({}) != ({})", "({}) < ({})", "({}) <= ({})",
    "({}) > ({})", "({}) >= ({})", "({}) and ({})", "({}) or ({})", "({}) // ({})", "({}), ({})", "({}) | ({})", "{} | {}", "{}, {}",
    "{} // {}", "{} as $v | {}", "({}) as [$v, $w] | {}", "({}) as {{a: $v}} | {}", "reduce ({}) as $v (.; {})", "reduce {} as $v (0; . + ({}))",
    "foreach ({}) as $v (.; {})", "foreach ({}) as $v (0; . + 1; [., {}])", "try ({}) catch ({})", "{{a: ({}), b: ({})}}", "{{({}): ({})}}",
    "if {} then {} else . end", "def f: {}; [f, ({})]", "def f(g): g | {}; f({})", "label $out | ({}) | if . == 1 then break $out else {} end",
    "[range(({}); ({}))]", "sub(({}); ({}))", "gsub(({}); ({}))", "setpath([({})]; ({}))", "test(({}); ({}))", "any({}; {})", "all({}; {})",
    "IN({}; {})", "INDEX({}; {})", "ascii(({}); ({}))", "limit(2, 0; {} | {})", "nth(0, 1; {} | {})", "with_entries(select({}) | {})", "first({}; {})",
    "\"x\\({})y\\({})\"", "splits({}; {})", "getpath([({}), ({})])", "until({}; {})", "skip(1, 2; {}, {})", "[paths({})] | {}", "ltrimstr({}) + ({})",
    "map(select({})) | {}", "[.[]? | select({}) | {}]", "to_entries | map(select(.value | {})) | {}", "group_by({}) | map({})",
    "[{}] | {}", "(({}) // empty) | {}", "if {} then {} end", "[limit(3; {} | {})]", "ltrimstr({}), {}", "[{}] as [$v] | {}",
]
BINARY = [form for form in BINARY if not form.startswith(("ascii(", "first({};", "until("))]
TERNARY = ["if {} then {} else {} end", "reduce ({}) as $v ([{}]; {})", "foreach ({}) as $v ([{}]; {})", "if {} then {} elif {} then 1 else 2 end"]
UPDATES = ["({}) |= ({})", "({}) = ({})", "({}) += ({})", "({}) -= ({})", "({}) //= ({})", "({}) *= ({})", "to_entries |= {1}", "({}) |= empty"]
UPDATES = UPDATES[:-2] + ["({}) |= empty | {}"]
PATHS = [".{k}", ".{k}?", ".[{n}]", ".[]", ".[]?", ".[{n}:{n}]", ".[{n}:]", ".[:{n}]", '."{k}"', '.["{k}"]', "..", ".{k}.{k}", ".{k}[]?",
         ".{k}[{n}]", ".[]?.{k}?", ".{k}.{k}?", "first(.[]?)", "select(.{k}?)", ".{k} // .{k}", "if .{k}? then .{k} else .{k}? end", "recurse(.child?)",
         ".", "(.{k}, .{k})", ".{k} | .[]?", "getpath([\"{k}\", \"{k}\"])", "empty", "..|.{k}?", ".[-1]", "last", "first", "to_entries[0]"]
PATHS = [form for form in PATHS if form not in ("to_entries[0]", "last", "recurse(.child?)")]


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def path(self, depth):
        form = self.random.choice(PATHS)
        while "{k}" in form:
            form = form.replace("{k}", self.random.choice(KEYS), 1)
        while "{n}" in form:
            form = form.replace("{n}", self.random.choice(["0", "1", "2", "-1", "5"]), 1)
        if depth > 0 and self.random.random() < 0.25:
            form = f"({form}) | {self.path(depth - 1)}"
        return form

    def leaf(self, variables):
        kind = self.random.random()
        if kind < 0.45:
            return self.path(0)
        if kind < 0.6:
            return self.random.choice(NUMBERS)
        if kind < 0.7:
            return json.dumps(self.random.choice(TEXTS), ensure_ascii=False)
        if kind < 0.8:
            return self.random.choice(CONSTANTS)
        if kind < 0.9:
            return self.random.choice(variables)
        return self.random.choice(NULLARY)

    def make(self, depth, variables=("$value",)):
        if depth <= 0 or self.random.random() < 0.12:
            return self.leaf(variables)
        kind = self.random.random()
        if kind < 0.12:
            return self.path(2)
        if kind < 0.25:
            return f"({self.make(depth - 1, variables)}) | {self.random.choice(NULLARY)}"
        if kind < 0.5:
            form = self.random.choice(UNARY)
            if form.startswith(("del(", "path(", "pick(")):
                return form.replace("{}", self.path(2))
            return form.replace("{}", self.make(depth - 1, variables))
        if kind < 0.62:
            form = self.random.choice(UPDATES)
            return form.replace("{}", self.path(1), 1).replace("{}", self.make(depth - 2, variables), 1)
        if kind < 0.92:
            return self.filled(self.random.choice(BINARY), depth, variables)
        return self.filled(self.random.choice(TERNARY), depth, variables)

    def filled(self, form, depth, variables):
        parts = form.split("{}")
        text = parts[0]
        for part in parts[1:]:
            bound = tuple(variables)
            for name in ("$v", "$w"):
                if any(name in before for before in text.split(" ")) or f"{name} " in text or f"{name}]" in text or f"{name}}}" in text:
                    if f"as {name} " in text or f"[{name}" in text or f"{name}]" in text or f": {name}}}" in text:
                        bound += (name,)
            text += self.make(depth - 1, bound) + part
        return text.replace("{{", "{").replace("}}", "}") if "{{" in form else text


def recorded(program, value):
    found = []
    try:
        for output in program.input_value(value):
            found.append(output)
            if len(found) > MOST:
                return None
    except ValueError as error:
        return {"values": found, "error": str(error)}
    return {"values": found}


def serve(pipe):
    import jq

    inputs = json.loads(INPUTS.read_text())
    while True:
        expression = pipe.recv()
        try:
            program = jq.compile(expression, args={"value": 3})
            pipe.send([recorded(program, value) for value in inputs])
        except ValueError as error:
            pipe.send(str(error))


class Oracle:
    """jq in a process of its own: an expression that does not end must not end this."""

    def __init__(self):
        self.process = None

    def ask(self, expression):
        if self.process is None:
            self.pipe, theirs = multiprocessing.Pipe()
            self.process = multiprocessing.Process(target=serve, args=(theirs,), daemon=True)
            self.process.start()
            theirs.close()
        try:
            self.pipe.send(expression)
            if self.pipe.poll(PATIENCE):
                return self.pipe.recv()
        except (EOFError, OSError):
            pass
        self.process.kill()
        self.process.join()
        self.process = None
        return None


def same(one, other):
    if isinstance(one, bool) or isinstance(other, bool) or one is None or other is None:
        return one is other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return one == other or (one != one and other != other) or abs(one - other) <= 1e-15 * max(abs(one), abs(other))
    if type(one) is not type(other):
        return False
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return one == other


def made_of(values, mode):
    if mode == "value" and len(values) == 1:
        return values[0]
    if mode == "test":
        return len(values) == 1 and values[0] is True
    return values


def run(expressions, mode):
    """Yields the number of an expression, that of an input, and what the compiled function made of it."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as file:
        file.write("\n".join(expressions) + "\n")
    environment = dict(os.environ, JQ_EXPRESSIONS=file.name, JQ_MODE=mode)
    command = ["cargo", "run", "--quiet", "--manifest-path", str(HERE / "Cargo.toml"), "--", str(INPUTS)]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True)
    if ended.returncode != 0:
        sys.exit(f"{file.name}: the program does not run\n{ended.stderr[-4000:]}")
    os.unlink(file.name)
    for line in ended.stdout.splitlines():
        yield json.loads(line)


def made(maker, known):
    """Returns an expression that is not known yet and fits a line of the list."""
    while True:
        expression = maker.make(maker.random.choice([1, 2, 2, 3, 3, 4]))
        if len(expression) <= 160 and "\n" not in expression and expression not in known:
            return expression


def write_list(count, seed):
    maker, expressions = Maker(seed), {}
    while len(expressions) < count:
        expressions[made(maker, expressions)] = None
    LIST.write_text("\n".join(expressions) + "\n")


def main():
    if sys.argv[1] == "list":
        return write_list(int(sys.argv[2]), int(sys.argv[3]))
    seconds = float(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
    began, oracle, maker = time.monotonic(), Oracle(), Maker(seed)
    inputs = json.loads(INPUTS.read_text())
    cases = different = native = engine = refused = 0
    while time.monotonic() - began < seconds:
        asked = {}
        while len(asked) < BATCH:
            expression = made(maker, asked)
            record = oracle.ask(expression)
            if isinstance(record, list) and all(record):
                asked[expression] = record
        expressions = list(asked)
        mode = maker.random.choice(["all", "value", "value", "test"])
        for number, of, values, *error in run(expressions, mode):
            expression = expressions[number]
            if of == "engine":
                engine += 1
                continue
            if of == "refused":
                refused += 1
                print(f"seed {seed}: {expression}\n  refused: {values}")
                continue
            native += of == 0
            cases += 1
            record = asked[expression][of]
            if ("error" in record) != bool(error) or not error and not same(values, made_of(record["values"], mode)):
                different += 1
                print(f"seed {seed}, {mode}: {expression}\n  input {json.dumps(inputs[of])}\n  ours {json.dumps(values)} {error}\n  jq   {json.dumps(record)}")
        told = f"{native} expressions, {cases} cases, {different} different, {engine} for an engine, {refused} refused"
        print(f"{time.monotonic() - began:.0f} s: {told}", file=sys.stderr, flush=True)
    sys.exit(different + refused > 0)


main()
