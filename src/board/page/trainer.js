// The trainer: chooses puzzles, shows the exercise, and remembers the results.

import { notify } from "./controls.js";
import { button, by, el, renew, write } from "./dom.js";
import * as memory from "./memory.js";
import { close, show } from "./setup.js";
import { changed, send, state } from "./state.js";
import { words } from "./words.js";

/** @typedef {import("./schema.js").PuzzleInfo} PuzzleInfo */
/** @typedef {import("./schema.js").Exercise} Exercise */

/** The puzzles that the program ships. @type {PuzzleInfo[] | undefined} */
let shipped;
/** Which puzzles to train. */
const chosen = { source: "all", game: "", kind: "" };
/** Whether the current puzzle has been counted. */
let counted = false;
let asking = false;

/** @param {PuzzleInfo} puzzle */
function fits({ game, kind }) {
  return (!chosen.game || chosen.game === game) && (!chosen.kind || chosen.kind === kind);
}

/** Returns all puzzles of the chosen source. */
function source() {
  const own = memory.own();
  return chosen.source === "own" ? own : [...own, ...(shipped ?? [])];
}

/** Asks the next puzzle; reports if there is none. */
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
    notify(wanted.length > 0 ? words.nothingDue : words.noPuzzles);
  }
}

/** Opens the dialog that asks what to train. */
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
 * Handles puzzles of the program.
 * @param {{shipped: boolean, puzzles: PuzzleInfo[], left: number}} event
 */
export function receivePuzzles(event) {
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
    notify(words.puzzlesMade(event.puzzles.length, fresh));
  }
  if (event.left === 0) {
    notify(words.puzzlesDone);
  }
}

/** Handles a change of the exercise. @param {Exercise} exercise */
export function receiveExercise(exercise) {
  state.exercise = exercise;
  if (!counted && ["solved", "wrong", "revealed"].includes(exercise.state)) {
    counted = true;
    memory.remember(exercise.puzzle, exercise.state === "solved");
  }
  changed();
}

let drawn = "";

/** Draws the exercise. */
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
  const sends = (/** @type {"again" | "solve" | "leave"} */ what) => () => send({ do: what });
  by("exercise-text").className = exercise.state;
  write(by("exercise-text"), exercise.text);
  renew(by("exercise-bar"), [
    button(words.again, sends("again"), { disabled: busy }),
    button(words.solution, sends("solve"), { disabled: busy }),
    button(words.nextPuzzle, next, { disabled: busy }),
    button(words.leave, sends("leave")),
  ]);
}
