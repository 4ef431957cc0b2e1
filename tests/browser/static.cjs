// Drives the board without a server: node static.cjs FOLDER PICTURES
//
// The folder is served as by a plain host, without our headers: once to a browser that stores the
// page, which then may share memory, and once to a browser that does not.

const assert = require("node:assert");
const path = require("node:path");
const { chromium } = require("playwright-core");
const open = require("./page.cjs");
const serve = require("./serve.cjs");

const [folder, pictures] = process.argv.slice(2);
/** Errors of any page; there must be none. */
const errors = [];
/** Time limit for a stopped search to end. */
const STOPPED_MS = 50;
/** Time limits for the page and the first line of the engine. */
const SHOWN_MS = 1000;
const LINE_MS = 1500;

const viewport = { width: 1280, height: 900 };

/** Opens a page whose errors are recorded. */
const opened = (context, address) => open(context, address, errors);

/** Makes a browser store no pages. */
const keepNothing = () => Object.defineProperty(navigator, "serviceWorker", { value: undefined });

/** Waits until the browser has stored the page, which shares memory then. */
async function waitUntilStored(page) {
  await page.waitForFunction(() => globalThis.crossOriginIsolated && navigator.serviceWorker.controller);
  await page.waitForSelector("#board svg");
}

/** Opens the dialog; returns its field for the search threads. */
async function threadsField(page) {
  await page.click("#menu >> text=New game");
  return page.locator("dialog form").getByLabel("search threads", { exact: true });
}

/** Starts a new game by the dialog. */
async function begin(page, game, players, seconds = "0.2", threads = "1") {
  await (await threadsField(page)).fill(threads);
  const form = page.locator("dialog form");
  await form.getByLabel("Game", { exact: true }).selectOption(game);
  await form.getByLabel("Opening", { exact: true }).selectOption("free");
  await form.getByLabel("First player", { exact: true }).selectOption(players[0]);
  await form.getByLabel("Second player", { exact: true }).selectOption(players[1]);
  await form.getByLabel("seconds for a move", { exact: true }).fill(seconds);
  await form.getByText("Begin", { exact: true }).click();
  await page.waitForFunction((name) => document.getElementById("game-name").textContent.startsWith(name), game);
}

async function type(page, moves) {
  for (const move of moves) {
    await page.fill("#ply", move);
    await page.press("#ply", "Enter");
  }
}

/** Waits until the line shown has `count` positions. */
const positions = (page, count) =>
  page.waitForFunction((count) => document.querySelectorAll("#moves button[aria-current]").length >= count, count);

/** Measures the first paint, and the time of the engine's first line. */
async function firstLine(page) {
  const shown = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
  const start = Date.now();
  await page.keyboard.press("a");
  await page.waitForSelector("#lines li");
  const line = Date.now() - start;
  await page.keyboard.press("s");
  console.log(`  first paint after ${Math.round(shown)} ms, first line ${line} ms after it is asked for`);
  assert.ok(shown < SHOWN_MS && line < LINE_MS);
}

/** Measures the times from a click on Stop to the engine's ply; returns the median. */
async function stops(page, threads) {
  await page.evaluate(() => {
    const named = (text) => [...document.querySelectorAll("#actions button")].find((b) => b.textContent === text);
    const count = () => document.querySelectorAll("#moves button[aria-current]").length;
    const until = (done) =>
      new Promise((resolve) => {
        const look = () => (done() ? resolve(performance.now()) : setTimeout(look, 1));
        look();
      });
    globalThis.stopping = async () => {
      const before = count();
      named("Engine, move").click();
      await until(() => document.getElementById("status").textContent.includes("thinking"));
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const start = performance.now();
      named("Stop").click();
      return (await until(() => count() > before)) - start;
    };
  });
  const times = [];
  for (const moves of [["h8"], ["h8", "i9"], ["h8", "h9"], ["h8", "i9", "j8"], ["h8", "h9", "i7"]]) {
    // The engine does not decide here within a second.
    await begin(page, "freestyle", ["person", "person"], "60", threads);
    // Until then the page shows the old game, which may be longer.
    await page.waitForFunction(() => document.querySelectorAll("#moves button[aria-current]").length === 1);
    await type(page, moves);
    await positions(page, moves.length + 1);
    times.push(Math.round(await page.evaluate(() => globalThis.stopping())));
  }
  console.log(`  a search that is stopped plays after ${times.sort((a, b) => a - b).join(", ")} ms`);
  return times[2];
}

