// Trees in files: branches, comments and marks are saved and read again.

const assert = require("node:assert");

/** The steps by name; `tools` are the helpers of board.cjs. */
module.exports = (tools) => {
  const { begin, type, click, until, shot } = tools;
  const moves = (page) =>
    page.$$eval("#moves button[aria-current]", (all) => all.map(({ textContent }) => textContent));

  async function saved(page, form) {
    await page.click("#menu >> text=Save");
    return tools.saved(page, () => page.click(`dialog >> text="${form}"`), "saved-tree-");
  }

  /** Pastes a text by a generic event, as Firefox cannot construct a paste event with data. */
  const paste = (page, text) =>
    page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      const event = new Event("paste", { bubbles: true });
      document.body.dispatchEvent(Object.defineProperty(event, "clipboardData", { value: clipboardData }));
    }, text);

  async function trees(page) {
    await begin(page, "freestyle");
    await type(page, ["h8", "i9", "j10"]);
    await page.waitForFunction(() => document.querySelectorAll("#moves button[aria-current]").length === 4);
    await page.fill("#comment", "main line]\nsecond");
    await page.dispatchEvent("#comment", "change");
    await click(page, "3,3", { button: "right" });
    await page.click("#actions >> text=Undo");
    await type(page, ["k11", "a1"]);
    await page.waitForFunction(() => document.querySelectorAll("#moves .branch button").length === 2);
    await shot(page, "tree");
    const before = await moves(page);
    assert.ok(before.some((text) => text.includes("✎")), before.join());
    for (const form of ["SGF", "tree", "RenLib"]) {
      const name = await saved(page, form);
      await begin(page, "freestyle");
      await page.waitForFunction(() => document.querySelectorAll("#moves button[aria-current]").length === 1);
      await page.click("#menu >> text=Open");
      await page.setInputFiles("dialog input[type=file]", name);
      await page.waitForFunction((count) => document.querySelectorAll("#moves button[aria-current]").length === count, before.length);
      assert.deepEqual(await moves(page), before, form);
      await page.click("#moves >> text=j10");
      await page.waitForFunction(() => document.getElementById("comment").value === "main line]\nsecond");
      if (form !== "RenLib") {
        await page.waitForFunction(() =>
          [...document.querySelectorAll("#board text")].some(({ textContent }) => textContent === "○"),
        );
      }
    }
    // Drop and paste.
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(["(;GM[4]SZ[15](;B[hh]LB[aa:A])(;B[ii]))"], "dropped.sgf"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
    });
    await page.waitForSelector("#board text.label");
    await paste(page, "c3 d4 e5");
    await page.waitForFunction(() => document.querySelectorAll("#moves button[aria-current]").length === 4);
    // A game that is pasted while a dialog is open closes the dialog, which would hide it.
    await page.click("#menu >> text=Open");
    await paste(page, "c3 d4 e5 f6");
    await page.waitForFunction(() => document.querySelectorAll("#moves button[aria-current]").length === 5);
    assert.ok(!(await page.isVisible("dialog")));
    await paste(page, "no game at all");
    await until(page, "notice", "pasted: ");
    assert.equal((await moves(page)).length, 5);
  }

  /** A game is chosen from a file with several, found by its players. */
  async function collections(page) {
    await begin(page, "freestyle");
    const game = (/** @type {number} */ number) =>
      `(;GM[4]SZ[15]PB[Player ${number}]PW[Ben]RE[W+];B[hh];W[ii]${number === 7 ? ";B[jj]" : ""})`;
    const games = Array.from({ length: 12 }, (_, index) => game(index + 1)).join("") + "(;GM[4]SZ[99];B[hh])";
    await paste(page, games);
    await page.waitForSelector("dialog[open] .games");
    await shot(page, "games-of-a-file");
    assert.equal(await page.locator(".games li").count(), 13);
    assert.ok(await page.locator(".games button").last().isDisabled());
    await page.fill("dialog input[type=search]", "player 7");
    assert.deepEqual(await page.locator(".games li:visible").allTextContents(), [
      "7. ● Player 7 – ○ Ben · White wins. · (3)",
    ]);
    await page.click("dialog >> text=Player 7");
    await page.waitForFunction(() => document.querySelectorAll("#moves button[aria-current]").length === 4);
    assert.ok(!(await page.isVisible("dialog")));
    // The names of the players are shown for seats of people.
    await until(page, "game-name", "Black Player 7, White Ben");
    await paste(page, "(;GM[4]SZ[15]PB[Ann]PW[Ben]EV[The final];B[hh];W[ii])");
    await until(page, "game-name", "Black Ann, White Ben · The final");
    // If another file was requested since, its list is not shown: the choice would go to that file.
    await page.evaluate(async (file) => {
      const { choose } = await import(file);
      const game = { players: ["", ""], title: "", winner: null, drawn: false, stones: 1, fault: null };
      choose({ name: "earlier.sgf", games: [game, game], more: false });
    }, "./files.js");
    assert.ok(!(await page.isVisible("dialog")));
    await page.click("#menu >> text=Players");
    await page.locator("dialog form").getByLabel("Second player", { exact: true }).selectOption("engine");
    await page.locator("dialog form").getByText("Take over", { exact: true }).click();
    await until(page, "game-name", "White the engine (");
    assert.match(await page.textContent("#game-name"), /Black Ann,/);
    await begin(page, "freestyle");
    await page.waitForFunction(() => !document.getElementById("game-name").textContent.includes("Ann"));
  }

  /** The help summarises the rules of each game. */
  async function rules(page) {
    await begin(page, "renju");
    await page.keyboard.press("?");
    await page.waitForSelector("dialog[open] #rules li");
    const games = await page.$$eval("dialog select option", (all) => all.map(({ value }) => value));
    assert.ok(games.length >= 10, games.join());
    assert.equal(await page.inputValue("dialog select"), "renju");
    await shot(page, "rules-renju");
    for (const game of games) {
      await page.selectOption("dialog select", game);
      const text = await page.textContent("#rules");
      assert.ok(text.length > 300 && text.includes("Boards"), game);
    }
    await page.selectOption("dialog select", "pente");
    await shot(page, "rules-pente");
    await page.keyboard.press("Escape");
  }

  /** Another language can be chosen, and is stored; missing words are English. */
  async function languages(page) {
    await begin(page, "renju");
    await type(page, ["h8"]);
    await page.waitForFunction(() => {
      const kept = sessionStorage.getItem("goren-tree");
      return kept.includes('"h8"') && kept.includes("renju");
    });
    const codes = await page.$$eval("#menu select option", (all) => all.map(({ value }) => value));
    assert.deepEqual(codes, ["en", "zh", "ja", "ko", "ru", "vi", "et", "cs"]);
    for (const [code, text] of [
      ["zh", "新对局"],
      ["vi", "Ván mới"],
      ["ru", "Новая партия"],
      ["en", "New game"],
    ]) {
      await page.selectOption("#menu select", code);
      await page.waitForSelector(`#menu >> text=${text}`);
      assert.equal(await page.getAttribute("html", "lang"), code);
      // The game is restored.
      await page.waitForFunction(() => document.querySelectorAll("#moves button[aria-current]").length === 2);
      await shot(page, `language-${code}`);
    }
    // Each language has the keys and labels.
    const lists = await page.evaluate(async (codes) => {
      const of = async (/** @type {string} */ file) => (await import(`./${file}.js`)).words;
      const all = await Promise.all(["words", ...codes.map((code) => `words-${code}`)].map(of));
      return all.map(({ keyWords, boardLabel }) => [keyWords.length, boardLabel]);
    }, codes.slice(1));
    assert.equal(new Set(lists.map(([length]) => length)).size, 1);
    assert.equal(new Set(lists.map(([, label]) => label)).size, lists.length);
    await page.selectOption("#menu select", "cs");
    await page.waitForSelector("#menu >> text=Nová hra");
    assert.match(await page.getAttribute("#board svg", "aria-label"), /^Deska/);
    assert.equal(await page.getAttribute("#moves", "aria-label"), "Strom tahů");
    await type(page, ["a1", "h9", "a3", "h10", "a5", "h11", "a7", "h12"]);
    await until(page, "status", "Vyhrává Černý.");
    await page.keyboard.press("Tab");
    await page.click("#menu >> text=Nápověda");
    await page.waitForSelector("dialog[open] >> text=vysvětlit bod");
    await page.keyboard.press("Escape");
    await page.selectOption("#menu select", "en");
    await page.waitForSelector("#menu >> text=New game");
  }

  return (page) => ({
    languages: () => languages(page), 
    "trees in files": () => trees(page),
    "files of several games": () => collections(page),
    "rules of games": () => rules(page),
  });
};
