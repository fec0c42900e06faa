// Groups are made in the page: added, named, nested, limited, given to a workload; a list of CPUs that is none is refused
// with a sentence. What the page then runs is what the command line runs.
import { assert, assertEqual, open, until } from "../lib/browser.mjs";
import { digest, digestAfter, id, nativeDigest, packed, pause, slide, smallScenario } from "../lib/page.mjs";

export default async function ({ page }) {
  await open(page, packed(smallScenario({ lanes: [{ policy: "eevdf-6.12" }] })));
  const plain = await digest(page);
  await pause(page);
  await id(page, "add-group").click();
  await id(page, "card-group").getByRole("button").first().click();
  await id(page, "name-group").fill("batch");
  await id(page, "name-group").press("Enter");
  await id(page, "card-batch").waitFor();
  await id(page, "add-group").click();
  await id(page, "card-group").getByRole("button").first().click();
  await id(page, "parent-group").selectOption("batch");
  await until(async () => /in-1/.test(await id(page, "card-group").getAttribute("class")), "a nested group is set off");

  const hogs = id(page, "workload-hogs");
  if ((await hogs.locator("details").count()) === 0) await hogs.getByRole("button").first().click();
  if ((await hogs.locator("details").getAttribute("open")) === null) await hogs.locator("summary").click();
  await id(page, "group-hogs").selectOption("group");
  const grouped = await digestAfter(page, plain);
  await id(page, "card-batch").getByRole("button").first().click();
  await slide(id(page, "quota-batch"), 50);
  const limited = await digestAfter(page, grouped);
  assert(/%/.test(await id(page, "card-batch").locator(".sum").innerText()), "the limit is told");

  await id(page, "cpus-hogs").fill("7");
  await id(page, "cpus-hogs").press("Enter");
  const refusal = () => id(page, "cpus-hogs").evaluate((field) => field.validationMessage);
  await until(async () => (await refusal()).includes("0 to 1"), "a CPU that is not there is refused with a sentence");
  await id(page, "cpus-hogs").fill("1");
  await id(page, "cpus-hogs").press("Enter");
  const pinned = await digestAfter(page, limited);
  assertEqual(await refusal(), "", "message of a right list");
  assertEqual(nativeDigest(await page.evaluate(() => location.hash)), pinned, "digest of the command line");

  // Without the upper group the lower one goes too, and the tasks are the root's again.
  await id(page, "remove-batch").click();
  await until(async () => (await page.locator(".card.group").count()) === 0, "a group goes with all below it");
  await digestAfter(page, pinned);
}
