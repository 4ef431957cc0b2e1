// What the page was told last, and who wants to know of it.

/** @typedef {import("./schema.js").Command} Command */

/**
 * Why a point is forbidden, or is not, and the position it is of.
 * @typedef {{
 *   node: number, cell: import("./schema.js").Cell, verdict: string, lines: string[]
 * }} Explained
 */

/**
 * What is shown.
 * @type {{
 *   catalogue?: import("./schema.js").Catalogue,
 *   game?: import("./schema.js").Game,
 *   setting?: import("./schema.js").Setting,
 *   position?: import("./schema.js").Position,
 *   tree?: import("./schema.js").TreeView,
 *   lines?: import("./schema.js").Lines,
 *   review?: import("./schema.js").ReviewView,
 *   exercise?: import("./schema.js").Exercise,
 *   walk?: import("./schema.js").Walk,
 *   database?: import("./schema.js").Database,
 *   hint: import("./schema.js").Cell[],
 *   pointed: import("./schema.js").Cell[],
 *   explained?: Explained,
 *   found?: import("./schema.js").Lines,
 *   hovered?: import("./schema.js").Line,
 *   acts: boolean,
 *   searching: boolean,
 *   open: boolean,
 *   elsewhere: boolean,
 *   numbers: boolean,
 *   marks: boolean,
 * }}
 */
export const state = {
  hint: [],
  pointed: [],
  acts: false,
  searching: false,
  open: false,
  elsewhere: false,
  numbers: false,
  marks: true,
};

/** @type {(() => void)[]} */
const watchers = [];
let waiting = false;

/**
 * Calls a function after every change, at most once a frame.
 * @param {() => void} watcher
 */
export function watch(watcher) {
  watchers.push(watcher);
}

/** Something has changed. */
export function changed() {
  if (waiting) {
    return;
  }
  waiting = true;
  const draw = () => {
    if (waiting) {
      waiting = false;
      watchers.forEach((watcher) => watcher());
    }
  };
  // Frames do not come while a page is hidden.
  if (document.hidden) {
    setTimeout(draw);
  } else {
    requestAnimationFrame(draw);
  }
}

/** @type {(command: Command) => boolean} */
let sender = () => false;

/**
 * Says where commands go.
 * @param {(command: Command) => boolean} send
 */
export function connect(send) {
  sender = send;
}

/**
 * Sends a command.
 * @param {Command} command
 */
export function send(command) {
  return sender(command);
}

/**
 * The name of a point.
 * @param {import("./schema.js").Cell} cell
 */
export function label([x, y]) {
  return String.fromCharCode(97 + x) + ((state.game?.height ?? 0) - y);
}

/**
 * The point of a name.
 * @param {string} name
 * @returns {import("./schema.js").Cell}
 */
export function cell(name) {
  return [name.charCodeAt(0) - 97, (state.game?.height ?? 0) - Number(name.slice(1))];
}

/**
 * Whether two points are the same.
 * @param {import("./schema.js").Cell} a
 * @param {import("./schema.js").Cell} b
 */
export function same(a, b) {
  return a[0] === b[0] && a[1] === b[1];
}
