// How the engine plays is kept for the next visit: the program begins at its full strength.

import { send } from "./state.js";

/** @typedef {import("./schema.js").Setting} Setting */

const KEY = "goren-engine";

/** Whether the program was told of what was kept. */
let told = false;

/**
 * Keeps how the engine plays.
 * @param {Setting} setting
 */
export function keep({ level, time_ms, threads }) {
  if (!told) {
    return;
  }
  try {
    localStorage.setItem(KEY, JSON.stringify({ level, time_ms, threads }));
  } catch {
    // Without room the program's own setting is used the next time.
  }
}

/**
 * Tells a program that has just begun how the engine played before.
 * @param {{threads: number}} catalogue
 */
export function restore({ threads: most }) {
  told = true;
  try {
    const { level, time_ms, threads } = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof level === "string" && Number.isInteger(time_ms) && Number.isInteger(threads)) {
      send({ do: "engine", level, time_ms, threads: Math.max(1, Math.min(threads, most)) });
    }
  } catch {
    // What cannot be read is not used.
  }
}
