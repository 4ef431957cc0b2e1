// How the engine was asked to play is kept for the next visit: the program begins at its full
// strength.

import { send, state } from "./state.js";

const KEY = "goren-engine";

/** How the engine plays. @typedef {{level: string, time_ms: number, threads: number}} Engine */

/**
 * Asks the engine to play so, now and at the next visit.
 * @param {Engine} engine
 */
export function ask(engine) {
  send({ do: "engine", ...engine });
  // Who takes all threads there are wants all of another program too.
  const all = engine.threads >= (state.catalogue?.threads ?? 1);
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...engine, threads: all ? 0 : engine.threads }));
  } catch {
    // Without room the program's own setting is used the next time.
  }
}

/**
 * Tells a program that has just begun how the engine was asked to play before.
 * @param {{threads: number}} catalogue
 */
export function restore({ threads: most }) {
  try {
    const { level, time_ms, threads } = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof level === "string" && Number.isInteger(time_ms) && Number.isInteger(threads)) {
      send({ do: "engine", level, time_ms, threads: Math.min(threads || most, most) });
    }
  } catch {
    // What cannot be read is not used.
  }
}
