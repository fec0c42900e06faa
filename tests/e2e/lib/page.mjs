// What the journeys know about the page: stable test ids, how to read its numbers, and the command line beside it.
import { spawnSync } from "node:child_process";
import { deflateSync } from "node:zlib";
import { assert, required, until } from "./browser.mjs";

export const id = (page, name) => page.locator(`[data-testid="${name}"]`);

/** Now, in ms, as the time box shows it (thin spaces between thousands). */
export async function now(page) {
  return Number((await id(page, "time").inputValue()).replace(/[^\d.]/g, ""));
}

/** Digest of the whole run, once it is simulated to its end. */
export async function digest(page) {
  const read = async () => (await id(page, "digest").innerText()).replace(/\s/g, "");
  await until(async () => /^[0-9a-f]{16}$/.test(await read()), "the run is simulated to its end", 30_000);
  return read();
}

/** Waits until the digest is another one than `old`; returns it. */
export async function digestAfter(page, old) {
  await until(async () => {
    const text = (await id(page, "digest").innerText()).replace(/\s/g, "");
    return /^[0-9a-f]{16}$/.test(text) && text !== old;
  }, `another digest than ${old}`, 30_000);
  return digest(page);
}

export async function isPlaying(page) {
  return (await id(page, "play").getAttribute("aria-label")) === "Pause";
}

export async function pause(page) {
  if (await isPlaying(page)) await id(page, "play").click();
  await until(async () => !(await isPlaying(page)), "the page pauses");
}

/** Types a moment or a range into the time box. */
export async function typeTime(page, text) {
  const box = id(page, "time");
  await box.click();
  await box.fill(text);
  await box.press("Enter");
}

/** Puts a native slider to a position and lets it go. */
export async function slide(locator, position) {
  await locator.evaluate((input, value) => {
    input.value = String(value);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }, position);
}

/** A link (with #) that holds this scenario. */
export function packed(scenario) {
  const text = typeof scenario === "string" ? scenario : JSON.stringify(scenario);
  return `#v=1&s=${deflateSync(Buffer.from(text)).toString("base64url")}`;
}

/** Digest of the first lane by the native command line program. `what`: a link or a built-in's key. */
export function nativeDigest(what) {
  const run = spawnSync(required("SCHEDSCOPE_CLI"), ["digest", what], { encoding: "utf8" });
  assert(run.status === 0, `schedscope digest: ${run.stderr}`);
  return run.stdout.trim().split("\n")[0].split(" ").at(-1);
}

/** A small scenario to change. */
export function smallScenario(changes = {}) {
  return {
    v: 1, title: "Small", seed: 7, duration_ns: 2_000_000_000, machine: { cores: 2, hz: 1000 },
    lanes: [{ policy: "o1-2.6.21" }],
    workloads: [{ name: "hogs", kind: "hog", count: 3 }, { name: "editor", kind: "sleeper", count: 1 }],
    ...changes,
  };
}
