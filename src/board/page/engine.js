// The settings of the engine, stored for the tab and for the next visit: the program itself starts
// at full strength.

import { send, state } from "./state.js";
import { load, removeText, save } from "./storage.js";

/** Storage key, in the tab and for the next visit. */
const KEY = "goren-engine";

/** The settings of the engine. @typedef {{levels: [string, string], time_ms: number, threads: number}} Engine */

/**
 * Sends the settings of the engine, and stores them.
 * @param {Engine} engine
 */
export function ask(engine) {
  send({ do: "engine", ...engine });
  // A user who chooses all threads wants all threads of another program too: 0 means all.
  const all = engine.threads >= (state.catalogue?.threads ?? 1);
  const asked = { ...engine, threads: all ? 0 : engine.threads };
  if (!save(KEY, asked, "sessionStorage")) {
    removeText("sessionStorage", KEY);
  }
  save(KEY, asked);
}

/**
 * Sends the stored settings to a program that has just started.
 * @param {{threads: number}} catalogue
 * @param {string[]} [own] the levels of the restored game, if it has its own
 */
export function restore({ threads: most }, own) {
  // Those of the tab come first: another tab may have stored other settings since.
  const before = load(KEY, undefined, "sessionStorage") ?? load(KEY, {});
  const { level, levels: asked = [level, level], time_ms, threads } = before;
  const levels = own ?? asked;
  const known = Array.isArray(levels) && levels.length === 2 && levels.every((name) => typeof name === "string");
  if (known && Number.isInteger(time_ms) && Number.isInteger(threads)) {
    send({ do: "engine", levels: [levels[0], levels[1]], time_ms, threads: Math.min(threads || most, most) });
  }
}
