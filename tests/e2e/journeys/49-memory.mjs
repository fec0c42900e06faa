// The memory of the tab stays flat while a run plays again and again. Short here; SCHEDSCOPE_SOAK_MINUTES=10 plays that long.
import { assert, open } from "../lib/browser.mjs";
import { install, memory } from "../lib/meter.mjs";
import { note } from "../lib/numbers.mjs";
import { digest, id, isPlaying } from "../lib/page.mjs";

const minutes = Number(process.env.SCHEDSCOPE_SOAK_MINUTES ?? 0.4);
/** Caches fill first. */
const WARM_MS = 8_000;
/** More than this is growth, MiB: collections and page-wise growth of memories move less. */
const GROWTH_MAX = 8;

/** It tells figures and judges none: a slow run of the suite leaves it out. */
export const measures = true;
export const options = { limit: minutes * 60_000 + 90_000 };

export default async function ({ page }) {
  await install(page);
  await open(page, "#v=1&ex=lat-ctx");
  await digest(page);
  if (!(await isPlaying(page))) await id(page, "play").click();
  await id(page, "loop").click();
  await page.waitForTimeout(WARM_MS);
  const first = await memory(page);
  const say = (at, now) => console.log(`  ${at}: ${now.all.toFixed(1)} MiB (scripts ${now.heap.toFixed(1)}, page ${now.page.toFixed(1)}, engine ${now.worker.toFixed(1)})`);
  say("after warming up", first);
  const end = Date.now() + minutes * 60_000;
  let last = first;
  while (Date.now() < end) {
    await page.waitForTimeout(Math.min(60_000, end - Date.now()));
    last = await memory(page);
    say(`after ${(minutes - (end - Date.now()) / 60_000).toFixed(1)} min`, last);
  }
  assert(await isPlaying(page), "it still plays");
  assert(first.page > 0 && first.worker > 0, "the memories of page and engine were found");
  const growth = last.all - first.all;
  note(`memory of the tab, growth in ${minutes} min of play`, growth, "MiB", GROWTH_MAX, `${first.all.toFixed(1)} to ${last.all.toFixed(1)} MiB`);
  assert(growth <= GROWTH_MAX, `the tab grew by ${growth.toFixed(1)} MiB in ${minutes} min`);
}
