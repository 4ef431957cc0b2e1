// Reviews, puzzles and the trainer, driven as a user would.

const assert = require("node:assert");

const shownPlies = (page) => page.locator("#moves button[aria-current]").count();

/** Waits until a condition of the page holds. */
function soon(page, test, argument) {
  return page.waitForFunction(test, argument, { timeout: 60_000 });
}

/** A game is reviewed, the losing move is shown and refuted, and puzzles are made from it. */
async function review(page, { begin, type, until, shot }) {
  await begin(page, "freestyle");
  await type(page, ["h8", "h7", "h9", "i10", "h10", "i8", "h11", "a1", "h12"]);
  await until(page, "status", "Black wins");
  await page.getByLabel("Effort").selectOption({ label: "thorough" });
  await page.click("#review-bar >> text=Review the game");
  // Progress is shown while it is running, and it can be stopped.
  await page.waitForSelector("#review progress");
  await page.waitForSelector("#review polyline");
  await page.click("#review-bar >> text=Stop the review");
  await until(page, "review", "The review was stopped");
  // Only the review stops: an analysis continues.
  await page.click("#actions >> text=Undo");
  await page.click("#review-bar >> text=Review the game");
  await page.waitForSelector("#review progress");
  await page.click("#analysis-bar >> text=Analyse");
  await page.waitForSelector("#analysis-bar [aria-pressed=true]");
  await page.click("#review-bar >> text=Stop the review");
  await until(page, "review", "The review was stopped");
  assert.equal(await page.locator("#analysis-bar [aria-pressed=true]").count(), 1);
  await page.click("#analysis-bar >> text=Analyse");
  await page.getByLabel("Effort").selectOption({ label: "quick" });
  await page.click("#review-bar >> text=Review the game");
  await soon(page, () => {
    const table = document.querySelector("#review table")?.textContent ?? "";
    return !document.querySelector("#review progress") && /Black5\d+\.\d %.*White4/.test(table);
  });
  // Which move lost most depends on how deep a busy machine searches; this one lost.
  const slip = page.locator("#review .slips li", { hasText: "8. a1" });
  assert.match(await slip.textContent(), /8\. a1\?+.*hands over a win in 1 ply/);
  assert.equal(await page.locator("#review .losing").count(), 1);
  await shot(page, "review");
  // A click on the curve goes to the position.
  await page.locator("#review svg").click({ position: { x: 2, y: 40 } });
  await soon(page, () => document.querySelector("#moves button[aria-current=true]").textContent === "h8");
  // The refutation is played on the board.
  const before = await shownPlies(page);
  await slip.getByText("Show me why").click();
  await soon(page, () => document.querySelectorAll("#board svg circle[fill='#161616']").length >= 5);
  await slip.getByText("Better").click();
  await soon(page, (count) => document.querySelectorAll("#moves button[aria-current]").length > count, before);
  await shot(page, "review-why");
  // The review stays when the game continues elsewhere.
  await page.click("#moves button >> nth=3");
  await type(page, ["c3"]);
  await soon(page, () => document.querySelector("#review .decision"));
  await page.click("#review-bar >> text=/Make .* miss/");
  await soon(page, () => document.getElementById("log").textContent.includes("All misses were looked at"));
}

