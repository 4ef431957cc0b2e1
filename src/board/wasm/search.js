// The worker that searches. It receives the module first, then one search after another.

import { instance } from "./wasi.js";

/** @typedef {{module: WebAssembly.Module, ended?: Int32Array, memory?: WebAssembly.Memory}} Start */
/** @typedef {{number: number, job: string, brief: boolean}} Search */

/**
 * Number of the last search that is to end, if memory can be shared.
 * @type {Int32Array}
 */
let ended = new Int32Array(1);
/** Number of the running search. */
let running = Infinity;
/** @type {ReturnType<typeof instance>} */
let searcher;

/** @param {Start} start */
async function begin(start) {
  ended = start.ended ?? ended;
  const module = await instance(start.module, {
    memory: start.memory,
    // The line may have to wait, so it carries its time, by a clock that all workers share.
    write: (line) => postMessage({ line, at: performance.timeOrigin + performance.now() }),
    // No message arrives during a search, but it asks for the time every millisecond. The stop is
    // repeated each time, as the search may not have begun the first time.
    onTime() {
      if (Atomics.load(ended, 0) >= running) {
        module.call("goren_stop");
      }
    },
  });
  return module;
}

/** @param {Search} search */
async function run({ number, job, brief }) {
  const module = await searcher;
  running = number;
  module.call(brief ? "goren_search_briefly" : "goren_search", job);
  running = Infinity;
  postMessage(number);
}

addEventListener("message", ({ data }) => {
  if (data.module) {
    searcher = begin(data);
    const begun = () => postMessage({ begun: true });
    // A failure is reported by the first search.
    searcher.then(begun, begun);
  } else {
    run(data).catch((error) => postMessage({ failed: String(error) }));
  }
});
