#!/usr/bin/env python3
"""Records what jq yields: for the natives in `recorded.txt` beside this script, for programs in `programs.txt`.

Needs `pip install jq` (the release that bundles jq 1.8.2). The table has a section for each native, `= name: filter`,
and in it a line for each case: the input, the arguments as an array, and the outputs (`{"o": […]}`) or what was raised
(`{"e": …}`), separated by tabs. `"@nan"` and the like stand for numbers that JSON has not.
"""

import itertools
import pathlib
import random

import jq

SCALARS = """null true false 0 1 -1 2 3.7 -2.5 1.0 0.1 0.001 -9007199254740993 9007199254740993 123456.75 123456789012
"@nan" "@infinite" "@-infinite" "" "a" "abc" "b" "aé日𝄞" "1" "-1.5" "x,y,,z" "true" """.split()
SCALARS += ['" a\\tb "', '"ABC def"', '"aaaa"', '"a\\u0000\\u007f\\"\\\\"']
NESTED = """[] [1] [1,2,3] [3,1,2,1] ["a","b"] [[1,2],[3,4]] [1,[2,[3,[4]]],5] [null,false,true] [[],[[]]] ["a",1,null,true]
{} {"a":1} {"b":2,"a":1} {"a":{"b":[1,2]},"c":"x"} [{"a":1},{"a":2,"b":1},{"a":1}] {"a":[1,{"b":null}]} [[1],[2,3]]
[{"key":"a","value":1},{"name":"b","Value":null}] [97,233,26085] {"start":1,"end":2} {"start":null,"end":-1} [0,1]
["b",0] [["a"]] [[0],[1]] [[0],[2,1]] [["a","b",0],["c"]] [{"start":0,"end":2}] ["@nan",1,"@nan"] [1,"@infinite"] ["a","abc",""]
[1.0,1,2]""".split()
ALL = SCALARS + NESTED + ['["long enough to be cut off in messages","x"]']
FEW = ['null', 'true', '0', '1', '-1', '1.5', '2', '9007199254740993', '"@nan"', '"@infinite"', '"a"', '"abc"', '"b"',
       '""', '[]', '[1,2,3]', '["a","b"]', '[[1],[2,3]]', '{}', '{"a":1}', '{"a":{"b":[1,2]},"c":"x"}', '["a"]', '[1]',
       '{"start":1,"end":2}', '[{"start":1,"end":2}]', '["a","b",0]', '[[0],[1]]', '-0.5']
TEXTS = ['""', '"a"', '"abcabc"', '"aébc日"', '"aaa"', '"foo bar"', '"a\\nb\\n"', '"A1b2"', '"test, x"', '"ß"', 'null', '1']

SECTIONS = []


def section(name, expression, *pools):
    SECTIONS.append((name, expression, pools))


for name in """length utf8bytelength not type keys keys_unsorted to_entries from_entries add any all flatten reverse
transpose tojson tostring tonumber toboolean fromjson explode implode trim ltrim rtrim ascii_downcase ascii_upcase sort
unique min max abs paths recurse tostream combinations isinfinite isnan isnormal isfinite @text @json @csv @tsv @html @uri
@urid @sh @base64 @base64d""".split():
    section(name, name, ALL)
for name in """floor ceil round sqrt fabs trunc exp log exp2 log2 exp10 log10 significand logb nearbyint rint cbrt frexp modf
sin cos atan tanh expm1 log1p gamma lgamma tgamma lgamma_r""".split():
    section(name, name, SCALARS)
section("neg", "-.", ALL)
NUMBERS = ['0', '1', '-1', '2.5', '-3', '10', '"@nan"', '"@infinite"', '1e300', '"a"', 'null']
for name in "pow atan2 fmin fmax fmod ldexp scalb scalbln nextafter copysign drem hypot fdim".split():
    section(name, f"{name}($a; $b)", ['null'], NUMBERS, NUMBERS)
