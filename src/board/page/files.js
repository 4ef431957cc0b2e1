// Files in and out: by button, drop and paste, in the browser and in the folder.

import * as board from "./board.js";
import { tell } from "./controls.js";
import { button, el, replace } from "./dom.js";
import { earlier } from "./kept.js";
import { drawn } from "./picture.js";
import { close, show } from "./setup.js";
import { send, state } from "./state.js";
import { words } from "./words.js";

/** @typedef {import("./schema.js").FileGame} FileGame */
/** @typedef {Extract<import("./schema.js").Command, {do: "open" | "open_file"}>} OpenCommand */

/** Milliseconds between two times that it is kept. */
const REST = 100;
/** Milliseconds without a step through it after which it is kept. */
const PAUSE = 1000;
/** Pixels of a picture. */
const PIXELS = 1600;
/** The name shown for a text that did not come from a file. */
const PASTED = "pasted";

let timer = 0;
let again = false;
let later = 0;
/** @type {((names: string[]) => void) | undefined} */
let list;
/** The file that was asked for last: of several games in it one is chosen. @type {OpenCommand | undefined} */
let asked;
/** Fewest games of a file that are searched by a text. */
const MANY = 10;

/** The name under which a file was written or opened last. */
let lastName = "game.sgf";
/** The name of the file that was asked for, until its game comes. @type {string | undefined} */
let opening;
/** The names under which this page has written the game at hand. @type {Set<string>} */
const written = new Set();
/** The file being written, and the function to call with the reason if that fails. @type {{name: string, refuse: (why: string) => void} | undefined} */
let writing;

/** @param {OpenCommand} command */
function ask(command) {
  asked = command;
  opening = command.name === PASTED ? undefined : command.name;
  send(command);
}

/** Another game has begun: a file of the one before is not written over without asking. */
export function begun() {
  lastName = opening ?? lastName;
  opening = undefined;
  written.clear();
}

/** Handles a message, which may say that the file was written. @param {string} text */
export function told(text) {
  if (writing && text === `Saved as ${writing.name}.`) {
    lastName = writing.name;
    written.add(writing.name);
    writing = undefined;
    close();
  }
}

/** Handles a refusal, which may be of opening or writing a file. @param {string} why */
export function refused(why) {
  opening = undefined;
  writing?.refuse(why);
  writing = undefined;
}

/**
 * A file as text with a character for each byte.
 * @param {File} file
 */
async function sent(file) {
  const most = state.catalogue?.bytes ?? Infinity;
  if (file.size > most) {
    tell(words.tooLarge(most >> 20), true);
    return;
  }
  const buffer = await file.arrayBuffer().catch(() => undefined);
  if (!buffer) {
    // Such as a folder that was dropped.
    tell(words.unreadable(file.name), true);
    return;
  }
  const bytes = new Uint8Array(buffer);
  const parts = [];
  for (let at = 0; at < bytes.length; at += 8192) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  }
  ask({ do: "open", name: file.name, bytes: parts.join("") });
}

/** @param {string} text */
function sentText(text) {
  const bytes = new TextEncoder().encode(text);
  const parts = Array.from(bytes, (byte) => String.fromCharCode(byte));
  ask({ do: "open", name: PASTED, bytes: parts.join("") });
}

/** Asks for a file or a text. */
export function open() {
  const file = el("input", {
    type: "file",
    onchange: () => {
      if (file.files[0]) {
        sent(file.files[0]);
        close();
      }
    },
  });
  const text = el("textarea", { rows: 6, "aria-label": words.openText });
  const take = () => {
    if (text.value.trim()) {
      sentText(text.value);
      close();
    }
  };
  const folder = el("div", { class: "rows" });
  if (state.catalogue?.folder) {
    list = (names) => {
      const buttons = names.map((name) =>
        button(name, () => {
          close();
          ask({ do: "open_file", name });
        }),
      );
      replace(folder, [el("h2", {}, words.folder), el("div", { class: "row" }, ...buttons)]);
    };
    send({ do: "files" });
  }
  show([
    el("h2", {}, words.open),
    el(
      "div",
      { class: "rows" },
      el("label", {}, `${words.openFile} `, file),
      el("label", {}, words.openText, text),
      folder,
      ...earlierGames(),
    ),
    el("div", { class: "row" }, button(words.open, take), button(words.cancel, close)),
  ]);
}

