// Panels one above the other change their heights by pointer and keyboard and keep them; the whole screen, and what the
// page says where the browser refuses it; search at the thumb.
import { PHONE, assert, assertEqual, open, openPage, until } from "../lib/browser.mjs";
import { id, packed, pause } from "../lib/page.mjs";

const scenario = {
  v: 1, title: "Panels", seed: 7, duration_ns: 500_000_000, machine: { cores: 8, hz: 1000 }, lanes: [{ policy: "o1-2.6.21" }],
  workloads: [{ name: "hogs", kind: "hog", count: 12 }],
};
const height = async (page, selector) => Math.round((await page.locator(selector).boundingBox()).height);

async function heights(page) {
  for (const [name, sized, key, by] of [["split-lanes", "canvas.lanes", "ArrowUp", -16], ["split-structures", ".structures .stage", "ArrowUp", -16]]) {
    const bar = id(page, name);
    const before = await height(page, sized);
    assertEqual(await bar.getAttribute("aria-orientation"), "horizontal", `${name} is told as a horizontal bar`);
    await bar.focus();
    await page.keyboard.press(key);
    await until(async () => (await height(page, sized)) === before + by, `${name}: ${key} moves it by ${by} px`);
    const place = await bar.boundingBox();
    await page.mouse.move(place.x + 200, place.y + 2);
    await page.mouse.down();
    await page.mouse.move(place.x + 200, place.y - 28, { steps: 4 });
    await page.mouse.up();
    await until(async () => (await height(page, sized)) === before + by - 30, `${name}: dragging moves it`);
  }
  const kept = [await height(page, "canvas.lanes"), await height(page, ".structures .stage")];
  await page.reload();
  await id(page, "split-lanes").waitFor();
  await until(async () => (await height(page, "canvas.lanes")) === kept[0] && (await height(page, ".structures .stage")) === kept[1], "the heights are kept");
  await id(page, "split-lanes").dblclick();
  await until(async () => (await height(page, "canvas.lanes")) > kept[0] + 30, "a double-click puts it back");
}

async function wholeScreen(page) {
  const isFull = () => page.evaluate(() => document.fullscreenElement !== null);
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("Shift+F");
  await until(isFull, "Shift+F takes the whole screen");
  await id(page, "fullscreen").click();
  await until(async () => !(await isFull()), "the button gives it back");
  await page.evaluate(() => { Element.prototype.requestFullscreen = () => Promise.reject(new TypeError("refused")); });
  await id(page, "fullscreen").click();
  await id(page, "notice").waitFor();
  assert((await id(page, "notice").innerText()).includes("F11"), "a refusal says what else there is");
}

export default async function ({ browser, page }) {
  await open(page, packed(scenario));
  await pause(page);
  await heights(page);
  await wholeScreen(page);
  const phone = await openPage(browser, { viewport: PHONE, touch: true, scale: 2 });
  await open(phone.page, packed(scenario));
  await id(phone.page, "help").tap();
  await id(phone.page, "search-open").tap();
  await phone.page.keyboard.type("hogs-3");
  await until(() => phone.page.evaluate(() => document.querySelector('[role="dialog"]')?.innerText.includes("hogs-3")), "search finds a task on a phone");
  await phone.context.close();
}
