// The database of positions: its record of the position shown, and changes to it.

import { arrange, button, by, el, renew, replace } from "./dom.js";
import { halt } from "./review.js";
import { close, show } from "./setup.js";
import { changed, send, state } from "./state.js";
import { moveName } from "./tree.js";
import { words } from "./words.js";

/** @typedef {import("./schema.js").Database} Database */
/** @typedef {import("./schema.js").Known} Known */

/** Labels with a meaning for programs; the user may type any other letter. */
const LABELS = /** @type {["", "w", "l", "d", "x", "!"]} */ (["", "w", "l", "d", "x", "!"]);

/** Requests the list of databases, or explains how to use them. */
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

/** Opens the dialog with the list of databases. @param {string[]} names */
export function showList(names) {
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

/** Handles a change of the database. @param {Database} database */
export function receive(database) {
  const draft = drafts.get(database.node);
  if (draft && isKnown(draft, database.here)) {
    drafts.delete(database.node);
  }
  state.database = database;
  changed();
}

/** Handles a refusal, which may be of a record that was sent. */
export function refused() {
  drafts.forEach((draft) => (draft.put = false));
}

/**
 * An edited record that is not in the database yet. `seen` is the record when editing began, as
 * another page may change it. It is `put` once it was sent and not refused.
 * @typedef {{label: string, value: string, comment: string, seen: Known | null, put?: boolean}} Draft
 */

/** Drafts by node: the engine may play while the user is typing. @type {Map<number, Draft>} */
const drafts = new Map();
/** The game and the database of the drafts. @type {[any, string]} */
let draftsOf = [undefined, ""];

/**
 * Whether the database has the draft: an equal record, or, after the draft was put, another
 * record than before.
 * @param {Draft} draft
 * @param {Known | null} here
 */
function isKnown({ label, value, comment, seen, put }, here) {
  const known = [here?.label ?? "", String(here?.value ?? ""), here?.comment.trim() ?? ""];
  const isSame = [label.trim().toLowerCase(), value, comment.trim()].every((text, at) => text === known[at]);
  return isSame || (put && JSON.stringify(here) !== JSON.stringify(seen));
}

/** Makes the form of the record of the position shown. @param {Database} database */
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
    // The program may still refuse it.
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
  const move = moveName(node);
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
/** The form shown, with its record and node. @type {{key: string, node: number, form?: HTMLFormElement}} */
let shown = { key: "", node: -1 };
/** Whether another form waits until the user stops typing in this one. */
let waits = false;
// Elements that are not replaced when the database changes.
const summary = el("div");
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

/**
 * Shows the form of the position, unless the user is typing in that of another.
 * @param {Database} database
 */
function fill(database) {
  const { name, node, locked, foreign, here, mover } = database;
  const key = foreign || locked ? "" : JSON.stringify([name, node, here, mover]);
  const at = inForm().findIndex((field) => field === document.activeElement);
  // A focused button is no reason to wait.
  const types = at >= 0 && Boolean(document.activeElement?.matches("input, textarea"));
  waits = shown.key !== key && types && (shown.node !== node || drafts.has(node));
  if (shown.key === key || waits) {
    return;
  }
  shown = { key, node, form: key ? record(database) : undefined };
  arrange(fields, shown.form ? [shown.form] : []);
  // After putting a record the focus stays in the form.
  const [first, next] = [inForm()[0], inForm()[at]];
  (next?.disabled ? first : next)?.focus();
}

/** Returns the fields and buttons of the form. */
const inForm = () => /** @type {HTMLInputElement[]} */ ([...(shown.form?.elements ?? [])]);

/** Draws the database. */
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
  replace(summary, [
    el("h2", {}, words.database),
    el("p", {}, el("strong", {}, name), ` ${words.records(records)}${unsaved ? ` ${words.unsaved}` : ""}`),
    ...(locked ? [el("p", { class: "bad" }, locked)] : []),
    ...(foreign ? [el("p", { class: "bad" }, foreign)] : [el("p", { role: "status" }, meaning)]),
  ]);
  renew(bar, [
    button(words.save, () => send({ do: "save_database" }), { disabled: !unsaved || Boolean(locked) }),
    button(words.close, () => send({ do: "close_database" })),
  ]);
  arrange(home, [summary, fields, bar]);
}
