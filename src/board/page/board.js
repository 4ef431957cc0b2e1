// The board as SVG. Colours are attributes, so that the drawing can be saved as it is.

import { by, letter, replace, svg, write } from "./dom.js";
import { BLUE, GREEN, INK, NAVY, RED, ROOM, SPARE, STEP, STONES, across, shield, sign, stone } from "./drawing.js";
import { FIGURES, ask, describePoint, mark, pointContents } from "./label.js";
import { letter as lettering } from "./letters.js";
import { changed, forbidden, nextStone, same, send, state, winRate } from "./state.js";
import { shows } from "./taps.js";
import * as threats from "./threats.js";
import { words } from "./words.js";

/** @typedef {import("./schema.js").Cell} Cell */
/** @typedef {import("./schema.js").Color} Color */

const WOOD = "#e3b565";
const ORANGE = "#f0ac60";
/** Loss of win rate from which on a candidate gets the worst colour. */
const WORST = 0.25;
/** Maximum number of candidates drawn. */
const SHOWN = 12;
/** Milliseconds within which a second tap on a forbidden point counts as part of a double tap. */
const DOUBLE_TAP = 700;

/**
 * Returns the colour of the board: Keryo-Pente, where threes are captured too, has another than
 * Pente, as on Abstract Play.
 * @param {import("./schema.js").Game | undefined} game
 */
const boardColor = (game) => (game?.variant.split("+").includes("keryo") ? ORANGE : WOOD);

/** The point chosen by the keyboard. @type {Cell} */
let cursor = [7, 7];
/** Whether to read the point aloud again when its contents change, after a key that does so. */
let rereads = false;
/** The contents of the point when it was last read aloud. */
let read = "";

/**
 * Draws the lines, letters and star points.
 * @param {import("./schema.js").Game} game
 */
function grid(game) {
  const { width, height, torus, idle_rings } = game;
  const parts = [];
  if (idle_rings > 0) {
    const [left, top] = [across(0) - STEP / 2, across(idle_rings) - STEP / 2];
    const frame = `M${left} ${left}h${width * STEP}v${height * STEP}h${-width * STEP}z`;
    const inner = [width, height].map((side) => (side - 2 * idle_rings) * STEP);
    const hole = `M${top} ${top}h${inner[0]}v${inner[1]}h${-inner[0]}z`;
    const shade = { fill: INK, "fill-opacity": 0.16, "fill-rule": "evenodd", class: "idle" };
    parts.push(svg("path", { d: frame + hole, ...shade }));
  }
  const [right, bottom] = [across(width - 1), across(height - 1)];
  // The lines of a board without edges extend beyond it.
  const over = torus ? STEP * 0.6 : 0;
  const line = { stroke: INK, "stroke-width": 1.3 };
  for (let x = 0; x < width; x++) {
    const at = across(x);
    parts.push(svg("line", { x1: at, y1: across(0) - over, x2: at, y2: bottom + over, ...line }));
    const below = { y: bottom + ROOM * 0.68, fill: INK, class: "letter" };
    parts.push(sign([x, height - 1], lettering(x), below));
  }
  for (let y = 0; y < height; y++) {
    const at = across(y);
    parts.push(svg("line", { x1: across(0) - over, y1: at, x2: right + over, y2: at, ...line }));
    const left = { x: ROOM * 0.28, fill: INK, class: "letter" };
    parts.push(sign([0, y], String(height - y), left));
  }
  if (!game.falls && !torus && width >= 13 && height >= 13) {
    const edge = (/** @type {number} */ side) => [3, side - 4];
    const stars = edge(width).flatMap((x) => edge(height).map((y) => [x, y]));
    if (width % 2 === 1 && height % 2 === 1) {
      stars.push([(width - 1) / 2, (height - 1) / 2]);
    }
    for (const [x, y] of stars) {
      parts.push(svg("circle", { cx: across(x), cy: across(y), r: 4, fill: INK }));
    }
  }
  return parts;
}

/** @param {number} loss */
function shade(loss) {
  const hue = Math.round(135 * (1 - Math.min(1, loss / WORST)));
  // White is readable on red, black on green and yellow.
  return { fill: `hsl(${hue} 70% 42%)`, ink: hue < 25 ? "#fff" : "#000" };
}

/**
 * Draws the stones of a position.
 * @param {{stones: import("./schema.js").Stone[], last: Cell[]}} position
 */
