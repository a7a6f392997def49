"""Random expressions in JSONata, and the inputs that they are evaluated on."""

import json
import random

INPUTS = [
    {
        "orders": [
            {"id": "a", "total": 30, "tags": ["x", "y"], "lines": [{"sku": "p", "n": 1}, {"sku": "q", "n": 2}]},
            {"id": "b", "total": 10.5, "tags": [], "lines": [{"sku": "p", "n": 3}]},
            {"id": "c", "total": 20, "lines": [], "open": False},
        ],
        "name": "Ada Lovelace", "text": "12, 7; x=3", "open": True, "none": None, "nested": [[1, [2]], [], [3]], "n": 5, "x": -2.5,
        "customer": {"vip": True, "address": {"city": "Rome", "zip": "00100"}}, "nums": [3, 1, 2, 1], "words": ["b", "a", "é", "B"],
        "one": [7], "empty": [], "blank": {}, "mixed": [1, "1", True, None, [1], {"a": 1}, ""],
    },
    {
        "orders": {"id": "z", "total": 0, "lines": {"sku": "p", "n": -1}, "tags": "x"}, "name": "", "text": "😀é\n\t\"q\"", "open": False,
        "nested": [[[]], [[[{"a": [1]}]]]], "n": 0, "x": 1e21, "customer": [{"vip": None}, {"vip": [True, [False]]}],
        "nums": [0.1, 0.2, -0.5, 1e-7], "words": ["😀", "z", "\uffee"], "one": [[1]], "empty": [[], {}], "blank": {"": ""}, "mixed": [[], [[]], {}],
    },
    [{"id": "a", "n": 1, "nums": [1, 2]}, {"id": "b", "n": 2, "nums": []}, [{"id": "c", "n": [3]}], 4, "t", None],
    [[1, 2], [3, [4]], []],
    {"n": 123456789012345, "x": 0.1, "name": "a b", "words": "w", "nums": 4, "a": {"b": [{"c": 1}, {"c": [2, {"b": 3}]}], "n": "7"}, "mixed": {"k": [1]}},
    "text",
    12,
    None,
]
NAMES = [
    "orders", "name", "text", "open", "none", "nested", "customer", "n", "x", "nums", "words", "one", "empty", "blank", "mixed", "id", "total",
    "tags", "lines", "sku", "vip", "address", "city", "a", "b", "missing", "`n`",
]
TOP = ["orders", "orders.lines", "orders.total", "nums", "words", "name", "n", "customer", "nested", "mixed", "one", "empty", "$", "text", "x"]
KINDS = ["number", "number", "string", "string", "boolean", "array", "array", "object", "any", "any"]
NUMBERS = ["0", "1", "2", "3", "-1", "10", "0.5", "-2.5", "1.005", "12345.678", "1e3", "255", "1e-3"]
TEXTS = ["", "a", "b", "Ada", "a b", "Hello World", "12", "-3.5", "1e2", "abc", "é", "😀x", "a,b,,c", " padded  out ", "x\ny", "true", "p", "0x1F", "a1b22"]
PATTERNS = ["/a/", "/[a-z]+/", "/(\\w)(\\d)?/", "/b|(a)/", "/A/i", "/^./", "/,/", "/\\d+/", "/o$/", "/(l+)(o)/", "/./", "/[^a-c]/", "/ +/"]
FUNCTIONS = ["$string", "$count", "$uppercase", "$sum", "$boolean", "$append", "$exists", "$number", "$type", "$length", "$reverse", "$not",
             "$keys", "$max", "$lowercase", "$trim", "$spread", "$distinct", "$abs"]
