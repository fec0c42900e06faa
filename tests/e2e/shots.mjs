// Pictures of the main views into $SCHEDSCOPE_SHOTS: desktop and phone, dark and light. A person looks at them.
// `node shots.mjs WORD` takes only those whose name has the word.
import { mkdirSync } from "node:fs";
import path from "node:path";
import { DESKTOP, PHONE, launch, open, openPage, required } from "./lib/browser.mjs";
import { VIEWS } from "./lib/views.mjs";

const folder = required("SCHEDSCOPE_SHOTS");
mkdirSync(folder, { recursive: true });
const browser = await launch();
let failed = 0;
for (const [device, viewport] of [["desktop", DESKTOP], ["phone", PHONE]]) {
  for (const theme of ["dark", "light"]) {
    for (const view of VIEWS.filter((view) => !view.only || view.only === device)) {
      const name = `${view.name}-${device}-${theme}`;
      if (!name.includes(process.argv[2] ?? "")) continue;
      const { context, page, problems } = await openPage(browser, { viewport, theme, touch: device === "phone", scale: device === "phone" ? 2 : 1 });
      try {
        if (view.notReady) await page.goto(required("SCHEDSCOPE_URL") + view.hash);
        else await open(page, view.hash);
        if (view.prepare) await view.prepare(page, device);
        // The page paints at most once per frame: two frames later everything asked for stands.
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        await page.screenshot({ path: path.join(folder, `${name}.png`) });
        if (problems.length > 0) throw new Error(problems.slice(0, 3).join("; "));
        console.log(`ok ${name}`);
      } catch (error) {
        failed += 1;
        console.log(`FAIL ${name}: ${error.message}`);
      } finally {
        await context.close();
      }
    }
  }
}
await browser.close();
process.exit(failed === 0 ? 0 : 1);
