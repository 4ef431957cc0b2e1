// The trees that the browser keeps: the one at hand, and earlier ones that were given up.

import { load, loadText, removeText, save, saveText } from "./storage.js";

/** The tree at hand: first in the tab, then for the next visit. */
const KEY = "goren-tree";
/** The tab whose tree is kept for the next visit. */
const OWNER = "goren-tree-owner";
/** The name of a tab, while no page is shown in it. */
const TAB = "goren-tab";
/** Earlier ones, the newest first. */
const EARLIER = "goren-earlier";
/** Most earlier ones. */
const MOST = 12;
/** Most of those beside them that a removed branch or a repeated review has left. */
const MOST_PARTS = 3;

/**
 * A tree that was given up for another one, and when, in milliseconds. Of one that could not
 * be read the game is empty. A `part` was given up for another state of the same game. With an
 * `owner` it is what that tab was showing when another one kept its own.
 * @typedef {{
 *   text: string, game: string, positions: number, when: number, part?: boolean, owner?: string
 * }} Earlier
 */

/** Those that the browser has no room for, as long as this page is open. @type {Earlier[]} */
let held = [];

// The name is taken out of the store while the page is shown, and put back for the next page of
// this tab: a tab that is opened as a copy of this one has a copy of the store, and must not
// take itself for this one.
const me = loadText("sessionStorage", TAB) ?? `${Date.now()}-${Math.random()}`;
removeText("sessionStorage", TAB);
addEventListener("pagehide", () => saveText("sessionStorage", TAB, me));
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) {
    removeText("sessionStorage", TAB);
  }
});

/**
 * Keeps the tree at hand; false where it is not kept for the next visit.
 * @param {string} text
 */
export function put(text) {
  keepOther(text);
  saveText("sessionStorage", KEY, text);
  if (putForNext(text)) {
    return true;
  }
  // The tree at hand is worth more than earlier ones, if it fits without them.
  const list = earlier();
  if (list.length === 0 || !save(EARLIER, [])) {
    return false;
  }
  const fits = putForNext(text);
  keepEarlier(list);
  return fits;
}

/** @param {string} text */
function putForNext(text) {
  return saveText("localStorage", KEY, text) && saveText("localStorage", OWNER, me);
}

/**
 * Puts what another tab shows among the earlier ones, before this one keeps its tree instead:
 * one entry for each tab, however often the two take turns.
 * @param {string} text the tree of this tab
 */
function keepOther(text) {
  const owner = loadText("localStorage", OWNER);
  const other = loadText("localStorage", KEY);
  // A tab that has just been opened shows what this one did, until something changes there.
  const known = [null, text, loadText("sessionStorage", KEY)].includes(other);
  if (owner && owner !== me && other && !known) {
    const about = described(other);
    if (!about.untouched) {
      keepReplaced({ text: other, game: about.game, positions: about.positions, owner });
    }
  }
}

/**
 * What the list of earlier games says of a tree.
 * @param {string} text
 */
function described(text) {
  try {
    const { game, nodes, beginning } = JSON.parse(text);
    const untouched = nodes.length === 1 && !beginning && Object.keys(nodes[0]).length === 0;
    return { game: String(game.variant), positions: nodes.length - 1, untouched };
  } catch {
    // Another tab may show a page of another version.
    return { game: "", positions: 0, untouched: false };
  }
}

/**
 * The levels of the engine with which a tree is kept; undefined where it has none of its own.
 * @param {string} text
 * @returns {string[] | undefined}
 */
export function levels(text) {
  try {
    return JSON.parse(text).levels?.map(String);
  } catch {
    return undefined;
  }
}

/** The tree that was kept, of this tab or of the last one. */
export function latest() {
  const mine = loadText("sessionStorage", KEY);
  if (mine !== null) {
    return mine;
  }
  // It goes on here: no other tab is the last one any more.
  saveText("localStorage", OWNER, me);
  return loadText("localStorage", KEY);
}

/** The earlier ones, the newest first. @returns {Earlier[]} */
export function earlier() {
  return [...held, ...stored()].sort((a, b) => b.when - a.when);
}

/** Those that the browser keeps. @returns {Earlier[]} */
function stored() {
  const list = load(EARLIER, []);
  return Array.isArray(list) ? list : [];
}

/**
 * Adds an earlier one; false where it is held as long as this page is open, and no longer.
 * @param {{text: string, game: string, positions: number, part?: boolean, owner?: string}} tree
 */
export function keepReplaced({ text, game, positions, part, owner }) {
  const others = earlier().filter((other) => other.text !== text && (!owner || other.owner !== owner));
  const list = [{ text, game, positions, part, owner, when: Date.now() }, ...others];
  // Cleaning one game of its branches must not push out the others.
  const parts = list.filter((tree) => tree.part).slice(0, MOST_PARTS);
  const wholes = list.filter((tree) => !tree.part).slice(0, MOST);
  return keepEarlier(list.filter((tree) => parts.includes(tree) || wholes.includes(tree)));
}

/**
 * Keeps as many of the earlier ones as there is room for, the newest first, and holds the
 * others; false where the newest is not kept.
 * @param {Earlier[]} list
 */
function keepEarlier(list) {
  let count = list.length;
  while (count > 0 && !save(EARLIER, list.slice(0, count))) {
    count -= 1;
  }
  const kept = stored();
  held = list.filter(({ text }) => !kept.some((other) => other.text === text));
  return !held.includes(list[0]);
}
