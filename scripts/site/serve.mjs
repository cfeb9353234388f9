// Serves the site on this machine, cross-origin isolated for the page of tools.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".webp": "image/webp",
  ".webmanifest": "application/manifest+json",
};

/** Serves a folder below `prefix` until it is closed. Resolves to the address, and a function that closes it. */
export async function serve(folder, { port = 0, prefix = "/" } = {}) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const inside = pathname.startsWith(prefix) ? normalize(decodeURIComponent(pathname.slice(prefix.length))) : "..";
    const name = inside === "." || inside.endsWith("/") ? join(inside, "index.html") : inside;
    try {
      if (name.startsWith("..")) throw new Error("outside");
      const bytes = await readFile(join(folder, name));
      response.writeHead(200, {
        "content-type": TYPES[extname(name)] ?? "application/octet-stream",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-embedder-policy": "require-corp",
      });
      response.end(bytes);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${server.address().port}${prefix}`;
  console.log(`serving ${address}`);
  return { address, close: () => new Promise((resolve) => server.close(resolve)) };
}
