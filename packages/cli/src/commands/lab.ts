// `skerry lab`: serves the page's built files on this machine alone, isolated so that it may use threads.

import { spawn } from "node:child_process";
import { createReadStream, existsSync, realpathSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { Command, Option } from "commander";
import { RunError, reasonOf, UsageError } from "../errors.js";
import { whole } from "./arguments.js";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".webp": "image/webp",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
};

const HEADERS = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
};

/** Where the page's built files lie; the build copies them there. */
const PAGE = fileURLToPath(new URL("../page/", import.meta.url));

interface Options {
  port: number;
  open: boolean;
}

export function labCommand(): Command {
  return new Command("lab")
    .summary("the page: drop an image, see its objects")
    .description(
      "Serves the page on 127.0.0.1, for this machine alone, and opens it in a browser. Images that are dropped there stay on this machine.",
    )
    .addOption(new Option("--port <N>", "port to listen on, 0 for any").default(0).argParser(portOf))
    .option("--no-open", "do not open a browser")
    .addHelpText("after", "\nExamples:\n  skerry lab\n  skerry lab --port 8080 --no-open\n\nEnd it with Ctrl+C.")
    .action((options: Options) => lab(options));
}

function portOf(text: string): number {
  const port = text === "0" ? 0 : whole("--port")(text);
  if (port > 65535) throw new UsageError(`Expected --port to be at most 65535, got ${text}.`);
  return port;
}

async function lab({ port, open }: Options): Promise<void> {
  if (!existsSync(join(PAGE, "index.html"))) {
    throw new RunError("Could not find the page's built files; run npm run build in the repository.");
  }
  const server = await serve(PAGE, port);
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  console.log(address);
  if (open) openBrowser(address);
}

/** Serves a folder: only GET, only files in it, only for names of this machine. */
export function serve(folder: string, port: number): Promise<Server> {
  const root = realpathSync(folder);
  const server = createServer((request, response) => answer(root, request, response));
  return new Promise((resolve, reject) => {
    server.on("error", (error) => reject(new RunError(`Could not listen on port ${port}: ${reasonOf(error)}.`)));
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}

function answer(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { port } = request.socket.address() as AddressInfo;
  const names = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port}`);
  // Another name that leads here is that of a page that should not see this one (DNS rebinding).
  const named = names.includes(request.headers.host ?? "");
  const path = fileAt(root, request.url ?? "/");
  const status = !named ? 403 : request.method !== "GET" ? 405 : path ? 200 : 404;
  if (status !== 200 || !path) {
    response.writeHead(status, HEADERS).end();
    return;
  }
  response.writeHead(200, { ...HEADERS, "Content-Type": TYPES[extname(path)] ?? "application/octet-stream" });
  createReadStream(path).pipe(response);
}

/** The file of an address, if it lies in the folder and is no link out of it. */
function fileAt(root: string, url: string): string | undefined {
  try {
    const asked = decodeURIComponent(new URL(url, "http://localhost").pathname);
    const path = normalize(join(root, asked.endsWith("/") ? `${asked}index.html` : asked));
    const inside = path.startsWith(root + sep) && realpathSync(path) === path;
    return inside && statSync(path).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}

function openBrowser(address: string): void {
  const [command, ...args] =
    process.platform === "darwin" ? ["open"] : process.platform === "win32" ? ["cmd", "/c", "start"] : ["xdg-open"];
  // Where there is no browser the address was printed.
  const child = spawn(command as string, [...args, address], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}
