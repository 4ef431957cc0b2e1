// The trainer: chooses puzzles, shows how the exercise stands, and remembers.

import { tell } from "./controls.js";
import { button, by, el, renew, write } from "./dom.js";
import * as memory from "./memory.js";
import { close, show } from "./setup.js";
import { changed, send, state } from "./state.js";
import { words } from "./words.js";

/** @typedef {import("./schema.js").PuzzleInfo} PuzzleInfo */
/** @typedef {import("./schema.js").Exercise} Exercise */

/** The puzzles of the program. @type {PuzzleInfo[] | undefined} */
let shipped;
/** What is trained. */
const chosen = { source: "all", game: "", kind: "" };
/** Whether the puzzle at hand was already counted. */
let counted = false;
let asking = false;

/** @param {PuzzleInfo} puzzle */
function fits({ game, kind }) {
  return (!chosen.game || chosen.game === game) && (!chosen.kind || chosen.kind === kind);
}

/** All puzzles of the source that is chosen. */
function source() {
  const own = memory.own();
  return chosen.source === "own" ? own : [...own, ...(shipped ?? [])];
}

/** Asks the next puzzle; says so where there is none. */
function next() {
  const wanted = source().filter(fits);
  const now = Date.now();
  const order = memory.due(wanted, memory.cards(), now);
  const last = state.exercise?.puzzle;
  const puzzle = order.find(({ text }) => text !== last) ?? order[0];
  if (puzzle) {
    counted = false;
    send({ do: "train", puzzle: puzzle.text });
  } else {
    tell(wanted.length > 0 ? words.nothingDue : words.noPuzzles);
  }
}

/** Asks what is to be trained. */
export function open() {
  if (!shipped) {
    asking = true;
    send({ do: "puzzles" });
    return;
  }
  const counts = el("p", { role: "status" });
  /**
   * @param {string} label
   * @param {[string, string][]} options
   * @param {"source" | "game" | "kind"} key
   */
  const select = (label, options, key) => {
    const field = el("select", {
      "aria-label": label,
      onchange: () => {
        chosen[key] = field.value;
        count();
      },
    });
    for (const [value, text] of options) {
      field.append(el("option", { value, selected: value === chosen[key] }, text));
    }
    return el("label", {}, `${label} `, field);
  };
  const start = button(words.train, () => {
    close();
    next();
  });
  function count() {
    const wanted = source().filter(fits);
    const due = memory.due(wanted, memory.cards(), Date.now()).length;
    counts.textContent = words.dueOf(due, wanted.length);
    start.disabled = due === 0;
  }
  const all = [...memory.own(), ...shipped];
  const games = [...new Set(all.map(({ game }) => game))].sort();
  count();
  show([
    el("h2", {}, words.trainer),
    el("p", {}, words.aboutTrainer),
    el(
      "div",
      { class: "row" },
      select(words.puzzles, [["all", words.allPuzzles], ["own", words.ownPuzzles]], "source"),
      select(words.game, [["", words.anyGame], ...games.map((game) => /** @type {[string, string]} */ ([game, game]))], "game"),
      select(words.kind, [["", words.anyKind], ...Object.entries(words.kinds)], "kind"),
    ),
    counts,
    el("div", { class: "row" }, start, button(words.cancel, close)),
  ]);
}

/**
 * Puzzles have come.
 * @param {{shipped: boolean, puzzles: PuzzleInfo[], left: number}} event
 */
export function came(event) {
  if (event.shipped) {
    shipped = event.puzzles;
    if (asking) {
      asking = false;
      open();
    }
    return;
  }
  const fresh = memory.add(event.puzzles);
  if (event.puzzles.length > 0) {
    tell(words.puzzlesMade(event.puzzles.length, fresh));
  }
  if (event.left === 0) {
    tell(words.puzzlesDone);
  }
}

/** The exercise stands otherwise. @param {Exercise} exercise */
export function stands(exercise) {
  state.exercise = exercise;
  if (!counted && ["solved", "wrong", "revealed"].includes(exercise.state)) {
    counted = true;
    memory.remember(exercise.puzzle, exercise.state === "solved");
  }
  changed();
}

let drawn = "";

/** Draws how the exercise stands. */
export function draw() {
  const home = by("exercise");
  const exercise = state.exercise;
  const key = JSON.stringify(exercise ?? null);
  if (key === drawn) {
    return;
  }
  drawn = key;
  home.hidden = !exercise || exercise.state === "none";
  if (!exercise || home.hidden) {
    return;
  }
  const busy = exercise.state === "judged" || exercise.state === "solving";
  const sent = (/** @type {"again" | "solve" | "leave"} */ what) => () => send({ do: what });
  by("exercise-text").className = exercise.state;
  write(by("exercise-text"), exercise.text);
  renew(by("exercise-bar"), [
    button(words.again, sent("again"), { disabled: busy }),
    button(words.solution, sent("solve"), { disabled: busy }),
    button(words.nextPuzzle, next, { disabled: busy }),
    button(words.leave, sent("leave")),
  ]);
}