function placedStones({ stones, last }) {
  const parts = [];
  for (const { cell, color, number } of stones) {
    if (!color) {
      const [x, y] = cell.map(across);
      const side = STEP * 0.8;
      parts.push(
        svg("rect", { x: x - side / 2, y: y - side / 2, width: side, height: side, fill: INK }),
      );
      continue;
    }
    parts.push(stone(cell, color));
    const other = color === "black" ? STONES.white : STONES.black;
    if (state.numbers && number) {
      parts.push(sign(cell, String(number), { fill: other }));
    } else if (last.some((other) => same(other, cell))) {
      const [x, y] = cell.map(across);
      parts.push(svg("circle", { cx: x, cy: y, r: STEP * 0.12, fill: RED }));
    }
  }
  return parts;
}

/** Draws the stones of the position, of the turn in progress and of a line pointed at. */
function stones() {
  const { position, hovered, tapped } = state;
  if (!position) {
    return [];
  }
  const parts = placedStones(position);
  if (tapped && state.tool === "place") {
    parts.push(stone(tapped, position.decision?.next ?? "black", { opacity: 0.55, class: "tapped" }));
  }
  for (const { cell, color } of position.placed) {
    parts.push(stone(cell, color ?? "black", { "stroke-dasharray": "4 3", stroke: RED }));
  }
  hovered?.stones.forEach(({ cell, color }, index) => {
    parts.push(stone(cell, color, { opacity: 0.75 }));
    const fill = color === "black" ? STONES.white : STONES.black;
    parts.push(sign(cell, String(index + 1), { fill }));
  });
  return parts;
}

/**
 * Draws the open database's knowledge of the moves.
 * @param {Set<string>} busy the points that have a sign, to which it adds those of the moves
 */
function databaseSigns(busy) {
  const { position, database, hovered } = state;
  const parts = [];
  if (position && database?.name && database.node === position.node && !hovered) {
    for (const { cell, shown, text, commented } of database.moves) {
      const taken = position.stones.some((other) => same(other.cell, cell));
      if (shown && !taken) {
        busy.add(String(cell));
        const [x, y] = cell.map(across);
        const fill = { w: GREEN, l: RED, d: "#6a6256" }[shown[0]] ?? BLUE;
        const box = { x: x - STEP * 0.46, y: y - STEP * 0.3, width: STEP * 0.92, height: STEP * 0.6 };
        parts.push(
          svg("rect", { ...box, rx: 5, fill, class: "known" }),
          sign(cell, shown, { fill: "#fff", "font-size": STEP * 0.34 }),
        );
      }
      const below = [text, commented ? "✎" : ""].filter(Boolean).join(" ");
      if (below) {
        const y = across(cell[1]) + STEP * (shown && !taken ? 0.4 : 0);
        const on = position.stones.find((other) => same(other.cell, cell))?.color;
        parts.push(sign(cell, below, { y, fill: on === "black" ? STONES.white : INK, "font-size": STEP * 0.26, class: "known-text" }));
      }
    }
  }
  return parts;
}

