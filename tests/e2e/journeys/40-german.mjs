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

  // A lesson and its scenario, the verdict with the engine's sentence; numbers with a comma.
  await page.goto(`${page.url().split("#")[0]}#lesson=bitmap&step=2&seed=1&lang=de`);
  await page.reload();
  await until(async () => (await id(page, "step-title").innerText()) === "Eine Taste wird gedrückt", "the step speaks German");
  await until(() => id(page, "option-1-1").isVisible(), "the options are known");
  assert((await id(page, "question-1").innerText()).includes("Wer läuft als Nächster auf CPU 0?"), "the question speaks German");
  await id(page, "show-me").click();
  await until(() => id(page, "verdict-1").isVisible(), "the verdict");
  const verdict = await id(page, "verdict-1").innerText();
  assert(/lauffähig mit Priorität/.test(verdict) && /echt besser/.test(verdict), `reason and rule speak German: ${verdict}`);
  assert(/^\d+,\d+/.test(await id(page, "time").inputValue()), "a decimal comma");

  // A post.
  await page.goto(`${page.url().split("#")[0]}#ex=lat-ctx&view=history&post=000&lang=de`);
  await page.reload();
  await until(async () => /Mit 50 CPU-Fressern .* 1,6 µs/.test(await id(page, "history").innerText()), "the post's claim speaks German");
  assert(/Streuung von Lauf zu Lauf/.test(await id(page, "not-reproduced").innerText()), "what is not reproduced speaks German");
  assert(/Januar 2002/.test(await id(page, "post-000").innerText()), "the date speaks German");
  const english = (await page.locator("body").innerText()).match(/\b(the|and|of|with|is|are)\b[^\n]*/g) ?? [];
  assertEqual(english.join(" | "), "", "English left on the page of a post");

  // A fault of a link.
  await page.goto(`${page.url().split("#")[0]}#ex=lat-ctx&hogs=many&lang=de`);
  await page.reload();
  await until(async () => (await id(page, "error-card").innerText()).includes("ist keine ganze Zahl"), "the fault is told in German");

  // The choice of the language, by keys alone.
  await open(page, "#ex=interactive&t=2s&lang=de");
  await page.reload();
  await until(async () => (await id(page, "share").getAttribute("aria-label")) === "Teilen", "German again");
  await page.keyboard.press("?");
  await id(page, "language").focus();
  await page.keyboard.press("ArrowUp");
  await until(async () => (await language(page)) === "en", "a choice goes before the link's wish");
  await open(page, "#ex=interactive&lang=xx");
  await until(async () => (await id(page, "share").getAttribute("aria-label")) === "Share", "an unknown language is English");
}
