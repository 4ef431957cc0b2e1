// Opens and saves files: by button, drop and paste, in the browser and in the folder.

import * as board from "./board.js";
import { notify } from "./controls.js";
import { button, el, replace } from "./dom.js";
import { earlier } from "./kept.js";
import { render } from "./picture.js";
import { close, show } from "./setup.js";
import { send, state } from "./state.js";
import { words } from "./words.js";

/** @typedef {import("./schema.js").FileGame} FileGame */
/** @typedef {Extract<import("./schema.js").Command, {do: "open" | "open_file"}>} OpenCommand */

/** Minimum milliseconds between two requests to store the tree. */
const KEEP_INTERVAL = 100;
/** Milliseconds without a step through the tree after which it is stored. */
const KEEP_DELAY = 1000;
/** Width of a picture in pixels. */
const PIXELS = 1600;
/** The name shown for a text that did not come from a file. */
const PASTED = "pasted";

let timer = 0;
let again = false;
let later = 0;
/** @type {((names: string[]) => void) | undefined} */
let list;
/** The last request to open a file: if it has several games, one is chosen. @type {OpenCommand | undefined} */
let asked;
/** A list with more games than this can be searched. */
const MANY = 10;

/** The name under which a file was written or opened last. */
let lastName = "game.sgf";
/** The name of the requested file, until its game arrives. @type {string | undefined} */
let opening;
/** The names under which this page has written the current game. @type {Set<string>} */
const written = new Set();
/** The file being written, and the function to call with the reason if that fails. @type {{name: string, refuse: (why: string) => void} | undefined} */
let writing;

/** @param {OpenCommand} command */
function ask(command) {
  asked = command;
  opening = command.name === PASTED ? undefined : command.name;
  send(command);
}

/** Handles a new game: files of the old game are not overwritten without asking. */
export function onNewGame() {
  lastName = opening ?? lastName;
  opening = undefined;
  written.clear();
}

