// The review: the curve of win rates, the bad moves, and their refutations.

import { arrange, button, by, el, replace, svg, write } from "./dom.js";
import { changed, send, state } from "./state.js";
import { words } from "./words.js";

/** @typedef {import("./schema.js").ReviewPly} ReviewPly */
/** @typedef {import("./schema.js").ReviewSide} ReviewSide */
/** @typedef {import("./schema.js").ReviewView} ReviewView */

/** Milliseconds of a search, by the effort of the review. */
const EFFORTS = /** @type {["quick" | "usual" | "deep", number][]} */ ([
  ["quick", 100],
  ["usual", 400],
  ["deep", 2000],
]);
/** Milliseconds between two moves of a line that is played through. */
const PACE = 700;
/** Size of the curve. */
const WIDTH = 360;
const HEIGHT = 120;
const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const COLORS = { inaccuracy: "#b7791f", mistake: "#8e4a80", blunder: "#c0392b" };

let effort = 400;
let timer = 0;

/**
 * Shows a line of the tree move by move, until the user goes elsewhere.
 * @param {number[]} nodes
 */
export function walk(nodes) {
  halt();
  const rest = [...nodes];
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let at = /** @type {number | undefined} */ (undefined);
  const step = () => {
    // The tree with the line, and the position before the line, may arrive after the line itself.
    const before = at ?? state.tree?.nodes.find(({ children }) => children.includes(nodes[0]))?.id;
    if (state.position?.node !== before) {
      return;
    }
    at = still ? rest.splice(0).pop() : rest.shift();
    if (at !== undefined) {
      send({ do: "go", node: at });
      timer = setTimeout(step, PACE);
    }
  };
  timer = setTimeout(step, PACE);
}

/** Stops playing through a line. */
export function halt() {
  clearTimeout(timer);
}

/** @param {number} part */
const percent = (part) => (100 * part).toFixed(1);

/**
 * Returns the x coordinate of a ply on a curve over `of` plies.
 * @param {number} of
 * @param {number} number
 */
const across = (of, number) => (WIDTH * number) / Math.max(of, 1);

/** A point of a curve: the ply, from 1, its node, and Black's win rate after it. @typedef {{number: number, node: number, black: number}} Point */

/** The recorded scores of the line shown, and their tree. */
let recorded = { tree: /** @type {import("./schema.js").TreeView | undefined} */ (undefined), points: /** @type {Point[]} */ ([]) };

/** Returns the recorded scores of the line shown. */
function scores() {
  const { tree } = state;
  if (tree !== recorded.tree) {
    const nodes = new Map(tree?.nodes.map((node) => [node.id, node]));
    const points = (tree?.line ?? []).flatMap((node, number) => {
      const score = nodes.get(node)?.score;
      return score ? [{ number, node, black: score.black }] : [];
    });
    recorded = { tree, points };
  }
  return recorded.points;
}

/** The points of the curve shown. @type {Point[]} */
let plotted = [];
/** Number of plies of its line. */
let length = 0;

/**
 * Goes to the nearest ply of the curve.
 * @param {MouseEvent} event
 */
function onClick(event) {
  const box = drawing.getBoundingClientRect();
  const number = ((event.clientX - box.left) / box.width) * length;
  const distance = (/** @type {Point} */ ply) => Math.abs(ply.number - number);
  const nearest = [...plotted].sort((a, b) => distance(a) - distance(b))[0];
  if (nearest) {
    send({ do: "go", node: nearest.node });
  }
}

// The elements of the review. They are not replaced when plies arrive, as the user may be about
// to click them.
const drawing = svg("svg", { viewBox: `0 -4 ${WIDTH} ${HEIGHT + 8}`, role: "img", onclick: onClick });
const table = el("table");
/** The state of the review: a progress bar, or a sentence. */
const standing = el("div", { class: "standing" });
const progress = el("progress");
const list = el("ol", { class: "slips" });
const decision = el("p", { class: "decision" });
/** The entries of the list, by their contents. @type {Map<string, HTMLElement>} */
let entries = new Map();

/**
 * Draws Black's win rate along a line of `of` plies.
 * @param {Point[]} plies
 * @param {number} of
 * @param {string} label
 */
function curve(plies, of, label) {
  [plotted, length] = [plies, of];
  const points = plies.map(({ number, black }) => [across(of, number), HEIGHT * (1 - black)]);
  drawing.setAttribute("aria-label", label);
  replace(drawing, [
    svg("rect", { y: 0, width: WIDTH, height: HEIGHT, class: "white" }),
    svg("line", { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "even" }),
  ]);
  if (points.length > 0) {
    const line = points.map((point) => point.join(",")).join(" ");
    const [first, last] = [points[0][0], points[points.length - 1][0]];
    drawing.append(
      svg("polygon", { points: `${first},${HEIGHT} ${line} ${last},${HEIGHT}`, class: "black" }),
      svg("polyline", { points: line, class: "rate" }),
    );
  }
  const here = plies.find(({ node }) => node === state.position?.node);
  if (here) {
    const x = across(of, here.number);
    drawing.append(svg("line", { x1: x, x2: x, y1: 0, y2: HEIGHT, class: "here" }));
  }
}

/** Marks the bad moves on the curve. @param {ReviewView} review */
function grades({ plies, of }) {
  for (const { number, black, grade } of plies) {
    if (grade) {
      const at = { cx: across(of, number), cy: HEIGHT * (1 - black) };
      drawing.append(svg("circle", { ...at, r: 4, fill: COLORS[grade] }));
    }
  }
}

