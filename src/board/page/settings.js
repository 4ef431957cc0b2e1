// Settings of the page that the browser stores: its letters, and the second tap.

import { el } from "./dom.js";
import { putWithoutI, withoutI } from "./letters.js";
import { form, show } from "./setup.js";
import * as taps from "./taps.js";
import { words } from "./words.js";

/**
 * @param {string} text
 * @param {boolean} on
 */
function box(text, on) {
  const field = el("input", { type: "checkbox" });
  field.checked = on;
  return { field, row: el("label", {}, field, ` ${text}`) };
}

/** Opens the dialog of the settings. */
export function ask() {
  const second = box(words.secondTap, taps.isAsked());
  const letters = box(words.withoutI, withoutI());
  const take = () => {
    // A setting that the user leaves alone keeps depending on the screen.
    if (second.field.checked !== taps.isAsked()) {
      taps.put(second.field.checked);
    }
    if (letters.field.checked !== withoutI()) {
      putWithoutI(letters.field.checked);
      // All texts received so far have the other letters.
      location.reload();
    }
  };
  const about = el("small", {}, words.aboutLetters);
  show([form(words.settings, words.take, take, [second.row, letters.row, about])]);
}
