// Exports for our own packages beyond the public names. They are not documented, and change without notice.

export { type Affine, type AffineRow, movedTo, worldAt } from "./affine.js";
export {
  ARRAYS,
  bytesSource,
  checkLength,
  type Encoding,
  pixelTypeOf,
  readFully,
  type Size,
  STORED_BYTES,
  type StoredType,
  typeOfArray,
  type Wide,
  type WideType,
} from "./bytes.js";
export type { Annotation, Drawable } from "./drawable.js";
export { COLOURS, cover, coverRuns } from "./drawing/colours.js";
export { glyphRows, textWidth } from "./drawing/digits.js";
export type { Measure } from "./drawing/figure.js";
export { roundLength } from "./drawing/length.js";
export { shapesOf } from "./drawing/polygons.js";
export { rampColours } from "./drawing/ramp.js";
export { eachPlace, type Panel, panelsOf, placeAt, type Side, sidesOf } from "./drawing/slices.js";
export { fitted } from "./fitted.js";
export { isBmp } from "./formats/bmp.js";
export { gifPages, isGif, readGifIndices } from "./formats/gif.js";
export { isHeic } from "./formats/heif.js";
export { isAnalyze, isNifti, NIFTI_HEADER_BYTES, niftiBytes, voxelsEnd } from "./formats/nifti.js";
export { arrayOfZip, isNpy, writeNpyValues } from "./formats/npy.js";
export type { ParquetColumn } from "./formats/parquet.js";
export { isPgm } from "./formats/pgm.js";
export { isPng, pngBits, pngKind, readPngIndices } from "./formats/png.js";
export { isRuns } from "./formats/runs/read.js";
export type { JpegPixels } from "./formats/tiff/codecs.js";
export { isTiff } from "./formats/tiff/directories.js";
export { type Entry, movedEntries } from "./formats/tiff/entries.js";
export type { Band } from "./formats/tiff/read.js";
export { dicomsOfZip, isDicom, readDicom, seriesOfDicom } from "./formats/volumes/dicom.js";
export { isMetaImage } from "./formats/volumes/meta-image.js";
export { isMgh, mghBytes } from "./formats/volumes/mgh.js";
export { isNrrd } from "./formats/volumes/nrrd.js";
export { isZip, unzipped, writeZip, type ZipEntry } from "./formats/zip.js";
export { listOfIds, numbersOf } from "./integers.js";
export { collected, type Layout, type ValueType, type Writer } from "./layout.js";
export { maskBytes } from "./mask-bytes.js";
export { exchangeBytes, indexThrough, isExchanged, isIdentity, match, through } from "./match.js";
export { byNumbers } from "./order.js";
export { OUTLINE_WRITERS, type OutlineWriter } from "./outline-writers.js";
export { type Figure, measureOf, pixelOf, USUAL_PARTS, writeFigure } from "./products/figure.js";
export { type Frame, type FrameOptions, frameOf, inFrame } from "./products/frame.js";
export { LABEL_TYPES, labelsInto, labelValues, writtenIds } from "./products/labels.js";
export { MASK_TYPES, maskValues } from "./products/mask.js";
export { PALETTE_ENDINGS } from "./products/palette.js";
export { attributesOf, columnsOf, type OtherValues } from "./products/regions.js";
export { type OpenTable, TABLE_WRITERS, type TableWriter } from "./products/tables.js";
export { type Comparison, compareTables } from "./products/taught.js";
export { annotated, inWhole } from "./products/whole.js";
export { projected, projectionOf, spaceOfProjection } from "./projection.js";
export { pixelsOfSlice, spaceOfSlice } from "./slice.js";
export {
  type AxisName,
  axisOf,
  hasAxis,
  type ImageAxis,
  inUnit,
  isProjection,
  isSameSize,
  isSheared,
  isUpright,
  lengthUnitOf,
  losesPlace,
  mapUnitOf,
  partOf,
  plainSpace,
  resized,
  type Sides,
  type SpaceParts,
  sizesOf,
  volumeFactor,
} from "./space.js";
export {
  asWanted,
  composed,
  seenColours,
  type TransparencyOptions,
  type Transparent,
  transparencyNote,
  transparentPixels,
  withoutAlpha,
} from "./transparency.js";
export { LENGTH_UNITS, unitFactor, unitName, unitSymbol } from "./units.js";
export { unpackStream } from "./unpack-stream.js";
export { endingOf, endingsOf, type Wanted, WRITERS, wantedBy, writerOf } from "./writers.js";
export { isNamedZarr, rootsOf } from "./zarr/names.js";
