// Writers of small files with headers of every kind, which share no code with the readers: NIfTI-1 and -2 in either byte order, TIFF with the
// tags of maps or the descriptions of ImageJ and OME, OME-Zarr, and folders of DICOM. A picture is { size: [x, y, z], data, toWorld, unit }; its
// transform leads from centres of pixels to a world in `unit`, x to the right, y to the front, z up.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const METRES = { m: 1, mm: 1e-3, um: 1e-6 };

/** The transform in another unit. */
const inUnit = ({ toWorld, unit }, other) => toWorld.map((row) => row.map((n) => (n * METRES[unit]) / METRES[other]));

const sideOf = (rows, axis) => Math.hypot(...rows.map((row) => row[axis]));

/** The quaternion of a rotation, and -1 for a reflection of its third axis (NIfTI-1, nifti_mat44_to_quatern, by the largest term). */
function quaternionOf(rows) {
  const r = rows.map((row) => row.slice(0, 3).map((n, axis) => n / sideOf(rows, axis)));
  const det =
    r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) -
    r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) +
    r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
  const qfac = det < 0 ? -1 : 1;
  for (const row of r) row[2] *= qfac;
  const squares = [
    1 + r[0][0] + r[1][1] + r[2][2],
    1 + r[0][0] - r[1][1] - r[2][2],
    1 - r[0][0] + r[1][1] - r[2][2],
    1 - r[0][0] - r[1][1] + r[2][2],
  ].map((n) => Math.sqrt(Math.max(0, n)) / 2);
  let [a, b, c, d] = squares;
  const most = Math.max(...squares);
  if (most === a) [b, c, d] = [r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]].map((n) => n / (4 * a));
  else if (most === b) [a, c, d] = [r[2][1] - r[1][2], r[0][1] + r[1][0], r[0][2] + r[2][0]].map((n) => n / (4 * b));
  else if (most === c) [a, b, d] = [r[0][2] - r[2][0], r[0][1] + r[1][0], r[1][2] + r[2][1]].map((n) => n / (4 * c));
  else [a, b, c] = [r[1][0] - r[0][1], r[0][2] + r[2][0], r[1][2] + r[2][1]].map((n) => n / (4 * d));
  return { quaternion: a < 0 ? [-b, -c, -d] : [b, c, d], qfac };
}

/** A NIfTI file; `times` are the data of several volumes. `form` is s, q or both. */
export function nifti(path, picture, { two = false, little = true, form = "s", told = "mm", times } = {}) {
  const { size, data } = picture;
  const rows = inUnit(picture, told);
  const header = Buffer.alloc(two ? 544 : 352);
  const view = new DataView(header.buffer, header.byteOffset);
  const float = (at, index, n) =>
    two ? view.setFloat64(at + 8 * index, n, little) : view.setFloat32(at + 4 * index, n, little);
  const short = (at, n) => (two ? view.setInt32(at, n, little) : view.setInt16(at, n, little));
  view.setInt32(0, two ? 540 : 348, little);
  header.write(two ? "n+2\0\r\n\x1a\n" : "n+1\0", two ? 4 : 344, "latin1");
  const dims = [times ? 4 : 3, ...size, times?.length ?? 1, 1, 1, 1];
  for (const [i, n] of dims.entries()) {
    if (two) view.setBigInt64(16 + 8 * i, BigInt(n), little);
    else view.setInt16(40 + 2 * i, n, little);
  }
  view.setInt16(two ? 12 : 70, 2, little);
  view.setInt16(two ? 14 : 72, 8, little);
  const { quaternion, qfac } = quaternionOf(rows);
  for (const [i, n] of [qfac, sideOf(rows, 0), sideOf(rows, 1), sideOf(rows, 2), 1].entries())
    float(two ? 104 : 76, i, n);
  if (two) view.setBigInt64(168, 544n, little);
  else view.setFloat32(108, 352, little);
  float(two ? 176 : 112, 0, 1);
  short(two ? 344 : 252, form === "s" ? 0 : 1);
  short(two ? 348 : 254, form === "q" ? 0 : 2);
  for (let i = 0; i < 3; i++) {
    if (form !== "s") float(two ? 352 : 256, i, quaternion[i]);
    if (form !== "s") float(two ? 376 : 268, i, rows[i][3]);
    if (form !== "q") for (let k = 0; k < 4; k++) float(two ? 400 : 280, 4 * i + k, rows[i][k]);
  }
  const code = { m: 1, mm: 2, um: 3 }[told];
  if (two) view.setInt32(500, code, little);
  else view.setUint8(123, code);
  writeFileSync(path, Buffer.concat([header, ...(times ?? [data]).map((own) => Buffer.from(own))]));
}

