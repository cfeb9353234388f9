// Threads need isolation, which hosts give by headers. Where one does not, a service worker does; the page is loaded once more then.

const TRIED = "skerry:isolated";

/** Resolves to whether this page goes on, or gives way to the isolated one. */
export async function isolate(): Promise<boolean> {
  if (crossOriginIsolated || !isSecureContext || !("serviceWorker" in navigator)) return true;
  try {
    await navigator.serviceWorker.register(new URL("./sw.js", document.baseURI));
    // One try per session, so that a browser that does not isolate does not load the page for ever.
    if (sessionStorage.getItem(TRIED)) return true;
    sessionStorage.setItem(TRIED, "1");
    await navigator.serviceWorker.ready;
    location.reload();
    return false;
  } catch {
    return true;
  }
}
