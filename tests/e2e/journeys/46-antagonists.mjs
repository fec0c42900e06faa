// A marked range says who kept the selected task waiting; the facts say the wait chain with times.
import { assert, open, until } from "../lib/browser.mjs";
import { digest, id, packed, pause, smallScenario, typeTime } from "../lib/page.mjs";

export default async function ({ page }) {
  await open(page, packed(smallScenario()));
  await pause(page);
  await digest(page);
  await typeTime(page, "0ms..1000ms");
  const lanes = page.locator("canvas.lanes");
  const box = await lanes.boundingBox();
  await lanes.click({ position: { x: box.width * 0.6, y: 40 } });
  await until(async () => (await id(page, "why-sentence").count()) > 0, "a slice is selected");
  await page.mouse.move(box.x + box.width * 0.3, box.y + 45);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.9, box.y + 45, { steps: 5 });
  await page.mouse.up();
  await until(async () => (await id(page, "antagonists").count()) > 0, "the range names who ran meanwhile");
  assert(/\d/.test(await id(page, "antagonists").innerText()), "with times");
  const chains = [];
  for (let step = 0; step < 6 && chains.length === 0; step += 1) {
    await page.keyboard.press("Period");
    await page.waitForTimeout(250);
    if ((await id(page, "chain").count()) > 0) chains.push(await id(page, "chain").innerText());
  }
  assert(chains.length > 0 && /\d.*behind/.test(chains[0]), `a wait chain with times: ${chains[0]}`);
}
