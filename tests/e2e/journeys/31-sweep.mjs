// Sweep: the example appears as two curves while one watches, the table says the same, cancel stops, the link brings it
// back, a point opens in the simulator, and what cannot run is said.
import { accessibilityProblems, assert, assertEqual, open, until } from "../lib/browser.mjs";
import { id, now } from "../lib/page.mjs";

const done = async (page) => Number((await id(page, "sweep-progress").innerText()).match(/^(\d+)/)?.[1] ?? 0);
const cell = async (page, row, column) =>
  Number((await id(page, "sweep-points").locator(`tbody tr:nth-child(${row}) td`).nth(column).innerText()).replace(/[^\d.]/g, ""));

export const options = { limit: 150_000 };

export default async function ({ page }) {
  await open(page);
  await page.keyboard.press("5");
  await until(async () => (await id(page, "view-5").getAttribute("aria-current")) === "page", "5 is the sweep");
  await id(page, "sweep-example").click();
  await until(async () => (await done(page)) >= 4, "points come in", 60_000);
  const early = await done(page);
  assert(early < 22, `${early} points while it is under way`);
  await until(async () => (await done(page)) === 22, "all points are there", 100_000);
  const [old0, old50, new0, new50] = [await cell(page, 1, 0), await cell(page, 11, 0), await cell(page, 1, 1), await cell(page, 11, 1)];
  assert(old50 > 1.5 * old0, `the old scheduler's laps grow: ${old0} to ${old50} µs`);
  assert(new50 < 1.1 * new0, `O(1)'s stay: ${new0} to ${new50} µs`);
  assertEqual((await accessibilityProblems(page)).join("; "), "", "accessibility problems");
  assert(/view=sweep/.test(page.url()) && /vary=hogs/.test(page.url()), "the link holds the sweep");
  const url = page.url();

  await id(page, "sweep-run").click();
  await id(page, "sweep-stop").click();
  await until(() => id(page, "sweep-run").isVisible(), "cancel gives the button back");
  const stopped = await done(page);
  await page.waitForTimeout(600);
  assert((await done(page)) === stopped, "nothing comes after cancel");

  await id(page, "sweep-to").fill("20000000");
  await id(page, "sweep-to").press("Enter");
  await until(() => id(page, "sweep-problems").isVisible(), "what cannot run is said");

  const other = url.replace(/hogs(%3D|=)0\.\.50(%3A|:)5/, "hogs=0..10:10");
  assert(other !== url, `${url} names the sweep in another way`);
  await page.goto(other);
  // What the address still had to say of the refused sweep would be written by now.
  await page.waitForTimeout(500);
  assert(/hogs(%3D|=)0\.\.10(%3A|:)10/.test(page.url()), `the address keeps the link that was pasted: ${page.url()}`);
  await page.reload();
  await until(async () => /^4\D+4\b/.test(await id(page, "sweep-progress").innerText()), "a link that names a sweep shows it", 60_000);
  await id(page, "sweep-points").locator("tbody tr:nth-child(2) th button").click();
  await until(async () => (await id(page, "view-1").getAttribute("aria-current")) === "page", "a point opens in the simulator");
  assert((await now(page)) === 0 && (await id(page, "policy-1").count()) === 1, "with both schedulers side by side");
}
