"""The differences between the evaluator and jsonata 2.0.6 that are intended. `reference.js` has those that change a result everywhere.

Each has the expressions and the results that it applies to, as narrow as possible, and the reason: what AWS was measured to do (section 1
of the language's specification, "measured"), or a defect of the package that depends on JavaScript."""

import json
import re

ARGUMENTS = ("T0410", "T0411", "T0412")
NOT_A_NUMBER = ("T2001", "T2002", "D1002")


def has_half_surrogate(value):
    return re.search(r"\\ud[89a-f]", re.sub(r"\\ud[89ab]..\\ud[c-f]..", "", json.dumps(value))) is not None


def is_partial_of_native(expression):
    return re.search(r"\$(append|lookup|substring|join|power|round|formatNumber)\(\?,|\?\)", expression) is not None


def is_of_surrogates(expression, source):
    """Is true for a pattern that matches half of a character in the package."""
    has_pattern = re.search(r'/(\.|\^\.|\[\^a-c\])/|\$split\(.*, ""|\$parseInteger\(', expression) is not None
    return has_pattern and "😀" in expression + json.dumps(source, ensure_ascii=False)


def finds_more(ours, theirs):
    """Is true if the results differ only in what is false here and true there."""
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(one == other or finds_more(one, other) for one, other in zip(ours, theirs))
    return (ours, theirs) == (False, True)


def unsigned(result):
    return json.dumps(result).replace("-Infinity", "Infinity")


# The reason, and the condition on an expression, this project's result and the package's result.
KNOWN = [
    (
        "measured: arithmetic on NaN is D1001, and the package finds that NaN is not a number",
        lambda expression, source, ours, theirs: ours.get("code") == "D1001" and theirs.get("code") in NOT_A_NUMBER,
    ),
    (
        "the package does not check the arguments of a partially applied function of the language",
        lambda expression, source, ours, theirs: ours.get("code") in ARGUMENTS and is_partial_of_native(expression),
    ),
    (
        "the package inserts the text of a function of JavaScript for a text as pattern",
        lambda expression, source, ours, theirs: ours.get("code") == "D3012" and re.search(r'\$replace\(.*, (".*"|\(.*\)), function\(\$m\)', expression),
    ),
    (
        "ruling A17: half surrogates are not followed",
        lambda expression, source, ours, theirs: has_half_surrogate(theirs) or is_of_surrogates(expression, source),
    ),
    (
        "the package rounds the minutes of a zone in the west to the wrong hour",
        lambda expression, source, ours, theirs: '"-0530"' in expression,
    ),
    (
        "the package writes NaN with the digits of a picture",
        lambda expression, source, ours, theirs: "$formatNumber(" in expression and "N" in json.dumps(ours)
        and re.search(r"N\W*a?\W*N|-x?N", json.dumps(theirs)),
    ),
    (
        "the package inserts the word undefined for a replacement that is undefined",
        lambda expression, source, ours, theirs: "$replace(" in expression and "undefined" in json.dumps(theirs),
    ),
    (
        "the package writes ten in front of the exponent in place of one, and large numbers as JavaScript does",
        lambda expression, source, ours, theirs: "$formatNumber(" in expression and (", \"0e0\"" in expression or re.search(r"\de,?\+", json.dumps(theirs))),
    ),
    (
        "measured: AWS formats the decimal digits of a number, and the package those of its binary fraction",
        lambda expression, source, ours, theirs: "$formatNumber(" in expression and re.search(r"\d{16}", re.sub(r"\D", "", json.dumps(theirs))),
    ),
    (
        "the package copies what a transform changes as JSON, which has no NaN",
        lambda expression, source, ours, theirs: "|" in expression and json.dumps(ours).replace('"NaN"', "null") == json.dumps(theirs),
    ),
    (
        "zero has no sign in the negation of a whole number, and so neither has what is divided by it",
        lambda expression, source, ours, theirs: "Infinity" in json.dumps(ours) and unsigned(ours) == unsigned(theirs),
    ),
    (
        "the package has no text of its own for a text that is no number",
        lambda expression, source, ours, theirs: re.search(r"\$format(Number|Integer)\(\(*\$parseInteger\(", expression) and "N" in json.dumps(ours),
    ),
    (
        "the package has no text for NaN as a whole number",
        lambda expression, source, ours, theirs: "$formatInteger(" in expression and ours.get("value") == "NaN" and theirs.get("code") == "D3130",
    ),
    (
        "a transform of the package changes the data of a variable, not only of its copy",
        lambda expression, source, ours, theirs: re.search(r"\|\$[$\w]+\|", expression),
    ),
    (
        "the package sorts items with variables only once, and then takes their records for the items",
        lambda expression, source, ours, theirs: re.search(r"\)\^\(", expression) and re.search(r"%|[#@]\$", expression),
    ),
    (
        "an array or object is no element for `in`: the package finds the one that is the same in memory",
        lambda expression, source, ours, theirs: " in " in expression and finds_more(ours.get("value"), theirs.get("value")),
    ),
    (
        "the package visits the characters of a text that a predicate selects from an array constructor at the start of a path",
        lambda expression, source, ours, theirs: "undefined" in ours and re.search(r'\[[^\]]*"[^\]]*\]\[.*\]\.', expression),
    ),
    (
        "the package rounds an infinity to NaN",
        lambda expression, source, ours, theirs: "$round(" in expression and "Infinity" in json.dumps(ours) and "NaN" in json.dumps(theirs),
    ),
    (
        "the package reads what follows 0x in JavaScript's way",
        lambda expression, source, ours, theirs: re.search(r'\$parseInteger\(.*0x1F', expression),
    ),
]


def reason(expression, source, ours, theirs):
    """Returns why the two results may differ, or None."""
    return next((reason for reason, applies in KNOWN if applies(expression, source, ours, theirs)), None)
