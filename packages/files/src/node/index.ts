// Files on disk, folders and stdin, and output files that appear whole or not at all, for the command line and workers on other
// machines. The formats themselves are in ../formats.

export { makeFolder } from "./folder.js";
export { resident } from "./load-pixels.js";
export { enforceLimit, limitMemory, memoryForPixels, mostBytes, tooLittle } from "./memory-limit.js";
export { cleanUpOnSignals, endUnfinished, OutputFile, writeWhole } from "./output.js";
export { toRgb, writeOverlay } from "./overlay.js";
export { type Colour, checkPaintedPath, writePainted, writePaintedSlices } from "./painted.js";
export {
  type About,
  eachBand,
  type Picture,
  type PictureOptions,
  type RawLayout,
  rasterOf,
  sizeOf,
} from "./picture.js";
export { Preview } from "./preview.js";
export {
  checkClassesPath,
  checkLabelsPath,
  checkMapPath,
  checkMaskPath,
  checkOutlinesPath,
  checkPalettePath,
  checkRecolouredPath,
  checkRunsPath,
  checkTablePath,
  RegionsTable,
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
export type { Input, Opened, Reader, Start } from "./reader.js";
export { headerOf, nameOf, openPicture, picturesIn, READERS } from "./readers.js";
export { firstLine, reasonOf } from "./reasons.js";
export { readSmallPng } from "./small-png.js";
export { checkEnding, checkValuesPath, holds, writerFor, writeValues } from "./writers.js";
