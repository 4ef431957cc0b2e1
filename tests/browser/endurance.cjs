// The program and the page do not grow during hours of analysis: tested for a short time, or for
// ENDURANCE seconds.

const assert = require("node:assert");
const fs = require("node:fs");

/** Default duration in seconds. */
const DURATION = 20;
/** MiB that the program may grow after a third of the time. */
const PROGRAM = 16;
/** MiB that the page may grow. */
const PAGE = 8;

/** Returns the memory of a process in MiB; 0 if the system does not report it. */
function resident(process) {
  const path = `/proc/${process.pid}/status`;
  const line = fs.existsSync(path) && fs.readFileSync(path, "utf8").match(/VmRSS:\s+(\d+) kB/);
  return line ? Number(line[1]) / 1024 : 0;
}

/** The step; `tools` are the helpers of board.cjs. */
module.exports =
  ({ start, begin, opened, isFirefox }) =>
  async (context) => {
    const { program, address } = await start(["--memory", "16", "--threads", "2"]);
    try {
      const page = await opened(context, address);
      // Grows a large tree, with searches of several kinds.
      const round = async (number) => {
        const at = (x, y) => `${"abcdefghijklmno"[x]}${y + 1}`;
        await page.fill("#ply", at(number % 15, (number * 7) % 15));
        await page.press("#ply", "Enter");
        await page.keyboard.press("Tab");
        const name = ["Win by fours", "Opponent's threats", "Win by threats"][number % 3];
        await page.getByRole("button", { name, exact: true }).click();
        await page.waitForTimeout(30);
        await page.click("#actions >> text=Undo");
      };
      const heap = async () => {
        if (isFirefox) {
          return 0;
        }
        const session = await context.newCDPSession(page);
        await session.send("HeapProfiler.collectGarbage");
        const { usedSize } = await session.send("Runtime.getHeapUsage");
        await session.detach();
        return usedSize / 2 ** 20;
      };
      await begin(page, "freestyle");
      await page.click("#analysis-bar >> text=Analyse");
      await page.waitForSelector("#lines li");
      const seconds = Number(process.env.ENDURANCE ?? DURATION);
      const startTime = Date.now();
      let [rounds, before] = [0, undefined];
      for (;;) {
        const past = (Date.now() - startTime) / 1000;
        if (!before && past > seconds / 3) {
          before = { program: resident(program), page: await heap() };
        }
        if (past > seconds) {
          break;
        }
        await round(rounds);
        rounds += 1;
      }
      const after = { program: resident(program), page: await heap() };
      const mib = (/** @type {number} */ size) => size.toFixed(1);
      console.log(
        `  ${rounds} rounds in ${seconds} s: program ${mib(before.program)} to ${mib(after.program)} MiB, ` +
          `page ${mib(before.page)} to ${mib(after.page)} MiB`,
      );
      assert.ok(after.program - before.program < PROGRAM, "the program grows");
      assert.ok(after.page - before.page < PAGE, "the page grows");
      await page.close();
    } finally {
      program.removeAllListeners("exit");
      program.kill("SIGINT");
    }
  };