/** Draws forbidden points, offers, candidates, threats, marks and winning lines. */
function signs() {
  const { position, lines, hovered, tree } = state;
  if (!position) {
    return [];
  }
  const parts = [];
  /** The points that have a sign. @type {Set<string>} */
  const busy = new Set(position.offers.map(String));
  for (const { cell } of forbidden()) {
    busy.add(String(cell));
    const [x, y] = cell.map(across);
    const a = STEP * 0.2;
    const d = `M${x - a} ${y - a}L${x + a} ${y + a}M${x - a} ${y + a}L${x + a} ${y - a}`;
    parts.push(svg("path", { d, stroke: RED, "stroke-width": 4, class: "foul" }));
  }
  for (const cell of position.offers) {
    parts.push(stone(cell, "black", { opacity: 0.35 }), sign(cell, "?", { fill: RED }));
  }
  if (lines && !hovered && lines.node === position.node && !position.outcome) {
    for (const line of lines.lines.slice(0, SHOWN).reverse()) {
      const next = nextStone(line);
      if (!next || position.stones.some((other) => same(other.cell, next.cell))) {
        continue;
      }
      busy.add(String(next.cell));
      const [x, y] = next.cell.map(across);
      const text = String(Math.round(100 * winRate(line)));
      const { fill, ink } = shade(line.loss);
      parts.push(
        svg("circle", { cx: x, cy: y, r: STEP * 0.42, fill, class: "candidate" }),
        sign(next.cell, text, { fill: ink }),
      );
    }
  }
  for (const cell of state.defences) {
    busy.add(String(cell));
    parts.push(shield(cell));
  }
  for (const cell of [...state.hint, ...state.pointed]) {
    const [x, y] = cell.map(across);
    const ring = { cx: x, cy: y, r: STEP * 0.4, fill: "none", stroke: BLUE, "stroke-width": 4 };
    parts.push(svg("circle", { ...ring, class: "hint" }));
  }
  parts.push(...databaseSigns(busy));
  const { walk } = state;
  if (walk?.node === position.node && !hovered) {
    for (const [x, y] of walk.left ?? []) {
      const at = { cx: across(x), cy: across(y), r: STEP * 0.16, fill: BLUE, class: "left" };
      parts.push(svg("circle", at));
    }
  }
  for (const line of position.outcome?.lines ?? []) {
    const points = line.map((cell) => cell.map(across).join(",")).join(" ");
    // A line across the edge of a torus would be drawn through the board.
    if (state.game?.torus) {
      line.forEach((cell) => parts.push(sign(cell, "★", { fill: RED })));
    } else {
      parts.push(svg("polyline", { points, fill: "none", stroke: RED, "stroke-width": 4 }));
    }
  }
  const here = tree?.nodes.find((node) => node.id === position.node);
  for (const [cell, mark] of here?.marks ?? []) {
    busy.add(String(cell));
    parts.push(sign(cell, FIGURES[mark], { fill: BLUE, "font-size": STEP * 0.7 }));
  }
  for (const [cell, text] of here?.labels ?? []) {
    busy.add(String(cell));
    const occupied = position.stones.find((stone) => same(stone.cell, cell));
    const fill = occupied?.color === "black" ? STONES.white : NAVY;
    // RenLib has room for five characters.
    const shown = text.length > 5 ? `${text.slice(0, 4)}…` : text;
    const size = { "font-size": STEP * (shown.length > 2 ? 0.36 : 0.5), "font-weight": 700 };
    // An outline keeps the lines of the board out of the text.
    const clear = occupied ? {} : { stroke: boardColor(state.game), "stroke-width": 6, "paint-order": "stroke" };
    parts.push(sign(cell, shown, { fill, class: "label", ...size, ...clear }));
  }
  parts.push(...threats.signs(busy));
  return parts;
}

/**
 * Makes a rectangle for each point, as the target of clicks.
 * @param {import("./schema.js").Game} game
 */
function targets(game) {
  const parts = [];
  for (let y = 0; y < game.height; y++) {
    for (let x = 0; x < game.width; x++) {
      const [left, top] = [across(x) - STEP / 2, across(y) - STEP / 2];
      const area = { x: left, y: top, width: STEP, height: STEP, fill: "transparent" };
      parts.push(svg("rect", { ...area, cursor: "pointer", "data-cell": `${x},${y}` }));
    }
  }
  return parts;
}

/**
 * Draws the empty board.
 * @param {import("./schema.js").Game} game
 */
function empty(game) {
  const [width, height] = [game.width, game.height].map((n) => across(n - 1) + ROOM - SPARE);
  const viewBox = `0 ${SPARE} ${width} ${height}`;
  return svg(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", viewBox, width, height },
    svg("rect", { y: SPARE, width, height, fill: boardColor(game) }),
    ...grid(game),
  );
}

/** Returns the whole drawing, for saving. */
export function picture() {
  const drawing = state.game && empty(state.game);
  drawing?.append(...stones(), ...signs());
  return drawing;
}

/**
 * Draws a position of the line shown, as a frame of an animation.
 * @param {import("./schema.js").Frame} frame
 * @param {import("./schema.js").Game} game
 */
export function frame(frame, game) {
  const drawing = empty(game);
  drawing.append(...placedStones(frame));
  return drawing;
}

/**
 * Returns the place of a point in the drawing, 0 to 1 from the left and from the top.
 * @param {Cell} cell
 */
export function spot([x, y]) {
  const [width, height] = [state.game?.width ?? 1, state.game?.height ?? 1];
  return [
    across(x) / (across(width - 1) + ROOM - SPARE),
    (across(y) - SPARE) / (across(height - 1) + ROOM - SPARE),
  ];
}

/** The drawing shown, the part of it that changes, and its game. */
let shown = { drawing: svg("svg"), content: svg("g"), game: "" };

