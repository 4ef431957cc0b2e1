// How the engine was asked to play is kept for the tab, and for the next visit: the program begins
// at its full strength.

import { send, state } from "./state.js";
import { load, removeText, save } from "./storage.js";

/** In the tab, and for the next visit. */
const KEY = "goren-engine";

/** How the engine plays. @typedef {{levels: [string, string], time_ms: number, threads: number}} Engine */

/**
 * Asks the engine to play so, now and at the next visit.
 * @param {Engine} engine
 */
export function ask(engine) {
  send({ do: "engine", ...engine });
  // A person who takes all threads there are wants all of another program too: 0 stands for
  // them.
  const all = engine.threads >= (state.catalogue?.threads ?? 1);
  const asked = { ...engine, threads: all ? 0 : engine.threads };
  if (!save(KEY, asked, "sessionStorage")) {
    removeText("sessionStorage", KEY);
  }
  save(KEY, asked);
}

/**
 * Tells a program that has just begun how the engine was asked to play before.
 * @param {{threads: number}} catalogue
 * @param {string[]} [own] the levels of the game that is shown again, if it has its own
 */
export function restore({ threads: most }, own) {
  // Another tab may have asked for something else since.
  const before = load(KEY, undefined, "sessionStorage") ?? load(KEY, {});
  const { level, levels: asked = [level, level], time_ms, threads } = before;
  const levels = own ?? asked;
  const known = Array.isArray(levels) && levels.length === 2 && levels.every((name) => typeof name === "string");
  if (known && Number.isInteger(time_ms) && Number.isInteger(threads)) {
    send({ do: "engine", levels: [levels[0], levels[1]], time_ms, threads: Math.min(threads || most, most) });
  }
}
