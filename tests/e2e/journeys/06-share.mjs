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
  await everyDigestIsOfItsTitle(browser);
}

/** A link pasted into an open page: in no painted frame does the digest of one run stand beside the title of another. */
async function everyDigestIsOfItsTitle(browser) {
  const guest = await openPage(browser);
  const { page } = guest;
  try {
    await open(page);
    await digest(page);
    await page.evaluate(() => {
      const shown = { title: document.querySelector("[data-testid=title]"), digest: document.querySelector("[data-testid=digest]") };
      const changing = document.createElement("div");
      changing.style.cssText = "position:fixed;top:0;height:1px;visibility:hidden";
      document.body.append(changing);
      window.pairs = new Map();
      // A size observer runs after a frame's callbacks and layout: what it reads is what is painted.
      new ResizeObserver(() => {
        const text = shown.digest.textContent.replace(/\s/g, "").match(/^[0-9a-f]{16}$/)?.[0];
        if (text) window.pairs.set(text, [...new Set([...(window.pairs.get(text) ?? []), shown.title.value])]);
      }).observe(changing);
      const next = () => {
        changing.style.width = changing.style.width === "1px" ? "2px" : "1px";
        requestAnimationFrame(next);
      };
      next();
    });
    for (const [count, title] of ["One", "Two", "Three", "Four"].entries()) {
      await page.evaluate((hash) => (location.hash = hash), packed({ v: 1, title, duration_ns: 20_000_000_000, machine: { cores: 2, hz: 1000 },
        lanes: [{ policy: "o1-2.6.21" }], workloads: [{ name: "hogs", kind: "hog", count: count + 1 }] }));
      await until(async () => (await id(page, "title").inputValue()) === title, `the link "${title}" opens`);
      await digest(page);
    }
    const pairs = await page.evaluate(() => [...window.pairs]);
    assert(pairs.length >= 3, `digests were seen: ${JSON.stringify(pairs)}`);
    for (const [text, titles] of pairs) assertEqual(titles.length, 1, `titles beside ${text} (${titles.join(", ")})`);
  } finally {
    await guest.context.close();
  }
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
