// Exports for our own packages beyond the public names of files on disk. They are not documented, and change without notice.

export { makeFolder } from "./folder.js";
export { enforceLimit, limitMemory, memoryForPixels, mostBytes, tooLittle } from "./memory-limit.js";
export { cleanUpOnSignals, endUnfinished, writeWhole } from "./output.js";
export { toRgb, writeFigure } from "./overlay.js";
export { checkPaintedPath, writePaintedSlices } from "./painted.js";
export { eachBand, type RawLayout, sizeOf } from "./picture.js";
export { Preview } from "./preview.js";
export {
  checkClassesPath,
  checkFigurePath,
  checkLabelsPath,
  checkMapPath,
  checkMaskPath,
  checkOutlinesPath,
  checkPalettePath,
  checkRecolouredPath,
  checkRunsPath,
  checkTablePath,
  RegionsTable,
} from "./products.js";
export type { Opened, Reader, Start } from "./reader.js";
export { headerOf, nameOf, picturesIn, READERS } from "./readers.js";
export { firstLine, reasonOf } from "./reasons.js";
export { readSmallPng } from "./small-png.js";
export { checkEnding, checkValuesPath, holds, writerFor, writeValues } from "./writers.js";