/** The engine plays against a person, and against itself, to the end of games. */
async function games(page) {
  await begin(page, "gomoku", ["person", "engine"]);
  // Moves far apart lose quickly.
  for (const move of ["a1", "o15", "a15", "o1", "h1", "h15", "a8", "o8", "d1", "l15", "d15", "l1"]) {
    const before = await page.locator("#moves button[aria-current]").count();
    await type(page, [move]);
    await page.waitForFunction(
      (before) =>
        document.getElementById("status").textContent.includes("wins") ||
        document.querySelectorAll("#moves button[aria-current]").length >= before + 2,
      before,
    );
    if ((await page.textContent("#status")).includes("wins")) {
      break;
    }
  }
  const end = await page.textContent("#status");
  console.log(`  gomoku: ${end}`);
  assert.match(end, /White wins/);
  await begin(page, "four-in-a-row", ["engine", "engine"], "0.1");
  await page.waitForFunction(() => /wins|draw/i.test(document.getElementById("status").textContent), null, {
    timeout: 60_000,
  });
  console.log(`  four-in-a-row: ${await page.textContent("#status")}`);
}

/** The page responds while the analysis is running. */
async function analysis(page) {
  await begin(page, "renju", ["person", "person"]);
  await type(page, ["h8", "i9", "h9", "i8", "i10"]);
  await positions(page, 6);
  await page.click("#analysis-bar >> text=Analyse");
  await page.waitForFunction(() => /depth ([6-9]|\d\d)/.test(document.getElementById("cost").textContent), null, {
    timeout: 30_000,
  });
  await page.screenshot({ path: path.join(pictures, "static-analysis.png") });
  const start = Date.now();
  await type(page, ["g7"]);
  await positions(page, 7);
  console.log(`  a move is shown after ${Date.now() - start} ms`);
  await page.waitForSelector("#lines li");
  // Waits until no search is running.
  await page.click("#analysis-bar >> text=Analyse");
  await page.waitForFunction(() => [...document.querySelectorAll("#actions button")].find((b) => b.textContent === "Stop").disabled);
  await page.click("#analysis-bar >> text=Win by fours");
  await page.waitForFunction(() => /fours/.test(document.getElementById("log").textContent), null, { timeout: 30_000 });
}

/**
 * Changes of files for `failures`. The host makes them, as the driver of the browser does not see
 * the requests of a worker.
 */
const FAULTS = [
  ["search.js", "const module = await searcher;", "$& if (job.includes('pente')) throw new Error('boom');"],
  ["model.js", 'model.call("goren_command", data)', "{ if (data.includes('k11')) throw new Error('boom'); $&; }"],
];

/** A failed search is reported, and the next one runs; a failed model is restarted. */
async function failures(context, address) {
  await context.addInitScript(keepNothing);
  const page = await opened(context, address);
  await begin(page, "pente", ["engine", "person"]);
  await page.waitForSelector("text=The search has failed: Error: boom.");
  await begin(page, "gomoku", ["engine", "person"]);
  await positions(page, 2);
  const storedTree = () => page.evaluate(() => sessionStorage.getItem("goren-tree"));
  await page.waitForFunction(() => sessionStorage.getItem("goren-tree").includes('"current":1'));
  const before = await storedTree();
  await type(page, ["k11"]);
  await page.waitForFunction(() => !document.getElementById("status").textContent.includes("to move"));
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("to move"));
  await positions(page, 2);
  assert.equal(await storedTree(), before);
  // A move is stored at once.
  await type(page, ["c3", "k11"]);
  await page.waitForFunction(() => !document.getElementById("status").textContent.includes("to move"));
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("to move"));
  assert.match(await storedTree(), /"c3"/);
  await unsent(page);
}

/**
 * A comment that is written while the model restarts goes to its position, which gets another
 * number.
 */
