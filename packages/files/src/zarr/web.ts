// OME-Zarr where there is no Node, for our own packages: stores over HTTP, in a ZIP and over files that a user chose, and chunks that the
// asking thread decodes. What is imported here runs in browsers. Not documented, and changes without notice.

export { pixelTypeOfArray } from "./chunk.js";
export { ZarrError } from "./errors.js";
export { fillChunks, type ZarrFilled } from "./fill.js";
export { InThread } from "./in-thread.js";
export type { ShownChannel } from "./ome.js";
export { type OpenedImage, openImage } from "./open.js";
export type { ZarrSource } from "./rows.js";
export type { ZarrBox } from "./select.js";
export { sourceWith } from "./source-with.js";
export { HttpStore } from "./store/http.js";
export { type Part, PartsStore, rootOf } from "./store/parts.js";
export type { Store } from "./store/store.js";
export { zipStore } from "./store/zip.js";
