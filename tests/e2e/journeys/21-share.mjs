// Share: length and QR code of the link; above 2,000 characters a file instead; a refused clipboard has another way.
import { readFileSync } from "node:fs";
import { assert, assertEqual, open, until } from "../lib/browser.mjs";
import { id, packed, pause, smallScenario } from "../lib/page.mjs";

/** A scenario whose link is too long: programs that do not compress. */
function long() {
  let seed = 1;
  const number = () => (seed = (seed * 48271) % 2147483647);
  const program = () => [["loop", 0, Array.from({ length: 60 }, () => ["run", 1000 + number() % 900000])]];
  return smallScenario({ workloads: Array.from({ length: 6 }, (_, n) => ({ name: `w${number()}`, kind: "program", program: program() })) });
}

export default async function ({ page }) {
  await open(page, "#v=1&ex=lat-ctx");
  await pause(page);
  await id(page, "share").click();
  const link = await id(page, "link").inputValue();
  assertEqual(await id(page, "link-length").innerText(), String(link.length), "length shown");
  await id(page, "qr").locator("svg").waitFor();
  const side = Number((await id(page, "qr").locator("svg").getAttribute("viewBox")).split(" ")[2]);
  assert(side > 20 && (side - 8 - 17) % 4 === 0, `a QR code has 17 + 4 n modules a side, and a quiet zone: ${side}`);
  const [download] = await Promise.all([page.waitForEvent("download"), id(page, "save-qr").click()]);
  assert(readFileSync(await download.path(), "utf8").startsWith("<svg"), "the code as a file");
  const embed = await id(page, "embed-code").inputValue();
  assert(embed.startsWith("<iframe src=\"http") && embed.includes("embed=1&amp;hide=structures,graphs"), `embed code: ${embed}`);

  await page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error("refused")); });
  await id(page, "copy-link").click();
  await id(page, "by-hand").waitFor();
  assertEqual(await id(page, "by-hand").inputValue(), link, "text to copy by hand");

  await page.keyboard.press("Escape");
  await until(async () => (await id(page, "share-dialog").count()) === 0, "escape closes the dialog");
  await open(page, packed(long()));
  await id(page, "share").click();
  assert(Number(await id(page, "link-length").innerText()) > 2000, "a long link");
  assert((await id(page, "link-verdict").innerText()).includes("too long"), "it says so");
  await until(async () => /too long/.test(await id(page, "qr").innerText()), "no QR code is promised");
  const [file] = await Promise.all([page.waitForEvent("download"), id(page, "share-file").click()]);
  assertEqual(JSON.parse(readFileSync(await file.path(), "utf8")).workloads.length, 6, "the scenario as a file");
}
