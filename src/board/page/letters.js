// Letters of columns: a, b, c …, or without i, as an option. Only what the page shows and what
// is typed there has the letters without i: the program, links and files have all of them.

import { load, save } from "./storage.js";

const KEY = "goren-letters-without-i";
/** The column of the letter i. */
const I = 8;
/** The letters of a 26th column, where there is no i. */
const LAST = "aa";

const without = load(KEY, false) === true;

/** Whether the letters go without i. */
export const withoutI = () => without;

/** Has the letters go without i, or with it, from the next time the page is opened. @param {boolean} on */
export const putWithoutI = (on) => save(KEY, on);

/** The letter of a column, from 0. @param {number} x */
export function letter(x) {
  const at = without && x >= I ? x + 1 : x;
  return at < 26 ? String.fromCharCode(97 + at) : LAST;
}

/** The column of a letter; NaN where there is none. @param {string} name */
export function column(name) {
  const at = name.length === 1 ? name.charCodeAt(0) - 97 : NaN;
  if (!without || at < I) {
    return at;
  }
  return name === LAST ? 25 : at === I ? NaN : at - 1;
}

/** Names of files that texts may tell, as they are. @type {Set<string>} */
const names = new Set();

/** Has a name of a file stay as it is in texts. @param {string} name */
export function leave(name) {
  // Without an end it may be the name of a point too.
  if (name.includes(".")) {
    names.add(name);
  }
}

/** A point in a text: what stands before it, its letter and its row. No part of a name of a file. */
const POINT = /(^|[^\w.-])([i-z])(\d{1,2})(?![\w-]|\.\w)/g;

/** A text of the program with the letters of the page. @param {string} text */
function shown(text) {
  // Where pieces fall, a move is a letter alone.
  if (/^[i-z]$/.test(text)) {
    return letter(text.charCodeAt(0) - 97);
  }
  const told = [...names].filter((name) => text.includes(name));
  const longest = told.sort((a, b) => b.length - a.length)[0];
  const parts = longest === undefined ? [text] : text.split(longest);
  const points = (/** @type {string} */ part) =>
    part.replace(POINT, (_, before, name, row) => before + letter(name.charCodeAt(0) - 97) + row);
  return parts.map(points).join(longest);
}

/**
 * What is typed with the letters of the page, as the program reads it; undefined where it has a
 * letter that there is not.
 * @param {string} text
 */
export function read(text) {
  if (!without) {
    return text;
  }
  let known = true;
  // Where pieces fall, a letter alone is a move.
  const changed = text.replace(/([a-z]+)(\d{1,2})|^\s*([a-z])\s*$/gi, (_, name, row, alone) => {
    const x = column((name ?? alone).toLowerCase());
    known &&= x >= 0;
    return String.fromCharCode(97 + x) + (row ?? "");
  });
  return known ? changed : undefined;
}

/** Events whose texts name points. */
const EVENTS = ["position", "tree", "lines", "hint", "message", "explanation", "review", "exercise", "walk", "refused"];
/** Fields of them that are no texts of the program. */
const OTHERS = new Set(["event", "state", "query", "color", "comment", "marks", "labels", "score", "name", "puzzle", "grade"]);

/**
 * An event, its texts with the letters of the page.
 * @param {import("./schema.js").Event} event
 * @returns {import("./schema.js").Event}
 */
export function lettered(event) {
  return without && EVENTS.includes(event.event) ? changed(event, "") : event;
}

/**
 * @param {any} value
 * @param {string} name the field that it is of
 * @returns {any}
 */
function changed(value, name) {
  if (OTHERS.has(name)) {
    return value;
  }
  if (typeof value === "string") {
    return shown(value);
  }
  if (Array.isArray(value)) {
    return value.map((part) => changed(part, name));
  }
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, changed(part, name)]));
  }
  return value;
}
