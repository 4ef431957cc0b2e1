// The link to the program: commands out, events in. Here it is a socket.

/** @typedef {import("./schema.js").Command} Command */
/** @typedef {import("./schema.js").Event} Event */

/** Milliseconds before the socket is tried again. */
const AGAIN = 1500;

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
    /** @type {WebSocket | undefined} */
    this.socket = undefined;
  }

  /** Opens the socket, and again whenever it is closed. */
  open() {
    const address = new URL("socket", location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.addEventListener("open", () => this.changed(true));
    socket.addEventListener("message", (message) => this.onEvent(JSON.parse(message.data)));
    socket.addEventListener("close", async () => {
      this.changed(false);
      // A program that was started anew has another address, and knows nothing of this one.
      const answer = await fetch(location.pathname, { cache: "no-store" }).catch(() => undefined);
      if (answer?.status === 404) {
        this.ended("elsewhere");
      } else {
        setTimeout(() => this.open(), AGAIN);
      }
    });
  }

  /**
   * Sends a command; false while the link is not open.
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
