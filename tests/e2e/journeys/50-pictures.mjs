// Every family's structures have their pictures, and each picture its words: scan and saw-tooth, lag axis, shares,
// pools and throttled stretches, staircase and rotation. Colours can mean something else, in all views at once.
import { assert, open, until } from "../lib/browser.mjs";
import { digest, id, now, packed, pause, typeTime } from "../lib/page.mjs";

const hogs = (name, count, more = {}) => ({ name, kind: "hog", count, ...more });
const scenario = (policy, more) => ({
  v: 1, seed: 3, duration_ns: 1_000_000_000, machine: { cores: 2, hz: 1000 }, lanes: [{ policy }],
  workloads: [hogs("hogs", 3), { name: "nap", kind: "sleeper", count: 2 }], ...more,
});
const groups = {
  groups: [{ name: "batch", quota_ns: 20_000_000, period_ns: 100_000_000 }, { name: "free" }],
  workloads: [hogs("limited", 2, { group: "batch" }), hogs("hogs", 2, { group: "free" })],
};

/**
 * Opens a run's structures at half a second and waits until their table for readers has all that is wanted: the table
 * follows the moment that was typed, and each of its lines comes with its own answer.
 */
async function told(page, hash, ...wanted) {
  await open(page, `${hash}&view=structures`);
  await digest(page);
  await pause(page);
  await typeTime(page, "500ms");
  if ((await page.locator(".structures.full").count()) === 0) await page.keyboard.press("2");
  const table = async () => (await page.locator("#structures-words").innerText()).replace(/\s/g, " ");
  for (const pattern of wanted) await until(async () => pattern.test(await table()), `${pattern} is in the table of the structures`);
}

export default async function ({ page }) {
  await told(page, packed(scenario("linux-2.4")), /goodness \d+ = counter \d+ \+ 20 - nice 20/, /wins/, /counter over time/);
  await told(page, packed(scenario("sd-0.42")), /slot over time/);
  await told(page, packed(scenario("eevdf-6.12", groups)), /not eligible/, /picked/, /lag over time/, /pool over time/,
    /throttled here/, /1 024 shares, 2 tasks/);
  const held = page.locator("#timeline-words, [id^=lane-words]").first();
  await typeTime(page, "560ms");
  await until(async () => (await held.innerText()).includes("/batch throttled"), "the lane tells what is held back");

  await told(page, packed(scenario("cfs-2.6.27", groups)), /wake-up granularity/, /CPU 0 \d+/,
    /Slice of \S+.* period × .* = /, /Why do shares move\?/);

  // The decisions before now, each with its rule; a click goes there.
  await until(async () => (await id(page, "decisions").locator("button").count()) > 1, "the last decisions are listed");
  const earlier = id(page, "decisions").locator("button").first();
  const then = Number((await earlier.locator("span").first().innerText()).replace(/[^\d.]/g, ""));
  assert(/vruntime|runnable|idle/.test(await id(page, "decisions").innerText()), "decisions say their rule");
  await earlier.click();
  await until(async () => (await now(page)) === then, "a decision is gone to");
  await page.keyboard.press("1");
  await id(page, "colour-by").selectOption({ label: "structure" });
  await until(async () => (await page.locator(".colour-legend li").count()) > 1, "colours by structure have a legend");
  await id(page, "colour-by").selectOption({ label: "priority band" });
  await until(async () => (await page.locator(".colour-legend").innerText()).includes("nice 0"), "bands have a legend");
}
