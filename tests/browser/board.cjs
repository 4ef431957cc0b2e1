// Drives the board as a user would: node board.cjs GOREN PICTURES
//
// GOREN is the program, or the folder of the board without a server.
// STEPS names the steps to run, separated by semicolons.
// PAGE names a folder whose scripts and styles replace those embedded in the program, so that
// changes of the page can be tried without a build.

const assert = require("node:assert");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { chromium, firefox } = require("playwright-core");
const { downloaded, inbox } = require("./download.cjs");
const open = require("./page.cjs");
const serve = require("./serve.cjs");
const lessons = require("./lessons.cjs");

const [goren, pictures] = process.argv.slice(2);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "board-"));
/** Errors of any page; there must be none. */
const errors = [];

const served = fs.statSync(goren).isDirectory();

/** Starts the program, or serves the folder; returns its URL. */
async function start(more = [], port = "0") {
  if (served) {
    const { server, address } = await serve(goren);
    return { program: { removeAllListeners() {}, kill: () => server.close() }, address };
  }
  const args = ["board", "--port", port, "--no-open", "--folder", folder, ...more];
  const program = spawn(goren, args);
  program.stderr.pipe(process.stderr);
  return new Promise((resolve, reject) => {
    let output = "";
    program.on("exit", (code) => reject(new Error(`goren board has ended: ${code}`)));
    program.stdout.on("data", (data) => {
      output += data;
      const found = output.match(/http:\S+/);
      if (found) {
        resolve({ program, address: found[0] });
      }
    });
  });
}

/** Replaces the program's scripts and styles by those of PAGE, if it is set. */
async function replaceFiles(page) {
  if (process.env.PAGE) {
    await page.route(/\.(js|css)$/, (route) => {
      const name = path.basename(new URL(route.request().url()).pathname);
      return route.fulfill({ path: path.join(process.env.PAGE, name) });
    });
  }
}

/** Opens a page whose errors are recorded. */
const opened = (context, address) => open(context, address, errors, replaceFiles);

/** Starts a new game by the dialog. */
async function begin(page, game, { opening = "free", players = ["person", "person"], options = [] } = {}) {
  await page.click("#menu >> text=New game");
  const form = page.locator("dialog form");
  await form.getByLabel("Game", { exact: true }).selectOption(game);
  for (const option of options) {
    await form.getByLabel(new RegExp(`^\\s*${option}:`)).check();
  }
  await form.getByLabel("Opening", { exact: true }).selectOption(opening);
  await form.getByLabel("First player", { exact: true }).selectOption(players[0]);
  await form.getByLabel("Second player", { exact: true }).selectOption(players[1]);
  await form.getByLabel("seconds for a move", { exact: true }).fill("0.2");
  await page.evaluate(async () => {
    const { state } = await import("./state.js");
    Object.assign(window, { before: { game: state.game, tree: state.tree } });
  });
  await form.getByText("Begin", { exact: true }).click();
  // The old game may have the same name: until the new one is shown, it would take the input.
  await page.waitForFunction(async () => {
    const { state } = await import("./state.js");
    return state.game !== window.before.game && state.tree !== window.before.tree;
  });
  await page.waitForFunction((name) => document.getElementById("game-name").textContent.startsWith(name), game);
}

const status = (page) => page.textContent("#status");
const log = (page) => page.textContent("#log");

/** Waits until an element contains some words. */
function until(page, id, words) {
  return page.waitForFunction(
    ([id, words]) => document.getElementById(id).textContent.includes(words),
    [id, words],
    { timeout: 20_000 },
  );
}

async function type(page, moves) {
  for (const move of moves) {
    await page.fill("#ply", move);
    await page.press("#ply", "Enter");
  }
}

async function click(page, cell, how = {}) {
  await page.click(`rect[data-cell="${cell}"]`, how);
}

const isFirefox = path.basename(process.env.BROWSER).startsWith("firefox");

/** Takes a picture; not in Firefox, whose driver would add a style, which the page forbids. */
const shot = (page, name) =>
  isFirefox ? undefined : page.screenshot({ path: path.join(pictures, `${name}.png`) });

