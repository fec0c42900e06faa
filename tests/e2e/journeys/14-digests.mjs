// The core in Chromium computes, event for event, what it computes natively: all cases of the comparison.
import { readFileSync } from "node:fs";
import { address, assert, assertEqual, required } from "../lib/browser.mjs";
import { runCases } from "../lib/shim.mjs";

export default async function ({ page }) {
  // The busy machines are for measuring; Node has compared them.
  const cases = JSON.parse(readFileSync(required("SCHEDSCOPE_CASES"), "utf8")).filter(({ name }) => !name.startsWith("busy "));
  assert(cases.length > 20, `${cases.length} cases`);
  await page.goto(address);
  const given = JSON.stringify(cases.map(({ name, scenario }) => ({ name, scenario })));
  // As text: functions do not travel, and the debugger may evaluate what the page itself may not.
  const results = await page.evaluate(`(async () => {
    const runCases = ${runCases};
    return runCases(await (await fetch("/__test/shim.wasm")).arrayBuffer(), ${given});
  })()`);
  const differing = cases.filter((expected, at) => results[at].line !== expected.line).map(({ name }) => name);
  assertEqual(differing.join("; "), "", "cases that differ from native");
}
