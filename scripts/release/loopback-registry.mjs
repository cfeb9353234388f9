// A registry in npm's own format on loopback: it keeps what is published to it in memory, and passes every other package on to the
// registry that npm is set up with. For rehearsals of a release alone.

import { createHash } from "node:crypto";
import { createServer } from "node:http";

/**
 * Opens the registry. `upstream` is the address of the registry behind it. Resolves to its address, the names that were published, and
 * a function that closes it.
 */
export async function openRegistry(upstream) {
  const documents = new Map();
  const tarballs = new Map();
  const behind = upstream.replace(/\/$/, "");
  const server = createServer(async (request, response) => {
    try {
      const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname).slice(1);
      const send = (status, body, type = "application/json") =>
        response.writeHead(status, { "Content-Type": type }).end(body);
      if (request.method === "PUT") {
        const chunks = [];
        for await (const chunk of request) chunks.push(chunk);
        publish(JSON.parse(Buffer.concat(chunks).toString()));
        return send(201, '{ "ok": true }');
      }
      if (tarballs.has(path)) return send(200, tarballs.get(path), "application/octet-stream");
      if (documents.has(path)) return send(200, JSON.stringify(documents.get(path)));
      const passed = await fetch(`${behind}${request.url}`, { headers: { accept: request.headers.accept ?? "*/*" } });
      return send(
        passed.status,
        Buffer.from(await passed.arrayBuffer()),
        passed.headers.get("content-type") ?? "application/json",
      );
    } catch (error) {
      return response.writeHead(500).end(JSON.stringify({ error: error.message }));
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const address = `http://127.0.0.1:${server.address().port}/`;

  function publish({ name, versions, _attachments: attachments, "dist-tags": tags }) {
    for (const [version, manifest] of Object.entries(versions)) {
      if (documents.get(name)?.versions[version]) throw new Error(`${name} ${version} is there already`);
      const [bytes] = Object.values(attachments).map(({ data }) => Buffer.from(data, "base64"));
      const file = `${name}/-/${name.split("/").pop()}-${version}.tgz`;
      tarballs.set(file, bytes);
      const shasum = createHash("sha1").update(bytes).digest("hex");
      const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
      manifest.dist = { ...manifest.dist, shasum, integrity, tarball: `${address}${file}` };
    }
    const before = documents.get(name);
    documents.set(name, {
      _id: name,
      name,
      "dist-tags": { ...before?.["dist-tags"], ...tags },
      versions: { ...before?.versions, ...versions },
    });
  }

  return { address, names: () => [...documents.keys()].sort(), close: () => server.close() };
}
