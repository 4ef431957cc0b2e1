// Winning trees are walked through; databases are shown and changed.

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");

const data = path.join(__dirname, "../data");

/** The steps by name; the parameters are the helpers of board.cjs. */
module.exports = ({ begin, type, click, until, shot, folder, served }) => {
  const plies = (page) => page.locator("#moves button[aria-current]").count();
  const atLeast = (page, count) =>
    page.waitForFunction(
      (count) => document.querySelectorAll("#moves button[aria-current]").length >= count,
      count,
      { timeout: 60_000 },
    );

  /** Without the program, the page explains what it needs. */
  async function needsProgram(page) {
    for (const [name, words] of [["Proofs", "in the program alone"], ["Database", "only the program"]]) {
      await page.click(`#menu >> text=${name}`);
      await page.waitForSelector(`dialog[open] >> text=${words}`);
      await page.keyboard.press("Escape");
    }
  }

  /** Chooses a tree in the dialog. */
  async function walk(page, name) {
    await page.click("#menu >> text=Proofs");
    await page.click(`dialog[open] button:text-is("${name}")`);
    await page.waitForSelector(`#walk:not([hidden]) strong:text-is("${name}")`);
  }

  async function proofs(page) {
    if (served) {
      return needsProgram(page);
    }
    fs.copyFileSync(path.join(data, "trees/rapfi-issue-32.packed"), path.join(folder, "threats.packed"));
    fs.writeFileSync(path.join(folder, "broken.tree"), "no tree at all");
    await begin(page, "pente");
    await type(page, ["j10", "k10"]);
    await page.click("#menu >> text=Proofs");
    await page.waitForSelector("dialog[open] >> text=threats.packed");
    assert.match(await page.textContent("dialog"), /broken\.tree.*does not begin like one/);
    await shot(page, "proofs");
    await page.click('dialog[open] button:text-is("broken.tree")');
    await until(page, "notice", "broken.tree: ");
    assert.equal(await plies(page), 3);
    // The attacker moves first; then the replies are counted and shown.
    await walk(page, "threats.packed");
    await page.waitForFunction(() => /(replies|reply) of \d+/.test(document.getElementById("walk").textContent), null, {
      timeout: 60_000,
    });
    await page.waitForSelector("#board .left");
    const before = await plies(page);
    await page.hover("#walk .line >> nth=0");
    await page.waitForSelector("#board svg g circle[opacity]");
    await shot(page, "walk");
    await page.mouse.move(1, 1);
    // The defender plays one of the remaining replies, until the tree has won.
    for (let move = 0; move < 40; move++) {
      const status = await page.textContent("#status");
      if (status.includes("wins")) {
        break;
      }
      const stones = await plies(page);
      const left = await page.evaluate(() => {
        const point = document.querySelector("#board .left");
        return point && [(point.getAttribute("cx") - 44) / 40, (point.getAttribute("cy") - 44) / 40].join();
      });
      const free = await page.evaluate(() =>
        [...document.querySelectorAll("rect[data-cell]")]
          .map((target) => target.getAttribute("data-cell"))
          .find((cell) => {
            const [x, y] = cell.split(",").map((n) => 44 + 40 * Number(n));
            return ![...document.querySelectorAll("#board g circle")].some(
              (stone) => Number(stone.getAttribute("cx")) === x && Number(stone.getAttribute("cy")) === y,
            );
          }),
      );
      await click(page, left ?? free);
      await atLeast(page, stones + 2);
      await page.waitForFunction(
        () =>
          document.getElementById("status").textContent.includes("wins") ||
          /left|whatever|none of them|not known/.test(document.getElementById("walk").textContent),
        null,
        { timeout: 60_000 },
      );
    }
    await until(page, "walk", "The attacker has won");
    await shot(page, "walk-won");
    // Undo goes back to the defender's last choice, whose replies are known.
    await page.click("#actions >> text=Undo");
    await page.waitForFunction(() => !document.getElementById("walk").textContent.includes("has won"));
    assert.ok((await plies(page)) >= before);
    await page.click("#walk >> text=Back to my game");
    await page.waitForFunction(() => document.getElementById("game-name").textContent.startsWith("pente"));
    assert.ok(await page.locator("#walk").isHidden());
    assert.equal(await plies(page), 3);
    // A tree of a whole game: the part for a reply is read when the reply is played.
    await walk(page, "freestyle-15x15.packed");
    await until(page, "walk", "35 replies");
    await page.waitForSelector("#walk >> text=/White has 224 replies|of 224/");
    const start = Date.now();
    await type(page, ["a1"]);
    await atLeast(page, 4);
    console.log(`  the tree of free gomoku answers a1 after ${Date.now() - start} ms`);
    await shot(page, "walk-freestyle");
    await page.click("#walk >> text=Back to my game");
    await page.waitForFunction(() => document.getElementById("walk").hidden);
  }

  /** An edited record stays, even if it is refused or the engine plays meanwhile. */
  async function drafts(page) {
    const written = (text) =>
      page.waitForFunction((text) => document.querySelector("#database textarea")?.value === text, text);
    await page.fill("#database input[aria-label='Label']", "é");
    await page.fill("#database textarea", "a comment to keep");
    await page.click('#database button:text-is("Put in the database")');
    await until(page, "notice", "A label is one letter");
    await page.click("#actions >> text=Undo");
    await written("");
    await page.click("#actions >> text=Redo");
    await written("a comment to keep");
    assert.equal(await page.inputValue("#database input[aria-label='Label']"), "é");
    // After Enter the focus stays in the form.
    await page.fill("#database input[aria-label='Label']", "l");
    await page.press("#database input[aria-label='Label']", "Enter");
    await page.waitForSelector("#database >> text=White loses, who has just moved");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Label");
    await begin(page, "freestyle", { players: ["engine", "engine"] });
    await atLeast(page, 3);
    // At a position without a record, as the engines may reach that of the record.
    await page.waitForFunction(() => {
      const field = document.querySelector("#database textarea");
      field?.value === "" && field.focus();
      return document.activeElement === field;
    });
    const move = await page.textContent("#database form strong");
    assert.match(move, /^\d+\. [a-o]\d+$/);
    const before = await plies(page);
    await page.keyboard.type("n");
    await atLeast(page, before + 2);
    await page.keyboard.type("ew and so on");
    assert.ok(!(await page.isVisible("dialog")));
    assert.equal(await page.inputValue("#database textarea"), "new and so on");
    assert.equal(await page.textContent("#database form strong"), move);
    // Once the fields lose the focus, they show the current position, and nothing is lost.
    await page.evaluate(() => document.activeElement.blur());
    await written("");
    await page.keyboard.press("s");
    await page.waitForFunction(() => !document.getElementById("status").textContent.includes("thinking"), null, { timeout: 20_000 });
    await page.click(`#moves button:text-is("${move.split(" ")[1]}")`);
    await written("new and so on");
  }

  async function database(page) {
    if (served) {
      return;
    }
    fs.copyFileSync(path.join(data, "database/packed.db"), path.join(folder, "known.db"));
    fs.writeFileSync(path.join(folder, "broken.db"), "no database at all, but a text");
    await begin(page, "freestyle");
    await page.click("#menu >> text=Database");
    await page.click('dialog[open] button:text-is("broken.db")');
    await until(page, "notice", "not a database");
    await page.click("#menu >> text=Database");
    await page.click('dialog[open] button:text-is("known.db")');
    await page.waitForSelector("#database:not([hidden]) >> text=known.db");
    await page.click("#database >> text=Close");
    await page.waitForFunction(() => document.getElementById("database").hidden);
    await page.click("#menu >> text=Database");
    await page.fill("dialog[open] input[aria-label^='or begin']", "mine.db");
    await page.click('dialog[open] button:text-is("Begin")');
    await page.waitForSelector("#database:not([hidden]) >> text=mine.db");
    await type(page, ["h8", "i9"]);
    await atLeast(page, 3);
    await page.waitForSelector("#database >> text=Nothing is known");
    await page.fill("#database input[aria-label='Label']", "w");
    await page.fill("#database input[aria-label='Value']", "-29993");
    await page.fill("#database textarea", "the line of the book");
    await page.click('#database button:text-is("Put in the database")');
    await page.waitForSelector("#database >> text=White wins, who has just moved");
    assert.match(await page.textContent("#database"), /1 records?\. Changes are not in the file yet/);
    await page.click("#actions >> text=Undo");
    await page.waitForSelector("#board .known");
    // The label is shown beside the branch too.
    const branch = "#moves span:has(> button:text-is('i9'))";
    await page.waitForSelector(`${branch} > small:text-is('w8')`);
    assert.match(await page.getAttribute(`${branch} > button`, "title"), /in the database: w8/);
    await shot(page, "database");
    await page.click('#database button:text-is("Save")');
    await until(page, "log", "Saved as mine.db");
    assert.ok(fs.statSync(path.join(folder, "mine.db")).size > 20);
    // The record is shown again, and can be taken out.
    await page.click("#actions >> text=Redo");
    await page.waitForFunction(() => document.querySelector("#database textarea")?.value === "the line of the book");
    await page.click('#database button:text-is("Take out")');
    await page.waitForSelector("#database >> text=Nothing is known");
    await page.click('#database button:text-is("Save")');
    await page.waitForSelector("#database >> text=/^mine.db 0 records/");
    await drafts(page);
    await page.click("#database >> text=Close");
    await page.waitForFunction(() => document.getElementById("database").hidden);
  }

  return (page) => ({
    proofs: () => proofs(page),
    database: () => database(page),
  });
};
