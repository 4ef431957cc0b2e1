// A worker that runs threads of searches, one after another. Its only message has the module, the
// memory and the index of this worker.

import { instance } from "./wasi.js";

/** @typedef {{module: WebAssembly.Module, memory: WebAssembly.Memory, index: number}} Start */

/** Bytes of the module for a worker: the thread-local variables, and a stack above. */
const BASE = 65536;

/** @param {Start} start */
async function run({ module, memory, index }) {
  const { functions, globals } = await instance(module, { memory, joins: true });
  const base = globals.goren_thread_bases.value + index * BASE;
  const stack = globals.__stack_pointer;
  stack.value = base + BASE;
  functions.__wasm_init_tls(base);
  functions.goren_thread_free();
  postMessage({ begun: true });
  for (;;) {
    const thread = functions.goren_thread_next();
    stack.value = functions.goren_thread_stack(thread);
    functions.goren_thread_run(thread);
    stack.value = base + BASE;
    functions.goren_thread_end(thread);
    // Resets the thread-local variables for the next thread.
    functions.__wasm_init_tls(base);
  }
}

addEventListener("message", ({ data }) => {
  run(data).catch((error) => postMessage({ failed: String(error) }));
});
