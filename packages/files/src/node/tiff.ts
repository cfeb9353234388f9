// TIFFs from files and stdin: strips and tiles through Node's zlib and libvips' JPEG decoder.

import { createRequire } from "node:module";
import { inflate } from "node:zlib";
import type { Raster } from "skerry";
import { defined } from "skerry/internal";
import { COMPRESSION, type TiffCodecs } from "../formats/tiff/codecs.js";
import { isTiff } from "../formats/tiff/directories.js";
import { type Page, PHOTOMETRIC } from "../formats/tiff/page.js";
import { openTiff } from "../formats/tiff/read.js";
import { isDicom } from "../formats/volumes/dicom.js";
import { asWanted } from "../transparency.js";
import { mostBytes } from "./memory-limit.js";
import { overBytes } from "./over-bytes.js";
import { type About, rasterOf } from "./picture.js";
import type { Opened, Reader } from "./reader.js";
import { loadSharp } from "./sharp.js";

/** Bytes that a Deflate stream may hold beyond twice its samples. */
const SLACK_BYTES = 1 << 16;

/** Decoders of Node. */
const CODECS: TiffCodecs = {
  inflate: (packed, most) =>
    new Promise((resolve, reject) => {
      // One output buffer suffices: its extra byte lets zlib end without a second buffer.
      const options = { chunkSize: Math.max(64, most + 1), maxOutputLength: 2 * most + SLACK_BYTES };
      inflate(packed, options, (error, unpacked) => (error ? reject(error) : resolve(unpacked)));
    }),
  async jpeg(file) {
    const sharp = await loadSharp();
    const image = sharp(file, { ignoreIcc: true, limitInputPixels: false, failOn: "truncated" });
    const { channels: stored } = await image.metadata();
    // CMYK stays CMYK: another pipeline space would convert it to RGB.
    if (stored === 4) image.pipelineColourspace("cmyk");
    const space = stored === 1 ? "b-w" : stored === 4 ? "cmyk" : "srgb";
    const { data, info } = await image.toColourspace(space).raw().toBuffer({ resolveWithObject: true });
    // libvips takes four components for inverted CMYK.
    if (stored === 4) for (let i = 0; i < data.length; i++) data[i] = 255 - data[i];
    return { width: info.width, height: info.height, channels: info.channels, data };
  },
  jpegComponents: [1, 3, 4],
  get lercWasm() {
    return createRequire(import.meta.url).resolve("lerc/lerc-wasm.wasm");
  },
};

/** Names of compressions by their numbers. */
const COMPRESSIONS = Object.entries(COMPRESSION).map(([name, number]) => [number, name] as const);

function aboutOf(page: Page): Partial<About> {
  const { bits, format, samples, palette, alpha } = page;
  const name = new Map<number, string>(COMPRESSIONS).get(page.compression)?.replace("oldDeflate", "deflate");
  return defined({
    stored: bits < 8 ? `${bits} bit${bits > 1 ? "s" : ""}` : `${format}${bits}`,
    channels: samples,
    compression: name,
    alpha: alpha >= 0,
    palette: page.photometric === PHOTOMETRIC.palette && palette ? palette.length / 3 : undefined,
  });
}

export const TIFF: Reader = {
  name: "TIFF",
  endings: [".tif", ".tiff"],
  slices: true,
  axes: ["page", "channel", "time", "level"],
  // The first bytes of DICOM are free, and may be a TIFF's.
  sniff: (start) => start.kind === "file" && isTiff(start.bytes) && !isDicom(start.bytes),
  open: async (input, options): Promise<Opened> =>
    overBytes(await input.bytes(), async (bytes) => {
      const { shown } = input;
      const { alpha, matte } = options;
      const isWanted = alpha !== undefined || matte !== undefined;
      const opened = await openTiff(bytes, shown, {
        ...options,
        most: mostBytes(),
        codecs: CODECS,
        withAlpha: isWanted || "colours",
      });
      const { pixels, isTurned, notes, space, ids } = opened;
      const about = aboutOf(opened.page);
      // Grey rows are read on demand. Colours are read by several calls, and turned pages begin at any corner: these are read
      // whole.
      if (pixels.channels === 1 && !isTurned) return { pixels, space, ids, about, notes };
      const raster = (await rasterOf({ pixels, input: shown })) as Raster & { channels: number };
      if (raster.channels !== 4) return { ...opened.upright(raster), ids, about, notes };
      const notices: string[] = [];
      const wanted = asWanted({ raster, isGrey: opened.isGrey }, { alpha, matte }, shown, notices);
      return { ...opened.upright(wanted), about, notes: () => [...notes(), ...notices] };
    }),
};
