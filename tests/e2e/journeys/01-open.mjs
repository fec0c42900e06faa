// A first visit: a running scenario stands there, without a console error, and nothing is asked of another place.
import { assert, open } from "../lib/browser.mjs";

export default async function ({ page }) {
  await open(page);
  assert((await page.title()).includes("Schedscope"), "the title names the product");
  assert((await page.locator("canvas").count()) > 0, "something is drawn");
}
