// The views that `cargo xtask shots` takes pictures of. `hash` opens one; `prepare` brings it to the wanted moment;
// `only` names the device it exists on; `notReady`: no run is expected to load.
import { until } from "./browser.mjs";
import { id, packed, pause, smallScenario, typeTime } from "./page.mjs";

/** Simulated to its end, paused at a telling moment, everything drawn. */
async function still(page) {
  await pause(page);
  await typeTime(page, "2326.2");
  await page.waitForTimeout(600);
}

const key = (name) => async (page) => {
  await still(page);
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press(name);
  await page.waitForTimeout(600);
};

const tab = (name) => async (page) => {
  await still(page);
  await id(page, `tab-${name}`).click();
  await page.waitForTimeout(600);
};

export const VIEWS = [
  { name: "main", hash: "", prepare: still },
  { name: "playing", hash: "", prepare: (page) => page.waitForTimeout(1500) },
  { name: "structures", hash: "", only: "desktop", prepare: key("2") },
  { name: "lat-ctx", hash: "#v=1&ex=lat-ctx", prepare: still },
  {
    name: "why", hash: "", only: "desktop",
    prepare: async (page) => {
      await still(page);
      const box = await page.locator("canvas.lanes").boundingBox();
      await page.locator("canvas.lanes").click({ position: { x: box.width * 0.5, y: 40 } });
      await page.waitForTimeout(600);
    },
  },
  {
    name: "history", hash: "#v=1&view=history&post=000",
    prepare: (page) => until(async () => /^(\d+)\D+\1\D/.test(await id(page, "computed").innerText()), "every figure is computed", 60_000),
  },
  {
    name: "sweep", hash: "#v=1&ex=lat-ctx&p=linux-2.5.2-pre9,o1-2.5.2-c1&view=sweep&vary=hogs%3D0..50:10",
    prepare: (page) => until(async () => (await id(page, "sweep-progress").innerText()).startsWith("12"), "every point is computed", 60_000),
  },
  { name: "compare", hash: "#v=1&ex=interactive&p=o1-2.6.21,sd-0.48&view=compare", only: "desktop", prepare: still },
  {
    name: "share", hash: "",
    prepare: async (page) => {
      await still(page);
      await id(page, "share").click();
      await until(() => id(page, "share-dialog").isVisible(), "the share dialog opens");
    },
  },
  { name: "keys", hash: "", prepare: async (page) => { await still(page); await id(page, "help").click(); await page.waitForTimeout(600); } },
  { name: "export", hash: "", prepare: async (page, device) => { await still(page); if (device === "phone") await id(page, "help").click(); await id(page, "export").click(); await page.waitForTimeout(600); } },
  { name: "search", hash: "", prepare: async (page) => { await key("/")(page); await page.keyboard.type("hog"); await page.waitForTimeout(600); } },
  { name: "lessons", hash: "", prepare: key("6") },
  { name: "bad-link", hash: packed(smallScenario({ workloads: [{ name: "hogs", kind: "hog", count: 2, nice: 40 }] })), notReady: true, prepare: (page) => page.waitForTimeout(800) },
  ...["structures", "why", "graphs", "scenario"].map((name) => ({ name, hash: "", only: "phone", prepare: tab(name) })),
];
