// Elements under the user's hand stay in place, whatever events arrive meanwhile.

const assert = require("node:assert");

/** The steps by name; the parameters are the helpers of board.cjs. */
module.exports = ({ begin, type, until }) => {
  const engines = ["engine", "engine"];
  const plies = (page) => page.locator("#moves button[aria-current]").count();
  const more = (page, count) =>
    page.waitForFunction(
      (count) => document.querySelectorAll("#moves button[aria-current]").length >= count,
      count,
      { timeout: 30_000 },
    );
  /** Returns the place of an element on the page, independent of scrolling. */
  const top = (page, id) =>
    page.locator(`#${id}`).evaluate((part) => Math.round(part.getBoundingClientRect().top + scrollY));
  const scrolled = (page) => page.evaluate(() => scrollY);
  const focused = (page) => page.evaluate(() => document.activeElement.textContent);

  /** A move of the tree is clicked, and a comment is written, while plies arrive. */
  async function tree(page) {
    await begin(page, "freestyle", { players: engines });
    await more(page, 4);
    const move = page.locator("#moves button[aria-current]").nth(1);
    await move.hover();
    const before = await scrolled(page);
    await page.mouse.down();
    await more(page, (await plies(page)) + 2);
    await page.mouse.up();
    await page.waitForFunction(() => document.querySelectorAll("#moves button[aria-current]")[1].getAttribute("aria-current") === "true");
    assert.equal(await scrolled(page), before, "the page is not scrolled by plies");
    // The keyboard focus stays on the move.
    await begin(page, "freestyle", { players: engines });
    await more(page, 3);
    await page.locator("#moves button[aria-current]").nth(1).focus();
    const text = await focused(page);
    await more(page, (await plies(page)) + 2);
    assert.equal(await focused(page), text);
    await page.click("#comment");
    await page.keyboard.type("good");
    await more(page, (await plies(page)) + 2);
    assert.equal(await page.inputValue("#comment"), "good");
    await page.click("#actions >> text=Stop");
    await page.waitForSelector("#moves button:has-text('✎')");
  }

  /** Lines and results have reserved room; texts for screen readers change only with their content. */
  async function room(page) {
    await begin(page, "freestyle");
    await type(page, ["h8", "h9", "i8", "i9", "j8", "a15"]);
    await more(page, 7);
    await page.focus("#analysis-bar button");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#lines li");
    assert.equal(await focused(page), "Analyse");
    const place = await top(page, "moves-bar");
    const writes = await page.evaluate(async () => {
      let count = 0;
      const watch = new MutationObserver(() => (count += 1));
      watch.observe(document.getElementById("status"), { childList: true, characterData: true, subtree: true });
      for (let lines = 0; lines < 3; lines++) {
        await new Promise((resolve) => {
          const next = new MutationObserver(() => (next.disconnect(), resolve()));
          next.observe(document.getElementById("cost"), { childList: true });
        });
      }
      watch.disconnect();
      return count;
    });
    assert.equal(writes, 0, "the status is not written again for each line");
    await type(page, ["c3"]);
    await more(page, 8);
    assert.equal(await top(page, "moves-bar"), place);
    await page.waitForSelector("#lines li");
    assert.equal(await top(page, "moves-bar"), place);
    await page.keyboard.press("Escape");
    await page.click("#actions >> text=Undo");
    await page.click("#analysis-bar >> text='Win by fours'");
    await page.waitForSelector("#found-bar button");
    await until(page, "notice", "by fours");
    const below = await top(page, "moves-bar");
    await page.click("#actions >> text=Redo");
    await page.waitForFunction(() => document.getElementById("found").hidden);
    assert.equal(await top(page, "moves-bar"), below);
    await page.click("#actions >> text=Stop");
  }

  /** The list does not scroll while an older message is read. */
  async function messages(page) {
    await begin(page, "freestyle");
    for (let count = 0; count < 12; count++) {
      await type(page, ["z99"]);
    }
    await page.waitForFunction(() => {
      const log = document.getElementById("log");
      return log.scrollTop > 0 && log.scrollTop + log.clientHeight >= log.scrollHeight - 8;
    });
    assert.equal(await page.getAttribute("#notice", "role"), "alert");
    await page.evaluate(() => (document.getElementById("log").scrollTop = 0));
    const count = await page.locator("#log p").count();
    await type(page, ["z98"]);
    await page.waitForFunction((count) => document.querySelectorAll("#log p").length > count, count);
    assert.equal(await page.evaluate(() => document.getElementById("log").scrollTop), 0);
  }

  /** The engine takes a seat in the middle of a game. */
  async function players(page) {
    await begin(page, "freestyle");
    await type(page, ["h8"]);
    await more(page, 2);
    await page.click("#menu >> text=Players");
    const form = page.locator("dialog form");
    await form.getByLabel("Second player", { exact: true }).selectOption("engine");
    await form.getByLabel("Level of the second player", { exact: true }).selectOption("beginner");
    await form.getByText("Take over", { exact: true }).click();
    await more(page, 3);
    assert.match(await page.textContent("#game-name"), /White the engine \(beginner\)/);
    await until(page, "notice", "The engine played");
    assert.equal(await page.getAttribute("#notice", "role"), "status");
    await page.click("#menu >> text=Players");
    await form.getByLabel("Level of the second player", { exact: true }).selectOption("full");
    await form.getByText("Take over", { exact: true }).click();
    await until(page, "game-name", "(full)");
  }

  /** Messages that arrive together are all shown, and for a while even after a move. */
  async function notices(page) {
    await begin(page, "freestyle");
    await more(page, 1);
    const seen = await page.evaluate(async () => {
      const { notify } = await import("./controls.js");
      const { send, state } = await import("./state.js");
      const text = () => [...document.getElementById("notice").children].map(({ textContent }) => textContent);
      const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      // By then the messages of the old game are gone.
      await after(1100);
      notify("first");
      await after(300);
      notify("second", true);
      const node = state.position.node;
      send({ do: "place", cell: [7, 7] });
      while (state.position.node === node) {
        await after(10);
      }
      await after(100);
      const early = text();
      const role = document.getElementById("notice").getAttribute("role");
      await after(1500);
      const late = text();
      notify("third");
      await after(1200);
      notify("fourth");
      return { early, role, late, now: text() };
    });
    assert.deepEqual(seen, { early: ["first", "second"], role: "alert", late: [], now: ["fourth"] });
  }

  return (page) => ({
    "moves and comments under the hand": () => tree(page),
    "room for lines": () => room(page),
    "messages that are read": () => messages(page),
    "messages that come at once": () => notices(page),
    "players of a game at hand": () => players(page),
  });
};
