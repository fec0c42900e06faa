// On paper: white ground, a caption with the link, lanes and tables, nothing to click.
import { assert, assertEqual, open } from "../lib/browser.mjs";
import { pause } from "../lib/page.mjs";

export default async function ({ page }) {
  await open(page);
  await pause(page);
  await page.emulateMedia({ media: "print" });
  const caption = page.locator("#print-caption");
  await caption.waitFor();
  assert((await caption.innerText()).includes("#v=1"), "the caption holds the link");
  assertEqual(await page.locator(".transport").isVisible(), false, "no transport on paper");
  assert(await page.locator("canvas.lanes").isVisible(), "lanes on paper");
  assertEqual(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)", "white ground");
  const light = await page.locator("canvas.lanes").evaluate((canvas) => {
    const dots = canvas.getContext("2d").getImageData(2, 2, 1, 1).data;
    return dots[0] + dots[1] + dots[2];
  });
  assert(light > 600, `the canvas is painted for paper: ${light}`);
  await page.emulateMedia({ media: "screen" });
  assert(await page.locator(".transport").isVisible(), "back on the screen");
}
