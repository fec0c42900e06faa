// Files: a good one opens and is kept among the recent ones, bad ones are named and leave the page as it was, a
// dropped one opens too, another site is asked only after the visitor agreed.
import { assert, assertEqual, open, until } from "../lib/browser.mjs";
import { digest, digestAfter, id, packed, smallScenario } from "../lib/page.mjs";

const file = (name, text) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(text) });
const title = (page) => id(page, "title").inputValue();

async function choose(page, name, text) {
  await id(page, "open-files").click();
  await id(page, "file-input").setInputFiles(file(name, text));
  await until(async () => (await id(page, "files-dialog").count()) === 0, "the dialog closes");
}

async function drop(page, name, text) {
  await page.evaluate(([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    for (const type of ["dragover", "drop"]) {
      document.querySelector("main").dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }
  }, [name, text]);
}

export default async function ({ page }) {
  await open(page);
  const first = await digest(page);
  await choose(page, "mine.txt", JSON.stringify(smallScenario({ title: "From a file" })));
  const mine = await digestAfter(page, first);
  assertEqual(await title(page), "From a file", "title");

  await choose(page, "bad.json", JSON.stringify({ ...smallScenario(), duration_ns: "long", workloads: [{ name: "a", kind: "hog", nice: 40 }] }));
  await id(page, "notice").waitFor();
  const said = await id(page, "notice").innerText();
  assert(said.includes("bad.json") && said.includes("duration_ns") && said.includes("workloads[0].nice"), `all faults at once: ${said}`);
  assertEqual(await digest(page), mine, "the run goes on");
  await id(page, "dismiss").click();

  await choose(page, "cut.json", '{"v":1,\n"title":');
  assert((await id(page, "notice").innerText()).includes("line 2"), "a damaged file names its line");
  await id(page, "dismiss").click();

  await drop(page, "hostile.json", JSON.stringify(smallScenario({ title: "<img src=x onerror=alert(1)>", seed: 9 })));
  const hostile = await digestAfter(page, mine);
  assertEqual(await title(page), "<img src=x onerror=alert(1)>", "text stays text");

  await id(page, "open-files").click();
  const recent = id(page, "recent").locator("li");
  assertEqual(await recent.count(), 2, "recent scenarios");
  await recent.nth(1).locator("button").first().click();
  await until(async () => (await title(page)) === "From a file", "the recent one opens");
  assertEqual(await digestAfter(page, hostile), mine, "digest of the recent one");
  await id(page, "open-files").click();
  await id(page, "forget-all").click();
  assertEqual(await page.evaluate(() => localStorage.getItem("schedscope.recent")), null, "forgotten");
  await page.keyboard.press("Escape");

  let asked = 0;
  await page.route("https://example.org/**", (route) => {
    asked += 1;
    return route.fulfill({ body: JSON.stringify(smallScenario({ title: "From afar" })), headers: { "access-control-allow-origin": "*" } });
  });
  const source = "#v=1&src=https%3A%2F%2Fexample.org%2Fone.json";
  await page.evaluate((hash) => { location.hash = hash; }, source);
  await id(page, "source-dialog").waitFor();
  await id(page, "decline").click();
  await page.waitForTimeout(300);
  assertEqual(asked, 0, "requests before the visitor agreed");
  await page.evaluate((hash) => { location.hash = hash; }, `${source}&t=0`);
  await id(page, "agree").click();
  await until(async () => (await title(page)) === "From afar", "the agreed file opens");
  assertEqual(asked, 1, "requests after");
  assert(!page.url().includes("src="), "the address holds the scenario itself now");
  await open(page, packed(smallScenario()));
}

// The request to another site is the point of the last part; it is answered by the journey itself.
export const options = { expectedProblems: [/request to another place: https:\/\/example\.org\/one\.json/] };
