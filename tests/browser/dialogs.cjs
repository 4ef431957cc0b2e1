// Every dialog by the keyboard alone, each checked for accessibility; texts on points.

const assert = require("node:assert");

/** The steps by name; the parameters are the helpers of board.cjs. */
module.exports = ({ begin, type, click, until, shot, accessible, isFirefox }) => {
  const focused = (page) =>
    page.evaluate(() => {
      const { activeElement } = document;
      return { tag: activeElement.tagName, text: activeElement.textContent, inside: Boolean(activeElement.closest("dialog")) };
    });

  /** Goes to a button of the page by Tab. */
  async function tabTo(page, text) {
    await page.evaluate(() => {
      document.activeElement.blur();
      getSelection().setBaseAndExtent(document.body, 0, document.body, 0);
    });
    for (let count = 0; count < 120; count++) {
      await page.keyboard.press("Tab");
      const { tag, text: focusedText } = await focused(page);
      if (tag === "BUTTON" && focusedText === text) {
        return;
      }
    }
    throw new Error(`${text} cannot be reached by Tab`);
  }

  /** Opens a dialog, tabs through it and closes it without a mouse. */
  async function tabThrough(page, open, title) {
    for (let tries = 0; tries < 5; tries++) {
      await page.bringToFront();
      await open();
      // The driver of Firefox loses a key now and then.
      const opened = await page.waitForSelector("dialog[open]", { timeout: 3000 }).catch(() => undefined);
      if (opened) {
        break;
      }
    }
    await page.getByRole("dialog", { name: title, exact: true }).waitFor();
    assert.deepEqual([(await focused(page)).inside, title], [true, title]);
    await accessible(page);
    // The focus stays in the dialog and does not reach the page below.
    const fields = await page.locator("dialog[open] :is(button, input, select, textarea, [tabindex])").count();
    // After the last field Tab leads to the browser itself, from where Firefox's driver does not
    // return.
    for (let count = isFirefox ? 3 : -2; count < fields; count++) {
      await page.keyboard.press("Tab");
      const { tag, inside } = await focused(page);
      assert.ok(inside || tag === "BODY" || tag === "HTML", `${title}: the focus is on ${tag} of the page`);
    }
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog[open]", { state: "detached" });
  }

  async function dialogs(page) {
    await begin(page, "freestyle");
    await type(page, ["h8"]);
    await page.waitForFunction(() => document.querySelectorAll("#moves button[aria-current]").length === 2);
    for (const [text, title] of [
      ["New game", "New game"],
      ["Players", "Players"],
      ["Open", "Open"],
      ["Save", "Save"],
      ["Link", "A link to this position"],
      ["Train", "Trainer"],
      ["Proofs", "Proofs"],
      ["Database", "Database"],
      ["Settings", "Settings"],
      ["Help", "Help"],
      ["Text on a point", "Text on a point"],
    ]) {
      await tabTo(page, text);
      await tabThrough(page, () => page.keyboard.press("Enter"), title);
      assert.equal((await focused(page)).text, text, "the focus comes back");
    }
    for (const [key, title] of [["n", "New game"], ["o", "Open"], ["w", "Save"], ["?", "Help"]]) {
      const open = async () => {
        await page.focus("#board svg");
        await page.keyboard.press(key);
      };
      await tabThrough(page, open, title);
    }
    // A new game without a mouse.
    await page.focus("#board svg");
    await page.keyboard.press("n");
    const form = page.locator("dialog form");
    await form.getByLabel("Game", { exact: true }).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await form.getByLabel("seconds for a move", { exact: true }).focus();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.getElementById("game-name").textContent.startsWith("renju"));
  }

  async function labels(page) {
    await begin(page, "freestyle");
    await type(page, ["h8"]);
    await page.waitForFunction(() => document.querySelectorAll("#moves button[aria-current]").length === 2);
    // By mouse, by button, and by keyboard.
    await click(page, "3,3", { button: "right", modifiers: ["Control"] });
    await page.keyboard.type("A");
    await page.keyboard.press("Enter");
    const label = (text) =>
      page.waitForFunction(
        (text) => [...document.querySelectorAll("#board text.label")].some(({ textContent }) => textContent === text),
        text,
      );
    await label("A");
    await page.click("#moves-bar >> text=Text on a point");
    await page.keyboard.type("j9");
    await page.keyboard.press("Tab");
    await page.keyboard.type("good");
    await page.keyboard.press("Enter");
    await label("good");
    await shot(page, "labels");
    const contrast = await page.evaluate(() => {
      const lightness = (selector) => {
        const color = document.querySelector(selector).getAttribute("fill");
        const [red, green, blue] = [1, 3, 5].map((at) => {
          const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
          return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      return (lightness("#board svg > rect") + 0.05) / (lightness("#board text.label") + 0.05);
    });
    assert.ok(contrast >= 4.5, `a contrast of ${contrast}`);
    await page.focus("#board svg");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("m");
    await page.waitForFunction(() => [...document.querySelectorAll("#board text")].some(({ textContent }) => textContent === "○"));
    await page.keyboard.press("l");
    await page.keyboard.type("B");
    await page.keyboard.press("Enter");
    await label("B");
    // Keys of the browser, such as Ctrl+L, are left alone.
    const taken = await page.evaluate(() =>
      ["ctrlKey", "altKey", "metaKey"].flatMap((modifier) =>
        ["e", "l", "m", "Enter"].filter((key) => {
          const how = { key, [modifier]: true, bubbles: true, cancelable: true };
          return !document.querySelector("#board svg").dispatchEvent(new KeyboardEvent("keydown", how));
        }),
      ),
    );
    assert.deepEqual(taken, []);
    assert.ok(!(await page.isVisible("dialog")));
    // An empty text removes a text; an invalid point is refused.
    await click(page, "3,3", { button: "right", modifiers: ["Control"] });
    await page.fill('dialog[open] >> label:has-text("Text") >> input >> nth=-1', "");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelectorAll("#board text.label").length === 2);
    await page.click("#moves-bar >> text=Text on a point");
    await page.keyboard.type("z99");
    await page.keyboard.press("Enter");
    assert.match(await page.$eval("dialog[open] input", (field) => field.validationMessage), /no such point/);
    await page.keyboard.press("Escape");
  }

  /** The default board is that of the game with its options, unless the user has chosen one. */
  async function sizes(page) {
    const named = (text) =>
      page.waitForFunction((text) => document.getElementById("game-name").textContent.startsWith(text), text);
    await begin(page, "connect6", { options: ["torus"] });
    await named("connect6+torus 15×15,");
    await begin(page, "renju", { options: ["early"] });
    await named("renju+early 19×19,");
    // The sides must be even.
    await begin(page, "four-in-a-row", { options: ["interior-gravity"] });
    await named("four-in-a-row+interior-gravity 8×8,");
    await page.click("#menu >> text=New game");
    const form = page.locator("dialog form");
    await form.getByLabel("Game", { exact: true }).selectOption("connect6");
    await form.getByLabel("columns", { exact: true }).fill("17");
    await form.getByLabel(/^\s*torus:/).check();
    assert.equal(await form.getByLabel("columns", { exact: true }).inputValue(), "17");
    assert.equal(await form.getByLabel("rows", { exact: true }).inputValue(), "17");
    await page.keyboard.press("Escape");
  }

  return (page) => ({
    dialogs: () => dialogs(page),
    "boards of options": () => sizes(page),
    "texts on points": () => labels(page),
  });
};
