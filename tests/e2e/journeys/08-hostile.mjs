// Scenarios that could hang a simulator: they are stopped or bounded with a sentence, and the page goes on.
import { assert, open, until } from "../lib/browser.mjs";
import { digest, id, packed, smallScenario } from "../lib/page.mjs";

const program = (steps) => smallScenario({ workloads: [{ name: "trap", kind: "program", count: 1, program: steps }] });

export default async function ({ page }) {
  for (const steps of [[["loop", 0, [["yield"]]]], [["loop", 0, [["mark", "m"]]]]]) {
    await page.goto("about:blank");
    await page.goto(process.env.SCHEDSCOPE_URL + packed(program(steps)));
    const shown = page.locator('[data-testid="run-stopped"], [data-testid="scenario-problems"], [data-testid="error-card"]');
    await until(async () => (await shown.count()) > 0, `${JSON.stringify(steps)} is reported`, 20_000);
    assert((await shown.first().innerText()).includes("trap") || (await shown.first().innerText()).includes("program"), "the report names the program");
  }
  await page.goto("about:blank");
  await open(page, packed(smallScenario()));
  await digest(page);
  assert(await id(page, "transport").isVisible(), "the page is usable");
}