/** Plays a short game in each family, to its end. */
async function everyFamily(page) {
  const five = ["h8", "a1", "h9", "a3", "h10", "a5", "h11", "a7", "h12"];
  const games = [
    ["freestyle", five, "Black wins"],
    ["gomoku", five, "Black wins"],
    ["renju", five, "Black wins"],
    ["caro", five, "Black wins"],
    ["pente", ["j10", "a1", "k10", "a3", "l10", "a5", "m10", "a7", "n10"], "Black wins"],
    ["connect6", ["j10", "a1 a2", "k10 l10", "b1 b3", "m10 n10", "c1 c5", "o10 a9"], "Black wins"],
    ["four-in-a-row", ["d", "e", "d", "e", "d", "e", "d"], "Black wins"],
    ["irensei", ["j10", "a1", "k10", "a3", "l10", "a5", "m10", "a7", "n10", "a9", "o10", "a11", "p10"], "Black wins"],
    ["torus-four", ["a1", "c3", "b1", "c5", "h1", "e5", "g1"], "Black wins"],
  ];
  for (const [game, moves, end] of games) {
    await begin(page, game);
    await type(page, moves);
    await until(page, "status", end);
    await shot(page, game);
    console.log(`  ${game}: ${await status(page)}`);
  }
}

/** The board of Keryo-Pente has another colour than that of Pente. */
async function keryo(page) {
  const board = "#board svg > rect";
  await begin(page, "pente");
  const usual = await page.getAttribute(board, "fill");
  await begin(page, "pente", { options: ["keryo"] });
  await page.waitForFunction(
    ([board, usual]) => document.querySelector(board).getAttribute("fill") !== usual,
    [board, usual],
  );
}

/** Plays an opening by clicks, step by step. */
async function swap2(page) {
  await begin(page, "gomoku", { opening: "swap-2" });
  assert.match(await status(page), /place 3 stones in this order: Black, White, Black/);
  await click(page, "7,7");
  await until(page, "status", "2 stones to come");
  await click(page, "8,6");
  await click(page, "9,7");
  await until(page, "status", "swap, or");
  await shot(page, "swap-2");
  await page.click("#ways >> text=Place 2 stones");
  await click(page, "0,0");
  await click(page, "2,0");
  await until(page, "status", "Place White");
  // The focus of the keyboard moves to the board.
  await page.focus("#ways >> text=Swap");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#ways >> text=Swap", { state: "detached" });
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "svg");
}

/** The engine decides the openings of renju, and plays. */
async function engines(page) {
  await begin(page, "renju", { opening: "taraguchi-10", players: ["engine", "engine"] });
  await page.waitForFunction(() => document.querySelectorAll("#moves button[aria-current]").length > 6, null, { timeout: 60_000 });
  // A button that is being clicked stays in place, though plies and messages arrive meanwhile.
  const plies = () => page.locator("#moves button[aria-current]").count();
  const place = () => page.locator("#actions >> text=Stop").boundingBox();
  const before = await plies();
  const stop = await place();
  await page.mouse.move(stop.x + stop.width / 2, stop.y + stop.height / 2);
  await page.mouse.down();
  await page.waitForFunction((count) => document.querySelectorAll("#moves button[aria-current]").length > count + 2, before, { timeout: 20_000 });
  const { x, y } = await place();
  assert.deepEqual([x, y], [stop.x, stop.y]);
  await page.mouse.up();
  await page.waitForFunction(() => !document.getElementById("status").textContent.includes("thinking"), null, { timeout: 20_000 });
}

