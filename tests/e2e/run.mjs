// Runs every journey of tests/e2e/journeys in real Chromium. A journey is a module with a default async function and,
// if it wants, `options` for its page (and `limit`, ms). It fails on a thrown error, on any console error or warning, on a failed or
// foreign request, and after its time. `node run.mjs WORD` runs only journeys whose file name has the word. Journeys that
// only measure come last, and not at all once $SCHEDSCOPE_PATIENCE_MS have passed.
import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { launch, openPage } from "./lib/browser.mjs";
import { finish } from "./lib/numbers.mjs";

const LIMIT_MS = 60_000;
const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), "journeys");
const shots = process.env.SCHEDSCOPE_SHOTS;
const wanted = process.argv[2] ?? "";
const patience = Number(process.env.SCHEDSCOPE_PATIENCE_MS ?? Infinity);

async function journey(browser, { walk, options = {}, file }) {
  const { context, page, problems } = await openPage(browser, options);
  let timer;
  try {
    const limit = options.limit ?? LIMIT_MS;
    const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`took longer than ${limit} ms`)), limit); });
    await Promise.race([walk({ browser, context, page, problems }), late]);
    const expected = options.expectedProblems ?? [];
    const surprises = problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)));
    if (surprises.length > 0) throw new Error(surprises.slice(0, 5).join("\n    "));
  } catch (error) {
    if (shots) {
      mkdirSync(shots, { recursive: true });
      await page.screenshot({ path: path.join(shots, `failed-${file}.png`) }).catch(() => {});
    }
    if (problems.length > 0) error.message += `\n    the page said: ${problems.slice(0, 5).join("\n    ")}`;
    throw error;
  } finally {
    clearTimeout(timer);
    await context.close().catch(() => {});
  }
}

const began = Date.now();
const browser = await launch();
let failed = 0;
const files = readdirSync(folder).filter((name) => name.endsWith(".mjs") && name.includes(wanted)).sort();
const journeys = await Promise.all(files.map(async (file) => {
  const { default: walk, options, measures = false } = await import(path.join(folder, file));
  return { file, walk, options, measures };
}));
for (const one of [...journeys.filter((one) => !one.measures), ...journeys.filter((one) => one.measures)]) {
  const start = Date.now();
  const name = one.file.replace(".mjs", "");
  if (one.measures && start - began > patience) {
    console.log(`left out ${name}: the run has taken too long`);
    continue;
  }
  const seconds = () => ((Date.now() - start) / 1000).toFixed(1);
  try {
    await journey(browser, one).catch((error) => {
      // A busy machine can be late once; what fails twice is broken. The first failure is told either way.
      console.log(`again ${name}: ${error.message}`);
      return journey(browser, one);
    });
    console.log(`ok ${name} (${seconds()} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${name}: ${error.message}`);
  }
}
await browser.close();
finish({ first: true });
process.exit(failed === 0 ? 0 : 1);
