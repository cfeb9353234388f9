// A server of a folder that fails as servers do: with 503, bodies that are cut, connections that break, late answers.

import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** What happens to a request: `index` counts requests of one path. */
export type Fault =
  | "none"
  | "busy"
  | "cut"
  | "reset"
  | "late"
  | "refused"
  | "elsewhere"
  | "moved"
  | "short"
  | "whole"
  | "another"
  | "endless";

export interface Served {
  readonly url: string;
  /** Paths that were asked for, in order, with the bytes that were sent. */
  readonly requests: { path: string; bytes: number }[];
  close(): Promise<void>;
}

/** Serves a folder; `fault` says what happens to each request. */
export async function serve(
  folder: string,
  fault: (path: string, index: number) => Fault = () => "none",
): Promise<Served> {
  const counts = new Map<string, number>();
  const requests: { path: string; bytes: number }[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? "/").split("?")[0]);
    const index = counts.get(path) ?? 0;
    counts.set(path, index + 1);
    answer(request, response, path, fault(path, index));
  });

  function answer(request: IncomingMessage, response: ServerResponse, path: string, kind: Fault): void {
    const status = { busy: 503, refused: 403 }[kind as "busy" | "refused"];
    if (status) return void response.writeHead(status).end("no");
    if (kind === "elsewhere") return void response.writeHead(302, { Location: `http://other.invalid${path}` }).end();
    if (kind === "moved") return void response.writeHead(307, { Location: `${path}?again` }).end();
    if (kind === "reset") return void request.socket.destroy();
    const file = join(folder, path);
    if (!existsSync(file) || !statSync(file).isFile()) return void response.writeHead(404).end();
    const all = readFileSync(file);
    const range = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? "");
    const [from, to] = range
      ? range[1] === ""
        ? [Math.max(0, all.length - Number(range[2])), all.length]
        : [Number(range[1]), Math.min(all.length, Number(range[2]) + 1)]
      : [0, all.length];
    const isWhole = !range || kind === "whole";
    const body = isWhole ? all : all.subarray(from, kind === "short" ? to - 1 : to);
    requests.push({ path, bytes: body.length });
    const { mtimeMs, size } = statSync(file);
    const told = { ETag: `"${mtimeMs}-${size}"` };
    const first = kind === "another" ? from + 1 : from;
    const part = isWhole ? {} : { "Content-Range": `bytes ${first}-${first + body.length - 1}/${all.length}` };
    if (kind === "endless") {
      response.writeHead(isWhole ? 200 : 206, { ...told, ...part });
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(2 ** 16)))
          requests[requests.length - 1].bytes += 2 ** 16;
      };
      response.on("drain", more);
      more();
      return;
    }
    response.writeHead(isWhole ? 200 : 206, { ...told, ...part, "Content-Length": body.length });
    if (kind === "cut") {
      response.write(body.subarray(0, Math.floor(body.length / 2)));
      setTimeout(() => request.socket.destroy(), 5);
      return;
    }
    setTimeout(() => response.end(body), kind === "late" ? 60 : 0);
  }

  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
