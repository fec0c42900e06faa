// First visit: a scenario runs at once, time moves, something is drawn, and its digest is the native one.
import { assert, assertEqual, open, until } from "../lib/browser.mjs";
import { digest, id, isPlaying, nativeDigest, now } from "../lib/page.mjs";

export default async function ({ page }) {
  await open(page);
  assert((await page.title()).includes("Schedscope"), "the title names the product");
  assert(await isPlaying(page), "the first visit plays");
  const before = await now(page);
  await until(async () => (await now(page)) > before, "time moves");
  const colours = await page.locator("canvas.lanes").evaluate((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Set();
    for (let at = 0; at < data.length; at += 4 * 97) seen.add((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
    return seen.size;
  });
  assert(colours > 8, `the timeline is drawn (${colours} colours)`);
  assert((await id(page, "facts-line").textContent()).includes("2 CPUs"), "the facts name the machine");
  assertEqual(await digest(page), nativeDigest("interactive"), "digest in Chromium against native");
}
