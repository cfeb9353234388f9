// A page that uses the library without a bundler, a static server for it, and the title that it ends with in Chromium.

import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";

const require = createRequire(import.meta.url);

/** The system's Chromium. */
export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

export const PAGE = `<!doctype html><title>skerry</title><script type="module">
import { open } from "./bundle.js";
const engine = await open();
const found = await engine.components({ data: new Uint8Array([1, 0, 1, 1]), width: 4, height: 1 });
document.title = \`\${found.count} objects\`;
await engine.close();
</script>
`;

/** A static server without special headers. Returns its address, and a function that closes it. */
export async function serve(path) {
  const types = { ".html": "text/html", ".js": "text/javascript" };
  const server = createServer((request, response) => {
    const file = join(path, new URL(request.url, "http://localhost").pathname);
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": types[extname(file)] ?? "application/octet-stream" });
    return response.end(readFileSync(file));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** The title of a page once its script has set it. */
export async function titleOf(address) {
  const { chromium } = require("playwright-core");
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-background-networking"],
  });
  try {
    const page = await browser.newPage();
    const errors = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    await page.goto(address);
    await page
      .waitForFunction(() => document.title.endsWith("objects"), undefined, { timeout: 20_000 })
      .catch(() => {
        throw new Error(`the page of the bundle ended in ${errors.join("; ") || "nothing"}`);
      });
    return await page.title();
  } finally {
    await browser.close();
  }
}
