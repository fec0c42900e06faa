// A slider moved in the middle of the run: the change is listed, the run is another one from there, and taking the
// change back gives the first run again. The new picture comes within the promised time (told, not judged).
import { assert, assertEqual, open } from "../lib/browser.mjs";
import { digest, digestAfter, id, pause, slide, typeTime } from "../lib/page.mjs";

export default async function ({ page }) {
  await open(page, "#v=1&ex=lat-ctx");
  const first = await digest(page);
  await pause(page);
  await typeTime(page, "1000");
  const start = Date.now();
  await slide(page.locator('[data-testid^="knob-"][data-testid$="-count"]').last(), 30);
  const second = await digestAfter(page, first);
  console.log(`  a moved slider showed its whole new run after ${Date.now() - start} ms`);
  const changes = id(page, "change");
  assertEqual(await changes.count(), 1, "changes during the run");
  assert(/1\s000|1\.0|1000/.test(await changes.first().innerText()), "the change names its moment");
  await changes.first().getByRole("button").last().click();
  assertEqual(await digestAfter(page, second), first, "digest after the change was taken back");
}
