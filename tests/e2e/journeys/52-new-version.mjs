// Two versions of the page, one after the other: whoever has the old one open keeps all of it, whoever comes after that
// gets all of the new one; no page ever meets files of both.
import { createServer } from "node:http";
import { address, assert, assertEqual, ready, until } from "../lib/browser.mjs";

export const options = { limit: 180_000 };

/** Build B differs from A in the page itself and in a file whose name does not change, as every real build may. */
const CHANGES = {
  "/": (text) => text.replace("</head>", '<meta name="build" content="B"></head>'),
  "/worker.js": (text) => `self.build = "B";\n${text}`,
  "/sw.js": (text) => text.replace(/schedscope-[0-9a-f]{16}/, "schedscope-bbbbbbbbbbbbbbbb"),
};

/** The built page at an address of its own; `serves.build` says which of both builds is there now. */
async function site() {
  const serves = { build: "A" };
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, address).pathname;
    const answer = await fetch(new URL(`.${path}`, address));
    let body = Buffer.from(await answer.arrayBuffer());
    if (serves.build === "B" && CHANGES[path]) body = Buffer.from(CHANGES[path](body.toString()));
    const type = answer.headers.get("content-type") ?? "application/octet-stream";
    response.writeHead(answer.status, { "content-type": type, "cache-control": answer.headers.get("cache-control") ?? "no-cache" }).end(body);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return { serves, server, url: `http://127.0.0.1:${server.address().port}/` };
}

/** Which builds page and engine come from: "AA", "BB"; anything else would be a mixture. */
async function builds(page) {
  await until(() => page.workers().length > 0, "the engine is there");
  const mine = await page.evaluate(() => document.querySelector('meta[name="build"]')?.content ?? "A");
  return mine + (await page.workers()[0].evaluate(() => self.build ?? "A"));
}

async function visit(context, url) {
  const page = await context.newPage();
  await page.goto(url, { waitUntil: "load" });
  await ready(page);
  return page;
}

export default async function ({ browser }) {
  const { serves, server, url } = await site();
  const context = await browser.newContext();
  try {
    let page = await visit(context, url);
    assertEqual(await builds(page), "AA", "the first visit");
    await page.evaluate(() => navigator.serviceWorker.ready);

    serves.build = "B";
    for (let visits = 0; visits < 2; visits += 1) {
      await page.reload();
      await ready(page);
      assertEqual(await builds(page), "AA", "while an old page is open, a reload is all old");
    }
    const waits = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting !== null);
    await page.evaluate(async () => { await (await navigator.serviceWorker.getRegistration()).update(); });
    await until(waits, "the new version is fetched whole and waits", 30_000);
    assertEqual(await builds(await visit(context, url)), "AA", "a second page beside it is of the same version");
    for (const open of context.pages()) await open.close();

    const end = Date.now() + 30_000;
    let seen = "";
    while (seen !== "BB" && Date.now() < end) {
      page = await visit(context, url);
      seen = await builds(page);
      assert(seen === "AA" || seen === "BB", `page and engine are of one version, not ${seen}`);
      if (seen !== "BB") await page.close();
    }
    assertEqual(seen, "BB", "once the old pages are closed, the new version opens");
    await until(() => page.evaluate(async () => (await caches.keys()).length === 1), "the old version's files are gone");

    await context.setOffline(true);
    await page.reload();
    await ready(page);
    assertEqual(await builds(page), "BB", "the new version opens without a network too");
  } finally {
    await context.close();
    server.close();
  }
}
