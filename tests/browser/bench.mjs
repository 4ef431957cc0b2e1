// Measures the WebAssembly module under Node: node bench.mjs FOLDER SIGNATURE

import assert from "node:assert";
import fs from "node:fs";
import path from "node:path";

const [folder, signature] = process.argv.slice(2);
const source = fs.readFileSync(path.join(folder, "wasi.js"));
const { instance } = await import(`data:text/javascript;base64,${source.toString("base64")}`);
const module = await WebAssembly.compile(fs.readFileSync(path.join(folder, "goren.wasm")));
const lines = [];
const bench = await instance(module, { write: (line) => lines.push(JSON.parse(line)) });
bench.call("goren_bench");
const [nodes, speed] = lines[0];
assert.equal(String(nodes), signature);
console.log(`${nodes}, ${speed} nodes a second, ${bench.bytes() >> 20} MiB`);
