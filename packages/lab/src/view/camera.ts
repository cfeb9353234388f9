// Position of the picture on the canvas: zooming about a point, moving, fitting.

export interface Camera {
  /** The image's pixel at the canvas's left and top edge. */
  readonly x: number;
  readonly y: number;
  /** Canvas pixels per image pixel. */
  readonly scale: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const MOST = 64;

/** Rows of the canvas at its top and bottom that bars lie over. */
export interface Margins {
  readonly top: number;
  readonly bottom: number;
}

/** The whole image in the middle of what the bars leave free of the canvas; of all of the canvas, if they leave less than half of it. */
export function fitted(canvas: Size, image: Size, { top, bottom }: Margins): Camera {
  const isCovered = top + bottom > canvas.height / 2;
  const [first, height] = isCovered ? [0, canvas.height] : [top, canvas.height - top - bottom];
  const scale = Math.min(canvas.width / image.width, height / image.height);
  // A low image lies in the middle of the canvas, as long as no bar reaches it there.
  const side = isCovered ? 0 : Math.max(top, bottom);
  const isLow = image.height * scale <= canvas.height - 2 * side;
  const middle = isLow ? canvas.height / 2 : first + height / 2;
  return { x: (image.width - canvas.width / scale) / 2, y: image.height / 2 - middle / scale, scale };
}

/** Zooms by a factor about the point (px, py) of the canvas. */
export function zoomed(camera: Camera, factor: number, px: number, py: number, least: number): Camera {
  const scale = Math.min(MOST, Math.max(least / 2, camera.scale * factor));
  return { x: camera.x + px / camera.scale - px / scale, y: camera.y + py / camera.scale - py / scale, scale };
}

export function moved(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale };
}

/** The window of the result that the canvas shows: every step-th pixel, no finer than the canvas. */
export function windowOf(
  camera: Camera,
  canvas: Size,
): { x: number; y: number; width: number; height: number; step: number } {
  const step = Math.max(1, Math.floor(1 / camera.scale));
  const x = Math.floor(camera.x / step) * step;
  const y = Math.floor(camera.y / step) * step;
  const pixels = (side: number): number => Math.max(1, Math.ceil(side / camera.scale / step) + 2);
  return { x, y, width: pixels(canvas.width), height: pixels(canvas.height), step };
}