section("fma", "fma($a; $b; $c)", ['null'], ['1', '2.5', '"a"'], ['3', '"b"'], ['0.1', 'null'])
for name, expression in {
    "add": ". + $a", "sub": ". - $a", "mul": ". * $a", "div": ". / $a", "rem": ". % $a", "eq": ". == $a", "less": ". < $a",
    "less_equal": ". <= $a", "greater": ". > $a", "index": ".[$a]", "has": "has($a)", "contains": "contains($a)",
    "inside": "inside($a)", "startswith": "startswith($a)", "endswith": "endswith($a)", "ltrimstr": "ltrimstr($a)",
    "rtrimstr": "rtrimstr($a)", "trimstr": "trimstr($a)", "split": "split($a)", "join": "join($a)", "flatten_by": "flatten($a)",
    "indices": "indices($a)", "index_of": "index($a)", "rindex": "rindex($a)", "getpath": "getpath($a)",
    "delpaths": "delpaths($a)", "bsearch": "bsearch($a)", "format": "format($a)", "combinations_of": "combinations($a)",
}.items():
    pool = [text for text in FEW if text not in ('"@infinite"', '"@nan"', '9007199254740993')] if name == "combinations_of" else FEW
    section(name, expression, FEW, pool)
section("mul", ". * $a", ['1', '-3', '0.1', '123456789', '1.7976931348623157'], ['1', '1000000', '0.001', '10000000000', '0.0000001', '100000000000000000000000',
        '0.000000000000000000000000000000000001'])
section("slice", ".[$a:$b]", ['null', '"aé日𝄞b"', '[1,2,3,4]', '1', '{}'],
        ['null', '0', '1', '-1', '1.5', '-1.5', '9', '-9', '"@nan"', '"a"'],
        ['null', '0', '2', '-1', '2.5', '-0.5', '9', '-9', '"@nan"', '[]'])
section("setpath", "setpath($a; $b)", FEW, ['[]', '["a"]', '[1]', '[-1]', '["a","b"]', '[0,0]', '1', '["@nan"]', '[null]',
        '[{"start":1,"end":2}]', '[{"start":1,"end":2},0]', '[600000000]', '[[1]]', '[true]'], ['9', '[8,9]'])
section("delpaths", "delpaths($a)", ['[1,2,3,4]', '{"a":{"b":1,"c":2},"d":[1,2]}', '[[1,2],[3]]', 'null', '"abc"'],
        ['[[0],[-1]]', '[[1],[1,0]]', '[["a","b"],["d",0]]', '[["a"],["a","b"]]', '[[{"start":1,"end":3}],[0]]', '[]', '[[]]',
         '[[0,0],[0,1]]', '[["@nan"]]', '[["d",{"start":0,"end":1}]]', '[[-9],[9]]', '[1]', '[["a",0]]', '[[0.5],[-0.5]]'])
section("range", "range($a; $b)", ['null'], ['0', '1.5', '-2', '"a"', '5', '"@nan"'], ['3', '0', '"a"', '2.5', 'null', '"@nan"'])
section("range_by", "range($a; $b; $c)", ['null'], ['0', '5', '"a"', '1.5', '[]', '"@nan"'], ['3', '0', '"aaaa"', 'null', '-1', '"@nan"'],
        ['1', '-1.5', '0.7', '0', '"a"', 'null', '"@nan"', '[1]'])
KEYED = ['[{"a":3},{"a":1},{"a":2},{"a":1,"b":0}]', '[]', '{"x":{"a":3}}', 'null', '1', '[{"a":null},{},{"a":"@nan"},{"a":"@nan"}]',
         '[{"a":[2]},{"a":[1]},{"a":{}}]', '[1]', '"a"']
for name in "sort_by group_by unique_by min_by max_by".split():
    section(f"{name}_a", f"{name}(.a)", KEYED)
