// Measured numbers beside their goals. Journeys note them; the suite ends with one table. They depend on the machine and
// its load, so they are told, never judged. $SCHEDSCOPE_NUMBERS carries them from one script to the next.
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const file = process.env.SCHEDSCOPE_NUMBERS;
const rows = [];

/** Notes a number. `goal`: the most it may be, or `{ atLeast }`; none: it is only told. */
export function note(what, value, unit, goal, more = "") {
  const atLeast = goal?.atLeast;
  const measured = `${Number(value.toFixed(Math.abs(value) < 10 ? 2 : 1))} ${unit}`.trim();
  const wanted = goal === undefined ? "" : `${atLeast === undefined ? `at most ${goal}` : `at least ${atLeast}`} ${unit}`.trim();
  const holds = atLeast === undefined ? value <= goal : value >= atLeast;
  const row = { number: what, measured, goal: wanted, reached: goal === undefined ? "" : holds ? "yes" : "no", more };
  // A journey that is tried again says everything anew.
  const old = rows.findIndex((other) => other.number === what);
  if (old >= 0) rows.splice(old, 1);
  rows.push(row);
  console.log(`  | ${row.number} | ${row.measured} | ${row.goal} | ${row.reached} | ${row.more} |`);
}

/** Middle and 95th percentile of times. */
export function spread(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
  return { p50: at(0.5), p95: at(0.95), max: at(1), text: `p50 ${at(0.5).toFixed(1)}, p95 ${at(0.95).toFixed(1)}, longest ${at(1).toFixed(1)} ms of ${sorted.length}` };
}

/** Prints the table: all numbers of this run so far. The `first` script of a run forgets those of an earlier one. */
export function finish({ first }) {
  const earlier = !first && file && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
  const all = [...earlier, ...rows];
  if (file) writeFileSync(file, JSON.stringify(all));
  if (all.length === 0) return;
  const heads = ["number", "measured", "goal", "reached", "more"];
  const width = heads.map((head) => Math.max(head.length, ...all.map((row) => row[head].length)));
  const line = (cells) => `  | ${cells.map((cell, index) => cell.padEnd(width[index])).join(" | ")} |`;
  console.log(["", "  Measured numbers (this machine, its load now)", line(heads), line(width.map((size) => "-".repeat(size))),
    ...all.map((row) => line(heads.map((head) => row[head])))].join("\n"));
}
