// Three lanes, one with knobs of its own: where they part, the jump there, ratios, graphs over each other, and the link.
import { assert, assertEqual, open, until } from "../lib/browser.mjs";
import { digest, id, now, packed, pause, slide, smallScenario } from "../lib/page.mjs";

export default async function ({ page }) {
  const lanes = [{ policy: "o1-2.6.21" }, { policy: "o1-2.6.21", tunables: { def_timeslice: 20 } }, { policy: "sd-0.48" }];
  await open(page, `${packed(smallScenario({ lanes }))}&view=compare`);
  await pause(page);
  await digest(page);
  assertEqual(await page.locator(".timeline canvas.lanes").count(), 3, "a timeline per lane");
  await until(async () => /ms|s,/.test(await id(page, "divergence").innerText()), "the card says where they part");
  const table = id(page, "differences");
  await until(async () => /×/.test(await table.innerText()), "ratios against the first lane");
  const text = await table.innerText();
  for (const word of ["p50", "p95", "p99", "longest", "context switches", "migrations", "fairness", "hogs"]) assert(text.includes(word), `the table has ${word}`);
  assertEqual(await page.locator(".overlaid polyline").count(), 3, "one curve per lane");
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("End");
  await until(async () => (await now(page)) === 2000, "the end");
  await page.keyboard.press("Shift+N");
  await until(async () => (await now(page)) < 2000, "Shift+N goes to the first divergence");
  const first = await now(page);
  await until(async () => (await id(page, "sides").innerText()).split("\n").length > 3, "both sides say why");
  await page.keyboard.press("N");
  await until(async () => (await now(page)) > first, "N goes on to the next difference");
  await id(page, "show-lane-1").click();
  await until(async () => (await id(page, "tunables-lane").innerText()) === "B", "the knobs of lane B are shown");
  await slide(page.locator('[data-testid^="tunable-"]').first(), 3);
  await until(async () => page.url().includes("s="), "the knob of one lane travels in the link");
}
