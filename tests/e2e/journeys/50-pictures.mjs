// Every family's structures have their pictures, and each picture its words: scan and saw-tooth, lag axis, shares,
// pools and throttled stretches, staircase and rotation. Colours can mean something else, in all views at once.
import { assert, open, until } from "../lib/browser.mjs";
import { digest, id, packed, pause, typeTime } from "../lib/page.mjs";

const hogs = (name, count, more = {}) => ({ name, kind: "hog", count, ...more });
const scenario = (policy, more) => ({
  v: 1, seed: 3, duration_ns: 1_000_000_000, machine: { cores: 2, hz: 1000 }, lanes: [{ policy }],
  workloads: [hogs("hogs", 3), { name: "nap", kind: "sleeper", count: 2 }], ...more,
});
const groups = {
  groups: [{ name: "batch", quota_ns: 20_000_000, period_ns: 100_000_000 }, { name: "free" }],
  workloads: [hogs("limited", 2, { group: "batch" }), hogs("hogs", 2, { group: "free" })],
};

/** What the structures say in their table for readers. */
async function words(page, hash) {
  await open(page, `${hash}&view=structures`);
  await digest(page);
  await pause(page);
  await typeTime(page, "500ms");
  if ((await page.locator(".structures.full").count()) === 0) await page.keyboard.press("2");
  await until(async () => (await page.locator("#structures-words").innerText()).includes(" over time"), "numbers over time are told");
  return page.locator("#structures-words").innerText();
}

export default async function ({ page }) {
  const goodness = await words(page, packed(scenario("linux-2.4")));
  assert(/goodness \d+ = counter \d+ \+ 20 - nice 20/.test(goodness), "the scan tells its terms");
  assert(/wins/.test(goodness) && goodness.includes("counter over time"), "the scan has a winner, counters a saw-tooth");

  const stairs = await words(page, packed(scenario("sd-0.42")));
  assert(stairs.includes("slot over time"), "a rotation is told over time");

  await words(page, packed(scenario("eevdf-6.12", groups)));
  // The table follows the moment that was typed; each of its lines comes with its answer.
  for (const wanted of ["not eligible", "picked", "lag over time", "pool over time", "throttled here", "1 024 shares, 2 tasks"]) {
    const table = async () => (await page.locator("#structures-words").innerText()).replace(/\s/g, " ");
    await until(async () => (await table()).includes(wanted), `"${wanted}" is in the table of the structures`);
  }
  const held = page.locator("#timeline-words, [id^=lane-words]").first();
  await typeTime(page, "560ms");
  await until(async () => (await held.innerText()).includes("/batch throttled"), "the lane tells what is held back");

  const shares = await words(page, packed(scenario("cfs-2.6.27", groups)));
  assert(/wake-up granularity/.test(shares) && /CPU 0 \d+/.test(shares), "the band and the weights of groups are told");

  await page.keyboard.press("1");
  await id(page, "colour-by").selectOption({ label: "structure" });
  await until(async () => (await page.locator(".colour-legend li").count()) > 1, "colours by structure have a legend");
  await id(page, "colour-by").selectOption({ label: "priority band" });
  await until(async () => (await page.locator(".colour-legend").innerText()).includes("nice 0"), "bands have a legend");
}
