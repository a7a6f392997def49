// Measures the expressions of flows/expressions.tsv with the package jsonata, whose folder is the
// argument. Prints lines of a name and nanoseconds for each evaluation: the fastest of many samples.
"use strict";

const fs = require("fs");
const path = require("path");

const SIZES = { expression: 1, expression_1_kb: 24, expression_100_items: 100 };
const SAMPLES = 40;

function input(items) {
    const item = (n) => ({ id: `sku-${String(n).padStart(4, "0")}`, price: 4.5 + ((n * 7) % 20), qty: (n % 3) + 1 });
    return {
        order: { id: "o-2026-0042", total: 129.5 },
        customer: { name: "Ada Lovelace", vip: true },
        items: Array.from({ length: items }, (_, at) => item(at + 1)),
    };
}

async function main() {
    const jsonata = require(path.join(process.argv[2], "jsonata.js"));
    const list = fs.readFileSync(path.join(__dirname, "flows", "expressions.tsv"), "utf8").trim().split("\n");
    for (const [name, source] of list.map((line) => line.split("\t"))) {
        for (const [size, items] of Object.entries(SIZES)) {
            const expression = jsonata(source);
            const states = { input: input(items) };
            const rounds = items > 50 ? 20 : 200;
            let fastest = Infinity;
            for (let sample = 0; sample < SAMPLES; sample++) {
                const start = process.hrtime.bigint();
                for (let round = 0; round < rounds; round++) await expression.evaluate(undefined, { states });
                fastest = Math.min(fastest, Number(process.hrtime.bigint() - start) / rounds);
            }
            console.log(`${size}_by_js/${name} ${fastest}`);
        }
    }
}

main();
