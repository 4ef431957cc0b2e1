// The worker that searches. It receives the module first, then one search after another.

import { instance } from "./wasi.js";

/** @typedef {{module: WebAssembly.Module, ended?: Int32Array, memory?: WebAssembly.Memory}} Start */
/** @typedef {{number: number, job: string, brief: boolean}} Search */

/** Matches a result after which the search continues (`Found::is_last`). */
const INTERIM = /^\[\d+,\{"(Lines|Reading)":/;

/**
 * Number of the last search that is to end, if memory can be shared.
 * @type {Int32Array}
 */
let ended = new Int32Array(1);
/** Number of the running search. */
let running = Infinity;
/**
 * The last result of the running search, if it is there. It is sent with the end of the search: the
 * model may begin the next search in answer to it, for which this worker must be free.
 * @type {{line: string, at: number} | undefined}
 */
let last;
/** @type {ReturnType<typeof instance>} */
let searcher;

/** @param {Start} start */
async function begin(start) {
  ended = start.ended ?? ended;
  const module = await instance(start.module, {
    memory: start.memory,
    write(line) {
      // The line may have to wait, so it carries its time, by a clock that all workers share.
      const result = { line, at: performance.timeOrigin + performance.now() };
      if (INTERIM.test(line)) {
        postMessage(result);
      } else {
        last = result;
      }
    },
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
  const result = last;
  last = undefined;
  postMessage({ ...result, over: number });
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
