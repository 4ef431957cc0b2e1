// A point of the position shown: its contents, and its marks and texts in the tree or in the open
// database.

import { button, el } from "./dom.js";
import { close, show } from "./setup.js";
import { cell, forbidden, label, nextStone, same, send, state, winRate } from "./state.js";
import * as threats from "./threats.js";
import { words } from "./words.js";

/** @typedef {import("./schema.js").Cell} Cell */
/** @typedef {import("./schema.js").Mark} Mark */

/** The signs of marks. @type {Record<Mark, string>} */
export const FIGURES = { circle: "○", square: "□", triangle: "△", cross: "✕" };
const MARKS = /** @type {Mark[]} */ (Object.keys(FIGURES));

/**
 * Marks a point, or removes the mark if it is there already.
 * @param {Cell} at
 * @param {Mark} [kind] the mark; if absent the next one in order, and none after the last
 */
export function mark(at, kind) {
  const node = state.position?.node ?? 0;
  const now = notes()?.marks.find(([marked]) => same(marked, at))?.[1];
  const next = kind ?? (now ? MARKS[MARKS.indexOf(now) + 1] : MARKS[0]);
  send({ do: "mark", node, cell: at, mark: next === now ? null : (next ?? null) });
}

/** Returns the node of the tree with its notes, by default that of the position shown. */
function notes(node = state.position?.node) {
  return state.tree?.nodes.find(({ id }) => id === node);
}

/**
 * Returns the contents of a point in words.
 * @param {Cell} at
 */
export function pointContents(at) {
  const { position } = state;
  const here = (/** @type {{cell: Cell}} */ other) => same(other.cell, at);
  const colors = { black: words.black, white: words.white };
  const there = position?.stones.find(here);
  const placed = position?.placed.find(here);
  const offered = position?.offers.some((other) => same(other, at));
  const foul = forbidden().find(here);
  const mark = notes()?.marks.find(([marked]) => same(marked, at))?.[1];
  const text = notes()?.labels.find(([labelled]) => same(labelled, at))?.[1];
  const what = there
    ? there.color ? colors[there.color] : words.wall
    : placed ? `${placed.color ? `${colors[placed.color]}, ` : ""}${words.placed}` : offered ? words.offered : words.empty;
  const named = (/** @type {string} */ kind) => words.fouls[/** @type {keyof typeof words.fouls} */ (kind)] ?? kind;
  const kinds = foul && `${words.forbidden}: ${foul.kinds.map(named).join(", ")}`;
  return [label(at), what, kinds, mark && words.markNames[mark], text].filter(Boolean).join(", ");
}

/**
 * Returns the contents of a point, and what is known of a move there.
 * @param {Cell} at
 */
export function describePoint(at) {
  const { position, lines, database, walk, hint, defences } = state;
  const node = position?.node;
  const here = (/** @type {Cell | undefined} */ other) => other !== undefined && same(other, at);
  const line = lines?.node === node ? lines?.lines.find((line) => here(nextStone(line)?.cell)) : undefined;
  const known = database?.name && database.node === node ? database.moves.find(({ cell }) => here(cell)) : undefined;
  return [
    pointContents(at),
    line && words.candidate(Math.round(100 * winRate(line))),
    ...threats.describe(at),
    hint.some(here) && words.advised,
    defences.some(here) && words.aDefence,
    known && `${words.inDatabase}: ${[known.shown, known.text].filter(Boolean).join(" ")}`,
    walk?.node === node && walk?.left?.some(here) && words.replyLeft,
  ].filter(Boolean).join(", ");
}

/**
 * Opens the dialog that asks for the text on a point.
 * @param {Cell | undefined} [at] the point, if known
 */
export function ask(at) {
  const node = state.position?.node ?? 0;
  const { database } = state;
  const point = el("input", { value: at ? label(at) : "", size: 4, required: true, pattern: "[A-Za-z]{1,2}[0-9]+" });
  const text = el("input", { maxlength: 200 });
  const inBase = el("input", { type: "checkbox" });
  /** Returns the text that is there. */
  const known = () => {
    const there = cell(point.value.trim().toLowerCase());
    if (inBase.checked) {
      return database?.moves.find((move) => same(move.cell, there))?.text;
    }
    return notes(node)?.labels.find(([labelled]) => same(labelled, there))?.[1];
  };
  const fill = () => (text.value = known() ?? "");
  const see = () => {
    const [x, y] = cell(point.value.trim().toLowerCase());
    const { width = 0, height = 0 } = state.game ?? {};
    const inside = x >= 0 && x < width && y >= 0 && y < height;
    point.setCustomValidity(inside || !point.value ? "" : words.noPoint);
  };
  point.addEventListener("input", see);
  point.addEventListener("change", fill);
  inBase.addEventListener("change", fill);
  fill();
  const put = (/** @type {Event} */ event) => {
    event.preventDefault();
    const there = cell(point.value.trim().toLowerCase());
    if (inBase.checked) {
      send({ do: "set_point_text", node, cell: there, text: text.value });
    } else {
      send({ do: "label", node, cell: there, text: text.value });
    }
    close();
  };
  const changes = database?.name && !database.foreign && !database.locked;
  show([
    el("h2", {}, words.pointText),
    el(
      "form",
      { onsubmit: put },
      el("label", {}, `${words.point} `, point),
      el("label", {}, `${words.text} `, text),
      ...(changes ? [el("label", {}, inBase, ` ${words.inDatabase}`)] : []),
      el(
        "div",
        { class: "row" },
        el("button", { type: "submit" }, words.putText),
        button(words.cancel, close),
      ),
    ),
  ]);
  (at ? text : point).focus();
}
