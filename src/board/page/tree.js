// The tree of moves, and the comment of the position.

import { arrange, button, by, el, renew, write } from "./dom.js";
import { ask } from "./label.js";
import { send, state } from "./state.js";
import { words } from "./words.js";

/** @typedef {import("./schema.js").Node} Node */

/** Nodes shown at most: those around the position shown. */
const SHOWN = 600;

/** @type {import("./schema.js").TreeView | undefined} */
let drawn;
let current = -1;
/** Whether the engine was deciding when it was drawn last. */
let acted = false;
/** @type {import("./schema.js").Game | undefined} */
let game;

/**
 * The elements of a move. They stay as long as it is shown: one of them may have the focus, or
 * be about to be clicked, when a ply comes in.
 * @typedef {{entry: HTMLElement, number: HTMLElement, button: HTMLElement, branch?: HTMLElement}} Shown
 */
/** By their nodes. @type {Map<number, Shown>} */
let shown = new Map();
/** Those of the drawing before. @type {Map<number, Shown>} */
let earlier = new Map();

/** The nodes from the beginning to the end of the line shown. @type {Set<number>} */
let path = new Set();

/**
 * The buttons of a line and its branches. The line shown, and the first moves of what branches
 * off it, have their room before anything else.
 * @param {Map<number, Node>} nodes
 * @param {Node} from
 * @param {number} ply
 * @param {{left: number}} room
 * @returns {HTMLElement[]}
 */
function line(nodes, from, ply, room) {
  /** @type {HTMLElement[]} */
  const parts = [];
  /** What is drawn once the line itself has its room. @type {(() => void)[]} */
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
        const fill = () => arrange(branch, [first.entry, ...line(nodes, other, next, room)]);
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
function made(id) {
  const number = el("span", { class: "number" });
  const go = button("", () => send({ do: "go", node: id }));
  return { entry: el("span", {}, number, go), number, button: go };
}

/**
 * @param {Node} node
 * @param {number} number
 */
function move(node, number) {
  const parts = earlier.get(node.id) ?? made(node.id);
  shown.set(node.id, parts);
  write(parts.number, `${number}.`);
  write(parts.button, node.comment ? `${node.text} ✎` : node.text);
  parts.button.setAttribute("aria-current", String(node.id === state.position?.node));
  parts.button.title = node.comment;
  return parts;
}

const start = button("·", () => send({ do: "go", node: 0 }));

/** Draws it anew. */
export function draw() {
  const { tree, position, acts } = state;
  // What the engine plays does not scroll away what the mouse is over.
  const played = acts || acted;
  acted = acts;
  if (!tree || !position || (tree === drawn && position.node === current && game === state.game)) {
    return;
  }
  const moved = position.node !== current;
  [drawn, current] = [tree, position.node];
  const nodes = new Map(tree.nodes.map((node) => [node.id, node]));
  // A long line is shown from not too far before the position.
  const at = tree.line.indexOf(position.node);
  const from = Math.max(0, at - SHOWN / 2);
  const first = nodes.get(tree.line[from]);
  const home = by("moves");
  path = new Set(tree.line);
  [earlier, shown] = [shown, new Map()];
  const parts = first ? line(nodes, first, from + 1, { left: SHOWN }) : [];
  earlier = new Map();
  start.setAttribute("aria-current", String(position.node === 0));
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
  comment();
}

/**
 * Scrolls a list, and nothing around it, to where an entry is seen.
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

/** The node whose comment is in the field, and that comment. */
let commented = { node: -1, text: "" };

/** Shows the comment of the position, unless another one is being written. */
function comment() {
  const field = by("comment");
  const other = game !== state.game;
  game = state.game;
  if (!other && document.activeElement === field && field.value !== commented.text) {
    return;
  }
  const text = drawn?.nodes.find(({ id }) => id === current)?.comment ?? "";
  commented = { node: current, text };
  if (field.value !== text) {
    field.value = text;
  }
}

/** Listens to comments. */
export function begin() {
  const field = by("comment");
  field.addEventListener("change", () => {
    send({ do: "comment", node: commented.node, text: field.value });
    commented.text = field.value;
  });
  field.addEventListener("blur", () => {
    if (commented.node !== current) {
      comment();
    }
  });
}
