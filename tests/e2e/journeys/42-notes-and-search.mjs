// Notes: M writes, a ring on the seek bar, the list, the link; search finds notes, tasks and schedulers.
import { assert, assertEqual, open, openPage, ready, until } from "../lib/browser.mjs";
import { digest, id, now, pause, typeTime } from "../lib/page.mjs";

export default async function ({ browser, page }) {
  await open(page);
  await pause(page);
  const before = await digest(page);
  await typeTime(page, "1500");
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("KeyM");
  await id(page, "note-text").fill("<b>here</b> a sleeper preempts");
  await id(page, "note-text").press("Enter");
  await until(async () => (await page.locator(".seek .ring").count()) === 1, "a ring on the seek bar");
  assertEqual(await digest(page), before, "digest with a note");
  assertEqual(await page.locator("b b").count(), 0, "a note is text");
  await typeTime(page, "20");
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("/");
  const find = page.locator('[data-testid="search"] input');
  await find.fill("preempts");
  await until(async () => (await id(page, "hit").count()) === 1, "the note is found");
  await find.press("Enter");
  await until(async () => (await now(page)) === 1500, "Enter goes to the note");
  await find.fill("o");
  await until(async () => (await id(page, "hit").count()) > 3, "tasks and schedulers are found");
  await find.press("Enter");
  const first = await page.locator(".hit.on").innerText();
  await find.press("Enter");
  assert((await page.locator(".hit.on").innerText()) !== first, "Enter goes to the next hit");
  await find.press("Shift+Enter");
  assertEqual(await page.locator(".hit.on").innerText(), first, "Shift+Enter goes back");
  await page.keyboard.press("Escape");
  await until(async () => /s=/.test(page.url()), "the note is in the link");
  const guest = await openPage(browser);
  try {
    await guest.page.goto(page.url());
    await ready(guest.page);
    assert((await guest.page.locator('[data-testid="note"]').innerText()).includes("<b>here</b>"), "the link brings the note");
  } finally {
    await guest.context.close();
  }
  await page.locator('[data-testid="note"] button').last().click();
  await until(async () => (await page.locator(".seek .ring").count()) === 0, "a note can be taken away");
}
