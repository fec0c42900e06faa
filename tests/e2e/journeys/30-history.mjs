// History: the posts' tables, ours computed while one watches and judged, a row run again, a run that is stopped, the way
// into the simulator at a row, and what is not reproduced.
import { accessibilityProblems, assert, assertEqual, open, openPage, PHONE, until } from "../lib/browser.mjs";
import { digest, id } from "../lib/page.mjs";

const counted = async (page) => (await id(page, "computed").innerText()).match(/^(\d+)\D+(\d+)/).slice(1).map(Number);
const complete = async (page) => {
  const [some, all] = await counted(page);
  return some === all;
};

export const options = { limit: 120_000 };

export default async function ({ browser, page }) {
  await open(page, "#v=1&view=history&post=000");
  await until(() => id(page, "post-000").isVisible(), "the posts are listed", 30_000);
  assert((await id(page, "not-reproduced").innerText()).length > 100, "what is not reproduced is said");
  assert((await id(page, "table-lat_ctx").innerText()).includes("9.15"), "published figures stand there");
  const began = Date.now();
  await until(() => complete(page), "every figure of the post is computed", 60_000);
  console.log(`  post 000 was computed in ${Date.now() - began} ms`);
  await until(async () => Number((await id(page, "within").innerText()).match(/^\d+/)[0]) >= 30, "most are within 10 %");
  const [, all] = await counted(page);
  const [kept, orderings] = (await id(page, "kept").innerText()).match(/\d+/g).map(Number);
  assert(orderings >= 5 && kept === orderings, `${kept} of ${orderings} orderings kept`);

  assertEqual((await accessibilityProblems(page)).join("; "), "", "accessibility problems");

  const tables = await page.locator(".figures").evaluateAll((found) => found.map((table) => table.dataset.testid));
  const table = Number((await id(page, "table-lat_ctx").locator("button.link").first().getAttribute("data-testid")).split("-")[1]);
  assertEqual(tables[0], "table-lat_ctx", "the table with the post's point comes first");
  const error = id(page, "error-lat_ctx-5-0");
  await until(async () => /\d\.\d/.test(await error.innerText()), "the figure has its error");
  const before = await error.innerText();
  await id(page, `run-${table}-5-0`).click();
  await until(() => complete(page), "the row is computed again", 30_000);
  await until(async () => (await error.innerText()) === before, "to the same figure");

  await id(page, "run-all").click();
  await id(page, "run-all").click();
  await until(async () => (await page.locator(".running").count()) === 0, "a run can be stopped");
  const [stopped] = await counted(page);
  await page.waitForTimeout(500);
  assertEqual((await counted(page))[0], stopped, "figures after the stop");
  assert(stopped < all, `${stopped} of ${all} figures when it was stopped`);

  await id(page, "run-seeds").click();
  await until(async () => (await id(page, "seed").innerText()).includes("5"), "the seed under way is told");
  await until(async () => /\d.–.\d/u.test(await id(page, "table-lat_ctx").innerText()), "ours have a spread beside the published one", 60_000);
  await id(page, "run-all").click();
  await until(async () => (await id(page, "run-seeds").count()) === 1, "seeds can be stopped");

  await id(page, `row-${table}-4`).click();
  await until(async () => (await id(page, "strips").locator("svg.strip").count()) === 2, "each kernel of the row has a strip of its time");
  assert((await id(page, "strips").innerText()).includes("schedule and switch"), "which says where the time goes");
  for (const told of await id(page, "kinds").allInnerTexts()) {
    const parts = told.split(";")[0].match(/\d+\.\d(?=\s?%)/gu).map((part) => Math.round(Number(part) * 10));
    assertEqual(parts.reduce((sum, part) => sum + part, 0), 1000, `parts of all time: ${told}`);
  }
  assert((await id(page, "chosen-row").innerText()).includes("40 hogs"), "a row can be chosen");
  await id(page, "open-row").click();
  await until(async () => (await id(page, "view-1").getAttribute("aria-current")) === "page", "the row opens in the simulator");
  await until(async () => (await id(page, "title").inputValue()).includes("40 hogs"), "it is that row's scenario");
  assertEqual(await id(page, "policy-1").count(), 1, "a second kernel side by side");
  await digest(page);
  await page.goBack();
  await until(() => id(page, "history").isVisible(), "Back returns to the post");

  const phone = await openPage(browser, { viewport: PHONE, touch: true, theme: "light" });
  await open(phone.page);
  await id(phone.page, "views-pick").selectOption({ index: 3 });
  await until(() => complete(phone.page), "a phone computes it too", 60_000);
  assert((await phone.page.evaluate(() => document.scrollingElement.scrollWidth)) <= PHONE.width, "nothing is wider than the phone");
  const beyond = await phone.page.locator('[data-testid^="run-"]').evaluateAll((buttons) => buttons.filter((button) => button.getBoundingClientRect().right > innerWidth).length);
  assertEqual(beyond, 0, "buttons of rows that are cut at the edge");
  assertEqual((await accessibilityProblems(phone.page)).join("; "), "", "accessibility problems on a phone");
  await id(phone.page, "tab-why").tap();
  await until(async () => (await id(phone.page, "history").count()) === 0, "a tab leads back to the run");
  await phone.context.close();
}
