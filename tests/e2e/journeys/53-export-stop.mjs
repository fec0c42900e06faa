// A long export can be stopped: nothing is saved, the page goes on, the next export works; closing the dialog stops it too.
import { assert, assertEqual, open, until } from "../lib/browser.mjs";
import { id, packed, pause } from "../lib/page.mjs";

/** Millions of events: minutes of writing. */
const long = {
  v: 1, title: "Long", seed: 3, duration_ns: 4_000_000_000, machine: { cores: 8, hz: 1000 }, lanes: [{ policy: "o1-2.6.21" }],
  workloads: [{ name: "ring", kind: "lat-ctx", count: 8 }, { name: "hogs", kind: "hog", count: 8 }],
};

export default async function ({ page }) {
  await open(page, packed(long));
  await pause(page);
  await page.evaluate(() => document.activeElement?.blur());
  const saved = [];
  page.on("download", (download) => saved.push(download.suggestedFilename()));

  await page.keyboard.press("e");
  await id(page, "export-ftrace").click();
  await id(page, "export-stop").waitFor();
  await until(async () => (await page.locator(".export-foot progress").count()) === 1, "it tells how far it is");
  await id(page, "export-stop").click();
  await until(async () => (await id(page, "export-stop").count()) === 0, "it stops");
  await page.waitForTimeout(1000);
  assertEqual(saved.length + (await id(page, "export-saved").count()) + (await id(page, "export-failed").count()), 0, "nothing is saved and nothing is said to have failed");

  await id(page, "export-scenario").click();
  await until(() => saved.length === 1, "another export works");

  await id(page, "export-intervals").click();
  await id(page, "export-stop").waitFor();
  await page.keyboard.press("Escape");
  await until(async () => (await id(page, "export-dialog").count()) === 0, "the dialog closes");
  await page.waitForTimeout(1000);
  assertEqual(saved.length, 1, "closing the dialog stops what it wrote");
  await page.keyboard.press("ArrowRight");
  assert(await id(page, "play").isVisible(), "the page goes on");
}
