// The server of `skerry lab`, and what is built: which requests are answered, and how much a visitor loads.

import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { get } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Bench, noBrowser, root, skerry } from "../page.js";

/** The status of a request with other headers than a browser's. */
function statusOf(address: string, method: string, host?: string): Promise<number> {
  return new Promise((done, reject) => {
    const request = get(address, { method, ...(host ? { headers: { host } } : {}) }, ({ statusCode = 0 }) =>
      done(statusCode),
    );
    request.on("error", reject);
  });
}

describe.skipIf(noBrowser)("the server", () => {
  let bench: Bench;
  const link = resolve(root, "packages/cli/dist/page/link.json");
  beforeAll(async () => {
    symlinkSync(resolve(root, "package.json"), link);
    bench = await Bench.start([resolve(root, "samples/cells.png")]);
  });
  afterAll(async () => {
    unlinkSync(link);
    await bench?.close();
  });

  test("answers this machine's names, GET, and files of the page and those that were named alone", async () => {
    const [address, search] = bench.address.split("?") as [string, string];
    expect(search).toBe("open=files%2F0%2Fcells.png");
    const port = new URL(address).port;
    expect(await statusOf(address, "GET")).toBe(200);
    expect(await statusOf(`${address}files/0/cells.png`, "GET")).toBe(200);
    for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
      expect(await statusOf(address, "GET", `${host}:${port}`)).toBe(200);
    }
    for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1:1"]) {
      expect(await statusOf(address, "GET", host)).toBe(403);
    }
    for (const method of ["POST", "HEAD", "PUT", "OPTIONS"]) expect(await statusOf(address, method)).toBe(405);
    for (const path of [
      "..%2f..%2fpackage.json",
      "none.js",
      "files/1/cells.png",
      "files/0/other.png",
      "link.json",
      "%ff",
    ]) {
      expect(await statusOf(`${address}${path}`, "GET"), path).toBe(404);
    }
  });

  test("a host without headers: the service worker isolates the page, and keeps it for when there is no network", async () => {
    const context = await bench.browser.newContext({ viewport: { width: 900, height: 600 } });
    const page = await context.newPage();
    await page.goto(`${bench.plainAddress}?device=cpu`);
    const isolated = () => crossOriginIsolated && document.documentElement.dataset.settled === "true";
    await page.waitForFunction(isolated, undefined, { timeout: 30_000 });
    expect(await page.getByTestId("device").textContent()).toContain("threads");
    await context.setOffline(true);
    await page.reload();
    await page.waitForFunction(isolated, undefined, { timeout: 30_000 });
    expect(await page.getByTestId("count").textContent()).toMatch(/^8\d\d$/);
    await context.close();
  });

  test("a file that goes, downloads that break off, and files that would be pages", async () => {
    const folder = mkdtempSync(join(tmpdir(), "skerry-lab-"));
    const names = ["gone.png", "large.bin", "page.html"].map((name) => join(folder, name));
    writeFileSync(names[0], "x");
    writeFileSync(names[1], Buffer.alloc(32 << 20));
    writeFileSync(names[2], "<script>document.title = 1</script>");
    const child = spawn(process.execPath, [skerry, "lab", ...names, "--no-open"]);
    try {
      const address = await new Promise<string>((done) =>
        child.stdout.once("data", (data) => done(String(data).trim())),
      );
      const { origin, port } = new URL(address);
      unlinkSync(names[0]);
      expect(await statusOf(`${origin}/files/0/gone.png`, "GET")).toBe(404);
      for (let i = 0; i < 20; i++) {
        await new Promise<void>((done) => {
          const socket = connect(Number(port), "127.0.0.1", () =>
            socket.write(`GET /files/1/large.bin HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`),
          );
          socket.once("data", () => done(void socket.destroy()));
        });
      }
      const open = (): number =>
        readdirSync(`/proc/${child.pid}/fd`).filter((fd) => {
          try {
            return readlinkSync(`/proc/${child.pid}/fd/${fd}`) === names[1];
          } catch {
            return false;
          }
        }).length;
      if (existsSync("/proc/self/fd")) await expect.poll(open, { timeout: 5000 }).toBeLessThanOrEqual(1);
      const { headers } = await fetch(`${origin}/files/2/page.html`);
      expect(headers.get("content-type")).toBe("application/octet-stream");
      expect(headers.get("content-disposition")).toBe("attachment");
      expect(headers.get("content-security-policy")).toContain("sandbox");
      expect(await statusOf(origin, "GET")).toBe(200);
    } finally {
      child.kill();
      rmSync(folder, { recursive: true });
    }
  });

  test("a port that is none, a file that is none", () => {
    for (const [args, sentence, code] of [
      [["--port", "x"], "Expected --port to be a whole number from 0 to 65535, got x.", 2],
      [["--port", "99999"], "Expected --port to be a whole number from 0 to 65535, got 99999.", 2],
      [["none.png"], "Could not read none.png: there is no such file or folder.", 1],
    ] as const) {
      const { status, stderr } = spawnSync(process.execPath, [skerry, "lab", "--no-open", ...args], {
        encoding: "utf8",
      });
      expect([status, stderr]).toEqual([code, `skerry: ${sentence}\n`]);
    }
  });
});

describe("what is built", () => {
  const assets = resolve(root, "packages/lab/dist/assets");
  const files = readdirSync(assets);
  const zipped = (path: string): number => gzipSync(readFileSync(path), { level: 9 }).length;
  const named = (stem: string): string => {
    const [name, ...more] = files.filter((file) => file.startsWith(`${stem}-`));
    if (!name || more.length > 0) throw new Error(`Expected one ${stem}, got ${[name, ...more]}`);
    return join(assets, name);
  };

  test("a first load of at most 210 kB in at most 14 files, and of the GPU's chunk at most 84 kB, packed", () => {
    const index = resolve(assets, "../index.html");
    const asked = [...readFileSync(index, "utf8").matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)];
    const first = [index, ...asked.map(([, path]) => resolve(assets, "..", path!)), named("decode.worker")];
    const bytes = first.reduce((sum, path) => sum + zipped(path), 0);
    console.log(`first load: ${bytes} bytes in ${first.length} files, gpu ${zipped(named("gpu"))} bytes`);
    expect(asked.map(([, path]) => path).filter((path) => /\/(cpu|kernels)-/.test(path!)).length).toBe(2);
    expect(bytes).toBeLessThanOrEqual(210_000);
    expect(first.length).toBeLessThanOrEqual(14);
    expect(zipped(named("gpu"))).toBeLessThanOrEqual(84_000);
  });

  test("addresses are relative, and the policy names what is let in", () => {
    const html = readFileSync(resolve(assets, "../index.html"), "utf8");
    expect(html).not.toMatch(/(?:src|href)="\//);
    expect(html).toContain("default-src 'self'; script-src 'self' 'wasm-unsafe-eval';");
  });
});
