// A read-only store over HTTP. Answers are bounded by what was asked for.

import { ZarrError } from "../errors.js";
import { HttpClient, type HttpOptions, type Sign } from "./http-client.js";
import { Transient } from "./retry.js";
import { joined, type Range, type ReadOptions, type Store } from "./store.js";

export class HttpStore implements Store {
  readonly url: string;
  readonly #options: HttpOptions;
  readonly #sign: Sign | undefined;
  readonly #client: HttpClient;

  constructor(url: string, options: HttpOptions = {}, sign?: Sign) {
    this.url = url.replace(/\/+$/, "");
    this.#options = options;
    this.#sign = sign;
    this.#client = new HttpClient(options, sign);
  }

  get(key: string, options: ReadOptions = {}): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { most = MOST_BYTES } = options;
    return this.#read(key, {}, options, async (response, shown) => {
      const body = await bodyOf(response, most);
      if (body.length <= most) return body;
      throw new ZarrError("damaged", `Could not read ${shown}: it has more than ${most} bytes.`, { key });
    });
  }

  async getRange(key: string, range: Range, options: ReadOptions = {}): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const length = range.offset === undefined ? range.suffix : range.length;
    if (length === 0) return new Uint8Array(0);
    const bytes =
      range.offset === undefined ? `bytes=-${length}` : `bytes=${range.offset}-${range.offset + length - 1}`;
    return this.#read(key, { Range: bytes }, options, async (response, shown) => {
      const isPart = response.status === 206;
      const contentRange = response.headers.get("content-range");
      if (isPart && contentRange !== null && !isRange(contentRange, range, length)) {
        await response.body?.cancel();
        throw new ZarrError("damaged", `Could not read ${shown}: asked for ${bytes}, got ${contentRange}.`, { key });
      }
      // A server without support of ranges sends everything: its end is needed only for the last bytes.
      const most = isPart ? length : range.offset === undefined ? MOST_BYTES : range.offset + length;
      const body = await bodyOf(response, most);
      if ((isPart || range.offset === undefined) && body.length > most) {
        throw new ZarrError("damaged", `Could not read ${shown}: asked for ${bytes}, got more than ${most} bytes.`, {
          key,
        });
      }
      const from = isPart ? 0 : (range.offset ?? Math.max(0, body.length - length));
      const part = isPart && body.length === length ? body : body.slice(from, from + length);
      if (part.length === length) return part;
      throw new Transient(`Could not read ${shown}: expected ${length} bytes, got ${part.length}`);
    });
  }

  /** Nothing can be listed over plain HTTP. */
  async inventory(): Promise<undefined> {
    return undefined;
  }

  at(prefix: string): HttpStore {
    return new HttpStore(this.#address(prefix), this.#options, this.#sign);
  }

  #address(key: string): string {
    const [address, query] = this.url.split("?");
    const path = key.split("/").map(encodeURIComponent).join("/");
    return `${address}${path === "" ? "" : `/${path}`}${query === undefined ? "" : `?${query}`}`;
  }

  async #read(
    key: string,
    headers: Record<string, string>,
    { signal }: ReadOptions,
    take: (response: Response, shown: string) => Promise<Uint8Array<ArrayBuffer>>,
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const address = this.#address(key);
    const { onVersion } = this.#options;
    const found = await this.#client.send(address, { key, headers, signal }, async (response) => {
      const body = await take(response, address);
      const version = versionOf(response);
      if (version !== undefined) onVersion?.(address, version);
      return body;
    });
    if (found === undefined) onVersion?.(address, "none");
    return found;
  }
}

/** Most bytes of a value whose size nobody knows before. */
const MOST_BYTES = 2 ** 31;

/** Whether a Content-Range is what was asked for. The whole size may be unknown, as "*". */
function isRange(contentRange: string, range: Range, length: number): boolean {
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(contentRange.trim()) ?? [];
  if (first === undefined || Number(last) - Number(first) + 1 > length) return false;
  if (range.offset !== undefined) return Number(first) === range.offset;
  return size === "*" || Number(first) === Math.max(0, Number(size) - length);
}

/** A body, or its beginning of more than `most` bytes, after which the connection is given up. */
async function bodyOf(response: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const stated = Number(response.headers.get("content-length") ?? Number.NaN);
  // The connection ends after the length that it tells; packed bodies grow.
  const isBounded = stated <= most && response.headers.get("content-encoding") === null;
  if (isBounded || response.body === null) return new Uint8Array(await response.arrayBuffer());
  const reader = response.body.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  while (length <= most) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    length += value.length;
  }
  await reader.cancel();
  return joined(pieces, length);
}

/** A text that differs once a value was written again; undefined if the server does not tell. */
function versionOf({ headers }: Response): string | undefined {
  const etag = headers.get("etag");
  if (etag !== null) return etag;
  const time = headers.get("last-modified");
  return time === null
    ? undefined
    : `${time} ${headers.get("content-range")?.split("/")[1] ?? headers.get("content-length")}`;
}
