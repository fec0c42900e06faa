// The page in German: by the link, by the visitor's choice, sentences of the engine too; an unknown language is English.
import { assert, assertEqual, open, until } from "../lib/browser.mjs";
import { id } from "../lib/page.mjs";

// A page that is being loaded anew has no language yet.
const language = (page) => page.evaluate(() => document.documentElement.lang).catch(() => "");

export default async function ({ page }) {
  await open(page, "#ex=interactive&t=2s&lang=de");
  assertEqual(await language(page), "de", "the link's language");
  await until(async () => (await id(page, "share").getAttribute("aria-label")) === "Teilen", "buttons speak German");
  await until(async () => /ist|läuft|Priorität/.test(await id(page, "why-sentence").innerText()), "the reason speaks German");
  assert(!/ is the | runs on /.test(await id(page, "why-sentence").innerText()), "no English is left in the reason");
  await page.keyboard.press("?");
  await id(page, "language").selectOption("en");
  await until(async () => (await language(page)) === "en", "a choice goes before the link's wish");
  await open(page, "#ex=interactive&lang=xx");
  await until(async () => (await id(page, "share").getAttribute("aria-label")) === "Share", "an unknown language is English");
}
