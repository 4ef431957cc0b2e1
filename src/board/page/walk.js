// Winning trees: which there are, and a walk through one as its defender.

import { button, by, el, replace } from "./dom.js";
import { close, show } from "./setup.js";
import { changed, send, state } from "./state.js";
import { words } from "./words.js";

/** @typedef {import("./schema.js").Walk} Walk */
/** @typedef {import("./schema.js").Line} Line */
/** @typedef {import("./schema.js").TreeInfo} TreeInfo */

/** Asks which tree is to be walked through. */
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

/** The trees have come. @param {TreeInfo[]} trees */
export function listed(trees) {
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

/** The walk stands otherwise. @param {Walk} walk */
export function stands(walk) {
  state.walk = walk;
  changed();
}

/**
 * A line that is shown on the board while it is pointed at.
 * @param {string} title
 * @param {Line | null} line
 */
function shown(title, line) {
  if (!line) {
    return [];
  }
  const point = (/** @type {Line | undefined} */ hovered) => () => {
    state.hovered = hovered;
    changed();
  };
  const entry = el("span", { class: "line", tabindex: "0" }, line.text);
  entry.addEventListener("mouseenter", point(line));
  entry.addEventListener("mouseleave", point(undefined));
  entry.addEventListener("focus", point(line));
  entry.addEventListener("blur", point(undefined));
  return [el("p", {}, `${title} `, entry)];
}

let drawn = "";

/** Draws how the walk stands. */
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
    replace(home, []);
    return;
  }
  const waits = walk.state === "waiting";
  const focused = home.contains(document.activeElement) && document.activeElement?.textContent;
  replace(home, [
    el("p", {}, el("strong", {}, walk.name), ` ${walk.claim}`),
    el("p", { role: "status", class: walk.state }, walk.text),
    ...shown(words.forcedLine, walk.forced),
    ...shown(words.threatLine, walk.threat),
    el(
      "div",
      { role: "toolbar", "aria-label": words.proofs },
      button(words.stop, () => send({ do: "stop" }), { disabled: !waits }),
      button(words.askTree, () => send({ do: "move" }), { disabled: waits || walk.state === "won" }),
      button(words.leave, () => send({ do: "leave" })),
    ),
  ]);
  if (focused) {
    [...home.querySelectorAll("button")].find(({ textContent }) => textContent === focused)?.focus();
  }
}
