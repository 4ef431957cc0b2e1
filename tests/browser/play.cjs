// Play by the clock, levels of both sides, second taps, letters without i, and recorded scores.

const assert = require("node:assert");
const fs = require("node:fs");

/** The steps by name; the parameters are the helpers of board.cjs. */
module.exports = ({ begin, type, click, until, shot, saved, served, accessible }) => {
  const plies = (page, count) =>
    page.waitForFunction(
      (count) => document.querySelectorAll("#moves button[aria-current]").length >= count,
      count,
      { timeout: 30_000 },
    );
  const times = (page) => page.locator(".clock b").allTextContents();
  /** Waits until the time of a seat runs; without a seat until the clock is stopped. */
  const runs = (page, seat) =>
    page.waitForFunction(
      (seat) => [...document.querySelectorAll(".clock")].findIndex((face) => face.classList.contains("running")) === (seat ?? -1),
      seat,
    );

  /** Starts a game with a clock; without limits a game without one. */
  async function timed(page, limits, players = ["person", "person"]) {
    await page.click("#menu >> text=New game");
    const form = page.locator("dialog form");
    await form.getByLabel("Game", { exact: true }).selectOption("freestyle");
    await form.getByLabel("First player", { exact: true }).selectOption(players[0]);
    await form.getByLabel("Second player", { exact: true }).selectOption(players[1]);
    await form.getByLabel("Play by the clock").setChecked(Boolean(limits));
    for (const [label, value] of Object.entries(limits ?? {})) {
      // Without a limit for the game, the field for the increment is disabled.
      if (value === undefined) {
        continue;
      }
      await form.getByLabel(label, { exact: true }).fill(String(value));
    }
    await form.getByText("Begin", { exact: true }).click();
    await page.waitForFunction((on) => document.getElementById("clocks").hidden !== on, Boolean(limits));
  }

  /** Returns the limits of a game: minutes, seconds added, seconds for a move. */
  const limits = (game, increment, move) => ({
    "minutes for the game": game,
    "seconds added with each move": increment,
    "most seconds for a move": move,
  });

  async function clock(page) {
    // A clock without limits is refused.
    await page.click("#menu >> text=New game");
    const form = page.locator("dialog form");
    await form.getByLabel("Play by the clock").check();
    await form.getByLabel("minutes for the game", { exact: true }).fill("0");
    await form.getByLabel("most seconds for a move", { exact: true }).fill("0");
    await form.getByText("Begin", { exact: true }).click();
    await shot(page, "clock-dialog");
    assert.match(await form.getByLabel("minutes for the game", { exact: true }).evaluate((field) => field.validationMessage), /needs a time/);
    await page.keyboard.press("Escape");

    await timed(page, limits(10, 5, 0));
    await runs(page, 0);
    await type(page, ["h8"]);
    await runs(page, 1);
    await shot(page, "clock");
    await accessible(page);
    assert.match((await times(page))[0], /^10:0[3-5]$/);
    await page.waitForFunction(() => document.querySelectorAll(".clock b")[1].textContent.startsWith("9:5"));
    // Its key stops it, and the next move resumes it.
    await page.focus("#board svg");
    await page.keyboard.press("k");
    await runs(page);
    await until(page, "status", "The clock is stopped");
    const stopped = await times(page);
    await page.waitForTimeout(1500);
    assert.deepEqual(await times(page), stopped);
    await type(page, ["i9"]);
    await runs(page, 0);
    // An analysis stops it, and so does going to another position.
    await page.focus("#board svg");
    await page.keyboard.press("a");
    await runs(page);
    await page.keyboard.press("a");
    await page.waitForSelector("#analysis-bar [aria-pressed=true]", { state: "detached" });
    await page.click("#clocks >> text=Go on");
    await runs(page, 0);
    await page.click("#moves button >> nth=1");
    await runs(page);
    await page.click("#moves button >> nth=2");
    await page.click("#clocks >> text=Go on");
    await runs(page, 0);
    // During a review the next move does not resume it.
    await page.getByLabel("Effort").selectOption({ label: "thorough" });
    await page.click("#review-bar >> text=Review the game");
    await page.waitForSelector("#review progress");
    await runs(page);
    assert.ok(!(await page.textContent("#status")).includes("The clock is stopped"));
    await page.click("#review-bar >> text=Stop the review");
    await until(page, "status", "The clock is stopped");
    await page.getByLabel("Effort").selectOption({ label: "usual" });
    await page.click("#clocks >> text=Go on");
    await runs(page, 0);
    // Undo switches it to the other side.
    await page.click("#actions >> text=Undo");
    await runs(page, 1);
    await page.click("#clocks >> text=Stop the clock");
    await runs(page);
    const before = await times(page);
    await page.waitForFunction(() => sessionStorage.getItem("goren-tree").includes('"clock"'));
    await page.reload();
    await until(page, "status", "The clock is stopped");
    assert.deepEqual(await times(page), before);
  }

  async function outOfTime(page) {
    await timed(page, limits(0, undefined, 1));
    await type(page, ["h8"]);
    await until(page, "status", "White is out of time: Black wins.");
    await shot(page, "out-of-time");
    await type(page, ["i9"]);
    await until(page, "notice", "White is out of time: go back with Undo");
    assert.equal(await page.locator("#moves button[aria-current]").count(), 2);
    await page.click("#actions >> text=Undo");
    await until(page, "status", "Black to move");
    await type(page, ["j10"]);
    await runs(page, 1);
    // The clock limits the engine, whatever its time for a move.
    await timed(page, { ...limits(0.1, 0, 0), "seconds for a move": 60 }, ["person", "engine"]);
    await type(page, ["h8"]);
    await plies(page, 3);
    await runs(page, 0);
    const [, engine] = await times(page);
    assert.match(engine, /^0:0[3-6]/);
    await timed(page, undefined);
  }

  /** The clock of a running game is set, changed and removed. */
  async function anotherClock(page) {
    await begin(page, "freestyle");
    await type(page, ["h8"]);
    await plies(page, 2);
    const form = page.locator("dialog form");
    const set = async (on, minutes) => {
      await page.click("#menu >> text=Players");
      await form.getByLabel("Play by the clock").setChecked(on);
      if (minutes) {
        await form.getByLabel("minutes for the game", { exact: true }).fill(minutes);
      }
      await shot(page, `another-clock-${on}`);
      await form.getByText("Take over", { exact: true }).click();
      await page.waitForFunction((on) => document.getElementById("clocks").hidden !== on, on);
    };
    await set(true, "20");
    await runs(page, 1);
    assert.match((await times(page))[1], /^(20:0|19:5)/);
    await page.waitForFunction(() => document.querySelectorAll(".clock b")[1].textContent.startsWith("19:5"));
    // Closing the dialog without changing the clock leaves it alone.
    await set(true);
    await runs(page, 1);
    assert.match((await times(page))[1], /^19:5/);
    await set(true, "5");
    await page.waitForFunction(() => /^(5:0|4:5)/.test(document.querySelectorAll(".clock b")[0].textContent));
    assert.equal(await page.locator("#moves button[aria-current]").count(), 2);
    await set(false);
  }

  async function levels(page) {
    await page.click("#menu >> text=Players");
    const form = page.locator("dialog form");
    // Weaker players would end their game before it can be stopped.
    for (const [label, level] of [["first", "expert"], ["second", "master"]]) {
      await form.getByLabel(`Level of the ${label} player`, { exact: true }).selectOption(level);
    }
    await form.getByText("Take over", { exact: true }).click();
    await begin(page, "freestyle", { players: ["engine", "engine"] });
    await until(page, "game-name", "Black the engine (expert), White the engine (master)");
    // Their scores are plotted as they play.
    await page.waitForSelector("#review polyline", { timeout: 30_000 });
    await plies(page, 6);
    await page.click("#actions >> text=Stop");
    await page.waitForFunction(() => !document.getElementById("status").textContent.includes("thinking"));
    await shot(page, "levels");
    // The saved game has the players, and their scores.
    await page.click("#menu >> text=Save");
    const name = await saved(page, () => page.click('dialog >> text="SGF"'), "saved-levels-");
    assert.match(fs.readFileSync(name, "utf8"), /PB\[Goren [^\]]*\(expert\)\]PW\[Goren [^\]]*\(master\)\].*; eval /s);
    await page.click("#menu >> text=Open");
    await page.setInputFiles("dialog input[type=file]", name);
    await until(page, "game-name", "(expert), White Goren");
    await page.waitForSelector("#review polyline");
    await page.click("#menu >> text=Players");
    for (const label of ["first", "second"]) {
      await form.getByLabel(`Level of the ${label} player`, { exact: true }).selectOption("full");
    }
    await form.getByText("Take over", { exact: true }).click();
  }

  /** Recorded scores are shown without a review. */
  async function recorded(page) {
    await begin(page, "pente");
    await page.waitForSelector("#review polyline", { state: "detached" });
    await page.click("#menu >> text=Open");
    await page.fill(
      "dialog textarea",
      "(;GM[4]RU[0]SZ[15];B[hh]C[20ms; depth 9; eval 40];W[ii]C[30ms; eval -20];B[jj]C[eval +M5])",
    );
    await page.locator("dialog").getByText("Open", { exact: true }).last().click();
    await page.waitForSelector("#review polyline");
    const points = await page.getAttribute("#review polyline", "points");
    assert.equal(points.split(" ").length, 3);
    assert.ok(points.endsWith(",0"), points);
    assert.equal(await page.getAttribute("#moves button >> nth=1", "title"), "+40, depth 9, 0.0 s");
    await shot(page, "recorded");
    // A click goes to the move.
    await page.locator("#review svg").click({ position: { x: 2, y: 40 } });
    await page.waitForFunction(() => document.querySelector("#moves button[aria-current=true]").textContent === "h8");
    await page.reload();
    await page.waitForSelector("#review polyline");
  }

  /** Changes a setting. */
  async function set(page, label, on) {
    await page.click("#menu >> text=Settings");
    await page.locator("dialog form").getByLabel(label).setChecked(on);
    await page.locator("dialog form").getByText("Take over", { exact: true }).click();
    await page.waitForSelector("dialog[open]", { state: "detached" });
  }

  async function secondTap(page) {
    await begin(page, "freestyle");
    await plies(page, 1);
    await set(page, "A second tap", true);
    await click(page, "7,7");
    await page.waitForSelector("circle.tapped");
    await until(page, "status", "Tap h8 again");
    await shot(page, "tapped");
    await click(page, "8,7");
    await until(page, "status", "Tap i8 again");
    assert.equal(await page.locator("#moves button[aria-current]").count(), 1);
    await click(page, "8,7");
    await plies(page, 2);
    assert.equal(await page.locator("circle.tapped").count(), 0);
    // The keyboard chooses a point before it places a stone.
    await page.focus("#board svg");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await plies(page, 3);
    // A column may have several legal points: the tapped one is shown, and gets the piece.
    await begin(page, "four-in-a-row", { options: ["edge-grow"] });
    await click(page, "3,7");
    await until(page, "status", "Tap d1 again");
    await click(page, "3,7");
    await plies(page, 2);
    assert.equal(await page.textContent("#moves button >> nth=1"), "d1");
    await set(page, "A second tap", false);
    await begin(page, "freestyle");
    await click(page, "3,3");
    await plies(page, 2);
  }

  async function letters(page) {
    await begin(page, "freestyle");
    await type(page, ["h8"]);
    await page.waitForFunction(() => sessionStorage.getItem("goren-tree").includes('"h8"'));
    const shown = (text) =>
      page.waitForFunction(
        (text) => [...document.querySelectorAll("#board text.letter")].map(({ textContent }) => textContent).join("").startsWith(text),
        text,
      );
    await set(page, "Letters of columns without i", true);
    await shown("abcdefghjklmnop");
    await type(page, ["j9"]);
    await plies(page, 3);
    assert.equal(await page.textContent("#moves button >> nth=2"), "j9");
    await page.waitForFunction(() => sessionStorage.getItem("goren-tree").includes('"i9"'));
    await type(page, ["i10"]);
    await until(page, "notice", "There is no such point");
    await page.fill("#ply", "");
    await type(page, ["j9"]);
    await until(page, "notice", "j9: ");
    await page.focus("#board svg");
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.getElementById("cursor-text").textContent.startsWith("j8"));
    await shot(page, "letters-without-i");
    // File names contain no points.
    if (!served) {
      await page.click("#menu >> text=Save");
      await page.fill("dialog input[aria-label^='Save in the folder']", "k5 final.sgf");
      await page.click("dialog button:text-is('Save')");
      await until(page, "log", "Saved as k5 final.sgf.");
      await page.waitForSelector("dialog[open]", { state: "detached" });
    }
    await set(page, "Letters of columns without i", false);
    await shown("abcdefghijklmno");
    assert.equal(await page.textContent("#moves button >> nth=2"), "i9");
    await set(page, "Letters of columns without i", true);
    await shown("abcdefghjklmnop");
    await columns(page);
    await lastColumn(page);
    await set(page, "Letters of columns without i", false);
    await shown("abcdefghijklmno");
  }

  /** The board shows points of the 26th column, which is aa without i, when a text names them. */
  async function lastColumn(page) {
    await page.click("#menu >> text=New game");
    const form = page.locator("dialog form");
    await form.getByLabel("Game", { exact: true }).selectOption("renju");
    await form.getByLabel("Opening", { exact: true }).selectOption("free");
    await form.getByLabel("columns", { exact: true }).fill("26");
    await form.getByLabel("rows", { exact: true }).fill("26");
    await form.getByLabel("First player", { exact: true }).selectOption("person");
    await form.getByLabel("Second player", { exact: true }).selectOption("person");
    await form.getByText("Begin", { exact: true }).click();
    await until(page, "game-name", "26×26");
    await type(page, ["aa1", "a1", "aa2", "a3", "aa3", "a5", "aa5", "a7", "aa6", "a9"]);
    await plies(page, 11);
    await page.waitForSelector("path.foul");
    await click(page, "25,22");
    await page.locator("#explanation li span").first().hover();
    await page.waitForFunction(() => document.querySelectorAll("#board .hint").length >= 5);
    await shot(page, "last-column");
  }

  /** With gravity a column alone is a move, also within a sentence. */
  async function columns(page) {
    await page.click("#menu >> text=New game");
    const form = page.locator("dialog form");
    await form.getByLabel("Game", { exact: true }).selectOption("four-in-a-row");
    await form.getByLabel("columns", { exact: true }).fill("10");
    await form.getByLabel("rows", { exact: true }).fill("10");
    await form.getByText("Begin", { exact: true }).click();
    await until(page, "game-name", "four-in-a-row 10×10");
    await type(page, ["k", "a", "k", "a", "k", "b"]);
    await plies(page, 7);
    assert.equal(await page.textContent("#moves button >> nth=1"), "k");
    await page.click("#actions >> text=Hint");
    await until(page, "notice", "Try k.");
  }

  return (page) => ({
    "a game by the clock": () => clock(page),
    "a time that is out": () => outOfTime(page),
    "another clock in a game at hand": () => anotherClock(page),
    "levels of both sides": () => levels(page),
    "recorded scores": () => recorded(page),
    "a second tap": () => secondTap(page),
    "letters without i": () => letters(page),
  });
};
