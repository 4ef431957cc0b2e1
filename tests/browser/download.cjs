// Files that the page has the browser save.

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

/** The download folder of Firefox, as its driver does not report downloads. */
const inbox = fs.mkdtempSync(path.join(os.tmpdir(), "inbox-"));
process.on("exit", () => fs.rmSync(inbox, { recursive: true, force: true }));

/** Waits for a complete file; returns its name. */
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
 * Performs an action that saves a file, and moves the file to `folder`, with `prefix` before its
 * name; returns its path.
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
