// The status of the game, its buttons and the messages.

import { arrange, button, by, el, renew, replace, write } from "./dom.js";
import { read } from "./letters.js";
import { changed, isMoving, label, send, state } from "./state.js";
import * as threats from "./threats.js";
import { words } from "./words.js";

/** The list of messages counts as being at its end within this many pixels. */
const NEAR = 8;
/** Minimum milliseconds that a message is shown near the board. */
const SHORTEST = 1000;
/** The tools for a tap on the board. @type {import("./state.js").Tool[]} */
const TOOLS = ["place", "circle", "square", "triangle", "cross", "text", "explain"];

/** @param {import("./schema.js").Color} color */
const side = (color) => (color === "black" ? words.black : words.white);

/** Returns the status below the board. */
function status() {
  const { position, game } = state;
  if (!state.open) {
    return unavailableText();
  }
  if (!position || !game) {
    return "";
  }
  const parts = [];
  if (game.goal !== null) {
    parts.push(words.captured(position.captured[0], position.captured[1], game.goal));
  }
  const { decision, outcome } = position;
  if (outcome) {
    parts.push(ended(outcome));
  } else if (state.acts) {
    parts.push(words.thinking);
  } else if (decision) {
    const declare = decision.ways[decision.way]?.declare;
    if (decision.left === 0 && declare) {
      parts.push(words.declare(declare[0], declare[1]));
    } else if (decision.next && (decision.stage || position.placed.length > 0)) {
      parts.push(decision.stage ?? "", words.place(side(decision.next)) + words.more(decision.left));
    } else {
      parts.push(words.toMove(side(decision.color)) + words.more(decision.left));
    }
  }
  // During an analysis and a review the next move does not start the clock.
  const studied = Boolean(state.setting?.lines) || state.review?.state === "running";
  if (decision && state.clock?.control && state.clock.running === null && !studied) {
    parts.push(words.clockStopped);
  }
  if (searchesOnDemand()) {
    parts.push(words.searching);
  }
  if (state.tapped && state.tool === "place") {
    parts.push(words.tapAgain(label(state.tapped)));
  }
  if (state.tool !== "place") {
    parts.push(words.tapNow(words.taps[state.tool]));
  }
  return parts.filter(Boolean).join(" ");
}

/** Returns the reason why the page cannot be used now. */
function unavailableText() {
  const { ended, loading, crowded } = state;
  if (ended !== undefined) {
    return words.ends[/** @type {keyof typeof words.ends} */ (ended)] ?? words.cannotRun(ended);
  }
  if (loading) {
    return words.loading;
  }
  return crowded ? words.crowded : words.gone;
}

/** Whether a search is running that nothing else on the page shows. */
function searchesOnDemand() {
  const { searching, acts, setting, review, exercise, walk } = state;
  const judged = ["judged", "solving"].includes(exercise?.state ?? "");
  const walks = walk && walk.state !== "none";
  return searching && !acts && !setting?.lines && review?.state !== "running" && !judged && !walks;
}

/**
 * Returns how the game ended; the reason is a text of the program, in English.
 * @param {import("./schema.js").Outcome} outcome
 */
function ended({ winner, text }) {
  if (document.documentElement.lang === "en") {
    return text;
  }
  const reason = text.includes(": ") ? ` (${text.slice(0, text.indexOf(": "))})` : "";
  return (winner ? words.wins(side(winner)) : words.drawn) + reason;
}

/** Makes the buttons for the pending decision, and for numbers to declare. */
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

/** Returns whether the root, the previous and the next position of the line can be reached. */
function available() {
  const { position, tree } = state;
  const start = Boolean(position?.node);
  return {
    start,
    back: start || Boolean(position?.placed.length),
    on: Boolean(tree && position && tree.line[tree.line.length - 1] !== position.node),
  };
}

/** Goes back, if possible now or maybe once the next position has arrived. */
export function undo() {
  if (available().back || isMoving()) {
    send({ do: "undo" });
  }
}

/** Goes forward along the line, likewise. */
export function redo() {
  if (available().on || isMoving()) {
    send({ do: "redo" });
  }
}

/** Goes to the root or the end of the line, likewise. @param {boolean} end */
export function jump(end) {
  const line = state.tree?.line ?? [];
  const node = end ? line[line.length - 1] : line[0];
  const { start, on } = available();
  if (node !== undefined && ((end ? on : start) || isMoving())) {
    send({ do: "go", node });
  }
}

let drawn = "";

/** Draws the controls. */
export function draw() {
  const { position, tree, game } = state;
  write(by("status"), status());
  dropOldNotices(position?.node);
  write(by("game-name"), gameTitle());
  // Buttons are left alone when lines arrive, as the user may be about to click them.
  const { acts, searching, numbers, marks, tool } = state;
  const threatState = [state.threats, game?.threats];
  const end = tree?.line[tree.line.length - 1];
  const shown = [position?.node, position?.placed.length, position?.decision, end];
  const timed = Boolean(state.clock?.control);
  const key = JSON.stringify([shown, acts, searching, numbers, marks, tool, game?.fouls, threatState, timed]);
  if (key !== drawn) {
    drawn = key;
    renew(by("ways"), ways());
    renew(by("actions"), actions());
    fitBoard();
  }
}