/** Earlier games that others took the place of. */
function earlierGames() {
  const list = earlier();
  const entries = list.map(({ text, game, positions, when }) => {
    const open = () => {
      close();
      if (game) {
        sentText(text);
      } else {
        download("game.json", new Blob([text], { type: "application/json" }));
      }
    };
    const at = new Date(when).toLocaleString(document.documentElement.lang);
    const name = game ? `${game}, ${words.positions(positions)}` : words.unread;
    return el("li", {}, button(`${at}: ${name}`, open));
  });
  return list.length > 0 ? [el("h2", {}, words.earlier), el("ul", { class: "games" }, ...entries)] : [];
}

/**
 * The file has several games: asks which one is to be opened.
 * @param {{name: string, games: FileGame[], more: boolean}} file
 */
export function choose({ name, games, more }) {
  opening = undefined;
  const open = (/** @type {number} */ number) => {
    if (asked) {
      ask({ ...asked, number });
    }
    close();
  };
  const rows = games.map((game, index) => {
    const text = described(game);
    const entry = button(`${index + 1}. ${text}`, () => open(index + 1), { disabled: game.fault !== null });
    return { text: text.toLowerCase(), row: el("li", {}, entry) };
  });
  const find = el("input", {
    type: "search",
    placeholder: words.find,
    "aria-label": words.find,
    oninput: () => {
      const wanted = find.value.trim().toLowerCase();
      rows.forEach(({ text, row }) => (row.hidden = !text.includes(wanted)));
    },
  });
  const number = el("input", { type: "number", min: 1, value: games.length + 1, "aria-label": words.otherGames });
  const others = el(
    "div",
    { class: "row" },
    el("label", {}, `${words.otherGames} `, number),
    button(words.open, () => open(Number(number.value) || 1)),
  );
  show([
    el("h2", {}, words.gamesOf(name)),
    ...(games.length > MANY ? [find] : []),
    el("ul", { class: "games" }, ...rows.map(({ row }) => row)),
    ...(more ? [others] : []),
    button(words.cancel, close),
  ]);
}

/**
 * A game of a file in a line: players, result, stones and title.
 * @param {FileGame} game
 */
function described({ players, title, winner, drawn, stones, fault }) {
  if (fault !== null) {
    return fault;
  }
  const [black, white] = players.map((player) => player || "?");
  const colors = { black: words.black, white: words.white };
  const result = drawn ? [words.drawn] : winner ? [words.wins(colors[winner])] : [];
  return [`● ${black} – ○ ${white}`, ...result, `(${stones})`, ...(title ? [title] : [])].join(" · ");
}

/** Asks how the game is to be saved. */
export function save() {
  /** @param {import("./schema.js").Form} form */
  const ask = (form) => () => {
    send({ do: "save", form });
    close();
  };
  const picture = (/** @type {() => void} */ make) => () => {
    make();
    close();
  };
  const rows = [
    el(
      "div",
      { class: "row" },
      `${words.saveAs} `,
      button("SGF", ask("sgf")),
      button("RenLib", ask("lib")),
      button("psq", ask("psq")),
      button(words.asMoves, ask("moves")),
      button("JSON", ask("json")),
      button(words.asTree, ask("tree")),
      button(words.picture, picture(drawing)),
      button(words.pixels, picture(pixels)),
      button(words.animation, picture(() => send({ do: "frames" }))),
    ),
  ];
  if (state.catalogue?.folder) {
    rows.push(...intoFolder());
  }
  show([el("h2", {}, words.save), ...rows, button(words.cancel, close)]);
}

/** Fields for a file of the folder. The dialog stays until it is written: else it says why not. */
function intoFolder() {
  const name = el("input", { value: lastName, required: true, "aria-label": words.saveInFolder });
  const over = el("input", { type: "checkbox" });
  const why = el("p", { class: "bad", role: "alert" });
  const known = () => (over.checked = written.has(name.value.trim()));
  name.addEventListener("input", known);
  known();
  const refuse = (/** @type {string} */ text) => (why.textContent = text);
  const put = (/** @type {Event} */ event) => {
    event.preventDefault();
    refuse("");
    writing = { name: name.value.trim(), refuse };
    if (!send({ do: "save_file", name: writing.name, over: over.checked })) {
      refused(words.notSent);
    }
  };
  const form = el(
    "form",
    { class: "row", onsubmit: put },
    el("label", {}, `${words.saveInFolder} `, name),
    el("label", {}, over, ` ${words.writeOver}`),
    el("button", { type: "submit" }, words.save),
  );
  return [form, why];
}

