// What a page does in a frame and for a key, measured inside of the page by what the browser calls; the page needs no
// code for it. Install before the page is opened.

/** Times the page's own animation-frame callbacks, the worker's messages, interactions and layout shifts. */
export async function install(page) {
  await page.addInitScript(() => {
    const meter = { frames: [], said: [], interactions: [], shifts: 0, memory: null };
    window.__meter = meter;
    const plain = window.requestAnimationFrame.bind(window);
    window.__plainFrame = plain;
    window.requestAnimationFrame = (callback) => plain((at) => {
      const start = performance.now();
      callback(at);
      meter.frames.push(performance.now() - start);
      if (meter.frames.length > 4000) meter.frames.splice(0, 2000);
    });
    const Plain = window.Worker;
    window.Worker = class extends Plain {
      constructor(...given) {
        super(...given);
        this.addEventListener("message", () => { meter.said = [...meter.said.slice(-99), performance.now()]; });
      }
    };
    new PerformanceObserver((list) => {
      // Nothing is painted for a key that goes up: its time would last until the next picture, whenever that is.
      for (const entry of list.getEntries()) if (entry.interactionId > 0 && entry.name !== "keyup") meter.interactions.push(entry.duration);
    }).observe({ type: "event", durationThreshold: 16, buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) meter.shifts += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
    addEventListener("TrunkApplicationStarted", (event) => { meter.memory = event.detail.wasm.memory; });
  });
}

/** While `what` goes on: times between frames, and the page's own work in each of them, ms. */
export async function frames(page, count, what) {
  const run = page.evaluate((count) => new Promise((done) => {
    const between = [];
    window.__meter.frames.length = 0;
    let last = performance.now();
    window.__plainFrame(function next() {
      const now = performance.now();
      between.push(now - last);
      last = now;
      if (between.length < count) window.__plainFrame(next);
      else done({ between: between.slice(2), own: window.__meter.frames.slice(2) });
    });
  }), count);
  await what();
  return run;
}

/**
 * Presses a key and waits until the time of the page has changed. `heard`: until the engine's first answer; `painted`:
 * until the frame that shows the new time is painted; both from the key event on, ms.
 */
export async function keyToPaint(page, key) {
  await page.evaluate(() => {
    const seek = document.querySelector('[data-testid="seek"]');
    window.__step = new Promise((done) => {
      addEventListener("keydown", () => {
        const start = performance.now();
        const before = seek.value;
        window.__meter.said = [];
        const look = () => {
          if (seek.value === before) return window.__plainFrame(look);
          // The frame is painted when the task after it begins.
          const channel = new MessageChannel();
          channel.port1.onmessage = () => done({ painted: performance.now() - start, heard: (window.__meter.said[0] ?? NaN) - start });
          channel.port2.postMessage(0);
        };
        window.__plainFrame(look);
      }, { once: true, capture: true });
    });
  });
  await page.keyboard.press(key);
  return page.evaluate(() => window.__step);
}

/** Memory of the tab, MiB: what scripts hold after a collection, and the WebAssembly memories of page and workers. */
export async function memory(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.enable").then(() => session.send("Performance.getMetrics"));
  await session.detach();
  const heap = metrics.find((metric) => metric.name === "JSHeapUsedSize").value;
  const own = await page.evaluate(() => window.__meter.memory?.buffer.byteLength ?? 0);
  const workers = await Promise.all(page.workers().map((worker) => worker.evaluate("wasm_bindgen().then((wasm) => wasm.memory.buffer.byteLength)").catch(() => 0)));
  const mib = (bytes) => bytes / 1048576;
  const worker = mib(workers.reduce((sum, bytes) => sum + bytes, 0));
  return { heap: mib(heap), page: mib(own), worker, all: mib(heap + own) + worker };
}
