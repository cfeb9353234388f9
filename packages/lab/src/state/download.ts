// Hands files to the browser.

import { picture } from "./lab.js";

/** Begins a download under a name. */
export function hand(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // By then, the browser has begun to read the Blob.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Begins a download, whose name begins with the picture's; returns the name. */
export function download(blob: Blob, ending: string): string {
  const name = (picture.value?.name ?? "picture").replace(/(\.nii)?\.[^.]*$/, "") + ending;
  hand(blob, name);
  return name;
}
