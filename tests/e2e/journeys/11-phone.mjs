// A phone: no sideways scrolling, every panel behind a tab, targets for a thumb.
import { assert, assertEqual, PHONE, open, until } from "../lib/browser.mjs";
import { id } from "../lib/page.mjs";

export const options = { viewport: PHONE, touch: true, scale: 2 };

const SMALLEST_TARGET = 24; // WCAG 2.2 AA; the thumb row below asks for more
const THUMB_TARGET = 40;
const NARROWEST = { width: 320, height: 640 }; // WCAG 1.4.10 asks for no less

/** Controls that stand beyond the edge of the page, and not in something that can be scrolled sideways. */
const cut = (page) => page.evaluate(() => {
  const scrolls = (element) => element && (/auto|scroll/.test(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth + 1 || scrolls(element.parentElement));
  return [...document.querySelectorAll("button, select, input:not(.unseen)")]
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ element, box }) => box.width > 1 && (box.right > innerWidth + 1 || box.left < -1) && !scrolls(element.parentElement))
    .map(({ element, box }) => `${element.dataset.testid ?? element.textContent} ends at ${Math.round(box.right)}`).join("; ");
});

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
    await page.setViewportSize(NARROWEST);
    assertEqual(await cut(page), "", `${tab}: controls cut at ${NARROWEST.width} px`);
    await page.setViewportSize(PHONE);
  }
  for (const name of ["play", "step", "step-back", "tab-why"]) {
    const box = await id(page, name).boundingBox();
    assert(box.height >= THUMB_TARGET, `${name} is ${box.height} px high`);
  }

  const title = await id(page, "title").evaluate((input) => [input.scrollWidth, input.clientWidth]);
  assert(title[0] <= title[1], `the title of the first scenario is ${title[0]} px wide and has ${title[1]}`);

  // The last decisions stand below the structures, and lead to their moments.
  await id(page, "tab-structures").tap();
  for (let n = 0; n < 3; n += 1) await id(page, "step").tap();
  const decisions = id(page, "decisions").locator("button");
  await until(async () => (await decisions.count()) > 1, "the last decisions are listed");
  const time = await id(page, "time").inputValue();
  await decisions.first().tap();
  await until(async () => (await id(page, "time").inputValue()) !== time, "a decision leads to its moment");

  // Schedulers side by side do not lie over each other.
  await open(page, "#v=1&ex=interactive&p=o1-2.6.21,sd-0.42,cfs-2.6.32");
  const policies = page.locator('[data-testid^="policy-"]');
  await until(async () => (await policies.count()) === 3, "three schedulers");
  const boxes = await policies.evaluateAll((found) => found.map((button) => [button.getBoundingClientRect().left, button.getBoundingClientRect().left + button.scrollWidth]));
  assert(boxes.every(([left], index) => index === 0 || left >= boxes[index - 1][1] - 1), `schedulers over each other: ${JSON.stringify(boxes)}`);
}
