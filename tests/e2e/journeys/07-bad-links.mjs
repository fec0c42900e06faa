// Bad links: a card that names the field, never a blank page, and the page is usable afterwards.
import { assert, assertEqual, open, ready, until } from "../lib/browser.mjs";
import { address } from "../lib/browser.mjs";
import { digest, id, packed, smallScenario } from "../lib/page.mjs";

const small = smallScenario();
const workload = (changes) => smallScenario({ workloads: [{ ...small.workloads[0], ...changes }] });
const CASES = [
  ["cut off", packed(small).slice(0, -30), /s\b/],
  ["no base64", "#v=1&s=%%%%", /s\b/],
  ["newer version", "#v=99&s=abc", /newer/i],
  ["nice out of range", packed(workload({ nice: 40 })), /workloads\[0\]\.nice/],
  ["a billion tasks", packed(workload({ count: 1_000_000_000 })), /workloads\[0\]\.count/],
  ["negative time", packed(smallScenario({ duration_ns: -5 })), /duration_ns/],
  ["unknown scheduler", packed(smallScenario({ lanes: [{ policy: "windows-xp" }] })), /lanes\[0\]/],
  ["deflate bomb", packed(`{"v":1,"title":"${"a".repeat(4_000_000)}"}`), /bytes/],
  ["deep nesting", packed("[".repeat(5000)), /nest/],
];

export default async function ({ page }) {
  for (const [name, hash, expected] of CASES) {
    await page.goto("about:blank");
    await page.goto(address + hash);
    await until(async () => (await id(page, "error-card").count()) + (await id(page, "scenario-problems").count()) > 0, `${name}: a card appears`);
    const text = await page.locator('[data-testid="error-card"], [data-testid="scenario-problems"]').first().innerText();
    assert(expected.test(text), `${name}: the card says ${JSON.stringify(text)}`);
  }
  await page.goto("about:blank");
  await page.goto(`${address}#v=1&s=broken`);
  await id(page, "open-example").click();
  await ready(page);
  await digest(page);
  // Fields that have a nearest right value are mended one by one, or all at once.
  await page.goto("about:blank");
  await page.goto(address + packed(workload({ nice: 40, count: 1_000_000_000 })));
  await until(async () => (await id(page, "repair").count()) === 2, "each field has its repair");
  await id(page, "repair").first().click();
  await until(async () => (await id(page, "repair").count()) === 1, "one field is mended");
  await id(page, "repair-all").click();
  await ready(page);
  assert(/nice 19/.test(await id(page, "scenario").innerText()), "the nearest nice level is used");
  // The faulty lines are shown, and the scenario can be mended by hand: what is left is told, then it opens.
  await page.goto("about:blank");
  await page.goto(address + packed({ ...workload({ name: "<b>hogs</b>", nice: 40 }), machine: { cores: 2, hz: "fast" } }));
  await until(async () => (await id(page, "excerpt").locator("mark").count()) === 2, "both faulty values are marked");
  assertEqual((await id(page, "excerpt").locator("mark").allInnerTexts()).join(), '"fast",40', "what is marked");
  assert(/"name": "<b>hogs<\/b>"/.test(await id(page, "excerpt").innerText()), "a line of the scenario is text");
  await id(page, "edit-text").click();
  const field = id(page, "scenario-text");
  const state = async () => id(page, "text-state").innerText();
  await until(async () => /2 problems/.test(await state()), "both problems are listed");
  assert(await id(page, "open-text").isDisabled(), "a faulty scenario does not open");
  await id(page, "show-place").first().click();
  assertEqual(await field.evaluate((area) => area.value.slice(area.selectionStart, area.selectionEnd)), '"fast"', "Show selects the fault");
  await page.keyboard.type("250");
  await until(async () => /1 problem\b/.test(await state()), "a mended fault is gone while typing");
  await id(page, "close-text").click();
  await id(page, "edit-text").click();
  assert(/250/.test(await field.inputValue()), "what was typed is kept");
  await page.reload();
  await until(async () => (await field.count()) === 1 && /250/.test(await field.inputValue()), "a reload keeps what was typed, too");
  await field.evaluate((area) => area.setSelectionRange(area.value.length, area.value.length));
  await field.press("x");
  await until(async () => /JSON/.test(await id(page, "error-card").innerText()), "text that is no JSON is told");
  await field.press("Backspace");
  await id(page, "repair").click();
  await until(async () => id(page, "open-text").isEnabled(), "nothing is wrong any more");
  await id(page, "open-text").click();
  await ready(page);
  assert(/nice 19/.test(await id(page, "scenario").innerText()), "the mended scenario runs");
  await page.goBack();
  await until(async () => (await id(page, "repair").count()) === 1, "Back leads to the broken link");
  await page.goto("about:blank");
  await open(page, packed(smallScenario({ title: "<img src=x onerror=alert(1)>", workloads: [{ name: "<b>bold</b>", kind: "hog", count: 2 }] })));
  assertEqual(await id(page, "title").inputValue(), "<img src=x onerror=alert(1)>", "a title is text");
  assertEqual(await page.locator("img, b b").count(), 0, "elements made from text of the link");
}
