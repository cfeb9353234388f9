// Writes ImageJ's regions of interest: a ZIP of .roi files, one per object, for ImageJ's RoiManager. An object of one part
// without holes is a traced polygon; an object with holes or several parts is a composite. The layout is that of
// ij.io.RoiEncoder.

import type { Outlines } from "skerry";
import { type Polygon, shapesOf } from "../drawing/polygons.js";
import { FileError } from "../errors.js";
import type { Output } from "../output.js";
import { checkWriting } from "../writing.js";
import { writeZip, type ZipEntry } from "./zip.js";

const VERSION = 228;
const TRACED = 8;
/** The type of a composite, too, which is marked by the length of its path. */
const RECTANGLE = 1;
const HEADER_BYTES = 64;
const HEADER2_BYTES = 64;

/** Coordinates are 16-bit numbers with a sign. */
const MOST_SIDE = 32767;

/** Most corners of a traced polygon; polygons with more are written as composites. */
const MOST_CORNERS = 65535;

/** Segments of a path: move to, line to, close. */
const MOVE = 0;
const LINE = 1;
const CLOSE = 4;

/**
 * Writes each object's outline as a .roi file in one ZIP: label-000001.roi and so on, the label padded to `digits` digits.
 * @example
 * import { MemoryOutput, writeRois } from "@skerry/files";
 * const file = new MemoryOutput();
 * await writeRois(file, await blobs.outlines()); // label-000001.roi and so on, in one ZIP
 */
export async function writeRois(file: Output, outlines: Outlines, digits = 6): Promise<void> {
  checkWriting("writeRois", file, { of: outlines, field: "rings", call: "outlines()" });
  return writeZip(file, roisOf(outlines, digits));
}

function* roisOf(outlines: Outlines, digits: number): Generator<ZipEntry> {
  for (const { label, polygons } of shapesOf(outlines)) {
    // ImageJ has no region without an area.
    if (polygons.length === 0) continue;
    const name = `label-${String(label).padStart(digits, "0")}`;
    yield { name: `${name}.roi`, bytes: roiBytes(name, polygons) };
  }
}

function roiBytes(name: string, polygons: readonly Polygon[]): Uint8Array {
  const [first] = polygons;
  const isPlain = polygons.length === 1 && first.holes.length === 0 && first.outer.length / 2 <= MOST_CORNERS;
  const box = boxOf(polygons);
  if (box.right > MOST_SIDE || box.bottom > MOST_SIDE) {
    throw new FileError(
      `Expected corners of at most ${MOST_SIDE} for ImageJ's regions, got ${Math.max(box.right, box.bottom)}.`,
    );
  }
  const path = isPlain ? [] : pathOf(polygons);
  const corners = isPlain ? first.outer.length / 2 : 0;
  const header2 = HEADER_BYTES + corners * 4 + path.length * 4;
  const view = new DataView(new ArrayBuffer(header2 + HEADER2_BYTES + name.length * 2));
  for (const [i, letter] of [..."Iout"].entries()) view.setUint8(i, letter.charCodeAt(0));
  view.setInt16(4, VERSION);
  view.setUint8(6, isPlain ? TRACED : RECTANGLE);
  view.setInt16(8, box.top);
  view.setInt16(10, box.left);
  view.setInt16(12, box.bottom);
  view.setInt16(14, box.right);
  view.setUint16(16, corners);
  view.setInt32(36, path.length);
  view.setInt32(60, header2);
  for (let i = 0; i < corners; i++) {
    view.setInt16(HEADER_BYTES + i * 2, first.outer[2 * i] - box.left);
    view.setInt16(HEADER_BYTES + (corners + i) * 2, first.outer[2 * i + 1] - box.top);
  }
  for (const [i, value] of path.entries()) view.setFloat32(HEADER_BYTES + i * 4, value);
  view.setInt32(header2 + 16, header2 + HEADER2_BYTES);
  view.setInt32(header2 + 20, name.length);
  for (let i = 0; i < name.length; i++) view.setUint16(header2 + HEADER2_BYTES + i * 2, name.charCodeAt(i));
  return new Uint8Array(view.buffer);
}

function boxOf(polygons: readonly Polygon[]): { left: number; top: number; right: number; bottom: number } {
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
  for (const { outer } of polygons) {
    for (let i = 0; i < outer.length; i += 2) {
      left = Math.min(left, outer[i]);
      right = Math.max(right, outer[i]);
      top = Math.min(top, outer[i + 1]);
      bottom = Math.max(bottom, outer[i + 1]);
    }
  }
  return { left, top, right, bottom };
}

/** All rings as one path. */
function pathOf(polygons: readonly Polygon[]): number[] {
  const path: number[] = [];
  for (const { outer, holes } of polygons) {
    for (const ring of [outer, ...holes]) {
      for (let i = 0; i < ring.length; i += 2) path.push(i === 0 ? MOVE : LINE, ring[i], ring[i + 1]);
      path.push(CLOSE);
    }
  }
  return path;
}
