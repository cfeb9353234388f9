// Exports for our own packages beyond the public names of OME-Zarr. They are not documented, and change without notice.

export { checkBlocks, type LabelBox, type ZarrBlocks, type ZarrBlocksOptions, zarrBlocks } from "./blocks.js";
export { pixelTypeOfArray } from "./chunk.js";
export { crc32c } from "./crc32c.js";
export { isZarr } from "./detect.js";
export type { Three } from "./layout.js";
export { NamedImage } from "./named-image.js";
export { isRemote, isZarrName } from "./names.js";
export type { Axis, Level, StoredPlace } from "./ome.js";
export { type ImageArray, type OpenedImage, openImage } from "./open.js";
export { limitThreads } from "./pool.js";
export type { ZarrBox } from "./select.js";
export { checkSink } from "./sink.js";
export { sourceOf } from "./source.js";
export { FileStore } from "./store/file.js";
export { HttpStore } from "./store/http.js";
export { type IsOwn, renameOnce } from "./store/once.js";
export { openStore, writablePlace } from "./store/open.js";
export { S3Store } from "./store/s3.js";
export type { Growing, Inventory, Range, ReadOptions, Store, StoreOptions, WritableStore } from "./store/store.js";
