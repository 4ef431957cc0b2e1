// What is remembered of puzzles: the Leitner system, kept in the browser.
//
// A card lies in one of the boxes 0 to 5. A puzzle that is solved without a wrong answer
// goes to the next box; one that was missed goes back to box 0. Its box says
// how many days after it was asked it is due again: at once, after 1, 3, 7, 21 and 60 days.

import { load, save } from "./storage.js";

/** Days until a card is asked again, by its box. */
export const DAYS = [0, 1, 3, 7, 21, 60];
const DAY = 86_400_000;
const CARDS = "goren-cards";
const OWN = "goren-puzzles";
/** Most puzzles of one's own that are kept; the oldest go first. */
const MOST = 500;

/** @typedef {import("./schema.js").PuzzleInfo} PuzzleInfo */
/** @typedef {{box: number, due: number, asked: number, missed: number}} Card */

/**
 * The card after its puzzle was asked.
 * @param {Card | undefined} card
 * @param {boolean} solved without a wrong answer
 * @param {number} now in milliseconds
 * @returns {Card}
 */
export function next(card, solved, now) {
  const box = solved ? Math.min((card?.box ?? 0) + 1, DAYS.length - 1) : 0;
  return {
    box,
    due: now + DAYS[box] * DAY,
    asked: (card?.asked ?? 0) + 1,
    missed: (card?.missed ?? 0) + Number(!solved),
  };
}

/**
 * What is to be asked: puzzles that are due, those missed most first, then new ones, the
 * shortest first.
 * @param {PuzzleInfo[]} puzzles
 * @param {Record<string, Card>} cards
 * @param {number} now
 */
export function due(puzzles, cards, now) {
  const card = (/** @type {PuzzleInfo} */ puzzle) => cards[name(puzzle.text)];
  const seen = puzzles.filter((puzzle) => (card(puzzle)?.due ?? Infinity) <= now);
  seen.sort((a, b) => card(b).missed - card(a).missed || card(a).due - card(b).due);
  const fresh = puzzles.filter((puzzle) => !card(puzzle));
  fresh.sort((a, b) => (a.plies ?? 0) - (b.plies ?? 0));
  return [...seen, ...fresh];
}

/** The name of a puzzle: its position. @param {string} text */
export function name(text) {
  const { game, size, pos } = JSON.parse(text);
  return `${game} ${JSON.stringify(size)} ${pos}`;
}

/** All cards. @returns {Record<string, Card>} */
export function cards() {
  const cards = load(CARDS, {});
  return typeof cards === "object" && !Array.isArray(cards) ? cards : {};
}

/**
 * Remembers how a puzzle went.
 * @param {string} text
 * @param {boolean} solved
 */
export function remember(text, solved) {
  const all = cards();
  all[name(text)] = next(all[name(text)], solved, Date.now());
  save(CARDS, all);
}

/** The puzzles of one's own. @returns {PuzzleInfo[]} */
export function own() {
  const puzzles = load(OWN, []);
  return Array.isArray(puzzles) ? puzzles.filter((puzzle) => typeof puzzle?.text === "string") : [];
}

/** Keeps more of them. @param {PuzzleInfo[]} puzzles */
export function add(puzzles) {
  const known = own();
  const fresh = puzzles.filter(({ text }) => !known.some((other) => other.text === text));
  save(OWN, [...known, ...fresh].slice(-MOST));
  return fresh.length;
}
