// The tree of moves, and the comment of the position.

import { log } from "./controls.js";
import { arrange, button, by, el, renew, write } from "./dom.js";
import { ask } from "./label.js";
import { halt } from "./review.js";
import { send, state } from "./state.js";
import { words } from "./words.js";

/** @typedef {import("./schema.js").Node} Node */

/** Maximum number of nodes shown: those around the position shown. */
const SHOWN = 600;
/** Milliseconds without a keystroke after which a comment is sent. */
const REST = 400;

/** @type {import("./schema.js").TreeView | undefined} */
let drawn;
/** Its nodes by number. @type {Map<number, Node>} */
let nodes = new Map();
let current = -1;
/** Whether the engine was deciding at the last drawing. */
let acted = false;
/** @type {import("./schema.js").Game | undefined} */
let drawnGame;

/**
 * The elements of a move. They are not replaced while it is shown: one of them may have the focus,
 * or the user may be about to click it, when a ply arrives.
 * @typedef {{
 *   entry: HTMLElement, number: HTMLElement, button: HTMLElement, known: HTMLElement, branch?: HTMLElement,
 * }} Shown
 */
/** The moves shown, by node. @type {Map<number, Shown>} */
let shown = new Map();
/** Those of the previous drawing. @type {Map<number, Shown>} */
let earlier = new Map();

/** The nodes from the root to the end of the line shown. @type {Set<number>} */
let path = new Set();
/** The database labels of nodes. @type {Map<number, string>} */
let known = new Map();
/** @type {import("./schema.js").Database | undefined} */
let drawnBase;

/**
 * Makes the buttons of a line and its branches. If there is not enough room for all, the line
 * shown and the first moves of its branches come first.
 * @param {Node} from
 * @param {number} ply
 * @param {{left: number}} room
 * @returns {HTMLElement[]}
 */
function line(from, ply, room) {
  /** @type {HTMLElement[]} */
  const parts = [];
  /** Branches to draw after the line itself. @type {(() => void)[]} */
  const rest = [];
  /** @type {Node | undefined} */
  let node = from;
  let number = ply;
  while (node && room.left > 0) {
    /** @type {(Node | undefined)[]} */
    const [main, ...others] = node.children.map((child) => nodes.get(child));
    if (!main) {
      break;
    }
    parts.push(move(main, number).entry);
    room.left -= 1;
    for (const other of others) {
      if (other && room.left > 0) {
        room.left -= 1;
        const first = move(other, number);
        /** @type {HTMLElement} */
        const branch = first.branch ?? el("div", { class: "branch" });
        first.branch = branch;
        const next = number + 1;
        const fill = () => arrange(branch, [first.entry, ...line(other, next, room)]);
        if (path.has(other.id)) {
          fill();
        } else {
          arrange(branch, [first.entry]);
          rest.push(fill);
        }
        parts.push(branch);
      }
    }
    node = main;
    number += 1;
  }
  rest.forEach((fill) => fill());
  return parts;
}

/**
 * @param {number} id
 * @returns {Shown}
 */
function create(id) {
  const number = el("span", { class: "number" });
  const go = button("", () => send({ do: "go", node: id }));
  const base = el("small");
  return { entry: el("span", {}, number, go, base), number, button: go, known: base };
}

/**
 * @param {Node} node
 * @param {number} number
 */
function move(node, number) {
  const parts = earlier.get(node.id) ?? create(node.id);
  shown.set(node.id, parts);
  write(parts.number, `${number}.`);
  write(parts.button, node.comment ? `${node.text} ✎` : node.text);
  markCurrent(parts.button, node.id);
  const base = known.get(node.id) ?? "";
  write(parts.known, base);
  const about = base && `${words.inDatabase}: ${base}`;
  parts.button.title = [score(node), about, node.comment].filter(Boolean).join("\n");
  return parts;
}

/**
 * Returns the recorded score of a move, with its depth and time.
 * @param {Node} node
 */
function score({ score }) {
  return score ? words.recordedScore(score.text, score.depth, score.time_ms / 1000) : "";
}

/**
 * Marks whether a button is that of the position shown: the only move that Tab reaches.
 * @param {HTMLElement} button
 * @param {number} id its node
 */
function markCurrent(button, id) {
  const isCurrent = id === state.position?.node;
  button.setAttribute("aria-current", String(isCurrent));
  button.tabIndex = isCurrent ? 0 : -1;
}

/**
 * Goes to the previous or next variation of the position shown.
 * @param {1 | -1} step
 */
export function sibling(step) {
  const here = state.position?.node ?? 0;
  const siblings = state.tree?.nodes.find(({ children }) => children.includes(here))?.children ?? [];
  const node = siblings[siblings.indexOf(here) + step];
  if (node !== undefined) {
    send({ do: "go", node });
  }
}

const start = button("·", () => send({ do: "go", node: 0 }));

