// Real touches on the timeline: tap selects, drag pans, two fingers zoom, double tap shows the whole run.
import { assert, PHONE, open, until } from "../lib/browser.mjs";
import { id, pause } from "../lib/page.mjs";

export const options = { viewport: PHONE, touch: true };

export default async function ({ context, page }) {
  await open(page, "#v=1&ex=interactive&t=500000000&from=400000000&to=600000000");
  await pause(page);
  await page.waitForTimeout(1500);
  const client = await context.newCDPSession(page);
  const box = await page.locator("canvas.lanes").boundingBox();
  const at = (share, dy = 50) => ({ x: Math.round(box.x + box.width * share), y: Math.round(box.y + dy) });
  const touch = (type, points) => client.send("Input.dispatchTouchEvent", { type, touchPoints: points.map((point, id) => ({ ...point, id })) });
  const window = () => {
    const value = (key) => Number(new RegExp(`[#&]${key}=(\\d+)`).exec(page.url())?.[1] ?? NaN);
    return [value("from"), value("to")];
  };
  await touch("touchStart", [at(0.5)]);
  await touch("touchEnd", []);
  await until(() => /sel=/.test(page.url()), "a tap selects");
  const [from, to] = window();
  await page.waitForTimeout(500);
  await touch("touchStart", [at(0.7)]);
  for (const share of [0.6, 0.5, 0.4]) await touch("touchMove", [at(share)]);
  await touch("touchEnd", []);
  await until(() => window()[0] > from, "a drag to the left shows later times");
  assert(Math.abs(window()[1] - window()[0] - (to - from)) < 1000, "a drag keeps the zoom");
  const span = window()[1] - window()[0];
  await touch("touchStart", [at(0.4), at(0.6)]);
  for (const grow of [0.05, 0.1, 0.15]) await touch("touchMove", [at(0.4 - grow), at(0.6 + grow)]);
  await touch("touchEnd", []);
  await until(() => window()[1] - window()[0] < span * 0.6, "two fingers apart zoom in");
  await page.waitForTimeout(500);
  for (let tap = 0; tap < 2; tap += 1) {
    await touch("touchStart", [at(0.5)]);
    await touch("touchEnd", []);
  }
  await until(() => window()[0] === 0 && window()[1] === 10_000_000_000, "a double tap shows the whole run");
  assert((await id(page, "why-sentence").count()) > 0, "the page goes on");
}