/**
 * Hands a file to the browser.
 * @param {string} name
 * @param {Blob} blob
 */
export function download(name, blob) {
  const address = URL.createObjectURL(blob);
  const link = el("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function drawing() {
  const text = new XMLSerializer().serializeToString(board.picture() ?? document.createElement("svg"));
  download("board.svg", new Blob([text], { type: "image/svg+xml" }));
}

async function pixels() {
  const canvas = await drawn(board.picture(), PIXELS);
  /** @type {Promise<Blob | null>} */
  const made = new Promise((resolve) => (canvas ? canvas.toBlob(resolve) : resolve(null)));
  // Some browsers refuse to export a canvas onto which another image was drawn.
  const blob = await made.catch(() => null);
  if (blob) {
    download("board.png", blob);
  } else {
    tell(words.noPicture, true);
  }
}

/**
 * A file has come.
 * @param {{name: string, mime: string, text: string}} file
 */
export function came({ name, mime, text }) {
  const bytes = mime === "application/octet-stream";
  const content = bytes ? Uint8Array.from(text, (byte) => byte.charCodeAt(0)) : text;
  download(name, new Blob([content], { type: mime }));
}

/**
 * Shows a link to the position.
 * @param {string} text
 */
export function linked(text) {
  const address = new URL(location.href);
  address.hash = text;
  const field = el("input", { value: address.href, readonly: true, "aria-label": words.link });
  const how = el("p", { role: "status" });
  const copy = async () => {
    if (await copied(field)) {
      tell(words.copied);
      close();
    } else {
      how.textContent = words.copyByHand;
    }
  };
  show([
    el("h2", {}, words.linkTitle),
    el("p", {}, words.linkText),
    el("div", { class: "row" }, field, button(words.copy, copy), button(words.close, close)),
    how,
  ]);
  field.select();
}

/**
 * Copies the text of a field; false where the browser does not let the page.
 * @param {HTMLInputElement} field
 */
async function copied(field) {
  field.focus();
  field.select();
  const done = await navigator.clipboard?.writeText(field.value).then(
    () => true,
    () => false,
  );
  // The older way needs neither a secure address nor a right.
  return done || document.execCommand("copy");
}

/** @param {string[]} names */
export function listed(names) {
  list?.(names);
}

/** Has the tree kept: at once, and after more changes once in a while. */
export function keep() {
  if (!state.open) {
    return;
  }
  if (timer) {
    again = true;
    return;
  }
  clearTimeout(later);
  send({ do: "keep" });
  timer = setTimeout(() => {
    timer = 0;
    if (again) {
      again = false;
      keep();
    }
  }, REST);
}

/** Has the tree kept, of which another position is shown: once nobody steps through it any more. */
export function keepLater() {
  clearTimeout(later);
  later = setTimeout(keep, PAUSE);
}

/** Listens to files that are dropped and texts that are pasted. */
export function begin() {
  // A text of the page that is dragged, or one that is dropped into a field, is no game.
  let inside = false;
  const ours = (/** @type {DragEvent} */ event) =>
    !inside && (event.dataTransfer?.types.includes("Files") || !/** @type {Element} */ (event.target).closest("input, textarea"));
  document.addEventListener("dragstart", () => (inside = true));
  document.addEventListener("dragend", () => (inside = false));
  document.addEventListener("dragover", (event) => {
    if (ours(event)) {
      event.preventDefault();
    }
  });
  document.addEventListener("drop", (event) => {
    if (!ours(event)) {
      return;
    }
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    const text = event.dataTransfer?.getData("text/plain");
    if (file) {
      sent(file);
    } else if (text?.trim()) {
      sentText(text);
    }
  });
  document.addEventListener("paste", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("input, textarea")) {
      return;
    }
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData("text/plain");
    if (file) {
      sent(file);
    } else if (text?.trim()) {
      sentText(text);
    }
  });
}
