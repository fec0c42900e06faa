// The page's own numbers, printed as a table; nothing here fails on slowness. A moved slider until its run is drawn, frames
// while panning and zooming over many slices, frames while a big machine plays, a step back.
import { assert, open, until } from "../lib/browser.mjs";
import { digest, id, now, packed, pause, slide, typeTime } from "../lib/page.mjs";

export const options = { limit: 240_000 };

const machine = (cores, workloads, duration_ns = 10_000_000_000) => ({
  v: 1, title: "Numbers", seed: 3, duration_ns, machine: { cores, hz: 1000 }, lanes: [{ policy: "o1-2.6.21" }], workloads,
});

/** Times between animation frames, ms, while `what` goes on in the page. */
async function frames(page, count, what) {
  const run = page.evaluate((count) => new Promise((done) => {
    const times = [];
    let last = performance.now();
    requestAnimationFrame(function next(at) {
      times.push(performance.now() - last);
      last = performance.now();
      if (times.length < count) requestAnimationFrame(next);
      else done(times);
    });
  }), count);
  await what();
  const times = (await run).slice(2).sort((a, b) => a - b);
  const at = (share) => times[Math.floor(times.length * share)].toFixed(1);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${times.at(-1).toFixed(1)} ms`;
}

export default async function ({ page }) {
  const say = (what, value) => console.log(`  | ${what} | ${value} |`);
  await open(page, packed(machine(8, [{ name: "hogs", kind: "hog", count: 12 }, { name: "editor", kind: "sleeper", count: 8 }])) + "&from=0&to=1000000000&t=500000000");
  await pause(page);
  await digest(page);
  for (const [name, at] of [["from the start", "0"], ["in the middle", "500"]]) {
    await typeTime(page, at);
    const times = [];
    for (const share of [0.3, 0.32, 0.34, 0.36, 0.38]) {
      await page.evaluate(() => { delete document.body.dataset.shownMs; });
      const most = Number(await id(page, "knob-hogs-count").getAttribute("max"));
      await slide(id(page, "knob-hogs-count"), Math.round(most * (share + (at === "0" ? 0 : -0.01))));
      await until(() => page.evaluate(() => document.body.dataset.shownMs !== undefined), "the moved slider shows its run", 60_000);
      times.push(Number(await page.evaluate(() => document.body.dataset.shownMs)));
      await digest(page);
    }
    times.sort((a, b) => a - b);
    say(`slider ${name}, 10 s x 8 CPUs, shown after (goal 100 ms)`, `median ${times[2]} ms, of ${times.join(", ")}`);
  }
  const backs = [];
  for (let step = 0; step < 5; step += 1) {
    const before = await now(page);
    const start = Date.now();
    await id(page, "step-back").click();
    await until(async () => (await now(page)) !== before, "a step back");
    backs.push(Date.now() - start);
  }
  say("step back with the driver's own time (goal 50 ms)", `${Math.min(...backs)} ms`);

  await page.goto("about:blank");
  await open(page, packed(machine(8, [{ name: "ring", kind: "lat-ctx", count: 8 }, { name: "hogs", kind: "hog", count: 8 }], 30_000_000_000)));
  await pause(page);
  await until(async () => Number(await id(page, "seek").getAttribute("max")) > 0, "a long run", 60_000);
  await page.waitForTimeout(15_000);
  const switches = await page.evaluate(() => document.querySelector('[data-testid="whole-run"]')?.innerText.match(/[\d\u202f ]+(?=\s[\d\u202f ]+\/s)/)?.[0] ?? "?");
  const box = await page.locator("canvas.lanes").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 60);
  const wheel = (dx, dy, ctrl) => async () => {
    if (ctrl) await page.keyboard.down("Control");
    for (let turn = 0; turn < 30; turn += 1) await page.mouse.wheel(dx, turn % 10 < 5 ? dy : -dy);
    if (ctrl) await page.keyboard.up("Control");
  };
  await page.locator("canvas.lanes").focus();
  await page.keyboard.press("0");
  say(`zoom over ${switches} slices (goal 16 ms a frame)`, await frames(page, 60, wheel(0, 120, true)));
  say(`pan over ${switches} slices (goal 16 ms a frame)`, await frames(page, 60, wheel(80, 0, false)));

  await page.goto("about:blank");
  await open(page, packed(machine(64, [{ name: "work", kind: "sleeper", count: 800 }, { name: "hogs", kind: "hog", count: 200 }], 2_000_000_000)));
  await page.waitForTimeout(6_000);
  await typeTime(page, "0ms..200ms");
  await typeTime(page, "10");
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("Space");
  say("64 CPUs x 1,000 tasks playing (goal 60 frames/s)", await frames(page, 120, async () => {}));
  assert(await id(page, "play").isVisible(), "the page goes on");
}
