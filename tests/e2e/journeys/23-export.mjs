// Export: every format is saved, and what is in it is right; our ftrace text opens again.
import { readFileSync } from "node:fs";
import { assert, assertEqual, open, ready, until } from "../lib/browser.mjs";
import { digest, digestAfter, id, packed, pause, smallScenario } from "../lib/page.mjs";

async function save(page, testid) {
  const [download] = await Promise.all([page.waitForEvent("download", { timeout: 30_000 }), id(page, testid).click()]);
  await id(page, "export-saved").waitFor();
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

export default async function ({ page }) {
  await open(page, packed(smallScenario({ title: "Small & <b>" })));
  await pause(page);
  const mine = await digest(page);
  const dialog = async () => {
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press("e");
    await id(page, "export-dialog").waitFor();
  };
  await dialog();

  const chrome = await save(page, "export-chrome");
  assertEqual(chrome.name, "small-b.trace.json", "named after the title");
  const trace = JSON.parse(chrome.bytes.toString()).traceEvents;
  const count = (phase) => trace.filter((event) => event.ph === phase).length;
  assert(count("B") > 20 && count("B") === count("E"), `slices begin and end: ${count("B")}, ${count("E")}`);

  const ftrace = (await save(page, "export-ftrace")).bytes.toString();
  assert(/\[000\] d\.\.2 +\d+\.\d{9}: sched_switch: prev_comm=.* ==> next_comm=/.test(ftrace) && ftrace.includes("sched_waking"), "ftrace lines");
  const dat = (await save(page, "export-trace-dat")).bytes;
  assert(dat.subarray(3, 11).toString() === "tracing6" && dat.length % 4096 === 0 && dat.includes("name: sched_switch"), "trace.dat in whole pages");
  const intervals = (await save(page, "export-intervals")).bytes.toString();
  assert(intervals.startsWith("task_id,task,state,cpu,start_ns,end_ns,left_because\n") && intervals.includes(",running,"), "intervals");
  const metrics = (await save(page, "export-metrics")).bytes.toString();
  assertEqual(metrics.trim().split("\n").length > 4, true, "a row per task");
  const lanes = (await save(page, "export-svg")).bytes.toString();
  assert(lanes.startsWith("<svg") && lanes.includes("CPU 1"), "lanes of the run");
  const html = (await save(page, "export-html")).bytes.toString();
  assert(html.includes(mine) && html.includes("<svg") && html.includes("Small &amp; &lt;b&gt;"), "one page with digest and picture");
  assert(!/<script|<b>|src=/.test(html), "no script, no markup of the title, nothing to load");
  assertEqual(JSON.parse((await save(page, "export-scenario")).bytes.toString()).workloads.length, 2, "scenario");

  // Chromium asks a person before it lets one page load save an eleventh file in a few seconds.
  await page.reload();
  await ready(page);
  await digest(page);
  await dialog();
  for (const part of ["timeline", "structures", "graphs"]) {
    const png = (await save(page, `picture-${part}-png`)).bytes;
    assert(png.subarray(1, 4).toString() === "PNG" && png.length > 2000, `${part} as PNG: ${png.length} bytes`);
    const svg = (await save(page, `picture-${part}-svg`)).bytes.toString();
    const errors = await page.evaluate((text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelectorAll("parsererror").length, svg);
    assertEqual(errors, 0, `${part} as SVG is well formed`);
    assert(svg.includes("#v=1") && svg.length > 2000, `${part} as SVG: ${svg.length} characters, caption with the link`);
    if (part === "timeline") assert(svg.includes(">CPU 0<"), "texts stay texts");
  }
  await page.keyboard.press("Escape");

  await id(page, "open-files").click();
  await id(page, "file-input").setInputFiles({ name: "trace.txt", mimeType: "text/plain", buffer: Buffer.from(ftrace) });
  await until(async () => (await id(page, "title").inputValue()) === "Recorded trace", "our own trace opens again", 20_000);
  await digestAfter(page, mine);
  assert((await id(page, "notice").innerText()).includes("not in a trace"), "what a trace lacks is said");
}
