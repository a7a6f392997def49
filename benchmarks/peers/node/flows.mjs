// Runs definitions in aws-local-stepfunctions. Parses and checks them once, outside of the timing.
// Arguments: the input, and pairs of a name and a definition. The protocol is that of
// `python/protocol.py`.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

// The package uses this function, which Node has since version 22.
Promise.withResolvers ??= () => {
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
};
const { StateMachine } = await import("aws-local-stepfunctions");

// The least time of a sample, in nanoseconds.
const SAMPLE = 3e8;

const [inputFile, ...pairs] = process.argv.slice(2);
const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const input = read(inputFile);
const tasks = { Fetch: () => input.order, Enrich: (data) => data, Right: (data) => data, Price: () => 42 };

const machines = [];
for (let at = 0; at < pairs.length; at += 2) {
  machines.push([pairs[at], new StateMachine(read(pairs[at + 1]))]);
}
const run = (machine) => machine.run(input, { overrides: { taskResourceLocalHandlers: tasks } }).result;

async function sample(machine) {
  const began = process.hrtime.bigint();
  for (let count = 1; ; count += 1) {
    await run(machine);
    const spent = Number(process.hrtime.bigint() - began);
    if (spent >= SAMPLE) return spent / count;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  for (const [name, machine] of machines) {
    const text = line === "output" ? JSON.stringify(await run(machine)) : String(await sample(machine));
    console.log(`aws-local-stepfunctions\t${name}\t${text}`);
  }
  console.log("end");
}
