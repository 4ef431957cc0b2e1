// The lines of a search, and the bar of win rates.

import { button, by, el, renew, write } from "./dom.js";
import { changed, label, send, state, winRate } from "./state.js";
import { words } from "./words.js";

/** @typedef {import("./schema.js").Line} Line */
/** @typedef {import("./schema.js").Lines} Lines */

/** Number of lines to request when the analysis is switched on. */
let wanted = 3;

/** Switches the analysis on or off. */
export function toggle() {
  send({ do: "analyse", lines: state.setting?.lines ? 0 : wanted });
}

/** Makes the tools above the lines. */
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
  // Only five in a row has these searches.
  const others = /** @type {[import("./schema.js").Query, string][]} */ ([
    ["vcf", words.vcf],
    ["other_win", words.otherWin],
    ["vct", words.vct],
    ["balance", words.balance],
    ["balance_two", words.balanceTwo],
  ]);
  return [
    button(words.analyse, toggle, { "aria-pressed": String(on), disabled: over && !on }),
    number,
    button(words.threat, search("threat"), { disabled }),
    ...(state.game?.threats ? others : []).map(([query, text]) => button(text, search(query), { disabled })),
  ];
}

let drawnTools = "";
/** Number of lines for which there is room; it does not shrink, so that nothing below moves. */
let room = 0;
/** @type {Lines | undefined} */
let drawnLines;
/**
 * An entry, and the line that it shows. Its elements are not replaced when lines arrive, as the
 * user may be about to click one of them.
 * @typedef {{
 *   entry: HTMLElement, add: HTMLButtonElement, chance: HTMLElement, stones: HTMLElement,
 *   line?: Line, node: number
 * }} Row
 */
/** The entries of the lists. @type {Map<Element, Row[]>} */
const shown = new Map();
/** The entry that is pointed at, if any. @type {Row | undefined} */
let pointed;
/** Whether the board shows a line that is not pointed at. */
let pinned = false;

/** @param {Line | undefined} line */
function point(line) {
  pinned = false;
  state.hovered = line;
  changed();
}

/** @type {Lines | undefined} */
let drawnFound;
/** @type {import("./schema.js").Game | undefined} */
let drawnGame;

/** Adds the best line of a search on demand to the tree, and goes to its end. */
function follow() {
  const { found } = state;
  if (found?.lines[0]) {
    send({ do: "follow", node: found.node, cells: found.lines[0].stones.map(({ cell }) => cell) });
  }
}

/** Draws the result of a search on demand, whose best line the board shows at once. */
function drawFound() {
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
  // Its room stays when it is hidden, so that nothing below moves up under the mouse.
  home.classList.add("kept");
  write(by("found-title"), words.found[found.query]);
  rows(by("found-lines"), found);
  const [best] = found.lines;
  const mover = position?.decision?.color;
  const fits = best.stones[0]?.color === mover && found.done;
  // A line of the other side cannot be a branch here; instead the defences can be searched for.
  const isOther = game?.threats && ["threat", "other_win"].includes(found.query);
  const defend = () => send({ do: "search", query: "defences" });
  renew(by("found-bar"), [
    isOther ? button(words.defences, defend) : button(words.intoTree, follow, { disabled: !fits }),
  ]);
  if (found.done && found.query !== "defences") {
    point(best);
    pinned = true;
  } else if (pinned) {
    // No line may cover the points of the defences.
    point(undefined);
  }
}

/** Draws the lines. */
export function draw() {
  const { setting, position, lines, acts } = state;
  drawFound();
  // Tools are left alone when lines arrive, as the user may be about to click them.
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
    rows(by("lines"), fits);
    write(by("cost"), fits ? cost(fits) : "");
  }
  chances(fits);
}

/**
 * Writes lines into the entries of a list, which are reused.
 * @param {Element} list
 * @param {Lines | undefined} found
 */
