// Keys of the page, which work everywhere except in fields.

import { toggle } from "./analysis.js";
import * as clock from "./clock.js";
import { jump, redo, undo } from "./controls.js";
import { by, letter } from "./dom.js";
import * as files from "./files.js";
import { press } from "./review.js";
import { ask, help } from "./setup.js";
import { send } from "./state.js";
import * as threats from "./threats.js";
import { sibling } from "./tree.js";

/** @type {Record<string, () => void>} */
const KEYS = {
  ArrowLeft: undo,
  ArrowRight: redo,
  Home: () => jump(false),
  End: () => jump(true),
  ",": () => sibling(-1),
  ".": () => sibling(1),
  a: toggle,
  h: () => send({ do: "search", query: "hint" }),
  t: () => send({ do: "search", query: "threat" }),
  f: () => send({ do: "search", query: "vcf" }),
  d: () => send({ do: "search", query: "other_win" }),
  g: () => send({ do: "search", query: "defences" }),
  v: () => send({ do: "search", query: "vct" }),
  b: () => send({ do: "search", query: "balance" }),
  2: () => send({ do: "search", query: "balance_two" }),
  r: press,
  c: () => by("comment").focus(),
  s: () => send({ do: "stop" }),
  p: () => send({ do: "move" }),
  k: clock.toggle,
  x: threats.toggle,
  n: ask,
  o: files.open,
  w: files.save,
  "/": () => by("ply").focus(),
  "?": help,
};

/** Listens for keys. */
export function begin() {
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    // A click between the fields of a dialog takes the focus out of it.
    const typing = target.closest("input, textarea, select") || by("dialog").open;
    if (typing || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const action = KEYS[event.key] ?? KEYS[letter(event)];
    if (action) {
      event.preventDefault();
      action();
    }
  });
}