async function unsent(page) {
  const exactly = (count) =>
    page.waitForFunction((count) => document.querySelectorAll("#moves button[aria-current]").length === count, count);
  const at = (move) =>
    page.waitForFunction((move) => document.querySelector("#moves button[aria-current=true]").textContent === move, move);
  await begin(page, "freestyle", ["person", "person"]);
  await exactly(1);
  await type(page, ["h8", "i9"]);
  await exactly(3);
  await page.click("#actions >> text=Undo");
  await at("h8");
  await type(page, ["j9"]);
  await exactly(4);
  await page.click('#moves button:text-is("i9")');
  await at("i9");
  await type(page, ["l10"]);
  await exactly(5);
  await type(page, ["k11"]);
  await page.waitForFunction(() => !document.getElementById("status").textContent.includes("to move"));
  await page.fill("#comment", "written meanwhile");
  await page.waitForSelector('#moves button[aria-current=true]:text-is("l10 ✎")');
  assert.equal(await page.inputValue("#comment"), "written meanwhile");
  assert.match(await page.textContent("#comment-label"), /l10$/);
}

/** Changes of files for `late`: the worker that searches takes long to begin. */
const SLOW = [
  ["model.js", "await target.begun;", "$& await new Promise((resolve) => setTimeout(resolve, 2000));"],
];

/** The engine plays in time even though the clock runs while the worker begins. */
async function late(context, address) {
  await context.addInitScript(keepNothing);
  const page = await opened(context, address);
  await page.click("#menu >> text=New game");
  const form = page.locator("dialog form");
  await form.getByLabel("Game", { exact: true }).selectOption("freestyle");
  await form.getByLabel("Opening", { exact: true }).selectOption("free");
  await form.getByLabel("First player", { exact: true }).selectOption("person");
  await form.getByLabel("Second player", { exact: true }).selectOption("engine");
  await form.getByLabel("Play by the clock").check();
  await form.getByLabel("minutes for the game", { exact: true }).fill("0");
  await form.getByLabel("most seconds for a move", { exact: true }).fill("4");
  await form.getByText("Begin", { exact: true }).click();
  await page.waitForFunction(() => !document.getElementById("clocks").hidden);
  await type(page, ["h8"]);
  await page.waitForFunction(
    () =>
      document.getElementById("status").textContent.includes("out of time") ||
      document.querySelectorAll("#moves button[aria-current]").length === 3,
  );
  assert.ok(!(await page.textContent("#status")).includes("out of time"));
}

/** Changes of files for `chain`: the start of a worker that searches is reported. */
const STARTS = [
  [
    "model.js",
    'const worker = new Worker(url, { type: "module" });',
    "$& new BroadcastChannel('started').postMessage(String(url));",
  ],
];

/** The same worker runs one search after another, and so keeps its table. */
async function chain(context, address) {
  await context.addInitScript(keepNothing);
  const page = await opened(context, address);
  await page.evaluate(() => {
    globalThis.started = [];
    globalThis.starts = new BroadcastChannel("started");
    globalThis.starts.onmessage = ({ data }) => globalThis.started.push(data);
  });
  await begin(page, "four-in-a-row", ["engine", "engine"], "0.1");
  await positions(page, 8);
  assert.deepEqual(await page.evaluate(() => globalThis.started), []);
}

/** The stored page does not affect other files of the host. */
async function neighbours(page, address) {
  const policy = (name) =>
    page.evaluate(async (name) => (await fetch(name)).headers.get("Cross-Origin-Embedder-Policy"), name);
  assert.equal(await policy("main.js"), "require-corp");
  assert.equal(await policy("service.js"), null);
  await page.goto(`${address}moved`);
  await page.waitForSelector("#board svg");
  assert.equal(page.url(), address);
}

/** Changes of files for `threads`: a worker reports how long it ran a thread. */
const REPORTS = [
  [
    "thread.js",
    "functions.goren_thread_run(thread);",
    "const begun = performance.now(); $& new BroadcastChannel('ran').postMessage(performance.now() - begun);",
  ],
];

