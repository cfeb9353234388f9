// A Redis server for tests: the one that is installed, on a free port, without files, stopped by them.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createServer } from "node:net";

/** Whether there is a server, and the sentence for where there is none. */
export const hasRedis = ((): boolean => {
  try {
    execFileSync("redis-server", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    console.warn(
      "There is no redis-server, so the tests of the engine on BullMQ are skipped: apt-get install redis-server.",
    );
    return false;
  }
})();

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A server. */
export class RedisServer {
  readonly port: number;
  #process: ChildProcess | undefined;

  private constructor(port: number) {
    this.port = port;
  }

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.begin();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async begin(): Promise<void> {
    const options = ["--port", `${this.port}`, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
    const own = spawn("redis-server", options, { stdio: ["ignore", "pipe", "inherit"] });
    this.#process = own;
    await new Promise<void>((resolve, reject) => {
      own.on("error", reject);
      own.on("exit", (code) => reject(new Error(`redis-server ended with ${code}`)));
      own.stdout.on("data", (text: Buffer) => {
        if (`${text}`.includes("Ready to accept connections")) resolve();
      });
    });
  }

  /** Ends the server at once; what it held is lost. */
  async kill(): Promise<void> {
    const own = this.#process;
    if (!own || own.exitCode !== null) return;
    own.removeAllListeners("exit");
    const gone = new Promise((resolve) => own.once("exit", resolve));
    own.kill("SIGKILL");
    await gone;
  }
}
