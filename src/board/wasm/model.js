// The worker that holds the model. It handles commands at once, even during a search: searches
// run in another worker, and their further threads in helper workers.

import { THREADS, instance, space } from "./wasi.js";

/**
 * @returns {Promise<WebAssembly.Module>}
 */
async function compile() {
  const response = await fetch("goren.wasm");
  if (!response.ok) {
    throw new Error(`goren.wasm: ${response.status}`);
  }
  // A host may send the file with another type.
  return response.headers.get("content-type") === "application/wasm"
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

/**
 * Waits for something that the worker needs. If it fails, reports the reason to the page, which
 * ends the worker.
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
function required(promise) {
  return promise.catch((error) => {
    postMessage({ failed: String(error) });
    return new Promise(() => {});
  });
}

/** @typedef {{number: number, threads: number, job: string}} Job */
/**
 * A worker; the promise resolves when it has begun.
 * @typedef {{worker: Worker, begun: Promise<unknown>}} Begun
 */
/**
 * A worker that searches on at most `threads` threads. If memory can be shared, `helpers` run its
 * further threads on its `memory`.
 * @typedef {Begun & {threads: number, memory?: WebAssembly.Memory, helpers: Begun[]}} Searcher
 */

const module = await required(compile());
const ended = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
const maxThreads = ended ? Math.min(navigator.hardwareConcurrency, THREADS) : 1;
/** @type {Searcher} */
let searcher;
/**
 * A searcher that is ready to replace it.
 * @type {Searcher | undefined}
 */
let spare;
/**
 * The last search, until it is over.
 * @type {Job | undefined}
 */
let current;
/** Number of searches that the worker has not completed. */
let waiting = 0;
/**
 * Whether the running search is brief. Without shared memory a search cannot be stopped: its
 * worker is terminated, and a new worker searches briefly instead.
 */
let brief = false;

/** @param {string} text */
function write(text) {
  const line = JSON.parse(text);
  if (line.event) {
    postMessage(line.event);
  } else if (line.begin) {
    begin(line.begin);
  } else {
    stop();
  }
}

const model = await required(instance(module, { write }));

/**
 * Starts a worker.
 * @param {URL} url
 * @param {object} start the first message to it
 * @param {(data: any) => void} receive handles all other messages from it
 * @param {(why: string, begun: boolean) => void} fails
 * @returns {Begun}
 */
function startWorker(url, start, receive, fails) {
  const worker = new Worker(url, { type: "module" });
  let hasBegun = false;
  /** @type {Promise<void>} */
  const begun = new Promise((resolve) => {
    const begins = () => {
      hasBegun = true;
      resolve();
    };
    /** @param {string} why */
    const fail = (why) => {
      fails(why, hasBegun);
      begins();
    };
    worker.addEventListener("message", ({ data }) => {
      if (data.begun) {
        begins();
      } else if (data.failed) {
        fail(data.failed);
      } else {
        receive(data);
      }
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      fail(event.message);
    });
  });
  worker.postMessage({ module, ...start });
  return { worker, begun };
}

/**
 * Allocates shared memory for `threads` threads, or for as many as the browser has room for.
 * @param {number} threads
 * @returns {{memory: WebAssembly.Memory, threads: number}}
 */
function allocate(threads) {
  try {
    return { memory: space(threads), threads };
  } catch (error) {
    if (threads === 1) {
      throw error;
    }
    return allocate(Math.ceil(threads / 2));
  }
}

/** Creates a worker that can search. */
function createSearcher() {
  const { memory, threads } = ended ? allocate(maxThreads) : { memory: undefined, threads: 1 };
  /** @param {any} data */
  const receive = (data) => {
    if (created !== searcher) {
      return;
    }
    const isOver = data.over !== undefined;
    if (isOver) {
      // Before the model gets the last line, and may begin the next search in answer to it.
      waiting -= 1;
      if (current?.number === data.over) {
        current = undefined;
      }
    }
    if (data.line) {
      model.call("goren_found", data.line, performance.timeOrigin + performance.now() - data.at);
    }
    if (isOver) {
      prepare();
    }
  };
  /** @param {string} why */
  const fails = (why) => {
    if (created === searcher) {
      failed(why);
    }
  };
  const worker = startWorker(new URL("search.js", import.meta.url), { ended, memory }, receive, fails);
  /** @type {Searcher} */
  const created = { ...worker, threads, memory, helpers: [] };
  return created;
}

/**
 * Starts helpers until `target` has `count` further threads.
 * @param {Searcher} target
 * @param {number} count
 */
async function startHelpers(target, count) {
  // The searcher initialises the memory.
  await target.begun;
  for (let index = target.helpers.length; index < count && target === searcher; index++) {
    /** @type {(why: string, begun: boolean) => void} */
    const fails = (why, begun) => {
      // If a helper cannot begin, there is one thread less.
      if (begun && target === searcher) {
        failed(why);
      }
    };
    const start = { memory: target.memory, index };
    target.helpers.push(startWorker(new URL("thread.js", import.meta.url), start, () => {}, fails));
  }
  await Promise.all(target.helpers.map(({ begun }) => begun));
}

/** Creates a spare worker, if stopping a search terminates its worker. */
function prepare() {
  if (!ended) {
    spare ??= createSearcher();
  }
}

/** Terminates the worker, and returns the one that replaces it. */
function start() {
  searcher?.worker.terminate();
  searcher?.helpers.forEach(({ worker }) => worker.terminate());
  searcher = spare ?? createSearcher();
  spare = undefined;
  waiting = 0;
  brief = false;
  return searcher;
}

/**
 * Handles the failure of the searching worker.
 * @param {string} why
 */
function failed(why) {
  const job = current;
  current = undefined;
  start();
  if (job) {
    model.call("goren_found", JSON.stringify([job.number, { Failed: `the search has failed: ${why}` }]), 0);
  }
}

/** The budget in the text of a job; it has no other field of this name. */
const BUDGET = /"budget":(\{[^}]*\})/;

