// The database of positions: what it knows of the position shown, and changes of it.

import { arrange, button, by, el, renew, replace } from "./dom.js";
import { close, show } from "./setup.js";
import { changed, send, state } from "./state.js";
import { words } from "./words.js";

/** @typedef {import("./schema.js").Database} Database */

/** Labels that mean something to programs; any other letter may be typed. */
const LABELS = /** @type {["", "w", "l", "d", "x", "!"]} */ (["", "w", "l", "d", "x", "!"]);

/** Asks which database is to be opened. */
export function open() {
  if (state.catalogue?.folder) {
    send({ do: "databases" });
  } else {
    show([
      el("h2", {}, words.database),
      el("p", {}, words.databaseNeedsFolder),
      el("p", {}, el("code", {}, "goren board --folder FOLDER")),
      button(words.close, close),
    ]);
  }
}

/** The databases have come. @param {string[]} names */
export function listed(names) {
  const take = (/** @type {string} */ name, /** @type {boolean} */ fresh) => () => {
    send({ do: "open_database", name, new: fresh });
    close();
  };
  const name = el("input", { value: "positions.db", "aria-label": words.newDatabase });
  const begin = (/** @type {Event} */ event) => {
    event.preventDefault();
    take(name.value.trim(), true)();
  };
  show([
    el("h2", {}, words.database),
    el("p", {}, words.aboutDatabase),
    el("div", { class: "row" }, ...names.map((name) => button(name, take(name, false)))),
    el(
      "form",
      { class: "row", onsubmit: begin },
      el("label", {}, `${words.newDatabase} `, name),
      el("button", { type: "submit" }, words.begin),
    ),
    button(words.cancel, close),
  ]);
}

/** What is known has changed. @param {Database} database */
export function came(database) {
  state.database = database;
  changed();
}

/**
 * What was typed and not put yet, by the position: the engine may play meanwhile. With it, what
 * was known there when that was begun: another page may file more.
 * @type {Map<number, {label: string, value: string, comment: string, seen: import("./schema.js").Known | null}>}
 */
const drafts = new Map();
/** What the drafts are of: the game, and the database. @type {[any, string]} */
let draftsOf = [undefined, ""];

/** The fields of the record of the position shown. @param {Database} database */
function record({ here, mover, node }) {
  const draft = drafts.get(node);
  const seen = draft ? draft.seen : here;
  const side = mover === "black" ? words.black : words.white;
  const label = el("input", {
    list: "labels", size: 3, maxlength: 1, "aria-label": words.label, value: draft?.label ?? here?.label ?? "",
  });
  const meanings = el("datalist", { id: "labels" });
  for (const value of LABELS) {
    meanings.append(el("option", { value }, words.labelMeans(value, side)));
  }
  const value = el("input", {
    type: "number", min: -32768, max: 32767, "aria-label": words.value, value: draft?.value ?? here?.value ?? "",
  });
  const comment = el("textarea", { rows: 3, "aria-label": words.recordComment });
  comment.value = draft?.comment ?? here?.comment ?? "";
  const note = () => drafts.set(node, { label: label.value, value: value.value, comment: comment.value, seen });
  const put = (/** @type {Event} */ event) => {
    event.preventDefault();
    drafts.delete(node);
    send({
      do: "set_record",
      node,
      record: {
        label: label.value.trim(),
        value: value.value === "" ? null : Number(value.value),
        depth: here?.depth ?? 0,
        bound: here?.bound ?? "",
        comment: comment.value,
      },
      seen,
    });
  };
  const forget = () => {
    drafts.delete(node);
    send({ do: "forget_record", node });
  };
  const bound = words.bounds[/** @type {keyof typeof words.bounds} */ (here?.bound)];
  const about = here && bound ? words.searched(bound, here.depth) : "";
  return el(
    "form",
    { onsubmit: put, oninput: note },
    el(
      "div",
      { class: "row" },
      el("label", {}, `${words.label} `, label),
      el("label", {}, `${words.value} `, value),
      el("small", {}, about),
    ),
    meanings,
    el("label", {}, words.recordComment, comment),
    el(
      "div",
      { class: "row" },
      el("button", { type: "submit" }, words.putRecord),
      button(words.forget, forget, { disabled: !here }),
    ),
  );
}

let drawn = "";
/** The form that is shown, and what it is of. @type {{key: string, form?: HTMLElement}} */
let shown = { key: "" };
// These stay when something else of the database changes.
const told = el("div");
const fields = el("div");
const bar = el("div", { class: "row" });

/** Draws what the database knows. */
export function draw() {
  const database = state.database;
  const key = JSON.stringify(database ?? null);
  if (key === drawn) {
    return;
  }
  drawn = key;
  const home = by("database");
  home.hidden = !database?.name;
  if (!database?.name) {
    replace(home, []);
    return;
  }
  const { name, records, unsaved, locked, foreign, here } = database;
  const side = database.mover === "black" ? words.black : words.white;
  const meaning = here ? words.labelMeans(here.label, side) : words.unknownPosition;
  if (draftsOf[0] !== state.game || draftsOf[1] !== name) {
    draftsOf = [state.game, name];
    drafts.clear();
    shown = { key: "" };
  }
  const of = foreign || locked ? "" : JSON.stringify([name, database.node, here, database.mover]);
  if (shown.key !== of) {
    shown = { key: of, form: of ? record(database) : undefined };
  }
  replace(told, [
    el("h2", {}, words.database),
    el("p", {}, el("strong", {}, name), ` ${words.records(records)}${unsaved ? ` ${words.unsaved}` : ""}`),
    ...(locked ? [el("p", { class: "bad" }, locked)] : []),
    ...(foreign ? [el("p", { class: "bad" }, foreign)] : [el("p", { role: "status" }, meaning)]),
  ]);
  arrange(fields, shown.form ? [shown.form] : []);
  renew(bar, [
    button(words.save, () => send({ do: "save_database" }), { disabled: !unsaved || Boolean(locked) }),
    button(words.close, () => send({ do: "close_database" })),
  ]);
  arrange(home, [told, fields, bar]);
}
