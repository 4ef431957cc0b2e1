// The page: what it is told goes into the state, and is drawn from there.

import * as analysis from "./analysis.js";
import * as board from "./board.js";
import * as clock from "./clock.js";
import * as controls from "./controls.js";
import * as database from "./database.js";
import * as engine from "./engine.js";
import * as explanation from "./explanation.js";
import { button, by, replace } from "./dom.js";
import * as files from "./files.js";
import * as kept from "./kept.js";
import * as keys from "./keys.js";
import * as gif from "./gif.js";
import * as language from "./language.js";
import { leave, lettered } from "./letters.js";
import { Link } from "./link.js";
import * as review from "./review.js";
import * as settings from "./settings.js";
import { ask, help, seated } from "./setup.js";
import { changed, connect, state, stays, watch } from "./state.js";
import * as trainer from "./trainer.js";
import * as tree from "./tree.js";
import * as walk from "./walk.js";
import { words } from "./words.js";

/** @typedef {import("./schema.js").Event} Event */

/** The tree that the program was asked to show again, until it says whether it can. */
let restoring = /** @type {string | undefined} */ (undefined);
/** The levels of that tree, if it has its own, until the program is told how the engine plays. */
let levels = /** @type {string[] | undefined} */ (undefined);
/** Whether the browser has kept the tree as it is for the next visit. */
let isKept = true;
/** Earlier games that it had no room for when that was told last. */
let held = 0;

/** @param {Event} event */
function onEvent(event) {
  switch (event.event) {
    case "catalogue":
      state.catalogue = event;
      engine.restore(event, levels);
      levels = undefined;
      break;
    case "game":
      restoring = undefined;
      // An exercise or a walk that ended with nothing written.
      kept.endNotes();
      state.game = event;
      // What was found for a position of another game, whose nodes have the same numbers.
      state.lines = undefined;
      state.found = undefined;
      state.explained = undefined;
      state.tool = "place";
      files.begun();
      review.halt();
      break;
    case "setting":
      state.setting = event;
      break;
    case "clock":
      clock.came(event);
      break;
    case "position":
      state.position = event;
      state.hint = [];
      state.defences = [];
      state.tapped = undefined;
      state.hovered = undefined;
      if (event.node !== state.explained?.node) {
        state.explained = undefined;
      }
      if (event.node !== state.found?.node) {
        state.found = undefined;
      }
      break;
    case "tree":
      state.tree = event;
      // A large tree is not told with every change.
      if (!event.kept) {
        files.keep();
      }
      break;
    case "line":
      if (state.tree) {
        state.tree = { ...state.tree, line: event.line };
        if (!state.tree.kept) {
          files.keepLater();
        }
      }
      break;
    case "searching":
      state.acts = event.acts;
      state.searching = event.on;
      break;
    case "lines":
      if (event.query) {
        state.found = event;
      } else {
        state.lines = event;
      }
      break;
    case "hint":
      state.hint = event.cells;
      controls.tell(event.text);
      break;
    default:
      onAnswer(event);
  }
  changed();
}

/**
 * What comes of something that was asked for.
 * @param {Event} event
 */
function onAnswer(event) {
  switch (event.event) {
    case "message":
      controls.tell(event.text);
      files.told(event.text);
      break;
    case "defences":
      state.defences = event.node === state.position?.node ? event.cells : [];
      break;
    case "explanation":
      state.explained = { ...event, node: state.position?.node ?? 0, when: performance.now() };
      controls.log([event.verdict, ...event.lines].join("\n"));
      break;
    case "link":
      files.linked(event.text);
      break;
    case "frames":
      gif.came(event.frames);
      break;
    case "file":
      files.came(event);
      break;
    case "kept":
      keep(event.text);
      break;
    case "noted":
      kept.keepNotes(event);
      tellHeld();
      break;
    case "replaced": {
      // The tree of an exercise or a walk comes as a whole when that ends.
      const owner = event.part ? undefined : kept.endNotes();
      const hasRoom = kept.keepReplaced({ ...event, owner });
      controls.tell(hasRoom ? words.replaced : words.replacedHere, !hasRoom);
      tellHeld(hasRoom ? 0 : 1);
      break;
    }
    case "files":
      files.listed(event.names);
      break;
    case "games":
      files.choose(event);
      break;
    case "review":
      review.came(event);
      break;
    case "shown":
      review.walk(event.nodes);
      break;
    case "puzzles":
      trainer.came(event);
      break;
    case "exercise":
      trainer.stands(event);
      break;
    case "databases":
      database.listed(event.names);
      break;
    case "database":
      database.came(event);
      break;
    case "trees":
      walk.listed(event.trees);
      break;
    case "walk":
      walk.stands(event);
      break;
    case "refused":
      controls.tell(event.text, true);
      files.refused(event.text);
      database.refused();
      stays();
      rescue();
      break;
  }
}