section("walk_add", 'walk(if type == "number" then . + 1 else . end)', ALL)
section("walk_many", 'walk(if type == "number" then ., -1 elif . == null then empty else . end)', ALL)
section("recurse_half", "recurse(if type == \"number\" and . > 1 then ./2, .-1.5 else empty end)", ['5', '1', 'null', '"a"'])
section("until_100", "until(. > 100; . * 2)", ['1', '200', '"a"', '3.5', '[]'])
section("while_100", "[.[] | tojson | while(length < 6; . + \"x\")]", ['[1,"a",[1,2,3,4]]', '[]'])
section("fromstream", "fromstream(.[])", ['[]', '[[[0],1],[[0]]]', '[[[],3]]', '[[["a",0],1],[["a",0]],[["a"]]]', '[1]', '[[[0],1],[[1],2],[[1]],[[0],3],[[0]]]'])
section("truncate_stream", "$a | truncate_stream($b[])", ['null'], ['1', '0', '"a"'], ['[[[0],1],[[1,0],2],[[1,0]],[[1]]]', '[]', '[1]'])
PATTERNS = ['""', '"a"', '"b+"', '"(?<n>a)(b)?"', '"^"', '"$"', '"[a-c]+"', '"\\\\w+"', '"(a)|(?<x>b)"', '"."', '"a*"', '"\\\\bf"', '"[[:alpha:]]+"',
            '"\\\\p{Ll}"', '"x?"', '"("', '"["', '"*"', '")"', '"a{2}"', '"a{,2}"', '"(?i)A"', '"[^a]"', '"\\\\d"', '"é"', 'null', '1',
            '"\\\\Aa"', '"c\\\\z"', '"\\n"', '"a|b|c"', '"[a[]"', '"\\\\x61"', '"\\\\Qa\\\\E"', '"(?#c)a"', '"(?:a)b"', '"\\\\s*$"', '"\\\\"', '"a{2,1}"']
FLAGS = ['null', '"g"', '"gi"', '"gx"', '"gm"', '"gn"', '"q"', '1']
section("match_with", "match($a; $b)", TEXTS, PATTERNS, FLAGS[:5])
section("test_with", "test($a; $b)", TEXTS, PATTERNS, ['null', '"i"'])
section("flags", "match($a; $b)", TEXTS, ['"a"', '"A ."'], FLAGS)
section("match", "match($a)", TEXTS, ['"a"', '["a","g"]', '["a"]', '[]', '{}', 'null', '["A","gi"]', '["a","g",1]'])
section("capture_with", "capture($a; $b)", TEXTS, PATTERNS[:12], ['null', '"g"'])
section("scan_with", "scan($a; $b)", TEXTS, PATTERNS[:16], ['null', '"i"'])
section("splits_with", "splits($a; $b)", TEXTS, PATTERNS[:16], ['null', '"i"'])
section("sub_x", "sub($a; \"<x>\"; $b)", TEXTS, PATTERNS[:16], ['""', '"g"', 'null'])
section("gsub_n", "gsub($a; \"\\(.n)|\"; $b)", TEXTS, PATTERNS[:12], ['""', '"i"'])
section("sub_two", "sub($a; \"1\", \"2\"; $b)", TEXTS, PATTERNS[:8], ['""', '"g"'])
section("sub_number", "sub($a; 1; $b)", TEXTS, PATTERNS[:4], ['""', '"g"'])
TIMES = ['0', '1425599621', '1425599621.678', '-1', '-1.5', '-62135596800', '253402300800', '1e10', '"@nan"', '"@infinite"', '1e18', '-1e18', '"a"', 'null', '[]',
         '951782400', '4102444800', '68256000']
BROKEN = ['[2015,2,5,23,51,47,4,63]', '[2015,2,5,23,51,47.678,4,63]', '[2024,13,35,25,61,61]', '[2015]', '[]', '["a"]', '[2015,1,29.9]', '[1969,11,31]', '[1e12]',
          '[1900,0,1,0,0,0,0,0]', '[99999,0,1]', '[-1,0,1]', '[0,0,1]', '[2015,"@nan"]', '[2016,1,29,0,0,0]', '[2015,2,5,23,51,47,9,900]', '1425599621', '"x"', '{}', '[2015,-14,5]']
section("gmtime", "gmtime", TIMES)
section("mktime", "mktime", BROKEN)
section("todate", "todate", TIMES + BROKEN)
FORMATS = ['"%Y-%m-%dT%H:%M:%SZ"', '"%A, %B %d, %Y"', '"%a %b %e %H:%M:%S %Y"', '"%c"', '"%D %T %R %r"', '"%F %j %U %W %V %G %g %u %w"',
           '"%C %y %h %n%t%%"', '"%I %l %p %P %k"', '"%s %z %Z"', '"%x %X"', '"%E %Q %"', '""', '"%-d %_d %05d %^a %#a %e"', '"é%Y"', '1', '"%EY %Od"', '"%+"', '"%10Y %:z %N"']
section("strftime", "strftime($a)", ['0', '1425599621', '-1.5', '951782400', '-62135596800', '[2015,2,5,23,51,47,4,63]', '[2016,11,31,0,0,0]',
        '[2021,0,3,12,5,9.9]', '[12345,0,1]', '[-5,0,1]', '[]', '"a"', '["a"]'], FORMATS)
