// Requests over HTTP. They are repeated if the server is busy, the connection breaks or the body is incomplete. Redirects are followed only
// within their origin, so that no request goes to another server.

import { ZarrError } from "../errors.js";
import { retrying, Transient } from "./retry.js";
import type { StoreOptions } from "./store.js";

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
/** Status codes, beside 5xx, of a server that may accept the request later: 409 where two write one value at once. */
const BUSY = [408, 409, 425, 429];
/** The status code of a condition that does not hold. */
const CONFLICT = 412;
const REDIRECTS = [301, 302, 303, 307, 308];
const MOST_REDIRECTS = 5;

/** Hosts that answered: they exist, and a name that is not found again is a fault of the network. */
const answered = new Set<string>();

/** A request: its key for messages, and what is sent. */
export interface HttpRequest {
  readonly key: string;
  readonly method?: "GET" | "HEAD" | "PUT" | "POST" | "DELETE" | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Uint8Array<ArrayBuffer> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Headers of a request, with those that sign it. */
export type Sign = (
  address: string,
  request: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: HttpRequest["body"];
  },
) => Promise<Readonly<Record<string, string>>>;

const verbOf = ({ method = "GET" }: HttpRequest): string => (["GET", "HEAD"].includes(method) ? "read" : "write");

/** Sends requests. */
export class HttpClient {
  readonly #options: HttpOptions;
  readonly #sign: Sign | undefined;

  constructor(options: HttpOptions, sign?: Sign) {
    this.#options = options;
    this.#sign = sign;
  }

  /**
   * Sends a request, and takes its answer; undefined for a missing key.
   * @throws ZarrError with the key if the server refuses, or fails in six tries
   */
  async send<T>(
    address: string,
    request: HttpRequest,
    take: (response: Response) => Promise<T>,
  ): Promise<T | undefined> {
    const { key, signal } = request;
    const verb = verbOf(request);
    const once = async (): Promise<T | undefined> => {
      try {
        const response = await this.#ask(address, request);
        return response && (await take(response));
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof ZarrError || error instanceof Transient) throw error;
        const { host } = new URL(address);
        if (codeOf(error) === "ENOTFOUND" && !answered.has(host)) {
          throw new ZarrError("unreachable", `Could not ${verb} ${address}: there is no host ${host}.`, {
            key,
            cause: error,
          });
        }
        if (messageOf(error) === "bad port") {
          throw new ZarrError("refused", `Could not ${verb} ${address}: browsers and Node refuse that port.`, { key });
        }
        const page = (globalThis as { readonly location?: { readonly origin: string } }).location?.origin;
        if (page !== undefined && error instanceof TypeError && !answered.has(host)) {
          throw new ZarrError(
            "unreachable",
            `Could not ${verb} ${address}: there is no answer that this page may read. The server has to send Access-Control-Allow-Origin: ${page} (or *), and to allow the header Range.`,
            { key, cause: error },
          );
        }
        // A connection that broke, or a body that was cut.
        throw new Transient(`Could not ${verb} ${address}: ${messageOf(error)}`, 0, error);
      }
    };
    try {
      return await retrying(once, signal);
    } catch (error) {
      if (!(error instanceof Transient)) throw error;
      throw new ZarrError("unreachable", `${error.message}, in six tries.`, { key, cause: error });
    }
  }

  async #ask(address: string, request: HttpRequest): Promise<Response | undefined> {
    const { key, signal, method = "GET", body } = request;
    const { headers: givenHeaders = {}, missing = MISSING, timeoutMilliseconds = 120_000 } = this.#options;
    const headers = { ...givenHeaders, ...request.headers };
    const verb = verbOf(request);
    let at = address;
    for (let followed = 0; followed <= MOST_REDIRECTS; followed++) {
      const timeout = AbortSignal.timeout(timeoutMilliseconds);
      const sent = {
        method,
        body: method === "GET" ? undefined : body,
        headers: this.#sign ? await this.#sign(at, { method, headers, body }) : headers,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      };
      const answer = await fetch(at, { ...sent, redirect: "manual" });
      // Browsers tell no address of a redirect; they ask each server whether it lets the page read.
      const response = answer.type === "opaqueredirect" ? await fetch(at, sent) : answer;
      answered.add(new URL(at).host);
      const { status } = response;
      if (response.ok) return response;
      const isRefused = status === 401 || status === 403;
      const reason = isRefused || status === 400 ? await reasonOf(response) : "";
      await response.body?.cancel().catch(() => undefined);
      if (missing.includes(status)) return undefined;
      if (BUSY.includes(status) || status >= 500) {
        const after = Number(response.headers.get("retry-after") ?? 0) * 1000 || 0;
        throw new Transient(`Could not ${verb} ${address}: the server answers ${status}`, after);
      }
      if (status === CONFLICT) {
        throw new ZarrError("conflict", `Could not write ${address}: another value is there.`, { key });
      }
      if (isRefused) {
        const hint = this.#sign ? "" : "; it may want credentials";
        throw new ZarrError(
          "refused",
          `Could not ${verb} ${address}: the server refuses it (${status}${reason})${hint}.`,
          { key },
        );
      }
      const to = response.headers.get("location");
      if (!REDIRECTS.includes(status) || to === null) {
        const region = response.headers.get("x-amz-bucket-region");
        const hint = region === null ? "" : `; the bucket is in the region ${region} (AWS_REGION)`;
        throw new ZarrError(
          "unreachable",
          `Could not ${verb} ${address}: the server answers ${status}${reason}${hint}.`,
          {
            key,
          },
        );
      }
      const next = new URL(to, at);
      if (next.origin !== new URL(address).origin) {
        throw new ZarrError(
          "refused",
          `Could not ${verb} ${address}: it redirects to another origin, ${next.origin}; give that address.`,
          { key },
        );
      }
      at = next.href;
    }
    throw new ZarrError(
      "unreachable",
      `Could not ${verb} ${address}: it redirects more than ${MOST_REDIRECTS} times.`,
      {
        key,
      },
    );
  }
}

/** Most bytes of an answer in which S3 tells why it refuses. */
const MOST_REASON_BYTES = 4096;

/** The code of S3 in an answer, such as SignatureDoesNotMatch or RequestTimeTooSkewed; empty if there is none. */
async function reasonOf(response: Response): Promise<string> {
  try {
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    await reader?.cancel();
    const [, code] = /<Code>(\w+)<\/Code>/.exec(new TextDecoder().decode(value?.subarray(0, MOST_REASON_BYTES))) ?? [];
    return code === undefined ? "" : ` ${code}`;
  } catch {
    return "";
  }
}

function codeOf(error: unknown): unknown {
  return ((error as Error).cause as { code?: unknown } | undefined)?.code;
}

function messageOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message || message : message;
}