NUMBER_PICTURES = ["0", "#,##0.00", "00.0", "0.0#", "#0%", "0e0", "000", "#,###", "0;(0)", "#.#", "1", "", "#0.00;-#0.0", "0‰", "x0y"]
INTEGER_PICTURES = ["0", "w", "W", "Ww", "i", "I", "a", "A", "1;o", "w;o", "#,##0", "000", "Ww;o", "#", "", "001"]
DATE_PICTURES = [
    "[Y]-[M]-[D]", "[Y0001]-[M01]-[D01]T[H01]:[m01]:[s01].[f001]Z", "[D1o] [MNn] [Y]", "[FNn], [D] [MNn,3-3]", "[h]:[m01] [P]", "[H]:[m]:[s]",
    "[d] [W] [w] [F0]", "[Y] [MN] [Dwo]", "[YI]-[Mi]", "[X]-[x]", "[[x]] [Y]", "[Y]-[M01]-[D01] [H01]:[m01] [Z]", "[Y,2-2]", "[E] [C]",
]
INSTANTS = ["0", "1521801216617", "-1", "951782400000", "1704067199999", "253402300799999", "-1e12", "1e12", "n"]
DATES = ["2018-03-23", "2018", "2018-02", "2018-03-23T10:33:36.617Z", "2018-03-23T10:33:36+01:00", "x", "12:30", "23 March 2018", "3rd May 2001", "Friday"]
ZONES = ["+0100", "-0530", "0000", "+1245"]


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