STAMPS = ['"2015-03-05T23:51:47Z"', '"2015-02-29T00:00:00Z"', '"10 March 2020"', '"Thu, 05 Mar 2015 23:51:47 +0100"', '"Mar  5 2015"', '"23:51:47"', '"11:05 PM"',
          '"1425599621"', '"2015 064"', '"15"', '"99"', '""', '" 2015-03-05"', '"2015-03-05 x"', '"2015-3-5"', '"20150305"', 'null', '"thursday"', '"03/05/15"', '"2015-W10-4"']
PARSED = ['"%Y-%m-%dT%H:%M:%SZ"', '"%d %B %Y"', '"%a, %d %b %Y %H:%M:%S %z"', '"%b %e %Y"', '"%T"', '"%I:%M %p"', '"%s"', '"%Y %j"', '"%y"', '"%Y-%m-%d"', '"%F"',
          '"%Y%m%d"', '"%A"', '"%D"', '"%G-W%V-%u"', '"%H:%M:%S"', '"%R"', '"%n%t"', '"%%"', '"%Q"', '1']
section("strptime", "strptime($a)", STAMPS, PARSED)
section("fromdate", "fromdate", STAMPS + ['"2015-03-05T23:51:47.123Z"', '"1969-12-31T23:59:59Z"', '"0001-01-01T00:00:00Z"', '"9999-12-31T23:59:60Z"'])

# What the engine runs: each program with each input.
INPUTS = ['null', '{"a":[1,2,{"b":3}],"c":{"d":"x"},"e":null}', '[3,1,2]', '[{"k":"x","n":1},{"k":"y","n":2},{"k":"x","n":3}]', '"a1b2"', '7']
PROGRAMS = """
.
.a
.a?
.a.b?
.[]?
..
[..]
.a[1:]?
.["c"]?.d
[.[]? | numbers]
[paths]
[paths(type == "number")]
path(..)
[path(.a?)]
getpath(["c", "d"])?
[.[]?] | map(tostring)
(.a, .c)?
try .a catch .
try error("x") catch .
try error({a: 1}) catch .a
[.[]? as $x | $x]
. as [$x, $y] ?// $x | $x
reduce .[]? as $x (0; . + 1)
reduce range(5) as $i ([]; . + [$i * 2])
[foreach range(5) as $i (0; . + $i)]
[foreach range(5) as $i (0; . + $i; [$i, .])]
[limit(3; range(10))]
[first(range(5; 10)), last(range(5; 10))]
[skip(2; range(5))]
nth(2; range(10))
[range(0; 10; 3), range(3; 0; -1)]
[limit(3; range(0; "x"; 1))]
[limit(3; range(0; .; -1))]
[limit(3; range(.; "z"; .))]
[range(0; 3; "x")?]
first(range(0; 3; "x"))
[limit(2; range(0; 3; "x"))]
[limit(2; range(0; 9; 3, error("x")))]
[limit(2; range(0; nan)), limit(2; range(nan; 0)), range(0; nan; 1), range(1; 0; nan)]
[label $out | range(10) | if . > 3 then break $out else . end]
[while(. != null and (tostring | length) < 6; tostring + "z")]
[5 | until(. > 100; . * 2)]
[limit(4; repeat(1))]
[recurse(if type == "number" and . > 0 then . - 1 else empty end)]
if . then "yes" else "no" end
if type == "array" then length elif type == "object" then "o" end
[.[]?] | any, all
any(.[]?; . == 1)
all(.[]?; . != 1)
isempty(.[]?)
[.[]? | select(type == "object") | .k?]
(.a? // "none")
[.[]? | objects] | sort_by(.n) | map(.n)
[.[]? | objects] | group_by(.k) | map(length)
[.[]? | objects] | unique_by(.k) | map(.k)
[.[]? | objects] | (min_by(.n), max_by(.n))
sort?
add?
add(.[]? | numbers)
map_values(.)?
.a |= 5
try (.a |= 5) catch .
try (.a[0] = 9) catch .
try (.c.d += "y") catch .
try (.[0] |= empty) catch .
try (.[] |= tostring) catch .
try (.[1:] = [9, 9]) catch .
try (.[1:] |= map(tostring)) catch .
try del(.a[0, 1]) catch .
try del(.[0, 2]) catch .
try delpaths([["a", 0], ["c"]]) catch .
try setpath(["a", 0, "z"]; 1) catch .
try to_entries catch .
try with_entries(.value |= tostring) catch .
walk(if type == "number" then . + 1 else . end)
[tostream]
fromstream(tostream)
[1 | truncate_stream([[0], 1], [[1, 0], 2], [[1, 0]], [[1]])]
try pick(.a[1]) catch .
try ([.[] | tostring] | join("-")) catch .
"\(.)!"
@json "x \(.)"
@base64 "\("a" + "b")"
@html "<\("<&")>"
[.[]? | strings | ascii_upcase]
try test("[0-9]") catch .
try [match("[0-9]"; "g").offset] catch .
try capture("(?<l>[a-z])(?<n>[0-9])") catch .
try [scan("[a-z]")] catch .
try sub("(?<n>[0-9])"; "<\(.n)>") catch .
try gsub("(?<n>[0-9])"; "<\(.n)>") catch .
try [gsub("[0-9]"; "x", "y")] catch .
try split("[0-9]"; null) catch .
try (tojson | fromjson) catch .
try (. + 1) catch .
try -(.) catch .
try (. * 2) catch .
[1, 2] - [2]
{a: 1} + {b: 2} | keys
{(.k?, "z"): 1}
{a: (1, 2), b: 3}
[.[]? | {n: .n?}]
def f: . + 1; try f catch .
def f(g): [g, g]; f(.)
def f($x; $y): $x + $y; f(1; 2)
def f(g): def h: g | tostring; h; f(.)
INDEX(.[]? | objects; .k) | keys
[IN(.[]?; 1, 2)]
[.[]?] | IN([3, 1, 2])
try splits("1") catch .
[limit(0; error)]
try limit(-1; 1) catch .
[combinations(2)?] | length
[[1, 2], [3, 4]] | [combinations]
$v
$v | . + $w
[$v, $w] | map(. * 2)
now | type
1700000000 | todate
"2015-03-05T23:51:47Z" | fromdate
[1, [2, [3]]] | flatten, flatten(1)
infinite, nan | isinfinite, isnan
try error catch .
try error(null) catch .
[.[]?] | tojson
ltrimstr("a")?
try ascii_downcase catch .
splits("a"; "g")?
""".strip().splitlines()

