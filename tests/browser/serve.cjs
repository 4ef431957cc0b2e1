// A plain web host, which sends none of our headers.

const assert = require("node:assert");
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");

const MIME = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/**
 * Serves a folder; returns the server and the URL, to which `moved` redirects. `changes` edit the
 * files: each is a file name, the text to replace, and its replacement.
 */
module.exports = (folder, changes = []) => {
  const server = http.createServer((request, response) => {
    if (request.url === "/moved") {
      response.writeHead(302, { Location: "./" }).end();
      return;
    }
    const name = new URL(request.url, "http://x").pathname.replace(/\/$/, "/index.html");
    const file = path.join(folder, path.normalize(name));
    if (!fs.existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "Content-Type": MIME[path.extname(file)] ?? "text/plain" });
    const change = changes.find(([changed]) => path.join(folder, changed) === file);
    if (change) {
      const [, old, replacement] = change;
      const text = fs.readFileSync(file, "utf8");
      assert.ok(text.includes(old), `${file} has no ${old}`);
      response.end(text.replace(old, replacement));
      return;
    }
    fs.createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve({ server, address: `http://127.0.0.1:${server.address().port}/` }));
  });
};
