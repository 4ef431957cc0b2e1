// The line shown as an animation: GIF, by its specification of 1989.

import * as board from "./board.js";
import { notify } from "./controls.js";
import { download } from "./files.js";
import { render } from "./picture.js";
import { state } from "./state.js";
import { words } from "./words.js";

/** Width in pixels. */
const WIDTH = 480;
/** Hundredths of a second that a position is shown, and the last position. */
const PAUSE = 80;
const LAST = 400;
/** Number of colours of the palette, and bits of a colour index. */
const COLORS = 256;
const BITS = 8;
/** Number of LZW codes. */
const MAX_CODES = 4096;

/**
 * Returns the pixels of a position, reduced to five bits per channel.
 * @param {HTMLCanvasElement} canvas
 */
function quantize(canvas) {
  const { width, height } = canvas;
  const data = canvas.getContext("2d")?.getImageData(0, 0, width, height).data ?? [];
  const pixels = new Uint16Array(width * height);
  for (let at = 0; at < pixels.length; at++) {
    const [r, g, b] = [data[4 * at], data[4 * at + 1], data[4 * at + 2]];
    pixels[at] = ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3);
  }
  return pixels;
}

/** Returns the three bytes of a colour. @param {number} color */
const bytes = (color) =>
  [color >> 10, (color >> 5) & 31, color & 31].map((part) => (part << 3) | (part >> 2));

/**
 * Returns the most frequent colours, and for each colour the nearest of them.
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
 * Returns the smallest rectangle that contains all changed pixels: left, top, width, height.
 * @param {Uint16Array | undefined} before
 * @param {Uint16Array} after
 * @param {number} width
 */
function changedArea(before, after, width) {
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
 * Compresses colour indices by LZW.
 * @param {number[]} numbers
 */
function compress(numbers) {
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
  /** By the code of a sequence and the next index. @type {Map<number, number>} */
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
    if (next === MAX_CODES) {
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

/** Returns two bytes, the lower first. @param {number} number */
const short = (number) => [number & 255, number >> 8];
/** @param {string} text */
const letters = (text) => Array.from(text, (letter) => letter.charCodeAt(0));

/**
 * Encodes an animation.
 * @param {Uint16Array[]} frames
 * @param {number} width
 */
function encode(frames, width) {
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
    const [left, top, wide, high] = changedArea(frames[index - 1], frame, width);
    const numbers = [];
    for (let y = top; y < top + high; y++) {
      for (let x = left; x < left + wide; x++) {
        numbers.push(nearest.get(frame[y * width + x]) ?? 0);
      }
    }
    const pause = index === frames.length - 1 ? LAST : PAUSE;
    parts.push([0x21, 0xf9, 4, 4, ...short(pause), 0, 0]);
    parts.push([0x2c, ...[left, top, wide, high].flatMap(short), 0, BITS]);
    const data = compress(numbers);
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
 * Makes an animation of the positions of the line shown, and saves it.
 * @param {import("./schema.js").Frame[]} positions
 */
export async function receive(positions) {
  const frames = [];
  // Another game may begin meanwhile.
  const { game } = state;
  for (const position of positions) {
    const canvas = await render(game && board.frame(position, game), WIDTH);
    if (canvas) {
      frames.push(quantize(canvas));
    }
  }
  if (frames.length === positions.length && frames.length > 0) {
    download("game.gif", encode(frames, WIDTH));
  } else {
    notify(words.noPicture, true);
  }
}
