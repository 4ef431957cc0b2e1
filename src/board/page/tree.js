// The tree of moves, and the comment of the position.

import { button, by, el, replace } from "./dom.js";
import { ask } from "./label.js";
import { send, state } from "./state.js";
import { words } from "./words.js";

/** @typedef {import("./schema.js").Node} Node */

/** Nodes shown at most: those around the position shown. */
const SHOWN = 600;

/** @type {import("./schema.js").TreeView | undefined} */
let drawn;
let current = -1;

/**
 * The buttons of a line and its branches.
 * @param {Map<number, Node>} nodes
 * @param {Node} from
 * @param {number} ply
 * @param {{left: number}} room
 * @returns {(HTMLElement | Text)[]}
 */
function line(nodes, from, ply, room) {
  /** @type {(HTMLElement | Text)[]} */
  const parts = [];
  /** @type {Node | undefined} */
  let node = from;
  let number = ply;
  while (node && room.left > 0) {
    /** @type {(Node | undefined)[]} */
    const [main, ...others] = node.children.map((child) => nodes.get(child));
    if (!main) {
      break;
    }
    parts.push(move(main, number));
    room.left -= 1;
    for (const other of others) {
      if (other && room.left > 0) {
        room.left -= 1;
        const rest = line(nodes, other, number + 1, room);
        parts.push(el("div", { class: "branch" }, move(other, number), ...rest));
      }
    }
    node = main;
    number += 1;
  }
  return parts;
}

/**
 * @param {Node} node
 * @param {number} number
 */
function move(node, number) {
  const go = () => send({ do: "go", node: node.id });
  const here = node.id === state.position?.node;
  const text = node.comment ? `${node.text} ✎` : node.text;
  const entry = el("span", {}, el("span", { class: "number" }, `${number}.`));
  entry.append(button(text, go, { "aria-current": String(here), title: node.comment || null }));
  return entry;
}

/** Draws it anew. */
export function draw() {
  const { tree, position } = state;
  if (!tree || !position || (tree === drawn && position.node === current)) {
    return;
  }
  const moved = position.node !== current;
  [drawn, current] = [tree, position.node];
  const nodes = new Map(tree.nodes.map((node) => [node.id, node]));
  // A long line is shown from not too far before the position.
  const at = tree.line.indexOf(position.node);
  const start = Math.max(0, at - SHOWN / 2);
  const first = nodes.get(tree.line[start]);
  const home = by("moves");
  const parts = first ? line(nodes, first, start + 1, { left: SHOWN }) : [];
  const begin = button("·", () => send({ do: "go", node: 0 }), {
    "aria-current": String(position.node === 0),
    "aria-label": words.startLabel,
  });
  const tools = [
    button(words.pointText, () => ask()),
    button(words.promote, () => send({ do: "promote", node: current }), { disabled: !current }),
    button(words.remove, () => send({ do: "remove", node: current }), { disabled: !current }),
  ];
  replace(home, [begin, ...parts, el("div", { role: "toolbar" }, ...tools)]);
  if (moved) {
    home.querySelector("[aria-current=true]")?.scrollIntoView({ block: "nearest" });
  }
  const comment = by("comment");
  if (moved || document.activeElement !== comment) {
    comment.value = nodes.get(position.node)?.comment ?? "";
  }
}

/** Listens to comments. */
export function begin() {
  const comment = by("comment");
  comment.addEventListener("change", () => {
    send({ do: "comment", node: current, text: comment.value });
  });
}
