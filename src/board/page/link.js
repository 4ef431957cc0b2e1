// The link to the program, over a WebSocket: commands out, events in.

/** @typedef {import("./schema.js").Command} Command */
/** @typedef {import("./schema.js").Event} Event */

/** Milliseconds before the socket is retried. */
const RETRY_DELAY = 1500;

/** Whether too many pages are open. A refused socket gives no reason, a plain request does. */
async function isCrowded() {
  const answer = await fetch("socket", { cache: "no-store" }).catch(() => undefined);
  return answer?.status === 503;
}

export class Link {
  /**
   * @param {(event: Event) => void} onEvent
   * @param {(open: boolean, crowded?: boolean) => void} changed is called when the link opens or
   * closes; `crowded`: it is closed because too many pages are open
   * @param {(why: string) => void} ended is called when the link is not retried
   */
  constructor(onEvent, changed, ended) {
    this.onEvent = onEvent;
    this.changed = changed;
    this.ended = ended;
    /** @type {WebSocket | undefined} */
    this.socket = undefined;
    this.crowded = false;
  }

  /** Opens the socket, and again whenever it is closed. */
  open() {
    const address = new URL("socket", location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    const socket = new WebSocket(address);
    this.socket = socket;
    let wasOpen = false;
    socket.addEventListener("open", () => {
      wasOpen = true;
      this.crowded = false;
      this.changed(true);
    });
    socket.addEventListener("message", (message) => this.onEvent(JSON.parse(message.data)));
    socket.addEventListener("close", async () => {
      this.changed(false, this.crowded);
      // A restarted program has another URL, and does not know this one.
      const answer = await fetch(location.pathname, { cache: "no-store" }).catch(() => undefined);
      if (answer?.status === 404) {
        this.ended("elsewhere");
      } else {
        this.crowded = !wasOpen && answer?.ok === true && (await isCrowded());
        this.changed(false, this.crowded);
        setTimeout(() => this.open(), RETRY_DELAY);
      }
    });
  }

  /**
   * Sends a command; returns false while the link is not open.
   * @param {Command} command
   */
  send(command) {
    if (this.socket?.readyState !== WebSocket.OPEN) {
      return false;
    }
    this.socket.send(JSON.stringify(command));
    return true;
  }
}
