// Threats on the board: what a stone of either side would make. A switch shows them.

import { by, el, svg, write } from "./dom.js";
import { EDGE, RED, STEP, STONES, across, sign } from "./drawing.js";
import { changed, label, same, state } from "./state.js";
import { words } from "./words.js";

/** @typedef {import("./schema.js").Color} Color */
/** @typedef {import("./schema.js").Threat} Threat */
/** @typedef {import("./schema.js").ThreatKind} ThreatKind */

/** Their signs, the most severe first. @type {Record<ThreatKind, string>} */
const SIGNS = {
  five: "5", open_four: "4!", four_three: "43", four: "4", double_three: "33", open_three: "3",
};
const KINDS = /** @type {ThreatKind[]} */ (Object.keys(SIGNS));
/** Threats that are highlighted. @type {ThreatKind[]} */
const SEVERE = ["five", "open_four", "four_three"];

/** Shows or hides them; when shown, they are read aloud. */
export function toggle() {
  if (state.game?.threats) {
    state.threats = !state.threats;
    write(by("cursor-text"), state.threats ? summary() : "");
    changed();
  }
}

/** Returns the threats to show: none while a line is pointed at. */
const shown = () => (state.threats && !state.hovered && state.position?.threats) || [];

/** @param {Color} color */
const side = (color) => (color === "black" ? words.black : words.white);

/** Returns all threats of the position in words. */
function summary() {
  const threats = state.position?.threats ?? [];
  const of = (/** @type {Color} */ color) => {
    const kinds = KINDS.map((kind) => {
      const points = threats.filter((threat) => threat.color === color && threat.kind === kind);
      return points.length > 0 && `${words.threatKinds[kind]} ${points.map(({ cell }) => label(cell)).join(" ")}`;
    });
    return `${side(color)}: ${kinds.filter(Boolean).join("; ") || words.noThreats}.`;
  };
  return `${of("black")} ${of("white")}`;
}

/** Makes the legend of the signs for the help. */
export function legend() {
  const terms = el("dl", { class: "terms" });
  for (const kind of KINDS) {
    terms.append(el("dt", {}, SIGNS[kind]), el("dd", {}, words.threatKinds[kind]));
  }
  return [el("h3", {}, words.threats), el("p", {}, words.aboutThreats), terms];
}

/**
 * Returns the threats of a point in words.
 * @param {import("./schema.js").Cell} at
 */
export const describe = (at) =>
  shown().filter(({ cell }) => same(cell, at)).map(({ color, kind }) => `${side(color)}: ${words.threatKinds[kind]}`);

/**
 * Returns the outline of a sign. Black's signs have a point to the left, White's are rectangles,
 * so that they can be distinguished without their colours, and neither looks like a stone.
 * @param {Color} color
 * @param {number} left
 * @param {number} y
 * @param {number} width
 * @param {number} height
 */
function outline(color, left, y, width, height) {
  const [top, tip] = [y - height / 2, color === "black" ? width * 0.3 : 0];
  return `M${left} ${y}L${left + tip} ${top}H${left + width}V${top + height}H${left + tip}z`;
}

/**
 * @param {Threat} threat
 * @param {boolean} shared whether the other side has a threat on this point too
 * @param {boolean} low whether the point has another sign
 */
function drawThreat({ cell, color, kind }, shared, low) {
  const [x, y] = cell.map(across);
  const whole = !shared && !low;
  const width = STEP * (whole ? (color === "black" ? 0.84 : 0.66) : 0.46);
  const height = STEP * (whole ? 0.66 : low ? 0.34 : 0.56);
  const left = whole ? x - width / 2 : color === "black" ? x - width : x;
  const middle = low ? y + STEP * 0.34 : y;
  const isSevere = SEVERE.includes(kind);
  const stroke = { stroke: isSevere ? RED : EDGE, "stroke-width": isSevere ? 3 : 1.2 };
  const d = outline(color, left, middle, width, height);
  const size = STEP * (whole ? 0.4 : low ? 0.28 : 0.32) * (SIGNS[kind].length > 1 ? 0.88 : 1);
  const text = {
    x: left + width * (color === "black" ? 0.58 : 0.5),
    y: middle,
    fill: color === "black" ? STONES.white : STONES.black,
    "font-size": size,
    "font-weight": 700,
  };
  return [
    svg("path", { d, fill: STONES[color], class: `threat ${color}`, ...stroke }),
    sign(cell, SIGNS[kind], text),
  ];
}

/**
 * Draws the signs on the board.
 * @param {Set<string>} busy the points that have another sign
 */
export function signs(busy) {
  const threats = shown();
  const colors = new Map();
  for (const { cell } of threats) {
    colors.set(String(cell), (colors.get(String(cell)) ?? 0) + 1);
  }
  return threats.flatMap((threat) => {
    const at = String(threat.cell);
    return drawThreat(threat, colors.get(at) > 1, busy.has(at));
  });
}
