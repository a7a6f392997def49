// Records the results of functions in Node.js: `functions print SEED COUNT | node record.js`.
//
// Prints a JSON array with a line for each function: its text, and the results for the inputs of
// data/inputs.json. A result has the returned or thrown value, and the document and the variables
// after the call, as in the package `batch`.
'use strict';

const fs = require('fs');
const path = require('path');
const vm = require('vm');

const inputs = JSON.parse(fs.readFileSync(path.join(__dirname, 'data/inputs.json'), 'utf8'));

function script(source, [document, v, w]) {
  return `"use strict"; (async () => {
    globalThis.process = {};
    globalThis.Buffer = globalThis.require = globalThis.setTimeout = globalThis.clearTimeout = globalThis.setImmediate = () => {};
    const show = x => { try { const t = JSON.stringify(x); return t === undefined ? typeof x : t; } catch (e) { return e.name; } };
    let v = ${JSON.stringify(v)}; let w = ${JSON.stringify(w)};
    const document = ${JSON.stringify(document)}; let params = document;
    let outcome;
    try { outcome = show(await ((${source}))(document)); }
    catch (e) { outcome = 'throw ' + (e instanceof Error ? e.name : show(e)); }
    return [outcome, document, v, w].map((x, i) => i ? show(x) : x).join(' | ');
  })()`;
}

async function main() {
  const table = fs.readFileSync(0, 'utf8').matchAll(/^    \(("(?:[^"\\]|\\.)*"), &\[/gm);
  const lines = [];
  for (const [, quoted] of table) {
    const source = JSON.parse(quoted.replace(/\\u\{(\w+)\}/g, (_, code) => `\\u${code.padStart(4, '0')}`));
    const results = [];
    for (const input of inputs) results.push(await vm.runInNewContext(script(source, input)));
    lines.push(JSON.stringify([source, results]));
  }
  process.stdout.write(`[\n${lines.join(',\n')}\n]\n`);
}

main();
