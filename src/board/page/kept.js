// The trees that the browser stores: the current one, and earlier ones that were replaced.

import { load, loadText, removeText, save, saveText } from "./storage.js";

/** The current tree, both in the tab and for the next visit. */
const KEY = "goren-tree";
/** The tab whose tree is stored for the next visit. */
const OWNER = "goren-tree-owner";
/** The name of a tab, while it shows no page. */
const TAB = "goren-tab";
/** Earlier trees, the newest first. */
const EARLIER = "goren-earlier";
/** Maximum number of earlier trees. */
const MOST = 12;
/** Maximum number of further trees, from before a branch was removed or a review repeated. */
const MAX_PARTS = 3;

/**
 * A tree that was replaced by another, and when, in milliseconds. If it could not be read, the
 * game is empty. A `part` was replaced by another state of the same game. A tree with an `owner`
 * is the tree of a tab that another tab replaced, or the tree of an exercise or a walk: each owner
 * has one.
 * @typedef {{
 *   text: string, game: string, positions: number, when: number, part?: boolean, owner?: string
 * }} Earlier
 */

/** Earlier trees for which the browser has no room; they last as long as this page. @type {Earlier[]} */
let unstored = [];
/** Whether the current tree is stored, at least in the tab, or is empty. */
let isStored = true;
/** The owner of the notes of the current exercise or walk. @type {string | undefined} */
let notesOwner;

// While the page is shown, the name is not in the session storage; it is put back for the next
// page of this tab. A copy of this tab gets a copy of the storage, and must not take the name.
const tabName = loadText("sessionStorage", TAB) ?? `${Date.now()}-${Math.random()}`;
removeText("sessionStorage", TAB);
addEventListener("pagehide", () => saveText("sessionStorage", TAB, tabName));
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) {
    removeText("sessionStorage", TAB);
  }
});

/**
 * Stores the current tree; returns false if it is not stored for the next visit.
 * @param {string} text
 */
export function put(text) {
  keepOther(text);
  const isInTab = saveText("sessionStorage", KEY, text);
  const isForNext = putForNext(text) || putAlone(text);
  if (!isInTab && isForNext) {
    // The older tree there would be taken for the current one.
    removeText("sessionStorage", KEY);
  }
  isStored = isInTab || isForNext || describe(text).untouched;
  guard();
  return isForNext;
}

/**
 * Stores the current tree in place of earlier ones, if it fits without them.
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
  return saveText("localStorage", KEY, text) && saveText("localStorage", OWNER, tabName);
}

/**
 * Moves the tree of another tab to the earlier ones, before this tab stores its own: one entry
 * for each tab, however often the two take turns.
 * @param {string} text the tree of this tab
 */
function keepOther(text) {
  const owner = loadText("localStorage", OWNER);
  const other = loadText("localStorage", KEY);
  // A tab that has just been opened shows the tree of this one, until it changes.
  const known = [null, text, loadText("sessionStorage", KEY)].includes(other);
  if (owner && owner !== tabName && other && !known) {
    const about = describe(other);
    if (!about.untouched) {
      keepReplaced({ text: other, game: about.game, positions: about.positions, owner });
    }
  }
}

/**
 * Describes a tree for the list of earlier games.
 * @param {string} text
 */
function describe(text) {
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
 * Returns the levels of the engine that are stored with a tree; undefined if it has none.
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

/** Returns the stored tree of this tab, else of the last tab. */
export function latest() {
  const mine = loadText("sessionStorage", KEY);
  if (mine !== null) {
    return mine;
  }
  // This tab continues with it, and becomes the last tab.
  saveText("localStorage", OWNER, tabName);
  return loadText("localStorage", KEY);
}

/** Returns the earlier trees, the newest first. @returns {Earlier[]} */
export function earlier() {
  return [...unstored, ...stored()].sort((a, b) => b.when - a.when);
}

/** Returns how many of them the browser has no room for. */
export const unstoredCount = () => unstored.length;

/** Returns the earlier trees that the browser stores. @returns {Earlier[]} */
function stored() {
  const list = load(EARLIER, []);
  return Array.isArray(list) ? list : [];
}

/**
 * Adds an earlier tree; returns false if it lasts only as long as this page.
 * @param {{text: string, game: string, positions: number, part?: boolean, owner?: string}} tree
 */
export function keepReplaced({ text, game, positions, part, owner }) {
  const others = earlier().filter((other) => other.text !== text && (!owner || other.owner !== owner));
  const list = [{ text, game, positions, part, owner, when: Date.now() }, ...others];
  // Cleaning one game of its branches must not push out the others.
  const parts = list.filter((tree) => tree.part).slice(0, MAX_PARTS);
  const wholes = list.filter((tree) => !tree.part).slice(0, MOST);
  return keepEarlier(list.filter((tree) => parts.includes(tree) || wholes.includes(tree)));
}

/**
 * Stores the tree of the current exercise or walk, in place of its older version.
 * @param {{text: string, game: string, positions: number}} tree
 */
export function keepNotes(tree) {
  notesOwner ??= `${tabName}-notes-${Date.now()}`;
  keepReplaced({ ...tree, owner: notesOwner });
}

/** Ends an exercise or a walk; returns the owner of its notes, if any. */
export function endNotes() {
  const owner = notesOwner;
  notesOwner = undefined;
  return owner;
}

/**
 * Stores as many earlier trees as there is room for, whole games first and of these the newest,
 * and holds the others in memory; returns false if the first is not stored.
 * @param {Earlier[]} list
 */
function keepEarlier(list) {
  const fitting = [...list];
  while (fitting.length > 0 && !save(EARLIER, fitting)) {
    const part = fitting.map((tree) => Boolean(tree.part)).lastIndexOf(true);
    fitting.splice(part < 0 ? fitting.length - 1 : part, 1);
  }
  const kept = stored();
  unstored = list.filter(({ text }) => !kept.some((other) => other.text === text));
  guard();
  return !unstored.includes(list[0]);
}

/**
 * Has the browser ask before it closes or reloads the page.
 * @param {BeforeUnloadEvent} event
 */
function ask(event) {
  event.preventDefault();
  // Older browsers ask only if this is set.
  event.returnValue = true;
}

/**
 * Has it ask only while something would be lost: the listener may keep the page out of the
 * back-forward cache.
 */
function guard() {
  if (isStored && unstored.length === 0) {
    removeEventListener("beforeunload", ask);
  } else {
    addEventListener("beforeunload", ask);
  }
}
