// File formats for the command line and the page. Readers take bytes, writers an Output. Nothing here needs Node: code that does
// is in
// @skerry/files/node.

export { type Affine, type AffineRow, movedTo, type ToWorld, type Triple } from "./affine.js";
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
  typeOfArray,
  type Wide,
  type WideType,
} from "./bytes.js";
export { COLOURS, cover, coverRuns, objectColour, palette } from "./drawing/colours.js";
export { glyphRows, textWidth } from "./drawing/digits.js";
export { type Polygon, type Shape, shapesOf } from "./drawing/polygons.js";
export { rampColour } from "./drawing/ramp.js";
export { eachPlace, type Panel, panelsOf, placeAt, type Side, sidesOf } from "./drawing/slices.js";
export { FileError, UsageError } from "./errors.js";
export { fitted } from "./fitted.js";
export { writeCoco } from "./formats/coco.js";
export { writeCocoPolygons } from "./formats/coco-polygons.js";
export { writeFlatGeobuf } from "./formats/flatgeobuf.js";
export { type GeoJsonOptions, writeGeoJson } from "./formats/geojson.js";
export { gifPages, isGif, readGifIndices } from "./formats/gif.js";
export { isHeic } from "./formats/heif.js";
export {
  isNifti,
  NIFTI_HEADER_BYTES,
  type Nifti,
  niftiBytes,
  openNifti,
  writeNifti,
} from "./formats/nifti.js";
export { isNpy, type NpyOptions, type OpenedNpy, openNpy, writeNpy, writeNpyValues } from "./formats/npy.js";
export { type ParquetColumn, writeParquet } from "./formats/parquet.js";
export { isPgm, openPgm, writePgm } from "./formats/pgm.js";
export { isPng, type PngPixels, pngBits, pngKind, readPng, readPngIndices, writePng } from "./formats/png.js";
export { writeRois } from "./formats/roi.js";
export { type Annotation, isRuns, type OpenedRuns, openRuns, type RunsOptions } from "./formats/runs/read.js";
export { writeCvat, writeLabelStudio } from "./formats/runs/write.js";
export { type PosterOptions, type SvgOptions, writePoster, writeSvg } from "./formats/svg.js";
export { inflateByStream, type JpegPixels, type TiffCodecs } from "./formats/tiff/codecs.js";
export { isTiff } from "./formats/tiff/directories.js";
export { type Entry, movedEntries } from "./formats/tiff/entries.js";
export { type Band, type OpenedTiff, openTiff, type TiffOptions } from "./formats/tiff/read.js";
export { writeTiff } from "./formats/tiff/write.js";
export { writeZip, type ZipEntry } from "./formats/zip.js";
export { type Ids, listOfIds, numbersOf } from "./integers.js";
export {
  collected,
  type Fill,
  fillOf,
  type Layout,
  type ValueType,
  type Writer,
} from "./layout.js";
export {
  exchangeBytes,
  indexThrough,
  isExchanged,
  isIdentity,
  type Match,
  type MatchOptions,
  match,
  matched,
  through,
} from "./match.js";
export { type Drawn, OUTLINE_WRITERS, type OutlineWriter } from "./outline-writers.js";
export { MemoryOutput, type Output } from "./output.js";
export { type Frame, type FrameOptions, frameOf, inFrame } from "./products/frame.js";
export { LABEL_TYPES, labelValues } from "./products/labels.js";
export { MASK_TYPES, maskBytes, maskValues } from "./products/mask.js";
export { colourOf, PALETTE_ENDINGS, writePalette } from "./products/palette.js";
export {
  attributesOf,
  columnsOf,
  type OtherValues,
  type TableOptions,
  writeRuns,
} from "./products/regions.js";
export { type OpenTable, TABLE_WRITERS, type TableFormat, type TableWriter, writeRegions } from "./products/tables.js";
export { annotated, type Drawable, inWhole } from "./products/whole.js";
export {
  type AxisName,
  axisOf,
  type Crs,
  hasAxis,
  type ImageAxis,
  inUnit,
  isSheared,
  isUpright,
  lengthUnitOf,
  losesPlace,
  type MapCrs,
  mapAffineOf,
  mapUnitOf,
  originOf,
  type PatientCrs,
  partOf,
  plainSpace,
  resized,
  type Sides,
  type Space,
  type SpaceAxis,
  type SpaceParts,
  sizesOf,
  spaceOf,
  spacingOf,
  type Taken,
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
export { unitFactor, unitName, unitSymbol } from "./units.js";
export { endingOf, endingsOf, type Wanted, WRITERS, wantedBy, writerOf } from "./writers.js";
