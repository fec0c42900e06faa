// `node digests.mjs SHIM.wasm < cases.json`: the same cases in Node's WebAssembly, as JSON.
import { readFileSync } from "node:fs";
import { runCases } from "./lib/shim.mjs";

const results = await runCases(readFileSync(process.argv[2]), JSON.parse(readFileSync(0, "utf8")));
console.log(JSON.stringify(results));
