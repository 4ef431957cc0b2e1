// Opens the board for the tests that drive it.

/**
 * A page that is open and shows the board. Whatever goes wrong in it is added to `errors`:
 * errors and warnings of its scripts, and requests to anywhere but `address`, of which what
 * follows `#` does not count. `prepare` is given the page before it goes anywhere.
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
