// Whose turn it is, what may be done, and the buttons for it.

import { button, by, el, renew, write } from "./dom.js";
import { send, state, changed } from "./state.js";
import { words } from "./words.js";

/** The list of messages counts as being at its end within this many pixels. */
const NEAR = 8;

/** @param {import("./schema.js").Color} color */
const side = (color) => (color === "black" ? words.black : words.white);

/** The sentence below the board. */
function status() {
  const { position, game } = state;
  if (!state.open) {
    return state.elsewhere ? words.elsewhere : words.gone;
  }
  if (!position || !game) {
    return "";
  }
  const told = [];
  if (game.goal !== null) {
    told.push(words.captured(position.captured[0], position.captured[1], game.goal));
  }
  const { decision, outcome } = position;
  if (outcome) {
    told.push(ended(outcome));
  } else if (state.acts) {
    told.push(words.thinking);
  } else if (decision) {
    const declare = decision.ways[decision.way]?.declare;
    if (decision.left === 0 && declare) {
      told.push(words.declare(declare[0], declare[1]));
    } else if (decision.next && (decision.stage || position.placed.length > 0)) {
      told.push(decision.stage ?? "", words.place(side(decision.next)) + words.more(decision.left));
    } else {
      told.push(words.toMove(side(decision.color)) + words.more(decision.left));
    }
  }
  return told.filter(Boolean).join(" ");
}

/**
 * How the game ended; the reason is the program's, in English.
 * @param {import("./schema.js").Outcome} outcome
 */
function ended({ winner, text }) {
  if (document.documentElement.lang === "en") {
    return text;
  }
  const reason = text.includes(": ") ? ` (${text.slice(0, text.indexOf(": "))})` : "";
  return (winner ? words.wins(side(winner)) : words.drawn) + reason;
}

/** Buttons for the ways to go on, and numbers to declare. */
function ways() {
  const decision = state.position?.decision;
  if (!decision || state.acts) {
    return [];
  }
  const parts = [];
  if (decision.swap) {
    parts.push(button(words.swap, () => send({ do: "swap" })));
  }
  if (decision.pass) {
    parts.push(button(words.pass, () => send({ do: "pass" })));
  }
  if (decision.ways.length > 1) {
    decision.ways.forEach((way, index) => {
      const choose = () => send({ do: "choose", way: index });
      const text = way.text.charAt(0).toUpperCase() + way.text.slice(1);
      parts.push(button(text, choose, { "aria-pressed": String(index === decision.way) }));
    });
  }
  const declare = decision.ways[decision.way]?.declare;
  if (decision.left === 0 && declare) {
    for (let count = declare[0]; count <= declare[1]; count++) {
      parts.push(button(String(count), () => send({ do: "declare", count })));
    }
  }
  return parts;
}

/** To the beginning or the end of the line. @param {boolean} end */
export function jump(end) {
  const line = state.tree?.line ?? [];
  const node = end ? line[line.length - 1] : line[0];
  if (node !== undefined) {
    send({ do: "go", node });
  }
}

let drawn = "";

/** Draws them anew. */
export function draw() {
  const { position, tree, game } = state;
  write(by("status"), status());
  if (position && position.node !== toldAt) {
    if (toldAt !== undefined) {
      by("notice").textContent = "";
    }
    toldAt = position.node;
  }
  write(by("game-name"), named());
  // Buttons that are about to be clicked are left alone while lines come in.
  const { acts, searching, numbers, marks } = state;
  const end = tree?.line[tree.line.length - 1];
  const shown = [position?.node, position?.placed.length, position?.decision, end];
  const key = JSON.stringify([shown, acts, searching, numbers, marks, game?.fouls]);
  if (key !== drawn) {
    drawn = key;
    renew(by("ways"), ways());
    renew(by("actions"), actions());
  }
}

/** The buttons of the game. */
function actions() {
  const { position, tree, game } = state;
  const first = !position || position.node === 0;
  const last = !tree || tree.line[tree.line.length - 1] === position?.node;
  const over = !position?.decision;
  const numbers = () => {
    state.numbers = !state.numbers;
    changed();
  };
  const marks = () => {
    state.marks = !state.marks;
    changed();
  };
  const marked = button(words.marks, marks, { "aria-pressed": String(state.marks) });
  return [
    button(words.start, () => jump(false), { disabled: first, "aria-label": words.startLabel }),
    button(words.undo, () => send({ do: "undo" }), {
      disabled: first && !position?.placed.length,
    }),
    button(words.redo, () => send({ do: "redo" }), { disabled: last }),
    button(words.end, () => jump(true), { disabled: last, "aria-label": words.endLabel }),
    button(words.hint, () => send({ do: "search", query: "hint" }), { disabled: over }),
    button(words.move, () => send({ do: "move" }), { disabled: over || state.acts }),
    button(words.stop, () => send({ do: "stop" }), { disabled: !state.searching }),
    button(words.numbers, numbers, { "aria-pressed": String(state.numbers) }),
    ...(game?.fouls ? [marked] : []),
  ];
}

/** The game in a line. */
function named() {
  const { game, setting, position } = state;
  if (!game || !setting || !position) {
    return "";
  }
  const who = (/** @type {number} */ seat) =>
    setting.players[seat] === "engine" ? `${words.engine} (${setting.level})` : words.person;
  const black = who(position.black);
  const white = who(1 - position.black);
  const { variant, width, height, opening } = game;
  return `${variant} ${width}×${height}, ${opening}: ${words.black} ${black}, ${words.white} ${white}`;
}

/** Listens to typed moves. */
export function begin() {
  by("typed").addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    const field = by("ply");
    if (field.value.trim()) {
      send({ do: "play", text: field.value });
      field.value = "";
    }
  });
}

/**
 * The node at which the newest message was told; none before it is drawn.
 * @type {number | undefined}
 */
let toldAt = -1;

/**
 * Adds a message, and shows it near the board as long as its position is shown.
 * @param {string} text
 * @param {boolean} [bad]
 */
export function tell(text, bad = false) {
  const notice = by("notice");
  // What the engine plays waits for its turn to be read aloud; what is refused does not.
  notice.setAttribute("role", bad ? "alert" : "status");
  notice.textContent = text;
  notice.classList.toggle("bad", bad);
  toldAt = undefined;
  log(text, bad);
}

/**
 * Adds a message to the list of them.
 * @param {string} text
 * @param {boolean} [bad]
 */
export function log(text, bad = false) {
  const log = by("log");
  // Whoever reads an older one goes on reading it.
  const newest = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR;
  log.append(el("p", bad ? { class: "bad" } : {}, text));
  while (log.childElementCount > 200) {
    log.firstElementChild?.remove();
  }
  if (newest) {
    log.scrollTop = log.scrollHeight;
  }
}