/** A puzzle is asked, missed, refuted and solved; then the game is restored. */
async function trainer(page, { begin, type, until, shot }) {
  await begin(page, "pente");
  await type(page, ["j10", "k10"]);
  await page.evaluate(() => {
    localStorage.removeItem("goren-cards");
    const text = JSON.stringify({
      game: "freestyle", size: 15, pos: "f8 f3 g8 g3 h8 h3",
      result: "win", plies: 3, tier: "plain", kind: "fours",
    });
    const puzzle = { kind: "fours", hard: false, game: "freestyle", plies: 3, text };
    localStorage.setItem("goren-puzzles", JSON.stringify([puzzle]));
  });
  await page.click("#menu >> text=Train");
  await page.locator("dialog").getByLabel("Puzzles", { exact: true }).selectOption("own");
  await page.waitForSelector("dialog >> text=1 of 1 puzzles");
  await shot(page, "trainer");
  await page.click("dialog button:text-is('Train')");
  await until(page, "exercise", "Black to move wins by fours.");
  await shot(page, "exercise");
  await type(page, ["o1"]);
  await until(page, "exercise", "o1 loses: ");
  await soon(page, () => document.querySelectorAll("#board svg circle[fill='#f7f7f2']").length >= 5);
  await shot(page, "exercise-refuted");
  const card = () => page.evaluate(() => Object.values(JSON.parse(localStorage.getItem("goren-cards")))[0]);
  assert.deepEqual([(await card()).box, (await card()).missed], [0, 1]);
  await page.click("#exercise >> text=Try again");
  await until(page, "exercise", "Black to move wins by fours.");
  await type(page, ["i8"]);
  await until(page, "exercise", "Solved");
  // It was missed: solving it at the second try does not count.
  assert.equal((await card()).asked, 1);
  await page.click("#exercise >> text=Next puzzle");
  await until(page, "exercise", "Black to move wins by fours.");
  await page.click("#exercise >> text=Solution");
  await until(page, "exercise", "The solution begins with");
  await page.click("#exercise >> text=Back to my game");
  await soon(page, () => document.getElementById("game-name").textContent.startsWith("pente"));
  assert.equal(await shownPlies(page), 3);
  assert.ok(await page.locator("#exercise").isHidden());
  // A broken puzzle is refused with a message.
  await page.evaluate(() => {
    const text = JSON.stringify({ game: "freestyle", size: 15, pos: "h8 h8", result: "win", plies: 3, tier: "plain", kind: "fours" });
    localStorage.setItem("goren-puzzles", JSON.stringify([{ kind: "fours", hard: false, game: "freestyle", plies: 3, text }]));
  });
  await page.click("#menu >> text=Train");
  await page.click("dialog button:text-is('Train')");
  await page.waitForSelector("#log .bad:has-text('the point is occupied')");
  assert.equal(await shownPlies(page), 3);
  await page.evaluate(() => localStorage.removeItem("goren-puzzles"));
}

/** The memory of puzzles follows the rules of its boxes. */
async function memory(page) {
  const result = await page.evaluate(async () => {
    const { DAYS, due, next } = await import("./memory.js");
    const day = 86_400_000;
    let card;
    const boxes = [];
    for (const solved of [true, true, false, true, true, true, true, true, true]) {
      card = next(card, solved, 0);
      boxes.push([card.box, card.due / day]);
    }
    const puzzle = (pos, plies) => ({ plies, text: JSON.stringify({ game: "renju", size: 15, pos }) });
    const cards = {
      "renju 15 a": { box: 1, due: 5, asked: 1, missed: 0 },
      "renju 15 b": { box: 0, due: 5, asked: 2, missed: 2 },
      "renju 15 c": { box: 2, due: 99, asked: 2, missed: 0 },
    };
    const puzzles = [puzzle("long", 9), puzzle("short", 3), puzzle("a", 5), puzzle("b", 5), puzzle("c", 5)];
    const order = due(puzzles, cards, 10).map(({ text }) => JSON.parse(text).pos);
    return { DAYS, boxes, order, missed: card.missed };
  });
  assert.deepEqual(result.boxes, [[1, 1], [2, 3], [0, 0], [1, 1], [2, 3], [3, 7], [4, 21], [5, 60], [5, 60]]);
  assert.deepEqual(result.order, ["b", "a", "short", "long"]);
  assert.equal(result.missed, 1);
}

/** The dialog describes the chosen level. */
async function levels(page) {
  await page.click("#menu >> text=New game");
  const level = page.locator("dialog form").getByLabel("Level of the first player", { exact: true });
  for (const [name, words] of [["beginner", "overlooks every second open three"], ["full", "the best move"]]) {
    await level.selectOption(name);
    await page.waitForSelector(`dialog .about:has-text("${words}")`);
  }
  await page.keyboard.press("Escape");
}

module.exports = { levels, memory, review, trainer };
