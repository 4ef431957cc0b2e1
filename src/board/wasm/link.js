// The link to the program, which runs in a worker: commands out, events in.

/** @typedef {import("./schema.js").Command} Command */
/** @typedef {import("./schema.js").Event} Event */

/** Milliseconds before the worker is retried. */
const RETRY_DELAY = 1500;
/** Number of failures in a row after which it is not retried. */
const MAX_FAILURES = 3;
/** A module with a SIMD instruction, which the program needs too. */
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

export class Link {
  /**
   * @param {(event: Event) => void} onEvent
   * @param {(open: boolean) => void} changed
   * @param {(why: string) => void} ended is called when the worker is not retried
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
      // A browser that does not read the type has no module workers.
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
      // The error of a script that cannot be loaded has no message.
      fail(event.message || "model.js");
    });
  }

  /**
   * Handles the failure of the worker.
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
    if (this.failures < MAX_FAILURES) {
      setTimeout(() => this.open(), RETRY_DELAY);
    } else {
      this.ended(globalThis.WebAssembly?.validate(SIMD) ? why : "simd");
    }
  }

  /**
   * Sends a command; returns false while the link is not open.
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
 * Registers the service worker, which stores the page for use without a network. It also adds the
 * headers that let workers share memory, if the host does not send them, but only when the page
 * is loaded again: on the first visit that happens at once, unless the user has begun something.
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
    // The browser stores nothing, as in a private window: then the page needs a network.
  }
}

keep();
