// Every key of the sheet does what the sheet says; the sheet lists them all. Then the bars between panels.
import { assert, assertEqual, open, until } from "../lib/browser.mjs";
import { digest, id, isPlaying, now, pause, typeTime } from "../lib/page.mjs";

const span = (page) => page.locator(".window-text").innerText();
const free = (page) => page.evaluate(() => document.activeElement?.blur());
const changes = async (page, read, key, what) => {
  const before = await read();
  await page.keyboard.press(key);
  await until(async () => (await read()) !== before, `${key}: ${what}`);
};

export default async function ({ page }) {
  await open(page, "#v=1&ex=interactive&t=500000000&from=400000000&to=600000000");
  await pause(page);
  await digest(page);
  const at = () => now(page);
  const url = () => page.url();
  for (const [key, what] of [["ArrowRight", "a decision forward"], ["ArrowLeft", "a decision back"], ["Shift+ArrowRight", "an event forward"], ["Shift+ArrowLeft", "an event back"]]) await changes(page, at, key, what);
  for (const unit of [1, 2, 3]) {
    await id(page, "step-by").selectOption({ index: unit });
    const before = await at();
    await id(page, "step").click();
    await until(async () => (await at()) > before, `a step by unit ${unit}`);
  }
  await id(page, "step-by").selectOption({ index: 0 });
  await free(page);
  const speed = () => page.locator(".transport .speed .val").innerText();
  await changes(page, speed, "<", "slower");
  await changes(page, speed, ">", "faster");
  for (const [key, what] of [["KeyW", "zoom in"], ["KeyS", "zoom out"]]) {
    const before = await span(page);
    await page.keyboard.down(key);
    await page.waitForTimeout(150);
    await page.keyboard.up(key);
    assert((await span(page)) !== before, `${key}: ${what}`);
  }
  for (const key of ["KeyD", "KeyA"]) {
    const before = url();
    await page.keyboard.down(key);
    await page.waitForTimeout(150);
    await page.keyboard.up(key);
    await until(async () => url() !== before, `${key} pans`);
  }
  await changes(page, () => span(page), "0", "the whole run");
  await typeTime(page, "400ms..600ms");
  await free(page);
  await page.keyboard.press("Period");
  await until(async () => /sel=/.test(url()), ". selects a slice");
  await changes(page, url, "Comma", "the slice before");
  const box = await page.locator("canvas.lanes").boundingBox();
  const told = await id(page, "facts").innerText();
  await page.locator("canvas.lanes").click({ position: { x: box.width * 0.5, y: 40 } });
  await free(page);
  // Until the engine has told of the chosen slice, F takes the one before for it.
  await until(async () => (await id(page, "facts").innerText()) !== told, "the facts are those of the chosen slice");
  await changes(page, () => span(page).then(async (text) => text + url()), "KeyF", "centres the selection");
  await page.keyboard.press("KeyF");
  await until(async () => !(await span(page)).startsWith("200"), "F again fits it");
  await page.keyboard.press("BracketLeft");
  await page.keyboard.press("BracketRight");
  await changes(page, () => page.locator('[data-testid^="cpu-"].on, .seg .on').allInnerTexts().then(String), "ArrowDown", "the CPU below");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Escape");
  await until(async () => !/sel=/.test(url()), "Esc clears");
  const inspector = () => id(page, "inspector").count();
  await changes(page, inspector, "KeyQ", "folds the inspector");
  await page.keyboard.press("Enter");
  await until(async () => (await inspector()) === 1, "Enter opens it");
  await changes(page, () => id(page, "scenario").count(), "\\", "folds the scenario");
  await page.keyboard.press("\\");
  await page.keyboard.press("KeyT");
  await until(() => page.evaluate(() => document.activeElement?.id === "time-box"), "T goes to the time box");
  await page.keyboard.press("Escape");
  await free(page);
  for (const view of ["2", "3", "1"]) {
    await page.keyboard.press(view);
    await until(async () => (await id(page, `view-${view}`).getAttribute("aria-current")) === "page", `view ${view}`);
  }
  await page.keyboard.press("KeyY");
  await until(async () => (await page.evaluate(() => navigator.clipboard.readText())).includes("#v=1"), "Y copies the link");
  await page.keyboard.press("Space");
  await until(() => isPlaying(page), "space plays");
  await page.keyboard.press("Space");
  await page.keyboard.press("End");
  await until(async () => (await at()) === 10_000, "End");
  await page.keyboard.press("Home");
  await until(async () => (await at()) === 0, "Home");
  await page.keyboard.press("?");
  const sheet = await id(page, "keys-sheet").innerText();
  for (const word of ["what if", "note", "next difference", "waker", "pin", "whole run"]) assert(sheet.includes(word), `the sheet has ${word}`);
  await page.keyboard.press("Escape");

  const bar = id(page, "split-left");
  const width = async () => Number(await bar.getAttribute("aria-valuenow"));
  const first = await width();
  await bar.focus();
  await page.keyboard.press("ArrowRight");
  await until(async () => (await width()) === first + 16, "an arrow key widens the panel");
  const place = await bar.boundingBox();
  await page.mouse.move(place.x + 2, place.y + 200);
  await page.mouse.down();
  await page.mouse.move(place.x + 62, place.y + 200, { steps: 4 });
  await page.mouse.up();
  await until(async () => (await width()) === first + 76, "dragging widens it");
  assertEqual(Math.round((await id(page, "scenario").boundingBox()).width), first + 76, "width of the panel");
  await page.reload();
  await until(async () => (await id(page, "split-left").count()) === 1 && (await width()) === first + 76, "the width is kept");
}
