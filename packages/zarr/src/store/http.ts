// A read-only store over HTTP. Requests are repeated if the server is busy, the connection breaks or the body is incomplete.
// Redirects are followed only within their origin, so that no request goes to another server.

import { ZarrError } from "../errors.js";
import { retrying, Transient } from "./retry.js";
import type { Range, ReadOptions, Store, StoreOptions } from "./store.js";

/** Options of HTTP requests. */
export interface HttpOptions extends StoreOptions {
  /** Headers of every request, such as an authorization. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Status codes of missing keys; 404 and 410 by default. Buckets that must not be listed answer 403. */
  readonly missing?: readonly number[];
  /** Timeout of a request, in milliseconds; 120 000 by default. */
  readonly timeoutMilliseconds?: number;
}

const MISSING = [404, 410];
/** Status codes, beside 5xx, of a server that may accept the request later. */
const BUSY = [408, 425, 429];
const REDIRECTS = [301, 302, 303, 307, 308];
const MOST_REDIRECTS = 5;

/** Hosts that answered: they exist, and a name that is not found again is a fault of the network. */
const answered = new Set<string>();

export class HttpStore implements Store {
  readonly url: string;
  readonly #options: HttpOptions;

  constructor(url: string, options: HttpOptions = {}) {
    this.url = url.replace(/\/+$/, "");
    this.#options = options;
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
      const told = response.headers.get("content-range");
      if (isPart && told !== null && !isRange(told, range, length)) {
        await response.body?.cancel();
        throw new ZarrError("damaged", `Could not read ${shown}: asked for ${bytes}, got ${told}.`, { key });
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
    return new HttpStore(this.#address(prefix), this.#options);
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
    const once = async (): Promise<Uint8Array<ArrayBuffer> | undefined> => {
      try {
        const response = await this.#ask(address, key, headers, signal);
        if (response === undefined) this.#options.onVersion?.(address, "none");
        if (response === undefined) return undefined;
        const body = await take(response, address);
        const version = versionOf(response);
        if (version !== undefined) this.#options.onVersion?.(address, version);
        return body;
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof ZarrError || error instanceof Transient) throw error;
        const { host } = new URL(address);
        if (codeOf(error) === "ENOTFOUND" && !answered.has(host)) {
          throw new ZarrError("unreachable", `Could not read ${address}: there is no host ${host}.`, {
            key,
            cause: error,
          });
        }
        // A connection that broke, or a body that was cut.
        throw new Transient(`Could not read ${address}: ${messageOf(error)}`, 0, error);
      }
    };
    try {
      return await retrying(once, signal);
    } catch (error) {
      if (!(error instanceof Transient)) throw error;
      throw new ZarrError("unreachable", `${error.message}, in six tries.`, { key, cause: error });
    }
  }

  async #ask(
    address: string,
    key: string,
    headers: Record<string, string>,
    signal: AbortSignal | undefined,
  ): Promise<Response | undefined> {
    const { headers: own = {}, missing = MISSING, timeoutMilliseconds = 120_000 } = this.#options;
    let at = address;
    for (let followed = 0; followed <= MOST_REDIRECTS; followed++) {
      const timeout = AbortSignal.timeout(timeoutMilliseconds);
      const response = await fetch(at, {
        headers: { ...own, ...headers },
        redirect: "manual",
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      answered.add(new URL(at).host);
      const { status } = response;
      if (response.ok) return response;
      await response.body?.cancel();
      if (missing.includes(status)) return undefined;
      if (BUSY.includes(status) || status >= 500) {
        const after = Number(response.headers.get("retry-after") ?? 0) * 1000 || 0;
        throw new Transient(`Could not read ${address}: the server answers ${status}`, after);
      }
      if (status === 401 || status === 403) {
        throw new ZarrError(
          "refused",
          `Could not read ${address}: the server refuses it (${status}); it may want credentials.`,
          { key },
        );
      }
      const to = response.headers.get("location");
      if (!REDIRECTS.includes(status) || to === null) {
        throw new ZarrError("unreachable", `Could not read ${address}: the server answers ${status}.`, { key });
      }
      const next = new URL(to, at);
      if (next.origin !== new URL(address).origin) {
        throw new ZarrError(
          "refused",
          `Could not read ${address}: it redirects to another origin, ${next.origin}; give that address.`,
          { key },
        );
      }
      at = next.href;
    }
    throw new ZarrError("unreachable", `Could not read ${address}: it redirects more than ${MOST_REDIRECTS} times.`, {
      key,
    });
  }
}

/** Most bytes of a value whose size nobody knows before. */
const MOST_BYTES = 2 ** 31;

/** Whether a Content-Range is what was asked for. The whole size may be unknown, as "*". */
function isRange(told: string, range: Range, length: number): boolean {
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(told.trim()) ?? [];
  if (first === undefined || Number(last) - Number(first) + 1 > length) return false;
  if (range.offset !== undefined) return Number(first) === range.offset;
  return size === "*" || Number(first) === Math.max(0, Number(size) - length);
}

/** A body, or its beginning of more than `most` bytes, after which the connection is given up. */
async function bodyOf(response: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const told = Number(response.headers.get("content-length") ?? Number.NaN);
  // The connection ends after the length that it tells; packed bodies grow.
  const isBounded = told <= most && response.headers.get("content-encoding") === null;
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
  const body = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    body.set(piece, at);
    at += piece.length;
  }
  return body;
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

function codeOf(error: unknown): unknown {
  return ((error as Error).cause as { code?: unknown } | undefined)?.code;
}

function messageOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message || message : message;
}