async function analysis(page) {
  await begin(page, "renju");
  await type(page, ["h8", "i9", "h9", "i8", "i10"]);
  const begun = Date.now();
  await page.click("#analysis-bar >> text=Analyse");
  await page.waitForSelector("#lines li");
  console.log(`  first line after ${Date.now() - begun} ms`);
  await page.waitForFunction(() => /depth ([6-9]|\d\d)/.test(document.getElementById("cost").textContent), null, { timeout: 20_000 });
  assert.equal(await page.locator("#lines li").count(), 3);
  assert.ok((await page.locator(".candidate").count()) >= 1);
  await page.locator("#lines li").first().hover();
  await shot(page, "analysis-hover");
  await page.mouse.move(1, 1);
  await shot(page, "analysis");
  // A move is shown at once while the engine is thinking.
  const clicked = Date.now();
  await type(page, ["g7"]);
  await page.waitForFunction(() => document.querySelectorAll("#moves button[aria-current]").length === 7);
  console.log(`  a move is shown after ${Date.now() - clicked} ms`);
  // A reload during the search restores the game.
  await page.waitForFunction(() => sessionStorage.getItem("goren-tree").includes('"g7"'));
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll("#moves button[aria-current]").length === 7);
  await page.keyboard.press("a");
  await page.waitForSelector("#lines li");
  await page.keyboard.press("s");
  await page.waitForFunction(() => document.querySelector("#actions button:nth-child(6)").disabled);
}

async function fouls(page) {
  await begin(page, "renju");
  await type(page, ["f8", "a1", "g8", "a3", "h6", "a5", "h7", "a7"]);
  await page.waitForSelector("path.foul");
  await click(page, "7,7");
  await until(page, "log", "Black on h8: double three");
  assert.match(await log(page), /row f8 g8 h8 is a three/);
  await shot(page, "foul");
  // The second click counts only after the explanation could be read.
  await page.waitForTimeout(800);
  await click(page, "7,7");
  await until(page, "status", "h8 was a foul, double three: White wins.");
}

/** Saves and opens files of the program's folder. */
async function inFolder(page) {
  await page.click("#menu >> text=Save");
  await page.fill("dialog input[aria-label^='Save in the folder']", "kept.sgf");
  await page.click("dialog button:text-is('Save')");
  await until(page, "log", "Saved as kept.sgf.");
  await page.waitForSelector("dialog[open]", { state: "detached" });
  assert.ok(fs.existsSync(path.join(folder, "kept.sgf")));
  /** Returns the name that the dialog offers, and whether it overwrites. */
  const offered = async () => {
    await page.click("#menu >> text=Save");
    return [await page.inputValue("dialog form input >> nth=0"), await page.isChecked("dialog form input >> nth=1")];
  };
  // The same file can be overwritten with one click, another file cannot.
  assert.deepEqual(await offered(), ["kept.sgf", true]);
  fs.writeFileSync(path.join(folder, "other.sgf"), "");
  await page.fill("dialog form input >> nth=0", "other.sgf");
  assert.ok(!(await page.isChecked("dialog form input >> nth=1")));
  await page.click("dialog button:text-is('Save')");
  await page.waitForSelector("dialog[open] .bad:has-text('other.sgf')");
  await page.check("dialog form input >> nth=1");
  await page.click("dialog button:text-is('Save')");
  await page.waitForSelector("dialog[open]", { state: "detached" });
  assert.ok(fs.statSync(path.join(folder, "other.sgf")).size > 0);
  // Nor can the file of another game.
  await begin(page, "pente");
  assert.deepEqual(await offered(), ["other.sgf", false]);
  await page.keyboard.press("Escape");
  await page.click("#menu >> text=Open");
  await page.click("dialog >> text=kept.sgf");
  await page.waitForFunction(() => document.getElementById("game-name").textContent.startsWith("freestyle"));
  assert.deepEqual(await offered(), ["kept.sgf", false]);
  await page.keyboard.press("Escape");
}

async function files(page) {
  await begin(page, "freestyle");
  await type(page, ["h8", "i9", "j10"]);
  for (const form of ["SGF", "psq", "moves", "JSON", "tree", "Picture (SVG)", "Picture (PNG)"]) {
    await page.click("#menu >> text=Save");
    const name = await saved(page, () => page.click(`dialog >> text="${form}"`), "saved-");
    assert.ok(fs.statSync(name).size > 5, form);
    if (form.startsWith("Picture")) {
      continue;
    }
    await begin(page, "connect6");
    await page.click("#menu >> text=Open");
    await page.setInputFiles("dialog input[type=file]", name);
    await page.waitForFunction(() => document.getElementById("game-name").textContent.startsWith("freestyle"));
    await page.waitForFunction(() => document.querySelectorAll("#moves button[aria-current]").length === 4);
  }
  if (!served) {
    await inFolder(page);
  }
  // A broken text is refused with a message, and nothing is lost.
  await page.click("#menu >> text=Open");
  await page.fill("dialog textarea", "(;GM[1]");
  await page.click("dialog button:text-is('Open')");
  await page.waitForSelector("#log .bad");
  assert.equal(await page.locator("#moves button[aria-current]").count(), 4);
}

