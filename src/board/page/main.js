// The page: events of the program update the state, from which the page is drawn.

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
import { addFileName, withPageLetters } from "./letters.js";
import { Link } from "./link.js";
import * as review from "./review.js";
import * as settings from "./settings.js";
import { ask, help, askPlayers } from "./setup.js";
import { changed, connect, state, cancelMove, watch } from "./state.js";
import * as trainer from "./trainer.js";
import * as tree from "./tree.js";
import * as walk from "./walk.js";
import { words } from "./words.js";

/** @typedef {import("./schema.js").Event} Event */

/** The tree that the program was asked to restore, until it answers. */
let restoring = /** @type {string | undefined} */ (undefined);
/** The levels of that tree, if it has its own, until the program gets the engine's settings. */
let levels = /** @type {string[] | undefined} */ (undefined);
/** Whether the browser has stored the current tree for the next visit. */
let isKept = true;
/** Number of earlier games without room in the browser, as last reported. */
let unstored = 0;

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
      // Ends an exercise or a walk without notes.
      kept.endNotes();
      state.game = event;
      // Results for positions of the old game, whose nodes have the same numbers.
      state.lines = undefined;
      state.found = undefined;
      state.explained = undefined;
      state.tool = "place";
      files.onNewGame();
      review.halt();
      break;
    case "setting":
      state.setting = event;
      break;
    case "clock":
      clock.receive(event);
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
      // A large tree is not sent for storing with every change.
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
      controls.notify(event.text);
      break;
    default:
      onAnswer(event);
  }
  changed();
}

/**
 * Handles the answer to a request.
 * @param {Event} event
 */
function onAnswer(event) {
  switch (event.event) {
    case "message":
      controls.notify(event.text);
      files.onMessage(event.text);
      break;
    case "defences":
      state.defences = event.node === state.position?.node ? event.cells : [];
      break;
    case "explanation":
      state.explained = { ...event, node: state.position?.node ?? 0, when: performance.now() };
      controls.log([event.verdict, ...event.lines].join("\n"));
      break;
    case "link":
      files.showLink(event.text);
      break;
    case "frames":
      gif.receive(event.frames);
      break;
    case "file":
      files.receive(event);
      break;
    case "kept":
      keep(event.text);
      break;
    case "noted":
      kept.keepNotes(event);
      reportUnstored();
      break;
    case "replaced": {
      // The tree of an exercise or a walk is sent as a whole when that ends.
      const owner = event.part ? undefined : kept.endNotes();
      const hasRoom = kept.keepReplaced({ ...event, owner });
      controls.notify(hasRoom ? words.replaced : words.replacedHere, !hasRoom);
      reportUnstored(hasRoom ? 0 : 1);
      break;
    }
    case "files":
      files.receiveNames(event.names);
      break;
    case "games":
      files.choose(event);
      break;
    case "review":
      review.receive(event);
      break;
    case "shown":
      review.walk(event.nodes);
      break;
    case "puzzles":
      trainer.receivePuzzles(event);
      break;
    case "exercise":
      trainer.receiveExercise(event);
      break;
    case "databases":
      database.showList(event.names);
      break;
    case "database":
      database.receive(event);
      break;
    case "trees":
      walk.showList(event.trees);
      break;
    case "walk":
      walk.receive(event);
      break;
    case "refused":
      controls.notify(event.text, true);
      files.refused(event.text);
      database.refused();
      cancelMove();
      rescue();
      break;
  }
}

const link = new Link((event) => onEvent(withPageLetters(event, state.game?.falls)), onLink, (why) => {
  state.ended = why;
  changed();
});

/**
 * Handles the opening or closing of the link to the program.
 * @param {boolean} open
 * @param {boolean} [crowded] whether it is closed because too many pages are open
 */
function onLink(open, crowded = false) {
  state.open = open;
  state.crowded = crowded;
  state.loading = false;
  if (open) {
    // The program has restarted, without an exercise or a walk.
    kept.endNotes();
    restoring = kept.latest() ?? undefined;
    levels = undefined;
    if (restoring) {
      levels = kept.levels(restoring);
      link.send({ do: "restore", text: restoring });
    }
    link.send({ do: "show" });
    openLink();
  }
  changed();
}

/** Stores the tree in the browser; reports once if there is no room. @param {string} text */
function keep(text) {
  const before = isKept;
  isKept = kept.put(text);
  if (before && !isKept) {
    controls.notify(words.notKept, true);
  }
  reportUnstored();
}

/**
 * Reports that the browser no longer has room for some of the earlier games.
 * @param {number} [reported] how many of them were reported just now
 */
function reportUnstored(reported = 0) {
  const now = kept.unstoredCount();
  if (now > unstored + reported) {
    controls.notify(words.displaced, true);
  }
  unstored = now;
}

/**
 * Stores the tree of the last visit among the earlier games if the program cannot read it, such
 * as that of a newer version: storing the next tree would overwrite it.
 */
function rescue() {
  if (restoring) {
    const isRescued = kept.keepReplaced({ text: restoring, game: "", positions: 0 });
    controls.notify(isRescued ? words.rescued : `${words.rescued} ${words.replacedHere}`, true);
    reportUnstored(isRescued ? 0 : 1);
    levels = undefined;
  }
  restoring = undefined;
}

/** Opens the game of the URL, if there is one, and removes it from the URL. */
function openLink() {
  const text = location.hash.slice(1);
  if (text && state.open) {
    history.replaceState(null, "", location.pathname + location.search);
    link.send({ do: "open_link", text: unescapeLink(text) });
  }
}

/**
 * Undoes escapes, as a program that passed the URL on may have added them.
 * @param {string} text
 */
function unescapeLink(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Sends a command, or reports why it cannot be sent.
 * @param {import("./schema.js").Command} command
 */
function sendCommand(command) {
  const most = state.catalogue?.bytes ?? Infinity;
  const long = "bytes" in command || "text" in command;
  if (long && new Blob([JSON.stringify(command)]).size > most) {
    controls.notify(words.tooLarge(most >> 20), true);
    return false;
  }
  if ("name" in command) {
    addFileName(command.name);
  }
  const sent = link.send(command);
  if (!sent) {
    controls.notify(words.notSent, true);
  }
  return sent;
}

connect(sendCommand);
addEventListener("hashchange", openLink);
[board, clock, controls, tree, analysis, explanation, review, trainer, walk, database].forEach(({ draw }) => watch(draw));
[language, board, controls, tree, files, keys].forEach(({ begin }) => begin());
replace(by("menu"), [
  button(words.new, ask),
  button(words.players, askPlayers),
  button(words.open, files.open),
  button(words.save, files.save),
  button(words.link, () => sendCommand({ do: "link" })),
  button(words.train, trainer.open),
  button(words.proofs, walk.open),
  button(words.database, database.open),
  button(words.settings, settings.ask),
  button(words.help, help),
  language.choice(),
]);
changed();
link.open();
