// A slow line before a server: bytes of all connections share its rate, and each request and each new connection waits for its latency.
// The browser's own emulation will not do: it counts bytes after they are unpacked.

import { request as ask, createServer } from "node:http";

const TICK_MILLISECONDS = 5;

/** Serves what `address` serves, as slowly. Returns the new address, and `close`. */
export async function slowLine(address, bytesPerSecond, latencyMilliseconds) {
  const target = new URL(address);
  /** Bytes that wait, in turns of the connections: [response, chunk, when it was sent]. */
  const waiting = [];
  let allowed = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    // A line that idles saves little up: what it sends between two ticks.
    allowed += ((now - last) / 1000) * bytesPerSecond;
    if (waiting.length === 0) allowed = Math.min(allowed, (4 * TICK_MILLISECONDS * bytesPerSecond) / 1000);
    last = now;
    while (waiting.length > 0 && allowed > 0) {
      const { chunk, sent, ...turn } = waiting.shift();
      const part = chunk.subarray(0, Math.min(1460, Math.ceil(allowed)));
      allowed -= part.length;
      turn.write(part);
      if (part.length < chunk.length) waiting.push({ ...turn, chunk: chunk.subarray(part.length), sent });
      else sent();
    }
  }, TICK_MILLISECONDS);
  const met = new WeakSet();
  const server = createServer((request, response) => {
    // A new connection takes a round trip before its request.
    const wait = met.has(request.socket) ? latencyMilliseconds : 2 * latencyMilliseconds;
    met.add(request.socket);
    setTimeout(() => {
      const { method, url, headers } = request;
      const options = { port: target.port, method, path: url, headers: { ...headers, host: target.host } };
      const own = ask(options, async (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        for await (const chunk of answer)
          await new Promise((sent) => waiting.push({ chunk, sent, write: (part) => response.write(part) }));
        response.end();
      });
      own.on("error", () => response.destroy());
      own.end();
    }, wait);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    close() {
      clearInterval(timer);
      server.close();
      server.closeAllConnections();
    },
  };
}