/** Leaves room below the board for the clock and the buttons, which may have two rows. */
function fitBoard() {
  const height = by("actions").offsetHeight + by("clocks").offsetHeight;
  by("place").style.setProperty("--actions", `${height}px`);
}

/** The field that chooses the tool. It is never replaced, so that it stays open. */
const choice = el("select", {
  onchange: () => {
    state.tool = choice.value;
    changed();
  },
});

/** Returns that field, with the tools of the game. */
function taps() {
  const tools = TOOLS.filter((tool) => tool !== "explain" || state.game?.fouls);
  if (choice.childElementCount !== tools.length) {
    choice.setAttribute("aria-label", words.tap);
    replace(choice, tools.map((tool) => el("option", { value: tool }, words.taps[tool])));
  }
  if (choice.value !== state.tool) {
    choice.value = state.tool;
  }
  return choice;
}

/** Makes the buttons of the game. */
function actions() {
  const { position, game } = state;
  const { start, back, on } = available();
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
    button(words.start, () => jump(false), { disabled: !start, "aria-label": words.startLabel }),
    button(words.undo, undo, { disabled: !back }),
    button(words.redo, redo, { disabled: !on }),
    button(words.end, () => jump(true), { disabled: !on, "aria-label": words.endLabel }),
    button(words.hint, () => send({ do: "search", query: "hint" }), { disabled: over }),
    button(words.stop, () => send({ do: "stop" }), { disabled: !state.searching }),
    button(words.move, () => send({ do: "move" }), { disabled: over || state.acts }),
    button(words.numbers, numbers, { "aria-pressed": String(state.numbers) }),
    ...(game?.threats ? [button(words.threats, threats.toggle, { "aria-pressed": String(state.threats) })] : []),
    ...(game?.fouls ? [marked] : []),
    taps(),
  ];
}

/** Returns a line about the game. */
function gameTitle() {
  const { game, setting, position } = state;
  if (!game || !setting || !position) {
    return "";
  }
  const { variant, width, height, opening, names, title } = game;
  /** Returns who plays for a seat; a file may name people. @type {(seat: number) => string} */
  const who = (seat) =>
    setting.players[seat] === "engine" ? `${words.engine} (${setting.levels[seat]})` : names[seat] || words.person;
  const black = who(position.black);
  const white = who(1 - position.black);
  const rules = `${variant} ${width}×${height}, ${opening}`;
  return `${rules}: ${words.black} ${black}, ${words.white} ${white}${title ? ` · ${title}` : ""}`;
}

/** Listens for typed moves. */
export function begin() {
  addEventListener("resize", fitBoard);
  by("typed").addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    const field = by("ply");
    const text = read(field.value);
    if (text === undefined) {
      notify(words.noPoint, true);
    } else if (text.trim() && send({ do: "play", text })) {
      field.value = "";
    }
  });
}

/**
 * A message near the board: since when it is shown, in milliseconds, and at which node.
 * @typedef {{entry: HTMLElement, bad: boolean, time: number, node?: number}} Notice
 */
/** @type {Notice[]} */
let notices = [];
let timer = 0;

/**
 * Adds a message, and shows it near the board as long as its position is shown, but at least long
 * enough to be read.
 * @param {string} text
 * @param {boolean} [bad]
 */
export function notify(text, bad = false) {
  const time = performance.now();
  const entry = el("span", bad ? { class: "bad" } : {}, text);
  notices = notices.filter((notice) => time - notice.time < SHORTEST && notice.entry.textContent !== text);
  notices.push({ entry, bad, time });
  drawNotices();
  log(text, bad);
  changed();
}

/** Shows the messages near the board. */
function drawNotices() {
  const home = by("notice");
  // Screen readers read a move of the engine in turn, but a refusal at once.
  home.setAttribute("role", notices.some(({ bad }) => bad) ? "alert" : "status");
  arrange(home, notices.map(({ entry }) => entry));
}

/**
 * Removes the messages of other nodes.
 * @param {number | undefined} node the node shown
 */
function dropOldNotices(node) {
  const now = performance.now();
  const count = notices.length;
  notices = notices.filter((notice) => {
    notice.node ??= node;
    return notice.node === node || now - notice.time < SHORTEST;
  });
  const next = notices.find((notice) => notice.node !== node);
  clearTimeout(timer);
  if (next) {
    timer = setTimeout(changed, next.time + SHORTEST - now);
  }
  if (notices.length < count) {
    drawNotices();
  }
}

/**
 * Adds a message to the list.
 * @param {string} text
 * @param {boolean} [bad]
 */
export function log(text, bad = false) {
  const log = by("log");
  // The list does not scroll while the user reads an older message.
  const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR;
  log.append(el("p", bad ? { class: "bad" } : {}, text));
  while (log.childElementCount > 200) {
    log.firstElementChild?.remove();
  }
  if (isAtEnd) {
    log.scrollTop = log.scrollHeight;
  }
}
