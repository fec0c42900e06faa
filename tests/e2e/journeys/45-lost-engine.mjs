// The engine's file cannot be fetched, or its worker dies without a word: a card, the link, a restart that loses nothing.
import { address, until } from "../lib/browser.mjs";
import { digest, id, pause, slide } from "../lib/page.mjs";

export const options = { limit: 120_000, expectedProblems: [/worker/i, /Failed to load/, /ERR_FAILED/, /fetch/i] };

export default async function ({ page }) {
  await page.route(/worker[^/]*\.wasm/, (route) => route.abort());
  await page.goto(`${address}#v=1&ex=interactive&hogs=5`);
  await until(async () => (await id(page, "engine-lost").count()) > 0, "a card says that the engine has not loaded", 30_000);
  await page.unroute(/worker[^/]*\.wasm/);
  await id(page, "restart").click();
  await until(async () => (await id(page, "engine-lost").count()) === 0, "the card goes with the restart");
  const first = await digest(page);
  await pause(page);
  const dying = page.workers().at(-1);
  await dying.evaluate("self.close()").catch(() => {});
  await slide(page.locator('[data-testid^="knob-"][data-testid$="-count"]').first(), 3);
  await until(async () => (await id(page, "engine-lost").count()) > 0, "a worker that died is noticed", 30_000);
  await id(page, "restart").click();
  await until(async () => {
    const text = (await id(page, "digest").innerText()).replace(/\s/g, "");
    return /^[0-9a-f]{16}$/.test(text) && text !== first;
  }, "the restarted engine runs the scenario with the moved slider", 30_000);
  // A card that a slow start brought goes with the first answer, at its own pace.
  await until(async () => (await id(page, "engine-lost").count()) === 0, "no card stays");
}
