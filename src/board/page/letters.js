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

/** Converts a text of the program to the letters of the page. @param {string} text */
function pageText(text) {
  // In games with gravity a move is a single letter.
  if (/^[i-z]$/.test(text)) {
    return letter(text.charCodeAt(0) - 97);
  }
  const mentioned = [...names].filter((name) => text.includes(name));
  const longest = mentioned.sort((a, b) => b.length - a.length)[0];
  const parts = longest === undefined ? [text] : text.split(longest);
  const points = (/** @type {string} */ part) =>
    part.replace(POINT, (_, before, name, row) => before + letter(name.charCodeAt(0) - 97) + row);
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
  // In games with gravity a single letter is a move.
  const converted = text.replace(/([a-z]+)(\d{1,2})|^\s*([a-z])\s*$/gi, (_, name, row, alone) => {
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
 * @returns {import("./schema.js").Event}
 */
export function withPageLetters(event) {
  return without && EVENTS.includes(event.event) ? convert(event, "") : event;
}

/**
 * @param {any} value
 * @param {string} name its field
 * @returns {any}
 */
function convert(value, name) {
  if (OTHERS.has(name)) {
    return value;
  }
  if (typeof value === "string") {
    return pageText(value);
  }
  if (Array.isArray(value)) {
    return value.map((part) => convert(part, name));
  }
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, convert(part, name)]));
  }
  return value;
}
