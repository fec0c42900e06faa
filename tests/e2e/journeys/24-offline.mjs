// After the first visit the page opens without a network: same version, same run; the cache holds one whole version.
import { assert, assertEqual, open, ready } from "../lib/browser.mjs";
import { digest, id } from "../lib/page.mjs";

export default async function ({ context, page }) {
  await open(page, "#v=1&ex=lat-ctx");
  const mine = await digest(page);
  await page.evaluate(async () => { await navigator.serviceWorker.ready; });
  const caches = await page.evaluate(async () => {
    const names = await caches.keys();
    const files = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).length));
    return names.map((name, index) => ({ name, files: files[index] }));
  });
  assertEqual(caches.length, 1, "caches");
  assert(/^schedscope-[0-9a-f]{16}$/.test(caches[0].name) && caches[0].files > 6, `one whole version: ${JSON.stringify(caches)}`);
  await context.setOffline(true);
  await page.reload();
  await ready(page);
  assertEqual(await digest(page), mine, "the same run without a network");
  await id(page, "share").click();
  await id(page, "qr").locator("svg").waitFor();
  await context.setOffline(false);
}
