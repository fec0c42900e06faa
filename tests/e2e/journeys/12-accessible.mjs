// axe-core finds nothing on the main views, dark and light, desktop and phone, dialogs open and closed, English and German.
import { assertEqual, DESKTOP, PHONE, accessibilityProblems, open, openPage, until } from "../lib/browser.mjs";
import { id, pause } from "../lib/page.mjs";

export const options = { limit: 180_000 }; // five browsers' worth of checks

const DEVICES = { desktop: DESKTOP, phone: PHONE };
const VARIANTS = [
  ["desktop", "dark"], ["desktop", "light"], ["phone", "dark"], ["phone", "light"],
  ["phone", "light", "de"],
];

export default async function ({ browser }) {
  const found = [];
  for (const [device, theme, language] of VARIANTS) {
    const { context, page } = await openPage(browser, { viewport: DEVICES[device], theme, touch: device === "phone" });
    const check = async (what) => found.push(...(await accessibilityProblems(page)).map((problem) => `${device}, ${theme}, ${language ?? "en"}, ${what}: ${problem}`));
    await open(page, language ? `#v=1&ex=interactive&lang=${language}` : "");
    await pause(page);
    await check("main");
    for (const dialog of ["share", "help"]) {
      await id(page, dialog).click();
      await until(() => page.locator('[role="dialog"]').first().isVisible(), `${dialog} opens`);
      await check(dialog);
      await page.keyboard.press("Escape");
    }
    if (device === "desktop") {
      await page.keyboard.press("2");
      await page.waitForTimeout(200);
      await check("structures");
    } else {
      for (const tab of ["structures", "why", "graphs", "scenario"]) {
        await id(page, `tab-${tab}`).click();
        await check(tab);
      }
    }
    await context.close();
  }
  assertEqual([...new Set(found)].join("\n    "), "", "accessibility problems");
}
