// What the page keeps: games that others took the place of, and how the engine plays.

const assert = require("node:assert");

/** The steps, each by its name; `tools` are the helpers of board.cjs. */
module.exports = ({ begin, type, until }) => {
  const plies = (page, count) =>
    page.waitForFunction(
      (count) => document.querySelectorAll("#moves button[aria-current]").length === count,
      count,
      { timeout: 20_000 },
    );

  async function paste(page, text) {
    await page.click("#menu >> text=Open");
    await page.fill("dialog textarea", text);
    await page.locator("dialog").getByText("Open", { exact: true }).last().click();
  }

  /** A game that is pasted takes the place of another: that one is found again. */
  async function replaced(page) {
    await begin(page, "renju");
    await type(page, ["h8", "i9", "j10", "k11"]);
    await plies(page, 5);
    await paste(page, "a1 b2");
    await plies(page, 3);
    await until(page, "notice", "is kept");
    await page.click("#menu >> text=Open");
    await page.locator("dialog .games button").getByText("renju, 4 positions").first().click();
    await plies(page, 5);
    await until(page, "game-name", "renju");
  }

  /** A tree that the program cannot read is not overwritten by an empty one. */
  async function rescued(page) {
    const future = '{"goren_tree":99}';
    const tree = await page.evaluate((future) => {
      const tree = sessionStorage.getItem("goren-tree");
      sessionStorage.setItem("goren-tree", future);
      return tree;
    }, future);
    await page.reload();
    await until(page, "notice", "cannot be read");
    const earlier = await page.evaluate(() => JSON.parse(localStorage.getItem("goren-earlier")));
    assert.equal(earlier[0].text, future);
    await page.evaluate((tree) => sessionStorage.setItem("goren-tree", tree), tree);
    await page.reload();
    await plies(page, 5);
  }

  /** The engine plays as before after the page was opened again. */
  async function engine(page) {
    const set = async (level) => {
      await page.click("#menu >> text=Players");
      await page.locator("dialog form").getByLabel("Level", { exact: true }).selectOption(level);
      await page.locator("dialog form").getByText("Take over", { exact: true }).click();
    };
    await begin(page, "freestyle", { players: ["person", "engine"] });
    await set("beginner");
    await until(page, "game-name", "(beginner)");
    await page.reload();
    await until(page, "game-name", "(beginner)");
    // A person takes all threads, however many another program has.
    const kept = await page.evaluate(() => JSON.parse(localStorage.getItem("goren-engine")));
    assert.equal(kept.threads, 0);
    await set("full");
    await until(page, "game-name", "(full)");
  }

  /** Keys of a layout with another alphabet do what their places do. */
  async function layout(page) {
    await begin(page, "freestyle");
    const pressed = () => page.evaluate(() => document.querySelector("#analysis-bar [aria-pressed=true]") !== null);
    const key = () =>
      page.evaluate(() => {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ф", code: "KeyA", bubbles: true }));
      });
    await key();
    await page.waitForSelector("#analysis-bar [aria-pressed=true]");
    await key();
    await page.waitForSelector("#analysis-bar [aria-pressed=true]", { state: "detached" });
    assert.ok(!(await pressed()));
  }

  /** The position shown is in the list, however much branches off before it. */
  async function large(page) {
    const point = (at) => String.fromCharCode(97 + (at % 15)) + String.fromCharCode(97 + Math.floor(at / 15));
    const leaves = () => Array.from({ length: 30 }, (_, at) => `(;W[${point(120 + at)}])`).join("");
    const wide = Array.from({ length: 30 }, (_, at) => `(;B[${point(150 + at)}]${leaves()})`).join("");
    const sgf = `(;GM[4]SZ[15];B[hh](;W[aa];B[cc];W[dd];B[ee](;W[ab])(;W[ac]))(;W[oo]${wide}))`;
    await paste(page, sgf);
    await until(page, "moves", "h8");
    await page.locator("#moves button").first().click();
    for (let ply = 1; ply <= 5; ply++) {
      await page.keyboard.press("ArrowRight");
      await page.waitForFunction(
        (ply) => document.querySelector("#moves button[aria-current=true]")?.parentElement.textContent.startsWith(`${ply}.`),
        ply,
      );
    }
    // Another variation can be chosen there.
    assert.equal(await page.locator("#moves button").getByText("a13", { exact: true }).count(), 1);
  }

  return (page) => ({
    "a game that another took the place of": () => replaced(page),
    "a game that cannot be read": () => rescued(page),
    "the engine as it was": () => engine(page),
    "another alphabet": () => layout(page),
    "a large tree": () => large(page),
  });
};
