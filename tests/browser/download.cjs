// A file that the page hands to the browser.

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

/** Where Firefox puts files: its driver does not tell of them. */
const inbox = fs.mkdtempSync(path.join(os.tmpdir(), "inbox-"));
process.on("exit", () => fs.rmSync(inbox, { recursive: true, force: true }));

/** Waits for a file to be there as a whole. */
async function arrived() {
  for (let wait = 0; wait < 300; wait++) {
    const names = fs.readdirSync(inbox);
    if (names.length > 0 && !names.some((name) => name.endsWith(".part")) && fs.statSync(path.join(inbox, names[0])).size > 0) {
      return names[0];
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("no file has come");
}

/**
 * Does something after which a file comes, and moves that to `folder`, with `prefix` before its
 * name; gives its path.
 */
async function downloaded(page, isFirefox, act, folder, prefix) {
  if (isFirefox) {
    await act();
    const name = await arrived();
    const to = path.join(folder, prefix + name);
    fs.copyFileSync(path.join(inbox, name), to);
    fs.rmSync(path.join(inbox, name));
    return to;
  }
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  const to = path.join(folder, prefix + download.suggestedFilename());
  await download.saveAs(to);
  return to;
}

module.exports = { downloaded, inbox };
