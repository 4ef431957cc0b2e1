// The link to the program: commands out, events in. Here it is a worker, which has the
// program in it.

/** @typedef {import("./schema.js").Command} Command */
/** @typedef {import("./schema.js").Event} Event */

/** Milliseconds before the worker is tried again. */
const AGAIN = 1500;
/** Failures, one after another, after which it is not tried again. */
const MOST_FAILURES = 3;
/** A module with an instruction of SIMD, which the program has too. */
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

export class Link {
  /**
   * @param {(event: Event) => void} onEvent
   * @param {(open: boolean) => void} changed
   * @param {(why: string) => void} ended is called when it is not tried again
   */
  constructor(onEvent, changed, ended) {
    this.onEvent = onEvent;
    this.changed = changed;
    this.ended = ended;
    /** @type {Worker | undefined} */
    this.worker = undefined;
    this.isOpen = false;
    this.failures = 0;
  }

  /** Starts the worker, and again if it fails. */
  open() {
    let hasModules = false;
    const worker = new Worker(new URL("model.js", import.meta.url), {
      // A browser that does not ask for it knows no such workers.
      get type() {
        hasModules = true;
        return /** @type {const} */ ("module");
      },
    });
    this.worker = worker;
    const fail = (/** @type {string} */ why) => {
      if (worker === this.worker) {
        this.failed(hasModules ? why : "workers");
      }
    };
    worker.addEventListener("message", ({ data }) => {
      if (data === "open") {
        this.isOpen = true;
        this.changed(true);
      } else if (data.failed !== undefined) {
        fail(data.failed);
      } else {
        this.failures = 0;
        this.onEvent(data);
      }
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      // Of a script that cannot be loaded no more is told.
      fail(event.message || "model.js");
    });
  }

  /**
   * The worker is of no use any more.
   * @param {string} why
   */
  failed(why) {
    this.worker?.terminate();
    this.worker = undefined;
    if (this.isOpen) {
      this.isOpen = false;
      this.changed(false);
    }
    this.failures += 1;
    if (this.failures < MOST_FAILURES) {
      setTimeout(() => this.open(), AGAIN);
    } else {
      this.ended(globalThis.WebAssembly?.validate(SIMD) ? why : "simd");
    }
  }

  /**
   * Sends a command; false while the link is not open.
   * @param {Command} command
   */
  send(command) {
    if (!this.isOpen) {
      return false;
    }
    this.worker?.postMessage(JSON.stringify(command));
    return true;
  }
}

/**
 * Has the page kept for times without a network. Where the host does not send the headers
 * that let workers share memory, the page gets them so too, when it is loaded again: on
 * the first visit that is done at once, unless somebody has begun something.
 */
async function keep() {
  const service = navigator.serviceWorker;
  if (!service) {
    return;
  }
  let touched = Boolean(service.controller);
  const touch = () => (touched = true);
  addEventListener("pointerdown", touch, { once: true });
  addEventListener("keydown", touch, { once: true });
  service.addEventListener("controllerchange", () => {
    if (!touched && !globalThis.crossOriginIsolated) {
      location.reload();
    }
  });
  try {
    await service.register("service.js");
  } catch {
    // The browser keeps nothing, as in a private window: then all works but offline.
  }
}

keep();
