// The database of positions: what it knows of the position shown, and changes of it.

import { arrange, button, by, el, renew, replace } from "./dom.js";
import { halt } from "./review.js";
import { close, show } from "./setup.js";
import { changed, send, state } from "./state.js";
import { named } from "./tree.js";
import { words } from "./words.js";

/** @typedef {import("./schema.js").Database} Database */
/** @typedef {import("./schema.js").Known} Known */

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
  const draft = drafts.get(database.node);
  if (draft && isKnown(draft, database.here)) {
    drafts.delete(database.node);
  }
  state.database = database;
  changed();
}

/** A command was refused: it may be the one that puts what was typed. */
export function refused() {
  drafts.forEach((draft) => (draft.put = false));
}

/**
 * What was typed and is not in the database yet. `seen` is what was known when that was begun:
 * another page may file more. It was `put` where the program was told, and has not refused it.
 * @typedef {{label: string, value: string, comment: string, seen: Known | null, put?: boolean}} Draft
 */

/** Drafts by the position: the engine may play meanwhile. @type {Map<number, Draft>} */
const drafts = new Map();
/** What the drafts are of: the game, and the database. @type {[any, string]} */
let draftsOf = [undefined, ""];

/**
 * Whether the database has what a draft says: the same, or after it was put something else than
 * before.
 * @param {Draft} draft
 * @param {Known | null} here
 */
function isKnown({ label, value, comment, seen, put }, here) {
  const known = [here?.label ?? "", String(here?.value ?? ""), here?.comment.trim() ?? ""];
  const isSame = [label.trim().toLowerCase(), value, comment.trim()].every((text, at) => text === known[at]);
  return isSame || (put && JSON.stringify(here) !== JSON.stringify(seen));
}

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
  const note = (put = false) =>
    drafts.set(node, { label: label.value, value: value.value, comment: comment.value, seen, put });
  const put = (/** @type {Event} */ event) => {
    event.preventDefault();
    const isSent = send({
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
    // It may be refused.
    note(isSent);
  };
  const forget = () => {
    const isSent = send({ do: "forget_record", node });
    if (drafts.has(node)) {
      note(isSent);
    }
  };
  const bound = words.bounds[/** @type {keyof typeof words.bounds} */ (here?.bound)];
  const about = here && bound ? words.searched(bound, here.depth) : "";
  const move = named(node);
  return el(
    "form",
    { onsubmit: put, oninput: () => note() },
    el(
      "div",
      { class: "row" },
      ...(move ? [el("strong", {}, move)] : []),
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
/** The form that is shown, and what it is of. @type {{key: string, node: number, form?: HTMLFormElement}} */
let shown = { key: "", node: -1 };
/** Whether another form waits until nobody types in this one. */
let waits = false;
// These stay when something else of the database changes.
const told = el("div");
const fields = el("div", {
  onfocusin: halt,
  onfocusout: () => {
    if (waits) {
      drawn = "";
      changed();
    }
  },
});
const bar = el("div", { class: "row" });

/** Shows the form of the position, unless somebody types in that of another one. @param {Database} database */
function fill(database) {
  const { name, node, locked, foreign, here, mover } = database;
  const of = foreign || locked ? "" : JSON.stringify([name, node, here, mover]);
  const at = inForm().findIndex((field) => field === document.activeElement);
  // A button that has the focus is no reason to wait: nobody types there.
  const types = at >= 0 && Boolean(document.activeElement?.matches("input, textarea"));
  waits = shown.key !== of && types && (shown.node !== node || drafts.has(node));
  if (shown.key === of || waits) {
    return;
  }
  shown = { key: of, node, form: of ? record(database) : undefined };
  arrange(fields, shown.form ? [shown.form] : []);
  // Whoever has put a record goes on there.
  const [first, next] = [inForm()[0], inForm()[at]];
  (next?.disabled ? first : next)?.focus();
}

/** The fields and buttons of the form. */
const inForm = () => /** @type {HTMLInputElement[]} */ ([...(shown.form?.elements ?? [])]);

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
    shown = { key: "", node: -1 };
    arrange(fields, []);
  }
  fill(database);
  replace(told, [
    el("h2", {}, words.database),
    el("p", {}, el("strong", {}, name), ` ${words.records(records)}${unsaved ? ` ${words.unsaved}` : ""}`),
    ...(locked ? [el("p", { class: "bad" }, locked)] : []),
    ...(foreign ? [el("p", { class: "bad" }, foreign)] : [el("p", { role: "status" }, meaning)]),
  ]);
  renew(bar, [
    button(words.save, () => send({ do: "save_database" }), { disabled: !unsaved || Boolean(locked) }),
    button(words.close, () => send({ do: "close_database" })),
  ]);
  arrange(home, [told, fields, bar]);
}
