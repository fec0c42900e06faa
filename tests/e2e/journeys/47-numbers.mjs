// The page's own numbers; nothing here fails on slowness. A moved slider until its run is drawn, frames while panning and
// zooming over millions of slices and while a big machine plays, a step back, interactions.
import { assert, open, until } from "../lib/browser.mjs";
import { frames, install, keyToPaint } from "../lib/meter.mjs";
import { note, spread } from "../lib/numbers.mjs";
import { digest, id, packed, pause, slide, typeTime } from "../lib/page.mjs";

/** It tells figures and judges none: a slow run of the suite leaves it out. */
export const measures = true;
export const options = { limit: 240_000 };

const SLICES_MIN = 5_000_000;
/** The page's own work in a frame. */
const WORK_MS = 16;
/** 60 frames a second: their distance is 16.7 ms when none is missed. */
const FRAME_MS = 17;

const machine = (cores, workloads, duration_ns = 10_000_000_000) => ({
  v: 1, title: "Numbers", seed: 3, duration_ns, machine: { cores, hz: 1000 }, lanes: [{ policy: "o1-2.6.21" }], workloads,
});

/** The number of switches that the inspector tells of the whole run. */
const switches = (page) => page.evaluate(() => {
  const cell = document.querySelector('[data-testid="whole-run"] dl dd');
  return Number((cell?.firstChild?.textContent ?? "").replace(/\D/g, ""));
});

async function slider(page) {
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
    note(`slider ${name}, 10 s x 8 CPUs, until shown`, spread(times).p50, "ms", 100, spread(times).text);
  }
}

async function steps(page) {
  await page.evaluate(() => document.activeElement?.blur());
  for (const [name, at] of [["near the start", "900"], ["near the end", "9900"]]) {
    await typeTime(page, at);
    await page.evaluate(() => document.activeElement?.blur());
    const times = [];
    for (let step = 0; step < 8; step += 1) times.push(await keyToPaint(page, "ArrowLeft"));
    const [painted, heard] = [spread(times.map((time) => time.painted)), spread(times.map((time) => time.heard))];
    note(`step back ${name}, key to painted frame`, painted.p50, "ms", 50, `${painted.text}; engine's first answer p50 ${heard.p50.toFixed(1)} ms`);
  }
}

async function interactions(page) {
  for (const key of ["2", "1", "?", "Escape", "/", "Escape", "e", "Escape", "ArrowRight", "Space", "Space", "q", "q"]) {
    await page.keyboard.press(key);
    await page.waitForTimeout(150);
  }
  const box = await page.locator("canvas.lanes").boundingBox();
  for (const share of [0.3, 0.5, 0.7]) await page.mouse.click(box.x + box.width * share, box.y + 60);
  await page.waitForTimeout(500);
  const { worst, shifts } = await page.evaluate(() => ({ worst: Math.max(0, ...window.__meter.interactions), shifts: window.__meter.shifts }));
  note("worst interaction of 16 (INP)", worst, "ms", 100, "keys, dialogs, clicks on slices; 0: each under 16 ms");
  note("layout shifts on the way (CLS)", Math.round(shifts * 1000) / 1000, "", 0);
}

function noteFrames(what, { between, own }) {
  const [all, mine] = [spread(between), spread(own)];
  note(`${what}, between frames`, all.p50, "ms", FRAME_MS, all.text);
  note(`${what}, the page's own work`, mine.p95, "ms a frame (p95)", WORK_MS, mine.text);
}

async function millions(page) {
  await page.goto("about:blank");
  await open(page, packed(machine(8, [{ name: "ring", kind: "lat-ctx", count: 8 }, { name: "hogs", kind: "hog", count: 8 }], 2_500_000_000)));
  await pause(page);
  await until(async () => /^[0-9a-f ]{16,}$/.test(await id(page, "digest").innerText()), "the long run is simulated", 60_000);
  await until(async () => (await switches(page)) >= SLICES_MIN, `at least ${SLICES_MIN} slices`, 20_000);
  const count = `${((await switches(page)) / 1e6).toFixed(1)} M slices`;
  const box = await page.locator("canvas.lanes").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 60);
  const wheel = (dx, dy, ctrl) => async () => {
    if (ctrl) await page.keyboard.down("Control");
    for (let turn = 0; turn < 30; turn += 1) await page.mouse.wheel(dx, turn % 10 < 5 ? dy : -dy);
    if (ctrl) await page.keyboard.up("Control");
  };
  await page.locator("canvas.lanes").focus();
  await page.keyboard.press("0");
  await page.waitForTimeout(500);
  noteFrames(`zoom over ${count}`, await frames(page, 60, wheel(0, -120, true)));
  noteFrames(`pan over ${count}`, await frames(page, 60, wheel(80, 0, false)));
}

async function manyCpus(page) {
  await page.goto("about:blank");
  await open(page, packed(machine(64, [{ name: "work", kind: "sleeper", count: 800 }, { name: "hogs", kind: "hog", count: 200 }], 2_000_000_000)));
  await pause(page);
  await digest(page);
  await typeTime(page, "0ms..200ms");
  await typeTime(page, "10");
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("Space");
  noteFrames("64 CPUs x 1,000 tasks playing", await frames(page, 120, async () => {}));
  // Far enough for the window to slide under the now-line.
  await typeTime(page, "1000");
  await page.evaluate(() => document.activeElement?.blur());
  await page.waitForTimeout(6_500);
  noteFrames("64 CPUs x 1,000 tasks, window sliding", await frames(page, 120, async () => {}));
  assert(await id(page, "play").isVisible(), "the page goes on");
}

export default async function ({ page }) {
  await install(page);
  await slider(page);
  await steps(page);
  await interactions(page);
  await millions(page);
  await manyCpus(page);
}
