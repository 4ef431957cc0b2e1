// A text on a point of the position shown, in the tree or in the open database.

import { button, el } from "./dom.js";
import { close, show } from "./setup.js";
import { cell, label, same, send, state } from "./state.js";
import { words } from "./words.js";

/** @typedef {import("./schema.js").Cell} Cell */

/**
 * Asks for the text on a point.
 * @param {Cell | undefined} [at] the point, if it is known
 */
export function ask(at) {
  const node = state.position?.node ?? 0;
  const { database } = state;
  const point = el("input", { value: at ? label(at) : "", size: 4, required: true, pattern: "[A-Za-z][0-9]+" });
  const text = el("input", { maxlength: 200 });
  const inBase = el("input", { type: "checkbox" });
  /** The text that is there. */
  const known = () => {
    const there = cell(point.value.trim().toLowerCase());
    if (inBase.checked) {
      return database?.moves.find((move) => same(move.cell, there))?.text;
    }
    const here = state.tree?.nodes.find(({ id }) => id === node);
    return here?.labels.find(([labelled]) => same(labelled, there))?.[1];
  };
  const fill = () => (text.value = known() ?? "");
  const see = () => {
    const [x, y] = cell(point.value.trim().toLowerCase());
    const { width = 0, height = 0 } = state.game ?? {};
    const inside = x >= 0 && x < width && y >= 0 && y < height;
    point.setCustomValidity(inside || !point.value ? "" : words.noPoint);
  };
  point.addEventListener("input", see);
  point.addEventListener("change", fill);
  inBase.addEventListener("change", fill);
  fill();
  const put = (/** @type {Event} */ event) => {
    event.preventDefault();
    const there = cell(point.value.trim().toLowerCase());
    if (inBase.checked) {
      send({ do: "set_point_text", node, cell: there, text: text.value });
    } else {
      send({ do: "label", node, cell: there, text: text.value });
    }
    close();
  };
  const changes = database?.name && !database.foreign && !database.locked;
  show([
    el("h2", {}, words.pointText),
    el(
      "form",
      { onsubmit: put },
      el("label", {}, `${words.point} `, point),
      el("label", {}, `${words.text} `, text),
      ...(changes ? [el("label", {}, inBase, ` ${words.inDatabase}`)] : []),
      el(
        "div",
        { class: "row" },
        el("button", { type: "submit" }, words.putText),
        button(words.cancel, close),
      ),
    ),
  ]);
  (at ? text : point).focus();
}
