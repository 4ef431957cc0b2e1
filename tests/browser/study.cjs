// Tools for study: links, threats, wins played out, explanations of fouls, pictures.

const assert = require("node:assert");
const fs = require("node:fs");

/** The steps by name; the parameters are the helpers of board.cjs. */
module.exports = ({ begin, type, click, until, shot, opened, saved }) => {
  const plies = (page) => page.locator("#moves button[aria-current]").count();

  function atPly(page, count) {
    return page.waitForFunction(
      (count) => {
        const moves = [...document.querySelectorAll("#moves button[aria-current]")];
        return moves.findIndex((move) => move.getAttribute("aria-current") === "true") === count;
      },
      count,
      { timeout: 20_000 },
    );
  }

  /** Mistakes are reported near the board, and nothing is lost. */
  async function mistakes(page) {
    await begin(page, "renju");
    await type(page, ["h8", "i9"]);
    for (const [move, why] of [
      ["h8", "h8"],
      ["z99", "z99"],
      ["pass pass", "pass"],
      ["<b>", "<b>"],
    ]) {
      await type(page, [move]);
      await until(page, "notice", why);
      assert.ok(await page.locator("#notice .bad").last().isVisible(), move);
      assert.equal(await plies(page), 3);
    }
    await shot(page, "mistake");
    for (const [name, buffer, why] of [
      ["large.sgf", Buffer.alloc(17 << 20, 32), "too large"],
      // A byte may take six bytes in a message.
      ["zeros.lib", Buffer.alloc(3 << 20), "too large"],
      ["noise.sgf", Buffer.from([0, 159, 146, 150]), "noise.sgf"],
      ["empty.psq", Buffer.from(""), "empty.psq"],
      ["broken.json", Buffer.from('{"goren_tree":1'), "broken.json"],
    ]) {
      await page.click("#menu >> text=Open");
      await page.setInputFiles("dialog input[type=file]", { name, mimeType: "text/plain", buffer });
      await until(page, "notice", why);
      assert.equal(await plies(page), 3, name);
    }
    await type(page, ["j10"]);
    await atPly(page, 3);
    await page.waitForFunction(() => document.getElementById("notice").textContent === "");
  }

  /** A link leads to the same position in another page. */
  async function links(page, context) {
    await begin(page, "renju", { opening: "rif" });
    await type(page, ["h8,h9,j10", "swap", "k11"]);
    await atPly(page, 3);
    await page.click("#menu >> text=Link");
    const address = await page.inputValue("dialog[open] input[readonly]");
    assert.match(address, /#game=renju&size=15x15&opening=rif&plies=/);
    await shot(page, "link");
    await page.keyboard.press("Escape");
    const other = await opened(context, address);
    await atPly(other, 3);
    assert.match(await other.textContent("#game-name"), /^renju 15×15, rif/);
    assert.ok(!other.url().includes("#"));
    // It can be pasted too, and a broken link is reported.
    await begin(other, "pente");
    await other.click("#menu >> text=Open");
    await other.fill("dialog textarea", address);
    await other.click("dialog button:text-is('Open')");
    await atPly(other, 3);
    await other.evaluate(() => (location.hash = "game=renju&plies=h8.h8"));
    await until(other, "notice", "Ply 2 (h8)");
    await other.evaluate(() => (location.hash = "%E0%A4%A"));
    await until(other, "notice", "part of the link");
    assert.equal(await plies(other), 4);
    await other.close();
  }

  /** Wins are shown on the board, played out, and added to the tree. */
  async function wins(page) {
    await begin(page, "freestyle");
    await type(page, ["h8", "h9", "i8", "i9", "j8", "a15", "c3", "a13", "c4", "b14", "c5", "o1"]);
    await atPly(page, 12);
    await page.click("#analysis-bar >> text='Win by fours'");
    await page.waitForSelector("#found-lines li");
    await until(page, "notice", "Black wins by fours");
    await shot(page, "win-by-fours");
    await page.click("#found-bar >> text=Into the tree");
    await page.waitForFunction(() => document.querySelectorAll("#moves button[aria-current]").length > 14);
    await until(page, "status", "Black wins");
    await begin(page, "freestyle");
    await type(page, ["h8", "a15", "i9", "o15", "h9", "o1", "g7", "j10"]);
    await atPly(page, 8);
    await page.click("#analysis-bar >> text='Win by threats'");
    await until(page, "notice", "Black wins by threats");
    const stones = await page.locator("#found-lines li").first().textContent();
    assert.ok(stones.trim().split(/\s+/).length >= 5, stones);
    await shot(page, "win-by-threats");
    await page.click("#analysis-bar >> text=Opponent's threats");
    await page.waitForFunction(() => document.querySelectorAll("#found-lines li").length === 3);
    await until(page, "found-title", "the other side threatens");
    await shot(page, "threats");
    // At another position the result is hidden.
    await type(page, ["c3"]);
    await page.waitForFunction(() => document.getElementById("found").hidden);
  }

  /** The reasons why a point is forbidden are shown beside it, as a tree. */
  async function explanations(page) {
    await begin(page, "renju");
    await type(page, ["f8", "a1", "g8", "a3", "h6", "a5", "h7", "a7"]);
    await page.waitForSelector("path.foul");
    await click(page, "7,7");
    await page.waitForSelector("#explanation li");
    assert.match(await page.textContent("#explanation strong"), /Black on h8: double three/);
    assert.equal(await page.locator("#explanation li").count(), 2);
    await page.hover("#explanation li >> nth=0 >> span");
    await page.waitForFunction(() => document.querySelectorAll("#board .hint").length >= 3);
    await shot(page, "explanation");
    await page.click("#explanation button");
    await page.waitForFunction(() => document.getElementById("explanation").hidden);
  }

  /** An animation has a frame for each ply, and a browser can read it. */
  async function animation(page) {
    await begin(page, "pente");
    await type(page, ["j10", "k10", "a1", "l10", "m10"]);
    await atPly(page, 5);
    await page.click("#menu >> text=Save");
    const name = await saved(page, () => page.click("dialog >> text=Animation"), "saved-");
    const bytes = [...fs.readFileSync(name)];
    const found = await page.evaluate(async (bytes) => {
      const decoder = new ImageDecoder({ data: new Uint8Array(bytes), type: "image/gif" });
      await decoder.tracks.ready;
      await decoder.completed;
      const { frameCount } = decoder.tracks.selectedTrack;
      const { image } = await decoder.decode({ frameIndex: frameCount - 1 });
      const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
      const context = canvas.getContext("2d", { willReadFrequently: true });
      context.drawImage(image, 0, 0);
      const across = (x) => Math.round(((44 + x * 40) * canvas.width) / (44 + 18 * 40 + 28));
      const down = (y) => Math.round(((44 + y * 40 - 16) * canvas.width) / (44 + 18 * 40 + 28));
      const at = (x, y) => [...context.getImageData(across(x) + 4, down(y) + 4, 1, 1).data].slice(0, 3);
      return { frameCount, taken: at(10, 9), black: at(9, 9), width: canvas.width };
    }, bytes);
    assert.equal(found.frameCount, 6);
    // The pair k10, l10 was captured: wood is visible there, and Black's stone at j10.
    assert.ok(found.taken[0] > 150 && found.black[0] < 60, JSON.stringify(found));
    // It shows its game, even if another game begins while it is made.
    const make = (width) =>
      page.evaluate(async (width) => {
        const { receive } = await import("./gif.js");
        const { state } = await import("./state.js");
        const { game } = state;
        const done = receive([{ stones: [], last: [] }, { stones: [], last: [] }]);
        state.game = { ...game, width };
        await done;
        state.game = game;
      }, width);
    const alone = await saved(page, () => make(19), "saved-alone-");
    const disturbed = await saved(page, () => make(9), "saved-disturbed-");
    assert.ok(fs.readFileSync(alone).equals(fs.readFileSync(disturbed)));
  }

  /** If the browser cannot make a picture, or does not let the page copy, the page reports it. */
  async function refusals(page) {
    await begin(page, "freestyle");
    await page.evaluate(() => {
      const { toBlob } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.toBlob = function (take) {
        HTMLCanvasElement.prototype.toBlob = toBlob;
        take(null);
      };
    });
    await page.click("#menu >> text=Save");
    await page.click('dialog >> text="Picture (PNG)"');
    await until(page, "notice", "could not make the picture");
    const copies = (value) =>
      page.evaluate((value) => {
        Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true });
        document.execCommand = (command) => {
          const { activeElement } = document;
          const text = activeElement.value?.slice(activeElement.selectionStart, activeElement.selectionEnd);
          return value && command === "copy" && text.includes("#game=");
        };
      }, value);
    await copies(false);
    await page.click("#menu >> text=Link");
    await page.click("dialog >> text='Copy'");
    await page.waitForSelector("dialog[open] >> text=Select it and copy it.");
    await copies(true);
    await page.click("dialog >> text='Copy'");
    await until(page, "notice", "Copied.");
    assert.ok(!(await page.isVisible("dialog")));
    await page.evaluate(() => {
      delete navigator.clipboard;
      delete document.execCommand;
    });
  }

  return (page, context) => ({
    mistakes: () => mistakes(page),
    links: () => links(page, context),
    "wins and threats": () => wins(page),
    explanations: () => explanations(page),
    "a moving picture": () => animation(page),
    "what the browser refuses": () => refusals(page),
  });
};
