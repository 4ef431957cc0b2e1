// Points of the board: the tools for taps, and the texts for screen readers.

const assert = require("node:assert");

/** The steps by name; the parameters are the helpers of board.cjs. */
module.exports = ({ begin, type, click, until, shot }) => {
  const plies = (page) => page.locator("#moves button[aria-current]").count();
  const atLeast = (page, count) =>
    page.waitForFunction((count) => document.querySelectorAll("#moves button[aria-current]").length >= count, count);
  const tool = (page) => page.locator("#actions select");
  const signs = (page, sign, count) =>
    page.waitForFunction(
      ([sign, count]) => [...document.querySelectorAll("#board text")].filter(({ textContent }) => textContent === sign).length === count,
      [sign, count],
    );

  /** Without a right button or a keyboard, taps mark, label and explain. */
  async function taps(page) {
    await begin(page, "renju");
    await tool(page).selectOption("circle");
    await until(page, "status", "Tap: ○.");
    await click(page, "3,3");
    await signs(page, "○", 1);
    await click(page, "4,3");
    await signs(page, "○", 2);
    await click(page, "3,3");
    await signs(page, "○", 1);
    assert.equal(await plies(page), 1);
    await tool(page).selectOption("cross");
    await click(page, "4,3");
    await signs(page, "○", 0);
    // Enter works like a tap.
    await page.focus("#board svg");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await signs(page, "✕", 2);
    await shot(page, "taps");
    await tool(page).selectOption("text");
    await click(page, "5,5");
    await page.keyboard.type("A");
    await page.keyboard.press("Enter");
    await signs(page, "A", 1);
    await tool(page).selectOption("explain");
    await click(page, "7,7");
    await page.waitForSelector("#explanation strong");
    assert.equal(await plies(page), 1);
    // Another game starts with the tool for stones; without fouls there is no tool to explain.
    await begin(page, "freestyle");
    assert.equal(await tool(page).inputValue(), "place");
    assert.equal(await tool(page).locator("option").count(), 6);
    assert.ok(!(await page.textContent("#status")).includes("Tap"));
    await click(page, "7,7");
    await atLeast(page, 2);
  }

  /** A double tap on a forbidden point counts once, as nobody has read why it is forbidden. */
  async function tappedTwice(page) {
    await begin(page, "renju");
    await type(page, ["f8", "a1", "g8", "a3", "h6", "a5", "h7", "a7"]);
    await page.waitForSelector("path.foul");
    await page.dblclick('rect[data-cell="7,7"]');
    await page.waitForSelector("#explanation strong");
    // A quick tap after the explanation has arrived.
    await click(page, "7,7");
    await page.waitForTimeout(1000);
    assert.equal(await plies(page), 9);
    await click(page, "7,7");
    await until(page, "status", "h8 was a foul");
  }

  /** Moves the keyboard cursor to a circle of the board. */
  async function goTo(page, circle) {
    const at = await page.locator(circle).first().evaluate((mark) => ["cx", "cy"].map((name) => (mark.getAttribute(name) - 44) / 40));
    await page.focus("#board svg");
    for (const key of ["ArrowLeft", "ArrowUp"]) {
      for (let count = 0; count < 19; count++) {
        await page.keyboard.press(key);
      }
    }
    for (const [key, count] of [["ArrowRight", at[0]], ["ArrowDown", at[1]]]) {
      for (let step = 0; step < count; step++) {
        await page.keyboard.press(key);
      }
    }
  }

  /** Signs on a point are read aloud too. */
  async function readAloud(page) {
    await begin(page, "freestyle");
    await type(page, ["h8", "i9"]);
    await atLeast(page, 3);
    await page.evaluate(() => (document.getElementById("cursor-text").textContent = ""));
    await page.focus("#board svg");
    assert.match(await page.textContent("#cursor-text"), /^[a-o]\d+, /);
    await page.click("#analysis-bar >> text=Analyse");
    await page.waitForSelector(".candidate");
    await page.click("#actions >> text=Stop");
    await page.waitForFunction(() => [...document.querySelectorAll("#actions button")].find((b) => b.textContent === "Stop").disabled);
    await goTo(page, ".candidate");
    assert.match(await page.textContent("#cursor-text"), /^[a-o]\d+, empty, candidate, \d+ %$/);
    await page.click("#actions >> text=Hint");
    await page.waitForSelector("#board .hint");
    await goTo(page, "#board .hint");
    assert.match(await page.textContent("#cursor-text"), /, advised$/);
  }

  /** During a turn the candidates are the stones still to place. */
  async function begunTurn(page) {
    await begin(page, "connect6");
    await type(page, ["j10"]);
    await atLeast(page, 2);
    await page.click("#analysis-bar >> text=Analyse");
    await click(page, "0,0");
    await page.waitForFunction(
      () =>
        document.querySelector("#lines .stones")?.firstElementChild?.textContent.trim() === "a19" &&
        document.querySelector(".candidate"),
      null,
      { timeout: 20_000 },
    );
    await page.click("#actions >> text=Stop");
    await page.waitForFunction(() => [...document.querySelectorAll("#actions button")].find((b) => b.textContent === "Stop").disabled);
    assert.equal(await page.locator('.candidate[cx="44"][cy="44"]').count(), 0);
    await goTo(page, ".candidate");
    assert.match(await page.textContent("#cursor-text"), /^[a-s]\d+, empty, candidate, \d+ %$/);
  }

  return (page) => ({
    "what a tap does": () => taps(page),
    "a foul that is tapped twice": () => tappedTwice(page),
    "points that are read aloud": () => readAloud(page),
    "candidates of a turn that has begun": () => begunTurn(page),
  });
};
