// File formats for the command line and the page. Readers take bytes, writers an Output. Nothing here needs Node: code that does
// is in
// @skerry/files/node.

export type { ToWorld, Triple } from "./affine.js";
export { type Bytes, bufferBytes } from "./bytes.js";
export { objectColour, palette } from "./drawing/colours.js";
export type { Polygon, Shape } from "./drawing/polygons.js";
export { rampColour } from "./drawing/ramp.js";
export { FileError, UsageError } from "./errors.js";
export { type BmpPixels, readBmp } from "./formats/bmp.js";
export { writeCoco } from "./formats/coco.js";
export { writeCocoPolygons } from "./formats/coco-polygons.js";
export { writeFlatGeobuf } from "./formats/flatgeobuf.js";
export { type GeoJsonOptions, writeGeoJson } from "./formats/geojson.js";
export { type Nifti, openNifti, writeNifti } from "./formats/nifti.js";
export { type NpyOptions, type OpenedNpy, openNpy, writeNpy } from "./formats/npy.js";
export { writeParquet } from "./formats/parquet.js";
export { openPgm, writePgm } from "./formats/pgm.js";
export { type PngPixels, readPng, writePng } from "./formats/png.js";
export { writeRois } from "./formats/roi.js";
export { type OpenedRuns, openRuns, type RunsOptions } from "./formats/runs/read.js";
export { writeCvat, writeLabelStudio } from "./formats/runs/write.js";
export { type PosterOptions, type SvgOptions, writePoster, writeSvg } from "./formats/svg.js";
export { inflateByStream, type TiffCodecs } from "./formats/tiff/codecs.js";
export { type OpenedTiff, openTiff, type TiffOptions } from "./formats/tiff/read.js";
export { writeTiff } from "./formats/tiff/write.js";
export { openMetaImage, writeMetaImage } from "./formats/volumes/meta-image.js";
export { openMgh } from "./formats/volumes/mgh.js";
export { openNrrd, writeNrrd } from "./formats/volumes/nrrd.js";
export type { OpenedVolume, VolumeFile, VolumeOptions } from "./formats/volumes/volume.js";
export type { Ids } from "./integers.js";
export { type Fill, fillOf } from "./layout.js";
export { type Match, type MatchOptions, matched } from "./match.js";
export type { Drawn } from "./outline-writers.js";
export { MemoryOutput, type Output } from "./output.js";
export { colourOf, writePalette } from "./products/palette.js";
export { type TableOptions, writeRuns } from "./products/regions.js";
export { type TableFormat, writeRegions } from "./products/tables.js";
export {
  type Crs,
  type MapCrs,
  mapAffineOf,
  originOf,
  type PatientCrs,
  type Space,
  type SpaceAxis,
  spaceOf,
  spacingOf,
  type Taken,
} from "./space.js";
