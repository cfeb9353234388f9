// `skerry lab`: serves the page's built files to this machine only, cross-origin isolated, which threads need.

import { spawn } from "node:child_process";
import { accessSync, constants, createReadStream, existsSync, realpathSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, extname, join, normalize, resolve, sep } from "node:path";
import { pipeline } from "node:stream";
import { fileURLToPath } from "node:url";
import { createBrotliCompress, createGzip, constants as ZLIB } from "node:zlib";
import { reasonOf } from "@skerry/files/node/internal";
import { Command, Option } from "commander";
import { RunError, unexpected } from "../errors.js";

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
  ".wasm": "application/wasm",
};

/** Endings of the files that are sent compressed. */
const PACKED = new Set([".html", ".js", ".css", ".svg", ".json", ".webmanifest", ".wasm"]);
/** Compressors by the names of their encodings, the best first. */
const PACKERS = {
  br: () => createBrotliCompress({ params: { [ZLIB.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: () => createGzip(),
};
const ENCODINGS = Object.keys(PACKERS) as (keyof typeof PACKERS)[];

const HEADERS = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
};

/** Headers of the user's files: the browser must not open them as pages, whose scripts could read all that is served here. */
const DOWNLOAD = {
  "Content-Type": "application/octet-stream",
  "Content-Disposition": "attachment",
  "Content-Security-Policy": "sandbox; default-src 'none'",
};

/** Folder of the page's built files; the build copies them there. */
const PAGE = fileURLToPath(new URL("../../dist/page/", import.meta.url));

interface Options {
  port: number;
  open: boolean;
}

export function labCommand(): Command {
  return new Command("lab")
    .summary("the page: drop an image, see its objects")
    .description(
      "Serves the page on 127.0.0.1, for this machine alone, and opens it in a browser, with FILE if one is named; several are offered there. Images stay on this machine.",
    )
    .argument("[FILE...]", "images to open")
    .usage("[FILE...] [options]")
    .addOption(new Option("--port <N>", "port to listen on, 0 for any").default(0).argParser(portOf))
    .option("--no-open", "do not open a browser")
    .addHelpText(
      "after",
      "\nExamples:\n  skerry lab\n  skerry lab scan.tif\n  skerry lab --port 8080 --no-open\n\nEnd it with Ctrl+C.",
    )
    .action((files: string[], options: Options) => lab(files, options));
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw unexpected("--port", "a whole number from 0 to 65535", text);
  return port;
}

async function lab(files: readonly string[], { port, open }: Options): Promise<void> {
  for (const file of files) checkFile(file);
  if (!existsSync(join(PAGE, "index.html"))) {
    throw new RunError("Could not find the page's built files; run npm run build in the repository.");
  }
  const server = await serve(PAGE, port, files);
  const search = new URLSearchParams(files.map((file, i) => ["open", `${FILES}${i}/${basename(file)}`]));
  const query = files.length > 0 ? `?${search}` : "";
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${query}`;
  console.log(address);
  if (open) openBrowser(address);
}

/** URL path of the user's files; a file's number and name follow. */
const FILES = "files/";

function checkFile(file: string): void {
  try {
    accessSync(file, constants.R_OK);
    if (!statSync(file).isFile()) throw new RunError(`Could not read ${file}: it is no file.`);
  } catch (error) {
    throw error instanceof RunError ? error : new RunError(`Could not read ${file}: ${reasonOf(error)}.`);
  }
}

/** Serves a folder and the named files. Answers only GET requests that address a local host name. */
export function serve(folder: string, port: number, files: readonly string[] = []): Promise<Server> {
  const root = realpathSync(folder);
  const named = new Map(files.map((file, i) => [`/${FILES}${i}/${basename(file)}`, resolve(file)]));
  const server = createServer((request, response) => answer(root, named, request, response));
  return new Promise((resolve, reject) => {
    server.on("error", (error) => reject(new RunError(`Could not listen on port ${port}: ${reasonOf(error)}.`)));
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}

function answer(
  root: string,
  files: ReadonlyMap<string, string>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { port } = request.socket.address() as AddressInfo;
  const names = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port}`);
  // Requests under any other host name are rejected, because a foreign page may have sent them (DNS rebinding).
  const named = names.includes(request.headers.host ?? "");
  const file = files.get(askedPath(request.url ?? "/"));
  const path = file ?? fileAt(root, request.url ?? "/");
  const status = !named ? 403 : request.method !== "GET" ? 405 : path ? 200 : 404;
  if (status !== 200 || !path) {
    response.writeHead(status, HEADERS).end();
    return;
  }
  const stream = createReadStream(path);
  // The file may have been deleted since it was named.
  stream.once("error", () => response.headersSent || response.writeHead(404, HEADERS).end());
  stream.once("open", () => {
    const type = file ? DOWNLOAD : { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream" };
    const accepted = `${request.headers["accept-encoding"] ?? ""}`.split(",").map((each) => each.split(";")[0].trim());
    const packer = !file && PACKED.has(extname(path)) ? ENCODINGS.find((name) => accepted.includes(name)) : undefined;
    const packed = packer && { "Content-Encoding": packer, Vary: "Accept-Encoding" };
    response.writeHead(200, { ...HEADERS, ...type, ...packed });
    // Closes the file if the client disconnects; an error while the body is sent aborts the response.
    if (packer) pipeline(stream, PACKERS[packer](), response, () => undefined);
    else pipeline(stream, response, () => undefined);
  });
  response.once("close", () => stream.destroy());
}

/** The decoded path of a URL; empty if it cannot be decoded. */
function askedPath(url: string): string {
  try {
    return decodeURIComponent(new URL(url, "http://localhost").pathname);
  } catch {
    return "";
  }
}

/** The file of a URL, if it lies in the folder and its path has no link. */
function fileAt(root: string, url: string): string | undefined {
  try {
    const asked = askedPath(url);
    const path = normalize(join(root, asked.endsWith("/") ? `${asked}index.html` : asked));
    const inside = path.startsWith(root + sep) && realpathSync(path) === path;
    return inside && statSync(path).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Commands that open a URL in the browser. On Windows, `start` of cmd would cut the URL at an &. */
const BROWSERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

function openBrowser(address: string): void {
  const [command, ...args] = BROWSERS[process.platform] ?? ["xdg-open"];
  // If there is no browser, the printed address remains.
  const child = spawn(command, [...args, address], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}
