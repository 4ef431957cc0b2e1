// The dialogs for a new game and for the players, and the help.

import * as clock from "./clock.js";
import { button, by, el, number, replace } from "./dom.js";
import * as engine from "./engine.js";
import { send, state } from "./state.js";
import { legend } from "./threats.js";
import { words } from "./words.js";

/**
 * Shows a dialog.
 * @param {Node[]} parts
 */
export function show(parts) {
  const dialog = by("dialog");
  replace(dialog, parts);
  if (!dialog.open) {
    dialog.showModal();
  }
  // Screen readers start at the title.
  const title = dialog.querySelector("h2");
  title?.setAttribute("id", "dialog-title");
  title?.setAttribute("tabindex", "-1");
  title?.focus();
}

/** Closes the dialog. */
export function close() {
  by("dialog").close();
}

/**
 * @param {string} label
 * @param {[string, string][]} options
 * @param {string} chosen
 * @param {() => void} [changed]
 */
function select(label, options, chosen, changed = () => {}) {
  const field = el("select", { onchange: changed, "aria-label": label });
  for (const [value, text] of options) {
    field.append(el("option", { value, selected: value === chosen }, text));
  }
  return { field, row: el("label", {}, `${label} `, field) };
}

/** Timer that opens the dialog once the games are known. */
let later = 0;

/**
 * Makes the fields for the players and the engine.
 * @param {import("./schema.js").Setting} setting
 * @param {import("./schema.js").Catalogue} catalogue
 */
function seats(setting, catalogue) {
  const who = /** @type {[string, string][]} */ ([
    ["person", words.person],
    ["engine", words.engine],
  ]);
  const first = select(words.first, who, setting.players[0]);
  const second = select(words.second, who, setting.players[1]);
  const levels = catalogue.levels.map(({ name }) => /** @type {[string, string]} */ ([name, name]));
  const level = words.levels.map((label, seat) => select(label, levels, setting.levels[seat], showTexts));
  const about = level.map(() => el("p", { class: "about", lang: "en" }));
  function showTexts() {
    const texts = level.map(({ field }) => catalogue.levels.find(({ name }) => name === field.value)?.text ?? "");
    about.forEach((home, seat) => (home.textContent = seat > 0 && texts[seat] === texts[0] ? "" : texts[seat]));
  }
  showTexts();
  const time = number(words.seconds, setting.time_ms / 1000, 0.1, 3600, 0.1);
  const threads = number(words.threads, setting.threads, 1, catalogue.threads);
  return {
    players: el("div", { class: "row" }, first.row, second.row),
    rows: [
      el("div", { class: "row" }, ...level.map(({ row }) => row)),
      ...about,
      el("div", { class: "row" }, time.row, threads.row),
    ],
    /** Returns who acts for the first and the second seat. @type {() => import("./schema.js").Setting["players"]} */
    chosen: () => [first.field.value, second.field.value],
    /** Sends the settings of the engine. */
    put: () =>
      engine.ask({
        levels: [level[0].field.value, level[1].field.value],
        time_ms: Math.round(1000 * Number(time.field.value)),
        threads: Number(threads.field.value),
      }),
  };
}

/**
 * Makes a form that closes the dialog when it is submitted.
 * @param {string} title
 * @param {string} begin the text of its button
 * @param {() => void} put
 * @param {Node[]} rows
 */
export function form(title, begin, put, rows) {
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    put();
    close();
  };
  return el(
    "form",
    { onsubmit },
    el("h2", {}, title),
    ...rows,
    el("div", { class: "row" }, el("button", { type: "submit" }, begin), button(words.cancel, close)),
  );
}

/** Opens the dialog for the players of the current game, and the engine. */
export function askPlayers() {
  const { catalogue, setting, exercise, walk } = state;
  if (!catalogue || !setting) {
    return;
  }
  const { players, rows, chosen, put } = seats(setting, catalogue);
  // In an exercise and a walk the players are fixed.
  const settled = [exercise?.state, walk?.state].some((at) => at && at !== "none");
  const timed = clock.fields();
  const take = () => {
    put();
    if (!settled) {
      timed.put();
      send({ do: "players", players: chosen() });
    }
  };
  const about = el("small", {}, words.clockAnew);
  show([form(words.players, words.take, take, settled ? rows : [players, ...rows, ...timed.rows, about])]);
}

