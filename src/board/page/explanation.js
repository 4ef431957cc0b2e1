// Why a point is forbidden or not: a tree of reasons beside the point.

import { spot } from "./board.js";
import { button, by, el, replace } from "./dom.js";
import { changed, cell, state } from "./state.js";
import { words } from "./words.js";

/** Pixels between the point and the tree. */
const GAP = 24;
/** Spaces of indentation per level. */
const STEP = 2;

/** @type {import("./state.js").Explained | undefined} */
let drawn;

/**
 * Makes a nested list of indented lines; returns it and the index of the next line.
 * @param {string[]} lines
 * @param {number} from
 * @param {number} level
 * @returns {[HTMLElement, number]}
 */
function list(lines, from, level) {
  const home = el("ul");
  let at = from;
  while (at < lines.length) {
    const text = lines[at].trimStart();
    const depth = (lines[at].length - text.length) / STEP;
    if (depth < level) {
      break;
    }
    if (depth > level && home.lastElementChild) {
      const [below, next] = list(lines, at, depth);
      home.lastElementChild.append(below);
      at = next;
      continue;
    }
    home.append(entry(text));
    at += 1;
  }
  return [home, at];
}

/**
 * Makes the entry of a reason. The board shows the points that it names while it is pointed at.
 * @param {string} text
 */
function entry(text) {
  const cells = (text.match(/\b(?:[a-z]|aa)\d+\b/g) ?? []).map(cell);
  const show = (/** @type {import("./schema.js").Cell[]} */ points) => () => {
    state.pointed = points;
    changed();
  };
  const shown = { onmouseenter: show(cells), onmouseleave: show([]), onfocus: show(cells) };
  return el("li", {}, el("span", { ...shown, onblur: show([]), tabindex: "0" }, text));
}

/** Closes it. */
function close() {
  state.explained = undefined;
  state.pointed = [];
  changed();
  by("board").querySelector("svg")?.focus();
}

/** Draws it. */
export function draw() {
  const { explained } = state;
  if (explained === drawn) {
    return;
  }
  drawn = explained;
  state.pointed = [];
  const home = by("explanation");
  home.hidden = !explained;
  if (!explained) {
    replace(home, []);
    return;
  }
  const [tree] = list(explained.lines, 0, 0);
  const shut = button("×", close, { "aria-label": words.close });
  replace(home, [el("header", {}, el("strong", {}, explained.verdict), shut), tree]);
  // Texts of the program are English.
  tree.setAttribute("lang", "en");
  home.querySelector("strong")?.setAttribute("lang", "en");
  place(home, explained.cell);
}

/**
 * Puts it beside the point, where it is completely visible.
 * @param {HTMLElement} home
 * @param {import("./schema.js").Cell} cell
 */
function place(home, cell) {
  const around = by("place").getBoundingClientRect();
  const [x, y] = spot(cell);
  const widest = document.documentElement.clientWidth - around.left - GAP;
  const left = Math.max(0, Math.min(x * around.width + GAP, widest - home.offsetWidth));
  const below = y <= 0.5;
  const top = y * around.height + (below ? GAP : -GAP - home.offsetHeight);
  home.style.setProperty("--x", `${left}px`);
  home.style.setProperty("--y", `${top}px`);
}
