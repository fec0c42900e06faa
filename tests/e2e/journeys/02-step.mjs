// Pause, step forward, step back: back is exactly where we came from, by button and by key.
import { assert, assertEqual, open, until } from "../lib/browser.mjs";
import { id, isPlaying, now, pause, typeTime } from "../lib/page.mjs";

const moved = (page, from, what) => until(async () => (await now(page)) !== from, what);

export default async function ({ page }) {
  await open(page);
  await pause(page);
  await typeTime(page, "500");
  const start = await now(page);
  assertEqual(start, 500, "typed time");
  await id(page, "step").click();
  await moved(page, start, "a step forward");
  const first = await now(page);
  assert(first > start, "forward goes forward");
  await id(page, "step").click();
  await moved(page, first, "a second step");
  const second = await now(page);
  await id(page, "step-back").click();
  await moved(page, second, "a step back");
  assertEqual(await now(page), first, "the step back");
  await page.locator("canvas.lanes").focus();
  await page.keyboard.press("ArrowRight");
  await until(async () => (await now(page)) === second, "the right arrow is a step");
  await page.keyboard.press("Shift+ArrowLeft");
  await moved(page, second, "shift and left arrow is an event back");
  assert((await now(page)) < second, "an event back goes back");
  await page.keyboard.press("Space");
  await until(() => isPlaying(page), "space plays");
  await page.keyboard.press("Space");
  await until(async () => !(await isPlaying(page)), "space pauses");
  await page.keyboard.press("Home");
  await until(async () => (await now(page)) === 0, "home is the start");
}
