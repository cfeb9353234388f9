// Registers the service worker, which caches the page for offline use. If the host sends no headers for cross-origin
// isolation, which threads need, the worker adds them and the page reloads once.

import { EMBEDDER, readText, writeText } from "../state/browser.js";

const TRIED = "skerry:isolated";

/** The page waits no longer than this for a browser that neither registers nor refuses the worker. */
const MOST_MILLISECONDS = 1500;

/** Resolves to true if this page continues, and to false if it reloads as an isolated page. */
export async function isolate(): Promise<boolean> {
  // A page within another one is isolated by that one, or not at all.
  if (!isSecureContext || !("serviceWorker" in navigator) || EMBEDDER !== null) return true;
  if (crossOriginIsolated) {
    register().catch(() => undefined);
    return true;
  }
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(true), MOST_MILLISECONDS));
  return Promise.race([late, reloadIsolated()]).catch(() => true);
}

async function reloadIsolated(): Promise<boolean> {
  // One try per session, so that a browser that does not isolate does not load the page for ever.
  const tried = readText("sessionStorage", TRIED) !== undefined;
  writeText("sessionStorage", TRIED, "1");
  await register();
  if (tried) return true;
  await navigator.serviceWorker.ready;
  location.reload();
  return false;
}

const register = (): Promise<ServiceWorkerRegistration> =>
  navigator.serviceWorker.register(new URL("../sw.js", document.baseURI));

/** Makes the service worker cache every file of the page, so that all of it works offline from now on. */
export async function keepOffline(): Promise<void> {
  if (!isSecureContext || !("serviceWorker" in navigator)) return;
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage("keep");
}
