// What if: key I, one thing different, a second lane from that moment on, in the link too.
import { assert, assertEqual, open, openPage, ready, until } from "../lib/browser.mjs";
import { digest, id, packed, pause, smallScenario, typeTime } from "../lib/page.mjs";

export default async function ({ browser, page }) {
  await open(page, packed(smallScenario()));
  await pause(page);
  const plain = await digest(page);
  await typeTime(page, "500ms..700ms");
  await typeTime(page, "600");
  const box = await page.locator("canvas.lanes").boundingBox();
  await page.locator("canvas.lanes").click({ position: { x: box.width * 0.6, y: 40 } });
  await until(async () => /nice of/.test(await id(page, "what-if-what").innerText()), "the nice level of the task can be different");
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("KeyI");
  await until(() => page.evaluate(() => document.activeElement?.id === "what-if"), "I goes to what if");
  await id(page, "what-if-value").fill("19");
  await id(page, "what-if").click();
  await until(async () => (await id(page, "divergence").count()) > 0, "the second lane stands beside the first");
  assertEqual(await page.locator(".timeline canvas.lanes").count(), 2, "two lanes");
  assertEqual(await digest(page), plain, "digest of the first lane");
  await until(async () => /nice 19/.test(await page.locator(".policy-lanes .lanehead").innerText()), "the lane says what is different");
  await until(async () => /\d/.test(await id(page, "differences").innerText()), "numbers come");
  const link = page.url();
  const guest = await openPage(browser);
  try {
    await guest.page.goto(link);
    await ready(guest.page);
    await until(async () => (await guest.page.locator(".policy-lanes .lanehead").count()) === 1, "the link brings the second lane");
    assert((await guest.page.locator(".policy-lanes .lanehead").innerText()).includes("nice 19"), "and what is different in it");
    assertEqual(guest.problems.join("; "), "", "console of the guest");
  } finally {
    await guest.context.close();
  }
}
