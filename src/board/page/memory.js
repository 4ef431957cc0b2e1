// The memory of puzzles: the Leitner system, stored in the browser.
//
// A card is in one of the boxes 0 to 5. Solving a puzzle without a wrong answer moves its card to
// the next box; missing it moves the card back to box 0. The box determines when the puzzle is
// due again: at once, or after 1, 3, 7, 21 or 60 days.

import { load, save } from "./storage.js";

/** Days until a card is asked again, by its box. */
export const DAYS = [0, 1, 3, 7, 21, 60];
const DAY = 86_400_000;
const CARDS = "goren-cards";
const OWN = "goren-puzzles";
/** Maximum number of the user's own puzzles; the oldest are dropped first. */
const MOST = 500;

/** @typedef {import("./schema.js").PuzzleInfo} PuzzleInfo */
/** @typedef {{box: number, due: number, asked: number, missed: number}} Card */

/**
 * Returns the card after its puzzle was asked.
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
 * Returns the puzzles to ask: those that are due, the most missed first, then new ones, the
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

/** Returns the name of a puzzle: its position. @param {string} text */
export function name(text) {
  const { game, size, pos } = JSON.parse(text);
  return `${game} ${JSON.stringify(size)} ${pos}`;
}

/** Returns all cards. @returns {Record<string, Card>} */
export function cards() {
  const cards = load(CARDS, {});
  return typeof cards === "object" && !Array.isArray(cards) ? cards : {};
}

/**
 * Records the result of a puzzle.
 * @param {string} text
 * @param {boolean} solved
 */
export function remember(text, solved) {
  const all = cards();
  all[name(text)] = next(all[name(text)], solved, Date.now());
  save(CARDS, all);
}

/** Returns the user's own puzzles. @returns {PuzzleInfo[]} */
export function own() {
  const puzzles = load(OWN, []);
  return Array.isArray(puzzles) ? puzzles.filter((puzzle) => typeof puzzle?.text === "string") : [];
}

/** Adds own puzzles; returns how many are new. @param {PuzzleInfo[]} puzzles */
export function add(puzzles) {
  const known = own();
  const fresh = puzzles.filter(({ text }) => !known.some((other) => other.text === text));
  save(OWN, [...known, ...fresh].slice(-MOST));
  return fresh.length;
}
