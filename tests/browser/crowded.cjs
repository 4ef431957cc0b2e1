// More pages than the program serves: the last one reports it, and works once others are closed.

/** Maximum number of pages at once. */
const MOST = 16;

/** The step; `tools` are the helpers of board.cjs. */
module.exports =
  ({ start, until }) =>
  async (context) => {
    const { program, address } = await start(["--memory", "16"]);
    try {
      const page = await context.newPage();
      await page.goto(address);
      await page.waitForSelector("#board svg");
      // Sockets without pages take up the other places.
      await page.evaluate(async (count) => {
        const address = new URL("socket", location.href);
        address.protocol = "ws:";
        address.hash = "";
        globalThis.sockets = Array.from({ length: count }, () => new WebSocket(address));
        const opened = (socket) => new Promise((resolve) => socket.addEventListener("open", resolve));
        await Promise.all(globalThis.sockets.map(opened));
      }, MOST - 1);
      // A refused socket logs a console error, which is expected here.
      const other = await context.newPage();
      await other.goto(address);
      await until(other, "status", "Too many pages of the board are open");
      await page.evaluate(() => globalThis.sockets.forEach((socket) => socket.close()));
      await other.waitForSelector("#board svg");
      await other.close();
      await page.close();
    } finally {
      program.removeAllListeners("exit");
      program.kill("SIGINT");
    }
  };
