// Runs cases of the native = wasm comparison inside any JavaScript engine. Self-contained: its source also goes into
// Chromium. The empty import object is part of the test: the core asks nothing of its host.
export async function runCases(bytes, cases) {
  const { instance } = await WebAssembly.instantiate(bytes, {});
  const { memory, input, run, output, output_length } = instance.exports;
  const said = () => new TextDecoder().decode(new Uint8Array(memory.buffer, output() >>> 0, output_length() >>> 0));
  const results = [];
  for (const { name, scenario } of cases) {
    const text = new TextEncoder().encode(scenario);
    const at = input(text.length) >>> 0;
    new Uint8Array(memory.buffer, at, text.length).set(text);
    const start = performance.now();
    try {
      const fault = run() !== 1;
      results.push({ name, line: said(), fault, ms: performance.now() - start });
    } catch (error) {
      results.push({ name, line: `${error.message}; ${said()}`, fault: true, ms: performance.now() - start });
    }
  }
  return results;
}
