// A store in a bucket of S3, or of a server that speaks its protocol. Objects appear whole, so a value needs no other name while it is
// written; larger ones are uploaded in parts. Buckets have no folders: a folder is what keys have in common, and none can be renamed.

import { createHash } from "node:crypto";
import { AwsClient } from "aws4fetch";
import { defined } from "skerry/internal";
import { UsageError } from "../../errors.js";
import { ZarrError } from "../errors.js";
import { HttpStore } from "./http.js";
import { HttpClient, type HttpOptions, type HttpRequest, type Sign } from "./http-client.js";
import { InventoryFold, isCounted } from "./inventory.js";
import {
  areEqual,
  type Growing,
  type Inventory,
  joined,
  keyOf,
  type Range,
  type ReadOptions,
  setGrown,
  type WritableStore,
} from "./store.js";

/** Bytes of a part of an upload. Servers take parts of 5 MiB to 5 GiB, at most 10 000 of them. */
const PART_BYTES = 16 * 2 ** 20;

/** Removals at once. */
const AT_ONCE = 16;

/** The way to a bucket. */
interface Place {
  readonly bucket: string;
  readonly address: string;
  /** Whether the bucket is a part of the path, rather than of the host. */
  readonly isPath: boolean;
  readonly sign: Sign | undefined;
}

/**
 * The address of a bucket and the signature of requests, by the variables that AWS's own tools read: AWS_ENDPOINT_URL_S3 or
 * AWS_ENDPOINT_URL for other servers, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN. Without a key requests
 * are not signed, as public buckets want it.
 */
function placeOf(bucket: string): Place {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
    AWS_REGION,
    AWS_DEFAULT_REGION,
    AWS_ENDPOINT_URL_S3,
    AWS_ENDPOINT_URL,
  } = process.env;
  const region = AWS_REGION || AWS_DEFAULT_REGION || "us-east-1";
  const endpoint = (AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL)?.replace(/\/+$/, "");
  if (endpoint !== undefined && !/^https?:\/\/[^/]/.test(endpoint)) {
    throw new UsageError(`Expected AWS_ENDPOINT_URL to begin with http:// or https://, got ${endpoint}.`);
  }
  // A name with dots is not in the certificate of amazonaws.com.
  const isPath = endpoint !== undefined || bucket.includes(".");
  const host =
    endpoint ?? (isPath ? `https://s3.${region}.amazonaws.com` : `https://${bucket}.s3.${region}.amazonaws.com`);
  const address = isPath ? `${host}/${bucket}` : host;
  if (!accessKeyId) return { bucket, address, isPath, sign: undefined };
  if (!secretAccessKey)
    throw new UsageError("Expected AWS_SECRET_ACCESS_KEY together with AWS_ACCESS_KEY_ID, got none.");
  const client = new AwsClient(
    defined({ accessKeyId, secretAccessKey, service: "s3", region, sessionToken: sessionToken || undefined }),
  );
  const sign: Sign = async (url, { method, headers, body }) => {
    // The digest is part of the signature, so that a body that was changed on its way is refused.
    const digest = createHash("sha256")
      .update(body ?? "")
      .digest("hex");
    const request = await client.sign(
      url,
      defined({
        method,
        headers: { ...headers, "X-Amz-Content-Sha256": digest },
        body,
      }),
    );
    return Object.fromEntries(request.headers);
  };
  return { bucket, address, isPath, sign };
}

/** An object of a list. */
interface Listed {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
}

/** A condition of a write. */
type Condition = { readonly "If-None-Match": "*" } | { readonly "If-Match": string };

const ABSENT: Condition = { "If-None-Match": "*" };

/** Whether the condition of a write held. */
function holds(written: Promise<unknown>): Promise<boolean> {
  return written.then(
    () => true,
    (error) => {
      if (error instanceof ZarrError && error.failure === "conflict") return false;
      throw error;
    },
  );
}

export class S3Store implements WritableStore {
  readonly url: string;
  readonly hasFolders = false;
  readonly #options: HttpOptions;
  readonly #place: Place;
  /** The beginning of all keys, without a slash at its end; empty for the whole bucket. */
  readonly #prefix: string;
  readonly #http: HttpStore;
  readonly #client: HttpClient;

  /** @param url `s3://bucket/path` */
  constructor(url: string, options: HttpOptions = {}) {
    this.url = url.replace(/(?<!\/)\/+$/, "");
    const [, bucket, path] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(this.url) ?? [];
    if (bucket === undefined) {
      throw new UsageError(
        `Expected s3://BUCKET/PATH with a bucket of 3 to 63 small letters, digits, dots and dashes, got ${url}.`,
      );
    }
    // Addresses are made plain on their way: s3://one/../two would lead out of the bucket that was allowed.
    if (path?.split("/").some((part) => part === "" || part === "." || part === "..")) {
      throw new UsageError(`Expected a path in ${bucket} without .., . and empty parts, got ${url}.`);
    }
    this.#options = options;
    this.#place = placeOf(bucket);
    this.#prefix = path ?? "";
    // Versions are told with the addresses of the server; nothing but their change counts.
    this.#http = new HttpStore(this.#addressOf(""), options, this.#place.sign);
    this.#client = new HttpClient(options, this.#place.sign);
  }

