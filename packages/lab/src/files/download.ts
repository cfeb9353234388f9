// Hands files to the browser.

import { picture } from "../state/lab.js";

/** Begins a download, whose name begins with the picture's; returns the name. */
export function download(blob: Blob, ending: string): string {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = (picture.value?.name ?? "picture").replace(/\.[^.]*$/, "") + ending;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return link.download;
}