function rows(list, found) {
  const all = shown.get(list) ?? [];
  shown.set(list, all);
  const lines = found?.lines ?? [];
  while (all.length < lines.length) {
    all.push(row());
    list.append(all[all.length - 1].entry);
  }
  for (const { entry } of all.splice(lines.length)) {
    if (pointed?.entry === entry) {
      pointed = undefined;
      point(undefined);
    }
    entry.remove();
  }
  all.forEach((row, index) => {
    row.line = lines[index];
    row.node = found?.node ?? 0;
    fill(row, lines[index]);
    // The board shows the current line of the entry that is pointed at.
    if (pointed === row) {
      point(row.line);
    }
  });
}

/** Makes an entry without a line. @returns {Row} */
function row() {
  const entry = el("li", { tabindex: "0" });
  const add = button("+", () => keep(row, Infinity), {
    class: "add", "aria-label": words.intoTree, title: words.intoTree,
  });
  /** @type {Row} */
  const row = { entry, add, chance: el("b"), stones: el("span", { class: "stones" }), node: 0 };
  entry.append(add, row.chance, row.stones);
  const enter = () => {
    pointed = row;
    point(row.line);
  };
  const leave = () => {
    pointed = undefined;
    point(undefined);
  };
  entry.addEventListener("mouseenter", enter);
  entry.addEventListener("mouseleave", leave);
  entry.addEventListener("focusin", enter);
  entry.addEventListener("focusout", leave);
  entry.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => pressed(row, event));
  return row;
}

/**
 * Writes a line into an entry.
 * @param {Row} row
 * @param {Line} line
 */
function fill(row, line) {
  const { entry, add, chance, stones } = row;
  write(chance, `${line.score}  ${(100 * winRate(line)).toFixed(1)} %`);
  entry.title = line.text;
  while (stones.childElementCount < line.stones.length) {
    const count = stones.childElementCount + 1;
    stones.append(button("", () => keep(row, count), { tabindex: "-1", title: words.upToHere }));
  }
  while (stones.childElementCount > line.stones.length) {
    if (document.activeElement === stones.lastElementChild) {
      entry.focus();
    }
    stones.lastElementChild?.remove();
  }
  // A line of the other side cannot be a branch here.
  const fits = line.stones[0]?.color === state.position?.decision?.color;
  add.hidden = !fits;
  line.stones.forEach(({ cell }, index) => {
    const stone = /** @type {HTMLButtonElement} */ (stones.children[index]);
    // The space separates the stones when the line is copied.
    write(stone, ` ${label(cell)}`);
    stone.disabled = !fits;
  });
}

/**
 * Adds the first `count` stones of a line to the tree, in whole turns; the position stays.
 * @param {Row} row
 * @param {number} count
 */
function keep({ line, node }, count) {
  const stones = line?.stones ?? [];
  let end = Math.min(count, stones.length);
  while (end < stones.length && stones[end].color === stones[end - 1].color) {
    end += 1;
  }
  if (end > 0) {
    send({ do: "follow", node, cells: stones.slice(0, end).map(({ cell }) => cell), stay: true });
  }
}

/**
 * Handles keys on an entry: arrows go from stone to stone, Enter adds the line.
 * @param {Row} row
 * @param {KeyboardEvent} event
 */
function pressed(row, event) {
  const { entry, add, stones } = row;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step && !event.altKey && !event.ctrlKey && !event.metaKey) {
    const buttons = /** @type {HTMLElement[]} */ ([...stones.children]);
    const next = buttons.findIndex((stone) => stone === document.activeElement) + step;
    (next < 0 ? entry : buttons[next])?.focus();
  } else if (event.key === "Enter" && event.target === entry && !add.hidden) {
    keep(row, Infinity);
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

/** @param {Lines} lines */
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

/** The game of the win rates shown. @type {import("./schema.js").Game | undefined} */
let chancesOf;

/** @param {Lines | undefined} lines */
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
  // The last win rate stays until the search reports another, unless it is of another game.
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
