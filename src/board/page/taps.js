// The second tap, an option: the first tap only shows the stone, and a second tap on the same
// point plays it. On a small touch screen a finger covers several points of a board.

import { by } from "./dom.js";
import { changed, forbidden, same, state } from "./state.js";
import { load, save } from "./storage.js";

const KEY = "goren-second-tap";
/** Media query for a touch screen. */
const TOUCH = "(pointer: coarse)";
/** Pixels per line of the board below which a finger covers more than a point. */
const FINGER = 36;

/** Whether a second tap is required: by the user's choice, else if a finger covers several points. */
export function isAsked() {
  const chosen = load(KEY, null);
  if (typeof chosen === "boolean") {
    return chosen;
  }
  const lines = state.game?.width ?? 0;
  return matchMedia(TOUCH).matches && by("board").clientWidth < FINGER * lines;
}

/** @param {boolean} on */
export const put = (on) => save(KEY, on);

/**
 * Returns where a stone comes to rest that is placed on a point; undefined if it is illegal there,
 * or if a stone of the turn is there, which is taken back. In a game with gravity any point of a
 * column will do if the column has a single legal point.
 * @param {import("./schema.js").Cell} cell
 */
function resting(cell) {
  const { legal = [], placed = [] } = state.position ?? {};
  const falls = state.game?.falls && !placed.some((stone) => same(stone.cell, cell));
  const column = falls ? legal.filter(([x]) => x === cell[0]) : [];
  return legal.find((other) => same(other, cell)) ?? (column.length === 1 ? column[0] : undefined);
}

/**
 * Handles a tap on a point; returns whether it only shows the stone. Taps on a forbidden point
 * explain it instead.
 * @param {import("./schema.js").Cell} cell
 */
export function shows(cell) {
  const { position, tool, acts } = state;
  const before = state.tapped;
  const places = tool === "place" && !acts && Boolean(position?.decision?.next) && isAsked();
  const rests = resting(cell);
  const free = rests && !forbidden().some((other) => same(other.cell, rests));
  state.tapped = places && free && !(before && same(before, rests)) ? rests : undefined;
  changed();
  return state.tapped !== undefined;
}