  get(key: string, options?: ReadOptions): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.#http.get(key, options);
  }

  getRange(key: string, range: Range, options?: ReadOptions): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.#http.getRange(key, range, options);
  }

  at(prefix: string): S3Store {
    return new S3Store(keyOf(this.url, prefix), this.#options);
  }

  async set(key: string, bytes: Uint8Array): Promise<void> {
    if (bytes.length <= PART_BYTES) return this.#put(key, bytes);
    return setGrown(this, key, bytes, (growing) => growing.finish());
  }

  async replace(key: string, bytes: Uint8Array, before: Uint8Array | undefined): Promise<boolean> {
    if (before === undefined) {
      if (bytes.length <= PART_BYTES) return this.#putIf(key, bytes, ABSENT);
      const isOwn = await setGrown(this, key, bytes, (growing) => growing.finishOnce());
      return isOwn || areEqual(await this.get(key), bytes);
    }
    const found = await this.#client.send(this.#addressOf(key), { key }, async (response) => ({
      tag: response.headers.get("etag"),
      bytes: new Uint8Array(await response.arrayBuffer()),
    }));
    if (!found?.tag || !areEqual(found.bytes, before)) return false;
    return this.#putIf(key, bytes, { "If-Match": found.tag });
  }

  async #put(key: string, bytes: Uint8Array): Promise<void> {
    const request = { method: "PUT", key, body: new Uint8Array(bytes) } as const;
    await this.#send(this.#addressOf(key), request, (response) => response.arrayBuffer());
  }

  /**
   * Writes an object if a condition holds. An answer that was lost lets the request come twice, and then the first one stands in its way: the
   * value is there.
   */
  async #putIf(key: string, bytes: Uint8Array, headers: Condition): Promise<boolean> {
    const request = { method: "PUT", key, body: new Uint8Array(bytes), headers } as const;
    const put = this.#send(this.#addressOf(key), request, (response) => response.arrayBuffer());
    return (await holds(put)) || areEqual(await this.get(key), bytes);
  }

  async has(key: string): Promise<boolean> {
    const found = await this.#client.send(this.#addressOf(key), { key, method: "HEAD" }, async () => true);
    if (found) return true;
    for await (const _ of this.#list(`${key}/`, "/")) return true;
    return false;
  }

  async grow(key: string): Promise<Growing> {
    const address = this.#addressOf(key);
    let waiting: Uint8Array[] = [];
    let bytes = 0;
    let upload: string | undefined;
    const tags: string[] = [];
    const begin = async (): Promise<string> => {
      const text = await this.#text(`${address}?uploads=`, { method: "POST", key });
      const [id] = valuesOf(text, "UploadId");
      if (id === undefined) throw new ZarrError("unwritable", `Could not write ${address}: no upload began.`, { key });
      return id;
    };
    const send = async (): Promise<void> => {
      upload ??= await begin();
      const body = joined(waiting, bytes);
      [waiting, bytes] = [[], 0];
      const part = `${address}?partNumber=${tags.length + 1}&uploadId=${encodeURIComponent(upload)}`;
      const tag = await this.#send(part, { method: "PUT", key, body }, async (response) =>
        response.headers.get("etag"),
      );
      if (!tag) throw new ZarrError("unwritable", `Could not write ${address}: a part has no ETag.`, { key });
      tags.push(tag);
    };
    const discard = async (): Promise<void> => {
      if (upload === undefined) return;
      const id = encodeURIComponent(upload);
      await this.#text(`${address}?uploadId=${id}`, { method: "DELETE", key }).catch(() => undefined);
    };
    /** Ends the upload; `headers` may hold a condition. */
    const complete = async (headers?: Condition): Promise<void> => {
      if (bytes > 0) await send();
      const parts = tags.map((tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
      const body = new TextEncoder().encode(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
      const id = encodeURIComponent(upload as string);
      const text = await this.#text(`${address}?uploadId=${id}`, { method: "POST", key, body, headers });
      // Servers begin their answer before they know how it ends.
      if (!text.includes("<Error>")) return;
      const [code] = valuesOf(text, "Code");
      if (code === "PreconditionFailed") {
        throw new ZarrError("conflict", `Could not write ${address}: another value is there.`, { key });
      }
      const [message] = valuesOf(text, "Message");
      throw new ZarrError("unwritable", `Could not write ${address}: ${message ?? "the upload failed"}.`, { key });
    };
    return {
      append: async (more) => {
        for (let at = 0; at < more.length; ) {
          const some = more.slice(at, at + PART_BYTES - bytes);
          waiting.push(some);
          bytes += some.length;
          at += some.length;
          if (bytes === PART_BYTES) await send();
        }
      },
      finish: () => (upload === undefined ? this.#put(key, joined(waiting, bytes)) : complete()),
      finishOnce: async () => {
        if (upload === undefined) return this.#putIf(key, joined(waiting, bytes), ABSENT);
        const isDone = await holds(complete(ABSENT));
        if (!isDone) await discard();
        return isDone;
      },
      discard,
    };
  }

  async remove(prefix: string): Promise<void> {
    const keys = [prefix];
    for await (const { key } of this.#list(`${prefix}/`)) keys.push(key);
    for (let begin = 0; begin < keys.length; begin += AT_ONCE) {
      const some = keys.slice(begin, begin + AT_ONCE);
      await Promise.all(some.map((key) => this.#text(this.#addressOf(key), { method: "DELETE", key })));
    }
  }

  /** Copies an object, at most 5 GiB of it, and removes the first. */
  async rename(from: string, to: string): Promise<void> {
    const { pathname } = new URL(this.#addressOf(from));
    const source = this.#place.isPath ? pathname : `/${this.#place.bucket}${pathname}`;
    const request = { method: "PUT", key: to, headers: { "x-amz-copy-source": source } } as const;
    const text = await this.#text(this.#addressOf(to), request);
    if (text.includes("<Error>")) {
      throw new ZarrError("unwritable", `Could not rename ${keyOf(this.url, from)} to ${to}: the server fails.`, {
        key: to,
      });
    }
    await this.#text(this.#addressOf(from), { method: "DELETE", key: from });
  }

  async list(prefix: string): Promise<string[]> {
    const names: string[] = [];
    const folder = prefix === "" ? "" : `${prefix}/`;
    for await (const { key } of this.#list(folder, "/")) names.push(key.slice(folder.length).replace(/\/$/, ""));
    return names.filter((name) => name !== "");
  }

  /** Names, sizes and ETags of all objects, which a list has in the order of their keys. */
  async inventory(prefix: string, { signal }: ReadOptions = {}): Promise<Inventory> {
    const folder = prefix === "" ? "" : `${prefix}/`;
    const fold = new InventoryFold();
    for await (const { key, size, etag } of this.#list(folder, undefined, signal)) {
      const name = key.slice(folder.length);
      if (name.split("/").every(isCounted)) fold.add(name, size, etag);
    }
    return fold.end();
  }

  /** The objects below a prefix, with keys relative to the store; with a delimiter also what keys have in common up to it. */
  async *#list(prefix: string, delimiter?: string, signal?: AbortSignal): AsyncGenerator<Listed> {
    const before = this.#prefix === "" ? "" : `${this.#prefix}/`;
    for (let token: string | undefined; ; ) {
      const query = new URLSearchParams(
        defined<Record<string, string>>({
          "list-type": "2",
          "encoding-type": "url",
          prefix: `${before}${prefix}`,
          delimiter,
          "continuation-token": token,
        }),
      );
      // Signatures are of %20, and not of +.
      const address = `${this.#place.address}/?${`${query}`.replace(/\+/g, "%20")}`;
      const text = await this.#text(address, { key: prefix, signal });
      const keyIn = (key: string): string => decodeURIComponent(key.replace(/\+/g, " ")).slice(before.length);
      for (const entry of valuesOf(text, "Contents")) {
        const [key = ""] = valuesOf(entry, "Key");
        const [size = ""] = valuesOf(entry, "Size");
        const [etag = ""] = valuesOf(entry, "ETag");
        yield { key: keyIn(key), size: Number(size), etag };
      }
      for (const entry of valuesOf(text, "CommonPrefixes")) {
        const [key = ""] = valuesOf(entry, "Prefix");
        yield { key: keyIn(key), size: 0, etag: "" };
      }
      if (valuesOf(text, "IsTruncated")[0] !== "true") return;
      const [next] = valuesOf(text, "NextContinuationToken");
      if (next === undefined || next === token) {
        throw new ZarrError("damaged", `Could not list ${this.url}: the server does not tell how the list goes on.`, {
          key: prefix,
        });
      }
      token = next;
    }
  }

  #addressOf(key: string): string {
    const path = [this.#prefix, key].filter((part) => part !== "").join("/");
    const encoded = path.split("/").map(encodeURIComponent).join("/");
    return path === "" ? this.#place.address : `${this.#place.address}/${encoded}`;
  }

  /** An answer; a missing bucket is an error here. */
  async #send<T>(address: string, request: HttpRequest, take: (response: Response) => Promise<T>): Promise<T> {
    const found = await this.#client.send(address, request, async (response) => ({ taken: await take(response) }));
    if (found) return found.taken;
    throw new ZarrError("missing", `Could not reach ${address.split("?")[0]}: there is no such bucket or upload.`, {
      key: request.key,
    });
  }

  #text(address: string, request: HttpRequest): Promise<string> {
    return this.#send(address, request, (response) => response.text());
  }
}

/** The contents of all elements of a name in XML. S3 answers with flat lists and without attributes. */
function valuesOf(text: string, name: string): string[] {
  return [...text.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, "g"))].map(([, value]) =>
    value.replace(/&(lt|gt|quot|apos|amp);/g, (_, entity: string) => ENTITIES[entity]),
  );
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
