// The lines of a search, and the bar of chances.

import { button, by, el, renew, replace, write } from "./dom.js";
import { changed, send, state } from "./state.js";
import { words } from "./words.js";

/** Lines that are asked for where the analysis is switched on. */
let wanted = 3;

/** Switches the analysis on or off. */
export function toggle() {
  send({ do: "analyse", lines: state.setting?.lines ? 0 : wanted });
}

/** The tools above the lines. */
function tools() {
  const { setting, catalogue, position } = state;
  const over = !position?.decision;
  const on = (setting?.lines ?? 0) > 0;
  const number = el("select", {
    "aria-label": words.lines,
    onchange: (/** @type {any} */ event) => {
      wanted = Number(event.target.value);
      if (state.setting?.lines) {
        send({ do: "analyse", lines: wanted });
      }
    },
  });
  for (let lines = 1; lines <= (catalogue?.lines ?? 1); lines++) {
    number.append(el("option", { value: lines, selected: lines === wanted }, String(lines)));
  }
  /** @param {import("./schema.js").Query} query */
  const search = (query) => () => send({ do: "search", query });
  const disabled = over || state.acts;
  // Wins by fours and threats are searched for in five in a row alone.
  const wins = /** @type {[import("./schema.js").Query, string][]} */ ([
    ["vcf", words.vcf],
    ["other_vcf", words.otherVcf],
    ["vct", words.vct],
  ]);
  return [
    button(words.analyse, toggle, { "aria-pressed": String(on), disabled: over && !on }),
    number,
    button(words.threat, search("threat"), { disabled }),
    ...(state.game?.threats ? wins : []).map(([query, text]) => button(text, search(query), { disabled })),
  ];
}

let drawnTools = "";
/** Lines that there is room for: it stays, so that what is below does not move. */
let room = 0;
/** @type {import("./schema.js").Lines | undefined} */
let drawnLines;
/** The entry that is pointed at, if any. @type {Element | undefined} */
let pointed;
/** Whether a line is shown that nobody points at. */
let pinned = false;
/** The lines of the entries. @type {WeakMap<Element, import("./schema.js").Line>} */
const shown = new WeakMap();

/** @param {import("./schema.js").Line | undefined} line */
function point(line) {
  pinned = false;
  state.hovered = line;
  changed();
}

/** @type {import("./schema.js").Lines | undefined} */
let drawnFound;
/** @type {import("./schema.js").Game | undefined} */
let drawnGame;

/** Adds the best line of what was found to the tree. */
function follow() {
  const [best] = state.found?.lines ?? [];
  if (best) {
    send({ do: "follow", cells: best.stones.map(({ cell }) => cell) });
  }
}

/** What was searched for on demand: its best line is shown on the board at once. */
function found() {
  const { found, position, game } = state;
  if (game !== drawnGame) {
    drawnGame = game;
    by("found").classList.remove("kept");
  }
  if (found === drawnFound) {
    return;
  }
  drawnFound = found;
  const home = by("found");
  home.hidden = !found?.lines.length;
  if (!found?.lines.length || !found.query) {
    if (pinned) {
      point(undefined);
    }
    return;
  }
  // Its room stays when it is gone: what is below would move up under the mouse.
  home.classList.add("kept");
  write(by("found-title"), words.found[found.query]);
  rows(by("found-lines"), found.lines);
  const [best] = found.lines;
  const mover = position?.decision?.color;
  const fits = best.stones[0]?.color === mover && found.done;
  renew(by("found-bar"), [button(words.intoTree, follow, { disabled: !fits })]);
  if (found.done) {
    point(best);
    pinned = true;
  }
}

/** Draws them anew. */
export function draw() {
  const { setting, position, lines, acts } = state;
  found();
  // Tools that are in use are left alone while lines come in.
  const { threats } = state.game ?? {};
  const key = JSON.stringify([setting?.lines, !position?.decision, acts, wanted, threats]);
  if (key !== drawnTools && state.catalogue) {
    drawnTools = key;
    renew(by("analysis-bar"), tools());
    room = setting?.lines || room;
    by("lines").style.setProperty("--room", String(room));
  }
  const fits = lines && lines.node === position?.node ? lines : undefined;
  if (fits !== drawnLines) {
    drawnLines = fits;
    rows(by("lines"), fits?.lines ?? []);
    write(by("cost"), fits ? cost(fits) : "");
  }
  chances(fits);
}

/**
 * Writes lines; entries stay where they are.
 * @param {Element} list
 * @param {import("./schema.js").Line[]} lines
 */
function rows(list, lines) {
  while (list.childElementCount < lines.length) {
    const entry = el("li", { tabindex: "0" });
    const enter = () => {
      pointed = entry;
      point(shown.get(entry));
    };
    const leave = () => {
      pointed = undefined;
      point(undefined);
    };
    entry.addEventListener("mouseenter", enter);
    entry.addEventListener("mouseleave", leave);
    entry.addEventListener("focus", enter);
    entry.addEventListener("blur", leave);
    list.append(entry);
  }
  while (list.childElementCount > lines.length) {
    const last = list.lastElementChild;
    if (pointed === last) {
      pointed = undefined;
      point(undefined);
    }
    last?.remove();
  }
  lines.forEach((line, index) => {
    const entry = list.children[index];
    const rate = line.stones[0]?.color === "white" ? 1 - line.black : line.black;
    const chance = `${line.score}  ${(100 * rate).toFixed(1)} %`;
    replace(entry, [el("b", {}, chance), ` ${line.text}`]);
    entry.setAttribute("title", line.text);
    shown.set(entry, line);
    // What is pointed at is the line at that place, as it is now.
    if (pointed === entry) {
      point(line);
    }
  });
}

/** @param {import("./schema.js").Lines} lines */
function cost(lines) {
  if (lines.depth === 0) {
    return "";
  }
  const seconds = lines.elapsed_ms / 1000;
  const speed = seconds > 0 ? Math.round(lines.nodes / seconds / 1000) : 0;
  const depth = `${lines.depth} (${lines.seldepth})`;
  const nodes = lines.nodes.toLocaleString(document.documentElement.lang);
  return words.cost(depth, nodes, `${speed} kn/s, ${seconds.toFixed(1)} s`) + (lines.done ? `, ${words.done}` : "");
}

/** The game of the chances that are shown. @type {import("./schema.js").Game | undefined} */
let chancesOf;

/** @param {import("./schema.js").Lines | undefined} lines */
function chances(lines) {
  const bar = by("chances");
  if (!bar.firstElementChild) {
    bar.append(el("i"));
  }
  const { outcome } = state.position ?? {};
  let black = lines && !lines.query ? lines.lines[0]?.black : undefined;
  if (black === undefined && state.position?.node === 0) {
    black = 0.5;
  }
  // Those of the position before stay until the search says more, but not those of another game.
  if (black === undefined && chancesOf !== state.game) {
    black = 0.5;
  }
  chancesOf = state.game;
  if (outcome) {
    black = outcome.winner === null ? 0.5 : Number(outcome.winner === "black");
  }
  if (black !== undefined) {
    bar.firstElementChild.style.height = `${100 * black}%`;
    bar.setAttribute("aria-label", `${words.black} ${Math.round(100 * black)} %`);
  }
}
