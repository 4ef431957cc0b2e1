// The link to the program: commands out, events in. Here it is a socket.

/** @typedef {import("./schema.js").Command} Command */
/** @typedef {import("./schema.js").Event} Event */

/** Milliseconds before the socket is tried again. */
const AGAIN = 1500;

/** Whether too many pages are open. A socket that is refused does not say why; the answer to a request does. */
async function isCrowded() {
  const answer = await fetch("socket", { cache: "no-store" }).catch(() => undefined);
  return answer?.status === 503;
}

export class Link {
  /**
   * @param {(event: Event) => void} onEvent
   * @param {(open: boolean, crowded?: boolean) => void} changed also says whether it is not open
   * because too many pages are
   * @param {(why: string) => void} ended is called when it is not tried again
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
      // A program that was started anew has another address, and knows nothing of this one.
      const answer = await fetch(location.pathname, { cache: "no-store" }).catch(() => undefined);
      if (answer?.status === 404) {
        this.ended("elsewhere");
      } else {
        this.crowded = !wasOpen && answer?.ok === true && (await isCrowded());
        this.changed(false, this.crowded);
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
