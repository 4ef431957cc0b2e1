// The state of the page, as last reported by the program, and its watchers.

import { column, letter } from "./letters.js";

/** @typedef {import("./schema.js").Command} Command */

/**
 * Why a point is forbidden or not, with the node and the time when it arrived, in milliseconds
 * since the page was opened.
 * @typedef {{
 *   node: number, when: number, cell: import("./schema.js").Cell, verdict: string, lines: string[]
 * }} Explained
 */

/**
 * What a tap on the board does: places a stone, marks a point, writes a text on it or explains
 * it.
 * @typedef {"place" | import("./schema.js").Mark | "text" | "explain"} Tool
 */

/**
 * The state of the page. If the program is neither `open` nor `loading`, the link is retried,
 * unless it has `ended`: a key of `words.ends`, or another reason. If it is `crowded`, too many
 * other pages are open.
 * @type {{
 *   catalogue?: import("./schema.js").Catalogue,
 *   game?: import("./schema.js").Game,
 *   setting?: import("./schema.js").Setting,
 *   clock?: import("./schema.js").ClockView,
 *   position?: import("./schema.js").Position,
 *   tree?: import("./schema.js").TreeView,
 *   lines?: import("./schema.js").Lines,
 *   review?: import("./schema.js").ReviewView,
 *   exercise?: import("./schema.js").Exercise,
 *   walk?: import("./schema.js").Walk,
 *   database?: import("./schema.js").Database,
 *   hint: import("./schema.js").Cell[],
 *   defences: import("./schema.js").Cell[],
 *   tapped?: import("./schema.js").Cell,
 *   pointed: import("./schema.js").Cell[],
 *   explained?: Explained,
 *   found?: import("./schema.js").Lines,
 *   hovered?: import("./schema.js").Line,
 *   acts: boolean,
 *   searching: boolean,
 *   open: boolean,
 *   loading: boolean,
 *   crowded: boolean,
 *   ended?: string,
 *   numbers: boolean,
 *   marks: boolean,
 *   threats: boolean,
 *   tool: Tool,
 * }}
 */
export const state = {
  hint: [],
  defences: [],
  pointed: [],
  acts: false,
  searching: false,
  open: false,
  loading: true,
  crowded: false,
  numbers: false,
  marks: true,
  threats: false,
  tool: "place",
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

/** Schedules a call of the watchers, after the state has changed. */
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
  // A hidden page gets no animation frames.
  if (document.hidden) {
    setTimeout(draw);
  } else {
    requestAnimationFrame(draw);
  }
}

/** @type {(command: Command) => boolean} */
let sender = () => false;

/**
 * Sets the function that sends commands.
 * @param {(command: Command) => boolean} send
 */
export function connect(send) {
  sender = send;
}

/** Commands after which another position is shown, unless they are refused. */
const MOVES = ["go", "undo", "redo", "place", "play"];
/** The position shown when one of them was sent last. @type {import("./schema.js").Position | undefined} */
let leftFrom;

/**
 * Sends a command.
 * @param {Command} command
 */
export function send(command) {
  if (MOVES.includes(command.do)) {
    leftFrom = state.position;
  }
  return sender(command);
}

/** Handles a refusal: no other position is coming. */
export function cancelMove() {
  leftFrom = undefined;
}

/** Whether another position may be about to arrive. */
export const isMoving = () => leftFrom !== undefined && leftFrom === state.position;

/**
 * Returns the name of a point.
 * @param {import("./schema.js").Cell} cell
 */
export function label([x, y]) {
  return letter(x) + ((state.game?.height ?? 0) - y);
}

/**
 * Returns the point of a name.
 * @param {string} name
 * @returns {import("./schema.js").Cell}
 */
export function cell(name) {
  const row = name.replace(/^[a-z]+/, "");
  return [column(name.slice(0, name.length - row.length)), (state.game?.height ?? 0) - Number(row)];
}

/**
 * Whether two points are the same.
 * @param {import("./schema.js").Cell} a
 * @param {import("./schema.js").Cell} b
 */
export function same(a, b) {
  return a[0] === b[0] && a[1] === b[1];
}

/**
 * Returns the next stone of a line: during a turn the line begins with the stones placed.
 * @param {import("./schema.js").Line} line
 */
export const nextStone = ({ stones }) =>
  stones.find(({ cell }) => !state.position?.placed.some((placed) => same(placed.cell, cell)));

/** Returns the forbidden points to mark. */
export const forbidden = () => (state.marks && state.position?.forbidden) || [];

/**
 * Returns the win rate, 0 to 1, of the side that moves first in a line.
 * @param {import("./schema.js").Line} line
 */
export const winRate = ({ stones, black }) => (stones[0]?.color === "white" ? 1 - black : black);