/** Draws the tree. */
export function draw() {
  const { tree, position, acts, database } = state;
  // Plies of the engine must not scroll the list under the mouse.
  const played = acts || acted;
  acted = acts;
  sendAgain();
  // The tree of another game arrives just after the game.
  const early = tree === drawn && drawnGame !== state.game;
  const same = tree === drawn && position?.node === current && drawnBase === database;
  if (!tree || !position || early || same) {
    return;
  }
  // The tree with a new position arrives just after the position.
  if (!tree.nodes.some(({ id }) => id === position.node)) {
    return;
  }
  const moved = position.node !== current;
  const before = shown.get(current)?.button ?? start;
  const steps = moved && !played && document.activeElement === before;
  drawnGame = state.game;
  [drawn, current, drawnBase] = [tree, position.node, database];
  known = new Map(database?.branches.map(({ node, shown }) => [node, shown]));
  nodes = new Map(tree.nodes.map((node) => [node.id, node]));
  // A long line is shown from a bit before the position.
  const at = tree.line.indexOf(position.node);
  const from = Math.max(0, at - SHOWN / 2);
  const first = nodes.get(tree.line[from]);
  const home = by("moves");
  path = new Set(tree.line);
  [earlier, shown] = [shown, new Map()];
  const parts = first ? line(first, from + 1, { left: SHOWN }) : [];
  earlier = new Map();
  markCurrent(start, 0);
  start.setAttribute("aria-label", words.startLabel);
  arrange(home, [start, ...parts]);
  renew(by("moves-bar"), [
    button(words.pointText, () => ask()),
    button(words.promote, () => send({ do: "promote", node: current }), { disabled: !current }),
    button(words.remove, () => send({ do: "remove", node: current }), { disabled: !current }),
  ]);
  if (moved && !(played && home.matches(":hover"))) {
    reveal(home, home.querySelector("[aria-current=true]"));
  }
  if (steps) {
    // The focus follows the user who steps through the moves.
    (shown.get(current)?.button ?? start).focus({ preventScroll: true });
  }
  comment();
}

/**
 * Scrolls a list, but nothing around it, so that an entry is visible.
 * @param {Element} list
 * @param {Element | null} entry
 */
function reveal(list, entry) {
  if (!entry) {
    return;
  }
  const [around, at] = [list, entry].map((element) => element.getBoundingClientRect());
  if (at.top < around.top) {
    list.scrollTop -= around.top - at.top;
  } else if (at.bottom > around.bottom) {
    list.scrollTop += at.bottom - around.bottom;
  }
}

/**
 * The position of the comment field: the game, the node and the moves that lead to it, and the
 * comment as last received or sent.
 */
let commented = { game: "", node: -1, moves: "", text: "" };
let timer = 0;
/** The tree before the link was closed, until the next tree arrives. @type {import("./schema.js").TreeView | undefined} */
let treeBefore;

/**
 * Returns the moves from the root to a node.
 * @param {number} id
 */
function moves(id) {
  const texts = [];
  for (let at = nodes.get(id); at && at.parent !== null; at = nodes.get(at.parent)) {
    texts.push(at.text);
  }
  return texts.reverse();
}

/**
 * Returns a move with its number; empty for the root.
 * @param {number} id its node
 */
export function moveName(id) {
  const { length } = moves(id);
  return length > 0 ? `${length}. ${nodes.get(id)?.text}` : "";
}

/**
 * Whether the tree has the position of the comment field. Updates its node, as a restarted program
 * renumbers the nodes.
 */
function isThere() {
  if (JSON.stringify(moves(commented.node)) === commented.moves) {
    return true;
  }
  /** @type {Node | undefined} */
  let at = nodes.get(0);
  for (const text of JSON.parse(commented.moves)) {
    at = at?.children.map((child) => nodes.get(child)).find((child) => child?.text === text);
  }
  commented.node = at?.id ?? commented.node;
  return at !== undefined;
}

/** Shows the comment of the position, unless another is being written or has not been sent. */
function comment() {
  const field = by("comment");
  const game = JSON.stringify(state.game);
  if (commented.game === game && isThere()) {
    if (document.activeElement === field || !sendComment()) {
      return;
    }
  } else if (commented.game && field.value !== commented.text) {
    log(`${by("comment-label").textContent}: ${field.value}`, true);
  }
  const move = moveName(current);
  const text = nodes.get(current)?.comment ?? "";
  clearTimeout(timer);
  if (field.value !== text) {
    field.value = text;
  }
  // The field normalises line endings, so its value may differ from `text`.
  commented = { game, node: current, moves: JSON.stringify(moves(current)), text: field.value };
  write(by("comment-label"), move ? words.commentOn(move) : words.comment);
}

/** Sends the comment; returns false if the program or its tree is not there. */
function sendComment() {
  clearTimeout(timer);
  const text = by("comment").value;
  if (text !== commented.text) {
    // The node belongs to the tree that was drawn last.
    const isLate = drawnGame !== state.game || (state.open && treeBefore !== undefined);
    if (isLate || !send({ do: "comment", node: commented.node, text })) {
      return false;
    }
    commented.text = text;
  }
  return true;
}

/** Sends an unsent comment once the program is reached again, and its tree has arrived. */
function sendAgain() {
  const { open, tree } = state;
  if (!open) {
    treeBefore = tree;
  } else if (treeBefore && tree !== treeBefore) {
    treeBefore = undefined;
    clearTimeout(timer);
    timer = setTimeout(sendComment, REST);
  }
}

/** Listens to the comment field. */
export function begin() {
  const field = by("comment");
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(sendComment, REST);
  });
  field.addEventListener("change", sendComment);
  field.addEventListener("focus", halt);
  field.addEventListener("blur", () => {
    if (commented.node !== current) {
      comment();
    }
  });
}
