// The worker that searches. It is told the module first, then one search after another.

import { instance } from "./wasi.js";

/** @typedef {{module: WebAssembly.Module, ended?: Int32Array, memory?: WebAssembly.Memory}} Start */
/** @typedef {{number: number, job: string, brief: boolean}} Search */

/**
 * The newest search that is to end, where memory can be shared.
 * @type {Int32Array}
 */
let ended = new Int32Array(1);
/** The search that runs. */
let running = Infinity;
/** @type {ReturnType<typeof instance>} */
let searcher;

/** @param {Start} start */
async function begin(start) {
  ended = start.ended ?? ended;
  const made = await instance(start.module, {
    memory: start.memory,
    // With the time, by a clock that all workers have: the line may have to wait.
    write: (line) => postMessage({ line, at: performance.timeOrigin + performance.now() }),
    // No message comes while a search runs, but it asks for the time every millisecond.
    // It is told to end as long as it asks: it may not have begun the first time.
    look() {
      if (Atomics.load(ended, 0) >= running) {
        made.call("goren_stop");
      }
    },
  });
  return made;
}

/** @param {Search} search */
async function run({ number, job, brief }) {
  const made = await searcher;
  running = number;
  made.call(brief ? "goren_search_briefly" : "goren_search", job);
  running = Infinity;
  postMessage(number);
}

addEventListener("message", ({ data }) => {
  if (data.module) {
    searcher = begin(data);
    const begun = () => postMessage({ begun: true });
    // What has failed is told when something is searched.
    searcher.then(begun, begun);
  } else {
    run(data).catch((error) => postMessage({ failed: String(error) }));
  }
});
