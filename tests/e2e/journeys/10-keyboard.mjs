// Keyboard only: skip link, every control reachable with a visible focus, key sheet, search, views, zoom.
import { assert, assertEqual, open, until } from "../lib/browser.mjs";
import { id } from "../lib/page.mjs";

const windowText = (page) => page.locator(".window-text").innerText();

export default async function ({ page }) {
  await open(page, "#v=1&ex=interactive&t=500000000"); // paused, and nothing was clicked yet
  await page.keyboard.press("Tab");
  assert((await page.evaluate(() => document.activeElement.className)).includes("skip"), "the first stop is the skip link");
  const stops = new Set();
  for (let count = 0; count < 300; count += 1) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => {
      const element = document.activeElement;
      // The ring is drawn by the control, by the box around it, or by the thumb of a slider (which has no style to ask).
      const boxes = [element, element.parentElement, element.parentElement?.parentElement].filter(Boolean);
      const ring = element.matches("input[type=range]") || boxes.some((box) => {
        const style = getComputedStyle(box);
        return style.outlineStyle !== "none" || style.boxShadow !== "none";
      }) || parseFloat(getComputedStyle(element).borderBottomWidth) > 0;
      return { name: element.dataset.testid ?? element.getAttribute("aria-label") ?? element.className, ring, body: element === document.body };
    });
    if (stop.body) break;
    assert(stop.ring, `${stop.name} shows that it has the focus`);
    stops.add(stop.name);
  }
  for (const name of ["share", "play", "step", "time", "seek", "policy-0"]) assert(stops.has(name), `Tab reaches ${name}`);

  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("?");
  await until(() => id(page, "keys-sheet").isVisible(), "? opens the key sheet");
  await page.keyboard.press("Escape");
  await until(async () => (await id(page, "keys-sheet").count()) === 0, "escape closes it");
  const before = await windowText(page);
  await page.locator("canvas.lanes").focus();
  await page.keyboard.down("KeyW");
  await page.waitForTimeout(250);
  await page.keyboard.up("KeyW");
  await until(async () => (await windowText(page)) !== before, "W zooms in");
  await page.keyboard.press("2");
  await until(async () => (await id(page, "view-2").getAttribute("aria-current")) === "page", "2 is the second view");
  await page.keyboard.press("1");
  await until(async () => (await id(page, "view-1").getAttribute("aria-current")) === "page", "1 is the first");
  await page.keyboard.press("/");
  await until(() => id(page, "search").isVisible(), "/ opens the search");
  await page.keyboard.type("hog");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await until(async () => (await id(page, "search").count()) === 0, "escape closes the search");
  assertEqual(await page.locator('[role="dialog"]').count(), 0, "open dialogs at the end");
}
