// The host of the module: the clock, random numbers, input and output of WASI, preview 1. All
// other calls are refused, as there are no files.

/** Errors of WASI. */
const BAD_FILE = 8;
const NOT_SUPPORTED = 52;
/** File descriptors that are always open. */
const INPUT = 0;
const OUTPUT = 1;
/** Maximum number of random bytes that a browser gives at once. */
const MAX_RANDOM = 65536;
/** Pages of memory: at first, at most with one thread, and for each further thread. */
const FIRST = 512;
const MOST = 4096;
const MORE = 384;
/** Maximum number of threads. */
export const THREADS = 16;

/**
 * Allocates the memory that the instances of `threads` threads share.
 * @param {number} threads
 */
export const space = (threads) =>
  new WebAssembly.Memory({ initial: FIRST, maximum: MOST + MORE * (threads - 1), shared: true });

/**
 * Creates an instance of the module.
 * @param {WebAssembly.Module} module
 * @param {{
 *   write?: (line: string) => void,
 *   onTime?: () => void,
 *   warn?: (text: string) => void,
 *   memory?: WebAssembly.Memory,
 *   joins?: boolean,
 * }} host
 * `write` gets each line of the output, `onTime` is called whenever the module asks for the time,
 * `warn` gets each line of the standard error. An instance that `joins` others shares their
 * memory, which the first of them has initialised.
 */
export async function instance(
  module,
  { write = () => {}, onTime = () => {}, warn = console.error, memory = space(1), joins = false },
) {
  let input = new Uint8Array();
  const decoders = [new TextDecoder(), new TextDecoder()];
  const texts = ["", ""];
  const view = () => new DataView(memory.buffer);

  /**
   * Yields the pieces of memory of a list.
   * @param {number} list
   * @param {number} count
   */
  function* pieces(list, count) {
    for (let i = 0; i < count; i++) {
      const at = view().getUint32(list + 8 * i, true);
      yield new Uint8Array(memory.buffer, at, view().getUint32(list + 8 * i + 4, true));
    }
  }

  /** @type {Record<string, (...values: any[]) => number>} */
  const calls = {
    clock_time_get(/** @type {number} */ clock, /** @type {bigint} */ _precision, /** @type {number} */ result) {
      onTime();
      // Each worker counts from its own start.
      const ms = clock === 0 ? Date.now() : performance.timeOrigin + performance.now();
      view().setBigUint64(result, BigInt(Math.round(ms * 1e6)), true);
      return 0;
    },
    random_get(/** @type {number} */ at, /** @type {number} */ length) {
      for (let done = 0; done < length; done += MAX_RANDOM) {
        // A copy, as browsers refuse shared memory here.
        const chunk = new Uint8Array(Math.min(MAX_RANDOM, length - done));
        new Uint8Array(memory.buffer).set(crypto.getRandomValues(chunk), at + done);
      }
      return 0;
    },
    fd_read(/** @type {number} */ file, /** @type {number} */ list, /** @type {number} */ count, /** @type {number} */ result) {
      if (file !== INPUT) {
        return BAD_FILE;
      }
      let length = 0;
      for (const piece of pieces(list, count)) {
        const chunk = input.subarray(0, piece.length);
        piece.set(chunk);
        input = input.subarray(chunk.length);
        length += chunk.length;
      }
      view().setUint32(result, length, true);
      return 0;
    },
    fd_write(/** @type {number} */ file, /** @type {number} */ list, /** @type {number} */ count, /** @type {number} */ result) {
      if (file !== OUTPUT && file !== OUTPUT + 1) {
        return BAD_FILE;
      }
      const which = file - OUTPUT;
      let length = 0;
      for (const piece of pieces(list, count)) {
        // A copy, as above.
        texts[which] += decoders[which].decode(piece.slice(), { stream: true });
        length += piece.length;
      }
      const lines = texts[which].split("\n");
      texts[which] = lines.pop() ?? "";
      lines.forEach(file === OUTPUT ? write : warn);
      view().setUint32(result, length, true);
      return 0;
    },
    environ_sizes_get(/** @type {number} */ count, /** @type {number} */ bytes) {
      view().setUint32(count, 0, true);
      view().setUint32(bytes, 0, true);
      return 0;
    },
    environ_get: () => 0,
    fd_prestat_get: () => BAD_FILE,
    proc_exit(/** @type {number} */ code) {
      throw new Error(`the module has ended: ${code}`);
    },
  };
  /** @type {Record<string, any>} */
  const imports = { env: { memory } };
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] ??= calls[name] ?? (() => NOT_SUPPORTED);
  }
  const { exports } = await WebAssembly.instantiate(module, imports);
  /** The exports of the module, by kind. */
  const functions = /** @type {Record<string, (...values: number[]) => number>} */ (exports);
  const globals = /** @type {Record<string, WebAssembly.Global>} */ (exports);
  if (!joins) {
    functions._initialize();
  }
  return {
    functions,
    globals,
    /**
     * Calls a function of the module, with `text` as its input.
     * @param {string} name
     * @param {string} [text]
     * @param {number[]} values its parameters
     */
    call(name, text = "", ...values) {
      input = new TextEncoder().encode(text);
      functions[name](...values);
    },
    /** Returns the size of its memory in bytes. */
    bytes: () => memory.buffer.byteLength,
  };
}
