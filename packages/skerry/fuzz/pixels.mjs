// Pixels from their descriptions: patterns that break labellers, in every type, with the values that types have at their ends.

import { ARRAYS } from "@skerry/files/internal";
import { random } from "@skerry/scenes";

const EXTREMES = {
  u8: [0, 255],
  u16: [0, 65535],
  i16: [-32768, 32767],
  u32: [0, 4294967295],
  i32: [-2147483648, 2147483647],
  f32: [-3.4e38, 3.4e38],
};

/** The raster; u32 and i32 have one channel. */
export function rasterOf({ type, size, channels: wanted, pattern, density, special, nodata, seed }) {
  const { width, height, depth } = size;
  const channels = type === "u32" || type === "i32" ? 1 : wanted;
  const next = random(seed);
  const chance = () => next() % 100 < density;
  const pixels = width * height * depth;
  const data = new ARRAYS[type](pixels * channels);
  const cell = 2 + (seed % 7);
  const [cx, cy, cz] = [seed % width, (seed >> 3) % height, (seed >> 5) % depth];
  const blocks = Uint8Array.from({ length: 1024 }, () => (chance() ? 80 + (next() % 150) : next() % 30));
  for (let at = 0; at < pixels; at++) {
    const [x, y, z] = [at % width, Math.floor(at / width) % height, Math.floor(at / width / height)];
    let v = 0;
    if (pattern === "noise") v = chance() ? 1 + (next() % 255) : 0;
    else if (pattern === "blocks")
      v = blocks[(Math.floor(x / cell) * 31 + Math.floor(y / cell) * 57 + Math.floor(z / cell) * 101) & 1023];
    else if (pattern === "rings") v = Math.hypot(x - cx, y - cy, z - cz) % (2 * cell) < cell ? 180 : 0;
    else if (pattern === "comb") v = y % (height - 1 || 1) === 0 || x % 2 === 0 ? 200 : 0;
    else if (pattern === "spiral")
      v = Math.max(Math.abs(x - cx), Math.abs(y - cy)) % 2 === 0 || (x > cx && y === cy) ? 120 : 0;
    else if (pattern === "checker") v = (x + y + z) % 2 ? 255 : 0;
    else if (pattern === "full") v = 200;
    else if (pattern === "lines") v = (x + (chance() ? 1 : 0)) % cell === 0 ? 90 + (y % 3) : 10;
    else if (pattern === "gradient") v = (x * 3 + y * 2 + z) & 255;
    for (let c = 0; c < channels; c++) {
      const own = c === 3 ? (next() % 4 === 0 ? 0 : 255) : Math.min(255, v + ((c * seed) % 40) * (v ? 1 : 0));
      data[at * channels + c] = type === "i16" ? own - (seed % 100) : type === "f32" ? own + (at % 8) / 8 : own;
    }
  }
  const places = Math.max(1, Math.floor(data.length / 50));
  const values = { extremes: EXTREMES[type], infinities: [Infinity, -Infinity], nan: [Number.NaN] }[special];
  if (values && (special === "extremes" || type === "f32")) {
    for (let i = 0; i < places; i++) data[next() % data.length] = values[i % values.length];
  }
  const alone = { "infinity alone": [Infinity], "infinities alone": [Infinity, -Infinity], "nan alone": [Number.NaN] }[
    special
  ];
  if (alone && type === "f32") for (let i = 0; i < data.length; i++) data[i] = alone[i % alone.length];
  const missing = nodata === undefined || channels > 1 ? {} : { nodata: type === "f32" ? nodata : Math.round(nodata) };
  return { data, width, height, ...(depth > 1 ? { depth } : {}), channels, ...missing };
}
