// Letters of columns: a, b, c …, optionally without i. Only texts that the page shows and that
// the user types go without i: the program, links and files use all letters.

import { load, save } from "./storage.js";

const KEY = "goren-letters-without-i";
/** The column of the letter i. */
const I = 8;
/** The name of the 26th column without i. */
const LAST = "aa";

const without = load(KEY, false) === true;

/** Whether the letters go without i. */
export const withoutI = () => without;

/** Sets whether the letters go without i, from the next visit on. @param {boolean} on */
export const putWithoutI = (on) => save(KEY, on);

/** Returns the letter of a column, from 0. @param {number} x */
export function letter(x) {
  const at = without && x >= I ? x + 1 : x;
  return at < 26 ? String.fromCharCode(97 + at) : LAST;
}

/** Returns the column of a letter; NaN if there is none. @param {string} name */
export function column(name) {
  const at = name.length === 1 ? name.charCodeAt(0) - 97 : NaN;
  if (!without || at < I) {
    return at;
  }
  return name === LAST ? 25 : at === I ? NaN : at - 1;
}

/** File names that may occur in texts, and stay as they are. @type {Set<string>} */
const names = new Set();

/** Excludes a file name from the conversion of texts. @param {string} name */
export function addFileName(name) {
  // Without an extension it may also be the name of a point.
  if (name.includes(".")) {
    names.add(name);
  }
}

/** A point in a text, not in a file name: the character before it, its letter and its row. */
const POINT = /(^|[^\w.-])([i-z])(\d{1,2})(?![\w-]|\.\w)/g;
/** The same in games with gravity, where a column without a row is a move. */
const COLUMN = /(^|[^\w.'-])([i-z])(\d{0,2})(?![\w'-]|\.\w)/g;

/**
 * Converts a text of the program to the letters of the page.
 * @param {string} text
 * @param {boolean} falls whether the game has gravity
 */
function pageText(text, falls) {
  const mentioned = [...names].filter((name) => text.includes(name));
  const longest = mentioned.sort((a, b) => b.length - a.length)[0];
  const parts = longest === undefined ? [text] : text.split(longest);
  // A review may arrive before its game.
  const pattern = falls || text.length === 1 ? COLUMN : POINT;
  const points = (/** @type {string} */ part) =>
    part.replace(pattern, (_, before, name, row) => before + letter(name.charCodeAt(0) - 97) + row);
  return parts.map(points).join(longest);
}

/**
 * Converts typed text from the letters of the page to those of the program; returns undefined if
 * it has a letter that is no column.
 * @param {string} text
 */
export function read(text) {
  if (!without) {
    return text;
  }
  let known = true;
  // In games with gravity a single letter is a piece of a turn.
  const converted = text.replace(/([a-z]+)(\d{1,2})|\b([a-z])\b/gi, (_, name, row, alone) => {
    const x = column((name ?? alone).toLowerCase());
    known &&= x >= 0;
    return String.fromCharCode(97 + x) + (row ?? "");
  });
  return known ? converted : undefined;
}

/** Events whose texts name points. */
const EVENTS = ["position", "tree", "lines", "hint", "message", "explanation", "review", "exercise", "walk", "refused"];
/** Fields of these events that are no texts of the program. */
const OTHERS = new Set(["event", "state", "query", "color", "comment", "marks", "labels", "score", "name", "puzzle", "grade"]);

/**
 * Converts the texts of an event to the letters of the page.
 * @param {import("./schema.js").Event} event
 * @param {boolean} [falls] whether the game has gravity
 * @returns {import("./schema.js").Event}
 */
export function withPageLetters(event, falls = false) {
  return without && EVENTS.includes(event.event) ? convert(event, "", falls) : event;
}

/**
 * @param {any} value
 * @param {string} name its field
 * @param {boolean} falls
 * @returns {any}
 */
function convert(value, name, falls) {
  if (OTHERS.has(name)) {
    return value;
  }
  if (typeof value === "string") {
    return pageText(value, falls);
  }
  if (Array.isArray(value)) {
    return value.map((part) => convert(part, name, falls));
  }
  if (value && typeof value === "object") {
    const parts = Object.entries(value).map(([name, part]) => [name, convert(part, name, falls)]);
    return Object.fromEntries(parts);
  }
  return value;
}
