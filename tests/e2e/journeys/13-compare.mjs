// Two schedulers side by side: a second lane, the table of differences, and both travel in the link.
import { assert, open, until } from "../lib/browser.mjs";
import { digest, id, pause } from "../lib/page.mjs";

export default async function ({ page }) {
  await open(page);
  await digest(page);
  await pause(page);
  await id(page, "add-lane").click();
  const other = page.locator(".policy-item:not(.on)").first();
  await other.click();
  await until(async () => (await id(page, "policy-1").count()) === 1, "a second lane has its button");
  await page.locator("canvas.lanes").focus().catch(() => {});
  await page.keyboard.press("3");
  await until(async () => (await id(page, "compare").first().innerText()).length > 40, "the comparison says something");
  await until(async () => /p=[^&]+(,|%2C)/i.test(page.url()), "both schedulers stand in the link");
  assert((await id(page, "compare").first().innerText()).match(/\d/), "with numbers");
}