/** Makes the board of another game. @param {import("./schema.js").Game} game */
function newBoard(game) {
  const drawing = empty(game);
  // The style sheet makes the board as large as its room allows.
  const ratio = Number(drawing.getAttribute("width")) / Number(drawing.getAttribute("height"));
  by("place").style.setProperty("--ratio", String(ratio));
  // The targets of clicks stay in place while lines and stones are redrawn below them.
  const content = svg("g", { "pointer-events": "none" });
  drawing.append(content, ...targets(game));
  drawing.setAttribute("tabindex", "0");
  drawing.setAttribute("role", "application");
  drawing.setAttribute("aria-label", words.boardLabel);
  replace(by("board"), [drawing]);
  cursor = [Math.floor(game.width / 2), Math.floor(game.height / 2)];
  return { drawing, content, game: JSON.stringify(game) };
}

/** Draws the board. */
export function draw() {
  const { game } = state;
  if (!game) {
    return;
  }
  if (shown.game !== JSON.stringify(game)) {
    const focused = document.activeElement === shown.drawing;
    shown = newBoard(game);
    if (focused) {
      shown.drawing.focus();
    }
  }
  const parts = [...stones(), ...signs()];
  // Only its contents count: what is known of a move there changes with every line of a search.
  if (rereads && pointContents(cursor) !== read) {
    readAloud();
  }
  if (document.activeElement === shown.drawing) {
    const [x, y] = cursor.map((n) => across(n) - STEP / 2);
    const frame = { x, y, width: STEP, height: STEP, fill: "none", stroke: BLUE };
    parts.push(svg("rect", { ...frame, "stroke-width": 3, class: "cursor" }));
  }
  replace(shown.content, parts);
}

/** Reads aloud the point under the keyboard cursor. */
function readAloud() {
  read = pointContents(cursor);
  write(by("cursor-text"), describePoint(cursor));
}

/**
 * Applies the chosen tool to a point.
 * @param {Cell} cell
 */
function act(cell) {
  const { tool } = state;
  if (tool === "place") {
    place(cell);
  } else if (tool === "text") {
    ask(cell);
  } else if (tool === "explain") {
    send({ do: "explain", cell });
  } else {
    mark(cell, tool);
  }
}

/**
 * Places a stone. A forbidden point is explained first: a stone there loses.
 * @param {Cell} cell
 */
function place(cell) {
  const { explained } = state;
  if (!forbidden().some((other) => same(other.cell, cell))) {
    send({ do: "place", cell });
  } else if (!explained || !same(explained.cell, cell)) {
    send({ do: "explain", cell });
  } else if (performance.now() - explained.when > DOUBLE_TAP) {
    send({ do: "place", cell });
  }
}

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {KeyboardEvent} event */
function pressed(event) {
  // With these modifiers it is a key of the browser, such as that to its address bar.
  if (event.altKey || event.ctrlKey || event.metaKey) {
    return;
  }
  const step = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
  const { game } = state;
  if (step && game) {
    const clamp = (/** @type {number} */ n, /** @type {number} */ side) =>
      Math.max(0, Math.min(side - 1, n));
    cursor = [clamp(cursor[0] + step[0], game.width), clamp(cursor[1] + step[1], game.height)];
    readAloud();
    rereads = false;
    draw();
  } else if (event.key === "Enter" || event.key === " ") {
    // A repeated key was meant for the element that had the focus before.
    if (!event.repeat) {
      act(cursor);
    }
    rereads = true;
  } else if (letter(event) === "e") {
    send({ do: "explain", cell: cursor });
  } else if (letter(event) === "m") {
    mark(cursor);
    rereads = true;
  } else if (letter(event) === "l") {
    ask(cursor);
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

/** Listens for clicks and keys on the board. */
export function begin() {
  const home = by("board");
  home.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const cell = /** @type {Element} */ (event.target).getAttribute("data-cell");
    if (cell) {
      const [x, y] = cell.split(",").map(Number);
      if (!shows([x, y])) {
        act([x, y]);
      }
    }
  });
  home.addEventListener("contextmenu", (/** @type {MouseEvent} */ event) => {
    const cell = /** @type {Element} */ (event.target).getAttribute("data-cell");
    if (cell && state.position) {
      event.preventDefault();
      const at = /** @type {Cell} */ (cell.split(",").map(Number));
      // Firefox reserves Shift with this button; on a mouse with one button Ctrl makes a right click.
      if (event.altKey || (event.ctrlKey && event.button === 2)) {
        ask(at);
      } else {
        mark(at);
      }
    }
  });
  home.addEventListener("keydown", pressed);
  // `changed` draws later: a board loses the focus while it is being replaced.
  home.addEventListener("focusin", () => {
    readAloud();
    changed();
  });
  home.addEventListener("focusout", changed);
}
