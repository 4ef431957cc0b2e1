// Keys that work everywhere but in fields.

import { toggle } from "./analysis.js";
import { jump } from "./controls.js";
import { by } from "./dom.js";
import * as files from "./files.js";
import { ask, help } from "./setup.js";
import { send } from "./state.js";

/** @type {Record<string, () => void>} */
const KEYS = {
  ArrowLeft: () => send({ do: "undo" }),
  ArrowRight: () => send({ do: "redo" }),
  Home: () => jump(false),
  End: () => jump(true),
  a: toggle,
  h: () => send({ do: "search", query: "hint" }),
  t: () => send({ do: "search", query: "threat" }),
  f: () => send({ do: "search", query: "vcf" }),
  s: () => send({ do: "stop" }),
  p: () => send({ do: "move" }),
  n: ask,
  o: files.open,
  w: files.save,
  "/": () => by("ply").focus(),
  "?": help,
};

/** Listens to keys. */
export function begin() {
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    const typing = target.closest("input, textarea, select, dialog[open]");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const action = KEYS[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  });
}