async function keyboard(page) {
  await begin(page, "renju");
  await page.focus("#board svg");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll("#moves button[aria-current]").length === 2);
  assert.match(await page.textContent("#cursor-text"), /^[a-o]\d+, /);
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.querySelector("#moves button").getAttribute("aria-current") === "true");
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open] >> text=explain the point");
  await shot(page, "help");
  // A click between the fields of a dialog removes the focus: keys still do not reach the page.
  await page.click("dialog h3");
  await page.keyboard.press("n");
  await page.keyboard.press("ArrowRight");
  assert.ok(await page.locator("dialog #rules").isVisible());
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.querySelector("#moves button").getAttribute("aria-current") === "true");
}

async function twoTabs(context, page, address) {
  await begin(page, "freestyle");
  await type(page, ["h8"]);
  const other = await opened(context, address);
  await begin(other, "pente");
  await type(other, ["j10", "k10"]);
  await page.waitForFunction(() => document.querySelectorAll("#moves button[aria-current]").length === 2);
  await page.waitForFunction(() => sessionStorage.getItem("goren-tree").includes('"h8"'));
  await page.reload();
  await page.waitForFunction(() => document.getElementById("game-name").textContent.startsWith("freestyle"));
  await other.close();
}

/** A program that is killed loses nothing: the next one continues with the tree of the browser. */
async function killed(context) {
  const first = await start();
  // Failing sockets log console errors, which are expected here.
  const page = await context.newPage();
  await page.goto(first.address);
  await page.waitForSelector("#board svg");
  await begin(page, "renju");
  await type(page, ["h8", "i9", "j10"]);
  await page.waitForFunction(() => localStorage.getItem("goren-tree").includes('"j10"'));
  first.program.removeAllListeners("exit");
  first.program.kill("SIGKILL");
  await until(page, "status", "cannot be reached");
  await type(page, ["k11"]);
  await until(page, "notice", "nothing was done");
  assert.equal(await page.inputValue("#ply"), "k11");
  await page.close();
  const second = await start([], new URL(first.address).port);
  const other = await context.newPage();
  await other.goto(second.address);
  await other.waitForFunction(() => document.querySelectorAll("#moves button[aria-current]").length === 4);
  await other.close();
  second.program.removeAllListeners("exit");
  second.program.kill("SIGINT");
}

