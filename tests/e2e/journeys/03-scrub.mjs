// Seek bar, typed times and ranges, whole run: the state at a moment does not depend on how we got there.
import { assert, assertEqual, open, until } from "../lib/browser.mjs";
import { digest, id, now, pause, slide, typeTime } from "../lib/page.mjs";

const words = (page) => page.locator("#timeline-words tbody").innerText();

/** The page tells its picture in words at most once a second; they have settled when they stay for longer. */
async function settledWords(page) {
  let before = "";
  let same = 0;
  for (let round = 0; round < 60; round += 1) {
    await page.waitForTimeout(150);
    const after = await words(page);
    same = after === before && after !== "" ? same + 1 : 0;
    if (same === 9) return after;
    before = after;
  }
  return before;
}

export default async function ({ page }) {
  await open(page);
  await digest(page);
  await pause(page);
  await typeTime(page, "1234.5");
  await until(async () => (await now(page)) === 1234.5, "the typed moment");
  const direct = await settledWords(page);
  assert(direct.length > 0, "the timeline says in words what runs");
  await slide(id(page, "seek"), 9_000_000_000);
  await until(async () => (await now(page)) === 9000, "the seek bar moves now");
  await slide(id(page, "seek"), 10_000_000);
  await until(async () => (await now(page)) === 10, "and back");
  await typeTime(page, "1234.5ms");
  await until(async () => (await now(page)) === 1234.5, "the same moment again");
  assertEqual(await settledWords(page), direct, "what runs at 1234.5 ms, reached twice");
  await typeTime(page, "100ms..140ms");
  await until(async () => (await page.locator(".window-text").innerText()).startsWith("40"), "a typed range is the window");
  await typeTime(page, "nonsense");
  await until(async () => (await id(page, "time").getAttribute("aria-invalid")) === "true", "nonsense is marked");
  await page.locator("canvas.lanes").focus();
  await page.keyboard.press("0");
  await until(async () => /^10/.test(await page.locator(".window-text").innerText()), "0 shows the whole run");
}
