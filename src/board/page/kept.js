// The trees that the browser keeps: the one at hand, and earlier ones that were given up.

import { load, save, saveText } from "./storage.js";

/** The tree at hand: first in the tab, then for the next visit. */
const KEY = "goren-tree";
/** Earlier ones, the newest first. */
const EARLIER = "goren-earlier";
/** Most earlier ones. */
const MOST = 12;

/**
 * A tree that was given up for another one, and when, in milliseconds. Of one that could not
 * be read the game is empty.
 * @typedef {{text: string, game: string, positions: number, when: number}} Earlier
 */

/**
 * Keeps the tree at hand; false where the browser has no room for it.
 * @param {string} text
 */
export function put(text) {
  const inTab = saveText(sessionStorage, KEY, text);
  if (saveText(localStorage, KEY, text)) {
    return true;
  }
  // The tree at hand is worth more than earlier ones, if it fits without them.
  const list = earlier();
  if (list.length === 0 || !save(EARLIER, [])) {
    return inTab;
  }
  const fits = saveText(localStorage, KEY, text);
  keepEarlier(list);
  return fits || inTab;
}

/** The tree that was kept, of this tab or of the last one. */
export function latest() {
  try {
    return sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** The earlier ones. @returns {Earlier[]} */
export function earlier() {
  const list = load(EARLIER, []);
  return Array.isArray(list) ? list : [];
}

/**
 * Adds an earlier one; false where the browser keeps nothing.
 * @param {{text: string, game: string, positions: number}} tree
 */
export function keepReplaced({ text, game, positions }) {
  const others = earlier().filter((other) => other.text !== text);
  return keepEarlier([{ text, game, positions, when: Date.now() }, ...others].slice(0, MOST));
}

/**
 * Keeps as many of the earlier ones as there is room for, the newest first; false if none.
 * @param {Earlier[]} list
 */
function keepEarlier(list) {
  for (let count = list.length; count > 0; count--) {
    if (save(EARLIER, list.slice(0, count))) {
      return true;
    }
  }
  return false;
}
