// A picture as textures: tiles of at most 2048 pixels a side and 4 MiB, with mipmaps. Phones draw large textures slowly or not at all, and
// the page answers between the uploads of two tiles.

import type { Opened } from "../files/open.js";

export interface Tile {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly texture: WebGLTexture;
}

const MOST_SIDE = 2048;
const MOST_BYTES = 4 << 20;

/** How a picture's values are drawn: bytes unchanged, others as floats, scaled from the shown grey range. */
export interface Tiles {
  readonly list: Tile[];
  readonly grey: boolean;
  /** Whether the picture is not 8-bit. */
  readonly deep: boolean;
  /** Bytes of textures that were made. */
  bytes: number;
}

export const noTiles = ({ channels, data }: Pick<Opened, "channels" | "data">): Tiles => ({
  list: [],
  grey: channels === 1,
  deep: !(data instanceof Uint8Array),
  bytes: 0,
});

/** Makes the tiles of a picture, one with each step, and adds them to `tiles`. */
export function* makeTiles(gl: WebGL2RenderingContext, opened: Opened, tiles: Tiles): Generator<undefined> {
  const { width, height, channels } = opened;
  const { deep } = tiles;
  // Textures of three bytes take four.
  const pixelBytes = (deep ? 4 : 1) * (channels === 1 ? 1 : 4);
  const most = Math.min(MOST_SIDE, 2 ** Math.floor(Math.log2(Math.sqrt(MOST_BYTES / pixelBytes))));
  for (let y = 0; y < height; y += most) {
    for (let x = 0; x < width; x += most) {
      const size = { width: Math.min(most, width - x), height: Math.min(most, height - y) };
      gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
      const texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, texture);
      if (deep) uploadDeep(gl, opened, x, y, size);
      else upload(gl, opened, x, y, size);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, deep ? gl.NEAREST : gl.LINEAR_MIPMAP_NEAREST);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
      if (!deep) gl.generateMipmap(gl.TEXTURE_2D);
      tiles.list.push({ x, y, ...size, texture });
      tiles.bytes += size.width * size.height * pixelBytes;
      yield;
    }
  }
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function upload(gl: WebGL2RenderingContext, opened: Opened, x: number, y: number, size: Size): void {
  const { width, channels, data } = opened;
  const [inner, format] = ({ 1: [gl.R8, gl.RED], 3: [gl.RGB8, gl.RGB], 4: [gl.RGBA8, gl.RGBA] } as const)[channels];
  gl.pixelStorei(gl.UNPACK_ROW_LENGTH, width);
  const from = (data as Uint8Array).subarray((y * width + x) * channels);
  gl.texImage2D(gl.TEXTURE_2D, 0, inner, size.width, size.height, 0, format, gl.UNSIGNED_BYTE, from);
  gl.pixelStorei(gl.UNPACK_ROW_LENGTH, 0);
}

/** Uploads values as floats, exact for whole numbers of up to 24 bits. Colour takes four channels; the last may stay 0. */
function uploadDeep(gl: WebGL2RenderingContext, opened: Opened, x0: number, y0: number, size: Size): void {
  const { width, channels, data } = opened;
  const bytes = channels === 1 ? 1 : 4;
  const floats = new Float32Array(size.width * size.height * bytes);
  for (let y = 0, to = 0; y < size.height; y++) {
    let from = ((y0 + y) * width + x0) * channels;
    for (let x = 0; x < size.width; x++, to += bytes, from += channels) {
      for (let c = 0; c < channels; c++) floats[to + c] = data[from + c];
    }
  }
  const [inner, format] = bytes === 1 ? [gl.R32F, gl.RED] : [gl.RGBA32F, gl.RGBA];
  gl.texImage2D(gl.TEXTURE_2D, 0, inner, size.width, size.height, 0, format, gl.FLOAT, floats);
}

export function freeTiles(gl: WebGL2RenderingContext, { list }: Tiles): void {
  for (const { texture } of list) gl.deleteTexture(texture);
}