async function accessible(page) {
  await page.evaluate(fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
  const found = await page.evaluate(() => window.axe.run());
  const faults = found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`);
  assert.deepEqual(faults, []);
}

/** Returns the path of the file that an action saves. */
const saved = (page, act, prefix) => downloaded(page, isFirefox, act, pictures, prefix);

const tools = { saved, start, begin, type, click, until, shot, opened, pictures, isFirefox, folder, served, accessible };
const endurance = require("./endurance.cjs")(tools);
const crowded = require("./crowded.cjs")(tools);
const latency = require("./latency.cjs")(tools);
const study = require("./study.cjs")(tools);
const forms = require("./forms.cjs")(tools);
const dialogs = require("./dialogs.cjs")(tools);
const knowledge = require("./knowledge.cjs")(tools);
const hands = require("./hands.cjs")(tools);
const kept = require("./kept.cjs")(tools);
const play = require("./play.cjs")(tools);
const points = require("./points.cjs")(tools);
const threats = require("./threats.cjs")(tools);
const variations = require("./variations.cjs")(tools);
const starting = require("./starting.cjs");

/** Launches a browser of the system: Firefox by WebDriver BiDi, Chromium by its own protocol. */
function launched(executablePath) {
  if (isFirefox) {
    // The download panel would open with each download, and take the focus from the page.
    const firefoxUserPrefs = { "browser.download.alwaysOpenPanel": false };
    return firefox.launch({ executablePath, channel: "moz-firefox", downloadsPath: inbox, firefoxUserPrefs });
  }
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath, args });
}

async function main() {
  const { program, address } = await start();
  const browser = await launched(process.env.BROWSER);
  // Media features that Firefox cannot emulate.
  const plain = isFirefox
    ? { colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null }
    : {};
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...plain });
    const loadStart = Date.now();
    const page = await opened(context, address);
    console.log(`shown after ${Date.now() - loadStart} ms`);
    const programSteps = {
      "a program that is killed": () => killed(context),
      endurance: () => endurance(context),
      "too many pages": () => crowded(context),
    };
    const steps = {
      "every family": () => everyFamily(page),
      "the colour of Keryo-Pente": () => keryo(page),
      "an opening by clicks": () => swap2(page),
      "engine against engine": () => engines(page),
      analysis: () => analysis(page),
      latency: () => latency(page),
      fouls: () => fouls(page),
      levels: () => lessons.levels(page),
      review: () => lessons.review(page, { begin, type, until, shot }),
      trainer: () => lessons.trainer(page, { begin, type, until, shot }),
      memory: () => lessons.memory(page),
      files: () => files(page),
      ...study(page, context),
      ...forms(page),
      ...knowledge(page),
      ...dialogs(page),
      ...hands(page),
      ...kept(page, () => opened(context, address)),
      ...play(page),
      ...points(page),
      ...threats(page),
      ...variations(page),
      ...starting(() => browser.newContext(plain)),
      keyboard: () => keyboard(page),
      "two tabs": () => twoTabs(context, page, address),
      ...(served ? {} : programSteps),
      accessibility: () => accessible(page),
      "a phone, dark": async () => {
        const mobile = isFirefox ? plain : { colorScheme: "dark", hasTouch: true, isMobile: true };
        const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, ...mobile });
        const small = await opened(phone, address);
        await begin(small, "renju");
        const point = 'rect[data-cell="7,7"]';
        if (isFirefox) {
          await small.click(point);
        } else {
          // A finger covers more than a point: the second tap places the stone.
          await small.tap(point);
          await small.waitForSelector("circle.tapped");
          await small.tap(point);
        }
        const plies = (count) =>
          small.waitForFunction((count) => document.querySelectorAll("#moves button[aria-current]").length === count, count);
        await plies(2);
        if (!isFirefox) {
          // In landscape the board is even smaller.
          await small.setViewportSize({ width: 844, height: 390 });
          await small.tap('rect[data-cell="9,9"]');
          await small.waitForSelector("circle.tapped");
          await small.tap('rect[data-cell="9,9"]');
          await plies(3);
          await small.setViewportSize({ width: 390, height: 844 });
        }
        const wide = await small.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        assert.ok(!wide, "wider than the phone");
        if (!isFirefox) {
          const { height } = await small.locator("#moves button").first().boundingBox();
          assert.ok(height >= 36, `a move of the tree is ${height} pixels high`);
        }
        await accessible(small);
        if (!isFirefox) {
          await small.screenshot({ path: path.join(pictures, "phone.png"), fullPage: true });
        }
        await phone.close();
      },
    };
    const wanted = process.env.STEPS?.split(";");
    const unknown = wanted?.filter((name) => !Object.hasOwn(steps, name)) ?? [];
    assert.deepEqual(unknown, [], `no such steps; there are: ${Object.keys(steps).join("; ")}`);
    for (const [name, step] of Object.entries(steps)) {
      if (wanted && !wanted.includes(name)) {
        continue;
      }
      console.log(name);
      await step();
      assert.deepEqual(errors, [], `${name}: ${errors}`);
    }
  } finally {
    await browser.close();
    program.removeAllListeners("exit");
    program.kill("SIGINT");
    fs.rmSync(folder, { recursive: true });
  }
  console.log("all is well");
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
