// Click a slice: one sentence with its numbers, the candidates; the selection travels by keys and is cleared.
import { assert, open, until } from "../lib/browser.mjs";
import { digest, id, pause, typeTime } from "../lib/page.mjs";

export default async function ({ page }) {
  await open(page);
  await digest(page);
  await pause(page);
  await typeTime(page, "400ms..440ms");
  await page.waitForTimeout(300);
  const lanes = page.locator("canvas.lanes");
  const box = await lanes.boundingBox();
  await lanes.click({ position: { x: box.width * 0.6, y: 40 } });
  await until(async () => (await id(page, "why-sentence").count()) > 0, "a click selects and explains");
  const sentence = await id(page, "why-sentence").innerText();
  assert(sentence.length > 20 && /\d/.test(sentence), `a sentence with numbers: ${JSON.stringify(sentence)}`);
  assert(!/[{}]/.test(sentence), `no template is left open: ${JSON.stringify(sentence)}`);
  await lanes.focus();
  await page.keyboard.press("Period");
  await until(async () => (await id(page, "facts").count()) > 0, "the next slice has its facts");
  await page.keyboard.press("KeyF");
  await page.keyboard.press("Escape");
}
