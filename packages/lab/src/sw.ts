// The service worker, for isolation on hosts that send no headers, and for offline use. Every response gets COOP, COEP and
// CORP headers, and successful ones are cached. The network comes first, so that a new version is used at once. For files
// whose names have a hash, the cache comes first.

/** Types of service workers that TypeScript's library for pages lacks. */
interface LateEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface ToldEvent extends LateEvent {
  readonly data: unknown;
}
interface AskedEvent extends Event {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Worker {
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: LateEvent) => void): void;
  addEventListener(type: "message", listener: (event: ToldEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: AskedEvent) => void): void;
}

const worker = self as unknown as Worker;
const CACHE = "skerry-lab";

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("message", (event) => {
  if (event.data === "keep") event.waitUntil(keepAll().catch(() => undefined));
});
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  // Files that the user named on the command line are not part of the page.
  if (new URL(request.url).pathname.includes("/files/")) return;
  event.respondWith(answer(request));
});

/** Caches every file of the page that is not cached yet, by the list that the build writes. */
async function keepAll(): Promise<void> {
  const cache = await caches.open(CACHE);
  const files = (await (await fetch("./files.json")).json()) as readonly string[];
  for (const file of files) {
    const address = new URL(file, location.href);
    if (!(await cache.match(address))) await cache.add(address);
  }
}

/** Whether a file never changes: its name has a hash of its content. */
const isFixed = ({ url }: Request): boolean => new URL(url).pathname.includes("/assets/");

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  if (isFixed(request)) {
    const kept = await cache.match(request);
    if (kept) return isolated(kept);
  }
  try {
    const response = await fetch(request);
    // If the storage is full, the response is still returned.
    if (response.ok) await cache.put(request, response.clone()).catch(() => undefined);
    return isolated(response);
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: request.mode === "navigate" });
    if (!kept) throw error;
    return isolated(kept);
  }
}

/** Adds the isolation headers; not `credentialless`, which Safari does not support. */
function isolated(response: Response): Response {
  if (response.status === 0) return response;
  const headers = new Headers(response.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
