// What the page stores: the current game, replaced games, and the settings of the engine.

const assert = require("node:assert");

/** The steps by name; the parameters are the helpers of board.cjs. */
module.exports = ({ begin, type, until, isFirefox }) => {
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

  /** A pasted game replaces another, which can be opened again. */
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
    // Waits until the page has stored its new tree.
    await page.waitForFunction((future) => sessionStorage.getItem("goren-tree") !== future, future);
    await page.evaluate((tree) => sessionStorage.setItem("goren-tree", tree), tree);
    await page.reload();
    await plies(page, 5);
  }

  /** The settings of the engine survive a reload. */
  async function engine(page) {
    const set = async (level) => {
      await page.click("#menu >> text=Players");
      await page.locator("dialog form").getByLabel("Level of the second player", { exact: true }).selectOption(level);
      await page.locator("dialog form").getByText("Take over", { exact: true }).click();
    };
    await begin(page, "freestyle", { players: ["person", "engine"] });
    await set("beginner");
    await until(page, "game-name", "(beginner)");
    await page.reload();
    await until(page, "game-name", "(beginner)");
    // All threads are stored as 0, as another program may have another number.
    const stored = await page.evaluate(() => JSON.parse(localStorage.getItem("goren-engine")));
    assert.equal(stored.threads, 0);
    // A game restores its own levels, whatever was chosen since.
    const gameTree = () => page.evaluate(() => sessionStorage.getItem("goren-tree"));
    const own = await gameTree();
    assert.match(own, /"levels":/);
    await set("full");
    await until(page, "game-name", "(full)");
    await paste(page, own);
    await until(page, "game-name", "(beginner)");
    await page.waitForFunction(() => /"levels":\[\d+,0\]/.test(sessionStorage.getItem("goren-tree")));
    await page.reload();
    await page.waitForFunction(async () => (await import("./state.js")).state.catalogue !== undefined);
    await type(page, ["h8"]);
    await plies(page, 3);
    assert.match(await page.textContent("#game-name"), /\(beginner\)/);
    // A new choice is undone neither by older stored settings nor by another tab.
    await set("full");
    await until(page, "game-name", "(full)");
    await page.waitForFunction(() => /"levels":\[\d+,100\]/.test(sessionStorage.getItem("goren-tree")));
    const asked = await page.evaluate(() => {
      const asked = localStorage.getItem("goren-engine");
      const weaker = { ...JSON.parse(asked), levels: ["beginner", "beginner"] };
      localStorage.setItem("goren-engine", JSON.stringify(weaker));
      return asked;
    });
    await page.reload();
    await page.waitForFunction(async () => (await import("./state.js")).state.catalogue !== undefined);
    await type(page, ["a1"]);
    await plies(page, 5);
    assert.match(await page.textContent("#game-name"), /\(full\)/);
    await page.evaluate((asked) => localStorage.setItem("goren-engine", asked), asked);
    // Nor is the time that this tab has chosen, when another tab chooses another.
    const { time_ms } = JSON.parse(asked);
    await page.evaluate((asked) => localStorage.setItem("goren-engine", JSON.stringify(asked)), { ...JSON.parse(asked), time_ms: 7000 });
    await page.reload();
    await page.waitForFunction(async (time) => (await import("./state.js")).state.setting?.time_ms === time, time_ms);
    await page.evaluate((asked) => localStorage.setItem("goren-engine", asked), asked);
  }

  /** Keys of a layout with another alphabet work by their position. */
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

  /** The list shows the current position, however many branches come before it. */
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
    // It is stored once the user stops stepping through it, not with every step.
    const writes = await page.evaluate(async () => {
      const { setItem } = Storage.prototype;
      let count = 0;
      Storage.prototype.setItem = function (key, value) {
        count += Number(this === sessionStorage && key === "goren-tree");
        setItem.call(this, key, value);
      };
      const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      // By then earlier requests have been answered.
      await after(2000);
      count = 0;
      for (let step = 0; step < 5; step++) {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", code: "ArrowLeft", bubbles: true }));
        await after(150);
      }
      for (let waited = 0; count === 0 && waited < 15000; waited += 100) {
        await after(100);
      }
      await after(1500);
      Storage.prototype.setItem = setItem;
      return count;
    });
    assert(writes >= 1 && writes < 5, `${writes} writes`);
  }

  /** Returns the stored list of earlier games. */
  const earlier = (page) => page.evaluate(() => JSON.parse(localStorage.getItem("goren-earlier") ?? "[]"));

  /** Removing many branches of a game does not push out other games. */
  async function parts(page) {
    const found = await page.evaluate(async () => {
      const { earlier, keepReplaced } = await import("./kept.js");
      const before = localStorage.getItem("goren-earlier");
      localStorage.removeItem("goren-earlier");
      for (let count = 0; count < 6; count++) {
        keepReplaced({ text: `whole ${count}`, game: "renju", positions: 1, part: false });
        keepReplaced({ text: `part ${2 * count}`, game: "renju", positions: 1, part: true });
        keepReplaced({ text: `part ${2 * count + 1}`, game: "renju", positions: 1, part: true });
      }
      const found = earlier().map(({ text }) => text);
      localStorage.setItem("goren-earlier", before ?? "[]");
      return found.sort();
    });
    const wholes = Array.from({ length: 6 }, (_, count) => `whole ${count}`);
    assert.deepEqual(found, ["part 10", "part 11", "part 9", ...wholes]);
  }

  /** Notes in an exercise survive the page, and are stored once. */
  async function notes(page) {
    const entries = async (text) => (await earlier(page)).filter((tree) => tree.text.includes(text));
    const write = async (text) => {
      await page.fill("#comment", text);
      await page.waitForFunction((text) => localStorage.getItem("goren-earlier")?.includes(text), text);
    };
    const train = async () => {
      await page.click("#menu >> text=Train");
      await page.click("dialog button:text-is('Train')");
      await page.waitForFunction(async () => (await import("./state.js")).state.exercise?.state === "asked");
      // By then its tree has arrived.
      await page.waitForFunction(() => /^Comment on \d+\./.test(document.querySelector("#comment-label")?.textContent ?? ""));
    };
    await begin(page, "pente");
    await train();
    await write("a note to keep");
    await write("a note to keep, and more");
    assert.equal((await entries("a note to keep")).length, 1);
    await page.reload();
    await until(page, "game-name", "pente");
    await train();
    await write("another note");
    await page.click("#exercise >> text=Back to my game");
    await until(page, "game-name", "pente");
    assert.deepEqual([(await entries("and more")).length, (await entries("another note")).length], [1, 1]);
  }

  /** Without room for all, branches are dropped before games, and older games before newer ones. */
  async function quota(page) {
    const found = await page.evaluate(async () => {
      const { earlier, unstoredCount, keepReplaced } = await import("./kept.js");
      const before = localStorage.getItem("goren-earlier");
      localStorage.removeItem("goren-earlier");
      const { setItem } = Storage.prototype;
      Storage.prototype.setItem = function (key, value) {
        if (key === "goren-earlier" && value.length > 1000) {
          throw new DOMException("full", "QuotaExceededError");
        }
        setItem.call(this, key, value);
      };
      // Three trees fit.
      const keep = (name, part) => keepReplaced({ text: name.padEnd(200), game: "renju", positions: 1, part });
      const isKept = [keep("a", false), keep("b", false), keep("c", false), keep("branch", true), keep("d", false)];
      const stored = JSON.parse(localStorage.getItem("goren-earlier")).map(({ text }) => text.trim());
      const all = earlier().map(({ text }) => text.trim());
      const unstored = unstoredCount();
      Storage.prototype.setItem = setItem;
      keep("e", false);
      localStorage.setItem("goren-earlier", before ?? "[]");
      return { isKept, stored: stored.sort(), all: all.sort(), unstored, left: unstoredCount() };
    });
    assert.deepEqual(found, {
      isKept: [true, true, true, false, true],
      stored: ["b", "c", "d"],
      all: ["a", "b", "branch", "c", "d"],
      unstored: 2,
      left: 0,
    });
  }

  /** If the browser has no room for the next visit, the page reports it, and the tab stores the games. */
  async function full(page) {
    await begin(page, "renju");
    await page.evaluate(() => {
      const { setItem } = Storage.prototype;
      Storage.prototype.setItem = function (key, value) {
        if (this === localStorage) {
          throw new DOMException("full", "QuotaExceededError");
        }
        setItem.call(this, key, value);
      };
    });
    await type(page, ["h8"]);
    await until(page, "notice", "This game is not kept beyond this tab");
    const reports = () => page.evaluate(() => document.getElementById("log").textContent.split("not kept beyond").length);
    const count = await reports();
    await type(page, ["i9", "j10", "k11", "l12"]);
    await plies(page, 6);
    await page.waitForFunction(() => sessionStorage.getItem("goren-tree").includes('"l12"'));
    assert.equal(await reports(), count, "it is reported once");
    await paste(page, "a1 b2");
    await until(page, "notice", "The game before is kept only as long as this page is open");
    await page.click("#menu >> text=Open");
    await page.locator("dialog .games button").getByText("renju, 5 positions").first().click();
    await plies(page, 6);
    // The browser asks before it loses games for which it has no room.
    let asked = "";
    page.once("dialog", (dialog) => {
      asked = dialog.type();
      return dialog.accept();
    });
    await page.reload();
    await plies(page, 6);
    if (!isFirefox) {
      assert.equal(asked, "beforeunload");
    }
  }

  /** A tree that does not fit into the tab's storage is not replaced by an older one there. */
  async function older(page) {
    await begin(page, "renju");
    await page.evaluate(() => {
      const { setItem } = Storage.prototype;
      Storage.prototype.setItem = function (key, value) {
        if (this === sessionStorage && key === "goren-tree") {
          throw new DOMException("full", "QuotaExceededError");
        }
        setItem.call(this, key, value);
      };
    });
    await type(page, ["h8", "i9"]);
    await plies(page, 3);
    await page.reload();
    await plies(page, 3);
  }

  /** Two tabs that take turns leave one entry each. */
  async function turns(page, open) {
    // The tab whose game is stored for the next visit: the one that has played last.
    const owner = () => page.evaluate(() => localStorage.getItem("goren-tree-owner"));
    await begin(page, "freestyle");
    await type(page, ["h8"]);
    await plies(page, 2);
    const first = await owner();
    const other = await open();
    await begin(other, "pente");
    const names = [first, await owner()];
    assert.notEqual(names[0], names[1]);
    for (const [move, count] of [["a1", 3], ["c3", 4], ["e5", 5]]) {
      for (const [tab, number] of [[other, count - 1], [page, count]]) {
        await type(tab, [move]);
        await plies(tab, number);
        await tab.waitForFunction((move) => sessionStorage.getItem("goren-tree").includes(`"${move}"`), move);
      }
    }
    const entries = (await earlier(page)).filter(({ owner }) => names.includes(owner));
    assert.deepEqual(entries.map(({ game, positions }) => `${game} ${positions}`), ["pente 3", "freestyle 3"]);
    await other.close();
  }

  /** A tab that was opened as a copy of another, with its storage, is another tab. */
  async function copied(page, open) {
    const play = async (tab, move, count) => {
      await type(tab, [move]);
      await plies(tab, count);
      await tab.waitForFunction((move) => sessionStorage.getItem("goren-tree").includes(`"${move}"`), move);
    };
    await begin(page, "freestyle");
    await play(page, "h8", 2);
    const store = await page.evaluate(() => ({ ...sessionStorage }));
    const other = await open();
    await other.evaluate((store) => {
      Object.assign(sessionStorage, store);
    }, store);
    await other.reload();
    await plies(other, 2);
    // Both continue the game: the moves of the first tab are not lost.
    await play(page, "m4", 3);
    await play(other, "c12", 3);
    // Games of earlier steps may have the same moves, and more.
    const entries = (await earlier(page)).filter(({ text, positions }) => positions === 2 && text.includes('"m4"'));
    assert.equal(entries.length, 1, JSON.stringify(entries));
    await other.close();
  }

  return (page, open) => ({
    "a game that another took the place of": () => replaced(page),
    "a game that cannot be read": () => rescued(page),
    "the engine as it was": () => engine(page),
    "another alphabet": () => layout(page),
    "a large tree": () => large(page),
    "parts of a game": () => parts(page),
    "notes of an exercise": () => notes(page),
    "room for some games": () => quota(page),
    "no room in the browser": () => full(page),
    "no room in the tab": () => older(page),
    "two tabs that take turns": () => turns(page, open),
    "a tab that is a copy": () => copied(page, open),
  });
};
