// Lighthouse against the served page: prints the figures, judges nothing (they depend on the machine and its load).
import { spawnSync } from "node:child_process";
import path from "node:path";
import { FLAGS, address, required } from "./lib/browser.mjs";
import { finish, note } from "./lib/numbers.mjs";

function measure(preset) {
  const cli = path.join(required("SCHEDSCOPE_TOOLS"), "node_modules/lighthouse/cli/index.js");
  const arguments_ = [cli, address, "--output=json", "--output-path=stdout", "--quiet", "--only-categories=performance,accessibility,best-practices",
    `--chrome-flags=${FLAGS.join(" ")}`, ...(preset === "desktop" ? ["--preset=desktop"] : [])];
  const run = spawnSync(process.execPath, arguments_, { encoding: "utf8", maxBuffer: 1 << 28, timeout: 110_000 });
  if (run.status !== 0) throw new Error(run.stderr.trim().split("\n").slice(-3).join(" ") || "ended early");
  return JSON.parse(run.stdout);
}

const rows = [];
for (const preset of ["desktop", "phone"]) {
  try {
    const report = measure(preset);
    const score = (name) => Math.round(100 * report.categories[name].score);
    const figure = (name) => report.audits[name]?.numericValue ?? NaN;
    rows.push({
      device: preset, performance: score("performance"), accessibility: score("accessibility"), "best practices": score("best-practices"),
      "FCP ms": Math.round(figure("first-contentful-paint")), "LCP ms": Math.round(figure("largest-contentful-paint")),
      "TBT ms": Math.round(figure("total-blocking-time")), CLS: Number(figure("cumulative-layout-shift").toFixed(3)),
      "KiB sent": Number((figure("total-byte-weight") / 1024).toFixed(1)),
    });
    // Lighthouse's phone is slow on purpose: its times are told without a goal.
    const [of, limit] = [`Lighthouse, ${preset}`, (goal) => (preset === "desktop" ? goal : undefined)];
    note(`${of}: performance`, score("performance"), "", limit({ atLeast: 95 }));
    note(`${of}: accessibility`, score("accessibility"), "", { atLeast: 100 });
    note(`${of}: largest contentful paint`, figure("largest-contentful-paint"), "ms", limit(1200));
    note(`${of}: total blocking time`, figure("total-blocking-time"), "ms", limit(50));
    note(`${of}: cumulative layout shift`, figure("cumulative-layout-shift"), "", 0);
    for (const audit of report.categories.accessibility.auditRefs.map((entry) => report.audits[entry.id])) {
      if (audit.score !== null && audit.score < 1) console.log(`  accessibility, ${preset}: ${audit.title}`);
    }
  } catch (error) {
    console.log(`  Lighthouse, ${preset}: ${error.message}`);
  }
}
const firstLoad = Number(process.env.SCHEDSCOPE_FIRST_LOAD_KIB ?? NaN);
if (Number.isFinite(firstLoad)) note("first load, brotli", firstLoad, "KiB", 350);
finish({ first: false });
const say = (row) => `${row.device}: performance ${row.performance}, accessibility ${row.accessibility}, ${row["KiB sent"]} KiB`;
console.log(rows.length > 0 ? rows.map(say).join("; ") : "Lighthouse gave no figures");
