// The public names of OME-Zarr for skerry.

export type { Codec } from "./codecs.js";
export { ZarrError, type ZarrFailure } from "./errors.js";
export type { FilledChunk, ZarrFilled, ZarrFillOptions } from "./fill.js";
export { zarrFill } from "./fill-stored.js";
export type { ZarrSinkOptions } from "./layout.js";
export type { OmeVersion } from "./ome.js";
export { openZarr, type ZarrPicture, type ZarrPictureOptions } from "./picture.js";
export type { Downsampling } from "./pyramid.js";
export type { ZarrSource } from "./rows.js";
export type { ZarrSourceOptions } from "./select.js";
export { type ZarrSink, zarrSink } from "./sink.js";
export { zarrSource } from "./source.js";
export type { HttpOptions } from "./store/http-client.js";
