// The line shown as a moving picture: GIF, as its specification of 1989 has it.

import * as board from "./board.js";
import { tell } from "./controls.js";
import { download } from "./files.js";
import { drawn } from "./picture.js";
import { state } from "./state.js";
import { words } from "./words.js";

/** Pixels across. */
const WIDTH = 480;
/** Hundredths of a second that a position is shown, and the last one. */
const PAUSE = 80;
const LAST = 400;
/** Colours of the palette, and bits of a number of one. */
const COLORS = 256;
const BITS = 8;
/** The longest code is one bit shorter. */
const MOST_CODES = 4096;

/**
 * A position in colours of three bytes, five bits each, as numbers.
 * @param {HTMLCanvasElement} canvas
 */
function reduced(canvas) {
  const { width, height } = canvas;
  const data = canvas.getContext("2d")?.getImageData(0, 0, width, height).data ?? [];
  const pixels = new Uint16Array(width * height);
  for (let at = 0; at < pixels.length; at++) {
    const [r, g, b] = [data[4 * at], data[4 * at + 1], data[4 * at + 2]];
    pixels[at] = ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3);
  }
  return pixels;
}

/** The three bytes of a colour. @param {number} color */
const bytes = (color) =>
  [color >> 10, (color >> 5) & 31, color & 31].map((part) => (part << 3) | (part >> 2));

/**
 * The colours that are used most, and for each colour the nearest of them.
 * @param {Uint16Array[]} frames
 */
function palette(frames) {
  const counts = new Uint32Array(1 << 15);
  frames.forEach((frame) => frame.forEach((color) => (counts[color] += 1)));
  const used = [...counts.keys()].filter((color) => counts[color] > 0);
  used.sort((a, b) => counts[b] - counts[a]);
  const chosen = used.slice(0, COLORS);
  const nearest = new Map(chosen.map((color, index) => [color, index]));
  for (const color of used.slice(COLORS)) {
    const here = bytes(color);
    const apart = chosen.map((other) =>
      bytes(other).reduce((sum, part, at) => sum + (part - here[at]) ** 2, 0),
    );
    nearest.set(color, apart.indexOf(Math.min(...apart)));
  }
  return { chosen, nearest };
}

/**
 * The smallest rectangle that holds all that differs: left, top, width, height.
 * @param {Uint16Array | undefined} before
 * @param {Uint16Array} after
 * @param {number} width
 */
function changed(before, after, width) {
  let [left, top, right, bottom] = [width, after.length / width, -1, -1];
  for (let at = 0; at < after.length; at++) {
    if (before?.[at] !== after[at]) {
      const [x, y] = [at % width, Math.floor(at / width)];
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    }
  }
  return right < 0 ? [0, 0, 1, 1] : [left, top, right - left + 1, bottom - top + 1];
}

/**
 * Numbers of colours, packed by LZW.
 * @param {number[]} numbers
 */
function packed(numbers) {
  const clear = 1 << BITS;
  /** @type {number[]} */
  const out = [];
  let [buffer, filled, size] = [0, 0, BITS + 1];
  const put = (/** @type {number} */ code) => {
    buffer |= code << filled;
    filled += size;
    while (filled >= 8) {
      out.push(buffer & 255);
      buffer >>>= 8;
      filled -= 8;
    }
  };
  /** By the code of a text and the next number. @type {Map<number, number>} */
  let codes = new Map();
  let next = clear + 2;
  put(clear);
  let code = numbers[0];
  for (const number of numbers.slice(1)) {
    const key = code * COLORS + number;
    const known = codes.get(key);
    if (known !== undefined) {
      code = known;
      continue;
    }
    put(code);
    if (next === MOST_CODES) {
      put(clear);
      codes = new Map();
      [next, size] = [clear + 2, BITS + 1];
    } else {
      codes.set(key, next);
      if (next === 1 << size) {
        size += 1;
      }
      next += 1;
    }
    code = number;
  }
  put(code);
  put(clear + 1);
  if (filled > 0) {
    out.push(buffer & 255);
  }
  return out;
}

/** Two bytes, the lower first. @param {number} number */
const short = (number) => [number & 255, number >> 8];
/** @param {string} text */
const letters = (text) => Array.from(text, (letter) => letter.charCodeAt(0));

/**
 * A moving picture.
 * @param {Uint16Array[]} frames
 * @param {number} width
 */
function encoded(frames, width) {
  const { chosen, nearest } = palette(frames);
  const height = frames[0].length / width;
  const colors = Array.from({ length: COLORS }, (_, at) => bytes(chosen[at] ?? 0)).flat();
  const parts = [
    letters("GIF89a"),
    [...short(width), ...short(height), 0x80 | (BITS - 1), 0, 0],
    colors,
    [0x21, 0xff, 11, ...letters("NETSCAPE2.0"), 3, 1, 0, 0, 0],
  ];
  frames.forEach((frame, index) => {
    const [left, top, wide, high] = changed(frames[index - 1], frame, width);
    const numbers = [];
    for (let y = top; y < top + high; y++) {
      for (let x = left; x < left + wide; x++) {
        numbers.push(nearest.get(frame[y * width + x]) ?? 0);
      }
    }
    const pause = index === frames.length - 1 ? LAST : PAUSE;
    parts.push([0x21, 0xf9, 4, 4, ...short(pause), 0, 0]);
    parts.push([0x2c, ...[left, top, wide, high].flatMap(short), 0, BITS]);
    const data = packed(numbers);
    for (let at = 0; at < data.length; at += 255) {
      const block = data.slice(at, at + 255);
      parts.push([block.length], block);
    }
    parts.push([0]);
  });
  parts.push([0x3b]);
  return new Blob(
    parts.map((part) => new Uint8Array(part)),
    { type: "image/gif" },
  );
}

/**
 * The positions of the line shown have come: makes a file of them.
 * @param {import("./schema.js").Frame[]} positions
 */
export async function came(positions) {
  const frames = [];
  // Another one may begin meanwhile.
  const { game } = state;
  for (const position of positions) {
    const canvas = await drawn(game && board.frame(position, game), WIDTH);
    if (canvas) {
      frames.push(reduced(canvas));
    }
  }
  if (frames.length === positions.length && frames.length > 0) {
    download("game.gif", encoded(frames, WIDTH));
  } else {
    tell(words.noPicture, true);
  }
}
