// The clock: its display, and the fields that set it.

import { button, by, el, number, renew, replace, write } from "./dom.js";
import { changed, send, state } from "./state.js";
import { load, save } from "./storage.js";
import { words } from "./words.js";

/** @typedef {import("./schema.js").TimeControl} TimeControl */

/** Storage key of the time control that was chosen last. */
const KEY = "goren-clock";
/** Milliseconds between two drawings of a running clock. */
const TICK = 100;
/** Milliseconds between two requests to store the tree while the clock runs. */
const KEEP_INTERVAL = 5000;
/** Below this time in milliseconds a clock shows tenths of seconds, and is marked as short. */
const SHORT = 10_000;
/** The time control of a first game: minutes for the game, and seconds. */
const DEFAULTS = { game: 10, increment: 5, move: 0 };

/** When the clock shown arrived, in milliseconds since the page was opened. */
let when = 0;
let timer = 0;
/** When the tree was stored last. */
let keptAt = 0;

/** Handles the state of the clock. @param {import("./schema.js").ClockView} clock */
export function receive(clock) {
  state.clock = clock;
  when = performance.now();
  changed();
}

/** Stops or resumes it. */
export function toggle() {
  const { clock } = state;
  if (clock?.control) {
    send({ do: "clock", run: clock.running === null });
  }
}

/**
 * Formats a time.
 * @param {number} ms
 */
function timeText(ms) {
  const tenths = Math.ceil(ms / 100);
  const seconds = ms < SHORT ? tenths / 10 : Math.ceil(ms / 1000);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  const shown = ms < SHORT ? rest.toFixed(1) : String(rest);
  const hours = Math.floor(minutes / 60);
  const padded = (/** @type {string} */ text) => text.padStart(text.includes(".") ? 4 : 2, "0");
  return hours > 0
    ? `${hours}:${padded(String(minutes % 60))}:${padded(shown)}`
    : `${minutes}:${padded(shown)}`;
}

/**
 * Returns the time that a seat has left for the game and for a ply, in milliseconds.
 * @param {number} seat
 */
function left(seat) {
  const { clock } = state;
  const since = clock?.running === seat ? performance.now() - when : 0;
  const now = (/** @type {number | null | undefined} */ ms) => (typeof ms === "number" ? Math.max(0, ms - since) : undefined);
  return [now(clock?.game_ms[seat]), now(clock?.move_ms[seat])].filter((ms) => ms !== undefined);
}

/** The elements of each seat's time, which are never replaced. */
const faces = [0, 1].map(() => {
  const side = el("span");
  const time = el("b");
  return { face: el("span", { class: "clock" }, side, " ", time), side, time };
});
const tools = el("span");

/** Draws it, repeatedly while it runs. */
export function draw() {
  const { clock, position } = state;
  const home = by("clocks");
  home.hidden = !clock?.control;
  clearTimeout(timer);
  if (!clock?.control || !position) {
    return;
  }
  if (!home.firstElementChild) {
    replace(home, [...faces.map(({ face }) => face), tools]);
  }
  faces.forEach(({ face, side, time }, seat) => {
    const times = left(seat);
    write(side, seat === position.black ? `● ${words.black}` : `○ ${words.white}`);
    write(time, times.map(timeText).join(" · "));
    face.classList.toggle("running", clock.running === seat);
    face.classList.toggle("short", clock.out === seat || (clock.running === seat && Math.min(...times) < SHORT));
  });
  const runs = clock.running !== null && state.open;
  const text = runs ? words.stopClock : words.runClock;
  renew(tools, [button(text, toggle, { disabled: !position.decision })]);
  if (runs) {
    timer = setTimeout(tick, TICK);
  }
}

/** Updates the running clock; when it reaches 0, asks the program, whose clock counts. */
function tick() {
  const { clock } = state;
  const now = performance.now();
  if (clock && clock.running !== null && left(clock.running).some((ms) => ms === 0)) {
    // It answers with the state of the clock, or with the end of the game.
    send({ do: "time" });
  } else if (now - keptAt > KEEP_INTERVAL) {
    keptAt = now;
    send({ do: "keep" });
  }
  draw();
}

/**
 * Makes the fields that set a clock. They show the clock of the current game, else the last
 * choice.
 */
export function fields() {
  const { control } = state.clock ?? {};
  const initial = control
    ? { game: (control.game_ms ?? 0) / 60_000, increment: control.increment_ms / 1000, move: (control.move_ms ?? 0) / 1000 }
    : { ...DEFAULTS, ...load(KEY, {}) };
  const on = el("input", { type: "checkbox", onchange: validate });
  on.checked = Boolean(control);
  const game = number(words.gameMinutes, initial.game, 0, 1440, "any");
  const increment = number(words.increment, initial.increment, 0, 3600, "any");
  const move = number(words.moveSeconds, initial.move, 0, 3600, "any");
  const row = el("div", { class: "row" }, game.row, increment.row, move.row);
  const about = el("small", {}, words.aboutClock);
  const value = (/** @type {{field: HTMLInputElement}} */ { field }) => Number(field.value);
  function validate() {
    row.hidden = about.hidden = !on.checked;
    const limited = !on.checked || value(game) > 0 || value(move) > 0;
    game.field.setCustomValidity(limited ? "" : words.clockNeeds);
    [game, increment, move].forEach(({ field }) => (field.disabled = !on.checked));
    increment.field.disabled ||= value(game) === 0;
  }
  [game, move].forEach(({ field }) => field.addEventListener("input", validate));
  validate();
  /** Returns the time control of the fields. @returns {TimeControl | null} */
  const read = () => {
    if (!on.checked) {
      return null;
    }
    const ms = (/** @type {number} */ value, /** @type {number} */ unit) => Math.round(value * unit) || null;
    const game_ms = ms(value(game), 60_000);
    return {
      game_ms,
      increment_ms: game_ms ? (ms(value(increment), 1000) ?? 0) : 0,
      move_ms: ms(value(move), 1000),
    };
  };
  /** Returns the chosen time control, and stores it for the next game. */
  const chosen = () => {
    if (on.checked) {
      save(KEY, { game: value(game), increment: value(increment), move: value(move) });
    }
    return read();
  };
  const before = limits(read());
  return {
    rows: [el("label", {}, on, ` ${words.withClock}`), row, about],
    chosen,
    /** Gives the current game the chosen clock, if it differs. */
    put: () => {
      const time = chosen();
      if (limits(time) !== before) {
        send({ do: "time_control", time });
      }
    },
  };
}

/** Returns a key that identifies a time control. @param {TimeControl | null} time */
const limits = (time) => JSON.stringify(time && [time.game_ms, time.increment_ms, time.move_ms]);
