// More pages than the program serves: the one too many says so, and goes on once others are closed.

/** Pages that it serves at once. */
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
      // Sockets alone take the places of the other pages.
      await page.evaluate(async (count) => {
        const address = new URL("socket", location.href);
        address.protocol = "ws:";
        address.hash = "";
        globalThis.sockets = Array.from({ length: count }, () => new WebSocket(address));
        const opened = (socket) => new Promise((resolve) => socket.addEventListener("open", resolve));
        await Promise.all(globalThis.sockets.map(opened));
      }, MOST - 1);
      // A socket that is refused is an error of the console: here it is no fault.
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
