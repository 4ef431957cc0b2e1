// Opens the board for the tests that drive it.

/**
 * Opens a page that shows the board. Adds to `errors` the errors and warnings of its scripts, and
 * its requests for URLs that do not begin with `address` (without its fragment). `prepare` is
 * called with the page before it loads anything.
 */
module.exports = async function opened(context, address, errors, prepare = async () => {}) {
  const page = await context.newPage();
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) {
      errors.push(message.text());
    }
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(address.replace(/#.*/, "")) && !url.startsWith("blob:") && !url.startsWith("data:")) {
      errors.push(`asked for ${url}`);
    }
  });
  await prepare(page);
  await page.goto(address);
  await page.waitForSelector("#board svg");
  return page;
};
