// Runs before the page's own code: asks for the first sample's file, unless the address names another picture. The page takes the answer
// over (`takeEarly()` in state/open.ts). A link with rel=preload would do, but Chromium never ends such an answer on a throttled line.

const { first } = document.documentElement.dataset;
const search = new URLSearchParams(location.search);
if (first && !location.hash && !search.has("open") && !search.has("embed")) {
  Object.assign(globalThis, { skerryEarly: { address: first, answer: fetch(first).catch(() => undefined) } });
}