const link = new Link((event) => onEvent(lettered(event)), whenOpen, (why) => {
  state.ended = why;
  changed();
});

/**
 * The link to the program was opened or closed.
 * @param {boolean} open
 * @param {boolean} [crowded] whether it is closed because too many pages are open
 */
function whenOpen(open, crowded = false) {
  state.open = open;
  state.crowded = crowded;
  state.loading = false;
  if (open) {
    // The program has begun anew, without an exercise or a walk.
    kept.endNotes();
    restoring = kept.latest() ?? undefined;
    levels = undefined;
    if (restoring) {
      levels = kept.levels(restoring);
      link.send({ do: "restore", text: restoring });
    }
    link.send({ do: "show" });
    follow();
  }
  changed();
}

/** Has the browser keep the tree; once it has no room, that is told once. @param {string} text */
function keep(text) {
  const before = isKept;
  isKept = kept.put(text);
  if (before && !isKept) {
    controls.tell(words.notKept, true);
  }
  tellHeld();
}

/**
 * Tells that the browser has no room any more for some of the earlier games.
 * @param {number} [told] how many of them were told of just now
 */
function tellHeld(told = 0) {
  const now = kept.heldCount();
  if (now > held + told) {
    controls.tell(words.displaced, true);
  }
  held = now;
}

/**
 * The tree of the last visit is none for this program, such as one of a newer version: it
 * must not be lost when the next one is kept.
 */
function rescue() {
  if (restoring) {
    const isRescued = kept.keepReplaced({ text: restoring, game: "", positions: 0 });
    controls.tell(isRescued ? words.rescued : `${words.rescued} ${words.replacedHere}`, true);
    tellHeld(isRescued ? 0 : 1);
    levels = undefined;
  }
  restoring = undefined;
}

/** Goes on with the game of the address, if there is one, and takes it out of there. */
function follow() {
  const text = location.hash.slice(1);
  if (text && state.open) {
    history.replaceState(null, "", location.pathname + location.search);
    link.send({ do: "open_link", text: unescaped(text) });
  }
}

/**
 * What a program that passed an address on may have escaped.
 * @param {string} text
 */
function unescaped(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Sends a command, or says why it cannot be sent.
 * @param {import("./schema.js").Command} command
 */
function say(command) {
  const most = state.catalogue?.bytes ?? Infinity;
  const long = "bytes" in command || "text" in command;
  if (long && new Blob([JSON.stringify(command)]).size > most) {
    controls.tell(words.tooLarge(most >> 20), true);
    return false;
  }
  if ("name" in command) {
    leave(command.name);
  }
  const sent = link.send(command);
  if (!sent) {
    controls.tell(words.notSent, true);
  }
  return sent;
}

connect(say);
addEventListener("hashchange", follow);
[board, clock, controls, tree, analysis, explanation, review, trainer, walk, database].forEach(({ draw }) => watch(draw));
[language, board, controls, tree, files, keys].forEach(({ begin }) => begin());
replace(by("menu"), [
  button(words.new, ask),
  button(words.players, seated),
  button(words.open, files.open),
  button(words.save, files.save),
  button(words.link, () => say({ do: "link" })),
  button(words.train, trainer.open),
  button(words.proofs, walk.open),
  button(words.database, database.open),
  button(words.settings, settings.ask),
  button(words.help, help),
  language.choice(),
]);
changed();
link.open();
