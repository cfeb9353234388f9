// Files on disk, folders and stdin, and output files that appear whole or not at all, for the command line and workers on other
// machines. The formats themselves are in ../formats.

export { resident } from "./load-pixels.js";
export { OutputFile } from "./output.js";
export { writeOverlay } from "./overlay.js";
export { type Colour, writePainted } from "./painted.js";
export { type About, type Picture, type PictureOptions, rasterOf } from "./picture.js";
export {
  writeClasses,
  writeDrawing,
  writeLabels,
  writeMap,
  writeMask,
  writeOutlines,
  writePalette,
  writeRecoloured,
  writeRegions,
  writeRuns,
} from "./products.js";
export type { Input } from "./reader.js";
export { openPicture } from "./readers.js";