PRELUDE = 'def d: if . == "@nan" then nan elif . == "@infinite" then infinite elif . == "@-infinite" then -infinite else . end;'


def cases(pools):
    return itertools.product(*pools)


# Of many cases so many are kept, chosen at random but always the same.
MOST = 120


def main():
    lines = []
    for name, expression, pools in SECTIONS:
        names = ["$a", "$b", "$c"][: len(pools) - 1]
        bind = " ".join(f"| (.[{at + 1}] | walk(d)) as {name}" for at, name in enumerate(names))
        program = jq.compile(
            f"{PRELUDE} . as $all {bind} | ($all[0] | walk(d)) | "
            f"(try {{o: [limit(200; {expression})]}} catch {{e: .}}) | tojson"
        )
        rows = list(cases(pools))
        if len(rows) > MOST:
            rows = sorted(random.Random(name).sample(range(len(rows)), MOST)), rows
            rows = [rows[1][at] for at in rows[0]]
        lines.append(f"= {name}: {expression}")
        for row in rows:
            yielded = program.input_text("[" + ",".join(row) + "]").first()
            lines.append(f"{row[0]}\t[{','.join(row[1:])}]\t{yielded}")
    programs = []
    for program in PROGRAMS:
        try:
            compiled = jq.compile(f"try {{o: [limit(200; {program})]}} catch {{e: .}} | tojson", args={"v": 5, "w": 0.5})
            yielded = [compiled.input_text(text).first() for text in INPUTS]
        except ValueError:
            print(f"not a program: {program}")
            continue
        programs.extend(f"{program}\t{text}\t{result}" for text, result in zip(INPUTS, yielded))
    path = pathlib.Path(__file__).with_name("programs.txt")
    path.write_text("\n".join(programs) + "\n", encoding="utf-8")
    path = pathlib.Path(__file__).with_name("recorded.txt")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{path}: {len(lines) - len(SECTIONS)} cases of {len(SECTIONS)} natives")


main()
