// The language of the page: the user's choice, else that of the browser.

import { by, el } from "./dom.js";
import { words as cs } from "./words-cs.js";
import { words as et } from "./words-et.js";
import { words as ja } from "./words-ja.js";
import { words as ko } from "./words-ko.js";
import { words as ru } from "./words-ru.js";
import { words as vi } from "./words-vi.js";
import { words as zh } from "./words-zh.js";
import { words } from "./words.js";

/** Storage key of the choice. */
const KEY = "goren-language";

/** Languages by code: the name and the words. @type {Record<string, [string, Partial<typeof words>]>} */
const LANGUAGES = {
  en: ["English", {}],
  zh: ["中文", zh],
  ja: ["日本語", ja],
  ko: ["한국어", ko],
  ru: ["Русский", ru],
  vi: ["Tiếng Việt", vi],
  et: ["Eesti", et],
  cs: ["Čeština", cs],
};

/** Returns the code of the language. */
function chosen() {
  let choice = null;
  try {
    choice = localStorage.getItem(KEY);
  } catch {
    // The browser stores nothing.
  }
  const codes = [choice, ...navigator.languages].map((code) => code?.slice(0, 2) ?? "");
  return codes.find((code) => code in LANGUAGES) ?? "en";
}

const code = chosen();
Object.assign(words, LANGUAGES[code][1]);

/** Translates the texts of the static page. */
export function begin() {
  document.documentElement.lang = code;
  const texts = {
    "analysis-title": words.analysis,
    "moves-title": words.moves,
    "review-title": words.reviewTitle,
    "log-title": words.messages,
    "comment-label": words.comment,
    "ply-label": words.type,
    play: words.play,
  };
  for (const [id, text] of Object.entries(texts)) {
    by(id).textContent = text;
  }
  const labels = {
    menu: words.game,
    table: words.size,
    chances: words.chances,
    actions: words.moves,
    clocks: words.clock,
    ways: words.ways,
    "exercise-bar": words.trainer,
    "walk-bar": words.proofs,
    "analysis-bar": words.analysis,
    moves: words.treeOfMoves,
    "review-bar": words.reviewTitle,
    database: words.database,
  };
  for (const [id, label] of Object.entries(labels)) {
    by(id).setAttribute("aria-label", label);
  }
}

/** Makes the field that chooses the language. */
export function choice() {
  const field = el("select", {
    "aria-label": words.language,
    onchange: () => {
      try {
        localStorage.setItem(KEY, field.value);
      } catch {
        // Then the choice is lost with the reload.
      }
      location.reload();
    },
  });
  for (const [value, [name]] of Object.entries(LANGUAGES)) {
    field.append(el("option", { value, selected: value === code, lang: value }, name));
  }
  return field;
}