/** A TIFF of a page for each plane, with further entries: [tag, type, values]. */
function tiff(path, planes, [width, height], entries) {
  const BYTES = { 2: 1, 3: 2, 4: 4, 5: 8, 12: 8 };
  const parts = [Buffer.from("II*\0\0\0\0\0", "latin1")];
  let at = 8;
  const push = (bytes) => {
    const start = at;
    const padded = bytes.length % 2 ? Buffer.concat([bytes, Buffer.alloc(1)]) : bytes;
    parts.push(padded);
    at += padded.length;
    return start;
  };
  let link = [0, 4];
  for (const [page, plane] of planes.entries()) {
    const strip = push(Buffer.from(plane));
    const own = [
      [256, 4, [width]],
      [257, 4, [height]],
      [258, 3, [8]],
      [259, 3, [1]],
      [262, 3, [1]],
      [273, 4, [strip]],
      [277, 3, [1]],
      [278, 4, [height]],
      [279, 4, [width * height]],
      ...(page === 0 ? entries : []),
    ].sort(([a], [b]) => a - b);
    const directory = Buffer.alloc(2 + 12 * own.length + 4);
    directory.writeUInt16LE(own.length, 0);
    for (const [i, [tag, type, values]] of own.entries()) {
      const text = typeof values === "string" ? Buffer.from(`${values}\0`, "utf8") : undefined;
      const bytes = text ?? Buffer.alloc(values.length * BYTES[type] * (type === 5 ? 0.5 : 1));
      if (!text) {
        for (const [k, n] of values.entries()) {
          if (type === 3) bytes.writeUInt16LE(n, 2 * k);
          else if (type === 12) bytes.writeDoubleLE(n, 8 * k);
          else bytes.writeUInt32LE(n, 4 * k);
        }
      }
      const entry = 2 + 12 * i;
      directory.writeUInt16LE(tag, entry);
      directory.writeUInt16LE(type, entry + 2);
      directory.writeUInt32LE(text ? text.length : type === 5 ? values.length / 2 : values.length, entry + 4);
      if (bytes.length <= 4) bytes.copy(directory, entry + 8);
      else directory.writeUInt32LE(push(bytes), entry + 8);
    }
    const start = push(directory);
    parts[link[0]].writeUInt32LE(start, link[1]);
    link = [parts.length - 1, directory.length - 4];
  }
  writeFileSync(path, Buffer.concat(parts));
}

const planesOf = ({ size: [x, y, z], data }) =>
  Array.from({ length: z }, (_, k) => data.subarray(k * x * y, (k + 1) * x * y));

/** A GeoTIFF of one slice: by sides and a tie point where these suffice, else by a matrix. */
export function geotiff(path, picture, { epsg = 32633, point = false } = {}) {
  const [[a, b, , c], [d, e, , f]] = picture.toWorld;
  const half = point ? 0 : 0.5;
  const [x0, y0] = [c - half * (a + b), f - half * (d + e)];
  const plain = b === 0 && d === 0 && e < 0;
  const place = plain
    ? [
        [33550, 12, [a, -e, 0]],
        [33922, 12, [0, 0, 0, x0, y0, 0]],
      ]
    : [[34264, 12, [a, b, 0, x0, d, e, 0, y0, 0, 0, 0, 0, 0, 0, 0, 1]]];
  const keys = [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, point ? 2 : 1, 3072, 0, 1, epsg];
  tiff(path, planesOf(picture).slice(0, 1), picture.size, [...place, [34735, 3, keys]]);
}

