// Images that break labellers, as one byte per pixel, 0 or 1. Seeded, so every run sees the same.

import { random } from "../../../scenes/src/random.js";

export { random };

export interface Picture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

export function draw(name: string, width: number, height: number, at: (x: number, y: number) => boolean): Picture {
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data[y * width + x] = at(x, y) ? 1 : 0;
  return { name, width, height, data };
}

export function noise(width: number, height: number, density: number, block = 1, seed = 1): Picture {
  const next = random(seed);
  const columns = Math.ceil(width / block);
  const cells = Array.from({ length: columns * Math.ceil(height / block) }, () => next() < density * 2 ** 32);
  return draw(
    `noise ${density} in ${block} on ${width} x ${height}`,
    width,
    height,
    (x, y) => cells[Math.floor(y / block) * columns + Math.floor(x / block)] === true,
  );
}

/** One pixel wide, one pixel apart, from the outside in. */
export function spiral(size: number): Picture {
  const data = new Uint8Array(size * size);
  let [x, y, dx, dy] = [0, 0, 1, 0];
  const free = (x: number, y: number): boolean => x >= 0 && y >= 0 && x < size && y < size && data[y * size + x] === 0;
  for (let turns = 0; turns < 2; ) {
    data[y * size + x] = 1;
    const ahead = free(x + dx, y + dy);
    const beyond = x + 2 * dx < 0 || y + 2 * dy < 0 || x + 2 * dx >= size || y + 2 * dy >= size;
    if (ahead && (beyond || data[(y + 2 * dy) * size + x + 2 * dx] === 0)) {
      x += dx;
      y += dy;
      turns = 0;
    } else {
      [dx, dy] = [-dy, dx];
      turns++;
    }
  }
  return { name: `spiral ${size}`, width: size, height: size, data };
}

/** A Hilbert curve of the order, drawn at double scale so that its strands do not touch. */
export function hilbert(order: number): Picture {
  const n = 2 ** order;
  const size = 2 * n - 1;
  const data = new Uint8Array(size * size);
  const place = (d: number): [number, number] => {
    let [x, y] = [0, 0];
    for (let s = 1, t = d; s < n; s *= 2, t = Math.floor(t / 4)) {
      const rx = 1 & (t >> 1);
      const ry = 1 & (t ^ rx);
      if (ry === 0) {
        if (rx === 1) [x, y] = [s - 1 - x, s - 1 - y];
        [x, y] = [y, x];
      }
      x += s * rx;
      y += s * ry;
    }
    return [2 * x, 2 * y];
  };
  let [px, py] = place(0);
  for (let d = 0; d < n * n; d++) {
    const [x, y] = place(d);
    data[y * size + x] = 1;
    data[((y + py) / 2) * size + (x + px) / 2] = 1;
    [px, py] = [x, y];
  }
  return { name: `hilbert ${order}`, width: size, height: size, data };
}

/** Corridors carved by a random walk that backtracks. */
export function maze(columns: number, rows: number, seed = 3): Picture {
  const width = 2 * columns + 1;
  const height = 2 * rows + 1;
  const data = new Uint8Array(width * height);
  const next = random(seed);
  const stack: [number, number][] = [[1, 1]];
  data[width + 1] = 1;
  while (stack.length > 0) {
    const [x, y] = stack.at(-1) as [number, number];
    const ways = [
      [2, 0],
      [-2, 0],
      [0, 2],
      [0, -2],
    ].filter(([dx = 0, dy = 0]) => {
      const [nx, ny] = [x + dx, y + dy];
      return nx > 0 && ny > 0 && nx < width && ny < height && data[ny * width + nx] === 0;
    });
    const [dx = 0, dy = 0] = ways[next() % Math.max(1, ways.length)] ?? [];
    if (ways.length === 0) {
      stack.pop();
      continue;
    }
    data[(y + dy / 2) * width + x + dx / 2] = 1;
    data[(y + dy) * width + x + dx] = 1;
    stack.push([x + dx, y + dy]);
  }
  return { name: `maze ${columns} x ${rows}`, width, height, data };
}

/** Everything in section 7 of the design that a slow oracle can follow. */
export function shapes(): Picture[] {
  const pictures = [
    draw("one pixel, on", 1, 1, () => true),
    draw("one pixel, off", 1, 1, () => false),
    draw("empty", 100, 40, () => false),
    draw("full", 130, 70, () => true),
    draw("one row", 1000, 1, (x) => x % 7 < 3),
    draw("one column", 1, 1000, (_, y) => y % 5 < 2),
    draw("checkerboard", 129, 65, (x, y) => (x + y) % 2 === 0),
    draw("comb", 200, 50, (x, y) => x % 2 === 0 || y === 49),
    draw("upturned comb", 200, 50, (x, y) => x % 2 === 0 || y === 0),
    draw("diagonals", 150, 150, (x, y) => (x + y) % 4 === 0 || (x - y) % 6 === 0),
    draw("rings", 151, 151, (x, y) => Math.max(Math.abs(x - 75), Math.abs(y - 75)) % 4 < 2),
    spiral(127),
    hilbert(6),
    maze(60, 40),
  ];
  for (const width of [31, 32, 33, 63, 64, 65, 127, 128, 129]) {
    pictures.push(
      noise(width, 37, 0.5, 1, width),
      draw(`full ${width}`, width, 9, () => true),
    );
  }
  for (const density of [0.1, 0.3, 0.41, 0.5, 0.59, 0.7, 0.9]) {
    for (const block of [1, 2, 5]) pictures.push(noise(211, 173, density, block, Math.round(density * 100) + block));
  }
  return pictures;
}
