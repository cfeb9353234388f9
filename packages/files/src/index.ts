// Files that the command line and the page share. Readers take bytes, writers an Output; nothing here needs Node.

export {
  ARRAYS,
  type Bytes,
  bufferBytes,
  bytesSource,
  checkLength,
  type Encoding,
  pixelTypeOf,
  readFully,
  type Size,
  STORED_BYTES,
  type StoredType,
  type Wide,
  type WideType,
} from "./bytes.js";
export { writeCoco } from "./coco.js";
export { COLOURS, cover, coverRuns, palette } from "./colours.js";
export { FileError } from "./errors.js";
export { maskBytes, writeMask } from "./mask.js";
export { isNpy, npySink, openNpy, writeNpy, writeNpyHeader } from "./npy.js";
export { MemoryOutput, type Output } from "./output.js";
export { isPng, type PngPixels, pngBits, readPng, writePng } from "./png.js";
export { writeRegions, writeRuns } from "./tables.js";