/** Opens the dialog for a new game. */
export function ask() {
  const { catalogue, game, setting } = state;
  if (!catalogue || !game || !setting) {
    // A page just opened has not received them yet.
    clearTimeout(later);
    later = setTimeout(ask, 50);
    return;
  }
  const [name, ...on] = game.variant.split("+");
  const games = catalogue.games.map(({ name }) => /** @type {[string, string]} */ ([name, name]));
  const details = el("div", { class: "rows" });
  const kind = select(words.game, games, name, () => detail([]));
  /** @type {() => import("./schema.js").GameChoice} */
  let choice = () => ({ variant: name, size: null, opening: null, tie_break: false, strict: false });

  /** @param {string[]} options */
  function detail(options) {
    const info = catalogue?.games.find((other) => other.name === kind.field.value);
    if (!info) {
      return;
    }
    const same = info.name === name;
    const boxes = info.options.map((option) => {
      const box = el("input", { type: "checkbox", onchange: exclude });
      box.checked = options.includes(option.name);
      return { option, box, row: el("label", {}, box, ` ${option.name}: `, el("small", { lang: "en" }, option.text)) };
    });
    const chosen = () => boxes.filter(({ box }) => box.checked).map(({ option }) => option);
    const usual = () => chosen().flatMap(({ size }) => (size ? [size] : []))[0] ?? info.sizes[0];
    const boards = () => [info.boards, ...chosen().map(({ boards }) => boards)];
    const isSquare = () => boards().some(({ square }) => square);
    /** The default board that the fields were filled with. */
    let filled = usual();
    const [width, height] = same && game ? [game.width, game.height] : filled;
    const columns = number(words.columns, width, info.boards.least, info.boards.most);
    const rows = number(words.rows, height, info.boards.least, info.boards.most);
    /** @type {(one: HTMLInputElement, other: HTMLInputElement) => void} */
    const align = (one, other) => {
      if (isSquare()) {
        other.value = one.value;
      }
    };
    columns.field.addEventListener("input", () => align(columns.field, rows.field));
    rows.field.addEventListener("input", () => align(rows.field, columns.field));
    /** Adapts the form to the chosen options. */
    function exclude() {
      const names = chosen().map(({ name }) => name);
      for (const { option, box } of boxes) {
        box.disabled = !box.checked && option.excluded_by.some((other) => names.includes(other));
      }
      // A board that the user has chosen stays.
      if (columns.field.value === String(filled[0]) && rows.field.value === String(filled[1])) {
        filled = usual();
        [columns.field.value, rows.field.value] = filled.map(String);
      }
      filled = usual();
      const least = Math.max(...boards().map(({ least }) => least));
      const isEven = boards().some(({ even }) => even);
      for (const { field } of [columns, rows]) {
        // Steps count from the minimum.
        field.min = String(isEven ? least + (least % 2) : least);
        field.step = isEven ? "2" : "1";
      }
      align(columns.field, rows.field);
    }
    exclude();
    const sizes = info.sizes.map(([w, h]) =>
      button(`${w}×${h}`, () => ([columns.field.value, rows.field.value] = [String(w), String(h)])),
    );
    const opening = select(
      words.opening,
      info.openings.map(({ name }) => /** @type {[string, string]} */ ([name, name])),
      same && game ? game.opening : info.openings[0].name,
      showOpening,
    );
    const lead = el("small", { lang: "en" });
    function showOpening() {
      lead.textContent = info?.openings.find(({ name }) => name === opening.field.value)?.text ?? "";
    }
    showOpening();
    const box = (/** @type {string} */ text, /** @type {boolean} */ on) => {
      const field = el("input", { type: "checkbox" });
      field.checked = on;
      return { field, row: el("label", {}, field, ` ${text}`) };
    };
    const tie = box(words.tieBreak, Boolean(same && game?.tie_break));
    const strict = box(words.strict, Boolean(same && game?.strict));
    replace(details, [
      el("small", { lang: "en" }, info.text),
      ...boxes.map(({ row }) => row),
      el("div", { class: "row" }, `${words.size} `, columns.row, rows.row, ...sizes),
      opening.row,
      lead,
      ...(info.passes ? [tie.row] : []),
      ...(info.name.startsWith("renju") ? [strict.row] : []),
    ]);
    choice = () => ({
      variant: [
        info.name,
        ...boxes.filter(({ box }) => box.checked).map(({ option }) => option.name),
      ].join("+"),
      size: [Number(columns.field.value), Number(rows.field.value)],
      opening: opening.field.value,
      tie_break: info.passes && tie.field.checked,
      strict: strict.field.checked,
    });
  }
  detail(on);

  const { players, rows, chosen, put } = seats(setting, catalogue);
  const timed = clock.fields();
  const take = () => {
    put();
    send({ do: "new", game: choice(), players: chosen(), time: timed.chosen() });
  };
  show([form(words.new, words.begin, take, [kind.row, details, players, ...rows, ...timed.rows])]);
}

/**
 * Makes a summary of the rules of a game.
 * @param {string} name
 */
function rules(name) {
  const info = state.catalogue?.games.find((game) => game.name === name);
  if (!info) {
    return [];
  }
  const boards = info.sizes.map(([width, height]) => `${width}×${height}`).join(", ");
  const terms = (/** @type {{name: string, text: string}[]} */ list, sign = "") => {
    const home = el("dl", { class: "terms", lang: "en" });
    list.forEach(({ name, text }) => home.append(el("dt", {}, sign + name), el("dd", {}, text)));
    return home;
  };
  return [
    el("p", { lang: "en" }, el("strong", {}, `${info.text}.`)),
    el("ul", { lang: "en" }, ...info.rules.map((rule) => el("li", {}, rule))),
    el("p", {}, `${words.boards}: ${boards}. ${info.passes ? words.passes : ""}`),
    el("h3", {}, words.openings),
    terms(info.openings),
    ...(info.options.length ? [el("h3", {}, words.options), terms(info.options, "+")] : []),
  ];
}

/** Opens the help: the rules of each game, and the keys. */
export function help() {
  const keys = el("dl", { class: "terms" });
  for (const [key, what] of words.keyWords) {
    keys.append(el("dt", {}, el("kbd", {}, key)), el("dd", {}, what));
  }
  const name = state.game?.variant.split("+")[0] ?? "";
  const names = (state.catalogue?.games ?? []).map(({ name }) => name);
  const home = el("div", { id: "rules" });
  const showRules = () => replace(home, rules(game.field.value));
  const options = names.map((name) => /** @type {[string, string]} */ ([name, name]));
  const game = select(words.rulesOf, options, name, showRules);
  showRules();
  show([
    el("h2", {}, words.help),
    ...(document.documentElement.lang === "en" ? [] : [el("p", {}, words.englishHelp)]),
    game.row,
    home,
    ...(state.game?.threats ? legend() : []),
    el("h3", {}, words.keys),
    keys,
    button(words.close, close),
  ]);
}
