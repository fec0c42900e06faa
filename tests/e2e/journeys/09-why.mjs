// Click a slice: one sentence with its numbers, the candidates; the selection travels by keys. What would have given another
// outcome is one click away.
import { accessibilityProblems, assert, assertEqual, open, until } from "../lib/browser.mjs";
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
  // A sleeper with its full bonus among hogs: the distance to the other outcome, the level that would have given it, the way.
  await open(page, "#v=1&ex=interactive&p=o1-2.6.21&t=4000000000&from=3990000000&to=4050000000");
  await pause(page);
  await digest(page);
  await lanes.focus();
  const hangs = async () => (await id(page, "turns").locator("button.turn").count()) > 0 && (await id(page, "distance").count()) > 0;
  for (let slice = 0; slice < 12 && !(await hangs()); slice += 1) {
    const before = await id(page, "facts").innerText();
    await page.keyboard.press("Period");
    await until(async () => (await id(page, "facts").innerText()) !== before, "the facts are those of the next slice");
    // The levels are tried out after that.
    await page.waitForTimeout(500);
  }
  assert(await hangs(), "a slice whose outcome hangs on a nice level");
  await until(async () => (await id(page, "path").locator("rect").count()) > 1, "the way of the request is drawn");
  assertEqual((await accessibilityProblems(page)).join("\n"), "", "accessibility with a chosen slice");
  const told = await id(page, "turns").locator("button.turn").first().innerText();
  const level = /nice ([+−]?\d+) or/.exec(told)?.[1].replace("+", "").replace("−", "-");
  assert(level !== undefined, `a level is named: ${JSON.stringify(told)}`);
  await id(page, "turns").locator("button.turn").first().click();
  await until(async () => (await page.locator(".policy-lanes .lanehead").count()) === 1, "a click shows it as a second lane");
  assert((await page.locator(".policy-lanes .lanehead").innerText()).includes(`nice ${level}`), "with that level");
  await until(async () => /[0-9]/.test(await id(page, "divergence").innerText()), "which differs from the first one");
}
