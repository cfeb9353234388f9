// A server that speaks S3's protocol: signatures, uploads in parts, lists by pages; and that fails as servers do.

import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const SECRET = "wJalrXUtnFEMI";

/** What happens to a request: `index` counts all requests. */
export type S3Fault = "none" | "busy" | "reset" | "lost" | "error in success";

export interface ServedS3 {
  readonly url: string;
  readonly objects: Map<string, Buffer>;
  /** Methods that were asked for, with the number of requests. */
  readonly requests: Map<string, number>;
  close(): Promise<void>;
}

const sha = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex");
const hmac = (key: Buffer | string, text: string): Buffer => createHmac("sha256", key).update(text).digest();
/** Everything but the letters, digits and signs of RFC 3986 in percents. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

/** Signature Version 4, by its description and not by the client's code. */
function signatureOf(request: IncomingMessage, body: Buffer): string | undefined {
  const [, date, region, names, told] =
    /^AWS4-HMAC-SHA256 Credential=\w+\/(\d{8})\/([\w-]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=(\w+)$/.exec(
      request.headers.authorization ?? "",
    ) ?? [];
  if (date === undefined) return undefined;
  if (request.headers["x-amz-content-sha256"] !== sha(body)) return "";
  const url = new URL(request.url ?? "", "http://x");
  const query = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort();
  const path = url.pathname
    .split("/")
    .map((part) => encoded(decodeURIComponent(part)))
    .join("/");
  const headers = names.split(";").map((name) => `${name}:${`${request.headers[name]}`.trim()}\n`);
  const canonical = [request.method, path, query.join("&"), headers.join(""), names, sha(body)].join("\n");
  const scope = `${date}/${region}/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", request.headers["x-amz-date"], scope, sha(canonical)].join("\n");
  const key = [date, region, "s3", "aws4_request"].reduce<Buffer | string>(
    (own, part) => hmac(own, part),
    `AWS4${SECRET}`,
  );
  return hmac(key, text).toString("hex") === told ? told : "";
}

export async function serveS3(fault: (index: number, method: string) => S3Fault = () => "none"): Promise<ServedS3> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Buffer[]>();
  const requests = new Map<string, number>();
  let index = 0;
  const tagOf = (bytes: Buffer): string => `"${createHash("md5").update(bytes).digest("hex")}"`;
  const answer = (request: IncomingMessage, response: ServerResponse, body: Buffer): unknown => {
    const { method = "GET" } = request;
    requests.set(method, (requests.get(method) ?? 0) + 1);
    const url = new URL(request.url ?? "", "http://x");
    const key = decodeURIComponent(url.pathname).replace(/^\/bucket\/?/, "");
    const kind = fault(index++, method);
    const fail = (status: number): unknown => response.writeHead(status).end("<Error><Code>No</Code></Error>");
    if (signatureOf(request, body) === "") {
      return response.writeHead(403).end("<Error><Code>SignatureDoesNotMatch</Code></Error>");
    }
    if (!url.pathname.startsWith("/bucket")) return fail(404);
    if (kind === "busy") return fail(503);
    if (kind === "reset") return request.socket.destroy();
    const send = (text: string | Buffer, headers: Record<string, string> = {}, status = 200): unknown => {
      // What was written stays, and the client does not know.
      if (kind === "lost") return request.socket.destroy();
      return response.writeHead(status, { "Content-Length": `${Buffer.byteLength(text)}`, ...headers }).end(text);
    };
    const upload = url.searchParams.get("uploadId");
    if (method === "POST" && upload === null) {
      uploads.set(`u ${uploads.size}&`, []);
      return send(`<R><UploadId>u ${uploads.size - 1}&amp;</UploadId></R>`);
    }
    /** Whether the conditions of a write hold. */
    const found = objects.get(key);
    const { "if-none-match": none, "if-match": match } = request.headers;
    const isRefused =
      (none === "*" && found !== undefined) || (match !== undefined && match !== (found && tagOf(found)));
    if (method === "POST") {
      if (isRefused) return fail(412);
      if (kind === "error in success") return send("<Error><Message>try later</Message></Error>");
      const parts = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, n]) => Number(n) - 1);
      objects.set(key, Buffer.concat(parts.map((n) => uploads.get(`${upload}`)?.[n] ?? Buffer.alloc(0))));
      uploads.delete(`${upload}`);
      return send("<Done/>");
    }
    if (method === "PUT" && upload !== null) {
      const own = uploads.get(upload);
      if (!own) return fail(404);
      own[Number(url.searchParams.get("partNumber")) - 1] = body;
      return send("", { ETag: tagOf(body) });
    }
    const copied = request.headers["x-amz-copy-source"];
    if (method === "PUT" && typeof copied === "string") {
      const from = objects.get(decodeURIComponent(copied).replace(/^\/bucket\//, ""));
      if (!from) return fail(404);
      objects.set(key, from);
      return send("<CopyObjectResult/>");
    }
    if (method === "PUT") {
      if (isRefused) return fail(412);
      objects.set(key, body);
      return send("", { ETag: tagOf(body) });
    }
    if (method === "DELETE" && upload !== null) {
      uploads.delete(upload);
      return send("", {}, 204);
    }
    if (method === "DELETE") {
      objects.delete(key);
      return send("", {}, 204);
    }
    if (url.searchParams.has("list-type")) return send(listOf(url.searchParams));
    if (!found) return fail(404);
    if (method === "HEAD") return response.writeHead(200, { "Content-Length": `${found.length}` }).end();
    const range = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? "");
    if (!range) return send(found, { ETag: tagOf(found) });
    const from = range[1] === "" ? Math.max(0, found.length - Number(range[2])) : Number(range[1]);
    const to = range[1] === "" ? found.length : Math.min(found.length, Number(range[2]) + 1);
    const told = { ETag: tagOf(found), "Content-Range": `bytes ${from}-${to - 1}/${found.length}` };
    return send(found.subarray(from, to), told, 206);
  };

  /** A page of at most three entries. */
  function listOf(query: URLSearchParams): string {
    const [prefix, delimiter] = [query.get("prefix") ?? "", query.get("delimiter")];
    const entries = new Map<string, string>();
    for (const [key, bytes] of [...objects].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (!key.startsWith(prefix)) continue;
      const end = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length);
      const common = key.slice(0, end + 1);
      if (end >= 0)
        entries.set(common, `<CommonPrefixes><Prefix>${encodeURIComponent(common)}</Prefix></CommonPrefixes>`);
      else {
        const own = `<Key>${encodeURIComponent(key)}</Key><ETag>${tagOf(bytes).replace(/"/g, "&quot;")}</ETag>`;
        entries.set(key, `<Contents>${own}<Size>${bytes.length}</Size></Contents>`);
      }
    }
    const after = query.get("continuation-token") ?? "";
    const rest = [...entries].filter(([key]) => key > after);
    const page = rest.slice(0, 3);
    const next = page.at(-1)?.[0].replace(/&/g, "&amp;");
    const more = rest.length > 3 ? `<NextContinuationToken>${next}</NextContinuationToken>` : "";
    return `<L><IsTruncated>${rest.length > 3}</IsTruncated>${more}${page.map(([, text]) => text).join("")}</L>`;
  }

  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => answer(request, response, Buffer.concat(pieces)));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

/** The variables by which a server is found; undefined without a key. */
export function variablesOf({ url }: ServedS3, secret: string | undefined = SECRET): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: url,
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: secret === undefined ? "" : "AKIA",
    AWS_SECRET_ACCESS_KEY: secret ?? "",
  };
}
