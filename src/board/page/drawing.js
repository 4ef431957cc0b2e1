// The parts of a drawing of a board: measures, colours, stones and signs.

import { svg } from "./dom.js";

/** @typedef {import("./schema.js").Cell} Cell */
/** @typedef {import("./schema.js").Color} Color */

/** Distance between points and the margin around them, in units of the drawing. */
export const STEP = 40;
export const ROOM = 44;
/** Part of the margin that is left out at the top and on the right, where there are no letters. */
export const SPARE = 16;
export const INK = "#4a3516";
export const RED = "#c8281e";
export const BLUE = "#1c5d99";
/** For small letters, for which BLUE is too light on wood. */
export const NAVY = "#134674";
export const GREEN = "#2e7d32";
export const STONES = { black: "#161616", white: "#f7f7f2" };
export const EDGE = "#2b2b2b";

/** @param {number} x */
export const across = (x) => ROOM + x * STEP;

/**
 * @param {Cell} cell
 * @param {Color} color
 * @param {Record<string, any>} [more]
 */
export function stone([x, y], color, more = {}) {
  return svg("circle", {
    cx: across(x),
    cy: across(y),
    r: STEP * 0.46,
    fill: STONES[color],
    stroke: EDGE,
    "stroke-width": 1.2,
    ...more,
  });
}

/**
 * @param {Cell} cell
 * @param {string} text
 * @param {Record<string, any>} [more]
 */
export function sign([x, y], text, more = {}) {
  return svg(
    "text",
    {
      x: across(x),
      y: across(y),
      "text-anchor": "middle",
      "dominant-baseline": "central",
      "font-family": "system-ui, sans-serif",
      "font-size": STEP * 0.36,
      ...more,
    },
    text,
  );
}

/**
 * A shield around a point.
 * @param {Cell} cell
 */
export function shield([x, y]) {
  const [left, top, wide] = [across(x) - STEP * 0.34, across(y) - STEP * 0.36, STEP * 0.68];
  const d = `M${left} ${top}h${wide}v${wide * 0.5}q0 ${wide * 0.4} ${-wide / 2} ${wide * 0.66}q${-wide / 2} ${-wide * 0.26} ${-wide / 2} ${-wide * 0.66}z`;
  return svg("path", { d, fill: "none", stroke: GREEN, "stroke-width": 4, class: "defence" });
}
