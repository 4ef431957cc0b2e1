// Measures how long the page takes to show a clicked stone, while the engine is thinking on all its
// threads: from the click to the frame with the stone. LATENCY is the maximum of the median in
// milliseconds; without it the times are only printed.
//
//   STEPS=latency LATENCY=50 BROWSER=/usr/bin/chromium node tests/browser/board.cjs target/release/goren FOLDER

const assert = require("node:assert");

/** Number of clicks. */
const CLICKS = 40;

/** The step; `tools` are the helpers of board.cjs. */
module.exports =
  ({ begin }) =>
  async (page) => {
    await begin(page, "freestyle");
    await page.click("#analysis-bar >> text=Analyse");
    await page.waitForSelector("#lines li");
    const times = await page.evaluate(async (clicks) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const stones = () => document.querySelectorAll("#board g circle[stroke='#2b2b2b']:not([opacity])").length;
      const times = [];
      for (let at = 0; at < clicks; at++) {
        // Far apart, so that nobody wins.
        const [x, y] = [(3 * at) % 15, (2 * at + Math.floor(at / 5)) % 15];
        const before = stones();
        const begun = performance.now();
        document.querySelector(`rect[data-cell="${x},${y}"]`).dispatchEvent(new MouseEvent("click", { bubbles: true }));
        while (stones() === before && performance.now() - begun < 5000) {
          await frame();
        }
        if (stones() > before) {
          times.push(performance.now() - begun);
        }
        await new Promise((resolve) => setTimeout(resolve, 300));
        if (/wins/.test(document.getElementById("status").textContent)) {
          break;
        }
      }
      return times.sort((a, b) => a - b);
    }, CLICKS);
    assert.ok(times.length > CLICKS / 4, `${times.length} stones`);
    const at = (part) => times[Math.min(times.length - 1, Math.floor(part * times.length))].toFixed(0);
    console.log(`  ${times.length} stones shown after ${at(0.5)} ms (median), ${at(0.9)} ms (90 %), ${at(1)} ms (worst)`);
    assert.ok(times[times.length >> 1] <= Number(process.env.LATENCY ?? Infinity), "a stone is shown too late");
    await page.keyboard.press("s");
  };
