// A phone: no sideways scrolling, every panel behind a tab, targets for a thumb.
import { assert, assertEqual, PHONE, open, until } from "../lib/browser.mjs";
import { id } from "../lib/page.mjs";

export const options = { viewport: PHONE, touch: true, scale: 2 };

const SMALLEST_TARGET = 24; // WCAG 2.2 AA; the thumb row below asks for more
const THUMB_TARGET = 40;

export default async function ({ page }) {
  await open(page);
  for (const tab of ["timeline", "structures", "why", "graphs", "scenario"]) {
    await id(page, `tab-${tab}`).tap();
    await until(async () => (await id(page, `tab-${tab}`).getAttribute("aria-selected")) === "true", `the tab ${tab} opens`);
    const width = await page.evaluate(() => document.scrollingElement.scrollWidth);
    assert(width <= PHONE.width, `${tab}: ${width} px wide`);
    const small = await page.evaluate((limit) => [...document.querySelectorAll("button, select, input")]
      .filter((element) => element.offsetParent && element.type !== "range")
      .map((element) => ({ name: element.dataset.testid ?? element.getAttribute("aria-label") ?? element.textContent, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.height < limit || box.width < limit))
      .map(({ name, box }) => `${name} ${Math.round(box.width)}×${Math.round(box.height)}`), SMALLEST_TARGET);
    assertEqual(small.join("; "), "", `${tab}: targets that are too small`);
  }
  for (const name of ["play", "step", "step-back", "tab-why"]) {
    const box = await id(page, name).boundingBox();
    assert(box.height >= THUMB_TARGET, `${name} is ${box.height} px high`);
  }
}
