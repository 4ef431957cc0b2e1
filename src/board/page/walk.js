// Winning trees: their list, and a walk through a tree as its defender.

import { arrange, button, by, el, renew, replace, write } from "./dom.js";
import { close, show } from "./setup.js";
import { changed, send, state } from "./state.js";
import { words } from "./words.js";

/** @typedef {import("./schema.js").Walk} Walk */
/** @typedef {import("./schema.js").Line} Line */
/** @typedef {import("./schema.js").TreeInfo} TreeInfo */

/** Requests the list of trees, or explains how to use them. */
export function open() {
  if (state.catalogue?.trees) {
    send({ do: "trees" });
  } else {
    show([
      el("h2", {}, words.proofs),
      el("p", {}, words.proofsNeedProgram),
      el("p", {}, el("code", {}, "goren board")),
      button(words.close, close),
    ]);
  }
}

/** Opens the dialog with the list of trees. @param {TreeInfo[]} trees */
export function showList(trees) {
  const entry = (/** @type {TreeInfo} */ { name, text }) => {
    const walk = () => {
      send({ do: "walk", name });
      close();
    };
    return el("li", {}, button(name, walk), ` ${text}`);
  };
  show([
    el("h2", {}, words.proofs),
    el("p", {}, words.aboutProofs),
    trees.length > 0
      ? el("ul", { class: "trees" }, ...trees.map(entry))
      : el("p", {}, words.noTrees, " ", el("code", {}, "goren board --trees FOLDER")),
    button(words.cancel, close),
  ]);
}

/** Handles a change of the walk. @param {Walk} walk */
export function receive(walk) {
  state.walk = walk;
  changed();
}

/** The line that is pointed at, if any. @type {"forced" | "threat" | undefined} */
let pointed;

/**
 * Makes the row of a line that the board shows while it is pointed at. The row is reused.
 * @param {"forced" | "threat"} which
 */
function place(which) {
  const point = (/** @type {typeof pointed} */ now) => () => {
    pointed = now;
    state.hovered = (now && state.walk?.[now]) ?? undefined;
    changed();
  };
  const title = el("span");
  const text = el("span", { class: "line", tabindex: "0" });
  text.addEventListener("mouseenter", point(which));
  text.addEventListener("mouseleave", point(undefined));
  text.addEventListener("focus", point(which));
  text.addEventListener("blur", point(undefined));
  return { which, title, text, row: el("p", {}, title, " ", text) };
}

const places = [place("forced"), place("threat")];

/** Draws the lines. @param {Walk} walk */
function lines(walk) {
  const titles = { forced: words.forcedLine, threat: words.threatLine };
  for (const { which, title, text } of places) {
    write(title, titles[which]);
    write(text, walk[which]?.text ?? "");
  }
  arrange(by("walk-lines"), places.filter(({ which }) => walk[which]).map(({ row }) => row));
  if (pointed) {
    state.hovered = walk[pointed] ?? undefined;
    changed();
  }
}

let drawn = "";

/** Draws the walk. */
export function draw() {
  const home = by("walk");
  const { walk } = state;
  const key = JSON.stringify(walk ?? null);
  if (key === drawn) {
    return;
  }
  drawn = key;
  home.hidden = !walk || walk.state === "none";
  if (!walk || home.hidden) {
    pointed = undefined;
    return;
  }
  const waits = walk.state === "waiting";
  replace(by("walk-claim"), [el("strong", {}, walk.name), ` ${walk.claim}`]);
  by("walk-text").className = walk.state;
  write(by("walk-text"), walk.text);
  lines(walk);
  renew(by("walk-bar"), [
    button(words.stop, () => send({ do: "stop" }), { disabled: !waits }),
    button(words.askTree, () => send({ do: "move" }), { disabled: waits || walk.state === "won" }),
    button(words.leave, () => send({ do: "leave" })),
  ]);
}
