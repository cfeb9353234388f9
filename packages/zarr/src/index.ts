// The public names of OME-Zarr for skerry.

export { checkBlocks, type LabelBox, type ZarrBlocks, type ZarrBlocksOptions, zarrBlocks } from "./blocks.js";
export { pixelTypeOfArray } from "./chunk.js";
export type { Codec } from "./codecs.js";
export { crc32c } from "./crc32c.js";
export { ZarrError, type ZarrFailure } from "./errors.js";
export { type FilledChunk, type ZarrFilled, type ZarrFillOptions, zarrFill } from "./fill.js";
export type { Three, ZarrSinkOptions } from "./layout.js";
export { NamedImage } from "./named-image.js";
export { isRemote, isZarr, isZarrName } from "./names.js";
export type { Axis, Level, OmeVersion, StoredPlace } from "./ome.js";
export { type ImageArray, type OpenedImage, openImage } from "./open.js";
export { openZarr, type ZarrPicture, type ZarrPictureOptions } from "./picture.js";
export { limitThreads } from "./pool.js";
export type { Downsampling } from "./pyramid.js";
export type { ZarrSource } from "./rows.js";
export type { ZarrBox, ZarrSourceOptions } from "./select.js";
export { checkSink, type ZarrSink, zarrSink } from "./sink.js";
export { sourceOf, zarrSource } from "./source.js";
export { FileStore } from "./store/file.js";
export { HttpStore } from "./store/http.js";
export type { HttpOptions } from "./store/http-client.js";
export { type IsOwn, renameOnce } from "./store/once.js";
export { openStore, writablePlace } from "./store/open.js";
export { S3Store } from "./store/s3.js";
export type { Growing, Inventory, Range, ReadOptions, Store, StoreOptions, WritableStore } from "./store/store.js";
