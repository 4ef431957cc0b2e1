// The page: what it is told goes into the state, and is drawn from there.

import * as analysis from "./analysis.js";
import * as board from "./board.js";
import * as controls from "./controls.js";
import { button, by, replace } from "./dom.js";
import * as files from "./files.js";
import * as keys from "./keys.js";
import { Link } from "./link.js";
import { ask, help } from "./setup.js";
import { changed, connect, state, watch } from "./state.js";
import * as tree from "./tree.js";
import { words } from "./words.js";

/** @typedef {import("./schema.js").Event} Event */

/** @param {Event} event */
function hear(event) {
  switch (event.event) {
    case "catalogue":
      state.catalogue = event;
      break;
    case "game":
      state.game = event;
      state.lines = undefined;
      break;
    case "setting":
      state.setting = event;
      break;
    case "position":
      state.position = event;
      state.hint = [];
      state.hovered = undefined;
      state.explained = undefined;
      break;
    case "tree":
      state.tree = event;
      files.keep();
      break;
    case "searching":
      state.acts = event.acts;
      state.searching = event.on;
      break;
    case "lines":
      state.lines = event;
      break;
    case "hint":
      state.hint = event.cells;
      controls.tell(event.text);
      break;
    case "told":
      controls.tell(event.text);
      break;
    case "explanation":
      state.explained = event.cell;
      controls.tell([event.verdict, ...event.lines].join("\n"));
      break;
    case "file":
      files.came(event);
      break;
    case "kept":
      files.put(event.text);
      break;
    case "files":
      files.listed(event.names);
      break;
    case "refused":
      controls.tell(event.text, true);
      break;
  }
  changed();
}

const link = new Link(hear, (open) => {
  state.open = open;
  if (open) {
    const text = files.kept();
    if (text) {
      link.send({ do: "restore", text });
    }
    link.send({ do: "show" });
  }
  changed();
});

connect((command) => link.send(command));
[board, controls, tree, analysis].forEach(({ draw }) => watch(draw));
[board, controls, tree, files, keys].forEach(({ begin }) => begin());
replace(by("menu"), [
  button(words.new, ask),
  button(words.open, files.open),
  button(words.save, files.save),
  button(words.help, help),
]);
changed();
link.open();
