// The worker that keeps the model. It obeys commands at once, whatever is searched: the
// searches run in a worker of its own.

import { instance } from "./wasi.js";

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

/** @typedef {{number: number, job: string}} Job */

const module = await compiled();
const ended = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
/** @type {Worker} */
let searcher;
/**
 * One that is ready to take its place.
 * @type {Worker | undefined}
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

const model = await instance(module, {
  write(text) {
    const line = JSON.parse(text);
    if (line.tell) {
      postMessage(line.tell);
    } else if (line.begin) {
      begin(line.begin);
    } else {
      stop();
    }
  },
});

/** A worker that can search. */
function made() {
  const mine = new Worker(new URL("search.js", import.meta.url), { type: "module" });
  mine.addEventListener("message", ({ data }) => {
    if (mine !== searcher) {
      return;
    }
    if (typeof data === "string") {
      model.call("goren_found", data);
    } else if (data.failed) {
      failed(data.failed);
    } else {
      waiting -= 1;
      if (newest?.number === data) {
        newest = undefined;
        prepare();
      }
    }
  });
  mine.addEventListener("error", (event) => {
    event.preventDefault();
    if (mine === searcher) {
      failed(event.message);
    }
  });
  mine.postMessage({ module, ended });
  return mine;
}

/** Makes the next worker, where workers are ended. */
function prepare() {
  if (!ended) {
    next ??= made();
  }
}

/** Ends the worker, and takes the next one. */
function start() {
  searcher?.terminate();
  searcher = next ?? made();
  next = undefined;
  waiting = 0;
  brief = false;
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
    model.call("goren_found", JSON.stringify([job.number, { Failed: `the search has failed: ${why}` }]));
  }
}

/** @param {Job} job */
function search(job) {
  newest = job;
  waiting += 1;
  searcher.postMessage({ ...job, brief });
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

start();
prepare();
addEventListener("message", ({ data }) => model.call("goren_hear", data));
postMessage("open");
