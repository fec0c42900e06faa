// Share: the copied link opens the same scenario, moment, window and digest in a fresh browser, and natively.
import { assert, assertEqual, open, openPage, ready, until } from "../lib/browser.mjs";
import { digest, id, nativeDigest, now, packed, pause, slide, typeTime } from "../lib/page.mjs";

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
  await opensFarInARun(browser);
}

/** A moment that is simulated only after the page is there: sentence, facts, queue and graphs are of that moment too. */
async function opensFarInARun(browser) {
  const far = packed({ v: 1, title: "Far", duration_ns: 60_000_000_000, machine: { cores: 4, hz: 1000 }, lanes: [{ policy: "o1-2.6.21" }],
    workloads: [{ name: "tb", kind: "tbench", count: 8 }, { name: "hogs", kind: "hog", count: 2 }] });
  const guest = await openPage(browser);
  const { page } = guest;
  try {
    await page.goto(new URL(`/${far}&t=59000000000`, process.env.SCHEDSCOPE_URL).href);
    await ready(page);
    await digest(page);
    const facts = async () => Number((await id(page, "facts").locator("h3 .t3").innerText()).replace(/.*·/, "").replace(/[^\d.]/g, ""));
    await until(async () => (await facts()) > 50_000, "the facts are those of 59 s");
    const shown = async () => `${await id(page, "why").innerText()}\n${await id(page, "structures").innerText()}\n${await facts()}`;
    let arrived = "";
    await until(async () => {
      const before = arrived;
      await page.waitForTimeout(400); // words follow pictures at their own pace
      arrived = await shown();
      return arrived === before;
    }, "the page rests");
    await typeTime(page, "58");
    await until(async () => (await facts()) < 50_000, "another moment");
    await typeTime(page, "59000");
    await until(async () => (await facts()) > 50_000, "back at 59 s");
    await until(async () => (await shown()) === arrived, "the same as when the link opened");
  } finally {
    await guest.context.close();
  }
}
