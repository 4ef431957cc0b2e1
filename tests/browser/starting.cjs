// The page without a server while its program is loading, and when the program cannot run. The
// test needs no program: it serves only the files of the page.

const assert = require("node:assert");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const serve = require("./serve.cjs");

const board = path.join(__dirname, "../../src/board");

/** Makes a folder of the page without a server, but without its program. */
function gathered() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "starting-"));
  for (const part of ["page", "wasm"]) {
    const files = fs.readdirSync(path.join(board, part)).filter((name) => /\.(html|css|js|svg)$/.test(name));
    files.forEach((name) => fs.copyFileSync(path.join(board, part, name), path.join(folder, name)));
  }
  return folder;
}

/** Makes the browser store no pages, so that each page is loaded as if for the first time. */
const keepNothing = () => Object.defineProperty(navigator, "serviceWorker", { value: undefined });

/** Emulates a browser without SIMD. */
const noSimd = () => (WebAssembly.validate = () => false);

/** Emulates a browser without module workers, for which imports are errors. */
function noModules() {
  globalThis.Worker = class extends EventTarget {
    constructor() {
      super();
      setTimeout(() => this.dispatchEvent(new ErrorEvent("error", { message: "import" })));
    }
    terminate() {}
  };
}

/** A script that the browser cannot read. */
const NEWER = "let newer = @@;";

/** Starts a page in a new context; returns its status after `ms` milliseconds. */
async function started(context, address, ms, prepare) {
  await context.addInitScript(keepNothing);
  await context.addInitScript(prepare);
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForTimeout(ms);
  const status = await page.textContent("#status");
  await context.close();
  return status;
}

/** The step; `fresh` creates a context of the browser. */
module.exports = (fresh) => ({
  "a page that is loading": async () => {
    const folder = gathered();
    const { server, address } = await serve(folder);
    const asked = [];
    server.on("request", ({ url }) => asked.push(url));
    try {
      // The page tries three times, with a pause of 1.5 seconds.
      assert.match(await started(await fresh(), address, 6500, () => {}), /^The board cannot run here: Error: goren\.wasm: 404$/);
      assert.equal(asked.filter((url) => url.endsWith("goren.wasm")).length, 3);
      assert.match(await started(await fresh(), address, 6500, noSimd), /no SIMD/);
      assert.match(await started(await fresh(), address, 6500, noModules), /no module workers/);
      fs.writeFileSync(path.join(folder, "model.js"), "");
      assert.equal(await started(await fresh(), address, 2500, () => {}), "Loading …");
      fs.writeFileSync(path.join(folder, "words.js"), NEWER);
      assert.match(await started(await fresh(), address, 500, () => {}), /this browser is too old/);
    } finally {
      server.close();
      server.closeAllConnections();
      fs.rmSync(folder, { recursive: true });
    }
  },
});
