// The service worker: it keeps the page for when there is no network, and where a host sends no headers for cross-origin isolation,
// which threads need, it adds them, and the page is loaded once more.

import { readText, writeText } from "./state/browser.js";

const TRIED = "skerry:isolated";

/** A browser that neither registers nor refuses a worker must not keep the page waiting. */
const MOST_MILLISECONDS = 1500;

/** Resolves to true if this page continues, and to false if it reloads as an isolated page. */
export async function isolate(): Promise<boolean> {
  if (!isSecureContext || !("serviceWorker" in navigator)) return true;
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
  navigator.serviceWorker.register(new URL("./sw.js", document.baseURI));

/** Asks the service worker to keep every file of the page, so that all of it works without a network from now on. */
export async function keepOffline(): Promise<void> {
  if (!isSecureContext || !("serviceWorker" in navigator)) return;
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage("keep");
}
