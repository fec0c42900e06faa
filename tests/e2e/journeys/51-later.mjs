// Code that the first picture does not need comes after it; what is called sooner waits for it and works all the same.
import { assert, open, until } from "../lib/browser.mjs";
import { id } from "../lib/page.mjs";

export default async function ({ page }) {
  // What a service worker answers cannot be held up from here.
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "serviceWorker", { value: undefined }));
  const asked = [];
  page.on("request", (request) => {
    const name = request.url().split("/").pop();
    if (/_later-[0-9a-f]{16}\.wasm$/.test(name)) asked.push({ name, kind: request.resourceType() });
  });
  const names = () => new Set(asked.map((one) => one.name.split("_")[0]));
  await open(page, "");
  await until(async () => names().has("app"), "the rest of the page comes by itself");
  // The stand-ins ask with an XMLHttpRequest, everything else with fetch. A page that was built quickly, not small, keeps
  // more functions apart and may call into the rest: that costs time, so it is told, not judged.
  const early = asked.filter((one) => one.kind === "xhr").map((one) => one.name);
  if (early.length > 0) console.log(`  the first picture waited for ${early.join(", ")}: see xtask/src/parts.rs`);

  // A visitor who is quicker than the rest: it never arrives by itself.
  await page.route(/app_later/, (route) => (route.request().resourceType() === "fetch" ? route.abort() : route.continue()));
  asked.length = 0;
  await open(page, "");
  await page.keyboard.press("4");
  await until(async () => (await page.locator('[data-testid^="post-"]').count()) >= 5, "the history opens");
  assert(asked.some((one) => one.kind === "xhr" && one.name.startsWith("app")), `it was fetched when it was called: ${JSON.stringify(asked)}`);
  assert(await id(page, "engine-lost").count() === 0, "the engine is there");
}

export const options = { expectedProblems: [/app_later/, /ERR_FAILED/, /Failed to load resource/] };