/** Handles a message, which may say that the file was written. @param {string} text */
export function onMessage(text) {
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
 * Sends a file as text with a character for each byte.
 * @param {File} file
 */
async function sendFile(file) {
  const most = state.catalogue?.bytes ?? Infinity;
  if (file.size > most) {
    notify(words.tooLarge(most >> 20), true);
    return;
  }
  const buffer = await file.arrayBuffer().catch(() => undefined);
  if (!buffer) {
    // Such as a folder that was dropped.
    notify(words.unreadable(file.name), true);
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
function sendText(text) {
  const bytes = new TextEncoder().encode(text);
  const parts = Array.from(bytes, (byte) => String.fromCharCode(byte));
  ask({ do: "open", name: PASTED, bytes: parts.join("") });
}

/** Opens the dialog that asks for a file or a text. */
export function open() {
  const file = el("input", {
    type: "file",
    onchange: () => {
      if (file.files[0]) {
        sendFile(file.files[0]);
        close();
      }
    },
  });
  const text = el("textarea", { rows: 6, "aria-label": words.openText });
  const take = () => {
    if (text.value.trim()) {
      sendText(text.value);
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

/** Makes the list of earlier games. */
function earlierGames() {
  const list = earlier();
  const entries = list.map(({ text, game, positions, when }) => {
    const open = () => {
      close();
      if (game) {
        sendText(text);
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
 * Asks which game of a file with several to open.
 * @param {{name: string, games: FileGame[], more: boolean}} file
 */
export function choose({ name, games, more }) {
  const request = asked;
  if (request?.name !== name) {
    // Another file was requested since, and replaces this one as well.
    return;
  }
  opening = undefined;
  const open = (/** @type {number} */ number) => {
    ask({ ...request, number });
    close();
  };
  const rows = games.map((game, index) => {
    const text = gameLine(game);
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
 * Returns a line about a game of a file: players, result, stones and title.
 * @param {FileGame} game
 */
function gameLine({ players, title, winner, drawn, stones, fault }) {
  if (fault !== null) {
    return fault;
  }
  const [black, white] = players.map((player) => player || "?");
  const colors = { black: words.black, white: words.white };
  const result = drawn ? [words.drawn] : winner ? [words.wins(colors[winner])] : [];
  return [`● ${black} – ○ ${white}`, ...result, `(${stones})`, ...(title ? [title] : [])].join(" · ");
}

/** Opens the dialog that asks how to save the game. */
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
      button(words.picture, picture(saveSvg)),
      button(words.pixels, picture(savePng)),
      button(words.animation, picture(() => send({ do: "frames" }))),
    ),
  ];
  if (state.catalogue?.folder) {
    rows.push(...folderForm());
  }
  show([el("h2", {}, words.save), ...rows, button(words.cancel, close)]);
}

/** Makes the form that saves into the folder. The dialog stays open until the file is written. */
function folderForm() {
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
 * Has the browser save a file.
 * @param {string} name
 * @param {Blob} blob
 */
export function download(name, blob) {
  const address = URL.createObjectURL(blob);
  const link = el("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function saveSvg() {
  const text = new XMLSerializer().serializeToString(board.picture() ?? document.createElement("svg"));
  download("board.svg", new Blob([text], { type: "image/svg+xml" }));
}

async function savePng() {
  const canvas = await render(board.picture(), PIXELS);
  /** @type {Promise<Blob | null>} */
  const made = new Promise((resolve) => (canvas ? canvas.toBlob(resolve) : resolve(null)));
  // Some browsers refuse to export a canvas onto which another image was drawn.
  const blob = await made.catch(() => null);
  if (blob) {
    download("board.png", blob);
  } else {
    notify(words.noPicture, true);
  }
}

/**
 * Handles a requested file.
 * @param {{name: string, mime: string, text: string}} file
 */
export function receive({ name, mime, text }) {
  const bytes = mime === "application/octet-stream";
  const content = bytes ? Uint8Array.from(text, (byte) => byte.charCodeAt(0)) : text;
  download(name, new Blob([content], { type: mime }));
}

/**
 * Shows a link to the position.
 * @param {string} text
 */
export function showLink(text) {
  const address = new URL(location.href);
  address.hash = text;
  const field = el("input", { value: address.href, readonly: true, "aria-label": words.link });
  const how = el("p", { role: "status" });
  const copy = async () => {
    if (await copyField(field)) {
      notify(words.copied);
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
 * Copies the text of a field; returns false if the browser does not allow it.
 * @param {HTMLInputElement} field
 */
async function copyField(field) {
  field.focus();
  field.select();
  const done = await navigator.clipboard?.writeText(field.value).then(
    () => true,
    () => false,
  );
  // The older API needs neither a secure context nor a permission.
  return done || document.execCommand("copy");
}

/** @param {string[]} names */
export function receiveNames(names) {
  list?.(names);
}

/** Requests the tree for storing: at once, and after further changes at intervals. */
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
  }, KEEP_INTERVAL);
}

/** Requests the tree for storing once the user stops stepping through it. */
export function keepLater() {
  clearTimeout(later);
  later = setTimeout(keep, KEEP_DELAY);
}

/**
 * Opens the file or the text that was dropped or pasted, and closes the dialog, if one is open: it
 * would hide the game, and belongs to the game before.
 * @param {DataTransfer | null} data
 */
function accept(data) {
  const file = data?.files[0];
  const text = data?.getData("text/plain");
  if (file) {
    close();
    sendFile(file);
  } else if (text?.trim()) {
    close();
    sendText(text);
  }
}

/** Listens for dropped files and pasted texts. */
export function begin() {
  // Text dragged within the page or dropped into a field is no game.
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
    accept(event.dataTransfer);
  });
  document.addEventListener("paste", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("input, textarea")) {
      return;
    }
    accept(event.clipboardData);
  });
}