/** An OME-TIFF whose axes run along those of the world; `times` are the data of several volumes. */
export function ometiff(path, picture, { told = "um", times } = {}) {
  const [x, y, z] = picture.size;
  const rows = inUnit(picture, told);
  const name = { m: "m", mm: "mm", um: "&#181;m" }[told];
  const several = times ?? [picture.data];
  const planes = several.flatMap((data) => planesOf({ size: picture.size, data }));
  const places = several.flatMap((_, t) =>
    Array.from({ length: z }, (__, k) => {
      const at = ["X", "Y", "Z"].map(
        (axis, i) => `Position${axis}="${rows[i][3] + (i === 2 ? k * rows[2][2] : 0)}" Position${axis}Unit="${name}"`,
      );
      return `<Plane TheC="0" TheZ="${k}" TheT="${t}" ${at.join(" ")}/>`;
    }),
  );
  const sides = ["X", "Y", "Z"].map(
    (axis, i) => `PhysicalSize${axis}="${rows[i][i]}" PhysicalSize${axis}Unit="${name}"`,
  );
  const pixels = `DimensionOrder="XYZTC" Type="uint8" SizeX="${x}" SizeY="${y}" SizeZ="${z}" SizeC="1" SizeT="${several.length}" ${sides.join(" ")}`;
  const xml = `<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0"><Pixels ID="Pixels:0" ${pixels}><Channel ID="Channel:0:0" SamplesPerPixel="1"/><TiffData/>${places.join("")}</Pixels></Image></OME>`;
  tiff(path, planes, picture.size, [[270, 2, xml.replaceAll("&#181;", "\u00b5")]]);
}

/** A TIFF as ImageJ writes it, whose axes run along those of the world. */
export function imagej(path, picture, { told = "um" } = {}) {
  const rows = inUnit(picture, told);
  const [x, y, z] = [0, 1, 2].map((i) => rows[i][i]);
  const depth = picture.size[2];
  const lines = [
    "ImageJ=1.54f",
    `images=${depth}`,
    ...(depth > 1 ? [`slices=${depth}`, `spacing=${z}`] : []),
    `unit=${told === "um" ? "micron" : told}`,
    ...["x", "y", "z"].map((name, i) => `${name}origin=${-rows[i][3] / rows[i][i]}`),
  ];
  const fraction = (side) => [100_000, Math.round(side * 100_000)];
  tiff(path, planesOf(picture), picture.size, [
    [270, 2, `${lines.join("\n")}\n`],
    [282, 5, fraction(x)],
    [283, 5, fraction(y)],
    [296, 3, [1]],
  ]);
}

/** An image in OME-Zarr 0.4 of one chunk, whose axes run along those of the world; `times` are the data of several volumes. */
export function omezarr(path, picture, { told = "um", times } = {}) {
  const [x, y, z] = picture.size;
  const rows = inUnit(picture, told);
  const unit = { m: "meter", mm: "millimeter", um: "micrometer" }[told];
  const before = times ? [times.length] : [];
  const shape = [...before, z, y, x];
  const along = (of) => [
    ...before.map(() => (of === "scale" ? 1 : 0)),
    ...[2, 1, 0].map((i) => rows[i][of === "scale" ? i : 3]),
  ];
  mkdirSync(join(path, "0"), { recursive: true });
  writeFileSync(join(path, ".zgroup"), '{"zarr_format":2}');
  const axes = [
    ...before.map(() => ({ name: "t", type: "time", unit: "second" })),
    ...["z", "y", "x"].map((name) => ({ name, type: "space", unit })),
  ];
  const transforms = [
    { type: "scale", scale: along("scale") },
    { type: "translation", translation: along("translation") },
  ];
  const dataset = { path: "0", coordinateTransformations: transforms };
  writeFileSync(
    join(path, ".zattrs"),
    JSON.stringify({ multiscales: [{ version: "0.4", axes, datasets: [dataset] }] }),
  );
  const array = {
    zarr_format: 2,
    shape,
    chunks: shape,
    dtype: "|u1",
    compressor: null,
    fill_value: 0,
    order: "C",
    filters: null,
  };
  writeFileSync(join(path, "0/.zarray"), JSON.stringify({ ...array, dimension_separator: "." }));
  writeFileSync(
    join(path, "0", shape.map(() => 0).join(".")),
    Buffer.concat((times ?? [picture.data]).map((own) => Buffer.from(own))),
  );
}

