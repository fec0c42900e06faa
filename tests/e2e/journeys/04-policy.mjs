// Another scheduler for the same workload: the run is another one, and coming back gives the first one again.
import { assert, assertEqual, open } from "../lib/browser.mjs";
import { digest, digestAfter, id } from "../lib/page.mjs";

export default async function ({ page }) {
  await open(page);
  const first = await digest(page);
  const original = await id(page, "policy-0").innerText();
  await id(page, "policy-0").click();
  const items = page.locator(".policy-item");
  assert((await items.count()) >= 5, "the menu lists the schedulers");
  const other = page.locator(".policy-item:not(.on)").first();
  const key = (await other.getAttribute("data-testid")).replace("choose-", "");
  await other.click();
  const second = await digestAfter(page, first);
  assert((await id(page, "policy-0").innerText()).includes(key), "the button names the new scheduler");
  assert(second !== first, "another scheduler, another run");
  await page.goBack();
  assertEqual(await digestAfter(page, second), first, "digest after Back");
  assertEqual(await id(page, "policy-0").innerText(), original, "scheduler after Back");
}