class Grammar:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.variables = []

    def expression(self):
        """Returns an expression of at most 300 characters."""
        while True:
            self.variables = ["$bound"]
            text = self.any(self.pick([1, 2, 2, 3, 3, 4]))
            if len(text) <= 300:
                return text

    def pick(self, of):
        return self.random.choice(of)

    def chance(self, probability):
        return self.random.random() < probability

    def any(self, depth):
        return self.of(self.pick(KINDS), depth)

    def of(self, kind, depth):
        """Returns an expression that is mostly of a kind."""
        if depth <= 0:
            return self.leaf(kind)
        draw = self.random.random()
        if draw < 0.08:
            return self.any(depth - 1)
        if draw < 0.22:
            return self.path(depth)
        if draw < 0.34:
            return self.general(kind, depth)
        return getattr(self, kind if kind != "any" else self.pick(KINDS[:8]))(depth)

    def leaf(self, kind):
        draw = self.random.random()
        if draw < 0.12:
            return self.pick(self.variables)
        if draw < 0.2:
            return "$"
        if draw < 0.4:
            return self.pick(NAMES)
        if kind == "number":
            return self.pick(NUMBERS)
        if kind == "string":
            return quoted(self.pick(TEXTS))
        if kind == "boolean":
            return self.pick(["true", "false"])
        if kind == "array":
            return self.pick(["[]", "[1,2,3]", '["b","a","b"]', "[[1],[2,3]]", "nums", "orders", "words", "[0..3]", "[null]", "[3,1,2]"])
        if kind == "object":
            return self.pick(["{}", '{"a":1}', '{"a":{"b":[1,2]},"c":"d"}', "customer", "$$", "orders[0]"])
        return self.pick(["null", "missing", "$$", "1", '"a"', "orders.lines", "[1]"])

    def operand(self, kind, depth):
        return f"({self.of(kind, depth - 1)})" if self.chance(0.7) else self.leaf(kind)

    def bound(self, names, make):
        """Returns what `make` makes with more variables."""
        count = len(self.variables)
        self.variables += names
        text = make()
        del self.variables[count:]
        return text

    def general(self, kind, depth):
        draw = self.random.random()
        inner = depth - 1
        if draw < 0.2:
            other = f" : {self.of(kind, inner)}" if self.chance(0.8) else ""
            return f"({self.operand('boolean', depth)} ? {self.of(kind, inner)}{other})"
        if draw < 0.4:
            name = self.pick(["$u", "$w"])
            first = self.any(inner)
            return f"({name} := {first}; {self.bound([name], lambda: self.of(kind, inner))})"
        if draw < 0.5:
            return f"({self.any(inner)}; {self.of(kind, inner)})"
        if draw < 0.6:
            return f"$lookup({self.of('object', inner)}, {quoted(self.pick(['a', 'id', 'n', 'city', 'lines', 'missing']))})"
        if draw < 0.7:
            return f"{self.operand('any', depth)} ~> {self.function(depth)}"
        if draw < 0.8:
            function = self.function(depth)
            arguments = ", ".join(self.any(inner) for _ in range(self.pick([0, 1, 1, 2])))
            return f"($f := {function}; {self.bound(['$f'], lambda: f'$f({arguments})')})"
        if draw < 0.87:
            return f"$reduce({self.of('array', inner)}, {self.reducer(depth)}{self.initial(depth)})"
        if draw < 0.92:
            step = self.pick(["$t", "[$t]", "$append($t,$k)", "{'k':$t}", "$t & $k"])
            return f"($r := function($k,$t){{$k <= 0 ? $t : $r($k - 1, {step})}}; $r({self.pick(['0', '2', '5'])}, {self.any(inner)}))"
        return self.pick(["$single({a}, {f})", "$type({a})", "$clone({a})", "$max({a})", "$min({a})"]).format(
            a=self.of("array", inner), f=self.function(depth))

    def initial(self, depth):
        return f", {self.any(depth - 1)}" if self.chance(0.4) else ""

    def reducer(self, depth):
        body = self.pick(["$i + $j", "$i & $j", "$append($i, $j)", "[$i, $j]", "$j", "$i > $j ? $i : $j", None])
        return f"function($i, $j){{{body or self.bound(['$i', '$j'], lambda: self.any(depth - 2))}}}"

    def function(self, depth):
        draw = self.random.random()
        if draw < 0.5:
            parameters = ["$v", "$i", "$s"][: self.pick([0, 1, 1, 1, 2, 3])]
            signature = ""
            if self.chance(0.15):
                kinds = [self.pick(["n", "s", "a", "x", "j", "o", "b", "(ns)", "a<n>", "f"]) + self.pick(["", "", "?", "-"]) for _ in parameters]
                # Behind a missing argument, the package checks the elements of another one.
                kinds = [kind if at == 0 else kind.replace("<n>", "") for at, kind in enumerate(kinds)]
                signature = f"<{''.join(kinds)}{self.pick(['', ':n', ':s'])}>"
            return f"function({', '.join(parameters)}){signature}{{{self.bound(parameters, lambda: self.any(depth - 1))}}}"
        if draw < 0.7:
            return self.pick(FUNCTIONS)
        if draw < 0.82:
            form = self.pick(["$append(?, {})", "$lookup(?, 'a')", "$substring(?, 1)", "$join(?, '-')", "$append({}, ?)", "$power(?, 2)", "$formatNumber(?, '0.0')", "$round(?, 1)"])
            return form.format(self.any(depth - 1))
        if draw < 0.9:
            return f"({self.pick(FUNCTIONS)} ~> {self.pick(FUNCTIONS)})"
        return "$f" if "$f" in self.variables else "λ($v){$v}"

    def path(self, depth):
        inner = depth - 1
        if self.chance(0.75):
            text = self.pick(TOP)
        else:
            text = self.pick([self.pick(self.variables), "$$", "*", "**", f"({self.any(inner)})", f"[{self.any(inner)}]", f"{{'a': {self.any(inner)}}}"])
        count = len(self.variables)
        # The package loses a variable that is bound directly at an array constructor, and the predicates there.
        can_bind = not text.startswith("[")
        for _ in range(self.pick([1, 1, 2, 2, 3])):
            step = self.step(inner, can_bind)
            can_bind |= step.startswith(".")
            text += step
        del self.variables[count:]
        if self.chance(0.08):
            text += f"{{{self.name(inner)}: {self.any(inner)}}}"
        return text

    def name(self, depth):
        return self.pick(["'a'", "id", "sku", "'k' & $string(n)", "'k' & $string($)", f"'k' & {self.leaf('string')}"])

    def step(self, depth, can_bind):
        draw = self.random.random()
        if draw < 0.36:
            return "." + self.pick(NAMES)
        if draw < 0.55:
            return f"[{self.predicate(depth)}]"
        if draw < 0.6:
            return "[]"
        if draw < 0.64:
            return self.pick([".*", ".**", ".*", ".'id'"])
        if draw < 0.72:
            return f".({self.any(depth)})"
        if draw < 0.77:
            return f".[{self.any(depth)}{self.pick(['', ', ' + self.any(depth - 1)])}]"
        if draw < 0.82:
            return f".{{{self.name(depth)}: {self.any(depth)}}}"
        if draw < 0.88:
            terms = [self.pick(["", "<", ">"]) + self.pick(["$", "n", "id", "total", self.any(depth - 1)]) for _ in range(self.pick([1, 1, 2]))]
            return f"^({', '.join(terms)})"
        if draw < 0.92 and can_bind:
            self.variables.append("$p")
            return "#$p" + self.pick(["", "", f"[{self.predicate(depth)}]"])
        if draw < 0.95:
            self.variables.append("$q")
            return f".{self.pick(NAMES)}@$q"
        if draw < 0.98:
            return ".%" + self.pick(["", "." + self.pick(NAMES), ".%"])
        return "." + self.pick(["$string()", "$uppercase($)", "$sum($)", "$count($)", "$number()", "$length()"])

    def predicate(self, depth):
        draw = self.random.random()
        if draw < 0.35:
            return self.pick(["0", "1", "-1", "2", "0.9", "-9", "[0,1]", "[1..2]", "[0,-1]"])
        if draw < 0.6:
            return self.pick(["n > 1", "id = 'a'", "$ > 1", "sku", "total < 25", "$p > 0", "$q.id = id", "%.id = 'a'", "n in [1,2]", "$ = $bound[0]"])
        return self.any(depth)

    def number(self, depth):
        inner = depth - 1
        number, text, array = (lambda: self.of("number", inner)), (lambda: self.of("string", inner)), (lambda: self.of("array", inner))
        draw = self.random.random()
        if draw < 0.35:
            return f"{self.operand('number', depth)} {self.pick('+-*/%')} {self.operand('number', depth)}"
        if draw < 0.4:
            return f"-{self.operand('number', depth)}"
        if draw < 0.55:
            return f"{self.pick(['$sum', '$count', '$max', '$min', '$average'])}({array()})"
        if draw < 0.72:
            return f"{self.pick(['$abs', '$floor', '$ceil', '$number', '$sqrt'])}({self.pick([number, number, text])()})"
        if draw < 0.78:
            return f"$round({number()}{self.pick(['', '', ', 1', ', -1', ', 2'])})"
        if draw < 0.82:
            return f"$power({number()}, {self.pick(['2', '0', '-1', '0.5', number()])})"
        if draw < 0.88:
            return f"$length({text()})"
        if draw < 0.93:
            return f"$parseInteger({self.pick([quoted(self.pick(['12', 'twelve', 'xii', 'XIV', 'b', '3rd', 'one hundred and two', 'x', ''])), text()])}, " + \
                f"{quoted(self.pick(INTEGER_PICTURES))})"
        return f"$toMillis({quoted(self.pick(DATES))}{self.pick(['', ', ' + quoted(self.pick(DATE_PICTURES))])})"

    def string(self, depth):
        inner = depth - 1
        number, text, array = (lambda: self.of("number", inner)), (lambda: self.of("string", inner)), (lambda: self.of("array", inner))
        pattern = lambda: self.pick([self.pick(PATTERNS), quoted(self.pick(["a", ",", " ", "", "l"]))])
        draw = self.random.random()
        if draw < 0.25:
            return f"{self.operand('any', depth)} & {self.operand('string', depth)}"
        if draw < 0.35:
            return f"$string({self.any(inner)}{self.pick(['', '', '', ', true'])})"
        if draw < 0.47:
            return f"{self.pick(['$uppercase', '$lowercase', '$trim', '$encodeUrl', '$encodeUrlComponent', '$base64encode'])}({text()})"
        if draw < 0.57:
            return f"$substring({text()}, {self.pick(['0', '1', '-2', number()])}{self.pick(['', ', 2', ', -1', ', ' + number()])})"
        if draw < 0.64:
            return f"{self.pick(['$substringBefore', '$substringAfter'])}({text()}, {quoted(self.pick(['a', ' ', '', ',', 'é']))})"
        if draw < 0.7:
            return f"$pad({text()}, {self.pick(['5', '-7', '0'])}{self.pick(['', ', ' + quoted(self.pick(['#', '-+', '', '😀']))])})"
        if draw < 0.78:
            replacement = self.pick(["'x'", "'$1'", "'<$0>'", "'$$'", "'$2$1'", "'$12'", "function($m){$m.match & '!'}", "function($m){$m.groups[0]}",
                                     self.any(inner)])
            return f"$replace({text()}, {pattern()}, {replacement}{self.pick(['', '', ', 1', ', 0'])})"
        if draw < 0.83:
            return f"$join({array()}{self.pick(['', ', ' + text()])})"
        if draw < 0.88:
            options = self.pick(["", "", "", ', {"decimal-separator": ",", "grouping-separator": "."}', ', {"zero-digit": "٠"}', ', {"minus-sign": "~"}'])
            return f"$formatNumber({number()}, {quoted(self.pick(NUMBER_PICTURES))}{options})"
        if draw < 0.92:
            return f"$formatInteger({self.pick(['0', '7', '12', '1999', '-3', '1e6', number()])}, {quoted(self.pick(INTEGER_PICTURES))})"
        if draw < 0.95:
            return f"$formatBase({number()}{self.pick(['', ', 2', ', 16', ', 36', ', 37'])})"
        zone = self.pick(["", ", " + quoted(self.pick(ZONES))])
        return f"$fromMillis({self.pick(INSTANTS)}{self.pick(['', ', ' + quoted(self.pick(DATE_PICTURES)) + zone])})"

    def boolean(self, depth):
        inner = depth - 1
        draw = self.random.random()
        if draw < 0.45:
            kind = self.pick(KINDS)
            return f"{self.operand(kind, depth)} {self.pick(['=', '!=', '<', '<=', '>', '>=', '='])} {self.operand(kind, depth)}"
        if draw < 0.65:
            return f"{self.operand('boolean', depth)} {self.pick(['and', 'or'])} {self.operand('boolean', depth)}"
        if draw < 0.75:
            return f"{self.operand('any', depth)} in {self.operand('array', depth)}"
        if draw < 0.9:
            return f"{self.pick(['$boolean', '$not', '$exists'])}({self.any(inner)})"
        if draw < 0.93:
            return f"$exists(('' & ({self.of('any', inner)})) ~> {self.pick(PATTERNS)})"
        return f"$contains({self.of('string', inner)}, {self.pick([self.pick(PATTERNS), self.of('string', inner)])})"

    def array(self, depth):
        inner = depth - 1
        array = lambda: self.of("array", inner)
        draw = self.random.random()
        if draw < 0.2:
            return f"[{', '.join(self.any(inner) for _ in range(self.pick([0, 1, 1, 2, 3])))}]"
        if draw < 0.27:
            return f"[{self.pick(['0', '1', '-1', self.of('number', inner)])}..{self.pick(['3', '1', self.pick(['n', 'x', '$count(nums)'])])}]"
        if draw < 0.42:
            return f"$map({array()}, {self.function(depth)})"
        if draw < 0.52:
            return f"$filter({array()}, {self.function(depth)})"
        if draw < 0.6:
            return f"$append({array()}, {self.any(inner)})"
        if draw < 0.72:
            return f"{self.pick(['$reverse', '$distinct', '$sort', '$keys', '$spread', '$reverse'])}({array()})"
        if draw < 0.78:
            order = self.pick(["$l > $r", "$l.n > $r.n", "$l < $r", "true", "false", "$string($l) > $string($r)", None])
            return f"$sort({array()}, function($l, $r){{{order or self.bound(['$l', '$r'], lambda: self.any(depth - 2))}}})"
        if draw < 0.83:
            return f"$zip({', '.join(array() for _ in range(self.pick([1, 2, 2, 3])))})"
        if draw < 0.89:
            return f"$split({self.of('string', inner)}, {self.pick([self.pick(PATTERNS), quoted(self.pick([',', ' ', '', 'l']))])}{self.pick(['', ', 2', ', 0'])})"
        if draw < 0.94:
            return f"$match({self.of('string', inner)}, {self.pick(PATTERNS)}{self.pick(['', ', 1', ', 0'])})"
        return f"$each({self.of('object', inner)}, {self.function(depth)})"

    def object(self, depth):
        inner = depth - 1
        draw = self.random.random()
        if draw < 0.4:
            members = ", ".join(f"{self.pick([quoted(name), self.name(inner)])}: {self.any(inner)}" for name in self.random.sample("klm", self.pick([0, 1, 2])))
            return f"{{{members}}}"
        if draw < 0.55:
            return f"$merge([{self.of('object', inner)}, {self.of('object', inner)}])"
        if draw < 0.65:
            return f"$sift({self.of('object', inner)}, {self.function(depth)})"
        if draw < 0.8:
            return f"{self.pick(['orders', 'orders.lines', 'nums', 'words', '$'])}{{{self.name(inner)}: {self.any(inner)}}}"
        removed = self.pick(["", "", ", 'a'", ", ['id', 'n']", f", {self.leaf('any')}"])
        place = self.pick(["$", "orders", "**", "customer", "lines", "*", "orders[0]", self.leaf("any")])
        return f"{self.operand('object', depth)} ~> |{place}|{{{quoted(self.pick(['z', 'n', 'id']))}: {self.any(inner)}}}{removed}|"
