// Share: the copied link opens the same scenario, moment, window and digest in a fresh browser, and natively.
import { assert, assertEqual, open, openPage, ready, until } from "../lib/browser.mjs";
import { digest, id, nativeDigest, now, pause, slide, typeTime } from "../lib/page.mjs";

export default async function ({ browser, page }) {
  await open(page);
  await pause(page);
  await slide(page.locator('[data-testid^="knob-"][data-testid$="-count"]').first(), 7);
  await typeTime(page, "800ms..900ms");
  await typeTime(page, "850");
  const mine = await digest(page);
  await id(page, "share").click();
  const link = await id(page, "link").inputValue();
  await id(page, "copy-link").click();
  assertEqual(await page.evaluate(() => navigator.clipboard.readText()), link, "clipboard");
  assert(link.length <= 1500, `a typical link has at most 1,500 characters, this one ${link.length}`);
  await page.keyboard.press("Escape");
  await until(async () => (await id(page, "share-dialog").count()) === 0, "escape closes the dialog");

  const guest = await openPage(browser);
  try {
    await guest.page.goto(link);
    await ready(guest.page);
    assertEqual(await digest(guest.page), mine, "digest of the shared link");
    assertEqual(await now(guest.page), 850, "moment of the shared link");
    assert((await guest.page.locator(".window-text").innerText()).startsWith("100"), "window of the shared link");
    assertEqual(guest.problems.join("; "), "", "console of the guest");
  } finally {
    await guest.context.close();
  }
  assertEqual(nativeDigest(link), mine, "digest by the command line");
}
