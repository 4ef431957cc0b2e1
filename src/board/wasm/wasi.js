// The host of the module: what WASI, preview 1, calls the clock, random numbers, input
// and output. Everything else of it is refused, as there are no files.

/** Errors of the system interface. */
const BAD_FILE = 8;
const NOT_SUPPORTED = 52;
/** Files that are always open. */
const INPUT = 0;
const OUTPUT = 1;
/** Random bytes that a browser gives at once. */
const MOST_RANDOM = 65536;
/** Pages of memory: at first, at most with one thread, and more for every other one. */
const FIRST = 512;
const MOST = 4096;
const MORE = 384;
/** Most threads. */
export const THREADS = 16;

/**
 * Memory of an instance, or shared by the instances that run `threads` threads.
 * @param {number} threads
 */
export const space = (threads) =>
  new WebAssembly.Memory({ initial: FIRST, maximum: MOST + MORE * (threads - 1), shared: true });

/**
 * An instance of the module.
 * @param {WebAssembly.Module} module
 * @param {{
 *   write?: (line: string) => void,
 *   look?: () => void,
 *   warn?: (text: string) => void,
 *   memory?: WebAssembly.Memory,
 *   joins?: boolean,
 * }} host
 * `write` is given each line of the output, `look` is called whenever the time is asked
 * for, `warn` is given what the module complains about. An instance that `joins` others
 * shares their memory, which the first of them has begun.
 */
export async function instance(
  module,
  { write = () => {}, look = () => {}, warn = console.error, memory = space(1), joins = false },
) {
  let input = new Uint8Array();
  const decoders = [new TextDecoder(), new TextDecoder()];
  const texts = ["", ""];
  const view = () => new DataView(memory.buffer);

  /**
   * The pieces of memory of a list.
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
      look();
      // Every worker begins to count when it begins itself.
      const ms = clock === 0 ? Date.now() : performance.timeOrigin + performance.now();
      view().setBigUint64(result, BigInt(Math.round(ms * 1e6)), true);
      return 0;
    },
    random_get(/** @type {number} */ at, /** @type {number} */ length) {
      for (let done = 0; done < length; done += MOST_RANDOM) {
        // A copy: memory that is shared would be refused.
        const some = new Uint8Array(Math.min(MOST_RANDOM, length - done));
        new Uint8Array(memory.buffer).set(crypto.getRandomValues(some), at + done);
      }
      return 0;
    },
    fd_read(/** @type {number} */ file, /** @type {number} */ list, /** @type {number} */ count, /** @type {number} */ result) {
      if (file !== INPUT) {
        return BAD_FILE;
      }
      let length = 0;
      for (const piece of pieces(list, count)) {
        const some = input.subarray(0, piece.length);
        piece.set(some);
        input = input.subarray(some.length);
        length += some.length;
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
  /** What the module exports, by kind. */
  const functions = /** @type {Record<string, (...values: number[]) => number>} */ (exports);
  const globals = /** @type {Record<string, WebAssembly.Global>} */ (exports);
  if (!joins) {
    functions._initialize();
  }
  return {
    functions,
    globals,
    /**
     * Calls a function of the module, which may read the text.
     * @param {string} name
     * @param {string} [text]
     * @param {number[]} values its parameters
     */
    call(name, text = "", ...values) {
      input = new TextEncoder().encode(text);
      functions[name](...values);
    },
    /** Bytes of its memory. */
    bytes: () => memory.buffer.byteLength,
  };
}
