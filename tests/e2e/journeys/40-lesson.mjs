// A lesson opened by link: the future is hidden, answers by keys, wrong then right, verdicts with the rule, the score as
// a file; Back keeps what was answered; axe finds nothing.
import { readFileSync } from "node:fs";
import { DESKTOP, PHONE, accessibilityProblems, assert, assertEqual, open, openPage, until } from "../lib/browser.mjs";
import { id, now } from "../lib/page.mjs";

export const options = { limit: 120_000 };

const text = (page, name) => id(page, name).innerText();
const ready = (page) => until(() => id(page, "option-1-1").isVisible(), "the options are known");

export default async function ({ browser, page }) {
  await open(page, "#lesson=bitmap&step=2&seed=1");
  assertEqual(await text(page, "step-title"), "A key is pressed", "title of the step");
  await ready(page);
  assert((await page.locator(".timeline .phead").innerText()).includes("future hidden"), "the future is hidden");
  const before = await now(page);
  for (const key of ["End", "ArrowRight"]) {
    await page.keyboard.press(key);
    await page.waitForTimeout(200);
    assertEqual(await now(page), before, `the transport waits at ${key}`);
  }
  await page.keyboard.press("Enter");
  await until(() => page.getByText("Choose an option or type a number first.").isVisible(), "a missing answer is asked for");

  // The first option is a hog: wrong. The number is right.
  await page.keyboard.press("1");
  await until(() => page.evaluate(() => document.activeElement?.id === "lesson-number-1"), "the number has the focus");
  await page.keyboard.type("3,1");
  await page.keyboard.press("Enter");
  await until(() => id(page, "verdict-2").isVisible(), "verdicts");
  const wrong = await text(page, "verdict-1");
  assert(/You said hog-1. Right is vim/.test(wrong) && /better than 125/.test(wrong), wrong);
  assert((await text(page, "verdict-2")).includes("Right. 3 ms"), "the number is right");
  assertEqual(await text(page, "score"), "1 of 2", "score");
  await until(async () => (await now(page)) > before, "the decision is shown");

  // Space goes on, to the next step; both answers are right there.
  await page.keyboard.press("Space");
  await until(async () => (await text(page, "step-title")) === "A slice is used up", "Space goes on");
  await ready(page);
  assert(new URL(page.url()).hash.includes("step=3"), page.url());
  await page.keyboard.press("2");
  const right = page.locator('[data-testid^="option-2-"]').filter({ hasText: "hog-2" });
  await right.click();
  await page.keyboard.press("Enter");
  await until(async () => (await text(page, "score")) === "3 of 4", "right answers count");
  await page.screenshot({ path: `${process.env.SCHEDSCOPE_SHOTS ?? "/tmp"}/lesson-revealed.png` });

  // The file: with a name, nothing sent.
  await id(page, "answers").click();
  await id(page, "student").fill("Ada");
  const [csv] = await Promise.all([page.waitForEvent("download"), id(page, "save-csv").click()]);
  const rows = readFileSync(await csv.path(), "utf8").trim().split("\r\n");
  assertEqual(rows[0], "lesson,title,seed,name,step,question,text,answer,right,outcome", "head of the file");
  assert(rows.some((row) => row.startsWith("bitmap,") && row.includes(",Ada,2,1,") && row.endsWith("hog-1,vim,wrong")), rows.join("\n"));
  assert(rows.some((row) => row.includes(",Ada,3,2,") && row.endsWith(",right")), rows.join("\n"));
  const [json] = await Promise.all([page.waitForEvent("download"), id(page, "save-json").click()]);
  const score = JSON.parse(readFileSync(await json.path(), "utf8")).score;
  assertEqual(JSON.stringify([score.right, score.answered]), "[3,4]", "score of the file");
  await page.keyboard.press("Escape");

  // A presenter's PageUp; what was answered stays.
  await page.keyboard.press("PageUp");
  await until(() => id(page, "verdict-1").isVisible(), "back with its verdicts");
  assertEqual(await text(page, "step-title"), "A key is pressed", "PageUp");
  await page.goBack();
  await until(async () => (await text(page, "step-title")) === "A slice is used up", "Back");

  // Leaving the lesson leaves its run, without a horizon and without the lesson in the link.
  await page.keyboard.press("Escape");
  await page.evaluate(() => document.activeElement?.blur());
  await id(page, "view-1").click();
  await until(async () => (await page.locator(".cols.lesson").count()) === 0, "the run view");
  await until(() => !page.url().includes("lesson="), "the link is that of the run");

  const found = [];
  for (const [device, viewport] of [["desktop", DESKTOP], ["phone", PHONE]]) {
    for (const theme of ["dark", "light"]) {
      const guest = await openPage(browser, { viewport, theme, touch: device === "phone" });
      const check = async (what) => found.push(...(await accessibilityProblems(guest.page)).map((problem) => `${device}, ${theme}, ${what}: ${problem}`));
      const shot = (name) => guest.page.screenshot({ path: `${process.env.SCHEDSCOPE_SHOTS ?? "/tmp"}/lesson-${name}-${device}-${theme}.png` });
      await open(guest.page, "#lesson=bitmap&step=2&seed=1");
      await ready(guest.page);
      await guest.page.waitForTimeout(500);
      await shot("asks");
      await check("asks");
      await id(guest.page, "show-me").click();
      await until(() => id(guest.page, "verdict-1").isVisible(), "shown");
      await guest.page.waitForTimeout(500);
      await shot("shown");
      await check("shown");
      await guest.page.goto(`${guest.page.url().split("#")[0]}#ex=lat-ctx&view=lessons`);
      await guest.page.reload();
      await until(() => id(guest.page, "lesson-twenty-years").isVisible(), "the list");
      await shot("list");
      await check("list");
      assertEqual(guest.problems.join("; "), "", "console of the guest");
      await guest.context.close();
    }
  }
  assertEqual([...new Set(found)].join("\n    "), "", "accessibility problems");
}
