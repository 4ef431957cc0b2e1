// A worker that runs threads of the searches, one after another. It is told once the
// module, the memory and which of these workers it is.

import { instance } from "./wasi.js";

/** @typedef {{module: WebAssembly.Module, memory: WebAssembly.Memory, index: number}} Start */

/** Bytes that the module has for a worker: the variables of a thread, and a stack above. */
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
    // A thread finds its variables as they are at first.
    functions.__wasm_init_tls(base);
  }
}

addEventListener("message", ({ data }) => {
  run(data).catch((error) => postMessage({ failed: String(error) }));
});
