// The link to the program: commands out, events in. Here it is a worker, which has the
// program in it.

/** @typedef {import("./schema.js").Command} Command */
/** @typedef {import("./schema.js").Event} Event */

/** Milliseconds before the worker is tried again. */
const AGAIN = 1500;

export class Link {
  /**
   * @param {(event: Event) => void} onEvent
   * @param {(open: boolean) => void} changed
   * @param {() => void} _moved never called: this program is where its page is
   */
  constructor(onEvent, changed, _moved) {
    this.onEvent = onEvent;
    this.changed = changed;
    /** @type {Worker | undefined} */
    this.worker = undefined;
    this.isOpen = false;
  }

  /** Starts the worker, and again if it fails. */
  open() {
    const worker = new Worker(new URL("model.js", import.meta.url), { type: "module" });
    this.worker = worker;
    worker.addEventListener("message", ({ data }) => {
      if (data === "open") {
        this.isOpen = true;
        this.changed(true);
      } else {
        this.onEvent(data);
      }
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      worker.terminate();
      this.isOpen = false;
      this.changed(false);
      setTimeout(() => this.open(), AGAIN);
    });
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
