// Two schedulers side by side: a second lane, the table of differences, and both travel in the link.
import { readFileSync } from "node:fs";
import { assert, assertEqual, open, until } from "../lib/browser.mjs";
import { digest, id, pause } from "../lib/page.mjs";

export default async function ({ page }) {
  await open(page);
  await digest(page);
  await pause(page);
  const first = await id(page, "policy-0").innerText();
  await page.keyboard.press("3");
  await until(async () => (await page.locator('[data-testid^="beside-"]').count()) > 3, "schedulers of other families are offered");
  await id(page, "compare").locator("button.link").click();
  const other = page.locator(".policy-item:not(.on)").first();
  await other.click();
  await until(async () => (await id(page, "policy-1").count()) === 1, "a second lane has its button");
  assertEqual((await id(page, "policy-0").innerText()).includes(first.trim()), true, "the first lane stays what it was");
  await page.locator("canvas.lanes").focus().catch(() => {});
  await page.keyboard.press("3");
  await until(async () => (await id(page, "compare").first().innerText()).length > 40, "the comparison says something");
  await until(async () => /p=[^&]+(,|%2C)/i.test(page.url()), "both schedulers stand in the link");
  assert((await id(page, "compare").first().innerText()).match(/\d/), "with numbers");
  const hex = async (lane) => (await id(page, lane).innerText()).replace(/\s/g, "");
  await until(async () => /^[0-9a-f]{16}$/.test(await hex("digest-1")), "the second lane's digest", 30_000);
  assert((await hex("digest-1")) !== (await hex("digest")), "another schedule");
  await until(async () => /\d×/.test(await id(page, "differences").innerText()), "ratios");
  const [download] = await Promise.all([page.waitForEvent("download"), id(page, "differences-csv").click()]);
  const rows = readFileSync(await download.path(), "utf8").trim().split("\n");
  assert(rows[0].startsWith('section,measure,unit,"A ') && rows.length > 12 && rows.every((row) => row.split(",").length >= 5), `differences as CSV: ${rows[0]}`);
}
