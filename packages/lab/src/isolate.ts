// Threads need cross-origin isolation, which hosts enable by headers. If a host does not, a service worker adds them,
// and the page is loaded once more.

const TRIED = "skerry:isolated";

/** A browser that neither registers nor refuses a worker must not keep the page waiting. */
const MOST_MILLISECONDS = 1500;

/** Resolves to true if this page continues, and to false if it reloads as an isolated page. */
export async function isolate(): Promise<boolean> {
  if (crossOriginIsolated || !isSecureContext || !("serviceWorker" in navigator)) return true;
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(true), MOST_MILLISECONDS));
  return Promise.race([late, reloadIsolated()]).catch(() => true);
}

async function reloadIsolated(): Promise<boolean> {
  // One try per session, so that a browser that does not isolate does not load the page for ever.
  const tried = sessionStorage.getItem(TRIED) !== null;
  sessionStorage.setItem(TRIED, "1");
  await navigator.serviceWorker.register(new URL("./sw.js", document.baseURI));
  if (tried) return true;
  await navigator.serviceWorker.ready;
  location.reload();
  return false;
}
