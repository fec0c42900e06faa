// Embedded: a frame shows the pictures alone, talks with the page around it and with nobody else, and always has a
// working way to the whole page.
import { address, assert, assertEqual, openPage, ready, until } from "../lib/browser.mjs";
import { id, smallScenario } from "../lib/page.mjs";

export default async function ({ browser, page }) {
  // The page around is a stranger's: it has no policy of ours.
  await page.route(`${address}around.html`, (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>around</title>" }));
  await page.goto(`${address}around.html`);
  await page.evaluate(async (src) => {
    document.body.textContent = "";
    window.heard = [];
    const frame = document.createElement("iframe");
    frame.src = src;
    frame.width = 800;
    frame.height = 420;
    frame.title = "Schedscope";
    addEventListener("message", (event) => { if (event.source === frame.contentWindow) window.heard.push(event.data); });
    window.say = (message) => frame.contentWindow.postMessage({ schedscope: 1, ...message }, "*");
    document.body.append(frame);
  }, `${address}#v=1&ex=lat-ctx&embed=1&hide=structures,graphs&view=`);
  await until(() => page.frames().length === 2, "the frame is there");
  const frame = page.frames()[1];
  await ready(frame);
  const heard = (type) => page.evaluate((type) => window.heard.findLast((message) => message.type === type), type);
  assert((await heard("ready"))?.version, "the frame says that it is ready");
  assertEqual(await id(frame, "scenario").count(), 0, "no scenario panel");
  assertEqual(await frame.locator("[data-testid=charts]").count(), 0, "no graphs");
  assertEqual(await heard("simulated"), undefined, "nothing else is told before someone spoke");

  const say = (message) => page.evaluate((message) => window.say(message), message);
  await say({ type: "set-scenario", scenario: smallScenario({ title: "From outside" }) });
  await until(async () => (await heard("simulated"))?.title === "From outside", "the scenario of the page around runs", 30_000);
  await say({ type: "set-scenario", scenario: smallScenario({ duration_ns: -1 }) });
  await until(async () => (await heard("problems"))?.problems?.[0]?.path === "duration_ns", "a bad one is refused by field");
  await say({ type: "seek", t_ns: 500_000_000 });
  await say({ type: "nonsense" });
  await until(async () => /known:/.test((await heard("problems"))?.problems?.[0]?.message), "unknown messages are answered");
  await frame.locator("canvas.lanes").click({ position: { x: 300, y: 40 } });
  await until(async () => (await heard("selection"))?.name, "a selection is reported");
  await say({ type: "get-state" });
  await until(async () => await heard("state"), "the state is told");
  const state = await heard("state");
  assertEqual(state.title, "From outside", "title in the state");

  const link = id(frame, "open-full");
  await link.focus();
  const full = await link.getAttribute("href");
  assert(!full.includes("embed=1") && !full.includes("hide="), `the way out is the whole page: ${full}`);
  const guest = await openPage(browser);
  try {
    await guest.page.goto(full);
    await ready(guest.page);
    assertEqual(await id(guest.page, "title").inputValue(), "From outside", "the present state in the whole page");
    assertEqual(guest.problems.join("; "), "", "console of the guest");
  } finally {
    await guest.context.close();
  }
}
