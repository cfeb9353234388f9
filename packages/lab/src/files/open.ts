// An image's pixels as they are stored: decoded by the browser without colour management or premultiplied alpha, read back through
// WebGL, which keeps every bit of 8-bit pictures. Grey pictures become one channel.

/** 8-bit pixels. */
export interface Opened {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 4;
  readonly data: Uint8Array;
}

/** Rows read back at a time. */
const STRIP_ROWS = 256;

/** Decodes an image; rejects where it is none. */
export async function openImage(blob: Blob, name: string): Promise<Opened> {
  const bitmap = await createImageBitmap(blob, { premultiplyAlpha: "none", colorSpaceConversion: "none" });
  try {
    const { width, height } = bitmap;
    return { name, width, height, ...reduced(readPixels(bitmap)) };
  } finally {
    bitmap.close();
  }
}

function readPixels(bitmap: ImageBitmap): Uint8Array {
  const { width, height } = bitmap;
  const gl = new OffscreenCanvas(1, 1).getContext("webgl2");
  if (!gl) throw new Error("no WebGL2");
  try {
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    gl.pixelStorei(gl.UNPACK_COLORSPACE_CONVERSION_WEBGL, gl.NONE);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    const texture = gl.getParameter(gl.TEXTURE_BINDING_2D) as WebGLTexture;
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    const data = new Uint8Array(width * height * 4);
    for (let y = 0; y < height; y += STRIP_ROWS) {
      const rows = Math.min(STRIP_ROWS, height - y);
      gl.readPixels(0, y, width, rows, gl.RGBA, gl.UNSIGNED_BYTE, data.subarray(y * width * 4, (y + rows) * width * 4));
    }
    return data;
  } finally {
    gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}

/** One channel where red, green and blue are equal everywhere and nothing is transparent. */
function reduced(rgba: Uint8Array): { channels: 1 | 4; data: Uint8Array } {
  for (let i = 0; i < rgba.length; i += 4) {
    if (rgba[i] !== rgba[i + 1] || rgba[i] !== rgba[i + 2] || rgba[i + 3] !== 255) return { channels: 4, data: rgba };
  }
  return { channels: 1, data: Uint8Array.from({ length: rgba.length / 4 }, (_, i) => rgba[4 * i] as number) };
}