/**
 * Takes a delay off the budget of a job: the time of a ply to play runs while the worker begins.
 * The rest of the text stays as it is, as seeds do not fit into the numbers of JavaScript.
 * @param {string} job
 * @param {number} ms
 */
function deductDelay(job, ms) {
  return job.replace(BUDGET, (whole, text) => {
    if (!job.includes('"task":{"Decide":')) {
      return whole;
    }
    const budget = JSON.parse(text);
    // No limit is null.
    const less = (/** @type {number | null} */ time) => time && Math.max(1, Math.floor(time - ms));
    return `"budget":${JSON.stringify({ ...budget, soft: less(budget.soft), hard: less(budget.hard) })}`;
  });
}

/** @param {Job} job */
async function search(job) {
  current = job;
  waiting += 1;
  const target = searcher;
  const since = performance.now();
  const isBrief = brief;
  // A replaced searcher may have less memory, and so fewer threads than the model knows.
  const threads = Math.min(job.threads, target.threads);
  await startHelpers(target, threads - 1);
  if (target === searcher) {
    const text = job.job.replace(`"threads":${job.threads}`, `"threads":${threads}`);
    target.worker.postMessage({ ...job, job: deductDelay(text, performance.now() - since), brief: isBrief });
  }
}

/** @param {Job} job */
function begin(job) {
  if (ended) {
    Atomics.store(ended, 0, job.number - 1);
  } else if (waiting > 0 && !brief) {
    start();
  }
  brief = false;
  search(job);
}

function stop() {
  if (!current) {
    return;
  }
  if (ended) {
    Atomics.store(ended, 0, current.number);
  } else if (!brief) {
    start();
    brief = true;
    search(current);
  }
}

const { threads } = start();
prepare();
model.functions.goren_page(threads);
addEventListener("message", ({ data }) => model.call("goren_command", data));
postMessage("open");
if (threads < maxThreads) {
  const text = `This browser has memory for only ${threads} search thread${threads > 1 ? "s" : ""}, not for ${maxThreads}.`;
  postMessage({ event: "message", text });
}
