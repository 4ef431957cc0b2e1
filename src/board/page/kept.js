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
 * `owner` it is what that tab was showing when another one kept its own, or an exercise or a walk:
 * of each there is one.
 * @typedef {{
 *   text: string, game: string, positions: number, when: number, part?: boolean, owner?: string
 * }} Earlier
 */

/** Those that the browser has no room for, as long as this page is open. @type {Earlier[]} */
let held = [];
/** Whether the tree at hand is kept, if only in the tab, or has nothing in it. */
let isPut = true;
/** The owner of what was written into the exercise or the walk at hand. @type {string | undefined} */
let notesOwner;

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
  const isInTab = saveText("sessionStorage", KEY, text);
  const isForNext = putForNext(text) || putAlone(text);
  if (!isInTab && isForNext) {
    // The older one that is there would be taken for the tree at hand.
    removeText("sessionStorage", KEY);
  }
  isPut = isInTab || isForNext || described(text).untouched;
  guard();
  return isForNext;
}

/**
 * The tree at hand is worth more than earlier ones, if it fits without them.
 * @param {string} text
 */
function putAlone(text) {
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

/** How many of them the browser has no room for. */
export const heldCount = () => held.length;

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
 * Adds the tree of an exercise or a walk, as long as it is not given up: instead of what was
 * written there before.
 * @param {{text: string, game: string, positions: number}} tree
 */
export function keepNotes(tree) {
  notesOwner ??= `${me}-notes-${Date.now()}`;
  keepReplaced({ ...tree, owner: notesOwner });
}

/** The owner of what was written into an exercise or a walk that ends now, if anything was. */
export function endNotes() {
  const owner = notesOwner;
  notesOwner = undefined;
  return owner;
}

/**
 * Keeps as many of the earlier ones as there is room for, whole games first and of these the
 * newest, and holds the others; false where the newest is not kept.
 * @param {Earlier[]} list
 */
function keepEarlier(list) {
  const fitting = [...list];
  while (fitting.length > 0 && !save(EARLIER, fitting)) {
    const part = fitting.map((tree) => Boolean(tree.part)).lastIndexOf(true);
    fitting.splice(part < 0 ? fitting.length - 1 : part, 1);
  }
  const kept = stored();
  held = list.filter(({ text }) => !kept.some((other) => other.text === text));
  guard();
  return !held.includes(list[0]);
}

/**
 * Has the browser ask before it closes the page or opens it anew.
 * @param {BeforeUnloadEvent} event
 */
function ask(event) {
  event.preventDefault();
  // Older browsers take only this for a question.
  event.returnValue = true;
}

/** Has it ask as long as something would be lost: no longer, as it may not keep such a page for the way back. */
function guard() {
  if (isPut && held.length === 0) {
    removeEventListener("beforeunload", ask);
  } else {
    addEventListener("beforeunload", ask);
  }
}