/** @param {ReviewView} review */
function sides({ sides: [black, white] }) {
  /** @type {(name: string, side: ReviewSide) => HTMLElement} */
  const row = (name, { moves, accuracy, inaccuracies, mistakes, blunders }) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, name),
      ...[moves, moves ? `${percent(accuracy)} %` : "–", inaccuracies, mistakes, blunders].map(
        (value) => el("td", {}, String(value)),
      ),
    );
  const heads = ["", ...words.reviewHeads].map((text) => el("th", { scope: "col" }, text));
  replace(table, [
    el("thead", {}, el("tr", {}, ...heads)),
    el("tbody", {}, row(words.black, black), row(words.white, white)),
  ]);
}

/**
 * Makes the entry of a bad move.
 * @param {ReviewPly} ply
 * @param {boolean} losing
 */
function slip({ node, number, text, grade, best, best_score, score, loss, proof_note }, losing) {
  const sign = grade ? SIGNS[grade] : "";
  const go = () => send({ do: "go", node });
  const why = () => send({ do: "why", node, better: false });
  const better = () => send({ do: "why", node, better: true });
  const what = `−${percent(loss)} %: ${score}${best ? `, ${best} ${best_score}` : ""}${proof_note ? `; ${proof_note}` : ""}`;
  return el(
    "li",
    { class: losing ? "losing" : null },
    button(`${number}. ${text}${sign}`, go),
    el("span", {}, ` ${what} `),
    button(words.why, why, { "aria-label": `${words.why} ${text}` }),
    ...(best ? [button(words.better, better, { "aria-label": `${words.better} ${text}` })] : []),
  );
}

/** The field of the effort. It is not replaced when plies arrive, so that it stays open. */
const choice = el("select", { onchange: () => (effort = Number(choice.value)) });

/** Makes the tools of the review. */
function tools() {
  const review = state.review;
  const running = review?.state === "running";
  if (!choice.firstElementChild) {
    choice.setAttribute("aria-label", words.effort);
    for (const [name, time] of EFFORTS) {
      choice.append(el("option", { value: time, selected: time === effort }, words[name]));
    }
  }
  const begin = () => send({ do: "review", time_ms: effort });
  const off = !state.tree || state.tree.line.length < 2 || inExercise();
  const parts = [
    running
      ? button(words.stopReview, () => send({ do: "stop_review" }))
      : button(words.review, begin, { disabled: off }),
    choice,
  ];
  if (review && !running && review.misses > 0) {
    const make = () => send({ do: "make_puzzles" });
    parts.push(button(words.makePuzzles(review.misses), make, { disabled: inExercise() }));
  }
  return parts;
}

const inExercise = () => Boolean(state.exercise && state.exercise.state !== "none");

let drawn = "";
let drawnTools = "";

/** Draws the tools; they stay when plies arrive, as the user may be about to click them. */
function drawTools() {
  const { review, tree } = state;
  const going = review?.state === "running";
  const misses = going ? 0 : review?.misses;
  const key = JSON.stringify([going, misses, (tree?.line.length ?? 0) > 1, inExercise()]);
  if (key === drawnTools) {
    return;
  }
  drawnTools = key;
  const bar = by("review-bar");
  const focused = bar.contains(document.activeElement) && document.activeElement?.tagName;
  arrange(bar, tools());
  if (focused) {
    bar.querySelector(focused.toLowerCase())?.focus();
  }
}

/** Starts or stops the review, as the button does. */
export function press() {
  by("review-bar").querySelector("button")?.click();
}

/**
 * Lists the bad moves, the worst first. While the review is running they stay in order of
 * arrival, so that none moves away from under the mouse.
 * @param {ReviewView} review
 */
function slips(review) {
  const found = review.plies.filter(({ grade }) => grade);
  const going = review.state === "running";
  found.sort((a, b) => (going ? b.number - a.number : b.loss - a.loss));
  const shown = found.map((ply) => {
    const losing = ply.node === review.losing;
    const key = JSON.stringify([ply, losing]);
    return /** @type {[string, HTMLElement]} */ ([key, entries.get(key) ?? slip(ply, losing)]);
  });
  entries = new Map(shown);
  arrange(list, shown.map(([, entry]) => entry));
  list.hidden = found.length === 0;
  return found.length;
}

/** Draws the review. */
export function draw() {
  drawTools();
  const { review, position, tree } = state;
  const points = scores();
  const key = JSON.stringify([review, position?.node, points, tree?.line.length]);
  if (key === drawn) {
    return;
  }
  drawn = key;
  const home = by("review");
  if (!review || review.state === "none") {
    // Without a review, shows the recorded scores, if any.
    curve(points, (tree?.line.length ?? 1) - 1, words.recorded);
    arrange(home, points.length > 1 ? [drawing] : []);
    return;
  }
  curve(review.plies, review.of, words.curve);
  grades(review);
  sides(review);
  const count = slips(review);
  if (review.state === "running") {
    for (const [name, value] of Object.entries({ max: review.of, value: review.done, "aria-label": words.review })) {
      progress.setAttribute(name, String(value));
    }
    arrange(standing, [progress]);
  } else {
    replace(standing, [review.state === "stopped" ? words.reviewStopped : count === 0 ? words.noSlips : ""]);
  }
  write(decision, review.decision);
  decision.hidden = !review.decision;
  arrange(home, [drawing, table, standing, list, decision]);
}

/** Handles a change of the review. @param {ReviewView} review */
export function receive(review) {
  state.review = review;
  changed();
}
