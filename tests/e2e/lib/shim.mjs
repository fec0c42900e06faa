// Runs cases of the native = wasm comparison inside any JavaScript engine. Self-contained: its source also goes into
// Chromium. The empty import object is part of the test: the core asks nothing of its host.
export async function runCases(bytes, cases) {
  const { module } = await WebAssembly.instantiate(bytes, {});
  // Not at once: browsers refuse that to a page for large modules.
  const fresh = async () => (await WebAssembly.instantiate(module, {})).exports;
  let shim = await fresh();
  const said = () => new TextDecoder().decode(new Uint8Array(shim.memory.buffer, shim.output() >>> 0, shim.output_length() >>> 0));
  const results = [];
  for (const { name, scenario } of cases) {
    const text = new TextEncoder().encode(scenario);
    const at = shim.input(text.length) >>> 0;
    new Uint8Array(shim.memory.buffer, at, text.length).set(text);
    const start = performance.now();
    try {
      const ended = shim.run() === 1;
      results.push({ name, line: said(), outcome: ended ? "ended" : "refused", ms: performance.now() - start });
    } catch (error) {
      // A trap leaves the instance as it was in the middle of something: the next case gets a new one.
      results.push({ name, line: `${error.message}; ${said()}`, outcome: "panic", ms: performance.now() - start });
      shim = await fresh();
    }
  }
  return results;
}