/**
 * A folder of DICOM slices (explicit little-endian), in millimetres; x points to the left, y to the back. With `isOne`, a file of as many
 * frames, which tells their distance and no place.
 */
export function dicom(path, picture, { isOne = false, series = "1.2.3" } = {}) {
  const [width, height, depth] = picture.size;
  const rows = inUnit(picture, "mm").map((row, i) => (i < 2 ? row.map((n) => -n) : row));
  const sides = [0, 1].map((axis) => sideOf(rows, axis));
  const way = [0, 1].flatMap((axis) => rows.map((row) => row[axis] / sides[axis]));
  const element = (group, number, kind, value) => {
    const bytes = typeof value === "string" ? Buffer.from(value.length % 2 ? `${value} ` : value, "latin1") : value;
    const long = ["OB", "OW"].includes(kind);
    const head = Buffer.alloc(long ? 12 : 8);
    head.writeUInt16LE(group, 0);
    head.writeUInt16LE(number, 2);
    head.write(kind, 4, "latin1");
    if (long) head.writeUInt32LE(bytes.length, 8);
    else head.writeUInt16LE(bytes.length, 6);
    return Buffer.concat([head, bytes]);
  };
  const short = (n) => Buffer.from(Uint16Array.of(n).buffer);
  const decimals = (list) => list.map((n) => Number(n.toFixed(10)).toString()).join("\\");
  if (!isOne) mkdirSync(path, { recursive: true });
  const frames = isOne ? depth : 1;
  for (let k = 0; k < depth; k += frames) {
    const at = rows.map((row) => row[2] * k + row[3]);
    const words = Uint16Array.from(picture.data.subarray(k * width * height, (k + frames) * width * height));
    const place = [element(0x0020, 0x0032, "DS", decimals(at)), element(0x0020, 0x0037, "DS", decimals(way))];
    const body = [
      ...(isOne ? [element(0x0018, 0x0088, "DS", decimals([sideOf(rows, 2)]))] : []),
      element(0x0020, 0x000e, "UI", series),
      element(0x0020, 0x0013, "IS", `${k}`),
      ...(isOne ? [] : place),
      element(0x0028, 0x0002, "US", short(1)),
      element(0x0028, 0x0004, "CS", "MONOCHROME2"),
      element(0x0028, 0x0008, "IS", `${frames}`),
      element(0x0028, 0x0010, "US", short(height)),
      element(0x0028, 0x0011, "US", short(width)),
      element(0x0028, 0x0030, "DS", decimals([sides[1], sides[0]])),
      element(0x0028, 0x0100, "US", short(16)),
      element(0x0028, 0x0101, "US", short(16)),
      element(0x0028, 0x0102, "US", short(15)),
      element(0x0028, 0x0103, "US", short(0)),
      element(0x7fe0, 0x0010, "OW", Buffer.from(words.buffer)),
    ];
    const syntax = element(0x0002, 0x0010, "UI", "1.2.840.10008.1.2.1\0");
    const length = Buffer.alloc(4);
    length.writeUInt32LE(syntax.length);
    const meta = element(0x0002, 0x0000, "UL", length);
    writeFileSync(
      isOne ? path : join(path, `${k}.dcm`),
      // The first 128 bytes are free, and some files begin like a TIFF.
      Buffer.concat([Buffer.from((isOne ? "II*" : "").padEnd(128, "\0")), Buffer.from("DICM"), meta, syntax, ...body]),
    );
  }
}
