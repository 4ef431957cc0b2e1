// The worker that keeps the model. It obeys commands at once, whatever is searched: the
// searches run in a worker of its own, and their further threads in others.

import { THREADS, instance, space } from "./wasi.js";

/**
 * @returns {Promise<WebAssembly.Module>}
 */
async function compiled() {
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
 * What the worker cannot do without: the page is told why there is none of it, and ends the
 * worker.
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
function needed(promise) {
  return promise.catch((error) => {
    postMessage({ failed: String(error) });
    return new Promise(() => {});
  });
}

/** @typedef {{number: number, threads: number, job: string}} Job */
/**
 * A worker; the promise is kept when it has begun.
 * @typedef {{worker: Worker, begun: Promise<unknown>}} Begun
 */
/**
 * One that searches on at most so many threads, and where memory can be shared that of the
 * others, which run its further threads.
 * @typedef {Begun & {threads: number, memory?: WebAssembly.Memory, others: Begun[]}} Searcher
 */

const module = await needed(compiled());
const ended = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
const most = ended ? Math.min(navigator.hardwareConcurrency, THREADS) : 1;
/** @type {Searcher} */
let searcher;
/**
 * One that is ready to take its place.
 * @type {Searcher | undefined}
 */
let next;
/**
 * The newest search, until it is over.
 * @type {Job | undefined}
 */
let newest;
/** Searches that the worker has not ended. */
let waiting = 0;
/**
 * Whether what runs is brief. Where a search cannot be told to stop, its worker is ended,
 * and a new one searches briefly instead.
 */
let brief = false;

/** @param {string} text */
function write(text) {
  const line = JSON.parse(text);
  if (line.tell) {
    postMessage(line.tell);
  } else if (line.begin) {
    begin(line.begin);
  } else {
    stop();
  }
}

const model = await needed(instance(module, { write }));

/**
 * A worker.
 * @param {URL} url
 * @param {object} start what it is told first
 * @param {(data: any) => void} receive is given what else it sends
 * @param {(why: string, begun: boolean) => void} fails
 * @returns {Begun}
 */
function work(url, start, receive, fails) {
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
 * Shared memory for `threads` threads, or for as many of them as the browser has room for.
 * @param {number} threads
 * @returns {{memory: WebAssembly.Memory, threads: number}}
 */
function room(threads) {
  try {
    return { memory: space(threads), threads };
  } catch (error) {
    if (threads === 1) {
      throw error;
    }
    return room(Math.ceil(threads / 2));
  }
}

/** A worker that can search. */
function made() {
  const { memory, threads } = ended ? room(most) : { memory: undefined, threads: 1 };
  /** @param {any} data */
  const receive = (data) => {
    if (mine !== searcher) {
      return;
    }
    if (data.line) {
      model.call("goren_found", data.line, performance.timeOrigin + performance.now() - data.at);
    } else {
      waiting -= 1;
      if (newest?.number === data) {
        newest = undefined;
        prepare();
      }
    }
  };
  /** @param {string} why */
  const fails = (why) => {
    if (mine === searcher) {
      failed(why);
    }
  };
  const worker = work(new URL("search.js", import.meta.url), { ended, memory }, receive, fails);
  /** @type {Searcher} */
  const mine = { ...worker, threads, memory, others: [] };
  return mine;
}

/**
 * Starts workers until `count` further threads search beside `mine`.
 * @param {Searcher} mine
 * @param {number} count
 */
async function help(mine, count) {
  // The first on the memory prepares it.
  await mine.begun;
  for (let index = mine.others.length; index < count && mine === searcher; index++) {
    /** @type {(why: string, begun: boolean) => void} */
    const fails = (why, begun) => {
      // Without it there is a thread less.
      if (begun && mine === searcher) {
        failed(why);
      }
    };
    const start = { memory: mine.memory, index };
    mine.others.push(work(new URL("thread.js", import.meta.url), start, () => {}, fails));
  }
  await Promise.all(mine.others.map(({ begun }) => begun));
}

/** Makes the next worker, where workers are ended. */
function prepare() {
  if (!ended) {
    next ??= made();
  }
}

/** Ends the worker, and takes the next one, which is returned. */
function start() {
  searcher?.worker.terminate();
  searcher?.others.forEach(({ worker }) => worker.terminate());
  searcher = next ?? made();
  next = undefined;
  waiting = 0;
  brief = false;
  return searcher;
}

/**
 * The searching worker is of no use any more.
 * @param {string} why
 */
function failed(why) {
  const job = newest;
  newest = undefined;
  start();
  if (job) {
    model.call("goren_found", JSON.stringify([job.number, { Failed: `the search has failed: ${why}` }]), 0);
  }
}

/** How a job writes its limits; what it decides on has none. */
const BUDGET = /"budget":(\{[^}]*\})/;

/**
 * A job that begins later than it was asked for. The time of a ply that is to be played runs
 * meanwhile: it is taken off. The rest stays as it is written, as seeds are larger than the
 * integers of JavaScript.
 * @param {string} job
 * @param {number} ms
 */
function late(job, ms) {
  return job.replace(BUDGET, (whole, text) => {
    if (!job.includes('"task":{"Decide":')) {
      return whole;
    }
    const budget = JSON.parse(text);
    // Without a limit it is null.
    const less = (/** @type {number | null} */ time) => time && Math.max(1, Math.floor(time - ms));
    return `"budget":${JSON.stringify({ ...budget, soft: less(budget.soft), hard: less(budget.hard) })}`;
  });
}

/** @param {Job} job */
async function search(job) {
  newest = job;
  waiting += 1;
  const mine = searcher;
  const since = performance.now();
  const isBrief = brief;
  // One that was begun anew, with less memory, has fewer threads than the model knows of.
  const threads = Math.min(job.threads, mine.threads);
  await help(mine, threads - 1);
  if (mine === searcher) {
    const text = job.job.replace(`"threads":${job.threads}`, `"threads":${threads}`);
    mine.worker.postMessage({ ...job, job: late(text, performance.now() - since), brief: isBrief });
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
  if (!newest) {
    return;
  }
  if (ended) {
    Atomics.store(ended, 0, newest.number);
  } else if (!brief) {
    start();
    brief = true;
    search(newest);
  }
}

const { threads } = start();
prepare();
model.functions.goren_page(threads);
addEventListener("message", ({ data }) => model.call("goren_command", data));
postMessage("open");
if (threads < most) {
  const text = `This browser has memory for ${threads} search thread${threads > 1 ? "s" : ""} only, not for ${most}.`;
  postMessage({ event: "message", text });
}
