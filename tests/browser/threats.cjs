// Threats on the board, wins of the other side and the defences, and stones that balance a
// position.

const assert = require("node:assert");

/** The steps by name; the parameters are the helpers of board.cjs. */
module.exports = ({ begin, type, click, until, shot, accessible }) => {
  const plies = (page, count) =>
    page.waitForFunction(
      (count) => document.querySelectorAll("#moves button[aria-current]").length === count,
      count,
    );
  /** Waits for these numbers of signs of Black and of White. */
  const signs = (page, black, white) =>
    page.waitForFunction(
      (counts) => ["black", "white"].every((color, index) => document.querySelectorAll(`path.threat.${color}`).length === counts[index]),
      [black, white],
    );

  /** Moves the keyboard cursor of the focused board to a cell. */
  async function goTo(page, x, y) {
    const keys = { ArrowLeft: 15, ArrowUp: 15, ArrowRight: x, ArrowDown: y };
    for (const [key, count] of Object.entries(keys)) {
      for (let step = 0; step < count; step++) {
        await page.keyboard.press(key);
      }
    }
  }

  async function glance(page) {
    await begin(page, "freestyle");
    await type(page, ["h8", "a1", "h9", "a2", "h10", "a3"]);
    await plies(page, 7);
    await signs(page, 0, 0);
    await page.click("#actions >> text=Threats");
    await signs(page, 4, 2);
    assert.equal(
      await page.textContent("#cursor-text"),
      "Black: open four, or two fours h11 h7; four h12 h6. White: four a5 a4.",
    );
    await shot(page, "threats-at-a-glance");
    await accessible(page);
    // The text of a point names its threats, but only while they are shown.
    await page.focus("#board svg");
    await goTo(page, 7, 4);
    assert.equal(await page.textContent("#cursor-text"), "h11, empty, Black: open four, or two fours");
    // They follow the position shown.
    await click(page, "7,4");
    await plies(page, 8);
    await page.waitForFunction(() => [...document.querySelectorAll("#board text")].filter(({ textContent }) => textContent === "5").length >= 2);
    // A candidate stays readable, with the threat below it.
    await page.focus("#board svg");
    await page.keyboard.press("a");
    await page.waitForSelector(".candidate");
    await shot(page, "threats-and-candidates");
    await page.keyboard.press("a");
    await page.keyboard.press("x");
    await signs(page, 0, 0);
    await page.keyboard.press("x");
    // Another game keeps the switch, if it has threats at all.
    await begin(page, "pente");
    await type(page, ["j10", "a1", "j11", "a3", "j12"]);
    await plies(page, 6);
    await signs(page, 0, 0);
    assert.equal(await page.locator("#actions >> text=Threats").count(), 0);
    await begin(page, "renju");
    await type(page, ["f8", "a1", "g8", "a3", "h6", "a5", "h7", "a7"]);
    await plies(page, 9);
    await page.waitForSelector("path.threat.black");
    // A forbidden point is no threat.
    await page.waitForSelector("path.foul");
    await page.focus("#board svg");
    await goTo(page, 7, 7);
    assert.equal(await page.textContent("#cursor-text"), "h8, empty, forbidden: double three");
    await shot(page, "threats-and-fouls");
    await page.keyboard.press("?");
    await page.waitForSelector("dialog[open] >> text=Black's signs have a point to the left");
    await page.keyboard.press("Escape");
    await page.click("#actions >> text=Threats");
    await signs(page, 0, 0);
  }

  async function defences(page) {
    await begin(page, "renju");
    await type(page, ["h8", "i9", "h9", "g9", "h10"]);
    await plies(page, 6);
    await page.click("#analysis-bar >> text=Opponent's win");
    await until(page, "notice", "If White passed, Black would win by fours, within ");
    await until(page, "found-title", "Win of the other side");
    await page.waitForSelector("#board svg g circle[opacity]");
    await shot(page, "win-of-the-other-side");
    await page.click("#found-bar >> text=Defences");
    await page.waitForSelector("path.defence");
    await until(page, "notice", "White may hold with ");
    await until(page, "found-title", "Best defence");
    assert.ok((await page.locator("path.defence").count()) <= 4);
    // No line covers them.
    await page.waitForSelector("#board svg g circle[opacity]", { state: "detached" });
    await shot(page, "defences");
    await page.focus("#board svg");
    await goTo(page, 7, 4);
    assert.match(await page.textContent("#cursor-text"), /^h11, empty, a defence/);
    // They disappear with the position.
    await type(page, ["h11"]);
    await plies(page, 7);
    await page.waitForSelector("path.defence", { state: "detached" });
    // By keys, in a position without threats.
    await begin(page, "freestyle");
    await type(page, ["h8"]);
    await plies(page, 2);
    await page.focus("#board svg");
    await page.keyboard.press("d");
    await until(page, "notice", "No win for Black by fours or threats was found");
    await page.keyboard.press("g");
    await until(page, "notice", "No move of White is proven to lose.");
    assert.equal(await page.locator("path.defence").count(), 0);
  }

  async function balance(page) {
    await begin(page, "freestyle");
    await type(page, ["h8", "i9"]);
    await plies(page, 3);
    await page.click("#analysis-bar >> text='Balancing stone'");
    await until(page, "found-title", "Balancing stone");
    await until(page, "notice", "the position is level (");
    assert.equal(await page.locator("#found-lines .stones button").count(), 1);
    // By its key, with two stones, which are added to the tree.
    await page.focus("#board svg");
    await page.keyboard.press("2");
    await until(page, "found-title", "Two balancing stones");
    await until(page, "notice", "Black and White on ");
    assert.equal(await page.locator("#found-lines .stones button").count(), 2);
    await shot(page, "two-balancing-stones");
    await page.click("#found-bar >> text=Into the tree");
    await plies(page, 5);
    await begin(page, "pente");
    assert.equal(await page.locator("#analysis-bar >> text='Balancing stone'").count(), 0);
    await page.focus("#board svg");
    await page.keyboard.press("b");
    await until(page, "notice", "Balancing stones are not searched for in pente.");
  }

  return (page) => ({
    "threats at a glance": () => glance(page),
    "the other side's win and defences": () => defences(page),
    "stones that balance a position": () => balance(page),
  });
};
