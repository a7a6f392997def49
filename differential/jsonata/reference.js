// Evaluates lines of JSON `{"expr", "input", "bindings"}` with the package jsonata, version 2.0.6, and prints a line of JSON for each:
// `value`, `undefined`, `function`, `code`, or `crash` for an error of JavaScript. The argument is the file of the package.
//
// The package is changed in the places below. Each of them is a defect that depends on how JavaScript runs, or a measured deviation of AWS.
"use strict";

const fs = require("fs");
const path = require("path");
const readline = require("readline");

const CHANGES = [
    // Parts of an array constructor and of an object run side by side in the package, and disturb each other's variables.
    [/let generators = await Promise\.all\(expr\.expressions\s+\.map\(async \(item, idx\) => \{\s+environment\.isParallelCall = idx > 0\s+return \[item, await evaluate\(item, input, environment\)\]\s+\}\)\);/,
        "let generators = []; for (const item of expr.expressions) generators.push([item, await evaluate(item, input, environment)]);"],
    [/let generators = await Promise\.all\(Object\.keys\(groups\)\.map\(async \(key, idx\) => \{([^]*?)\n        \}\)\);/,
        "let generators = []; for (const key of Object.keys(groups)) generators.push(await (async (key, idx) => {$1\n})(key, 0));"],
    // A predicate of undefined makes arrays with holes.
    [/res\.forEach\(function \(ires\) \{/, "res.forEach(function (ires) { if (item === undefined) return;"],
    [/\} else if \(fn\.boolean\(res\)\) \{ \/\/ truthy/, "} else if (fn.boolean(res) && item !== undefined) {"],
    // An object constructor adds a hole to an array of the data.
    [/input\.push\(undefined\);/, "input = createSequence(undefined);"],
    // A conditional with a predicate loses it in tail position.
    [/\} else if \(expr\.type === 'condition'\) \{/, "} else if (expr.predicate || expr.group) { result = expr; } else if (expr.type === 'condition') {"],
    // AWS encodes the UTF-8 of a text in base64.
    [/from\(str, 'binary'\)\.toString\('base64'\)/, "from(str, 'utf8').toString('base64')"],
    [/from\(str, 'base64'\)\.toString\('binary'\)/, "from(str, 'base64').toString('utf8')"],
    // On AWS, NaN is above all numbers.
    [/switch \(op\) \{\s+case '<':/, "if (ltype === 'number' && (lhs !== lhs || rhs !== rhs)) [lhs, rhs] = [Number(lhs !== lhs), Number(rhs !== rhs)];\nswitch (op) {\ncase '<':"],
    // AWS rounds a number that is not whole to 15 digits toward minus infinity.
    [/Number\(val\.toPrecision\(15\)\)/, "roundedDown(val)"],
];

function roundedDown(value) {
    if (Number.isInteger(value)) return value;
    const [digits, exponent] = Math.abs(value).toExponential(20).split("e");
    let kept = BigInt(digits.replace(".", "").slice(0, 15));
    const exact = value.toString().replace(/^-|e.*$|\./g, "").replace(/^0+|0+$/g, "");
    if (exact.length <= 15) return value;
    kept = BigInt(exact.slice(0, 15));
    if (value < 0) kept += 1n;
    return Number(`${value < 0 ? "-" : ""}${kept}e${Number(exponent) - 14}`);
}

function load(file) {
    let source = fs.readFileSync(file, "utf8");
    for (const [place, text] of CHANGES) {
        if (!place.test(source)) throw new Error(`not jsonata 2.0.6: ${place}`);
        source = source.replace(place, text);
    }
    const module = { exports: {} };
    new Function("module", "exports", "require", "roundedDown", source)(module, module.exports, require, roundedDown);
    return module.exports;
}

const version = JSON.parse(fs.readFileSync(path.join(path.dirname(file()), "package.json"), "utf8")).version;
if (version !== "2.0.6") throw new Error(`jsonata ${version} in place of 2.0.6`);
const jsonata = load(file());

function file() {
    return process.argv[2];
}

// Returns what AWS makes of a value: a function is an error, NaN and the infinities are strings.
function encoded(value) {
    if (typeof value === "function" || value && (value._jsonata_function || value._jsonata_lambda)) throw "function";
    if (typeof value === "number" && !Number.isFinite(value)) return String(value);
    if (Array.isArray(value)) {
        return Array.from(value, (item) => {
            if (item === undefined) throw "hole";
            return encoded(item);
        });
    }
    if (value === null || typeof value !== "object") return value;
    // Pairs keep their order and every name.
    return { object: Object.entries(value).filter(([, member]) => member !== undefined).map(([name, member]) => [name, encoded(member)]) };
}

async function answer({ expr, input, bindings }) {
    try {
        const result = await jsonata(expr).evaluate(input, bindings);
        return result === undefined ? { undefined: true } : { value: encoded(result) };
    } catch (error) {
        if (error === "function") return { function: true };
        if (error === "hole") return { crash: "a hole in an array" };
        return error && error.code ? { code: error.code, message: error.message } : { crash: String(error && error.message) };
    }
}

async function main() {
    for await (const line of readline.createInterface({ input: process.stdin })) {
        process.stdout.write(JSON.stringify(await answer(JSON.parse(line))) + "\n");
    }
}

main();
