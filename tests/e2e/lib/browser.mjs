// Chromium for the tests: one start, a fresh context per journey, every console error and failed request noted.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import path from "node:path";

const tools = createRequire(path.join(required("SCHEDSCOPE_TOOLS"), "node_modules", "x.js"));
export const address = required("SCHEDSCOPE_URL");

/** Root needs --no-sandbox; the rest keeps Chromium from talking to the network or to a GPU that is not there. */
export const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"];

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

export function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run this through \`cargo xtask test\``);
  return value;
}

export async function launch() {
  const { chromium } = tools("playwright-core");
  return chromium.launch({ executablePath: required("CHROME_PATH"), args: FLAGS });
}

/** Warnings that trunk's own output causes in Chromium and that mean nothing to a user. */
const KNOWN_WARNINGS = [
  /integrity` attribute is currently ignored for preload destinations/,
  /using deprecated parameters for the initialization function/,
];

/** A page with a clean profile. `problems` fills with what a user would see in the console. */
export async function openPage(browser, { viewport = DESKTOP, theme = "dark", touch = false, scale = 1 } = {}) {
  const context = await browser.newContext({
    viewport, colorScheme: theme, hasTouch: touch, isMobile: touch, deviceScaleFactor: scale, reducedMotion: "no-preference", locale: "en-US",
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: new URL(address).origin });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const problems = [];
  page.on("console", (message) => {
    const known = KNOWN_WARNINGS.some((pattern) => pattern.test(message.text()));
    if (message.type() === "error" || (message.type() === "warning" && !known)) problems.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`page error: ${error.message}`));
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText ?? "";
    if (why !== "net::ERR_ABORTED") problems.push(`request failed: ${request.url()} ${why}`);
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !/^(blob|data):/.test(url)) problems.push(`request to another place: ${url}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} for ${response.url()}`);
  });
  return { context, page, problems };
}

/** Opens the page (with a hash, if wanted) and waits until it says that a run is loaded and drawn. */
export async function open(page, hash = "") {
  await page.goto(address + hash, { waitUntil: "load" });
  await ready(page);
}

/** The page sets body[data-ready] once a first frame of the run stands. */
export async function ready(page) {
  await page.waitForSelector("body[data-ready='1']", { timeout: 20_000 });
}

/** Accessibility problems as sentences: WCAG 2.2 A and AA. */
export async function accessibilityProblems(page) {
  // Not addScriptTag: the content security policy of the page rightly refuses a foreign script.
  await page.evaluate(readFileSync(tools.resolve("axe-core/axe.min.js"), "utf8"));
  // What still fades in has less contrast than it will have.
  await page.evaluate(() => Promise.all(document.getAnimations()
    .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime))
    .map((animation) => animation.finished.catch(() => {}))));
  const found = await page.evaluate(() =>
    window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  return found.violations.map((rule) => {
    const where = rule.nodes.slice(0, 3).map((node) => node.target.join(" ")).join(", ");
    return `${rule.id} (${rule.impact}): ${rule.help}: ${where}`;
  });
}

export function assert(holds, sentence) {
  if (!holds) throw new Error(sentence);
}

export function assertEqual(got, expected, what) {
  assert(got === expected, `${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`);
}

/** Waits until `probe` holds (asked every 50 ms). */
export async function until(probe, sentence, limit = 10_000) {
  const end = Date.now() + limit;
  while (Date.now() < end) {
    if (await probe()) return;
    await new Promise((wake) => setTimeout(wake, 50));
  }
  throw new Error(`not within ${limit} ms: ${sentence}`);
}