/** Searches on two threads with shared memory: the second runs as long as the search. */
async function threads(context, address) {
  const page = await opened(context, address);
  await waitUntilStored(page);
  const cores = await page.evaluate(() => navigator.hardwareConcurrency);
  assert.equal(await (await threadsField(page)).getAttribute("max"), String(Math.min(cores, 16)));
  await page.keyboard.press("Escape");
  if (cores < 2) {
    console.log("  this machine has one core: no second thread was tried");
    return;
  }
  await page.evaluate(() => {
    globalThis.ran = [];
    new BroadcastChannel("ran").onmessage = ({ data }) => globalThis.ran.push(Math.round(data));
  });
  await begin(page, "renju", ["person", "person"], "60", "2");
  await type(page, ["h8", "i9", "h9", "i8", "i10"]);
  await positions(page, 6);
  await page.click("#analysis-bar >> text=Analyse");
  await page.waitForSelector("#lines li");
  await page.waitForTimeout(2000);
  await page.click("#actions >> text=Stop");
  await page.waitForFunction(() => globalThis.ran.length > 0);
  const ran = await page.evaluate(() => globalThis.ran);
  console.log(`  the second thread ran ${ran.join(", ")} ms: ${await page.textContent("#cost")}`);
  assert.ok(ran.length === 1 && ran[0] >= 2000);
  const time = await stops(page, "2");
  assert.ok(time <= STOPPED_MS, `stopped after ${time} ms`);
  await page.waitForFunction(() => globalThis.ran.length === 6);
}

/** Changes of files for `small`: the browser has no memory for several threads. */
const SMALL = [
  [
    "wasi.js",
    "export const space = (threads) =>",
    "const refuse = () => { throw new RangeError('no memory'); };\n$& threads > 1 ? refuse() :",
  ],
];

/** With less memory there are fewer threads: the page reports it, and the engine plays. */
async function small(context, address) {
  const page = await opened(context, address);
  await waitUntilStored(page);
  if ((await page.evaluate(() => navigator.hardwareConcurrency)) > 1) {
    await page.waitForFunction(() =>
      document.getElementById("log").textContent.includes("memory for only 1 search thread"),
    );
  }
  assert.equal(await (await threadsField(page)).getAttribute("max"), "1");
  await page.keyboard.press("Escape");
  await begin(page, "gomoku", ["engine", "person"]);
  await positions(page, 2);
}

/** Runs a test with new storage on the folder with changes of its files. */
async function changed(browser, name, changes, test) {
  console.log(name);
  const { server, address } = await serve(folder, changes);
  const context = await browser.newContext({ viewport });
  await test(context, address).finally(() => server.close());
  assert.deepEqual(errors, []);
  await context.close();
}

async function main() {
  const { server, address } = await serve(folder);
  const browser = await chromium.launch({
    executablePath: process.env.BROWSER,
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  try {
    console.log("a browser that keeps nothing");
    const plain = await browser.newContext({ viewport });
    await plain.addInitScript(keepNothing);
    const bare = await opened(plain, address);
    assert.ok(!(await bare.evaluate(() => globalThis.crossOriginIsolated)));
    assert.equal(await (await threadsField(bare)).getAttribute("max"), "1");
    await bare.keyboard.press("Escape");
    await firstLine(bare);
    await games(bare);
    await analysis(bare);
    // The search ended at once with its worker; another worker decides.
    await stops(bare);
    assert.deepEqual(errors, []);
    await plain.close();

    await changed(browser, "failures", FAULTS, failures);
    await changed(browser, "a worker that takes long to begin", SLOW, late);
    await changed(browser, "one search after another", STARTS, chain);

    console.log("a browser that keeps the page");
    const keeping = await browser.newContext({ viewport });
    const page = await opened(keeping, address);
    await waitUntilStored(page);
    await firstLine(page);
    await games(page);
    await analysis(page);
    const time = await stops(page);
    assert.ok(time <= STOPPED_MS, `stopped after ${time} ms`);
    await neighbours(page, address);
    assert.deepEqual(errors, []);

    await changed(browser, "two threads", REPORTS, threads);
    await changed(browser, "a browser with little memory", SMALL, small);

    console.log("without a network");
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
    await page.reload();
    await page.waitForSelector("#board svg");
    assert.ok(await page.evaluate(() => globalThis.crossOriginIsolated));
    await firstLine(page);
    await games(page);
    const other = await opened(keeping, address);
    await begin(other, "pente", ["engine", "person"]);
    await positions(other, 2);
    await other.screenshot({ path: path.join(pictures, "static-offline.png") });
    assert.deepEqual(errors, []);
  } finally {
    await browser.close();
    server.close();
  }
  console.log("all is well");
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
