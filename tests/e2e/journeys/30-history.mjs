// History: the posts' tables, a row that is computed while one watches and judged, Run all that can be stopped, the way
// into the simulator at that row, and what is not reproduced.
import { assert, open, until } from "../lib/browser.mjs";
import { digest, id } from "../lib/page.mjs";

const computed = async (page) => Number((await id(page, "computed").innerText()).match(/^(\d+)/)[1]);

export default async function ({ page }) {
  await open(page, "#v=1&view=history&post=000");
  await until(() => id(page, "post-000").isVisible(), "the posts are listed", 30_000);
  assert((await id(page, "not-reproduced").innerText()).length > 100, "what is not reproduced is said");
  assert((await id(page, "table-lat_ctx").innerText()).includes("9.15"), "published figures stand there");
  const tables = await page.locator(".figures").evaluateAll((all) => all.map((table) => table.dataset.testid));
  const table = tables.indexOf("table-lat_ctx");
  await id(page, `run-${table}-5-0`).click();
  await until(async () => (await computed(page)) === 2, "both kernels of the row are computed", 60_000);
  const error = id(page, "error-lat_ctx-5-0");
  await until(async () => /[+−]?\d+\.\d/.test(await error.innerText()), "with their error");
  assert(Math.abs(Number((await error.innerText()).replace("−", "-").replace(/[^\d.-]/g, ""))) < 15, "which is small");
  await until(async () => (await id(page, "orderings").innerText()).includes("1 of 1"), "the row's order is kept");

  await id(page, "run-all").click();
  await until(async () => (await computed(page)) > 0, "Run all fills row by row", 60_000);
  await id(page, "run-all").click();
  await until(async () => (await page.locator(".running").count()) === 0, "and can be stopped");

  await id(page, `row-${table}-4`).click();
  assert((await id(page, "chosen-row").innerText()).includes("40 hogs"), "a row can be chosen");
  await id(page, "open-row").click();
  await until(async () => (await id(page, "view-1").getAttribute("aria-current")) === "page", "the row opens in the simulator");
  await until(async () => (await id(page, "title").inputValue()).includes("40 hogs"), "it is that row's scenario");
  assert((await id(page, "policy-1").count()) === 1, "with both kernels side by side");
  await digest(page);
  await page.goBack();
  await until(() => id(page, "history").isVisible(), "Back returns to the post");
}
