// Variations: lines of the analysis are added to the tree, keys step through it, moves get
// comments.

const assert = require("node:assert");

/** The steps by name; the parameters are the helpers of board.cjs. */
module.exports = ({ begin, type, until, shot }) => {
  const plies = (page) => page.locator("#moves button[aria-current]").count();
  const exactly = (page, count) =>
    page.waitForFunction(
      (count) => document.querySelectorAll("#moves button[aria-current]").length === count,
      count,
      { timeout: 20_000 },
    );
  const current = (page) => page.textContent("#moves button[aria-current=true]");
  const at = (page, move) =>
    page.waitForFunction(
      (move) => document.querySelector("#moves button[aria-current=true]").textContent.startsWith(move),
      move,
    );

  /** Removes the focus, so that keys go to the page. */
  const leave = (page) => page.evaluate(() => document.activeElement.blur());

  /** Analyses a position; returns the stones of its best line after the search has ended. */
  async function analysed(page) {
    await begin(page, "freestyle");
    await type(page, ["h8", "i9"]);
    await exactly(page, 3);
    await page.click("#analysis-bar >> text=Analyse");
    await page.waitForFunction(() => document.querySelectorAll("#lines .stones")[0]?.childElementCount >= 4, null, { timeout: 20_000 });
    // The button is not replaced when lines arrive.
    await page.evaluate(() => (globalThis.add = document.querySelector("#lines .add")));
    const cost = await page.textContent("#cost");
    await page.waitForFunction((cost) => document.getElementById("cost").textContent !== cost, cost);
    assert.ok(await page.evaluate(() => globalThis.add === document.querySelector("#lines .add")));
    await page.click("#actions >> text=Stop");
    await page.waitForFunction(() => [...document.querySelectorAll("#actions button")].find((b) => b.textContent === "Stop").disabled);
    return (await page.locator("#lines .stones >> nth=0").locator("button").allTextContents()).map((text) => text.trim());
  }

  async function lines(page) {
    const line = await analysed(page);
    const tree = async () => (await page.locator("#moves button[aria-current]").allTextContents()).slice(3);
    await page.locator("#lines .stones >> nth=0").locator("button").nth(1).click();
    await exactly(page, 5);
    assert.deepEqual(await tree(), line.slice(0, 2));
    assert.equal(await current(page), "i9", "the position stays");
    await shot(page, "line-in-tree");
    await page.locator("#lines .add").first().click();
    await exactly(page, 3 + line.length);
    assert.deepEqual(await tree(), line);
    assert.equal(await current(page), "i9");
    // By keyboard.
    const other = await analysed(page);
    await page.locator("#lines li").first().focus();
    for (let stone = 0; stone < 3; stone++) {
      await page.keyboard.press("ArrowRight");
    }
    await page.keyboard.press("Enter");
    await exactly(page, 6);
    assert.deepEqual(await tree(), other.slice(0, 3));
    assert.equal(await current(page), "i9", "arrows on a line do not go back in the game");
  }

  /** Keys go from variation to variation; Tab reaches only the current move. */
  async function keys(page) {
    await begin(page, "freestyle");
    await type(page, ["h8"]);
    await exactly(page, 2);
    for (const [move, count] of [["i9", 3], ["j10", 4]]) {
      await leave(page);
      await page.keyboard.press("ArrowLeft");
      await page.waitForFunction(() => document.querySelector("#moves button[aria-current=true]").textContent === "·");
      await type(page, [move]);
      await exactly(page, count);
    }
    await leave(page);
    for (const [key, move] of [[",", "i9"], [",", "h8"], [",", "h8"], [".", "i9"], [".", "j10"], [".", "j10"]]) {
      await page.keyboard.press(key);
      await at(page, move);
    }
    const stops = await page.$$eval("#moves button", (all) => all.filter(({ tabIndex }) => tabIndex === 0).map(({ textContent }) => textContent));
    assert.deepEqual(stops, ["j10"]);
    // The focus follows the steps through the moves.
    await page.locator("#moves button[aria-current=true]").focus();
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(() => document.activeElement.textContent === "·");
    // At the ends of the line, keys send no commands.
    const messages = await page.locator("#log p").count();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Home");
    await page.keyboard.press("End");
    await at(page, "j10");
    await page.keyboard.press("ArrowRight");
    await page.waitForTimeout(300);
    assert.equal(await page.locator("#log p").count(), messages);
    // A key works even if it is pressed before its position has arrived.
    await page.evaluate(() => {
      for (const key of ["ArrowLeft", "ArrowRight"]) {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key, code: key, bubbles: true }));
      }
    });
    await page.waitForTimeout(300);
    assert.equal(await current(page), "j10");
  }

  /** A comment is not disturbed while it is written, and stays with its move. */
  async function comments(page) {
    await begin(page, "freestyle", { players: ["engine", "engine"] });
    await page.waitForFunction(() => document.querySelectorAll("#moves button[aria-current]").length >= 3);
    await page.click("#comment");
    const label = await page.textContent("#comment-label");
    assert.match(label, /^Comment on \d+\. [a-o]\d+$/);
    const move = label.match(/[a-o]\d+$/)[0];
    // The field does not follow the game, even though nothing is written yet.
    const count = await plies(page);
    await page.waitForFunction((count) => document.querySelectorAll("#moves button[aria-current]").length >= count + 2, count);
    await page.keyboard.type("a good one");
    await page.waitForSelector(`#moves button:has-text("${move} ✎")`);
    assert.equal(await page.textContent("#comment-label"), label);
    await leave(page);
    // By its key, as the game may be over by now.
    await page.keyboard.press("s");
    await page.waitForFunction(() => !document.getElementById("status").textContent.includes("thinking"), null, { timeout: 20_000 });
    await page.waitForFunction(() => document.getElementById("comment").value === "");
    assert.notEqual(await page.textContent("#comment-label"), label);
    await page.locator("#moves button", { hasText: "✎" }).click();
    await page.waitForFunction(() => document.getElementById("comment").value === "a good one");
    assert.equal(await page.textContent("#comment-label"), label);
  }

  /** A position may be drawn before its tree arrives: the field still belongs to the position before. */
  async function early(page) {
    await begin(page, "freestyle");
    await type(page, ["h8"]);
    await exactly(page, 2);
    const label = await page.evaluate(async () => {
      const { changed, state } = await import("./state.js");
      const { position } = state;
      state.position = { ...position, node: 1000 };
      changed();
      await new Promise((resolve) => setTimeout(resolve, 200));
      const label = document.getElementById("comment-label").textContent;
      state.position = position;
      changed();
      return label;
    });
    assert.equal(label, "Comment on 1. h8");
  }

  /** Playing through a line stops when the user begins to comment. */
  async function halted(page) {
    await begin(page, "freestyle");
    await type(page, ["h8", "a1", "h9", "a3", "h10", "a5"]);
    await exactly(page, 7);
    await leave(page);
    await page.keyboard.press("Home");
    await at(page, "·");
    await page.evaluate(async () => (await import("./review.js")).walk([1, 2, 3, 4, 5, 6]));
    await at(page, "a1");
    await page.keyboard.press("c");
    // A step may still be about to arrive.
    await page.waitForTimeout(200);
    const there = await current(page);
    await page.waitForTimeout(1600);
    assert.equal(await current(page), there);
  }

  /** The status shows a search on demand, which can be stopped. */
  async function searching(page) {
    await begin(page, "freestyle");
    await type(page, ["h8"]);
    await exactly(page, 2);
    await page.click("#analysis-bar >> text=Opponent's threats");
    await until(page, "status", "White to move. Searching …");
    await page.click("#actions >> text=Stop");
    await page.waitForFunction(() => document.getElementById("status").textContent === "White to move.");
  }

  return (page) => ({
    "lines into the tree": () => lines(page),
    "keys of the tree": () => keys(page),
    "comments while the game goes on": () => comments(page),
    "a position before its tree": () => early(page),
    "a comment halts what is shown": () => halted(page),
    "a search on demand": () => searching(page),
  });
};
