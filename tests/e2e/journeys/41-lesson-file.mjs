// A teacher's own file: a good one opens, scripts in its texts stay text; a bad one is refused with every fault by name
// and the page goes on; a lesson that does not exist has its card.
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { assert, assertEqual, open, until } from "../lib/browser.mjs";
import { id } from "../lib/page.mjs";

/** The card at the end is the answer to a file that is not there. */
export const options = { expectedProblems: [/404/] };

const file = (name, lesson) => {
  const place = path.join(tmpdir(), `schedscope-${process.pid}-${name}.json`);
  writeFileSync(place, JSON.stringify(lesson));
  return place;
};

const GOOD = {
  v: 1, title: "Mine <img src=x onerror=alert(1)>", summary: "s",
  steps: [
    { title: "<script>alert(2)</script>", text: ["**Bold** and <b>not</b>, [hogs-1]"], scenario: "ex=lat-ctx&hogs=2", view: { t: 900000000, next: "switch" },
      questions: [{ ask: "choice", text: "Yes?", options: ["no", "yes"], right: 2 }] },
    { title: "End", text: ["Done"] },
  ],
};
const BAD = {
  v: 1, title: "Bad", steps: [
    { title: "A", text: "no list", scenario: "ex=lat-ctx&p=o1-9.9", questions: [{ ask: "nextt", text: "?" }] },
    { title: 5, text: ["x"] },
  ],
};
const UNKNOWN = { v: 1, title: "U", summary: "s", steps: [{ title: "A", text: ["x"], scenario: "ex=lat-ctx&p=o1-9.9" }] };

export default async function ({ page }) {
  await open(page, "#ex=lat-ctx&view=lessons");
  await until(() => id(page, "lesson-list").isVisible(), "the list");
  await id(page, "lesson-file").setInputFiles(file("good", GOOD));
  await until(async () => (await id(page, "step-title").innerText()) === "<script>alert(2)</script>", "the lesson opens, its title is text");
  const body = await page.locator(".lesson-body").innerText();
  assert(body.includes("Bold and <b>not</b>"), body);
  assertEqual(await page.locator(".lesson-body img, .lesson-body script").count(), 0, "nothing became an element");
  await id(page, "option-1-2").click();
  await page.keyboard.press("Enter");
  await until(() => id(page, "verdict-1").isVisible(), "answered with the mouse and Enter");

  await page.keyboard.press("PageDown");
  await until(async () => (await id(page, "step-title").innerText()) === "End", "the last step");
  await id(page, "all-lessons-end").click();
  await until(() => id(page, "lesson-list").isVisible(), "back to the list");

  await id(page, "lesson-file").setInputFiles(file("bad", BAD));
  await until(() => page.getByText("steps[0].questions[0].ask").isVisible(), "the faults are named");
  const told = await page.locator(".notices").innerText();
  for (const part of ["summary", "steps[0].text", "Did you mean next?", "steps[1].title"]) assert(told.includes(part), `${part} is not in ${told}`);
  assert(await id(page, "lesson-list").isVisible(), "the page stands");
  await id(page, "lesson-file").setInputFiles(file("unknown", UNKNOWN));
  await until(async () => (await page.locator(".notices").innerText()).includes("o1-9.9"), "an unknown policy is named");

  await page.goto(`${page.url().split("#")[0]}#lesson=no-such-lesson`);
  await page.reload();
  await until(() => id(page, "error-card").isVisible(), "the card");
  assert((await id(page, "error-card").innerText()).includes("no-such-lesson"), "it names the lesson");
}
